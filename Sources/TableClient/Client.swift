// The client core: one connection's life, and a replica of each open table. Events in, actions
// out; it reads no clock, does no I/O and rolls no dice. Who runs it: ClientRuntime.
// Connecting is in Client+Connection.swift, silence in Client+Answers.swift, what comes in in
// Client+Messages.swift, a table's stream in Client+Follow.swift, operations in
// Client+Submit.swift.
package import TableModel
import TableValue
package import TableWire

/// The client core.
///
/// One value, owned by one thread.
package struct Client {
    /// Where the connection stands.
    enum State: Equatable {
        case idle
        case waiting(until: ClientInstant)
        case connecting(since: ClientInstant)
        /// `hello` and `login` are sent.
        case greeting
        case ready
        case failed
    }

    /// A request of the user that has no answer yet.
    struct Request {
        let id: RequestID
        let message: ClientMessage
        var isSent = false
    }

    var configuration: ClientConfiguration
    var state = State.idle
    var backoff: Backoff
    /// What the server asked to wait, at the end of the connection that is ending.
    var retrySeconds = 0.0
    var splitter: LineSplitter
    /// Lines that leave at the end of the event.
    var output: [UInt8] = []
    var lastHeard = ClientInstant(microseconds: 0)
    var lastSent = ClientInstant(microseconds: 0)
    var lastPing = ClientInstant(microseconds: 0)
    var heartbeatSeconds = 15.0
    var answers = AnswerWatch()
    /// The longest line that the server takes.
    var sendLineBytesMax = WireLimits().lineBytesMax
    var requests: [Request] = []
    var nextRequest: RequestID = 1
    var tables: [OpenTable] = []
    /// Positions in `tables`; never iterated.
    var positions: [TableID: Int] = [:]

    /// A client that is not connected yet.
    package init(configuration: ClientConfiguration) {
        self.configuration = configuration
        backoff = Backoff(
            firstSeconds: configuration.backoffFirstSeconds,
            maxSeconds: configuration.backoffMaxSeconds)
        splitter = LineSplitter(lineBytesMax: configuration.wire.lineBytesMax)
    }

    // MARK: What the user wants

    /// Connects, and stays connected until `stop` or a final failure.
    package mutating func start(at now: ClientInstant, into actions: inout [ClientAction]) {
        guard state == .idle else { return }
        connect(at: now, into: &actions)
    }

    /// Leaves in order: pending operations stay in the replica.
    package mutating func stop(at now: ClientInstant, into actions: inout [ClientAction]) {
        guard state != .idle, state != .failed else { return }
        if state == .ready { say(.bye) }
        flush(at: now, into: &actions)
        if isConnected || isConnecting { actions.append(.disconnect) }
        state = .idle
        connectionEnded()
        answerRequests(
            sentOnly: false, because: "the client was stopped before the answer came",
            into: &actions)
    }

    /// Opens a table and keeps it open over reconnects.
    ///
    /// Its session is resumed. A table that failed may be opened again: what was pending in it is
    /// given up then. A table that is open already stays as it is.
    ///
    /// - Parameters:
    ///   - request: how to open it; `resume` goes on with a session of an earlier run, and `have`
    ///     counts only where no rows are kept.
    ///   - pending: operations of that session that were not decided, in order, as
    ///     `pendingOps` gave them; they are sent again as they are.
    ///   - now: the time.
    ///   - actions: where to put what is to be done.
    package mutating func open(
        _ request: OpenRequest, restoring pending: [PendingOp] = [], at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {
        var table = OpenTable(request)
        guard table.restore(pending) else {
            let message = "the operations to be restored have gaps in their numbers, or no session"
            actions.append(.notify(.failed(ErrorMessage(.clientNumberReused, message))))
            return
        }
        let position = tables.firstIndex { $0.names(request.table) }
        if let position {
            guard tables[position].phase == .failed else { return }
            tables[position] = table
        } else {
            tables.append(table)
        }
        if case .id(let id) = request.table { positions[id] = position ?? tables.count - 1 }
        if state == .ready { sendOpen(position ?? tables.count - 1) }
        flush(at: now, into: &actions)
    }

    /// Sends a request that is answered once, by `answered`: tables, create, read, hash, who,
    /// users, ping, and an operation without a number, which may be doubled when it is sent twice.
    ///
    /// Before there is a login it waits. Requests that are unanswered when the connection is lost
    /// are answered by an error of `internal_error`; so are those that are no requests.
    package mutating func request(
        _ message: ClientMessage, at now: ClientInstant, into actions: inout [ClientAction]
    ) -> RequestID {
        let id = takeRequestID()
        let isTaken = state != .failed && requests.count < configuration.requestsMax
        guard isTaken, Client.isRequest(message) else {
            let error = ErrorMessage(
                .internalError, "this cannot be asked now; ask again when others are answered")
            actions.append(.notify(.answered(id, .error(error))))
            return id
        }
        requests.append(Request(id: id, message: message, isSent: state == .ready))
        if state == .ready { say(message, id: id) }
        flush(at: now, into: &actions)
        return id
    }

    /// Tells the others where this client's cursor is, nil for nowhere, and whether the cell there
    /// is being edited.
    package mutating func moveCursor(
        in table: TableID, row: RowID?, column: ColumnID?, isEditing: Bool = false,
        at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        guard let position = positions[table] else { return }
        let cursor = tables[position].cursor
        guard cursor.row != row || cursor.column != column || cursor.isEditing != isEditing
        else { return }
        tables[position].cursor.row = row
        tables[position].cursor.column = column
        tables[position].cursor.isEditing = isEditing
        tables[position].cursor.isChanged = true
        flush(at: now, into: &actions)
    }

    // MARK: Reads

    /// The replica of an open table, its overlay up to date; nil where none is kept, or before
    /// it is loaded.
    ///
    /// Use it for one look (one frame, one read) and let it go: while a copy is held, the next
    /// record must copy what it changes. Mutating, because the overlay is brought up to date
    /// only when somebody looks.
    package mutating func replica(of table: TableID) -> Replica? {
        guard let position = positions[table], tables[position].wasLoaded else { return nil }
        tables[position].replica?.refresh()
        return tables[position].replica
    }

    /// How many rows of a table are here, also while its snapshot is still coming; 0 before.
    package func loadedRowCount(of table: TableID) -> Int {
        guard let position = positions[table] else { return 0 }
        if let loading = tables[position].loading { return loading.table.rowCount }
        return tables[position].wasLoaded ? tables[position].replica?.confirmed.rowCount ?? 0 : 0
    }

    /// The rows that have come so far of a table that is being loaded for the first time; nil
    /// before there are any columns, and once all is here.
    ///
    /// Use it for one look and let it go, as `replica`.
    package func arrival(of table: TableReference) -> Arrival? {
        guard let position = tables.firstIndex(where: { $0.names(table) }),
            !tables[position].wasLoaded, let loading = tables[position].loading
        else { return nil }
        return Arrival(
            replica: Replica(showing: loading.table), announcedRowCount: loading.rowCount)
    }

    /// What this client did in a table and the server has not decided, oldest first; also where
    /// no replica is kept, and after the table has failed.
    package func pendingOps(in table: TableID) -> [PendingOp] {
        positions[table].map { tables[$0].outbox.pending } ?? []
    }

    /// How many operations of a table are not decided.
    package func pendingCount(in table: TableID) -> Int {
        positions[table].map { tables[$0].outbox.count } ?? 0
    }

    /// The table's content hash at the confirmed number, as `digest` computes it; nil where the
    /// table is not loaded.
    package mutating func contentHash<Digest: ContentDigest>(
        of table: TableID, using digest: Digest.Type
    ) -> (sequence: SequenceNumber, hash: [UInt8])? {
        guard let position = positions[table], tables[position].isLoaded else { return nil }
        guard let hash = tables[position].replica?.contentHash(using: digest) else { return nil }
        return (tables[position].sequence, hash)
    }

    // MARK: Inside

    /// A number for a request, never used before.
    mutating func takeRequestID() -> RequestID {
        defer { nextRequest += 1 }
        return nextRequest
    }

    private static func isRequest(_ message: ClientMessage) -> Bool {
        switch message {
        case .tables, .droppedTables, .create, .renameTable, .dropTable, .restoreTable, .read,
            .past, .history, .hash, .who, .users, .comments, .display, .ping:
            true
        case .op(let submitted): submitted.clientNumber == 0
        case .hello, .login, .open, .close, .presence, .bye: false
        }
    }
}
