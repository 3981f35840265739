// The strict reader: what it takes, what it refuses, and where it says that it stopped.
import TableValue
import Testing

@testable import TableWire

/// Reads one cell's value given as JSON text.
private func value(_ text: String) throws(WireError) -> Value {
    let line = bytes(text)
    return try unsafe withJSONReader(line.span.bytes, limits: WireLimits()) {
        (reader) throws(WireError) in
        try reader.readValue()
    }
}

/// The error of the value reader; nil where it accepts the text.
func fault(_ text: [UInt8], limits: WireLimits = WireLimits()) -> WireError? {
    do throws(WireError) {
        try unsafe validateJSON(text.span.bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

private func fault(_ text: String) -> WireError? { fault(bytes(text)) }

private enum PointKey: String, JSONKeySet {
    case x, y
    case longest = "a_key_of_exactly_24_byte"
    static let lookup = JSONKeyTable<PointKey>()
}

@Suite struct JSONReaderTests {
    @Test(
        "GC6: each number has one fate",
        arguments: [
            ("0", .int(0)), ("-1", .int(-1)), ("9007199254740993", .int(9_007_199_254_740_993)),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
            ("100000000000000000000", .double(1e20)), ("-0", .double(-0.0)),
            ("-0.0", .double(-0.0)), ("0.0", .double(0)), ("0e99999", .double(0)),
            ("-0e-99999", .double(-0.0)), ("1.0", .double(1)), ("1e2", .double(100)),
            ("1E+2", .double(100)), ("1e-2", .double(0.01)), ("2.5e-3", .double(0.0025)),
            ("4.9e-324", .double(.leastNonzeroMagnitude)),
            ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
            ("0.1", .double(0.1)), ("123456789.123456789", .double(123456789.123456789)),
        ] as [(String, Value)])
    func numbers(text: String, expected: Value) throws {
        #expect(try value(text) == expected)
        #expect(fault(text) == nil)
    }

    @Test(
        "GP3: what is no number of JSON, or no number at all, is refused",
        arguments: [
            ("1e400", 0), ("-1e400", 0), ("1e-400", 0), ("01", 0), ("-01", 1), ("+1", 0),
            ("1.", 2), (".5", 0), ("1e", 2), ("1e+", 3), ("-", 1), ("0x10", 1), ("1_000", 1),
            ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("1.5.5", 3), ("--1", 1), ("00", 0),
        ])
    func badNumbers(text: String, offset: Int) {
        #expect(fault(text)?.offset == offset)
        #expect(fault("[\(text)]")?.offset == offset + 1)
        #expect(throws: WireError.self) { try value(text) }
    }

    @Test(
        "Strings are unescaped",
        arguments: [
            (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u4e16""#, "A\u{E9}\u{4E16}"), (#""\uD83D\uDE42""#, "\u{1F642}"),
            (#""\ud83d\ude42x""#, "\u{1F642}x"), (#""\u0000""#, "\u{0}"), ("\"\u{7F}\"", "\u{7F}"),
            (#""e\u0301""#, "e\u{301}"), ("\"Grüße 世界 🙂\"", "Grüße 世界 🙂"),
            (#""12345678\"12345678""#, "12345678\"12345678"), (#""\\\\\\""#, "\\\\\\"),
        ])
    func strings(text: String, expected: String) throws {
        #expect(try value(text) == .text(Text(expected)))
    }

    @Test(
        "GP3: bad strings are refused at the byte where they are bad",
        arguments: [
            (#""abc"#, 4), (#""abc\"#, 6), (#""abc\""#, 6), (#""\x41""#, 1), (#""\u12""#, 5),
            (#""\u12G4""#, 5), (#""\ud800""#, 1), (#""\udc00""#, 1), (#""\ud800\u0041""#, 1),
            (#""\ud800x""#, 1), (#""\ud800\ud800""#, 1), ("\"a\nb\"", 2), ("\"\t\"", 1),
            ("\"12345678\u{1}\"", 9), ("'a'", 0), (#""a" "b""#, 4), ("a", 0),
        ])
    func badStrings(text: String, offset: Int) throws {
        let error = try #require(fault(text))
        // Past the end and at the end are the same place.
        #expect(min(error.offset, text.utf8.count) == min(offset, text.utf8.count))
    }

    @Test(
        "GP3: bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0xAF],
            [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xF0, 0x9F, 0x99],
        ] as [[UInt8]])
    func badUTF8(raw: [UInt8]) {
        for prefix in ["", "x", "1234567", "12345678", "\\n"] {
            #expect(fault(bytes("\"" + prefix) + raw + bytes("\""))?.code == .malformed)
            #expect(fault(bytes("{\"" + prefix) + raw + bytes("\":1}"))?.code == .malformed)
        }
        #expect(fault([0xEF, 0xBB, 0xBF] + bytes("{}"))?.offset == 0)
    }

    @Test(
        "GP3: broken structure is refused at its place",
        arguments: [
            ("", 0), (" ", 1), ("[", 1), ("]", 0), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3),
            ("{", 1), ("{}}", 2), ("{\"a\":1,}", 7), ("{\"a\"}", 4), ("{\"a\" 1}", 5), ("{a:1}", 1),
            ("{1:1}", 1), ("{\"a\":}", 5), ("nul", 3), ("nulll", 4), ("True", 0), ("[1}", 2),
            ("{\"a\":1]", 6), ("[] []", 3), ("/**/1", 0), ("1 // x", 2), ("\u{A0}1", 0),
            ("{\"a\":1,\"a\":2}", 7), ("{\"a\":1,\"\\u0061\":2}", 7), ("[1\u{B}]", 2),
        ])
    func badStructure(text: String, offset: Int) {
        #expect(fault(text)?.code == .malformed)
        #expect(fault(text)?.offset == offset)
    }

    @Test("GP3: keys are equal by bytes: composed and decomposed letters are two keys")
    func keysByBytes() {
        #expect(fault("{\"\u{E9}\":1,\"e\u{301}\":2}") == nil)
        #expect(fault("{\"\u{E9}\":1,\"\\u00e9\":2}")?.code == .malformed)
        let many = (0..<200).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(fault("{\(many)}") == nil)
        #expect(fault("{\(many),\"k7\":0}")?.code == .malformed)
        #expect(fault("{\(many),\"k199\":0}")?.code == .malformed)
        // The same key in another object is another key.
        #expect(fault("{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":1}]}") == nil)
    }

    @Test("White space is allowed around every token")
    func whiteSpace() throws {
        let text = " \t\r\n{ \"a\" : [ 1 , { } , [ ] , \"b\" ] , \"c\" : null } \r\n"
        #expect(fault(text) == nil)
    }

    @Test("An object's keys come in any order, escaped or not, up to 24 bytes")
    func keySets() throws {
        func read(_ text: String) throws(WireError) -> [Int64] {
            let line = bytes(text)
            return try unsafe withJSONReader(line.span.bytes, limits: WireLimits()) {
                (reader) throws(WireError) -> [Int64] in
                var point: [Int64] = [0, 0, 0]
                var object = try reader.beginObject(PointKey.self)
                while let key = try object.next(&reader) {
                    switch key {
                    case .x: point[0] = try reader.readInteger()
                    case .y: point[1] = try reader.readInteger()
                    case .longest: point[2] = try reader.readInteger()
                    }
                }
                return point
            }
        }
        #expect(try read("{\"y\":2,\"x\":1}") == [1, 2, 0])
        #expect(try read("{\"a_key_of_exactly_24_byte\":3}") == [0, 0, 3])
        #expect(try read("{\"\\u0078\":1,\"a_key_of_exactly_24_b\\u0079te\":3}") == [1, 0, 3])
        #expect(try read("{}") == [0, 0, 0])
        for (text, offset) in [
            ("{\"z\":1}", 1), ("{\"x\":1,\"z\":1}", 7), ("{\"x\":1,\"x\":1}", 7),
            ("{\"x\":1,\"\\u0078\":1}", 7), ("{\"a_key_of_exactly_24_bytes\":3}", 1),
            ("{\"x\\u0000\":1}", 1), ("{\"X\":1}", 1), ("{\"\":1}", 1), ("{\"x\":1.0}", 5),
        ] {
            do throws(WireError) {
                _ = try read(text)
                Issue.record("\(text) was accepted")
            } catch {
                #expect(error.code == .malformed)
                #expect(error.offset == offset, "\(text): \(error)")
            }
        }
    }
}
