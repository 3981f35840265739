// A listening socket: accepts connections in batches, and lets only so many be in their handshake
// at once, of which a silent one makes room for who comes. What becomes of an accepted connection
// is in TLSConnection+Handshake.swift.
import CLibevent
import Glibc

/// The limits of a listener, each with its default.
package struct ListenerLimits: Hashable, Sendable {
    /// Connections that the kernel holds until they are accepted.
    package var backlog: Int32 = 1_024
    /// Connections accepted in one turn, so that a storm of them starves nobody.
    package var acceptsPerTurnMax = 64
    /// Handshakes in progress; for one more a silent one makes room, or it waits in the kernel.
    package var handshakesMax = 512
    /// From accept to the end of the handshake, whatever trickles in.
    package var handshakeMilliseconds: Int64 = 5_000
    /// From accept to the first byte.
    package var firstByteMilliseconds: Int64 = 2_000
    /// How long a connection may have sent nothing before it makes room for another where there
    /// are `handshakesMax`.
    package var silenceMilliseconds: Int64 = 100
    /// The same for a handshake that was begun and does not go on.
    package var stalledMilliseconds: Int64 = 2_000
    /// How long accepting rests once the process is out of file descriptors.
    package var restMilliseconds: Int64 = 100
    /// Bytes that the kernel takes for one connection and has not sent.
    ///
    /// A peer that does not read costs about as much outside our accounting, while one that reads
    /// is not held up: what is on its way to it does not count.
    package var unsentBytesMax = 64 << 10
    /// Bytes that the kernel holds for one connection, with those on their way to a peer that may
    /// never acknowledge them.
    package var sendBufferBytes = 256 << 10

    /// The defaults.
    package init() {}
}

