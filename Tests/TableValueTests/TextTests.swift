import TableValue
import Testing

@Test("texts are equal when their bytes are, not when they look alike")
func textEquality() {
    #expect(Text("é") != Text("e\u{301}"))
    #expect(Text("\r\n") != Text("\n"))
    #expect(Text("a") == Text("a"))
    #expect(Set<Text>(["é", "e\u{301}", "é"]).count == 2)
}

@Test("texts are ordered by their bytes")
func textOrder() {
    let sorted: [Text] = ["", "a", "a\u{0}", "ab", "b", "é", "\u{FFFF}", "\u{10000}"]
    #expect(sorted.reversed().sorted() == sorted)
}

@Test("only UTF-8 becomes a text")
func textValidation() {
    func text(_ bytes: [UInt8]) -> Text? { unsafe Text(validating: bytes.span.bytes) }
    #expect(text([]) == "")
    #expect(text(Array("añ👌".utf8)) == "añ👌")
    let broken: [[UInt8]] = [
        [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
        [0xE2, 0x82],
    ]
    for bytes in broken { #expect(text(bytes) == nil) }
}

@Test("long runs of combining marks cost no more than other bytes")
func combiningMarks() {
    let text = Text("a" + String(repeating: "\u{301}", count: 100_000))
    #expect(text == text)
    #expect(text.byteCount == 200_001)
    #expect(Set([text, text]).count == 1)
}
