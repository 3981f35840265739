import TableExpression
import TableValue
import Testing

@Test("a place is shown by line, column and carets, counted in characters")
func places() {
    let source: Text = "ä = 1\nor 'é€' = qty\tand x"
    let bytes = Array(source.string.utf8)
    let start = bytes.count - 1
    let place = SourcePlace(start, start + 1)
    #expect(place.lineAndColumn(in: source) == LineAndColumn(SourcePlace(start, start), in: source))
    #expect(place.lineAndColumn(in: source).line == 2)
    #expect(place.lineAndColumn(in: source).column == 19)
    #expect(place.rendered(in: source) == "or 'é€' = qty and x\n                  ^")
    #expect(SourcePlace(0, 2).rendered(in: source) == "ä = 1\n^")
}

extension LineAndColumn {
    fileprivate init(_ place: SourcePlace, in source: Text) {
        self = place.lineAndColumn(in: source)
    }
}

@Test("a place at the end, between characters, or beyond the text has one caret")
func edges() {
    #expect(SourcePlace(1, 1).rendered(in: "a").hasSuffix("\n ^"))
    #expect(SourcePlace(0, 0).rendered(in: "").hasSuffix("^"))
    #expect(SourcePlace(99, 200).rendered(in: "abc").contains("^"))
    #expect(SourcePlace(5, 2) == SourcePlace(5, 5))
    #expect(SourcePlace(-3, .max).start == 0)
}

@Test("a long line is cut around the place")
func longLines() {
    let source = Text(
        String(repeating: "a", count: 5_000) + "!" + String(repeating: "b", count: 5_000))
    let lines = SourcePlace(5_000, 5_001).rendered(in: source).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.count <= 72 })
    let column = lines[1].count - 1
    #expect(Array(lines[0])[column] == "!")
    let wide = SourcePlace(0, 10_000).rendered(in: source).split(separator: "\n")
    #expect(wide[1].count <= 72)
}

@Test("what acts on a terminal is not shown")
func controls() {
    let shown = SourcePlace(0, 1).rendered(in: "\u{1B}[31m\u{202E}x")
    #expect(shown.hasPrefix(" [31m x"))
}
