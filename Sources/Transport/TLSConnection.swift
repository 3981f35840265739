// One connection over TLS on a non-blocking socket: its states, its events, its end. The other
// files of its name hold the handshake, reading and writing. It knows nothing of what it carries.
import CLibevent
import COpenSSL
import Glibc

/// A connection over TLS, on the thread of its loop.
///
/// Output is pulled: after `requestWrite`, the handler's `fill` is asked at the end of the turn,
/// and again whenever the socket has taken what it was given. What the socket did not take is
/// kept, and nothing more is asked for until it has left; so a peer that does not read costs one
/// fill.
@safe package final class TLSConnection {
    /// How far the connection has come.
    enum State {
        /// A client's socket is being connected.
        case connecting
        /// A server's socket waits for its first byte; there is no TLS object yet.
        case waiting
        case handshaking
        case open
        /// Nothing more is read; what the handler still has is sent, then the connection ends.
        case draining
        /// The session has ended; the socket waits for the peer, so that nothing sent is lost.
        case lingering
        case gone
    }

    let loop: EventLoop
    var handler: (any ConnectionHandler)?
    /// The user's own number for this connection.
    package var tag: Int64 = 0

    var state: State
    var descriptor: Int32
    /// OpenSSL's connection; nil before the first byte and after the end.
    var session: OpaquePointer?
    private var readEvent: OpaquePointer?
    private var writeEvent: OpaquePointer?
    private var timer: LoopTimer?
    private var closeReason: CloseReason?
    /// Whether the handler knows of the connection, and so must be told of its end.
    var isKnown: Bool

    /// The listener that counts this handshake; nil once it is over, and for clients.
    weak var listener: Listener?
    /// When the listener accepted it, and from where; see `SocketAddress.network`.
    var acceptedAtMicroseconds: Int64 = 0
    var network: UInt64 = 0
    /// What a client checks and where it may still try to connect; nil for servers.
    var dialing: Dialing?

    /// True while nothing is read from it.
    package private(set) var isReadingPaused = false
    /// The socket takes no more bytes for now; `flush` waits for its event.
    var isWriteBlocked = false
    /// A read must come before the write can go on, or the other way about; TLS asked for it.
    var writeWantsRead = false
    var readWantsWrite = false
    var isFlushQueued = false
    var isReadQueued = false
    /// Given by the handler and not yet taken by the socket, from `pendingStart` on.
    var pending: [UInt8] = []
    var pendingStart = 0

    /// What the other side is called in messages: its address.
    package let peer: HostPort

    /// The most that is read for one connection in one turn.
    static let readBytesPerTurnMax = 256 << 10
    /// The most that is asked of a handler at a time, and so about the most that is pending.
    package static let fillBytesMax = 64 << 10
    /// The most that is written for one connection in one turn.
    static let writeBytesPerTurnMax = 256 << 10
    /// How long the last output may take to leave.
    static let drainMicroseconds: Int64 = 5_000_000
    /// How long the peer's end of session is waited for.
    static let lingerMicroseconds: Int64 = 1_000_000

    init(
        on loop: EventLoop, descriptor: Int32, state: State, peer: HostPort,
        handler: any ConnectionHandler
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.state = state
        self.peer = peer
        self.handler = handler
        isKnown = state == .connecting
        loop.keep(self)
    }

    // MARK: What a handler may ask for

    /// Output waits: `fill` will be called when the socket can take bytes.
    package func requestWrite() {
        guard !isFlushQueued, !isWriteBlocked, state == .open || state == .draining else { return }
        isFlushQueued = true
        loop.flushQueue.append(self)
    }

    /// Reads no more until `resumeReading`; bytes then wait in the kernel, and with the peer.
    package func pauseReading() {
        guard !isReadingPaused else { return }
        isReadingPaused = true
        if state == .open { wantRead(false) }
    }

    /// Reads again.
    package func resumeReading() {
        guard isReadingPaused else { return }
        isReadingPaused = false
        guard state == .open else { return }
        wantRead(true)
        queueRead()
    }

    /// Ends the connection.
    ///
    /// `closed` is told later, never from inside this call.
    ///
    /// - Parameter afterOutput: whether what the handler still has to send is sent first; a peer
    /// that does not take it within five seconds loses it.
    package func close(afterOutput: Bool) {
        guard state != .gone, state != .lingering else { return }
        guard afterOutput, state == .open || state == .draining else {
            endSession()
            end(.local)
            return
        }
        guard state == .open else { return }
        state = .draining
        wantRead(false)
        startTimer(microseconds: TLSConnection.drainMicroseconds) { [unowned self] in
            end(.local)
        }
        requestWrite()
    }

    /// Ends the connection without a word to the peer, as a crash would; for tests of the peer.
    package func breakOff() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        let byteCount = socklen_t(MemoryLayout<Glibc.linger>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, byteCount)
        end(.local)
    }

    /// True where the kernel holds bytes of the peer that were not read yet.
    var hasUnreadBytes: Bool {
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        return unsafe recv(descriptor, &byte, 1, flags) > 0
    }

    /// The bytes that were taken from the handler and that the socket has not taken yet.
    package var pendingByteCount: Int { pending.count - pendingStart }

    // MARK: Events

    /// Registers with the kernel's event queue; nothing is watched yet.
    func register() {
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe readEvent = event_new(
            loop.base, descriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, argument in
                guard let argument = unsafe argument else { return }
                unsafe Unmanaged<TLSConnection>.fromOpaque(argument).takeUnretainedValue()
                    .readable()
            }, argument)
    }

    func wantRead(_ isWanted: Bool) {
        guard let event = unsafe readEvent else { return }
        if isWanted {
            unsafe event_add(event, nil)
        } else {
            unsafe event_del(event)
        }
    }

    /// Asks to be told once when the socket can be written to.
    func wantWriteOnce() {
        if unsafe writeEvent == nil {
            let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe writeEvent = event_new(
                loop.base, descriptor, Int16(EV_WRITE),
                { _, _, argument in
                    guard let argument = unsafe argument else { return }
                    unsafe Unmanaged<TLSConnection>.fromOpaque(argument).takeUnretainedValue()
                        .writable()
                }, argument)
        }
        if let event = unsafe writeEvent { unsafe event_add(event, nil) }
    }

    func startTimer(microseconds: Int64, _ body: @escaping () -> Void) {
        let timer = LoopTimer(on: loop, body)
        timer.set(at: loop.nowMicroseconds &+ microseconds)
        self.timer = timer
    }

    func stopTimer() {
        timer = nil
    }

    private func readable() {
        switch state {
        case .waiting, .handshaking: handshake()
        case .open:
            if writeWantsRead { unblockWrite() }
            if !isReadingPaused { readAll() }
        case .draining: if writeWantsRead { unblockWrite() }
        case .lingering: discard()
        case .connecting, .gone: break
        }
    }

    private func writable() {
        switch state {
        case .connecting: connected()
        case .handshaking: handshake()
        case .open, .draining:
            if readWantsWrite {
                readWantsWrite = false
                queueRead()
            }
            unblockWrite()
        case .waiting, .lingering, .gone: break
        }
    }

    private func unblockWrite() {
        writeWantsRead = false
        isWriteBlocked = false
        requestWrite()
    }

    // MARK: The end

    /// Ends the connection at once and queues the news for the handler.
    func end(_ reason: CloseReason) {
        guard state != .gone else { return }
        let wasTold = state == .lingering
        listener?.handshakeEnded(self, failed: true)
        listener = nil
        state = .gone
        release()
        if !wasTold { queueClosed(reason) }
        loop.letGo(self)
    }

    /// All output has left: ends the session, then waits for the peer to see it.
    func linger() {
        endSession()
        releaseSession()
        shutdown(descriptor, Int32(SHUT_WR))
        state = .lingering
        queueClosed(.local)
        wantRead(true)
        startTimer(microseconds: TLSConnection.lingerMicroseconds) { [unowned self] in
            end(.local)
        }
    }

    /// Tells the handler, which is then let go.
    func tellClosed() {
        guard let reason = closeReason, let handler = handler.take(), isKnown else { return }
        handler.closed(self, reason: reason)
    }

    private func queueClosed(_ reason: CloseReason) {
        closeReason = reason
        loop.closedQueue.append(self)
    }

    /// Tells the peer that this is the end and no accident; best effort.
    private func endSession() {
        guard let session = unsafe session, state == .open || state == .draining else { return }
        ERR_clear_error()
        unsafe SSL_shutdown(session)
        ERR_clear_error()
    }

    private func discard() {
        let buffer = unsafe loop.readBuffer
        let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
        let isWorthWaiting = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
        if !isWorthWaiting { end(.local) }
    }

    private func releaseSession() {
        if let session = unsafe session.take() { unsafe SSL_free(session) }
        pending = []
        pendingStart = 0
    }

    private func release() {
        stopTimer()
        if let event = unsafe readEvent.take() { unsafe event_free(event) }
        releaseWriteEvent()
        releaseSession()
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        dialing = nil
    }

    func releaseWriteEvent() {
        if let event = unsafe writeEvent.take() { unsafe event_free(event) }
    }

    /// Gives up the socket that could not be connected, to try another address.
    func releaseSocket() {
        if let event = unsafe readEvent.take() { unsafe event_free(event) }
        releaseWriteEvent()
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
