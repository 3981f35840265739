// The shell of the server core: events wait for a turn, the turn's actions are carried out, and
// then what the connections are owed leaves. A crash loses everything but the disk.
import TableLog
import TableModel
import TableServer
import TableWire

extension World {
    /// What the server's clocks say.
    private var serverNow: Now {
        Now(
            instant: Instant(microseconds: now),
            wallMilliseconds: 1_796_000_000_000 + now / 1_000 + server.wallOffset)
    }

    /// The limits of every server of this world.
    private var serverLimits: ServerLimits {
        var limits = ServerLimits()
        limits.ringBytes = Int(options[.ringBytes])
        limits.catchUpBytes = Int(options[.catchUpBytes])
        limits.chunkRowsMax = Int(options[.chunkRows])
        // So that copies are shared often.
        limits.snapshotCopiesMax = 1
        limits.windowOps = Int(options[.window])
        return limits
    }

    /// A server that knows what the disk has.
    ///
    /// - Parameter random: where its secrets come from.
    /// - Returns: a server that has read every log.
    /// - Throws: `Violation` where it cannot.
    func makeServer(_ random: SeededGenerator) throws(Violation) -> Server {
        let environment = ServerEnvironment(
            sha256: { QuickDigest.digest($0) },
            contentDigest: QuickDigest.self, random: random)
        var core = Server(limits: serverLimits, environment: environment)
        for log in disk.logs {
            for batch in mischief.recovered(disk.allBatches(of: log)) {
                do {
                    try core.recover(batch)
                } catch {
                    throw Violation(
                        "log \(log) cannot be recovered at \(error.sequence): "
                            + error.reason)
                }
            }
        }
        return core
    }

    /// Starts the server, unless it runs.
    mutating func startServer() throws(Violation) {
        guard server.core == nil else { return }
        server.boot += 1
        server.core = try makeServer(SeededGenerator(seed: random.next()))
        server.deadline = nil
        server.downMilliseconds = nil
        if server.boot > 1 { verdict.restarts += 1 }
        note("server starts, boot \(server.boot)")
        scheduleTurn()
    }

    // MARK: Turns

    /// Puts an event before the server's next turn.
    mutating func receive(_ event: ServerEvent) {
        guard server.core != nil else { return }
        server.inbox.append(event)
        scheduleTurn()
    }

    /// Has the server run a turn soon.
    mutating func scheduleTurn() {
        guard !server.isTurnScheduled, server.core != nil else { return }
        server.isTurnScheduled = true
        let wait = random.between(0, options[.turnMicrosecondsMax])
        queue.schedule(.turn(boot: server.boot), at: now + wait)
    }

    /// One turn: all events that wait, the decision, its actions, the output.
    mutating func turn(boot: Int) throws(Violation) {
        guard boot == server.boot, server.core != nil else { return }
        server.isTurnScheduled = false
        let inbox = server.inbox
        server.inbox.removeAll(keepingCapacity: true)
        for event in inbox { give(event) }
        let moment = serverNow
        server.core?.turnEnded(at: moment, into: &serverActions)
        try performServerActions()
        try flushOutput()
        noteServerDeadline()
    }

    private mutating func give(_ event: ServerEvent) {
        let now = serverNow
        switch event {
        case .opened(let connection):
            server.core?.opened(connection, at: now, into: &serverActions)
        case .received(let connection, let bytes):
            guard links[link(of: connection)].isOpenAtServer else { return }
            unsafe server.core?.received(
                bytes.span.bytes, from: connection, at: now, into: &serverActions)
        case .closed(let connection):
            server.core?.closed(connection, at: now, into: &serverActions)
        case .appended(let ticket):
            server.core?.appended(ticket: ticket, at: now, into: &serverActions)
        case .appendFailed(let ticket):
            let error = LogStoreError(kind: .failed, reason: "a fault of the plan")
            server.core?.appendFailed(ticket: ticket, error, at: now, into: &serverActions)
        case .read(let ticket, let log, let after, let byteCountMax):
            let batches = disk.read(log, after: after, byteCountMax: byteCountMax)
            server.core?.logRead(
                ticket: ticket, .success(batches), at: now, into: &serverActions)
        case .deadline:
            server.core?.tick(at: now, into: &serverActions)
        case .requested(let ticket, let request):
            server.core?.requested(ticket: ticket, request, at: now, into: &serverActions)
        case .stopRequested:
            server.core?.stopRequested(at: now, into: &serverActions)
        }
    }

    private mutating func performServerActions() throws(Violation) {
        let actions = serverActions
        serverActions.removeAll(keepingCapacity: true)
        for action in actions { try perform(action) }
    }

    private mutating func perform(_ action: ServerAction) throws(Violation) {
        switch action {
        case .wake(let connection):
            links[link(of: connection)].wantsOutput = true
        case .stopReading(let connection):
            links[link(of: connection)].toServer.isPaused = true
        case .resumeReading(let connection):
            let link = link(of: connection)
            links[link].toServer.isPaused = false
            queue.schedule(.arrived(link: link, atServer: true), at: now)
        case .close(let connection, let afterOutput):
            let link = link(of: connection)
            if afterOutput {
                links[link].isClosingAfterOutput = true
                links[link].wantsOutput = true
            } else {
                closeAtServer(link)
            }
        case .append(let ticket, let batches): try append(ticket, batches)
        case .readLog(let ticket, let log, let after, let byteCountMax):
            let event = WorldEvent.read(
                boot: server.boot, ticket: ticket, log: log, after: after,
                byteCountMax: byteCountMax)
            queue.schedule(event, at: now + storeMicroseconds())
        case .report(let level, let text):
            note("server reports \(level): \(text)")
        case .answerAdministrator(let ticket, let answer):
            try administratorAnswered(ticket, answer)
        case .stopped: stopped()
        }
    }