/// Accepts connections over TLS on the thread of its loop.
@safe package final class Listener {
    private let loop: EventLoop
    private let limits: ListenerLimits
    private let handler: any ConnectionHandler
    private let descriptor: Int32
    private var event: OpaquePointer?
    private var restTimer: LoopTimer?

    /// What new connections are shown; those that are open keep what they have.
    package var context: TLSServerContext
    /// Where it listens: the host as it was given, and the port that was picked.
    package let address: HostPort
    /// Handshakes that are under way, in the order in which they were accepted.
    private var handshakes: [TLSConnection] = []
    /// How many of them come from one network.
    private var countsByNetwork: [UInt64: Int] = [:]
    /// Handshakes that are under way.
    package var handshakeCount: Int { handshakes.count }
    /// Handshakes that failed or were cut since the start.
    package private(set) var handshakeFailureCount = 0
    private var isAccepting = false
    private var rest = Rest.none
    private var isClosed = false

    /// Why nothing is accepted for a while.
    private enum Rest {
        case none
        /// The process or the system is out of something.
        case exhausted
        /// Every handshake goes on: one must end, or fall silent.
        case full
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - loop: where the listener and its connections live.
    ///   - target: host and port; port 0 lets the system pick one, see `address`.
    ///   - context: the server's proof.
    ///   - limits: how much is let in at once.
    ///   - handler: who uses all connections accepted here.
    /// - Throws: `TransportError` naming the address and what is wrong with it.
    package init(
        on loop: EventLoop, at target: HostPort, context: TLSServerContext,
        limits: ListenerLimits = ListenerLimits(), handler: any ConnectionHandler
    ) throws(TransportError) {
        self.loop = loop
        self.context = context
        self.limits = limits
        self.handler = handler
        let port: UInt16
        (descriptor, port) = try listen(at: target, backlog: limits.backlog)
        address = HostPort(host: target.host, port: port)
        let argument = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = event_new(
            loop.base, descriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, argument in
                guard let argument = unsafe argument else { return }
                unsafe Unmanaged<Listener>.fromOpaque(argument).takeUnretainedValue()
                    .acceptBatch()
            }, argument)
        loop.keep(self)
        updateAccepting()
    }

    /// Accepts no more; connections that are there stay.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        restTimer = nil
        if let event = unsafe event.take() { unsafe event_free(event) }
        Glibc.close(descriptor)
        loop.letGo(self)
    }

    /// A handshake of one of our connections is over.
    func handshakeEnded(_ connection: TLSConnection, failed: Bool) {
        guard let index = handshakes.firstIndex(where: { $0 === connection }) else { return }
        handshakes.remove(at: index)
        let count = (countsByNetwork[connection.network] ?? 1) - 1
        countsByNetwork[connection.network] = count > 0 ? count : nil
        if failed { handshakeFailureCount &+= 1 }
        updateAccepting()
    }

    /// The first byte of a handshake has come: the whole of it has its own deadline.
    func handshakeBegan(_ connection: TLSConnection) {
        let milliseconds = limits.handshakeMilliseconds
        let spent = loop.nowMicroseconds &- connection.acceptedAtMicroseconds
        connection.startTimer(microseconds: max(0, milliseconds * 1_000 - spent)) {
            [unowned connection] in
            connection.end(
                .failed(TransportError("no TLS handshake within \(milliseconds) milliseconds")))
        }
    }

    private func acceptBatch() {
        for _ in 0..<limits.acceptsPerTurnMax {
            var leaving: TLSConnection?
            if handshakes.count >= limits.handshakesMax {
                leaving = silentHandshake()
                guard leaving != nil else {
                    rest(.full, milliseconds: limits.silenceMilliseconds)
                    break
                }
            }
            var address = SocketAddress()
            let accepted = unsafe address.withMutablePointer { pointer, byteCount in
                unsafe shim_accept(descriptor, pointer, byteCount)
            }
            guard accepted >= 0 else {
                acceptFailed(errno)
                break
            }
            leaving?.end(
                .failed(TransportError("a silent connection made room for another")))
            take(accepted, from: address)
        }
        updateAccepting()
    }

    private func take(_ accepted: Int32, from address: SocketAddress) {
        prepareSocket(accepted)
        setOption(accepted, SOL_SOCKET, SO_SNDBUF, Int32(clamping: limits.sendBufferBytes))
        setOption(
            accepted, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(clamping: limits.unsentBytesMax))
        let connection = TLSConnection(
            on: loop, descriptor: accepted, state: .waiting, peer: address.hostPort,
            handler: handler)
        connection.listener = self
        connection.network = address.network
        connection.acceptedAtMicroseconds = loop.nowMicroseconds
        handshakes.append(connection)
        countsByNetwork[connection.network, default: 0] += 1
        connection.register()
        connection.wantRead(true)
        let milliseconds = min(limits.firstByteMilliseconds, limits.handshakeMilliseconds)
        connection.startTimer(microseconds: milliseconds * 1_000) { [unowned connection] in
            // What has come but was not read yet, on a busy machine, is not silence.
            guard !connection.hasUnreadBytes else { return }
            connection.end(
                .failed(TransportError("not a byte within \(milliseconds) milliseconds")))
        }
    }

    /// The handshake that makes room for another: of those that are silent the oldest, from the
    /// network that has the most handshakes under way; nil where none is silent.
    ///
    /// So who opens many connections and says nothing loses them to whoever comes, and first of
    /// all to herself.
    private func silentHandshake() -> TLSConnection? {
        let now = loop.nowMicroseconds
        var found: TLSConnection?
        var most = 0
        for connection in handshakes {
            let count = countsByNetwork[connection.network] ?? 0
            let age = now &- connection.acceptedAtMicroseconds
            let allowed =
                connection.state == .waiting
                ? limits.silenceMilliseconds : limits.stalledMilliseconds
            guard count > most, age >= allowed * 1_000, !connection.hasUnreadBytes else { continue }
            found = connection
            most = count
        }
        return found
    }

    /// Rests where the process or the system is out of something; a connection that was gone
    /// before it was accepted is nothing to rest for.
    private func acceptFailed(_ code: Int32) {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            rest(.exhausted, milliseconds: limits.restMilliseconds)
        default: break
        }
    }

    private func rest(_ rest: Rest, milliseconds: Int64) {
        self.rest = rest
        let timer = LoopTimer(on: loop) { [unowned self] in
            self.rest = .none
            updateAccepting()
        }
        timer.set(at: loop.nowMicroseconds &+ milliseconds * 1_000)
        restTimer = timer
    }

    private func updateAccepting() {
        guard let event = unsafe event else { return }
        let mayAccept =
            switch rest {
            case .none: true
            case .exhausted: false
            case .full: handshakes.count < limits.handshakesMax
            }
        guard mayAccept != isAccepting else { return }
        isAccepting = mayAccept
        if mayAccept {
            unsafe event_add(event, nil)
        } else {
            unsafe event_del(event)
        }
    }
}

/// Opens a listening socket on the first address of a host that takes it.
private func listen(
    at target: HostPort, backlog: Int32
) throws(TransportError) -> (descriptor: Int32, port: UInt16) {
    var error = TransportError("\(target): no address to listen on")
    for address in try resolve(target, toListen: true) {
        let descriptor = shim_socket(address.family)
        guard descriptor >= 0 else {
            error = .system("socket", on: "\(target)", code: errno)
            continue
        }
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        let status = unsafe address.withPointer { pointer, byteCount in
            unsafe bind(descriptor, pointer, byteCount)
        }
        if status == 0, Glibc.listen(descriptor, backlog) == 0 {
            var bound = SocketAddress()
            unsafe bound.withMutablePointer { pointer, byteCount in
                _ = unsafe getsockname(descriptor, pointer, byteCount)
            }
            return (descriptor, bound.hostPort.port)
        }
        error = .system("bind", on: "\(target)", code: errno)
        Glibc.close(descriptor)
    }
    throw error
}
