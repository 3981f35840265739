import Foundation
import TableFiles
import TableValue
import TestSupport
import Testing

/// The type found for one column of fields, each spelled as in a file.
private func type(
    _ fields: [String], nulls: [Text] = [], quotedIsText: Bool = true
) -> ColumnType? {
    var options = ImportOptions()
    options.nullTexts = nulls
    options.quotedIsText = quotedIsText
    let file = "x,y\n" + fields.map { $0 + ",\n" }.joined()
    return try? imported(file, options).plan.columns.first?.type
}

@Test(
    "a column has the narrowest type that every field fits without loss",
    arguments: [
        (["1", "-2", "0"], .int), (["9223372036854775807"], .int),
        (["-9223372036854775808"], .int), (["9223372036854775808"], .text),
        (["1", "2.5"], .double), (["2.5", "1"], .double), (["1e5"], .double), (["-0"], .double),
        (["1.50", "2.00"], .double), (["0.30000000000000004"], .double),
        (["0.1", "9007199254740993"], .text), (["0.1", "9007199254740992"], .double),
        (["9007199254740993", "0.1"], .text), (["0.123456789012345678"], .text),
        (["48.053808600000004"], .double), (["48.053808600000005"], .text),
        (["0.10000000000000001"], .double), (["0.1000000000000001"], .double),
        (["0.10000000000000002"], .double), (["12345678901234.56"], .double),
        (["12345678901234.567"], .text), (["99999999999999.99"], .text),
        (["0.00000000000000000012345678901234568"], .double),
        (["-122.90254470000001"], .double), (["12345678901234567.5"], .text),
        (["1e400"], .text), (["1e-400"], .text), (["1e308"], .double), (["5e-324"], .double),
        (["4e-324"], .text),
        (["007"], .text), (["1", "007"], .text), (["00"], .text), (["0", "00"], .text),
        (["-01"], .text), (["01.5"], .text), (["1.5", "01.5"], .text), (["+1"], .text),
        (["1.5", "+1.5"], .text), (["1,000"], .text), (["1_000"], .text), ([" 1"], .text),
        (["NaN"], .text), (["1.5", "NaN"], .text), (["Infinity"], .text), (["inf"], .text),
        ([".5"], .text), (["5."], .text), (["0x10"], .text), (["-"], .text), (["１"], .text),
        (["10000000000000000000000"], .text), (["0.1", "10000000000000000000000"], .text),
        (["true", "false"], .bool), (["True"], .text), (["true", "1"], .text), (["yes"], .text),
        (["2026-11-30", "0001-01-01"], .date), (["2026-11-31"], .text), (["30.11.2026"], .text),
        (["2026-11-30T08:00:00Z"], .datetime), (["2026-11-30T08:00:00.1+01:00"], .datetime),
        (["2026-11-30T08:00:00Z", "2026-11-30"], .text), (["2026-11-30 08:00:00"], .text),
        (["0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2"], .uuid),
        (["0190F5FE-7C2B-7D1E-8D4E-3A4BB4C6B1A2", "x"], .text),
        (["a"], .text), ([], .text), (["", ""], .text), (["", "1", ""], .int),
        (["1", "\"\""], .text),
        (["1", "a", "2"], .text), (["1", "true"], .text), (["1", "2026-11-30"], .text),
    ] as [([String], ColumnType)])
func inferred(_ fields: [String], _ expected: ColumnType) {
    #expect(type(fields.map { $0.contains(",") ? "\"\($0)\"" : $0 }) == expected)
}

@Test("one field in the last of many rows decides, since all rows are looked at")
func lastRowDecides() {
    #expect(type(Array(repeating: "1", count: 30_000) + ["x"]) == .text)
    #expect(type(Array(repeating: "1", count: 30_000) + ["0.5"]) == .double)
}

@Test("null texts say nothing of the type, but only where they are named and not quoted")
func nullTexts() {
    #expect(type(["1", "NA"]) == .text)
    #expect(type(["1", "NA", ""], nulls: ["NA"]) == .int)
    #expect(type(["1", "NA", "-"], nulls: ["NA", "-"]) == .int)
    #expect(type(["1", "\"NA\""], nulls: ["NA"]) == .text)
    #expect(type(["NA", "NA"], nulls: ["NA"]) == .text)
    #expect(type(["1", "NAN"], nulls: ["NA"]) == .text)
}

@Test("numbers that are quoted everywhere are text, as whoever wrote the file says")
func quotedNumbers() {
    #expect(type(["\"1\"", "\"2\""]) == .text)
    #expect(type(["\"1\"", "2"]) == .int)
    #expect(type(["\"true\""]) == .text)
    #expect(type(["\"1\"", "\"2\""], quotedIsText: false) == .int)
    #expect(type(["\"2026-11-30\""]) == .date)
    #expect(type(["\"1\"", "", "\"2\""]) == .text)
}

@Test("nothing that is inferred loses a digit")
func inferenceIsLossless() throws {
    for seed in UInt64(1)...60 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<40 {
            let field = generator.word(of: "0012345679.-e+", countMax: 22)
            if field.isEmpty { continue }
            let found = try #require(type([field]))
            if found == .text { continue }
            let value = try Value(Text(field), as: found)
            var bytes: [UInt8] = []
            value.writeText(to: &bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            if found == .int {
                #expect(text == field, "seed \(seed)")
            } else if Digits(text) != Digits(field), case .double(let double) = value {
                // Then it is how the double is printed with that many digits.
                let printed = String(format: "%.\(places(field))f", double)
                #expect(printed == field, "seed \(seed): \(field) became \(text)")
            }
        }
    }
}

/// The digits behind the point of a number without exponent.
private func places(_ text: String) -> Int {
    guard let point = text.firstIndex(of: ".") else { return 0 }
    return text.distance(from: point, to: text.endIndex) - 1
}

/// A decimal number by its digits: what stays the same however it is spelled.
private struct Digits: Equatable {
    var isNegative: Bool
    var digits: String
    var exponent: Int

    init(_ text: String) {
        var rest = text[...]
        isNegative = rest.first == "-"
        if isNegative { rest.removeFirst() }
        let parts = rest.split(whereSeparator: { $0 == "e" || $0 == "E" })
        exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let halves = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let fraction = halves.count > 1 ? halves[1] : ""
        exponent -= fraction.count
        digits = String((halves.first ?? "") + fraction)
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        digits = String(digits.drop { $0 == "0" })
        if digits.isEmpty { exponent = 0 }
    }
}
