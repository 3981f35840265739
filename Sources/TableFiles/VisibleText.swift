// Text that cannot control a terminal: what would act is shown instead.
// For boxed text, Markdown and messages; files in CSV, TSV and JSON keep their characters.
package import TableValue

/// True for characters that a terminal acts on or that reorder or hide what is shown.
private func isActive(_ code: UInt32) -> Bool {
    switch code {
    case 0..<0x20, 0x7F...0x9F: true
    // Marks and controls of text direction, line and paragraph separators, byte order mark.
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
}

/// The text with control characters and those that turn its direction as visible escapes:
/// `\n`, `\r`, `\t`, and `\u{1B}` for others.
///
/// Everything else stays as it is, backslashes too: the answer is to be looked at, not read back.
///
/// Complexity: linear in the bytes.
package func visible(_ text: Text) -> String {
    guard text.string.unicodeScalars.contains(where: { isActive($0.value) }) else {
        return text.string
    }
    var shown = ""
    for scalar in text.string.unicodeScalars {
        if let escape = visible(scalar) {
            shown += escape
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}

/// The escape that `visible` shows for a character; nil where it shows the character itself.
func visible(_ scalar: Unicode.Scalar) -> String? {
    guard isActive(scalar.value) else { return nil }
    return switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
}

/// True where `visible` would change a character of a JSON string's text.
func isActiveCharacter(_ scalar: Unicode.Scalar) -> Bool { isActive(scalar.value) }
