// A server with a store in memory and clients that are strings: what the tests of this room play
// with. No sockets, no threads, and a clock that is turned by hand.
import TableLog
import TableModel
import TableValue
import TableWire

@testable import TableServer

/// Numbers from a seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// Not SHA-256, but as long, and different for different bytes; enough where nobody attacks.
func plainHash(_ bytes: [UInt8]) -> [UInt8] {
    var words: [UInt64] = [1, 2, 3, 4]
    for (index, byte) in bytes.enumerated() {
        for lane in 0..<4 {
            words[lane] =
                (words[lane] ^ UInt64(byte) ^ UInt64(index + lane)) &* 0x0000_0100_0000_01B3
            words[lane] = words[lane] << 13 | words[lane] >> 51
        }
    }
    return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
}

/// A digest over `plainHash`.
struct PlainDigest: ContentDigest {
    var bytes: [UInt8] = []

    init() {}

    mutating func update(_ span: borrowing RawSpan) {
        unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func finish() -> [UInt8] { plainHash(bytes) }
}

/// The server, its store, and what its clients have been sent.
struct World {
    var server: Server
    var store = MemoryLogStore()
    var now = Now(instant: Instant(microseconds: 1_000_000), wallMilliseconds: 1_796_025_600_000)
    /// Each connection's output as lines that have not been read with `lines`.
    var output: [ConnectionID: [UInt8]] = [:]
    /// Connections whose sockets take nothing.
    var stuck: Set<ConnectionID> = []
    var wakes: [ConnectionID] = []
    var closes: [ConnectionID] = []
    var readingStopped: Set<ConnectionID> = []
    var reports: [String] = []
    var administratorAnswers: [Int64: AdministratorAnswer] = [:]
    var hasStopped = false
    /// Appends that were asked for and not yet said to be durable.
    var appends: [(ticket: Int64, batches: [LogBatch])] = []
    /// Said to be durable as soon as they are asked for.
    var appendsAtOnce = true
    var appendCount = 0
    var outputBytesMax = 64 << 10
    /// How many turns one event may lead to; the rest is due until somebody calls `turn`.
    var turnsMax = Int.max
    /// Bytes are given to the server one by one.
    var splitsEverything = false
    private var nextConnection: Int64 = 1
    private var nextTicket: Int64 = 1

    /// A new server on an empty store.
    init(limits: ServerLimits = ServerLimits(), seed: UInt64 = 1) {
        server = World.makeServer(limits: limits, seed: seed)
    }

    static func makeServer(limits: ServerLimits, seed: UInt64) -> Server {
        Server(
            limits: limits,
            environment: ServerEnvironment(
                sha256: plainHash,
                contentDigest: PlainDigest.self,
                random: SeededGenerator(state: seed)))
    }

    /// Another server on what is stored; connections are gone.
    mutating func restart(seed: UInt64 = 2) throws {
        server = World.makeServer(limits: server.limits, seed: seed)
        var batches: [LogBatch] = []
        for (log, _) in try store.logs() {
            try store.forEachBatch(log) { batches.append($0) }
        }
        for batch in batches { try server.recover(batch) }
        output = [:]
        appends = []
        stuck = []
        readingStopped = []
    }

    // MARK: Turns

    /// Gives an event, carries out what it leads to, and goes on until nothing more happens.
    mutating func turn(_ event: (inout Server, inout [ServerAction]) -> Void = { _, _ in }) {
        var actions: [ServerAction] = []
        event(&server, &actions)
        server.turnEnded(at: now, into: &actions)
        var turns = 1
        while true {
            let current = actions
            actions = []
            for action in current { perform(action, into: &actions) }
            let isDue = turns < turnsMax && server.deadline.map { $0 <= now.instant } ?? false
            turns += 1
            if isDue { server.tick(at: now, into: &actions) }
            if !isDue && actions.isEmpty { return }
            server.turnEnded(at: now, into: &actions)
        }
    }

    private mutating func perform(_ action: ServerAction, into actions: inout [ServerAction]) {
        switch action {
        case .wake(let id):
            wakes.append(id)
            drain(id)
        case .stopReading(let id): readingStopped.insert(id)
        case .resumeReading(let id): readingStopped.remove(id)
        case .close(let id, let afterOutput):
            if afterOutput { drain(id) }
            closes.append(id)
            server.closed(id, at: now, into: &actions)
        case .append(let ticket, let batches):
            appendCount += 1
            appends.append((ticket, batches))
            if appendsAtOnce { makeDurable(into: &actions) }
        case .readLog(let ticket, let log, let after, let byteCountMax):
            let batches = (try? store.read(log, after: after, byteCountMax: byteCountMax)) ?? []
            server.logRead(ticket: ticket, .success(batches), at: now, into: &actions)
        case .report(_, let text): reports.append(text)
        case .answerAdministrator(let ticket, let answer): administratorAnswers[ticket] = answer
        case .stopped: hasStopped = true
        }
    }

