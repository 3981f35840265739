// The real server core in memory, in the test's own thread, with a table and somebody who edits
// it by operations; people with terminals sit down at it (Seat.swift).
import TableClient
import TableLog
import TableModel
import TableServer
import TableValue
import TableWire
import TestSupport
import Testing

/// A digest of nothing: no test here asks for a hash.
private struct NoDigest: ContentDigest {
    mutating func update(_ bytes: borrowing RawSpan) {}
    mutating func finish() -> [UInt8] { Array(repeating: 0, count: 32) }
}

/// A server with one table, `stock`, and its owner.
final class Stage {
    private var server: Server
    private var store = MemoryLogStore()
    private(set) var now = Now(
        instant: Instant(microseconds: 1), wallMilliseconds: 1_796_025_600_000)
    private var connections: Int64 = 0
    private var output: [ConnectionID: [UInt8]] = [:]
    private var answers: [AdministratorAnswer] = []
    private var owner = ConnectionID(rawValue: 0)
    private var ownerNumber: ClientNumber = 0
    private var seats: [Seat] = []

    /// A table with columns like `name:text qty:int state:choice|open|done` and rows of texts, `∅`
    /// for null.
    init(_ columns: String, rows: [[String]] = []) {
        server = Server(
            limits: ServerLimits(),
            environment: ServerEnvironment(
                sha256: plainHash, contentDigest: NoDigest.self,
                random: SeededRandom(seed: 3)))
        owner = connect()
        let token = makeToken("bob", role: "owner")
        say(.hello(versions: [1], features: [], client: "test"), .login(.token(token)))
        let made = Stage.columns(columns)
        say(.create(name: "stock", columns: made))
        say(.open(OpenRequest(table: .name("stock"))))
        insert(rows, made)
    }

    private static func columns(_ text: String) -> [NewColumn] {
        text.split(separator: " ").compactMap { word -> NewColumn? in
            let parts = word.split(separator: ":")
            let type = parts.last?.split(separator: "|") ?? []
            guard parts.count == 2, let kind = ColumnType(rawValue: String(type[0])) else {
                return nil
            }
            let rules = ColumnRules(choices: type.dropFirst().map { Text(String($0)) })
            return NewColumn(name: Text(String(parts[0])), type: kind, rules: rules.tree)
        }
    }

    /// Another table of the same server, made as the first.
    func make(_ name: Text, _ columns: String, rows: [[String]]) {
        let made = Stage.columns(columns)
        say(.create(name: name, columns: made))
        insert(rows, made, into: name)
    }

    private func insert(
        _ rows: [[String]], _ columns: [NewColumn], into table: Text = "stock"
    ) {
        guard !rows.isEmpty, !columns.isEmpty else { return }
        for start in stride(from: 0, to: rows.count, by: 2_000) {
            let part = rows[start..<min(rows.count, start + 2_000)]
            let cells = part.flatMap { row in
                zip(row, columns).map { text, column -> Value in
                    if text == "∅" { return .null }
                    if column.type == .bool { return .bool(text == "true") }
                    return (try? Value(Text(text), as: column.type)) ?? .null
                }
            }
            let insertion = Intent.insertRows(
                InsertRows(
                    rowCount: part.count, columns: columns.map { .name($0.name) }, cells: cells))
            if table == "stock" {
                remote(insertion)
            } else {
                let op = Op(body: [insertion])
                say(.op(SubmittedOp(table: .name(table), clientNumber: 0, op: op)))
            }
        }
    }

    /// A token for somebody of that name.
    func makeToken(_ name: String, role: String) -> Text {
        turn { $0.requested(ticket: 1, .token(bot: name, role: role), at: $1, into: &$2) }
        guard case .token(let token) = answers.popLast() else {
            Issue.record("no token")
            return ""
        }
        return Text(token)
    }

