// The load: many connections on one loop, counting lines. It parses nothing while it measures,
// but for the time stamps in what a few sampled watchers receive.
import Foundation
import Transport

/// One connection of the load.
final class LoadConnection {
    /// What it is for.
    enum Role {
        case writer, watcher
    }

    let role: Role
    let link: TLSConnection
    var output: [UInt8] = []
    /// Lines received since the set-up ended.
    var lineCount = 0
    /// True where the delays of what arrives are measured.
    var isSampled = false
    /// While set up: gets each line; afterwards lines are only counted.
    var onLine: ((String) -> Void)?
    var isOpen = false
    var failure: String?
    /// When the operations in flight were sent, oldest first, from `firstInFlight` on.
    var sentAt: [Int64] = []
    var firstInFlight = 0
    private var unfinished: [UInt8] = []

    init(role: Role, link: TLSConnection) {
        self.role = role
        self.link = link
    }

    var inFlightCount: Int { sentAt.count - firstInFlight }

    /// Adds bytes to what will be sent in this turn.
    func send(_ bytes: some Sequence<UInt8>) {
        output.append(contentsOf: bytes)
        link.requestWrite()
    }

    /// The time at which the oldest operation in flight was sent; it is then no longer in flight.
    func takeOldest() -> Int64? {
        guard firstInFlight < sentAt.count else { return nil }
        let sent = sentAt[firstInFlight]
        firstInFlight += 1
        if firstInFlight == sentAt.count {
            sentAt.removeAll(keepingCapacity: true)
            firstInFlight = 0
        }
        return sent
    }

    /// Cuts what was received into lines, during set-up.
    func cutLines(_ bytes: [UInt8]) {
        unfinished.append(contentsOf: bytes)
        while let end = unfinished.firstIndex(of: 10) {
            let line = String(decoding: unfinished[..<end], as: UTF8.self)
            unfinished.removeSubrange(...end)
            onLine?(line)
        }
    }
}

/// All connections of one run.
final class Load: ConnectionHandler {
    let loop: EventLoop
    private(set) var connections: [LoadConnection] = []
    private let context: TLSClientContext
    private let port: UInt16
    /// Delays from a stamp to its arrival at a sampled watcher.
    var seen = Delays()
    /// Called with the lines that came for a writer.
    var onAcknowledged: ((LoadConnection, Int) -> Void)?

    init(server: ServerUnderLoad) throws {
        loop = try EventLoop()
        context =
            server.tokens.isEmpty
            ? try TLSClientContext(pin: server.pin, speaking: nil)
            : try TLSClientContext(pin: server.pin)
        port = UInt16(server.port)
    }

    /// Opens a connection and waits until its handshake is done.
    func connect(_ role: LoadConnection.Role) throws -> LoadConnection {
        let link = try TLSConnection.connect(
            on: loop, to: HostPort(host: "127.0.0.1", port: port), context: context, handler: self)
        link.tag = Int64(connections.count)
        let connection = LoadConnection(role: role, link: link)
        connections.append(connection)
        try run(until: { connection.isOpen }, for: connection)
        return connection
    }

    /// Sends a line and waits for one that holds `expected`; answers that line.
    @discardableResult
    func ask(
        _ connection: LoadConnection, _ line: String, expecting expected: String
    ) throws -> String {
        var answer: String?
        connection.onLine = { line in
            if answer == nil, line.contains(expected) { answer = line }
            if line.contains("\"type\":\"error\"") || line.hasPrefix("-") {
                connection.failure = line
            }
        }
        connection.send(line.utf8)
        try run(until: { answer != nil }, for: connection)
        return answer ?? ""
    }

