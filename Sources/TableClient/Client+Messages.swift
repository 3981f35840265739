// What comes in: bytes to lines, lines to messages, each to the part that it concerns. All of
// it is outside data; what makes no sense ends the connection, never the process.
import TableModel
import TableValue
import TableWire

extension Client {
    /// Bytes came in.
    package mutating func received(
        _ bytes: borrowing RawSpan, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        guard isConnected else { return }
        lastHeard = now
        // Taken out while lines are handled, since handling changes the rest of `self`.
        var splitter = LineSplitter(lineBytesMax: configuration.wire.lineBytesMax)
        swap(&splitter, &self.splitter)
        do {
            try splitter.append(bytes) { line in
                take(line, at: now, into: &actions)
                return isConnected
            }
        } catch {
            lose("the server sent a line without end", at: now, into: &actions)
        }
        self.splitter = splitter
        flush(at: now, into: &actions)
    }

    private mutating func take(
        _ bytes: borrowing RawSpan, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        let line: ServerLine
        do {
            line = try readServerLine(bytes, limits: configuration.wire)
        } catch {
            lose("the server sent what cannot be read: \(error.reason)", at: now, into: &actions)
            return
        }
        if state == .greeting {
            greeted(line.message, at: now, into: &actions)
        } else if let id = line.id {
            answered(id, line.message, at: now, into: &actions)
        } else {
            told(line.message, at: now, into: &actions)
        }
        noteAnswer(line, at: now, into: &actions)
    }

    /// A message before the login is answered.
    private mutating func greeted(
        _ message: ServerMessage, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        switch message {
        case .welcome(let welcome):
            guard welcome.version == 1 else {
                let error = ErrorMessage(
                    .noCommonVersion,
                    "the server speaks version \(welcome.version), this client version 1")
                return fail(error, into: &actions)
            }
            heartbeatSeconds = Double(min(max(welcome.heartbeatSeconds, 1), 3_600))
            sendLineBytesMax = max(welcome.lineBytesMax, WireLimits().lineBytesBeforeLoginMax)
        case .loggedIn(let user, let name, let role, let token):
            state = .ready
            // An invite can be redeemed once: from now on the token it was redeemed for counts.
            if let token { configuration.credential = .token(token) }
            actions.append(.notify(.loggedIn(user: user, name: name, role: role, token: token)))
            if tables.allSatisfy({ $0.phase == .failed }) { succeeded() }
            for position in tables.indices { sendOpen(position) }
            for position in requests.indices where !requests[position].isSent {
                requests[position].isSent = true
                say(requests[position].message, id: requests[position].id)
            }
        case .error(let error), .bye(let error):
            ended(by: error, at: now, into: &actions)
        default: break
        }
    }

    /// A message that answers a request.
    private mutating func answered(
        _ id: RequestID, _ message: ServerMessage, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        if let position = tables.firstIndex(where: { $0.phase == .opening(id) }) {
            switch message {
            case .opened(let opened): self.opened(position, opened, at: now, into: &actions)
            case .error(let error): openRefused(position, error, at: now, into: &actions)
            default: lose("the server answered something else", at: now, into: &actions)
            }
        } else if let index = requests.firstIndex(where: { $0.id == id }) {
            requests.remove(at: index)
            actions.append(.notify(.answered(id, message)))
        }
    }