    /// Somebody sits down with a terminal, and sees the table.
    func seat(
        _ name: String = "ann", role: String = "editor", width: Int = 60, height: Int = 12,
        _ configure: (inout Seat.Setup) -> Void = { _ in }
    ) -> Seat {
        var setup = Seat.Setup(width: width, height: height)
        configure(&setup)
        let seat = Seat(at: self, token: makeToken(name, role: role), setup)
        seats.append(seat)
        settle()
        // Who is here is told some times a second.
        pass(milliseconds: 300)
        return seat
    }

    /// The owner, bob, does something.
    func remote(_ intents: Intent...) {
        ownerNumber += 1
        say(
            .op(
                SubmittedOp(
                    table: .name("stock"), clientNumber: ownerNumber, op: Op(body: intents))))
        settle()
    }

    /// Somebody who is not at the table, and whom nobody has seen there, does something.
    func stranger(_ name: String, _ intents: Intent...) {
        let token = makeToken(name, role: "owner")
        let id = connect()
        say(.hello(versions: [1], features: [], client: "test"), .login(.token(token)), from: id)
        for intent in intents {
            let op = SubmittedOp(
                table: .name("stock"), clientNumber: 0, op: Op(body: [intent]))
            say(.op(op), from: id)
        }
        settle()
        close(id)
    }

    /// Bob asks something about tables as a whole.
    func ask(_ message: ClientMessage) {
        say(message)
        settle()
    }

    /// The owner's cursor goes somewhere.
    func remoteCursor(_ row: RowID?, _ column: ColumnID?, isEditing: Bool = false) {
        say(.presence(.name("stock"), row: row, column: column, isEditing: isEditing))
        pass(milliseconds: 300)
    }

    /// Delivers everything until nobody has anything to say.
    func settle() {
        for _ in 0..<500 {
            var wasQuiet = true
            for seat in seats where seat.exchange() { wasQuiet = false }
            if wasQuiet { return }
        }
        Issue.record("the stage does not come to rest")
    }

    /// Turns the clock, with everything that is due on the way.
    func pass(milliseconds: Int64) {
        let end = now.instant.microseconds + milliseconds * 1_000
        while now.instant.microseconds < end {
            let step = min(end - now.instant.microseconds, 50_000)
            now.instant = Instant(microseconds: now.instant.microseconds + step)
            turn { $0.tick(at: $1, into: &$2) }
            for seat in seats { seat.tick() }
            settle()
        }
    }

    // MARK: For seats

    func connect() -> ConnectionID {
        connections += 1
        let id = ConnectionID(rawValue: connections)
        turn { $0.opened(id, at: $1, into: &$2) }
        return id
    }

    func close(_ id: ConnectionID) {
        turn { $0.closed(id, at: $1, into: &$2) }
        output[id] = nil
    }

    func deliver(_ bytes: [UInt8], from id: ConnectionID) {
        turn { unsafe $0.received(bytes.span.bytes, from: id, at: $1, into: &$2) }
    }

    /// What the server has to say to a connection.
    func takeOutput(for id: ConnectionID) -> [UInt8] {
        drain(id)
        return output.removeValue(forKey: id) ?? []
    }

    // MARK: Inside

    private func say(_ messages: ClientMessage..., from id: ConnectionID? = nil) {
        var bytes: [UInt8] = []
        for message in messages { write(ClientLine(message: message), to: &bytes) }
        deliver(bytes, from: id ?? owner)
    }

    private func turn(_ event: (inout Server, Now, inout [ServerAction]) -> Void) {
        var actions: [ServerAction] = []
        event(&server, now, &actions)
        server.turnEnded(at: now, into: &actions)
        while !actions.isEmpty {
            let current = actions
            actions = []
            for action in current { perform(action, into: &actions) }
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
            server.takeOutput(for: id, into: &bytes, byteCountMax: 65_536, at: now)
            isEmpty = bytes.isEmpty
            if id != owner { output[id, default: []] += bytes }
        }
    }
}

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

/// A stage whose table has a name and a quantity, of which one is empty.
func fruitStage() -> Stage {
    Stage("name:text qty:int", rows: [["apple", "12"], ["pear", "7"], ["fig", "∅"]])
}
