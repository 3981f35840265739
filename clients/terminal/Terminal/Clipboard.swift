// Text for the terminal's clipboard (OSC 52). A terminal never says whether it took it, so what is
// copied must be kept elsewhere too. The clipboard is never read.

/// The most bytes of text that are handed to a terminal's clipboard; what terminals take at most
/// is about a hundred thousand bytes as they are written here.
package let clipboardBytesMax = 74_000

/// The bytes that put text into the terminal's clipboard; nil where it is longer than
/// `clipboardBytesMax`: half a text would be worse than none.
///
/// Complexity: linear in the bytes.
package func clipboardSequence(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count <= clipboardBytesMax else { return nil }
    return Array("\u{1B}]52;c;".utf8) + base64(text) + Array("\u{1B}\\".utf8)
}

private func base64(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        bitCount += 8
        while bitCount >= 6 {
            bitCount -= 6
            text.append(letters[Int(bits >> bitCount & 63)])
        }
        bits &= (1 << bitCount) - 1
    }
    if bitCount > 0 { text.append(letters[Int(bits << (6 - bitCount) & 63)]) }
    while text.count % 4 != 0 { text.append(0x3D) }
    return text
}
