import TableFiles
import TableValue
import TestSupport
import Testing

@Test(
    "fields, quotes and line ends are read as RFC 4180 says",
    arguments: [
        ("", []), ("a", [["a"]]), ("a\n", [["a"]]), ("a,b\n", [["a", "b"]]),
        ("a,b\nc,d", [["a", "b"], ["c", "d"]]), ("a,\n", [["a", ""]]), (",", [["", ""]]),
        ("\n", [[""]]), ("\n\n", [[""], [""]]), ("a\n\nb", [["a"], [""], ["b"]]),
        ("a\r\nb\r\n", [["a"], ["b"]]), ("a\rb\r", [["a"], ["b"]]),
        ("a\n\rb", [["a"], [""], ["b"]]),
        ("a\r\r\nb", [["a"], [""], ["b"]]), ("\r\n", [[""]]), ("\"\"", [[""]]),
        ("\"a\"", [["a"]]), ("\"a\"\n", [["a"]]), ("\"a,b\",c", [["a,b", "c"]]),
        ("\"a\"\"b\"", [["a\"b"]]), ("\"\"\"\"", [["\""]]), ("\"\"\"a\"\"\"", [["\"a\""]]),
        ("\"a\nb\"", [["a\nb"]]), ("\"a\r\nb\"\r\nc", [["a\r\nb"], ["c"]]),
        ("\"\n\"", [["\n"]]), ("\"\r\"", [["\r"]]), (" a , b ", [[" a ", " b "]]),
        ("a\tb,c", [["a\tb", "c"]]), ("a;b", [["a;b"]]), ("'a,b'", [["'a", "b'"]]),
        ("é,漢,👌", [["é", "漢", "👌"]]), ("\u{0},\u{0}", [["\u{0}", "\u{0}"]]),
        ("\u{FEFF}a,b", [["a", "b"]]), ("\u{FEFF}\"a\",b", [["a", "b"]]), ("\u{FEFF}", []),
        ("\u{FEFF}\u{FEFF}a", [["\u{FEFF}a"]]), ("a,\u{FEFF}b", [["a", "\u{FEFF}b"]]),
        ("\u{FB01}x", [["\u{FB01}x"]]), ("\u{FEFE}", [["\u{FEFE}"]]),
    ] as [(String, [[String]])])
func wellFormed(_ text: String, _ rows: [[String]]) {
    let reading = read(text)
    #expect(reading.error == nil)
    #expect(
        reading.texts.map { $0.map { Array($0.utf8) } } == rows.map { $0.map { Array($0.utf8) } })
}

@Test("a field tells whether it was quoted, so that empty text is no null")
func quotedFlag() {
    let reading = read(",\"\",a,\"a\"")
    #expect(reading.rows.first?.map(\.isQuoted) == [false, true, false, true])
}

@Test(
    "what readers disagree about is refused with its place",
    arguments: [
        ("a,b\n1,\"x", FileError(.unterminatedQuote, line: 2, field: 2, byte: 3)),
        ("\"a\n\nb\n", FileError(.unterminatedQuote, line: 1, field: 1, byte: 1)),
        ("a,b\n1,This \"x\",3", FileError(.quoteInPlainField, line: 2, field: 2, byte: 8)),
        ("a\"", FileError(.quoteInPlainField, line: 1, field: 1, byte: 2)),
        ("a, \"b\"", FileError(.quoteInPlainField, line: 1, field: 2, byte: 4)),
        ("\"Hey \" it\",3", FileError(.textAfterQuote, line: 1, field: 1, byte: 7)),
        ("\"a\nb\" \n", FileError(.textAfterQuote, line: 2, field: 1, byte: 3)),
        ("\u{FEFF}x\"", FileError(.quoteInPlainField, line: 1, field: 1, byte: 2)),
        ("a\r\nb\r\nc\"", FileError(.quoteInPlainField, line: 3, field: 1, byte: 2)),
        ("\"a\r\nb\rc\nd\",\"e\"f", FileError(.textAfterQuote, line: 4, field: 2, byte: 7)),
    ])
func refused(_ text: String, _ error: FileError) {
    #expect(read(text).error == error)
    for split in 0...text.utf8.count {
        #expect(read(text, splitAt: [split]).error == error, "split at \(split)")
    }
}

@Test("every split of a file, at one place and at every place, gives the same rows")
func everySplit() {
    let texts = [
        "\u{FEFF}a,\"b\"\"c\nd\",é\r\n,\"\",\r\"x\r\ny\"\n\nlast,👌",
        "\u{FEFF}", "\r\n\r\n", "\"\"\"\"\r\n\"\"", "a\rb\r\nc\nd", "\u{FB01},\"\u{FEFF}\"",
    ]
    for text in texts {
        let count = text.utf8.count
        let whole = read(text)
        #expect(whole.error == nil)
        for first in 0...count {
            for second in first...count {
                #expect(read(text, splitAt: [first, second]) == whole, "\(first), \(second)")
            }
        }
        #expect(read(text, splitAt: Array(0...count)) == whole)
    }
}

