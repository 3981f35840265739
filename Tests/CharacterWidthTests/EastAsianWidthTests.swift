import CharacterWidth
import Testing

@Test(
    "characters of East Asia, emoji and full-width forms take two columns, to the ends of ranges",
    arguments: [
        ("a", false), ("é", false), ("\u{10FF}", false), ("\u{1100}", true), ("\u{115F}", true),
        ("\u{1160}", false), ("漢", true), ("ｱ", false), ("Ａ", true), ("한", true), ("👌", true),
        ("\u{3000}", true), ("\u{303F}", false), ("\u{20000}", true), ("\u{3FFFD}", true),
        ("\u{10FFFF}", false), ("❤", false), ("─", false),
    ] as [(Unicode.Scalar, Bool)])
func wide(scalar: Unicode.Scalar, isTwoColumns: Bool) {
    #expect(isWide(scalar) == isTwoColumns)
}

@Test("an emoji or ideograph newer than the table is wide")
func newerThanTheTable() {
    // Unicode 15: shaking face, an ideograph of extension H; and a letter that is neither.
    #expect(isWide("\u{1FAE8}") && isWide("\u{31350}") && !isWide("\u{11F04}"))
}

@Test(
    "what terminals disagree about is ambiguous",
    arguments: [
        ("a", false), ("\u{9F}", false), ("\u{A0}", false), ("¡", true), ("α", true), ("─", true),
        ("漢", false), ("\u{301}", false), ("\u{E000}", false), ("\u{1F1AC}", true),
    ] as [(Unicode.Scalar, Bool)])
func ambiguous(scalar: Unicode.Scalar, isDoubtful: Bool) {
    #expect(isAmbiguous(scalar) == isDoubtful)
}
