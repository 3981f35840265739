// What a listener does with peers that do not speak TLS as they should: each is cut, and no other
// notices.
import CLibevent
import Glibc
import Testing

@testable import Transport

/// A plain socket to a listener, without TLS.
private final class PlainSocket {
    let descriptor: Int32

    init(to address: HostPort, from host: String? = nil) throws {
        let target = try #require(try resolve(address, toListen: false).first)
        descriptor = socket(target.family, Int32(SOCK_STREAM.rawValue), 0)
        if let host {
            let own = HostPort(host: host, port: 0)
            let source = try #require(try resolve(own, toListen: true).first)
            let bound = unsafe source.withPointer { unsafe bind(descriptor, $0, $1) }
            #expect(bound == 0)
        }
        let status = unsafe target.withPointer { unsafe connect(descriptor, $0, $1) }
        #expect(status == 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: [UInt8]) {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
        #expect(count == bytes.count)
    }

    /// Whether the other side has ended the connection; reads away what came before.
    var isEnded: Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN }
        }
    }
}

/// Limits by which nothing is cut for its silence within the time of a test.
private var patientLimits: ListenerLimits {
    var limits = ListenerLimits()
    limits.handshakeMilliseconds = 600_000
    limits.firstByteMilliseconds = 600_000
    limits.silenceMilliseconds = 600_000
    limits.stalledMilliseconds = 600_000
    return limits
}

@Suite("Listener")
struct ListenerTests {
    @Test(
        "GT3: what is no TLS is cut",
        arguments: [
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
            "{\"type\":\"hello\"}\n", "\u{16}\u{3}\u{1}garbage that looks like a record",
        ])
    func plaintext(_ text: String) throws {
        let world = try Loopback()
        let socket = try PlainSocket(to: world.listener.address)
        socket.send(Array(text.utf8) + pattern(2_000))
        world.run { socket.isEnded }
        #expect(world.listener.handshakeFailureCount == 1)
        #expect(world.listener.handshakeCount == 0)
        #expect(world.server.reasons.isEmpty)
        let client = Recorder()
        _ = try world.connect(client)
        world.run { client.connections.count == 1 }
    }

    @Test("GB3: a handshake that does not come to its end is cut", arguments: [0, 1, 6])
    func halfOpen(byteCount: Int) throws {
        var limits = ListenerLimits()
        limits.handshakeMilliseconds = 20
        let world = try Loopback(limits: limits)
        let socket = try PlainSocket(to: world.listener.address)
        socket.send(Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01].prefix(byteCount)))
        world.run { socket.isEnded }
        #expect(world.listener.handshakeCount == 0)
        #expect(world.listener.handshakeFailureCount == 1)
    }

    @Test("GB3: more handshakes than allowed wait, and come in when others end")
    func handshakeCap() throws {
        var limits = patientLimits
        limits.handshakesMax = 3
        let world = try Loopback(limits: limits)
        var silent = try (0..<3).map { _ in try PlainSocket(to: world.listener.address) }
        world.run { world.listener.handshakeCount == 3 }
        let client = Recorder()
        _ = try world.connect(client)
        var turns = 0
        let timer = LoopTimer(on: world.loop) { turns = 1 }
        timer.set(at: world.loop.nowMicroseconds + 1_000)
        world.run { turns == 1 }
        #expect(client.connections.isEmpty)
        #expect(world.listener.handshakeCount == 3)
        silent.removeAll()
        world.run { client.connections.count == 1 }
    }

    @Test("GB3: where there are as many handshakes as may be, the oldest silent one makes room")
    func silentMakesRoom() throws {
        var limits = patientLimits
        limits.handshakesMax = 3
        limits.silenceMilliseconds = 0
        let world = try Loopback(limits: limits)
        let silent = try (0..<3).map { _ in try PlainSocket(to: world.listener.address) }
        world.run { world.listener.handshakeCount == 3 }
        let client = Recorder()
        _ = try world.connect(client)
        world.run { client.connections.count == 1 }
        world.run { silent[0].isEnded }
        #expect(!silent[1].isEnded && !silent[2].isEnded)
        #expect(world.listener.handshakeFailureCount == 1)
    }

    @Test("GB3: a network that opens many loses its own, not the one of another")
    func busiestNetworkMakesRoom() throws {
        var limits = patientLimits
        limits.handshakesMax = 4
        limits.silenceMilliseconds = 0
        let world = try Loopback(limits: limits)
        let address = world.listener.address
        let lonely = try PlainSocket(to: address, from: "127.0.0.2")
        world.run { world.listener.handshakeCount == 1 }
        let many = try (0..<3).map { _ in try PlainSocket(to: address) }
        world.run { world.listener.handshakeCount == 4 }
        let client = Recorder()
        _ = try world.connect(client)
        world.run { client.connections.count == 1 }
        world.run { many[0].isEnded }
        #expect(!lonely.isEnded)
    }

    @Test("GB3: who has sent something is not silent")
    func begunIsNotSilent() throws {
        var limits = patientLimits
        limits.handshakesMax = 1
        limits.silenceMilliseconds = 0
        let world = try Loopback(limits: limits)
        let slow = try PlainSocket(to: world.listener.address)
        slow.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        let client = Recorder()
        _ = try world.connect(client)
        var isOver = false
        let timer = LoopTimer(on: world.loop) { isOver = true }
        timer.set(at: world.loop.nowMicroseconds + 5_000)
        world.run { isOver && world.listener.handshakeCount == 1 }
        #expect(!slow.isEnded)
        #expect(client.connections.isEmpty)
    }

    @Test("GB3: a handshake that was begun and stalls makes room too, later")
    func stalledMakesRoom() throws {
        var limits = patientLimits
        limits.handshakesMax = 1
        limits.silenceMilliseconds = 10
        limits.stalledMilliseconds = 20
        let world = try Loopback(limits: limits)
        let slow = try PlainSocket(to: world.listener.address)
        slow.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        world.run { world.listener.handshakeCount == 1 }
        let client = Recorder()
        _ = try world.connect(client)
        world.run { client.connections.count == 1 }
        world.run { slow.isEnded }
    }

    @Test("GB3: a connection that sends nothing is cut before one that has begun")
    func firstByte() throws {
        var limits = patientLimits
        limits.firstByteMilliseconds = 20
        let world = try Loopback(limits: limits)
        let begun = try PlainSocket(to: world.listener.address)
        begun.send([0x16])
        let silent = try PlainSocket(to: world.listener.address)
        world.run { silent.isEnded }
        #expect(!begun.isEnded)
        #expect(world.listener.handshakeCount == 1)
    }

    @Test("GT3: a client without our ALPN name, or with none, gets an alert and no session")
    func otherProtocols() throws {
        let world = try Loopback()
        for name in ["", "h2"] {
            let client = Recorder()
            let context = try TLSClientContext(pin: world.identity.pin)
            try context.offer(name)
            _ = try TLSConnection.connect(
                on: world.loop, to: world.listener.address, context: context, handler: client)
            world.run { !client.reasons.isEmpty }
            #expect("\(client.reasons)".contains("no application protocol"))
        }
        world.run { world.listener.handshakeFailureCount == 2 }
        #expect(world.server.connections.isEmpty)
    }

    @Test("A port that is taken is named")
    func taken() throws {
        let world = try Loopback()
        let error = #expect(throws: TransportError.self) {
            _ = try Listener(
                on: world.loop, at: world.listener.address, context: world.listener.context,
                handler: world.server)
        }
        #expect(error?.reason.contains(world.listener.address.description) == true)
    }
}