    /// Runs turns until the condition holds.
    func run(until condition: () -> Bool, for connection: LoadConnection) throws {
        let timer = LoopTimer(on: loop) {}
        defer { timer.cancel() }
        let end = loop.nowMicroseconds + 20_000_000
        while !condition() {
            if let failure = connection.failure { throw BenchError(failure) }
            guard loop.nowMicroseconds < end else { throw BenchError("no answer for 20 s") }
            timer.set(at: loop.nowMicroseconds + 100_000)
            loop.runTurn()
        }
    }

    /// Ends the set-up: from now on lines are counted.
    func beginCounting() {
        for connection in connections {
            connection.onLine = nil
            connection.lineCount = 0
        }
    }

    /// The lines that all watchers have received since counting began.
    var deliveredLineCount: Int {
        connections.reduce(0) { $0 + ($1.role == .watcher ? $1.lineCount : 0) }
    }

    func close() {
        for connection in connections { connection.link.close(afterOutput: false) }
        let timer = LoopTimer(on: loop) {}
        timer.set(at: loop.nowMicroseconds + 10_000)
        loop.runTurn()
    }

    // MARK: ConnectionHandler

    func opened(_ connection: TLSConnection) {
        connections[Int(connection.tag)].isOpen = true
    }

    func received(_ bytes: borrowing RawSpan, on connection: TLSConnection) {
        let connection = connections[Int(connection.tag)]
        if connection.onLine != nil {
            let copy = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
            connection.cutLines(copy)
            return
        }
        let lines = unsafe bytes.withUnsafeBytes { unsafe countLines($0) }
        connection.lineCount += lines
        if connection.isSampled {
            let now = loop.nowMicroseconds
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe forEachStamp(in: buffer) { seen.add(now - $0) }
            }
        }
        if connection.role == .writer { onAcknowledged?(connection, lines) }
    }

    func fill(_ buffer: inout [UInt8], byteCountMax: Int, for connection: TLSConnection) {
        let connection = connections[Int(connection.tag)]
        guard !connection.output.isEmpty else { return }
        let count = min(byteCountMax, connection.output.count)
        buffer.append(contentsOf: connection.output[..<count])
        if count == connection.output.count {
            connection.output.removeAll(keepingCapacity: true)
        } else {
            connection.output.removeFirst(count)
        }
    }

    func closed(_ connection: TLSConnection, reason: CloseReason) {
        connections[Int(connection.tag)].failure = "connection closed: \(reason)"
    }
}

/// The number of line ends.
func countLines(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard var start = bytes.baseAddress else { return 0 }
    var left = bytes.count
    var count = 0
    while left > 0, let end = unsafe memchr(start, 10, left) {
        count += 1
        let step = unsafe UnsafeRawPointer(end) - start + 1
        unsafe start = unsafe start + step
        left -= step
    }
    return count
}

/// Before a stamp: bytes that occur nowhere else in a message.
let stampMark: [UInt8] = Array("~@".utf8)

/// Calls `body` with each time stamp (microseconds) that stands whole in the bytes.
func forEachStamp(in bytes: UnsafeRawBufferPointer, _ body: (Int64) -> Void) {
    guard var start = bytes.baseAddress else { return }
    var left = bytes.count
    while left > 18, let mark = unsafe memchr(start, Int32(stampMark[0]), left) {
        let offset = unsafe UnsafeRawPointer(mark) - start
        guard left - offset >= 18 else { return }
        let digits = unsafe mark.assumingMemoryBound(to: UInt8.self)
        if unsafe digits[1] == stampMark[1] {
            var stamp: Int64 = 0
            for index in 2..<18 { stamp = unsafe stamp * 10 + Int64(digits[index] &- 48) }
            body(stamp)
        }
        unsafe start = unsafe start + offset + 2
        left -= offset + 2
    }
}

/// A cell text of `byteCount` bytes that carries the time of its sending.
func stampedText(_ microseconds: Int64, byteCount: Int) -> String {
    let digits = String(microseconds)
    let stamp = "~@" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    return stamp + String(repeating: "x", count: max(0, byteCount - stamp.count))
}
