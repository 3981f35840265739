// A client on a stage: the test speaks the server's lines and turns the clock, the client's
// actions are kept in order to be looked at.
import TableModel
import TableValue
import TableWire
import TestSupport
import Testing

@testable import TableClient

/// A client and everything it has done since the last look.
final class Play {
    var client: Client
    private(set) var now = ClientInstant(microseconds: 1_000_000)
    private(set) var actions: [ClientAction] = []

    /// A client that has not started.
    init(_ configure: (inout ClientConfiguration) -> Void = { _ in }, seed: UInt64 = 1) {
        var configuration = ClientConfiguration(
            credential: .token("rt1d_secret"), random: SeededRandom(seed: seed))
        configure(&configuration)
        client = Client(configuration: configuration)
    }

    // MARK: Events

    func start() { client.start(at: now, into: &actions) }
    func stop() { client.stop(at: now, into: &actions) }
    func connected() { client.connected(at: now, into: &actions) }
    func lost(_ reason: String = "reset") {
        client.disconnected(reason: reason, at: now, into: &actions)
    }

    func open(_ request: OpenRequest, restoring pending: [PendingOp] = []) {
        client.open(request, restoring: pending, at: now, into: &actions)
    }

    @discardableResult
    func submit(_ op: Op, to table: TableID = t1) -> ClientNumber? {
        client.submit(op, to: table, at: now, into: &actions)
    }

    @discardableResult
    func submit(_ intents: Intent...) -> ClientNumber? { submit(Op(body: intents)) }

    func request(_ message: ClientMessage) -> RequestID {
        client.request(message, at: now, into: &actions)
    }

    func moveCursor(_ row: RowID?, _ column: ColumnID?, isEditing: Bool = false) {
        client.moveCursor(
            in: t1, row: row, column: column, isEditing: isEditing, at: now, into: &actions)
    }

    func tick() { client.tick(at: now, into: &actions) }

    /// Turns the clock without telling the client.
    func pass(seconds: Double) { now = now.after(seconds: seconds) }

    /// Turns the clock and calls `tick`, as often as `deadline` asks for it, up to that time.
    func wait(seconds: Double) {
        let end = now.after(seconds: seconds)
        while let deadline = client.deadline, deadline <= end {
            let due = max(deadline, now)
            guard due > now || deadline <= now else { break }
            now = due
            client.tick(at: now, into: &actions)
            guard client.deadline != deadline else {
                Issue.record("tick left its deadline where it was")
                break
            }
        }
        now = end
    }

    /// Turns the clock until the client wants to connect again.
    func waitForConnect() {
        guard case .waiting(let until) = client.state else {
            Issue.record("the client does not wait to connect")
            return
        }
        now = max(now, until)
        client.tick(at: now, into: &actions)
        #expect(client.state == .connecting(since: now))
    }

    /// The server speaks.
    func hears(_ messages: ServerMessage...) {
        for message in messages { hears(line: ServerLine(message: message)) }
    }

    /// The server answers the newest request that the client sent.
    func hears(answer message: ServerMessage, to id: RequestID?) {
        hears(line: ServerLine(id: id, message: message))
    }

    func hears(line: ServerLine) {
        var bytes: [UInt8] = []
        write(line, to: &bytes)
        hears(bytes: bytes)
    }

    func hears(bytes: [UInt8]) {
        unsafe client.received(bytes.span.bytes, at: now, into: &actions)
    }

    // MARK: Looks

    /// All actions since the last look.
    func takeActions() -> [ClientAction] {
        defer { actions = [] }
        return actions
    }

    /// The messages sent since the last look; other actions are gone too.
    func takeSent() -> [ClientLine] { Play.lines(in: takeActions()) }

    /// The notices since the last look; other actions are gone too.
    func takeNotices() -> [ClientNotice] { Play.notices(in: takeActions()) }

    /// The messages among actions.
    static func lines(in actions: [ClientAction]) -> [ClientLine] {
        var lines: [ClientLine] = []
        var splitter = LineSplitter(lineBytesMax: 1 << 20)
        for case .send(let bytes) in actions {
            do {
                try unsafe splitter.append(bytes.span.bytes) { line in
                    do {
                        lines.append(try readClientLine(line, limits: WireLimits()))
                    } catch {
                        Issue.record("the client sent what cannot be read: \(error)")
                    }
                    return true
                }
            } catch {
                Issue.record("the client sent a line without end: \(error)")
            }
        }
        #expect(splitter.bufferedByteCount == 0, "the client sends whole lines")
        return lines
    }

