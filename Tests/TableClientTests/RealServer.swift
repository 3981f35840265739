// The real server core on a store in memory, in the test's own thread, with somebody else at the
// table. What the client is tested against beside the model.
import TableClient
import TableLog
import TableModel
import TableServer
import TableValue
import TableWire
import TestSupport
import Testing

/// Not SHA-256, but as long, and different for different bytes; enough where nobody attacks.
private func plainHash(_ bytes: [UInt8]) -> [UInt8] {
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
    private var bytes: [UInt8] = []

    init() {}

    mutating func update(_ span: borrowing RawSpan) {
        unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func finish() -> [UInt8] { plainHash(bytes) }
}

/// A server with one table, `stage`: columns `name` and `amount`, one row.
final class RealServer {
    private var server: Server
    private var store = MemoryLogStore()
    private var now = Now(instant: Instant(microseconds: 1), wallMilliseconds: 1_796_025_600_000)
    private var connections: Int64 = 0
    private var output: [ConnectionID: [UInt8]] = [:]
    private var answers: [AdministratorAnswer] = []
    private var someone = ConnectionID(rawValue: 0)
    private var someoneNumber: ClientNumber = 0
    private(set) var client = ConnectionID(rawValue: 0)

    /// Makes the table and somebody who has it open.
    init() {
        server = RealServer.makeServer()
        someone = connect()
        let who = Credential.token(makeToken("somebody", role: "owner"))
        say(.hello(versions: [1], features: [], client: "test"), .login(who))
        say(
            .create(
                name: "stage",
                columns: [
                    NewColumn(name: "name", type: .text), NewColumn(name: "amount", type: .int),
                ]))
        say(.open(OpenRequest(table: .name("stage"))))
        remote(
            .insertRows(
                InsertRows(rowCount: 1, columns: [.name("amount")], cells: [.int(0)])))
    }

    private static func makeServer() -> Server {
        Server(
            limits: ServerLimits(),
            environment: ServerEnvironment(
                sha256: plainHash,
                contentDigest: PlainDigest.self,
                random: SeededRandom(seed: 3)))
    }

    /// A token for a bot of that name.
    func makeToken(_ name: String, role: String) -> Text {
        turn { $0.requested(ticket: 1, .token(bot: name, role: role), at: $1, into: &$2) }
        guard case .token(let token) = answers.popLast() else {
            Issue.record("no token")
            return ""
        }
        return Text(token)
    }

    /// The client's new connection; the server may not have noticed the end of the one before.
    func connectClient() {
        client = connect()
    }

    /// Bytes of the client.
    func received(_ bytes: [UInt8]) {
        deliver(bytes, from: client)
    }

    /// What the server has to say to the client, then nothing.
    func takeOutput() -> [UInt8] {
        drain(client)
        return output.removeValue(forKey: client) ?? []
    }

    /// Somebody else does something.
    func remote(_ intents: Intent...) {
        someoneNumber += 1
        say(
            .op(
                SubmittedOp(
                    table: .name("stage"), clientNumber: someoneNumber, op: Op(body: intents))))
    }

    /// The server ends without a word and starts again on what is durable.
    func restart() {
        server = RealServer.makeServer()
        do {
            var batches: [LogBatch] = []
            for (log, _) in try store.logs() {
                try store.forEachBatch(log) { batches.append($0) }
            }
            for batch in batches { try server.recover(batch) }
        } catch {
            Issue.record("\(error)")
        }
        output = [:]
    }

    // MARK: Inside

    private func say(_ messages: ClientMessage...) {
        var bytes: [UInt8] = []
        for message in messages { write(ClientLine(message: message), to: &bytes) }
        deliver(bytes, from: someone)
    }

    private func connect() -> ConnectionID {
        connections += 1
        let id = ConnectionID(rawValue: connections)
        turn { $0.opened(id, at: $1, into: &$2) }
        return id
    }

    private func deliver(_ bytes: [UInt8], from id: ConnectionID) {
        turn { unsafe $0.received(bytes.span.bytes, from: id, at: $1, into: &$2) }
    }

    private func turn(_ event: (inout Server, Now, inout [ServerAction]) -> Void) {
        var actions: [ServerAction] = []
        event(&server, now, &actions)
        server.turnEnded(at: now, into: &actions)
        while !actions.isEmpty || server.deadline.map({ $0 <= now.instant }) ?? false {
            let current = actions
            actions = []
            for action in current { perform(action, into: &actions) }
            if server.deadline.map({ $0 <= now.instant }) ?? false {
                server.tick(at: now, into: &actions)
            }
            server.turnEnded(at: now, into: &actions)
        }
    }

    private func perform(_ action: ServerAction, into actions: inout [ServerAction]) {
        switch action {
        case .wake(let id): drain(id)
        case .close(let id, _):
            drain(id)
            server.closed(id, at: now, into: &actions)
        case .append(let ticket, let batches):
            do {
                try store.append(batches)
            } catch {
                Issue.record("\(error.reason)")
            }
            server.appended(ticket: ticket, at: now, into: &actions)
        case .readLog(let ticket, let log, let after, let byteCountMax):
            do {
                let batches = try store.read(log, after: after, byteCountMax: byteCountMax)
                server.logRead(ticket: ticket, .success(batches), at: now, into: &actions)
            } catch {
                Issue.record("\(error.reason)")
            }
        case .answerAdministrator(_, let answer): answers.append(answer)
        case .stopReading, .resumeReading, .report, .stopped: break
        }
    }

    private func drain(_ id: ConnectionID) {
        var isEmpty = false
        while !isEmpty {
            var bytes: [UInt8] = []
            server.takeOutput(for: id, into: &bytes, byteCountMax: 4_096, at: now)
            isEmpty = bytes.isEmpty
            if id != someone { output[id, default: []] += bytes }
        }
    }
}
