import TableValue
import TestSupport
import Testing

@Test(
    "doubles have one spelling",
    arguments: [
        (40.0, "40"), (-40, "-40"), (0, "0"), (-0.0, "-0.0"), (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"), (1.575, "1.575"), (1e15, "1000000000000000"),
        (9_007_199_254_740_991, "9007199254740991"), (9_007_199_254_740_992, "9007199254740992"),
        (1e16, "1e+16"), (1.8014398509481984e16, "1.8014398509481984e+16"),
        (2e16, "2e+16"), (1e21, "1e+21"), (1e308, "1e+308"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        (.leastNonzeroMagnitude, "5e-324"), (.leastNormalMagnitude, "2.2250738585072014e-308"),
        (0.0001, "0.0001"), (0.00001, "1e-05"), (.infinity, "Infinity"),
        (-.infinity, "-Infinity"), (.nan, "NaN"),
    ] as [(Double, String)])
func doubleSpelling(_ value: Double, _ text: String) {
    #expect(written(.double(value)) == text)
    #expect(read(text, as: .double) == .double(value))
}

@Test("any bits but those of NaN come back, as a number that JSON allows")
func doubleRoundTrip() {
    // The grammar of RFC 8259.
    let jsonNumber = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
    for seed in UInt64(1)...20 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<500 {
            var value = Double(bitPattern: generator.next())
            if generator.below(4) == 0 { value = Double(Int64(bitPattern: generator.next()) >> 8) }
            if generator.below(4) == 0 { value = Double(generator.below(1_000_000)) / 1000 }
            if value.isNaN { continue }
            let text = written(.double(value))
            #expect(read(text, as: .double) == .double(value), "seed \(seed): \(text)")
            if value.isFinite {
                #expect(text.wholeMatch(of: jsonNumber) != nil, "seed \(seed): \(text)")
            }
        }
    }
}

@Test("decimal numbers are rounded as the standard library rounds them")
func doubleRounding() {
    for seed in UInt64(1)...20 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<500 {
            var text = generator.below(2) == 0 ? "-" : ""
            text += String(generator.next() >> UInt64(generator.below(64)))
            if generator.below(3) > 0 {
                text += "." + generator.word(of: "0123456789", countMax: 24) + "5"
            }
            if generator.below(3) > 0 {
                text += generator.pick(["e", "E"]) + generator.pick(["", "+", "-"])
                text += String(generator.below(300))
            }
            let expected = Double(text)
            guard let expected, expected.isFinite, expected != 0 || !text.contains("e") else {
                continue
            }
            let found = read(text, as: .double)
            if expected == 0 && found == nil { continue }
            #expect(found == .double(expected), "seed \(seed): \(text)")
        }
    }
}

@Test("halfway cases are rounded to even, however many digits they have")
func doubleHalfway() {
    #expect(read("9007199254740993", as: .double) == .double(9_007_199_254_740_992))
    #expect(
        read("9007199254740993.00000000000000000000000001", as: .double)
            == .double(9_007_199_254_740_994))
    #expect(
        read("2.2250738585072011e-308", as: .double)
            == Value.double(.init(bitPattern: 0x000F_FFFF_FFFF_FFFF)))
    #expect(read("0." + String(repeating: "0", count: 400) + "1e401", as: .double) == .double(1))
    #expect(
        read("1" + String(repeating: "0", count: 100_000) + "e-100000", as: .double) == .double(1))
}

@Test(
    "a number that only infinity or zero could stand for is refused",
    arguments: [
        "1e400", "-1e400", "1e309", "1.8e308", "1e99999999999999999999", "1e-400", "-1e-400",
        "2e-324", "0.00001e-320", "1e-99999999999999999999",
    ])
func doubleOutOfRange(_ text: String) {
    #expect(read(text, as: .double) == nil)
}

@Test("zero is zero with any exponent, and keeps its sign")
func doubleZero() {
    #expect(read("0e999999", as: .double) == .double(0))
    #expect(read("-0.000", as: .double) == .double(-0.0))
    #expect(read("-0", as: .double) == .double(-0.0))
    #expect(read("-0", as: .double) != .double(0))
}

@Test(
    "what is no decimal number is refused",
    arguments: [
        "", "-", ".", ".5", "5.", "+1", "1e", "1e+", "e5", "1.e5", "0x1p3", "0x10", "inf", "nan",
        "-inf", "Inf", "infinity", "-NaN", "+Infinity", " 1", "1 ", "1_000", "1,5", "1.2.3",
        "1e5.0", "１", "1\u{0}", "NaN ", "--1", "1d5", "snan", "NaN(0x1)",
    ])
func doubleMalformed(_ text: String) {
    #expect(read(text, as: .double) == nil)
}

@Test("long digits are read without effort out of proportion")
func doubleLongDigits() {
    let digits = String(repeating: "7", count: 256 * 1024)
    #expect(read("0." + digits, as: .double) == .double(0.7777777777777778))
    #expect(read(digits, as: .double) == nil)
}
