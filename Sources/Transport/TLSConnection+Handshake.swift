// How a connection comes to be: a client's connect and its check of the server's pin, and the
// handshake of both sides. Afterwards TLSConnection+Reading.swift and +Writing.swift have it.
import CLibevent
import COpenSSL
import Glibc

extension TLSConnection {
    /// What a client needs until its handshake is done.
    struct Dialing {
        let target: HostPort
        let context: TLSClientContext
        /// Addresses not tried yet, the next one last.
        var addresses: [SocketAddress]
    }

    /// Connects to a server and proves by its pin that it is the right one.
    ///
    /// The handler is told `opened` or, where anything fails, `closed`. Blocks while a host name is
    /// looked up.
    ///
    /// - Parameters:
    ///   - loop: where the connection will live.
    ///   - target: the server's host and port.
    ///   - context: what the client accepts.
    ///   - handler: who uses the connection; kept until `closed`.
    ///   - seconds: how long connecting and the handshake may take.
    /// - Returns: the connection, not open yet.
    /// - Throws: `TransportError` where the host has no address.
    package static func connect(
        on loop: EventLoop, to target: HostPort, context: TLSClientContext,
        handler: any ConnectionHandler, withinSeconds seconds: Int = 10
    ) throws(TransportError) -> TLSConnection {
        let addresses = try resolve(target, toListen: false)
        let connection = TLSConnection(
            on: loop, descriptor: -1, state: .connecting, peer: target, handler: handler)
        connection.dialing = Dialing(
            target: target, context: context, addresses: addresses.reversed())
        connection.startTimer(microseconds: Int64(seconds) * 1_000_000) { [unowned connection] in
            connection.end(
                .failed(TransportError("\(target): no answer within \(seconds) seconds")))
        }
        connection.connectNext(after: TransportError("\(target): no address to connect to"))
        return connection
    }

    /// Tries the next address; ends with `error` where none is left.
    private func connectNext(after error: TransportError) {
        var error = error
        while let address = dialing?.addresses.popLast() {
            descriptor = shim_socket(address.family)
            guard descriptor >= 0 else {
                error = .system("socket", on: "\(peer)", code: errno)
                continue
            }
            prepareSocket(descriptor)
            let status = unsafe address.withPointer { pointer, byteCount in
                unsafe Glibc.connect(descriptor, pointer, byteCount)
            }
            if status == 0 || errno == EINPROGRESS {
                register()
                wantWriteOnce()
                return
            }
            error = .system("connect", on: "\(peer)", code: errno, kind: .unreachable)
            releaseSocket()
        }
        end(.failed(error))
    }

