// The connection's life: connect, log in, keep alive, lose, wait, again; or fail for good.
// Sockets are the runtime's; what is said on an open connection is in Client+Messages.swift.
import TableModel
import TableValue
import TableWire

extension Client {
    /// True while bytes can be sent.
    var isConnected: Bool { state == .greeting || state == .ready }

    /// True while `connect` is asked for and not answered.
    var isConnecting: Bool {
        if case .connecting = state { true } else { false }
    }

    // MARK: Events

    /// The connection that `connect` asked for stands, its TLS handshake done.
    package mutating func connected(at now: ClientInstant, into actions: inout [ClientAction]) {
        guard isConnecting else { return }
        state = .greeting
        splitter = LineSplitter(lineBytesMax: configuration.wire.lineBytesMax)
        lastHeard = now
        lastPing = now
        say(.hello(versions: [1], features: [], client: configuration.clientName))
        say(.login(configuration.credential))
        flush(at: now, into: &actions)
    }

    /// The connection could not be made, or is gone.
    package mutating func disconnected(
        reason: String, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        guard isConnected || isConnecting else { return }
        retry(reason, at: now, into: &actions)
    }

    /// The time that `deadline` named has come.
    package mutating func tick(at now: ClientInstant, into actions: inout [ClientAction]) {
        switch state {
        case .idle, .failed: return
        case .waiting(let until):
            if now >= until { connect(at: now, into: &actions) }
        case .connecting(let since):
            guard now >= since.after(seconds: configuration.silenceSeconds) else { return }
            lose("the server did not answer", at: now, into: &actions)
        case .greeting, .ready:
            if now >= silentAt {
                lose("nothing was heard from the server", at: now, into: &actions)
            } else {
                if now >= pingAt { ping(at: now) }
                watchAnswers(at: now, into: &actions)
            }
        }
        flush(at: now, into: &actions)
    }

    /// When `tick` wants to be called next; nil where nothing waits for time.
    package var deadline: ClientInstant? {
        switch state {
        case .idle, .failed: return nil
        case .waiting(let until): return until
        case .connecting(let since): return since.after(seconds: configuration.silenceSeconds)
        case .greeting, .ready:
            var earliest = min(silentAt, pingAt)
            guard state == .ready else { return earliest }
            if let due = answersDueAt { earliest = min(earliest, due) }
            for table in tables where table.phase == .open {
                if let until = table.pausedUntil { earliest = min(earliest, until) }
                if let due = cursorDue(table) { earliest = min(earliest, due) }
            }
            return earliest
        }
    }

    private var silentAt: ClientInstant { lastHeard.after(seconds: configuration.silenceSeconds) }

    /// A ping goes out when nothing was heard for a while, and when nothing was said: the server
    /// wants to know that its client is there.
    private var pingAt: ClientInstant {
        max(lastPing, min(lastHeard, lastSent)).after(seconds: heartbeatSeconds)
    }

    // MARK: Steps

    /// Asks for a connection.
    mutating func connect(at now: ClientInstant, into actions: inout [ClientAction]) {
        state = .connecting(since: now)
        retrySeconds = 0
        actions.append(.connect)
    }

    /// Closes the connection and tries again later.
    mutating func lose(
        _ reason: String, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        guard isConnected || isConnecting else { return }
        actions.append(.disconnect)
        retry(reason, at: now, into: &actions)
    }

    private mutating func retry(
        _ reason: String, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        let jittered = backoff.nextSeconds(using: &configuration.random)
        let seconds = max(retrySeconds, jittered)
        state = .waiting(until: now.after(seconds: seconds))
        connectionEnded()
        answerRequests(
            sentOnly: true, because: "the connection was lost before the answer came",
            into: &actions)
        actions.append(.notify(.reconnecting(afterSeconds: seconds, reason: reason)))
    }

    /// Gives up for good.
    mutating func fail(_ error: ErrorMessage, into actions: inout [ClientAction]) {
        guard state != .failed else { return }
        if isConnected || isConnecting { actions.append(.disconnect) }
        state = .failed
        connectionEnded()
        for position in tables.indices { tables[position].phase = .failed }
        answerRequests(sentOnly: false, because: error.message, into: &actions)
        actions.append(.notify(.failed(error)))
    }

    /// Notes a delay that the server asks for.
    mutating func note(retrySeconds seconds: Double?) {
        guard let seconds, seconds > 0 else { return }
        retrySeconds = min(seconds, configuration.retryMaxSeconds)
    }

    /// The server has answered: what is asked for from now on may be asked quickly again.
    mutating func succeeded() {
        backoff.reset()
    }

    /// Forgets what belonged to the connection.
    mutating func connectionEnded() {
        output.removeAll()
        answers = AnswerWatch()
        for position in tables.indices { tables[position].connectionLost() }
    }

    /// Answers requests of the user by an error.
    mutating func answerRequests(
        sentOnly: Bool, because reason: String, into actions: inout [ClientAction]
    ) {
        let unanswered = requests.filter { $0.isSent || !sentOnly }
        requests.removeAll { $0.isSent || !sentOnly }
        for request in unanswered {
            let error = ErrorMessage(.internalError, reason)
            actions.append(.notify(.answered(request.id, .error(error))))
        }
    }

    // MARK: Sending

    /// Puts a message behind what leaves at the end of the event.
    mutating func say(_ message: ClientMessage, id: RequestID? = nil) {
        write(ClientLine(id: id, message: message), to: &output)
    }

    /// Ends an event: what waits and may go, goes.
    mutating func flush(at now: ClientInstant, into actions: inout [ClientAction]) {
        guard isConnected else { return }
        if state == .ready {
            for position in tables.indices where tables[position].phase == .open {
                flushTable(position, at: now)
            }
        }
        guard !output.isEmpty else { return }
        actions.append(.send(output))
        output.removeAll()
        lastSent = now
        if state == .ready { answers.sent(at: now) }
    }

    private mutating func flushTable(_ position: Int, at now: ClientInstant) {
        if let until = tables[position].pausedUntil, now >= until {
            tables[position].pausedUntil = nil
        }
        if let writer = tables[position].writer, tables[position].pausedUntil == nil {
            tables[position].outbox.send(
                windowOps: writer.window, windowBytes: configuration.windowBytes, into: &output)
        }
        guard let due = cursorDue(tables[position]), now >= due else { return }
        let cursor = tables[position].cursor
        tables[position].cursor.isChanged = false
        tables[position].cursor.sentAt = now
        // With an id, so that a refusal is known to be of this and of nothing that matters.
        say(
            .presence(
                tables[position].reference, row: cursor.row, column: cursor.column,
                isEditing: cursor.isEditing),
            id: takeRequestID())
    }

    /// When the others may be told of the cursor; nil where they know.
    private func cursorDue(_ table: OpenTable) -> ClientInstant? {
        guard table.cursor.isChanged, table.request.follow else { return nil }
        guard let sentAt = table.cursor.sentAt else { return ClientInstant(microseconds: .min) }
        return sentAt.after(seconds: configuration.cursorIntervalSeconds)
    }
}
