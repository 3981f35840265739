// A listening socket: accepts connections in batches, and lets only so many be in their handshake
// at once. What becomes of an accepted connection is in TLSConnection+Handshake.swift.
import CLibevent
import Glibc

/// The limits of a listener, each with its default.
package struct ListenerLimits: Hashable, Sendable {
    /// Connections that the kernel holds until they are accepted.
    package var backlog: Int32 = 1_024
    /// Connections accepted in one turn, so that a storm of them starves nobody.
    package var acceptsPerTurnMax = 64
    /// Handshakes in progress; more wait in the kernel.
    package var handshakesMax = 512
    /// From accept to the end of the handshake, whatever trickles in.
    package var handshakeMilliseconds: Int64 = 5_000
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
    /// Handshakes that are under way.
    package private(set) var handshakeCount = 0
    /// Handshakes that failed or were cut since the start.
    package private(set) var handshakeFailureCount = 0
    private var isAccepting = false
    private var isResting = false
    private var isClosed = false

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
    func handshakeEnded(failed: Bool) {
        handshakeCount -= 1
        if failed { handshakeFailureCount &+= 1 }
        updateAccepting()
    }

    private func acceptBatch() {
        for _ in 0..<limits.acceptsPerTurnMax {
            guard handshakeCount < limits.handshakesMax else { break }
            var address = SocketAddress()
            let accepted = unsafe address.withMutablePointer { pointer, byteCount in
                unsafe shim_accept(descriptor, pointer, byteCount)
            }
            guard accepted >= 0 else {
                acceptFailed(errno)
                break
            }
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
        handshakeCount += 1
        connection.register()
        connection.wantRead(true)
        let milliseconds = limits.handshakeMilliseconds
        connection.startTimer(microseconds: milliseconds * 1_000) { [unowned connection] in
            connection.end(
                .failed(TransportError("no TLS handshake within \(milliseconds) milliseconds")))
        }
    }

    /// Rests where the process or the system is out of something; a connection that was gone
    /// before it was accepted is nothing to rest for.
    private func acceptFailed(_ code: Int32) {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: rest()
        default: break
        }
    }

    private func rest() {
        isResting = true
        let timer = LoopTimer(on: loop) { [unowned self] in
            isResting = false
            updateAccepting()
        }
        timer.set(at: loop.nowMicroseconds &+ limits.restMilliseconds * 1_000)
        restTimer = timer
    }

    private func updateAccepting() {
        guard let event = unsafe event else { return }
        let mayAccept = !isResting && handshakeCount < limits.handshakesMax
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
