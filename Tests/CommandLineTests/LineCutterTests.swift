// Input is cut into the same lines wherever its pieces end.
import Testing

@testable import roundtable

private func lines(_ pieces: [[UInt8]], max: Int) -> [InputLine] {
    var cutter = LineCutter(lineBytesMax: max)
    var found: [InputLine] = []
    for piece in pieces {
        cutter.append(piece)
        while let line = cutter.next() { found.append(line) }
    }
    cutter.end()
    while let line = cutter.next() { found.append(line) }
    #expect(cutter.isFinished)
    return found
}

private func line(_ text: String) -> InputLine { .bytes(Array(text.utf8)) }

@Test("lines come out as they are, also the last one without its end")
func plain() {
    #expect(lines([Array("a\n\nbc".utf8)], max: 10) == [line("a"), line(""), line("bc")])
    #expect(lines([Array("a\n".utf8)], max: 10) == [line("a")])
    #expect(lines([], max: 10) == [])
}

@Test("a line that is too long is passed over, and the next one is read", arguments: 0...14)
func tooLong(cut: Int) {
    let bytes = Array("ab\n123456\nxyz\n".utf8)
    let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
    #expect(lines(pieces, max: 5) == [line("ab"), .tooLong, line("xyz")])
}

@Test("a last line that is too long is told as well", arguments: 0...6)
func tooLongAtTheEnd(cut: Int) {
    let bytes = Array("123456".utf8)
    #expect(lines([Array(bytes[..<cut]), Array(bytes[cut...])], max: 5) == [.tooLong])
    #expect(lines([Array(bytes[..<cut]), Array(bytes[cut...])], max: 6) == [line("123456")])
}

@Test("a line without end costs no more memory than the limit and a piece")
func endless() {
    var cutter = LineCutter(lineBytesMax: 1_000)
    for _ in 0..<1_000 {
        cutter.append(Array(repeating: 0x61, count: 1_000))
        #expect(cutter.next() == nil)
        #expect(cutter.bufferedByteCount <= 2_000)
    }
}
