// What is shown on a terminal cannot steer it.
import Testing

@testable import roundtable

private func safe(_ pieces: [[UInt8]]) -> [UInt8] {
    var filter = TerminalSafe()
    var output: [UInt8] = []
    for piece in pieces { filter.append(piece, to: &output) }
    return output
}

private func safe(_ text: String) -> String {
    String(decoding: safe([Array(text.utf8)]), as: UTF8.self)
}

@Test("GS3: what steers a terminal is shown as a mark")
func controls() {
    #expect(safe("a\u{1B}[2Jb") == "a␛[2Jb")
    #expect(safe("\u{0}\u{7}\u{8}\r\u{7F}") == "␀␇␈␍␡")
    #expect(safe("\u{9B}31m") == "<U+9B>31m")
    #expect(safe("line\n\tnext") == "line\n\tnext")
}

@Test("GS4: text cannot be turned around or hidden")
func directions() {
    #expect(safe("a\u{202E}b") == "a<U+202E>b")
    #expect(safe("a\u{2066}\u{200B}\u{FEFF}\u{E0041}b") == "a<U+2066><U+200B><U+FEFF><U+E0041>b")
}

@Test("ordinary text passes unchanged")
func ordinary() {
    let text = "Zürich, 東京, 👩‍🔬, naïve, e\u{301}"
    #expect(safe(text) == text)
}

@Test("no byte that steers leaves, wherever the stream is cut and whatever it holds")
func everySplit() {
    var bytes: [UInt8] = []
    for first in 0...255 { bytes += [UInt8(first), 0x41] }
    bytes += Array("é\u{9B}👩\u{202E}".utf8)
    bytes += [0xF0, 0x9F, 0x41, 0xE2, 0x82, 0xC3]
    let whole = safe([bytes, [0x42]])
    for scalar in String(decoding: whole, as: UTF8.self).unicodeScalars {
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        #expect(!isControl || scalar == "\n" || scalar == "\t", "\(scalar.value)")
    }
    for cut in 0...bytes.count {
        let parts = [Array(bytes[..<cut]), Array(bytes[cut...]), [0x42]]
        #expect(safe(parts) == whole, "cut at \(cut)")
    }
}

@Test("what is said on standard error stays on one line")
func oneLine() {
    #expect(TerminalSafe.line("a\nb\tc\u{1B}") == "a␊b␉c␛")
}
