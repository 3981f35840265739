// The client core: one connection's life, and a replica of each open table. Events in, actions
// out; it reads no clock, does no I/O and rolls no dice. Who runs it: ClientRuntime.
package import TableModel
package import TableValue
package import TableWire

/// A point on the monotonic clock of whoever runs the core, in microseconds.
package struct ClientInstant: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    /// Wraps a count.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: ClientInstant, right: ClientInstant) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// Something for whoever runs the core to do, or to know.
package enum ClientAction: Hashable, Sendable {
    /// Open a connection; answer with `connected` or `disconnected`.
    case connect
    /// Send bytes (whole lines) on the connection.
    case send([UInt8])
    /// Close the connection once what was sent has left; nothing more is reported of it.
    case disconnect
    /// Something the user of the client may want to know.
    case notify(ClientNotice)
}

/// What a client tells its user.
package enum ClientNotice: Hashable, Sendable {
    case loggedIn(user: Text, name: Text, role: Text, token: Text?)
    /// A table is open; its replica is loaded unless it follows from its head.
    case opened(Opened)
    /// The replica has caught up with the server as of that number.
    case live(TableID, sequence: SequenceNumber)
    /// A record was applied; `isMine` where it acknowledges an operation of this client.
    case applied(TableID, Record, isMine: Bool)
    /// An operation of this client is decided. `sequence` is nil where it made no record.
    case decided(
        TableID, clientNumber: ClientNumber, sequence: SequenceNumber?, outcome: Outcome)
    /// A value that this client had written was replaced by somebody else's. Rule C1.
    case overwritten(
        TableID, row: RowID, column: ColumnID, mine: Value, theirs: Value, by: Text,
        sequence: SequenceNumber)
    case presence(TableID, [Presence])
    /// An answer to a request made with `request`.
    case answered(RequestID, ServerMessage)
    /// The connection is lost; it is tried again after the delay.
    case reconnecting(afterSeconds: Double, reason: String)
    /// The table's history is another one: pending operations are set aside for review.
    case lineageChanged(TableID, setAside: [Op])
    /// Nothing more will come: the reason is final (`login_failed`, `session_forked`, …).
    case failed(ErrorMessage)
}

/// How a client behaves, each with its default.
package struct ClientConfiguration: Sendable {
    package var credential: Credential
    package var clientName: Text = "roundtable"
    /// Reconnect delays: full jitter between zero and a bound that doubles up to the most.
    package var backoffFirstSeconds = 0.25
    package var backoffMaxSeconds = 30.0
    /// A connection on which nothing came for this long is given up.
    package var silenceSeconds = 45.0
    package var window = 64
    package var wire = WireLimits()
    /// Where jitter comes from; seeded in the simulation.
    package var random: any RandomNumberGenerator & Sendable

    /// The defaults, for one credential.
    package init(credential: Credential, random: any RandomNumberGenerator & Sendable) {
        self.credential = credential
        self.random = random
    }
}

/// The client core. One value, owned by one thread.
package struct Client {
    /// A client that is not connected yet.
    package init(configuration: ClientConfiguration) {}

    // MARK: What the user wants

    /// Connect, and stay connected.
    package mutating func start(at now: ClientInstant, into actions: inout [ClientAction]) {}

    /// Leave in order: pending operations stay in the replica.
    package mutating func stop(at now: ClientInstant, into actions: inout [ClientAction]) {}

    /// Open a table and keep it open over reconnects. Sessions are resumed.
    package mutating func open(
        _ request: OpenRequest, at now: ClientInstant, into actions: inout [ClientAction]
    ) {}

    /// Performs an operation: it shows in the replica at once, is sent as soon as the window
    /// allows, and is sent again after a reconnect until it is decided. It never changes once
    /// it has its number.
    ///
    /// - Returns: its client number; nil where the table is not open for writing.
    package mutating func submit(
        _ op: Op, to table: TableID, at now: ClientInstant, into actions: inout [ClientAction]
    ) -> ClientNumber? { nil }

    /// Sends a request that is answered once: tables, create, read, hash, who. Requests that are
    /// unanswered when the connection is lost are answered by an error of `internal_error`.
    package mutating func request(
        _ message: ClientMessage, at now: ClientInstant, into actions: inout [ClientAction]
    ) -> RequestID { 0 }

    /// Tells the others where this client's cursor is; nil for nowhere.
    package mutating func moveCursor(
        in table: TableID, row: RowID?, column: ColumnID?, at now: ClientInstant,
        into actions: inout [ClientAction]
    ) {}

    /// New row ids of this client's session in a table, never used before; empty where there is
    /// no session.
    package mutating func makeRowIDs(_ count: Int, in table: TableID) -> [RowID] { [] }

    /// A new column id of this client's session in a table.
    package mutating func makeColumnID(in table: TableID) -> ColumnID? { nil }

    // MARK: Events

    /// The connection that `connect` asked for stands, its TLS handshake done.
    package mutating func connected(at now: ClientInstant, into actions: inout [ClientAction]) {}

    /// Bytes came in.
    package mutating func received(
        _ bytes: borrowing RawSpan, at now: ClientInstant, into actions: inout [ClientAction]
    ) {}

    /// The connection could not be made, or is gone.
    package mutating func disconnected(
        reason: String, at now: ClientInstant, into actions: inout [ClientAction]
    ) {}

    /// The time that `deadline` named has come.
    package mutating func tick(at now: ClientInstant, into actions: inout [ClientAction]) {}

    // MARK: Reads

    /// When `tick` wants to be called next.
    package var deadline: ClientInstant? { nil }

    /// The replica of an open table, its overlay up to date; nil where none is kept.
    ///
    /// Use it for one look (one frame, one read) and let it go: while a copy is held, the next
    /// record must copy what it changes. Mutating, because the overlay is brought up to date
    /// only when somebody looks.
    package mutating func replica(of table: TableID) -> Replica? { nil }

    /// What this client did in a table and the server has not decided, oldest first; also where
    /// no replica is kept, and after the table has failed.
    package func pendingOps(in table: TableID) -> [PendingOp] { [] }

    /// The table's content hash at the confirmed number, as `digest` computes it.
    package mutating func contentHash<Digest: ContentDigest>(
        of table: TableID, using digest: Digest.Type
    ) -> (sequence: SequenceNumber, hash: [UInt8])? { nil }
}
