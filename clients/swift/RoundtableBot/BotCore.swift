// What lives on a bot's thread: the client core's driver, the questions and operations that wait
// for their answers, and the tables that are open. It turns notices into kept promises.
// The client core decides; the next step is Sources/TableClient/Client.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire
import Transport

/// How a bot logs in, and where.
struct Login: Sendable {
    var server: HostPort
    var pin: [UInt8]
    var credential: Credential
    var clientName = "roundtable-swift"
}

/// One table that is open, or will be.
final class BotTable {
    let request: OpenRequest
    var opened: Opened?
    /// Kept once the table is here.
    var opening: Promise<Opened>?
    /// Why nothing more can come of it.
    var failure: BotError?
    /// Operations that are not decided, by their numbers; never iterated for an effect's order.
    var operations: [ClientNumber: Operation] = [:]
    var watchers: [WatchBuffer] = []
    /// Calls that wait for a record's number.
    var arrivals: [(sequence: SequenceNumber, promise: Promise<Bool>)] = []
    var sequence: SequenceNumber = 0

    init(_ request: OpenRequest) {
        self.request = request
    }
}

/// A question that has no answer yet.
private struct Question {
    let message: ClientMessage
    /// How often it may be asked, this time included.
    let attempts: Int
    let promise: Promise<ServerMessage>
}

/// Everything of one bot that is confined to its thread.
final class BotCore {
    /// nil where it could not be made; then `failure` says why.
    let driver: ClientDriver?
    private let waiting: WaitingCalls?
    /// Why nothing more can come.
    private(set) var failure: BotError?
    private(set) var isOver = false
    /// True once nobody is left who could call.
    var isReleased = false
    private(set) var user: (id: String, name: String, token: String?)?
    private var logins: [Promise<Void>] = []
    private var questions: [RequestID: Question] = [:]
    private var trouble = "no connection yet"
    private var isConnected = false
    var tables: [TableID: BotTable] = [:]
    /// The tables that are being opened, one after another.
    private var openings: [BotTable] = []

    init(_ login: Login) throws(TransportError) {
        var configuration = ClientConfiguration(
            credential: login.credential, random: SecureRandom())
        configuration.clientName = Text(login.clientName)
        configuration.window = 1_024
        let loop = try EventLoop()
        let driver = try ClientDriver(
            on: loop, server: login.server, pin: login.pin, configuration: configuration)
        self.driver = driver
        let waiting = WaitingCalls(on: loop)
        self.waiting = waiting
        waiting.lateness = { [unowned self] in
            isConnected
                ? BotError(.outOfTime, "going_away", "no answer came within the time")
                : BotError(.unreachable, "going_away", "\(login.server): \(trouble)")
        }
        driver.perform { $0.start(at: $1, into: &$2) }
    }

    init(broken failure: BotError) {
        driver = nil
        waiting = nil
        self.failure = failure
    }

    /// True while a watcher that has this connection to itself is far behind.
    var isFull: Bool { tables.values.contains { $0.watchers.contains(where: \.isFull) } }

    // MARK: Calls

    func register(_ call: Waiting) {
        if let failure { return call.fail(failure) }
        waiting?.register(call)
    }

    func cancel(_ ticket: Ticket) {
        waiting?.cancel(ticket)
    }

    func logIn(_ promise: Promise<Void>) {
        if user != nil, isConnected { promise.succeed(()) } else { logins.append(promise) }
    }

    /// Asks something, up to `attempts` times where the connection breaks before the answer.
    func ask(_ message: ClientMessage, attempts: Int, _ promise: Promise<ServerMessage>) {
        guard let driver else { return }
        let id = driver.perform { $0.request(message, at: $1, into: &$2) }
        questions[id] = Question(message: message, attempts: attempts, promise: promise)
    }

    func say(_ body: @escaping (inout Client, ClientInstant, inout [ClientAction]) -> Void) {
        driver?.perform(body)
    }

    func open(
        _ request: OpenRequest, watcher: WatchBuffer? = nil, _ promise: Promise<Opened>
    ) {
        let isTaken =
            tables.values.contains { $0.failure == nil && $0.request.table == request.table }
            || openings.contains { $0.request.table == request.table }
        guard !isTaken else {
            return promise.fail(
                BotError(.requestFailed, "already_open", "this bot has the table open already"))
        }
        let table = BotTable(request)
        table.opening = promise
        if let watcher { table.watchers.append(watcher) }
        openings.append(table)
        if openings.count == 1 { beginOpening() }
    }

    private func beginOpening() {
        guard let request = openings.first?.request else { return }
        driver?.perform { $0.open(request, at: $1, into: &$2) }
    }

    func submit(_ op: Op, to id: TableID) -> Result<Operation, BotError> {
        guard let table = tables[id], let driver else { return .failure(failure ?? .closed) }
        if let failure = failure ?? table.failure { return .failure(failure) }
        guard table.opened?.writer != nil else {
            return .failure(
                BotError(.requestFailed, "forbidden", "the table is not open for writing"))
        }
        guard let number = driver.perform({ $0.submit(op, to: id, at: $1, into: &$2) }) else {
            return .failure(
                BotError(
                    .rejected, "too_many_parts",
                    "the operation is too long for one line, or too many wait; split it"))
        }
        let operation = Operation(number: number)
        table.operations[number] = operation
        return .success(operation)
    }

    func replica(of id: TableID) -> Table? {
        driver?.perform { client, _, _ in client.replica(of: id)?.confirmed } ?? nil
    }

