// A proxy that passes bytes on and cuts each connection after a number of them drawn from a seed:
// in the middle of a handshake, a line, or nothing at all. It can also be down for a while, or let
// bytes vanish while connections stay open.
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A proxy on 127.0.0.1 before a port of this machine.
final class CuttingProxy: Sendable {
    /// Where it listens.
    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let state: Mutex<State>

    /// The bytes that vanish on connections that stay open.
    enum Vanishing {
        case nothing, everything
        /// What the server says; what it is told arrives.
        case answers
    }

    private struct State {
        var vanishing = Vanishing.nothing
        var generator: SeededRandom
        var bytesMax: UInt64
        var cutCount = 0
        var isCutting = true
        var isClosed = false
        var isDown = false
        var isHolding = false
        /// The sockets of connections that pass bytes.
        var open: Set<Int32> = []
    }

    /// Starts to listen.
    ///
    /// Each connection is cut after up to `bytesMax` bytes.
    init(to target: UInt16, seed: UInt64, bytesMax: UInt64) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(listener, generic, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, generic, &size) == 0
            }
        }
        guard status else { throw WorkplaceError("the proxy cannot listen") }
        self.listener = listener
        self.target = target
        port = UInt16(bigEndian: address.sin_port)
        state = Mutex(State(generator: SeededRandom(seed: seed), bytesMax: bytesMax))
        startThread { [self] in acceptAll() }
    }

    /// How many connections were cut so far.
    var cutCount: Int { state.withLock { $0.cutCount } }

    /// Cuts no more; what comes from now on passes to its end.
    func stopCutting() {
        state.withLock { $0.isCutting = false }
    }

    /// Cuts everything that is open, and what is opened from now on, until `up`.
    func down() {
        state.withLock { state in
            state.isDown = true
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Lets bytes vanish on every connection that is open or opened until `up`.
    ///
    /// Such a connection stays so to its end, as one does that a box on the way has forgotten.
    func swallow(_ vanishing: Vanishing) {
        state.withLock { $0.vanishing = vanishing }
    }

    /// Passes bytes again, on connections that are opened from now on.
    func up() {
        state.withLock { state in
            state.isDown = false
            state.vanishing = .nothing
        }
    }

    /// Swallows what comes, or passes on what it had swallowed; nobody is told of either.
    func hold(_ isHolding: Bool) {
        state.withLock { $0.isHolding = isHolding }
    }

    /// Listens no more.
    func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            if state.withLock({ $0.isClosed }) || client < 0 { break }
            startThread { [self] in serve(client) }
        }
        Glibc.close(listener)
    }

    private func serve(_ client: Int32) {
        defer { Glibc.close(client) }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(server) }
        var address = loopback(port: target)
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(server, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let budget: Int? = state.withLock { state in
            guard isConnected, !state.isDown else { return nil }
            state.open.formUnion([client, server])
            return state.isCutting ? Int(state.generator.next() % state.bytesMax) : Int.max
        }
        guard let budget else { return }
        defer { state.withLock { $0.open.subtract([client, server]) } }
        pass(between: client, and: server, byteCount: budget)
    }

    /// Passes bytes both ways until one side ends or the bytes are used up.
    private func pass(between client: Int32, and server: Int32, byteCount: Int) {
        var left = byteCount
        var vanishing = Vanishing.nothing
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var sockets = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&sockets, 2, -1) > 0 {
            for (index, other) in [(0, server), (1, client)] where sockets[index].revents != 0 {
                let count = unsafe recv(sockets[index].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                while state.withLock({ $0.isHolding && !$0.isClosed }) {
                    usleep(5_000)  // poll: nobody wakes those who hold
                }
                if vanishing == .nothing { vanishing = state.withLock { $0.vanishing } }
                if vanishing == .everything || (vanishing == .answers && index == 1) { continue }
                let passed = min(count, left)
                guard send(buffer, passed, to: other) else { return }
                left -= passed
                if left == 0 {
                    state.withLock { $0.cutCount += 1 }
                    return
                }
            }
        }
    }

    private func send(_ bytes: [UInt8], _ count: Int, to socket: Int32) -> Bool {
        var sent = 0
        while sent < count {
            let result = unsafe bytes.withUnsafeBytes { buffer in
                let place = unsafe buffer.baseAddress?.advanced(by: sent)
                return unsafe Glibc.send(socket, place, count - sent, Int32(MSG_NOSIGNAL))
            }
            guard result > 0 else { return false }
            sent += result
        }
        return true
    }
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

/// Runs a closure on a thread that nobody waits for.
private func startThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
}
