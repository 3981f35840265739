// What a connection tells whoever uses it, and why a connection ended. The calls come on the
// loop's thread, never from inside a call that the handler itself makes to a connection.

/// Whoever uses connections: one handler may serve many, told apart by their `tag`.
package protocol ConnectionHandler: AnyObject {
    /// The TLS handshake is done, and the peer proved what it had to.
    func opened(_ connection: TLSConnection)

    /// Bytes came in; the span is valid during the call only.
    func received(_ bytes: borrowing RawSpan, on connection: TLSConnection)

    /// The socket can take bytes and nothing is pending: append about `byteCountMax` bytes at
    /// most. Fewer mean that no more waits: the next call comes after `requestWrite`.
    /// Whatever is appended will be sent in this order.
    func fill(_ buffer: inout [UInt8], byteCountMax: Int, for connection: TLSConnection)

    /// The connection is gone, whoever ended it; nothing more comes. A connection that a listener
    /// accepted and whose handshake failed was never opened and is not told of.
    func closed(_ connection: TLSConnection, reason: CloseReason)
}

/// Why a connection ended.
package enum CloseReason: Hashable, Sendable, CustomStringConvertible {
    /// It was closed on this side.
    case local
    /// The peer ended it in order.
    case peer
    /// The connection broke without the peer's end of session: what came last may be missing.
    case truncated
    /// The connection, its handshake, or the proof of the peer failed.
    case failed(TransportError)

    /// The reason in words.
    package var description: String {
        switch self {
        case .local: "closed here"
        case .peer: "closed by the peer"
        case .truncated: "the connection broke"
        case .failed(let error): error.reason
        }
    }
}