    /// Leaves in order; nothing runs here afterwards.
    func end() {
        guard !isOver else { return }
        driver?.leave()
        fail(.closed)
        isOver = true
    }

    // MARK: Notices

    func takeNotices() {
        while let notice = driver?.takeNotice() { take(notice) }
    }

    private func take(_ notice: ClientNotice) {
        switch notice {
        case .loggedIn(let user, let name, _, let token):
            isConnected = true
            self.user = (user.string, name.string, token?.string ?? self.user?.token)
            let waiting = logins
            logins = []
            for promise in waiting { promise.succeed(()) }
        case .reconnecting(_, let reason): lost(reason)
        case .answered(let id, let answer): answered(id, answer)
        case .opened(let opened): self.opened(opened)
        case .live(let id, let sequence):
            guard let table = tables[id] else { return }
            advance(table, to: sequence)
            if let opened = table.opened { table.opening?.succeed(opened) }
            table.opening = nil
        case .applied(let id, let record, let isMine): applied(id, record, isMine)
        case .decided(let id, let number, let sequence, let outcome):
            let operation = tables[id]?.operations.removeValue(forKey: number)
            operation?.settle(.success(Outcome(outcome, sequence: sequence)))
        case .doubted(let id, let number):
            let error = BotError(
                .inDoubt, "session_expired", "what became of it is not known any more")
            tables[id]?.operations.removeValue(forKey: number)?.settle(.failure(error))
        case .lineageChanged(let id, _): lineageChanged(id)
        case .failed(let error): failed(error)
        case .renamed(let id, let name): tables[id]?.opened?.name = name
        case .lost, .presence, .display, .unanswered, .answering: break
        }
    }

    private func lost(_ reason: String) {
        isConnected = false
        trouble = driver?.failure?.reason ?? reason
        guard driver?.failure?.kind == .wrongServer else { return }
        fail(BotError(.notTrusted, "login_failed", trouble))
    }

    private func answered(_ id: RequestID, _ answer: ServerMessage) {
        guard let asked = questions.removeValue(forKey: id) else { return }
        let promise = asked.promise
        guard case .error(let error) = answer else { return promise.succeed(answer) }
        guard error.code == .internalError else { return promise.fail(BotError(error)) }
        // The core's own word for a question whose connection broke.
        guard asked.attempts > 1 else { return promise.fail(BotError(error, kind: .inDoubt)) }
        if !promise.isKept { ask(asked.message, attempts: asked.attempts - 1, promise) }
    }

    private func opened(_ opened: Opened) {
        if let table = tables[opened.table], table.failure == nil {
            table.opened = opened
            return
        }
        guard !openings.isEmpty else { return }
        let table = openings.removeFirst()
        table.opened = opened
        table.sequence = opened.sequence
        tables[opened.table] = table
        if !table.request.follow || table.request.start == .head {
            table.opening?.succeed(opened)
            table.opening = nil
        }
        beginOpening()
    }

    private func applied(_ id: TableID, _ record: TableModel.Record, _ isMine: Bool) {
        guard let table = tables[id] else { return }
        advance(table, to: record.sequence)
        guard !table.watchers.isEmpty else { return }
        let lineage = table.opened?.lineage.string ?? ""
        let shown = Record(record, lineage: lineage, isMine: isMine)
        for watcher in table.watchers { watcher.append(shown) }
        table.watchers.removeAll(where: \.isOver)
    }

    private func lineageChanged(_ id: TableID) {
        let error = BotError(
            .sessionLost, "lineage_changed", "the server holds another history of this table")
        if let table = tables[id] { return fail(table, error) }
        // A place to go on from was given, and it is not of this history.
        guard let table = openings.first else { return }
        openings.removeFirst()
        fail(table, error)
    }

    private func advance(_ table: BotTable, to sequence: SequenceNumber) {
        table.sequence = max(table.sequence, sequence)
        guard !table.arrivals.isEmpty else { return }
        for arrival in table.arrivals where arrival.sequence <= table.sequence {
            arrival.promise.succeed(true)
        }
        table.arrivals.removeAll { $0.sequence <= table.sequence }
    }

    // MARK: Failure

    private func failed(_ error: ErrorMessage) {
        if let id = error.table, let table = tables[id], table.failure == nil {
            let isFinal: [WireCode] = [
                .sessionForked, .sessionExpired, .lineageChanged, .tableDeleted, .noSession,
            ]
            let kind: BotError.Kind =
                isFinal.contains(error.code) ? .sessionLost : .requestFailed
            fail(table, BotError(error, kind: kind))
        } else if !openings.isEmpty, isConnected {
            openings.removeFirst().opening?.fail(BotError(error))
            beginOpening()
        } else {
            fail(BotError(error))
        }
    }

    private func fail(_ table: BotTable, _ error: BotError) {
        table.failure = error
        table.opening?.fail(error)
        table.opening = nil
        for (_, operation) in table.operations.sorted(by: { $0.key < $1.key }) {
            operation.settle(.failure(error))
        }
        table.operations = [:]
        for watcher in table.watchers { watcher.end(error) }
        table.watchers = []
        for arrival in table.arrivals { arrival.promise.fail(error) }
        table.arrivals = []
    }

    /// Nothing more will come: everything that waits is told why.
    private func fail(_ error: BotError) {
        failure = failure ?? error
        for (_, table) in tables.sorted(by: { $0.key < $1.key }) where table.failure == nil {
            fail(table, error)
        }
        for table in openings { table.opening?.fail(error) }
        openings = []
        questions = [:]
        logins = []
        waiting?.failAll(error)
    }
}
