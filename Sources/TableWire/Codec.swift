// The doors of this room: lines in, messages out, and back. Implemented in the files beside it.

/// Why a line could not be read.
package struct WireError: Error, Hashable, Sendable {
    /// `malformed`, `too_large` or `too_deep`.
    package let code: WireCode
    /// What is wrong, without any content of the line.
    package let reason: String
    /// The byte in the line where reading stopped.
    package let offset: Int

    /// Names what is wrong and where.
    package init(code: WireCode, reason: String, offset: Int) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }
}

/// Limits of reading, each with its default.
package struct WireLimits: Hashable, Sendable {
    package var lineBytesMax = 1 << 20
    package var lineBytesBeforeLoginMax = 4 << 10
    package var depthMax = 16
    package var keyBytesMax = 128
    package var textBytesMax = 256 << 10
    package var partsMax = 50_000

    /// The defaults.
    package init() {}
}

/// Cuts a stream of bytes into lines; keeps at most one unfinished line.
package struct LineSplitter: Sendable {
    /// The longest line, without its end; may be changed between calls.
    package var lineBytesMax: Int

    /// An empty splitter.
    package init(lineBytesMax: Int) {
        self.lineBytesMax = lineBytesMax
    }

    /// Takes bytes and calls `body` with each complete line, without its `\n`, in order, until
    /// `body` returns false; what was not consumed then stays for the next call (which may pass
    /// no bytes). The span is valid only during the call.
    ///
    /// - Throws: `WireError.too_large` once a line is longer than the limit; the stream is then
    ///   of no more use.
    package mutating func append(
        _ bytes: borrowing RawSpan, _ body: (borrowing RawSpan) -> Bool
    ) throws(WireError) {}

    /// The bytes that wait for the end of their line or for the next call.
    package var bufferedByteCount: Int { 0 }
}

/// Reads one line from a client.
package func readClientLine(
    _ line: borrowing RawSpan, limits: WireLimits
) throws(WireError) -> ClientLine {
    throw WireError(code: .malformed, reason: "not yet", offset: 0)
}

/// Reads one line from a server. Cell values come as the wire spells them; `Table.apply` and
/// `Table.load` are given values of the column's type by `Value.converted(to:)`.
package func readServerLine(
    _ line: borrowing RawSpan, limits: WireLimits
) throws(WireError) -> ServerLine {
    throw WireError(code: .malformed, reason: "not yet", offset: 0)
}

/// Appends a client's message as one line, with its `\n`.
package func write(_ line: ClientLine, to output: inout [UInt8]) {}

/// Appends a server's message as one line, with its `\n`.
package func write(_ line: ServerLine, to output: inout [UInt8]) {}