@Test("hostile bytes give the same answer at every split, and never a trap")
func hostileBytes() {
    let alphabet = Array(",\"\n\r\tab é".utf8) + [0, 0xEF, 0xBB, 0xBF, 0xFF]
    for seed in UInt64(1)...40 {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<25 {
            let bytes = (0..<generator.below(24)).map { _ in
                alphabet[generator.below(alphabet.count)]
            }
            let whole = read(bytes)
            for split in 0...bytes.count {
                #expect(read(bytes, splitAt: [split]) == whole, "seed \(seed): \(bytes)")
            }
        }
    }
}

@Test("rows know the line on which they begin")
func rowLines() {
    let text = "a\r\n\"b\nb\"\r\"c\r\nc\",\"\r\"\n\nd"
    #expect(read(text).lines == [1, 2, 4, 7, 8])
}

@Test("bytes that are not UTF-8 are refused with line and field, wherever they stand")
func notUTF8() {
    let broken: [[UInt8]] = [
        [0xC3], [0xA9], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ]
    for bytes in broken {
        #expect(
            read(Array("a\nb,".utf8) + bytes + Array("\n".utf8)).error
                == FileError(.notUTF8, line: 2, field: 2))
        #expect(
            read(Array("\"".utf8) + bytes + Array("\"".utf8)).error
                == FileError(.notUTF8, line: 1, field: 1))
    }
    // Two halves of a character in neighbouring fields make no character.
    #expect(read([0xC3, 0x2C, 0xA9]).error == FileError(.notUTF8, line: 1, field: 1))
    #expect(read([0xEF, 0xBB]).error == FileError(.notUTF8, line: 1, field: 1))
    #expect(read([0xFF, 0xFE, 0x61, 0]).error?.problem == .utf16)
    #expect(read([0xFE, 0xFF, 0, 0x61]).error?.problem == .utf16)
}

@Test("other delimiters and quotes, and none")
func dialects() throws {
    #expect(read("a\tb\n\"c\td\"\t", .tsv).texts == [["a", "b"], ["c\td", ""]])
    let semicolon = try #require(Dialect(delimiter: UInt8(ascii: ";"), quote: UInt8(ascii: "'")))
    #expect(read("a;'b;''c'''\n1,5;\"", semicolon).texts == [["a", "b;'c'"], ["1,5", "\""]])
    let bar = try #require(Dialect(delimiter: UInt8(ascii: "|"), quote: nil))
    #expect(read("a|\"b\"|c\"d\r\n\"|", bar).texts == [["a", "\"b\"", "c\"d"], ["\"", ""]])
    #expect(
        read("a|\"b\"", bar).rows == [
            [.init(text: "a", isQuoted: false), .init(text: "\"b\"", isQuoted: false)]
        ])
    for (delimiter, quote) in [
        (0x0A, 0x22), (0x0D, 0x22), (0x22, 0x22), (0x2C, 0x0A), (0xC3, 0x22),
    ] {
        #expect(Dialect(delimiter: UInt8(delimiter), quote: UInt8(quote)) == nil)
    }
}

@Test("a file cannot take more memory than the limits say")
func limits() {
    var limits = FileLimits()
    limits.fieldBytesMax = 10
    limits.rowBytesMax = 27
    limits.columnsMax = 4
    func problem(_ text: String) -> FileError.Problem? {
        read(Array(text.utf8), limits: limits).error?.problem
    }
    #expect(problem("1234567890,1234567890,12345") == nil)
    #expect(problem("1234567890,1234567890,123456") == .rowTooLong(bytesMax: 27))
    #expect(problem("a\n12345678901\n") == .fieldTooLong(bytesMax: 10))
    #expect(problem("\"12345678901") == .fieldTooLong(bytesMax: 10))
    #expect(problem("a,b,c,d") == nil)
    #expect(problem("a,b,12345678901,d\n") == .fieldTooLong(bytesMax: 10))
    #expect(problem("a,b,c,d,e,f,g,h,i\n") == .tooManyColumns(max: 4))
    #expect(problem("a,b,c,d,e") == .tooManyColumns(max: 4))
    // A quote that is never closed is noticed long before the file's end.
    limits.fieldBytesMax = 100_000
    limits.rowBytesMax = 150_000
    let endless = Array(("\"" + String(repeating: "x\n", count: 400_000)).utf8)
    var reader = DelimitedReader(.csv, limits: limits)
    var position = 0
    #expect(throws: FileError(.fieldTooLong(bytesMax: 100_000), line: 1, field: 1)) {
        try reader.readRow(endless.span, from: &position)
    }
    #expect(position < 300_000)
    let wide = Array(repeating: String(repeating: "y", count: 60_000), count: 4)
    #expect(
        read(Array(wide.joined(separator: ",").utf8), limits: limits).error?.problem
            == .rowTooLong(bytesMax: 150_000))
}
