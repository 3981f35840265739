// The shell of the client cores: what they ask for is carried out, what they tell is checked.
import TableClient
import TableModel
import TableServer
import TableValue
import TableWire

extension World {
    /// What a client's clock says.
    var clientNow: ClientInstant { ClientInstant(microseconds: now) }

    /// A client that has not begun.
    mutating func makeClient(token: Text) -> ClientHost {
        var configuration = ClientConfiguration(
            credential: .token(token), random: SeededGenerator(seed: random.next()))
        configuration.window = Int(options[.window])
        return ClientHost(core: Client(configuration: configuration), token: token)
    }

    /// Carries out what a client's core asked for.
    mutating func performClientActions(_ client: Int) throws(Violation) {
        let actions = clientActions
        clientActions.removeAll(keepingCapacity: true)
        for action in actions { try perform(action, of: client) }
        noteClientDeadline(client)
    }

    private mutating func perform(_ action: ClientAction, of client: Int) throws(Violation) {
        switch action {
        case .connect:
            clients[client].attempt += 1
            let event = WorldEvent.dialled(client: client, attempt: clients[client].attempt)
            queue.schedule(event, at: now + random.between(delay.low, delay.high))
        case .send(let bytes):
            guard let link = clients[client].link, links[link].isOpenAtClient else { return }
            sendToServer(bytes, on: link)
        case .disconnect:
            clients[client].attempt += 1
            guard let link = clients[client].link else { return }
            clients[client].link = nil
            clients[client].isLive = false
            closeAtClient(link)
        case .notify(let notice):
            try noticed(notice, by: client)
        }
    }

    // MARK: Connecting

    /// An attempt to connect is answered.
    mutating func dialled(_ client: Int, attempt: Int) throws(Violation) {
        guard clients[client].attempt == attempt, clients[client].link == nil else { return }
        guard server.core != nil, !clients[client].isOffline else {
            note("client \(client) cannot connect")
            clients[client].core.disconnected(
                reason: "refused", at: clientNow, into: &clientActions)
            return try performClientActions(client)
        }
        clients[client].link = makeLink(.client(client))
        clients[client].core.connected(at: clientNow, into: &clientActions)
        try performClientActions(client)
    }

    /// A client's link is gone.
    mutating func lostLink(_ client: Int, _ reason: String) throws(Violation) {
        note("client \(client): \(reason)")
        clients[client].link = nil
        clients[client].isLive = false
        clients[client].core.disconnected(reason: reason, at: clientNow, into: &clientActions)
        try performClientActions(client)
    }

    /// A client that was offline, or away, is back.
    mutating func comeOnline(_ client: Int) throws(Violation) {
        clients[client].isOffline = false
        guard clients[client].isAway else { return }
        clients[client].isAway = false
        clients[client].core.start(at: clientNow, into: &clientActions)
        try performClientActions(client)
    }

    private mutating func noteClientDeadline(_ client: Int) {
        guard let deadline = clients[client].core.deadline?.microseconds else { return }
        guard clients[client].deadline.map({ deadline < $0 }) ?? true else { return }
        clients[client].deadline = deadline
        queue.schedule(.clientDeadline(client), at: max(now + 1, deadline))
    }

    /// A client's deadline may have come; it may also have moved on since it was noted.
    mutating func clientDeadline(_ client: Int) throws(Violation) {
        clients[client].deadline = nil
        if let deadline = clients[client].core.deadline, deadline <= clientNow {
            clients[client].core.tick(at: clientNow, into: &clientActions)
        }
        try performClientActions(client)
    }

    // MARK: What clients tell

    private mutating func noticed(
        _ notice: ClientNotice, by client: Int
    ) throws(Violation) {
        if case .applied = notice {} else { note("client \(client) says \(notice)") }
        switch notice {
        case .loggedIn: try loggedIn(client)
        case .opened(let opened): try heardOpened(opened, client)
        case .live(let id, let sequence):
            guard id == table else { return }
            clients[client].isLive = true
            clients[client].lastApplied = max(clients[client].lastApplied, sequence)
            try compareHash(client)
        case .applied(_, let record, _):
            let last = clients[client].lastApplied
            guard record.sequence > last else {
                throw Violation("client \(client) applied \(record.sequence) after \(last)")
            }
            clients[client].lastApplied = record.sequence
        case .decided(let id, let number, let sequence, let outcome):
            try heardDecided(id, number, sequence, outcome, client)
        case .answered(_, let message): try heardAnswer(message, client)
        case .doubted(_, let number):
            // Only where a copy went on with the session can a wanted answer be gone.
            guard clients[client].isForked else {
                throw Violation("client \(client) is in doubt about operation \(number)")
            }
        case .lineageChanged: throw Violation("client \(client) sees another history")
        case .failed(let error):
            let isFork = error.code == .sessionForked || error.code == .sessionExpired
            guard isFork && clients[client].isForked || clients[client].isOver else {
                throw Violation("client \(client) failed: \(error.code) \(error.message)")
            }
            clients[client].isOver = true
        case .reconnecting(_, let reason):
            guard World.isLikely(reason) else {
                throw Violation("client \(client) gave its connection up: \(reason)")
            }
        case .presence(_, let who):
            clients[client].present = who.map(\.name.string).sorted()
        case .lost, .renamed, .display, .unanswered, .answering: break
        }
    }

    /// True for the reasons to reconnect that faults of this world lead to; any other shows that
    /// a core was sent what makes no sense.
    private static func isLikely(_ reason: String) -> Bool {
        let likely = [
            "refused", "connection lost", "the server did not answer",
            "nothing was heard from the server", "going_away", "slow_consumer", "login_timeout",
            "storage_failed",
        ]
        return likely.contains { reason.hasPrefix($0) }
    }

    private mutating func heardOpened(_ opened: Opened, _ client: Int) throws(Violation) {
        clients[client].table = opened.table
        guard let writer = opened.writer else { return }
        if let old = clients[client].writer, old.session != writer.session {
            throw Violation("client \(client) lost its session \(old.session)")
        }
        clients[client].writer = writer
        if clients[client].lastTold > writer.lastClientNumber {
            throw Violation(
                "client \(client) was told of \(clients[client].lastTold), "
                    + "the server knows \(writer.lastClientNumber)")
        }
    }

    private mutating func heardDecided(
        _ table: TableID, _ number: ClientNumber, _ sequence: SequenceNumber?,
        _ outcome: Outcome, _ client: Int
    ) throws(Violation) {
        guard let writer = clients[client].writer else {
            throw Violation("client \(client) was told of \(number) without a session")
        }
        let last = clients[client].lastTold
        guard number > last else {
            throw Violation("client \(client) was told of \(number) after \(last)")
        }
        clients[client].lastTold = number
        let key = OpKey(session: writer.session, clientNumber: number)
        try judge.told(
            client, key, of: table.rawValue, sequence: sequence, outcome: outcome)
    }

    /// Compares what a client has with what anybody else had at the same number.
    mutating func compareHash(_ client: Int) throws(Violation) {
        guard let table,
            let (sequence, hash) = clients[client].core.contentHash(
                of: table, using: QuickDigest.self)
        else { return }
        try judge.hashed(hash, of: table.rawValue, at: sequence, by: "client \(client)")
    }
}