    static func notices(in actions: [ClientAction]) -> [ClientNotice] {
        actions.compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
    }

    // MARK: Scenes

    /// Connects and logs in; what that did is not kept.
    func logIn() {
        start()
        connected()
        hears(.welcome(Welcome()), .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
    }

    /// Connects again after a loss and logs in; what that did before the login is not kept.
    func logInAgain() {
        waitForConnect()
        connected()
        _ = takeActions()
        hears(.welcome(Welcome()), .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
    }

    /// The request id of the newest `open` that waits for its answer.
    var openID: RequestID? {
        Play.lines(in: actions).last { if case .open = $0.message { true } else { false } }?.id
    }

    /// A client with t1 open and live, holding the rows of `stageTable`.
    static func live(
        window: Int = 64, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> Play {
        let play = Play(configure)
        play.open(OpenRequest(table: .name("stage")))
        play.logIn()
        play.hears(answer: .opened(opened(sequence: 10, window: window)), to: play.openID)
        play.hearsSnapshot()
        play.hears(.live(t1, sequence: 10))
        _ = play.takeActions()
        return play
    }

    /// The snapshot of the stage: three rows, three columns, at number 10.
    func hearsSnapshot(sequence: SequenceNumber = 10) {
        hears(
            .snapshot(t1, sequence: sequence, rowCount: 3, columns: stageColumns),
            .chunk(
                Chunk(
                    table: t1, rows: [row(1), row(2), row(3)], columns: stageColumns.map(\.id),
                    cells: [
                        .text("one"), .int(1), .null, .text("two"), .int(2), .null, .text("three"),
                        .int(3), .null,
                    ])),
            .snapshotEnd(t1, sequence: sequence))
    }
}

// MARK: The stage

let t1 = TableID(rawValue: 1)
/// The session of the client on stage, and of somebody else.
let mine = SessionNumber(truncating: 7)
let other = SessionNumber(truncating: 3)

func row(_ counter: UInt32, of session: SessionNumber = other) -> RowID {
    RowID(session: session, counter: counter)
}

func column(_ counter: UInt32, of session: SessionNumber = other) -> ColumnID {
    ColumnID(session: session, counter: counter)
}

let name = column(1)
let amount = column(2)
let due = column(3)

let stageColumns = [
    Column(id: name, name: "name", type: .text),
    Column(id: amount, name: "amount", type: .int),
    Column(id: due, name: "due", type: .date),
]

/// What the server says when t1 is opened.
func opened(
    sequence: SequenceNumber, lineage: Text = "history", last: ClientNumber = 0,
    session: SessionNumber? = mine, window: Int = 64, token: Text = "token-1"
) -> Opened {
    let writer = session.map {
        WriteSession(
            session: $0, token: token, lastClientNumber: last, rowCounter: 0, columnCounter: 0,
            window: window)
    }
    return Opened(
        table: t1, name: "stage", lineage: lineage, sequence: sequence, columns: stageColumns,
        rowCount: 3, role: "editor", writer: writer)
}

/// A record; of somebody else unless a client number is given.
func record(
    _ sequence: SequenceNumber, mine number: ClientNumber = 0, _ changes: Change...
) -> ServerMessage {
    .record(
        t1,
        Record(
            sequence: sequence, session: number > 0 ? mine : other,
            clientNumber: number > 0 ? number : 99, user: number > 0 ? "u2" : "u3",
            timeMilliseconds: 0, changes: changes))
}

func setCell(_ row: RowID, _ column: ColumnID, _ value: Value) -> Change {
    .cellsSet([CellChange(row: row, column: column, value: value)])
}

func edit(_ row: RowID, _ column: ColumnID, _ value: Value) -> Intent {
    .setCells([CellEdit(row: row, column: .id(column), value: value)])
}

func reply(
    _ number: ClientNumber, _ status: Outcome.Status, sequence: SequenceNumber? = nil
) -> ServerMessage {
    .reply(
        Reply(
            table: t1, clientNumber: number, sequence: sequence, outcome: Outcome(status: status),
            isExactlyOnce: true))
}

/// The operations among messages, by their numbers.
func opNumbers(_ lines: [ClientLine]) -> [ClientNumber] {
    lines.compactMap { if case .op(let op) = $0.message { op.clientNumber } else { nil } }
}

/// The decisions among notices.
func decidedNumbers(_ notices: [ClientNotice]) -> [ClientNumber] {
    notices.compactMap { if case .decided(_, let number, _, _) = $0 { number } else { nil } }
}