    /// Lets go of what each connection is owed, as far as there is room under way.
    private mutating func flushOutput() throws(Violation) {
        let moment = serverNow
        for link in links.indices where links[link].wantsOutput {
            guard links[link].isOpenAtServer, links[link].boot == server.boot else {
                links[link].wantsOutput = false
                continue
            }
            while links[link].wantsOutput,
                links[link].toClient.byteCount < Int(options[.pipeBytesMax])
            {
                var buffer: [UInt8] = []
                let connection = links[link].connection
                let byteCountMax = Int(options[.takeBytesMax])
                server.core?.takeOutput(
                    for: connection, into: &buffer, byteCountMax: byteCountMax, at: moment)
                buffer = mischief.serverSent(buffer, on: link)
                guard !buffer.isEmpty else {
                    links[link].wantsOutput = false
                    break
                }
                let checked = buffer
                do {
                    try links[link].monitor.serverSent(checked, judge: &judge)
                } catch { throw Violation("link \(link): \(error.reason)") }
                sendToClient(checked, on: link)
            }
            if !links[link].wantsOutput, links[link].isClosingAfterOutput { closeAtServer(link) }
        }
    }

    private mutating func noteServerDeadline() {
        guard let deadline = server.core?.deadline?.microseconds else { return }
        guard server.deadline.map({ deadline < $0 }) ?? true else { return }
        server.deadline = deadline
        queue.schedule(.serverDeadline(boot: server.boot), at: max(now + 1, deadline))
    }

    // MARK: The disk

    private mutating func storeMicroseconds() -> Int64 {
        random.between(50, isCalm ? 500 : options[.storeMicrosecondsMax])
    }

    private mutating func append(_ ticket: Int64, _ batches: [LogBatch]) throws(Violation) {
        let batches = batches.map { mischief.stored($0) }
        guard disk.begin(ticket: ticket, batches) else {
            throw Violation("the server appends while an append is under way")
        }
        note("append \(ticket): \(batches.map { "\($0.log) \($0.first)…\($0.last)" })")
        queue.schedule(.stored(boot: server.boot, ticket: ticket), at: now + storeMicroseconds())
        if mischief.bug == .broadcastBeforeDurable { receive(.appended(ticket: ticket)) }
    }

    /// The disk has what was appended: it is durable, though the server does not know yet.
    mutating func stored(boot: Int, ticket: Int64) throws(Violation) {
        guard boot == server.boot else { return }
        if let isStored = storeFault {
            storeFault = nil
            return try failAppend(ticket, isStored: isStored)
        }
        guard let batches = disk.commit(ticket: ticket) else { return }
        try judge.committed(batches)
        let wait = random.between(0, isCalm ? 200 : options[.acknowledgeMicrosecondsMax])
        queue.schedule(.acknowledged(boot: boot, ticket: ticket), at: now + wait)
    }

    /// An append fails; it may be stored all the same.
    private mutating func failAppend(_ ticket: Int64, isStored: Bool) throws(Violation) {
        note("append \(ticket) fails, stored: \(isStored)")
        if isStored, let batches = disk.commit(ticket: ticket) { try judge.committed(batches) }
        disk.crash()
        receive(.appendFailed(ticket: ticket))
    }

    /// The server learns that an append is done.
    mutating func acknowledged(boot: Int, ticket: Int64) {
        guard boot == server.boot, disk.finish(ticket: ticket) else { return }
        if mischief.bug != .broadcastBeforeDurable { receive(.appended(ticket: ticket)) }
    }

    // MARK: Stopping

    /// The machine stops at once: what was under way breaks at some byte.
    mutating func crash(_ milliseconds: Int64, _ generator: SeededGenerator) {
        guard server.core != nil else { return }
        note("server crashes")
        var generator = generator
        disk.crash()
        if let log = mischief.logToForget(in: disk) { disk.forgetLastBatch(of: log) }
        for link in links.indices where links[link].isOpenAtServer {
            links[link].isOpenAtServer = false
            let underWay = links[link].toClient.byteCount
            links[link].toClient.cut(keeping: generator.below(underWay + 1))
            let wait = generator.chance(12) ? 120_000_000 : generator.between(1, 50_000)
            let time = max(now, links[link].toClient.lastByteDue) + wait
            queue.schedule(.ended(link: link, atServer: false), at: time)
        }
        bringDown(milliseconds)
    }

    /// The orderly stop is complete.
    private mutating func stopped() {
        note("server has stopped")
        disk.crash()
        let milliseconds = server.downMilliseconds ?? 0
        for link in links.indices where links[link].isOpenAtServer { closeAtServer(link) }
        bringDown(milliseconds)
    }

    private mutating func bringDown(_ milliseconds: Int64) {
        server.core = nil
        server.boot += 1
        server.inbox = []
        server.isTurnScheduled = false
        server.downMilliseconds = nil
        queue.schedule(.started, at: now + milliseconds * 1_000)
    }
}
