import TableValue
import Testing

@Test(
    "simple folding maps one character to one",
    arguments: [
        ("Due DATE", "due date"), ("STRASSE", "strasse"), ("Straße", "straße"), ("ẞ", "ß"),
        ("ÀÖØÞ", "àöøþ"), ("Σσς", "σσσ"), ("Ж", "ж"), ("K", "k"), ("ſ", "s"), ("İı", "İı"),
        ("ǅ", "ǆ"), ("ᾈ", "ᾀ"), ("ᏸꭰ", "ᏰᎠ"), ("𐐀", "𐐨"), ("Ａ", "ａ"), ("µ", "μ"), ("ŉ", "ŉ"),
        ("E\u{301}", "e\u{301}"), ("", ""), ("数量 12", "数量 12"), ("\u{1E921}", "\u{1E943}"),
    ])
func foldings(_ text: String, _ folded: String) {
    #expect(simpleCaseFolded(Text(text)) == Text(folded))
}

@Test("folding a folded text changes nothing, for every character")
func foldingIsIdempotent() {
    var count = 0
    for code in UInt32(0)...0x10FFFF {
        guard let scalar = Unicode.Scalar(code) else { continue }
        let folded = simpleCaseFolded(scalar)
        if folded != scalar { count += 1 }
        if simpleCaseFolded(folded) != folded { Issue.record("U+\(String(code, radix: 16))") }
    }
    // Entries of status C and S in CaseFolding.txt of that version, ASCII's 26 among them.
    #expect(caseFoldingUnicodeVersion == "14.0.0")
    #expect(count == 1_428 + 26)
}
