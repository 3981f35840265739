// What the steps of a plan do to a world. A step whose time is not right (a client that is not
// there, a server that is down) does nothing, so that any plan can be carried out.
import TableClient
import TableModel
import TableServer
import TableWire

extension World {
    /// Does what a step says.
    mutating func carryOut(_ action: StepAction) throws(Violation) {
        note("step \(action.text)")
        switch action {
        case .submit(let client, let kind, let seed):
            try submit(client, kind, SeededGenerator(seed: seed))
        case .cursor(let client, let seed): try moveCursor(client, SeededGenerator(seed: seed))
        case .cut(let client, let seed): cut(client, SeededGenerator(seed: seed))
        case .offline(let client, let milliseconds):
            guard isPresent(client) else { return }
            clients[client].isOffline = true
            cut(client, SeededGenerator(seed: UInt64(bitPattern: now)))
            queue.schedule(.online(client), at: now + milliseconds * 1_000)
        case .stall(let client, let milliseconds): stall(client, milliseconds)
        case .leave(let client, let milliseconds): try leave(client, milliseconds)
        case .restart(let client, let milliseconds): try restart(client, milliseconds)
        case .join(let client): try join(client)
        case .fork(let client): try fork(client)
        case .bot(let seed): sendBot(SeededGenerator(seed: seed))
        case .garbage(let seed): sendGarbage(SeededGenerator(seed: seed))
        case .failStore(let isStored): storeFault = isStored
        case .crash(let milliseconds, let seed):
            crash(milliseconds, SeededGenerator(seed: seed))
        case .stop(let milliseconds):
            guard server.core != nil, server.downMilliseconds == nil else { return }
            server.downMilliseconds = milliseconds
            receive(.stopRequested)
        case .clock(let milliseconds): server.wallOffset += milliseconds
        }
    }

    /// True where a client of that number runs.
    func isPresent(_ client: Int) -> Bool {
        clients.indices.contains(client) && clients[client].isStarted && !clients[client].isOver
    }

    private mutating func submit(
        _ client: Int, _ kind: OpKind, _ random: SeededGenerator
    ) throws(Violation) {
        guard isPresent(client), let table, let replica = clients[client].core.replica(of: table)
        else { return }
        var maker = OpMaker(
            random: random, rowPool: rowPool, columnPool: columnPool, replica: replica,
            table: table)
        let op = maker.make(kind, by: &clients[client].core)
        try submit(op, by: client)
    }

    /// Gives an operation to a client's core.
    mutating func submit(_ op: Op, by client: Int) throws(Violation) {
        guard let table, let writer = clients[client].writer else { return }
        let number = clients[client].core.submit(
            op, to: table, at: clientNow, into: &clientActions)
        guard let number else { return try performClientActions(client) }
        let key = OpKey(session: writer.session, clientNumber: number)
        note("client \(client) submits \(key.session) \(number): \(op)")
        judge.submitted(
            asSent(op, number, by: client), key, to: table.rawValue, by: client,
            isEditor: clients[client].isEditor)
        for intent in op.body {
            if case .insertRows(let insert) = intent { rowPool.append(contentsOf: insert.ids) }
            if case .addColumn(let add) = intent, let id = add.id { columnPool.append(id) }
        }
        try performClientActions(client)
    }

    /// The operation as its line says it: a date and its text are the same there.
    private func asSent(_ op: Op, _ number: ClientNumber, by client: Int) -> Op {
        guard let table else { return op }
        let pending = clients[client].core.pendingOps(in: table)
        guard let line = pending.last(where: { $0.clientNumber == number })?.line,
            case .op(let submitted)? = try? readClientMessage(line).message
        else { return op }
        return submitted.op
    }

    private mutating func moveCursor(
        _ client: Int, _ generator: SeededGenerator
    ) throws(Violation) {
        guard isPresent(client), let table else { return }
        var generator = generator
        clients[client].core.moveCursor(
            in: table, row: generator.pick(rowPool), column: generator.pick(columnPool),
            at: clientNow, into: &clientActions)
        try performClientActions(client)
    }

