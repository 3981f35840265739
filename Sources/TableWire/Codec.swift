// What all of this room speaks in: the error of a bad line, and the limits of reading. Its doors
// are `LineSplitter`, `readClientLine`, `readServerLine` and the two functions `write`.

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

/// Limits of reading, each with its default; docs/protocol.md, "Limits".
package struct WireLimits: Hashable, Sendable {
    /// The longest line from a client that has logged in, without its end.
    package var lineBytesMax = 1 << 20
    /// The longest line from a client that has not.
    package var lineBytesBeforeLoginMax = 4 << 10
    /// The longest line from a server: a record can be longer than the operation it came from.
    package var serverLineBytesMax = 64 << 20
    /// How deep objects and lists may stand in one another.
    package var depthMax = 16
    /// The longest key of an object.
    package var keyBytesMax = 128
    /// The longest string, other than the text of a cell: that has a limit of the table's.
    package var textBytesMax = 256 << 10
    /// The longest number.
    package var numberBytesMax = 1_024
    /// The most rows that one line from a client may name, runs unfolded.
    package var partsMax = 50_000
    /// The most rows that one line from a server may name, runs unfolded.
    package var recordRowsMax = 2_000_000

    /// The defaults.
    package init() {}
}