    /// The system has finished connecting, well or badly.
    func connected() {
        var code: Int32 = 0
        var byteCount = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &byteCount)
        guard code == 0 else {
            releaseSocket()
            connectNext(
                after: .system("connect", on: "\(peer)", code: code, kind: .unreachable))
            return
        }
        guard let dialing, makeSession(dialing.context.context) else { return }
        if let session = unsafe session {
            unsafe SSL_set_connect_state(session)
            if !isAddress(dialing.target.host) {
                unsafe shim_SSL_set_tlsext_host_name(session, dialing.target.host)
            }
        }
        state = .handshaking
        wantRead(true)
        handshake()
    }

    /// Goes on with the handshake as far as the bytes reach.
    func handshake() {
        if state == .waiting {
            guard let listener, makeSession(listener.context.context) else { return }
            listener.handshakeBegan(self)
            if let session = unsafe session { unsafe SSL_set_accept_state(session) }
            state = .handshaking
        }
        guard let session = unsafe session else { return }
        ERR_clear_error()
        let status = unsafe SSL_do_handshake(session)
        guard status != 1 else {
            unsafe handshakeDone(session)
            return
        }
        let outcome = unsafe TLSOutcome(of: session, status: status)
        switch outcome {
        case .wantRead: break
        case .wantWrite: wantWriteOnce()
        case .ended(.truncated):
            end(.failed(TransportError("\(peer): the connection broke during the TLS handshake")))
        case .ended(.failed(let error)):
            end(.failed(TransportError("\(peer): no TLS session: \(error.reason)")))
        case .ended(let reason): end(reason)
        }
    }

    private func handshakeDone(_ session: OpaquePointer) {
        if let error = unsafe proofError(session) {
            end(.failed(error))
            return
        }
        stopTimer()
        releaseWriteEvent()
        dialing = nil
        listener?.handshakeEnded(self, failed: false)
        listener = nil
        state = .open
        isKnown = true
        if isReadingPaused { wantRead(false) }
        handler?.opened(self)
        if state == .open, !isReadingPaused { readAll() }
    }

    /// What is wrong with the peer; nil where it proved what it had to.
    private func proofError(_ session: OpaquePointer) -> TransportError? {
        var name: UnsafePointer<UInt8>?
        var byteCount: UInt32 = 0
        unsafe SSL_get0_alpn_selected(session, &name, &byteCount)
        let selected = unsafe UnsafeBufferPointer(start: name, count: Int(byteCount))
        let required = dialing.map { $0.context.requiredName } ?? protocolName
        if let required, unsafe !selected.elementsEqual(required.utf8) {
            return TransportError("\(peer) does not speak \(required); check the address")
        }
        guard let dialing else { return nil }
        guard let certificate = unsafe SSL_get1_peer_certificate(session) else {
            return TransportError("\(peer) showed no certificate")
        }
        defer { unsafe X509_free(certificate) }
        guard let shown = unsafe pin(of: certificate) else {
            return TransportError("\(peer) showed a certificate without a readable key")
        }
        let expected = dialing.context.pin
        guard shown == expected else {
            return TransportError(
                "\(peer) is not the server that you know: its key has the fingerprint "
                    + "\(hexadecimal(shown)), expected is \(hexadecimal(expected)). Somebody may "
                    + "be listening in between. Ask whoever runs the server for a new invite.",
                kind: .wrongServer)
        }
        return nil
    }

    /// Makes OpenSSL's connection over the socket; ends ours where it cannot.
    private func makeSession(_ context: TLSContext) -> Bool {
        ERR_clear_error()
        guard let session = unsafe SSL_new(context.pointer) else {
            end(.failed(.tls("no memory for a session")))
            return false
        }
        unsafe self.session = session
        guard unsafe SSL_set_fd(session, descriptor) == 1 else {
            end(.failed(.tls("the socket was refused")))
            return false
        }
        return true
    }
}

/// What became of a call to OpenSSL that did not succeed.
///
/// Ask right after the call.
enum TLSOutcome {
    case wantRead
    case wantWrite
    case ended(CloseReason)

    init(of session: OpaquePointer, status: Int32) {
        let systemCode = errno
        switch unsafe SSL_get_error(session, status) {
        case SSL_ERROR_WANT_READ: self = .wantRead
        case SSL_ERROR_WANT_WRITE: self = .wantWrite
        case SSL_ERROR_ZERO_RETURN: self = .ended(.peer)
        case SSL_ERROR_SYSCALL:
            ERR_clear_error()
            self = .ended(TLSOutcome.reason(systemCode: systemCode))
        default:
            // An end without close_notify comes as an error of the protocol in OpenSSL 3.0.
            let code = ERR_peek_error()
            let isTruncated = code & 0x7F_FFFF == UInt(SSL_R_UNEXPECTED_EOF_WHILE_READING)
            let words = opensslReason() ?? "unknown error"
            self = .ended(isTruncated ? .truncated : .failed(TransportError(words)))
        }
    }

    private static func reason(systemCode: Int32) -> CloseReason {
        switch systemCode {
        case 0, ECONNRESET, EPIPE: .truncated
        default: .failed(TransportError(systemMessage(systemCode)))
        }
    }
}
