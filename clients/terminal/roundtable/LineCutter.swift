// Cuts input into lines of a bounded length. Unlike the wire's splitter it goes on after a line
// that is too long. It reads nothing itself; InputLines.swift does.

/// One line of input.
enum InputLine: Hashable, Sendable {
    case bytes([UInt8])
    /// A line that is longer than the limit; its content was passed over.
    case tooLong
}

/// Cuts bytes into lines.
struct LineCutter: Sendable {
    private let lineBytesMax: Int
    private var buffer: [UInt8] = []
    /// What comes before has been given out.
    private var start = 0
    /// There is no line's end between `start` and here.
    private var searched = 0
    /// True while the rest of a line that was too long is passed over.
    private var isSkipping = false
    private var hasEnded = false

    init(lineBytesMax: Int) {
        self.lineBytesMax = lineBytesMax
    }

    /// Takes more bytes.
    mutating func append(_ bytes: [UInt8]) {
        buffer.removeFirst(start)
        searched -= start
        start = 0
        buffer += bytes
    }

    /// There are no more bytes: what is left is the last line.
    mutating func end() {
        hasEnded = true
    }

    /// The bytes that wait for the end of their line or to be given.
    var bufferedByteCount: Int { buffer.count - start }

    /// True once the end has come and every line was given.
    var isFinished: Bool { hasEnded && start == buffer.count && !isSkipping }

    /// The next line, without its end; nil where it has not come yet.
    mutating func next() -> InputLine? {
        if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            return give(through: end, next: end + 1)
        }
        searched = buffer.count
        if hasEnded {
            return isFinished ? nil : give(through: buffer.count, next: buffer.count)
        }
        if buffer.count - start > lineBytesMax {
            isSkipping = true
            start = buffer.count
        }
        return nil
    }

    private mutating func give(through end: Int, next: Int) -> InputLine {
        defer {
            start = next
            searched = next
            isSkipping = false
        }
        guard !isSkipping, end - start <= lineBytesMax else { return .tooLong }
        return .bytes(Array(buffer[start..<end]))
    }
}
