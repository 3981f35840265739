// A server and its clients on one loop over 127.0.0.1, for the tests of this room. Both halves run
// on the test's own thread, so nothing is left to the machine's speed.
import Testing

@testable import Transport

/// A handler made of closures, with a note of what came.
final class Recorder: ConnectionHandler {
    var onOpened: (TLSConnection) -> Void = { _ in }
    var onReceived: (TLSConnection, [UInt8]) -> Void = { _, _ in }
    var onFill: (TLSConnection, inout [UInt8], Int) -> Void = { _, _, _ in }
    var onClosed: (TLSConnection, CloseReason) -> Void = { _, _ in }

    var connections: [TLSConnection] = []
    var received: [UInt8] = []
    var reasons: [CloseReason] = []

    func opened(_ connection: TLSConnection) {
        connections.append(connection)
        onOpened(connection)
    }

    func received(_ bytes: borrowing RawSpan, on connection: TLSConnection) {
        let copy = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        received += copy
        onReceived(connection, copy)
    }

    func fill(_ buffer: inout [UInt8], byteCountMax: Int, for connection: TLSConnection) {
        onFill(connection, &buffer, byteCountMax)
    }

    func closed(_ connection: TLSConnection, reason: CloseReason) {
        reasons.append(reason)
        onClosed(connection, reason)
    }
}

/// Sends bytes once: what `onFill` of a recorder needs.
final class Outbox {
    private var bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    var isEmpty: Bool { offset >= bytes.count }

    func append(_ more: [UInt8]) {
        bytes += more
    }

    func take(into buffer: inout [UInt8], byteCountMax: Int) {
        let end = min(bytes.count, offset + byteCountMax)
        buffer += bytes[offset..<end]
        offset = end
    }
}

/// A loop with a listener on a port that the system picked.
final class Loopback {
    let loop: EventLoop
    let identity: ServerIdentity
    let server = Recorder()
    let listener: Listener

    init(limits: ListenerLimits = ListenerLimits()) throws {
        loop = try EventLoop()
        identity = try ServerIdentity(makingFor: ["localhost", "127.0.0.1"])
        listener = try Listener(
            on: loop, at: HostPort(host: "127.0.0.1", port: 0),
            context: try TLSServerContext(identity: identity), limits: limits, handler: server)
    }

    /// A client that trusts the listener's key, or the one given.
    func connect(_ handler: Recorder, pin: [UInt8]? = nil) throws -> TLSConnection {
        try TLSConnection.connect(
            on: loop, to: listener.address,
            context: try TLSClientContext(pin: pin ?? identity.pin), handler: handler)
    }

    /// Turns the loop until `condition` holds; gives up, and says so, after a minute.
    func run(
        until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var isOver = false
        let watchdog = LoopTimer(on: loop) { isOver = true }
        watchdog.set(at: loop.nowMicroseconds + 60_000_000)
        while !condition() && !isOver { loop.runTurn() }
        #expect(!isOver, "still waiting after a minute", sourceLocation: sourceLocation)
        watchdog.cancel()
    }
}

/// Bytes that differ from place to place, so that a lost or doubled piece shows.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
}