    private mutating func stall(_ client: Int, _ milliseconds: Int64) {
        guard isPresent(client), let link = clients[client].link else { return }
        links[link].toClient.isPaused = true
        queue.schedule(.reading(client), at: now + milliseconds * 1_000)
    }

    private mutating func leave(_ client: Int, _ milliseconds: Int64) throws(Violation) {
        guard isPresent(client), !clients[client].isAway else { return }
        clients[client].isAway = true
        clients[client].core.stop(at: clientNow, into: &clientActions)
        try performClientActions(client)
        queue.schedule(.online(client), at: now + milliseconds * 1_000)
    }

    /// A client of that number begins, if it has not.
    mutating func join(_ client: Int) throws(Violation) {
        guard clients.indices.contains(client), !clients[client].isStarted else { return }
        clients[client].isStarted = true
        note("client \(client) starts")
        clients[client].core.start(at: clientNow, into: &clientActions)
        try performClientActions(client)
    }

    /// A client that has what another one kept in its file: session and pending operations.
    private mutating func makeCopy(of client: Int) -> ClientHost? {
        guard isPresent(client), let table, let writer = clients[client].writer else { return nil }
        let pending = clients[client].core.pendingOps(in: table)
        let next = clients[client].lastTold + 1
        var request = OpenRequest(table: .id(table))
        request.resume = .init(session: writer.session, token: writer.token, next: next)
        request.window = Int(options[.window])
        var copy = makeClient(token: clients[client].token)
        copy.name = clients[client].name
        copy.isEditor = clients[client].isEditor
        copy.isForked = clients[client].isForked
        copy.isStarted = true
        copy.hasAskedToOpen = true
        copy.lastTold = next - 1
        copy.writer = writer
        copy.core.open(request, restoring: pending, at: clientNow, into: &clientActions)
        return copy
    }

    /// A client's process ends; the next one begins with what was kept.
    private mutating func restart(_ client: Int, _ milliseconds: Int64) throws(Violation) {
        guard isPresent(client), !clients[client].isAway, var copy = makeCopy(of: client) else {
            return
        }
        if let link = clients[client].link { closeAtClient(link) }
        copy.isAway = true
        copy.attempt = clients[client].attempt + 1
        clients[client] = copy
        note("client \(client) is killed")
        try performClientActions(client)
        queue.schedule(.online(client), at: now + milliseconds * 1_000)
    }

    /// A new client goes on with another one's session, as from a copied file.
    private mutating func fork(_ client: Int) throws(Violation) {
        guard var copy = makeCopy(of: client) else { return }
        copy.isForked = true
        clients[client].isForked = true
        clients.append(copy)
        let place = clients.count - 1
        note("client \(place) goes on with the session of client \(client)")
        try performClientActions(place)
        clients[place].core.start(at: clientNow, into: &clientActions)
        try performClientActions(place)
    }

    /// A bot comes, says everything at once, and waits for its answer.
    private mutating func sendBot(_ generator: SeededGenerator) {
        guard server.core != nil, let table, let botColumn, let token = tokens[0] else { return }
        var generator = generator
        let tag = "bot \(bots.count)"
        let link = makeLink(.bot(bots.count))
        bots.append(RawBot(tag: tag, link: link))
        let op = RawBot.op(
            tag: tag, row: generator.chance(70) ? generator.pick(rowPool) : nil,
            column: botColumn, random: &generator)
        judge.tables[table.rawValue, default: TableJudge()].botOps[tag] = .init(op: op)
        let submitted = SubmittedOp(table: .id(table), clientNumber: 0, op: op)
        sendToServer(RawBot.lines(token: token, op: submitted), on: link)
    }

    /// Somebody sends what is no protocol: the server ends that connection and no other.
    private mutating func sendGarbage(_ generator: SeededGenerator) {
        guard server.core != nil else { return }
        var generator = generator
        let link = makeLink(.bot(bots.count))
        bots.append(RawBot(tag: "garbage \(bots.count)", link: link))
        sendToServer(RawBot.garbage(&generator, token: tokens[1]), on: link)
    }
}
