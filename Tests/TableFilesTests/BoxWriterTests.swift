import TableFiles
import TableValue
import TestSupport
import Testing

@Test("FD4: boxed text has names, types and a line with the counts")
func box() {
    let rows: [[Value]] = [[.text("apple"), .int(12)], [.text("pear"), .null]]
    #expect(
        written(.box, columns("name:text,qty:int"), rows) == """
            ┌───────┬─────┐
            │ name  │ qty │
            │ text  │ int │
            ├───────┼─────┤
            │ apple │  12 │
            │ pear  │   ∅ │
            └───────┴─────┘
            2 rows, 2 columns

            """)
    #expect(
        written(.box, columns("a:bool"), []) == """
            ┌──────┐
            │ a    │
            │ bool │
            └──────┘
            0 rows, 1 column

            """)
    #expect(written(.box, [], [[]]) == "1 row, 0 columns\n")
}

@Test("all lines of a box are equally wide, whatever its cells hold")
func boxWidths() {
    for seed in UInt64(1)...60 {
        var generator = SeededRandom(seed: seed)
        let list = ColumnType.allCases.map { TypedColumn(name: Text("n漢\($0)"), type: $0) }
        let rows = (0..<generator.below(6)).map { _ in list.map { generator.value($0.type) } }
        var options = OutputOptions()
        if generator.below(2) == 0 { options.cellWidthMax = 3 + generator.below(5) }
        let lines = written(.box, list, rows, options)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
        #expect(lines.count == rows.count + (rows.isEmpty ? 4 : 5), "seed \(seed)")
        #expect(Set(lines.map { displayWidth(String($0)) }).count == 1, "seed \(seed)")
    }
}

@Test("no cell and no name can act on a terminal")
func boxIsInert() {
    let evil = "\u{1B}[2J\u{9B}31m\r\n\u{7}\u{202E}\u{2066}\u{0}\u{7F}"
    for format in [TableFormat.box, .markdown, .json, .ndjson] {
        let text = written(
            format, [TypedColumn(name: Text("x" + evil), type: .text)], [[.text(Text(evil))]])
        let active = text.unicodeScalars.filter { scalar in
            scalar != "\n"
                && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    || (0x202A...0x202E).contains(scalar.value)
                    || (0x2066...0x2069).contains(scalar.value))
        }
        #expect(active.isEmpty, "\(format)")
    }
    #expect(visible("a\u{1B}\t\n\r\u{202E}\\é") == "a\\u{1B}\\t\\n\\r\\u{202E}\\é")
}

@Test("a cell that is too wide is cut with an ellipsis, and the box says what is not shown")
func boxLimits() {
    var options = OutputOptions()
    options.cellWidthMax = 5
    options.rowsInTable = 9
    let rows: [[Value]] = [[.text("abcdefg")], [.text("漢字漢字")], [.text("abcde")]]
    #expect(
        written(.box, columns("a:text"), rows, options) == """
            ┌───────┐
            │ a     │
            │ text  │
            ├───────┤
            │ abcd… │
            │ 漢字… │
            │ abcde │
            └───────┘
            9 rows, 1 column (3 shown)

            """)
}

@Test("one huge cell costs no more than its width, in memory and in what is written")
func boxOfHugeCells() {
    var options = OutputOptions()
    options.cellWidthMax = 80
    for piece in ["x", "漢", "\u{301}", "\n", "👌"] {
        let huge = Text(String(repeating: piece, count: (256 << 10) / piece.utf8.count))
        let rows: [[Value]] = (0..<50).map { $0 == 7 ? [.text(huge)] : [.text("small")] }
        let text = written(.box, columns("a:text"), rows, options)
        #expect(text.utf8.count < 55 * 1_500, "\(piece.unicodeScalars.map(\.value))")
        #expect(text.contains("…"))
    }
}

@Test("the lines of a box can be taken as they are written")
func boxLineByLine() {
    let rows: [[Value]] = (0..<3).map { [.int(Int64($0))] }
    var writer = TableWriter(.box, columns: columns("a:int"))
    var output: [UInt8] = []
    for row in rows { writer.append(row, to: &output) }
    var lines: [String] = []
    writer.end(&output) { (bytes: inout [UInt8]) throws(Never) in
        lines.append(String(decoding: bytes, as: UTF8.self))
        bytes.removeAll()
    }
    #expect(output.isEmpty)
    #expect(lines.count == 4)
    #expect(lines.joined() == written(.box, columns("a:int"), rows))
}

@Test(
    "widths in columns of a terminal",
    arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｱ", 1), ("Ａ", 2), ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("👌", 2), ("👌🏽", 4), ("a\u{200D}b", 2), ("❤\u{FE0F}", 1),
        ("\u{AD}", 1), ("─", 1), ("∅", 1), ("\u{20000}", 2), ("\u{3000}", 2), ("ก็", 1),
    ])
func widths(_ text: String, _ width: Int) {
    #expect(displayWidth(text) == width)
}