    /// Takes output until nothing comes, unless the socket is stuck.
    mutating func drain(_ id: ConnectionID) {
        guard !stuck.contains(id) else { return }
        var isEmpty = false
        while !isEmpty {
            var bytes: [UInt8] = []
            server.takeOutput(for: id, into: &bytes, byteCountMax: outputBytesMax, at: now)
            isEmpty = bytes.isEmpty
            output[id, default: []].append(contentsOf: bytes)
        }
    }

    /// The appends that wait are stored and durable.
    mutating func makeDurable() {
        turn { _, _ in }
        var actions: [ServerAction] = []
        makeDurable(into: &actions)
        let collected = actions
        turn { _, actions in actions.append(contentsOf: collected) }
    }

    private mutating func makeDurable(into actions: inout [ServerAction]) {
        for (ticket, batches) in appends {
            do {
                try store.append(batches)
            } catch {
                preconditionFailure("the store refused: \(error.reason)")
            }
            server.appended(ticket: ticket, at: now, into: &actions)
        }
        appends = []
    }

    /// Lets time pass, doing what is due on the way.
    mutating func pass(seconds: Double) {
        let end = now.instant.microseconds + Int64(seconds * 1_000_000)
        while let due = server.deadline, due.microseconds <= end {
            advance(to: max(due.microseconds, now.instant.microseconds))
            let now = now
            turn { server, actions in server.tick(at: now, into: &actions) }
        }
        advance(to: end)
    }

    private mutating func advance(to microseconds: Int64) {
        now.wallMilliseconds += (microseconds - now.instant.microseconds) / 1_000
        now.instant.microseconds = microseconds
    }

    // MARK: Clients

    /// A new connection.
    mutating func connect() -> ConnectionID {
        let id = ConnectionID(rawValue: nextConnection)
        nextConnection += 1
        let now = now
        turn { server, actions in server.opened(id, at: now, into: &actions) }
        return id
    }

    /// A connection is lost.
    mutating func disconnect(_ id: ConnectionID) {
        let now = now
        turn { server, actions in server.closed(id, at: now, into: &actions) }
    }

    /// Sends lines in one piece and in one turn.
    mutating func send(_ id: ConnectionID, _ lines: String...) {
        send(id, bytes: Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Sends bytes in one turn.
    mutating func send(_ id: ConnectionID, bytes: [UInt8]) {
        let now = now
        let splits = splitsEverything
        turn { server, actions in
            guard splits else {
                return unsafe server.received(
                    bytes.span.bytes, from: id, at: now, into: &actions)
            }
            for byte in bytes {
                let one = [byte]
                unsafe server.received(one.span.bytes, from: id, at: now, into: &actions)
            }
        }
    }

    /// The lines that came since the last call.
    mutating func lines(_ id: ConnectionID) -> [String] {
        let bytes = output.removeValue(forKey: id) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The same without presence, which most tests are not about.
    mutating func news(_ id: ConnectionID) -> [String] {
        lines(id).filter { !$0.hasPrefix(#"{"type":"presence""#) }
    }

    /// Sends lines and reads what comes.
    mutating func ask(_ id: ConnectionID, _ lines: String...) -> [String] {
        send(id, bytes: Array(lines.map { $0 + "\n" }.joined().utf8))
        return news(id)
    }

    // MARK: Accounts

    /// Asks as an administrator.
    mutating func administrate(_ request: AdministratorRequest) -> AdministratorAnswer? {
        let ticket = nextTicket
        nextTicket += 1
        let now = now
        turn { server, actions in
            server.requested(ticket: ticket, request, at: now, into: &actions)
        }
        return administratorAnswers[ticket]
    }

    /// A new bot's token.
    mutating func botToken(_ name: String = "bot", role: String = "manager") -> String {
        guard case .token(let token) = administrate(.token(bot: name, role: role)) else {
            preconditionFailure("no token")
        }
        return token
    }

    /// An invite's secret.
    mutating func invite(role: String = "editor", uses: Int = 1, seconds: Int64 = 0) -> String {
        guard
            case .invite(let secret) = administrate(
                .invite(role: role, uses: uses, expiresAfterSeconds: seconds))
        else { preconditionFailure("no invite") }
        return base32(secret)
    }

    /// A connection that has logged in.
    mutating func login(token: String) -> ConnectionID {
        let id = connect()
        send(id, #"{"type":"hello"}"#, #"{"type":"login","token":"\#(token)"}"#)
        _ = lines(id)
        return id
    }

    /// A connection of a new person, with the token of the device.
    mutating func person(_ name: String, role: String = "editor") -> (ConnectionID, String) {
        let invite = invite(role: role)
        let id = connect()
        send(
            id, #"{"type":"hello"}"#,
            #"{"type":"login","invite":"\#(invite)","name":"\#(name)"}"#)
        let token = lines(id).compactMap { field("token", of: $0) }.first ?? ""
        return (id, token)
    }
}

/// The text of a field in a line, for tests: the first `"name":"text"` there is.
func field(_ name: String, of line: String) -> String? {
    guard let start = line.range(of: "\"\(name)\":\"") else { return nil }
    let rest = line[start.upperBound...]
    return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
}

extension String {
    /// Where a text stands first; Foundation is not needed for that.
    func range(of text: String) -> Range<String.Index>? {
        firstRange(of: text)
    }
}
