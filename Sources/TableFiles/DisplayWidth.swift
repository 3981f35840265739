// How many columns of a terminal a text takes, for boxed text.
// Terminals disagree about joined emoji; this counts each character by itself, as most do.
import CharacterWidth

/// The columns that one character takes: 0, 1 or 2.
///
/// Marks that combine with the character before them, joiners and other format characters take
/// none; East Asian wide and full-width characters and emoji take two.
func displayWidth(_ scalar: Unicode.Scalar) -> Int {
    let code = scalar.value
    if code < 0x300 { return code == 0xAD ? 1 : (code < 0x20 ? 0 : 1) }
    // The vowels and final consonants of conjoining Hangul.
    if (0x1160...0x11FF).contains(code) || (0xD7B0...0xD7FB).contains(code) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
}

/// The columns that a text takes: the sum over its characters.
///
/// Complexity: linear in the bytes.
package func displayWidth(_ text: String) -> Int {
    var width = 0
    for scalar in text.unicodeScalars { width += displayWidth(scalar) }
    return width
}
