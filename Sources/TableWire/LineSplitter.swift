// Cuts a stream of bytes into lines, however the network cut it. Next: the readers of lines.
// It never holds more than one unfinished line, and looks at no byte but the end of a line.

/// Cuts a stream of bytes into lines; keeps at most one unfinished line.
///
/// It holds no more bytes than the limit and what was given while `body` had said stop.
package struct LineSplitter: Sendable {
    /// The longest line, without its end; may be changed between calls.
    package var lineBytesMax: Int
    /// Bytes that wait; those before `consumed` are done with.
    private var buffer: [UInt8] = []
    private var consumed = 0
    /// Between `consumed` and here, no line ends: these bytes are not looked at again.
    private var searched = 0

    /// An empty splitter.
    package init(lineBytesMax: Int) {
        self.lineBytesMax = lineBytesMax
    }

    /// The bytes that wait for the end of their line or for the next call.
    package var bufferedByteCount: Int { buffer.count &- consumed }

    /// Takes bytes and gives each complete line, without its `\n`, to `body`, in order.
    ///
    /// Once `body` returns false, what was not consumed stays for the next call (which may pass
    /// no bytes). A line's span is valid only during the call.
    ///
    /// Complexity: linear in the bytes, however they are cut.
    ///
    /// - Parameters:
    ///   - bytes: what came in.
    ///   - body: takes a line; false to stop after it.
    /// - Throws: `WireError` with `too_large` once a line is longer than the limit, after the
    ///   lines before it; the stream is then of no more use.
    package mutating func append(
        _ bytes: borrowing RawSpan, _ body: (borrowing RawSpan) -> Bool
    ) throws(WireError) {
        var rest = 0
        if bufferedByteCount > 0 {
            // Lines that were left when `body` said stop come first.
            guard try drain(body) else {
                keep(bytes, from: 0)
                return
            }
            guard try finishLine(with: bytes, upTo: &rest, body) else {
                keep(bytes, from: rest)
                return
            }
        }
        // From here on nothing waits, so that whole lines need no copy.
        while let end = firstLineEnd(in: bytes, from: rest) {
            guard end &- rest <= lineBytesMax else { throw tooLong() }
            let line = bytes.extracting(rest..<end)
            rest = end &+ 1
            guard body(line) else {
                keep(bytes, from: rest)
                return
            }
        }
        guard bytes.byteCount &- rest &+ bufferedByteCount <= lineBytesMax else { throw tooLong() }
        keep(bytes, from: rest)
        searched = buffer.count
    }

    /// Hands out the lines that wait whole; false where `body` said stop.
    private mutating func drain(_ body: (borrowing RawSpan) -> Bool) throws(WireError) -> Bool {
        while let end = unsafe firstLineEnd(in: buffer.span.bytes, from: searched) {
            guard end &- consumed <= lineBytesMax else { throw tooLong() }
            let goesOn = unsafe body(buffer.span.bytes.extracting(consumed..<end))
            consumed = end &+ 1
            searched = consumed
            guard goesOn else {
                discardConsumed()
                return false
            }
        }
        searched = buffer.count
        discardConsumed()
        return true
    }

    /// Completes the line that waits, where `bytes` hold its end, and hands it out; `rest` is then
    /// behind it.
    ///
    /// False where `body` said stop.
    private mutating func finishLine(
        with bytes: borrowing RawSpan, upTo rest: inout Int, _ body: (borrowing RawSpan) -> Bool
    ) throws(WireError) -> Bool {
        guard bufferedByteCount > 0, let end = firstLineEnd(in: bytes, from: 0) else { return true }
        guard bufferedByteCount &+ end <= lineBytesMax else { throw tooLong() }
        append(bytes.extracting(0..<end))
        rest = end &+ 1
        let goesOn = unsafe body(buffer.span.bytes.extracting(consumed..<buffer.count))
        buffer = []
        consumed = 0
        searched = 0
        return goesOn
    }

    /// Keeps the bytes from `start` for the next call.
    private mutating func keep(_ bytes: borrowing RawSpan, from start: Int) {
        guard start < bytes.byteCount else { return }
        append(bytes.extracting(start..<bytes.byteCount))
    }

    private mutating func append(_ bytes: borrowing RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }

    /// Gives back the bytes that were handed out, once they are most of the buffer.
    private mutating func discardConsumed() {
        if consumed == buffer.count {
            buffer = []
            consumed = 0
            searched = 0
        } else if consumed > buffer.count / 2 {
            buffer.removeSubrange(..<consumed)
            searched &-= consumed
            consumed = 0
        }
    }

    private func tooLong() -> WireError {
        WireError(
            code: .tooLarge, reason: "a line has more than \(lineBytesMax) bytes",
            offset: lineBytesMax)
    }
}

/// The first `\n` from a place on, sought eight bytes at a time.
private func firstLineEnd(in bytes: borrowing RawSpan, from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in
        let ones: UInt64 = 0x0101_0101_0101_0101
        var place = start
        while place &+ 8 <= buffer.count {
            let word = unsafe UInt64(
                littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let lines = word ^ (ones &* 0x0A)
            let hits = (lines &- ones) & ~lines & (ones &* 0x80)
            if hits != 0 { return place &+ hits.trailingZeroBitCount / 8 }
            place &+= 8
        }
        while place < buffer.count {
            if unsafe buffer[place] == 0x0A { return place }
            place &+= 1
        }
        return nil
    }
}