    /// A message that the server sends by itself.
    private mutating func told(
        _ message: ServerMessage, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        switch message {
        case .record(let table, let record):
            withTable(table) { $0.recorded($1, record, at: now, into: &actions) }
        case .reply(let reply):
            withTable(reply.table) { $0.replied($1, reply, into: &actions) }
        case .snapshot(let table, let sequence, let rowCount, let columns, let look):
            var loading = Table(columns: columns, head: sequence)
            loading.load(look: look)
            withTable(table) {
                $0.snapshotBegan(
                    $1, loading, rowCount: rowCount,
                    columnCount: columns.count, at: now, into: &actions)
            }
        case .chunk(let chunk):
            withTable(chunk.table) { $0.chunkCame($1, chunk, at: now, into: &actions) }
        case .comments(let answer):
            withTable(answer.table) { $0.commentsCame($1, answer, at: now, into: &actions) }
        case .snapshotEnd(let table, let sequence):
            withTable(table) { $0.snapshotEnded($1, sequence, at: now, into: &actions) }
        case .live(let table, let sequence):
            withTable(table) { $0.caughtUp($1, sequence, at: now, into: &actions) }
        case .presence(let table, let who):
            guard positions[table] != nil else { return }
            let told = Array(who.prefix(configuration.presenceMax))
            actions.append(.notify(.presence(table, told)))
        case .display(let table, let mine):
            guard positions[table] != nil else { return }
            actions.append(.notify(.display(table, mine: mine)))
        case .renamed(let table, let name):
            guard let position = positions[table], tables[position].phase != .failed else {
                return
            }
            actions.append(.notify(.renamed(table, name: name)))
        case .error(let error): erred(error, at: now, into: &actions)
        case .bye(let error) where error.code.isAboutSessions:
            sessionsEnded(by: error, at: now, into: &actions)
        case .bye(let error): ended(by: error, at: now, into: &actions)
        case .welcome, .loggedIn, .pong, .tables, .created, .opened, .rows, .hash, .who, .users,
            .closed, .dropped, .restored, .past, .history:
            break
        }
    }

    /// Calls `body` where the table is open on this connection; what is left of an earlier one,
    /// or of a table that failed, is passed over.
    private mutating func withTable(_ id: TableID, _ body: (inout Client, Int) -> Void) {
        guard let position = positions[id], tables[position].phase == .open else { return }
        body(&self, position)
    }

    /// An error that answers no request.
    private mutating func erred(
        _ error: ErrorMessage, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        guard let table = error.table else { return ended(by: error, at: now, into: &actions) }
        guard let position = positions[table], tables[position].phase != .failed else { return }
        if let number = error.clientNumber {
            opRefused(position, number, error, at: now, into: &actions)
        } else if error.code.isFinal {
            failTable(position, error, into: &actions)
        } else {
            note(retrySeconds: error.retrySeconds)
            lose(error.message, at: now, into: &actions)
        }
    }

    /// A session goes on elsewhere, or is over, and the connection ends with it.
    ///
    /// The table that the server names is given up; where it names none, all that are open for
    /// writing. The others come back with the next connection.
    private mutating func sessionsEnded(
        by error: ErrorMessage, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        let wanted = tables.indices.filter { tables[$0].phase != .failed }
        let lost = wanted.filter {
            if let table = error.table { positions[table] == $0 } else { tables[$0].request.write }
        }
        guard lost.count < wanted.count else { return fail(error, into: &actions) }
        for position in lost { failTable(position, error, into: &actions) }
        note(retrySeconds: error.retrySeconds)
        lose("\(error.code.rawValue): \(error.message)", at: now, into: &actions)
    }

    /// The server ends the connection, or will: for good, or until later.
    private mutating func ended(
        by error: ErrorMessage, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        if error.code.isFinal { return fail(error, into: &actions) }
        note(retrySeconds: error.retrySeconds)
        lose("\(error.code.rawValue): \(error.message)", at: now, into: &actions)
    }
}

extension WireCode {
    /// True where only what is open for writing is concerned.
    fileprivate var isAboutSessions: Bool { self == .sessionForked || self == .sessionExpired }

    /// True where trying again would come to the same.
    var isFinal: Bool {
        switch self {
        case .malformed, .tooLarge, .tooDeep, .noCommonVersion, .notAuthenticated, .loginFailed,
            .forbidden, .unknownRecord, .unknownTable, .tableDeleted, .tableExists, .tooManyTables,
            .unknownColumn, .badName, .badRule, .badDisplay, .tooManySettings, .tooManyColumns,
            .alreadyOpen, .clientNumberReused,
            .sessionForked, .sessionExpired:
            true
        case .loginTimeout, .notOpen, .noSession, .sequenceGap, .lineageChanged,
            .rateLimited, .tooManyConnections, .slowConsumer, .goingAway, .storageFailed,
            .internalError:
            false
        }
    }
}
