// Bytes over TLS on one event loop thread, by libevent's core and OpenSSL; knows nothing of
// tables. Nothing here is Sendable but `Mailbox` and `WorkerThread`: everything else stays on the
// loop's thread. Start reading at EventLoop.swift, then Listener.swift and TLSConnection.swift.
import CLibevent

/// Why an operation on a socket, a file or TLS failed.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, to which address or file, and what to do next.
    package let reason: String

    /// What kind of failure it is, where that decides what to do next.
    package let kind: Kind

    /// What to do about a failure differs for these.
    package enum Kind: Hashable, Sendable {
        case other
        /// Nobody listens at the address, or it cannot be found: trying again at once is idle.
        case unreachable
        /// The server is not the one whose pin is known: never try again by itself.
        case wrongServer
    }

    /// Names what happened.
    package init(_ reason: String, kind: Kind = .other) {
        self.reason = reason
        self.kind = kind
    }

    /// The reason.
    package var description: String { reason }

    /// Names the system call that failed, on what, and the system's own words for it.
    static func system(
        _ call: String, on what: String, code: Int32, kind: Kind = .other
    ) -> TransportError {
        TransportError("\(what): \(call) failed: \(systemMessage(code))", kind: kind)
    }
}

/// The system's words for an error number.
func systemMessage(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    let byteCount = buffer.count
    return unsafe buffer.withUnsafeMutableBufferPointer { bytes in
        guard let start = bytes.baseAddress,
            unsafe shim_error_words(code, start, byteCount) == 0
        else { return "error \(code)" }
        return unsafe String(cString: start)
    }
}
