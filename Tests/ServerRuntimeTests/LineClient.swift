// A client that speaks the protocol in lines of text, as one would by hand: so that these tests
// hold the server to docs/protocol.md and not to our own client.
import Foundation
import Testing
import Transport

/// A server that a client can connect to.
protocol Reachable {
    var address: HostPort { get }
    /// What proves that it is the right one.
    var pin: [UInt8] { get }
}

/// One connection to a server; its calls turn the loop until what they wait for has come.
final class LineClient: ConnectionHandler {
    private let loop: EventLoop
    private var connection: TLSConnection?
    private var outbox: [UInt8] = []
    private var unread: [UInt8] = []
    private var lines: [[String: Any]] = []
    private(set) var isOpen = false
    /// Why the connection ended; nil while it stands.
    private(set) var reason: CloseReason?

    /// Connects; the connection stands when it returns, or `reason` says why not.
    init(to server: some Reachable, waits: Bool = true) throws {
        loop = try EventLoop()
        connection = try TLSConnection.connect(
            on: loop, to: server.address, context: try TLSClientContext(pin: server.pin),
            handler: self, withinSeconds: 60)
        if waits { turn { isOpen || reason != nil } }
    }

    /// Connects and logs in with a token.
    convenience init(to server: some Reachable, token: String) throws {
        try self.init(to: server)
        try expect("welcome", after: #"{"type":"hello"}"#)
        try expect("logged_in", after: #"{"type":"login","token":"\#(token)"}"#)
    }

    /// Sends a line.
    func send(_ line: String) {
        send(bytes: Array(line.utf8) + [10])
    }

    /// Sends bytes as they are.
    func send(bytes: [UInt8]) {
        outbox += bytes
        connection?.requestWrite()
    }

    /// The next message; nil where the connection ends first.
    func next() -> [String: Any]? {
        turn { !lines.isEmpty || reason != nil }
        return lines.isEmpty ? nil : lines.removeFirst()
    }

    /// Sends a line and takes the next message, which must be of that type.
    @discardableResult
    func expect(
        _ type: String, after line: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
        if let line { send(line) }
        let message = try #require(next(), "the connection ended", sourceLocation: sourceLocation)
        #expect(
            message["type"] as? String == type, "\(message)", sourceLocation: sourceLocation)
        return message
    }

    /// Waits for the end of the connection.
    func waitForEnd() -> CloseReason? {
        turn { reason != nil }
        return reason
    }

    /// Turns the loop until everything given has left.
    func flush() {
        turn { outbox.isEmpty && connection?.pendingByteCount == 0 || reason != nil }
    }

    /// Turns the loop until it is open or has ended, or for as long as `condition` does not hold.
    func turn(until condition: () -> Bool) {
        var isOver = false
        let watchdog = LoopTimer(on: loop) { isOver = true }
        watchdog.set(at: loop.nowMicroseconds + 60_000_000)
        while !condition(), !isOver { loop.runTurn() }
        #expect(!isOver, "nothing came within a minute")
    }

    /// One look at what has come, without waiting for long.
    func look() {
        let timer = LoopTimer(on: loop) {}
        timer.set(at: loop.nowMicroseconds + 1_000)
        loop.runTurn()
    }

    func stopReading() {
        connection?.pauseReading()
    }

    func startReading() {
        connection?.resumeReading()
    }

    func close() {
        connection?.close(afterOutput: false)
        turn { reason != nil }
    }

    func opened(_ connection: TLSConnection) {
        isOpen = true
        connection.requestWrite()
    }

    func received(_ bytes: borrowing RawSpan, on connection: TLSConnection) {
        unread += unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        while let end = unread.firstIndex(of: 10) {
            let line = Data(unread[..<end])
            unread.removeSubrange(...end)
            let message = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
            lines.append(message ?? ["type": "no JSON"])
        }
    }

    func fill(_ buffer: inout [UInt8], byteCountMax: Int, for connection: TLSConnection) {
        let count = min(byteCountMax, outbox.count)
        buffer += outbox[..<count]
        outbox.removeFirst(count)
    }

    func closed(_ connection: TLSConnection, reason: CloseReason) {
        self.reason = reason
        self.connection = nil
    }
}
