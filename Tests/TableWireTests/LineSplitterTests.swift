// The splitter gives the same lines however the stream is cut, and never holds much.
import Testing

@testable import TableWire

/// Everything the splitter makes of pieces, with what it held at most after a call.
private struct Split: Equatable {
    var lines: [[UInt8]] = []
    var error: WireError?
    var bufferedMax = 0
}

private func split(_ pieces: [ArraySlice<UInt8>], lineBytesMax: Int = 64) -> Split {
    var splitter = LineSplitter(lineBytesMax: lineBytesMax)
    var result = Split()
    for piece in pieces {
        do throws(WireError) {
            try unsafe splitter.append(piece.span.bytes) { line in
                result.lines.append(unsafe line.withUnsafeBytes { unsafe Array($0) })
                return true
            }
        } catch {
            result.error = error
            return result
        }
        result.bufferedMax = max(result.bufferedMax, splitter.bufferedByteCount)
    }
    return result
}

@Suite struct LineSplitterTests {
    private let stream = bytes("{}\n\n{\"a\":\"ü\"}\nx\ny\r\n0123456789\nunfinished")
    private var lines: [[UInt8]] {
        ["{}", "", "{\"a\":\"ü\"}", "x", "y\r", "0123456789"].map(bytes)
    }

    @Test("GP4: one byte at a time, whole, and every cut in two give the same lines")
    func cuts() {
        #expect(split([stream[...]]).lines == lines)
        #expect(split(stream.indices.map { stream[$0...$0] }).lines == lines)
        for cut in 0...stream.count {
            #expect(split([stream[..<cut], stream[cut...]]).lines == lines, "cut at \(cut)")
        }
    }

    @Test("GP4: every cut in three gives the same lines")
    func cutsInThree() {
        for first in 0...stream.count {
            for second in first...stream.count {
                let pieces = [stream[..<first], stream[first..<second], stream[second...]]
                #expect(split(pieces).lines == lines, "cut at \(first) and \(second)")
            }
        }
    }

    @Test("A body that says stop gets the rest later, in order", arguments: 1...8)
    func stops(pieceLength: Int) throws {
        var splitter = LineSplitter(lineBytesMax: 64)
        var taken: [[UInt8]] = []
        func take(_ piece: ArraySlice<UInt8>) throws {
            try unsafe splitter.append(piece.span.bytes) { line in
                taken.append(unsafe line.withUnsafeBytes { unsafe Array($0) })
                return false
            }
        }
        for start in stride(from: 0, to: stream.count, by: pieceLength) {
            try take(stream[start..<min(start + pieceLength, stream.count)])
        }
        for _ in 0..<lines.count { try take([]) }
        #expect(taken == lines)
        #expect(splitter.bufferedByteCount == "unfinished".utf8.count)
    }

    @Test("A line of the limit passes, one byte more does not", arguments: [1, 7, 1_000])
    func limit(pieceLength: Int) {
        func pieces(_ count: Int) -> [ArraySlice<UInt8>] {
            let stream = bytes("ok\n" + String(repeating: "x", count: count) + "\nafter\n")
            return stride(from: 0, to: stream.count, by: pieceLength).map {
                stream[$0..<min($0 + pieceLength, stream.count)]
            }
        }
        let exact = split(pieces(64))
        #expect(exact.error == nil)
        #expect(exact.lines.map(\.count) == [2, 64, 5])
        let over = split(pieces(65))
        #expect(over.error?.code == .tooLarge)
        #expect(over.error?.offset == 64)
        #expect(over.lines == [bytes("ok")])
        #expect(over.bufferedMax <= 64)
    }

    @Test("A megabyte without a newline is refused, holding no more than the limit")
    func endless() {
        let piece = [UInt8](repeating: 0x5B, count: 1_000)[...]
        let result = split(Array(repeating: piece, count: 1_000), lineBytesMax: 4 << 10)
        #expect(result.error?.code == .tooLarge)
        #expect(result.bufferedMax <= 4 << 10)
    }

    @Test("The limit can be raised for the lines after login")
    func raised() throws {
        var splitter = LineSplitter(lineBytesMax: 8)
        var count = 0
        let stream = bytes("login\n" + String(repeating: "x", count: 100) + "\n")
        try unsafe splitter.append(stream.span.bytes) { _ in
            count += 1
            return false
        }
        splitter.lineBytesMax = 100
        let nothing: [UInt8] = []
        try unsafe splitter.append(nothing.span.bytes) { line in
            count += line.byteCount
            return true
        }
        #expect(count == 101)
        #expect(splitter.bufferedByteCount == 0)
    }
}
