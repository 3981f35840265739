// Bytes over TLS on one event loop thread, by libevent's core and OpenSSL; knows nothing of
// tables. Nothing here is Sendable but `Mailbox`: everything else stays on the loop's thread.

/// Why an operation on a socket, a file or TLS failed.
package struct TransportError: Error, Hashable, Sendable {
    /// What happened, to which address or file, and what to do next.
    package let reason: String

    /// Names what happened.
    package init(_ reason: String) {
        self.reason = reason
    }
}
