// The value reader on a public suite of JSON texts, read where it lies and never copied here:
// names that begin with y are JSON, with n are not, and with i are the reader's choice.
import Foundation
import Testing

@testable import TableWire

/// The folder with the suites: ROUNDTABLE_SUITES, or beside the package.
private let suite: URL = {
    if let folder = ProcessInfo.processInfo.environment["ROUNDTABLE_SUITES"] {
        return URL(filePath: folder).appending(path: "json-test-suite/test_parsing")
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return package.appending(path: "../shared/data/json-test-suite/test_parsing").standardized
}()

/// The files of the suite in order of name; empty where it is absent.
private let files: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: suite.path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
}()

/// What the reader does with a file.
private enum Fate: Equatable {
    case accepted
    case refused(WireCode)

    static let malformed = Fate.refused(.malformed)
}

/// What the reader does with each file of free choice.
private let choices: [String: Fate] = [
    // Beyond the largest double or nearer to zero than the smallest: no type can hold them.
    "i_number_double_huge_neg_exp": .malformed, "i_number_huge_exp": .malformed,
    "i_number_neg_int_huge_exp": .malformed, "i_number_pos_double_huge_exp": .malformed,
    "i_number_real_neg_overflow": .malformed, "i_number_real_pos_overflow": .malformed,
    "i_number_real_underflow": .malformed,
    // Integers beyond 64 bits: a double holds them.
    "i_number_too_big_neg_int": .accepted, "i_number_too_big_pos_int": .accepted,
    "i_number_very_big_negative_int": .accepted,
    // Surrogates that are no pair.
    "i_object_key_lone_2nd_surrogate": .malformed,
    "i_string_1st_surrogate_but_2nd_missing": .malformed,
    "i_string_1st_valid_surrogate_2nd_invalid": .malformed,
    "i_string_incomplete_surrogate_and_escape_valid": .malformed,
    "i_string_incomplete_surrogate_pair": .malformed,
    "i_string_incomplete_surrogates_escape_valid": .malformed,
    "i_string_invalid_lonely_surrogate": .malformed, "i_string_invalid_surrogate": .malformed,
    "i_string_inverted_surrogates_U+1D11E": .malformed,
    "i_string_lone_second_surrogate": .malformed,
    // Bytes that are not UTF-8.
    "i_string_UTF-16LE_with_BOM": .malformed, "i_string_UTF-8_invalid_sequence": .malformed,
    "i_string_UTF8_surrogate_U+D800": .malformed, "i_string_invalid_utf-8": .malformed,
    "i_string_iso_latin_1": .malformed, "i_string_lone_utf8_continuation_byte": .malformed,
    "i_string_not_in_unicode_range": .malformed,
    "i_string_overlong_sequence_2_bytes": .malformed,
    "i_string_overlong_sequence_6_bytes": .malformed,
    "i_string_overlong_sequence_6_bytes_null": .malformed,
    "i_string_truncated-utf-8": .malformed, "i_string_utf16BE_no_BOM": .malformed,
    "i_string_utf16LE_no_BOM": .malformed, "i_structure_UTF-8_BOM_empty_object": .malformed,
    "i_structure_500_nested_arrays": .refused(.tooDeep),
]

/// The two files of JSON whose keys come twice, which the protocol refuses.
private let repeatedKeys = ["y_object_duplicated_key", "y_object_duplicated_key_and_value"]

@Suite(.enabled(if: !files.isEmpty, "the suites are absent: set ROUNDTABLE_SUITES"))
struct JSONSuiteTests {
    private func fate(_ file: String) throws -> Fate {
        let data = [UInt8](try Data(contentsOf: suite.appending(path: file)))
        do throws(WireError) {
            try unsafe validateJSON(data.span.bytes)
            return .accepted
        } catch {
            #expect(error.offset >= 0 && error.offset <= data.count)
            return .refused(error.code)
        }
    }

    @Test("GP3: what is JSON is accepted, but for repeated keys", arguments: files)
    func each(_ file: String) throws {
        let name = String(file.dropLast(".json".count))
        let fate = try fate(file)
        switch name.prefix(2) {
        case "y_" where repeatedKeys.contains(name): #expect(fate == .malformed)
        case "y_": #expect(fate == .accepted)
        case "n_": #expect(fate != .accepted)
        default:
            let choice = try #require(choices[name], "the file has no fate written here")
            #expect(fate == choice)
        }
    }

    @Test(
        "GP4: as a stream it gives the same lines however it is cut, and none is a message",
        arguments: files)
    func asStream(_ file: String) throws {
        let stream = [UInt8](try Data(contentsOf: suite.appending(path: file))) + [10]
        let expected = stream.dropLast().split(
            separator: 10, omittingEmptySubsequences: false
        ).map(Array.init)
        // A long file is cut at fewer places: its lines have no more kinds of them.
        let step = max(1, stream.count / 300)
        var ways = [[stream[...]]]
        for cut in stride(from: 0, through: stream.count, by: step) {
            ways.append([stream[..<cut], stream[cut...]])
        }
        ways.append(stream.indices.map { stream[$0...$0] })
        for (way, pieces) in ways.enumerated() {
            var splitter = LineSplitter(lineBytesMax: 1 << 20)
            var lines: [[UInt8]] = []
            for piece in pieces {
                try unsafe splitter.append(piece.span.bytes) { line in
                    lines.append(unsafe line.withUnsafeBytes { unsafe Array($0) })
                    return true
                }
            }
            try #require(lines == expected, "way \(way)")
            #expect(splitter.bufferedByteCount == 0)
        }
        for line in expected {
            #expect(throws: WireError.self) {
                try unsafe readClientLine(line.span.bytes, limits: WireLimits())
            }
        }
    }

    @Test("The suite is whole")
    func whole() {
        #expect(files.filter { $0.hasPrefix("y_") }.count == 95)
        #expect(files.filter { $0.hasPrefix("n_") }.count == 188)
        #expect(files.filter { $0.hasPrefix("i_") }.count == choices.count)
    }
}
