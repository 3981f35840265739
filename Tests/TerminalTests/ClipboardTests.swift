// What is handed to the terminal's clipboard.
import Foundation
import Testing

@testable import Terminal

@Test("Text goes to the clipboard in base64, or not at all")
func clipboard() {
    for count in 0..<20 {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 77 &+ count) }
        let expected = "\u{1B}]52;c;" + Data(bytes).base64EncodedString() + "\u{1B}\\"
        #expect(clipboardSequence(bytes).map { String(decoding: $0, as: UTF8.self) } == expected)
    }
    let most = [UInt8](repeating: 0x41, count: clipboardBytesMax)
    #expect(clipboardSequence(most) != nil)
    #expect(clipboardSequence(most + [0x41]) == nil)
}
