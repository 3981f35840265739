// Every message of docs/protocol.md as a value. Reading them is in MessageReader.swift,
// writing them in MessageWriter.swift.
package import TableModel
package import TableValue

/// The id of a table, `t3` outside memory.
package struct TableID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, from 1.
    package let rawValue: Int64

    /// Wraps a number.
    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package var description: String { "t\(rawValue)" }

    package static func < (left: TableID, right: TableID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A table as a request names it.
package enum TableReference: Hashable, Sendable {
    case id(TableID)
    case name(Text)
}

/// The number that a client gave a request, to find its answer.
package typealias RequestID = Int64

/// A column to be made with a new table.
package struct NewColumn: Hashable, Sendable {
    package var name: Text
    package var type: ColumnType

    /// Names a column and its type.
    package init(name: Text, type: ColumnType) {
        self.name = name
        self.type = type
    }
}

/// How a client wants to open a table.
package struct OpenRequest: Hashable, Sendable {
    /// Where a follower wants to start when it holds nothing.
    package enum Start: String, Hashable, Sendable {
        case snapshot, head
    }

    /// What a client already holds of the table.
    package struct Held: Hashable, Sendable {
        package var lineage: Text
        package var sequence: SequenceNumber

        /// Names the history and the last record applied.
        package init(lineage: Text, sequence: SequenceNumber) {
            self.lineage = lineage
            self.sequence = sequence
        }
    }

    /// A session that the client wants to go on with.
    package struct Resume: Hashable, Sendable {
        package var session: SessionNumber
        package var token: Text
        /// The client's first undecided client number: stored answers from there on are sent.
        package var next: ClientNumber

        /// Names the session, its secret and the first undecided number.
        package init(session: SessionNumber, token: Text, next: ClientNumber) {
            self.session = session
            self.token = token
            self.next = next
        }
    }

    package var table: TableReference
    package var write = true
    package var follow = true
    package var start = Start.snapshot
    package var have: Held?
    package var resume: Resume?
    /// How many operations it wants in flight; nil for the default.
    package var window: Int?

    /// A request with the defaults of docs/protocol.md.
    package init(table: TableReference) {
        self.table = table
    }
}

/// One operation as it came over the wire.
package struct SubmittedOp: Hashable, Sendable {
    package var table: TableReference
    /// 0 where the operation came without one.
    package var clientNumber: ClientNumber
    package var op: Op
    /// Set by the reader where the operation names more rows than the limit: its body was then
    /// dropped, and it is to be answered by this refusal, under its number, instead of performed.
    package var refusal: Rejection?

    /// Joins an operation with its address.
    package init(table: TableReference, clientNumber: ClientNumber, op: Op) {
        self.table = table
        self.clientNumber = clientNumber
        self.op = op
    }
}

/// Which rows a read asks for.
package enum ReadRange: Hashable, Sendable {
    case rows([RowID])
    case positions(from: Int, count: Int)
}

/// A request for cells.
package struct ReadRequest: Hashable, Sendable {
    package var table: TableReference
    package var range: ReadRange
    /// Empty for all columns.
    package var columns: [ColumnReference]
    package var versions: Bool

    /// Makes a request.
    package init(
        table: TableReference, range: ReadRange, columns: [ColumnReference] = [],
        versions: Bool = false
    ) {
        self.table = table
        self.range = range
        self.columns = columns
        self.versions = versions
    }
}

/// How a client proves who it is.
package enum Credential: Hashable, Sendable {
    case token(Text)
    case invite(Text, name: Text)
}

/// A message from a client.
package enum ClientMessage: Hashable, Sendable {
    case hello(versions: [Int], features: [Text], client: Text)
    case login(Credential)
    case ping
    case tables
    case create(name: Text, columns: [NewColumn])
    case open(OpenRequest)
    case close(TableReference)
    case op(SubmittedOp)
    case read(ReadRequest)
    case hash(TableReference)
    case who(TableReference)
    case presence(TableReference, row: RowID?, column: ColumnID?)
    case bye
}

/// A message from a client with the request id it carried.
package struct ClientLine: Hashable, Sendable {
    package var id: RequestID?
    package var message: ClientMessage

    /// Joins a message with its request id.
    package init(id: RequestID? = nil, message: ClientMessage) {
        self.id = id
        self.message = message
    }
}

/// What the server says of itself after `hello`.
package struct Welcome: Hashable, Sendable {
    package var version = 1
    package var features: [Text] = []
    package var server: Text = "roundtabled"
    package var lineBytesMax = 1 << 20
    package var partsMax = 50_000
    package var window = 64
    package var heartbeatSeconds = 15
    package var durability: Text = "fsync"

    /// The defaults.
    package init() {}
}

/// One table in a list of tables.
package struct TableSummary: Hashable, Sendable {
    package var table: TableID
    package var name: Text
    package var rowCount: Int
    package var columnCount: Int
    package var sequence: SequenceNumber

    /// Makes an entry.
    package init(
        table: TableID, name: Text, rowCount: Int, columnCount: Int, sequence: SequenceNumber
    ) {
        self.table = table
        self.name = name
        self.rowCount = rowCount
        self.columnCount = columnCount
        self.sequence = sequence
    }
}

/// A writer's standing in one table, as `opened` tells it.
package struct WriteSession: Hashable, Sendable {
    package var session: SessionNumber
    /// The secret that resumes the session; a new one at every open.
    package var token: Text
    /// The last client number that the server has decided; 0 for a new session.
    package var lastClientNumber: ClientNumber
    /// The highest counters that the session has used in row and column ids.
    package var rowCounter: UInt32
    package var columnCounter: UInt32
    package var window: Int

    /// Makes a standing.
    package init(
        session: SessionNumber, token: Text, lastClientNumber: ClientNumber, rowCounter: UInt32,
        columnCounter: UInt32, window: Int
    ) {
        self.session = session
        self.token = token
        self.lastClientNumber = lastClientNumber
        self.rowCounter = rowCounter
        self.columnCounter = columnCounter
        self.window = window
    }
}

/// The answer to `open`.
package struct Opened: Hashable, Sendable {
    package var table: TableID
    package var name: Text
    package var lineage: Text
    package var sequence: SequenceNumber
    package var columns: [Column]
    package var rowCount: Int
    package var role: Text
    package var writer: WriteSession?

    /// Makes an answer.
    package init(
        table: TableID, name: Text, lineage: Text, sequence: SequenceNumber, columns: [Column],
        rowCount: Int, role: Text, writer: WriteSession?
    ) {
        self.table = table
        self.name = name
        self.lineage = lineage
        self.sequence = sequence
        self.columns = columns
        self.rowCount = rowCount
        self.role = role
        self.writer = writer
    }
}

/// A block of a snapshot's rows.
package struct Chunk: Hashable, Sendable {
    package var table: TableID
    package var rows: [RowID]
    package var columns: [ColumnID]
    /// Row after row, `columns.count` values each.
    package var cells: [Value]

    /// Makes a block.
    package init(table: TableID, rows: [RowID], columns: [ColumnID], cells: [Value]) {
        self.table = table
        self.rows = rows
        self.columns = columns
        self.cells = cells
    }
}

/// The answer to `read`.
package struct RowsAnswer: Hashable, Sendable {
    package var table: TableID
    package var sequence: SequenceNumber
    package var columns: [ColumnID]
    package var rows: [RowID]
    /// Row after row, `columns.count` values each.
    package var cells: [Value]
    /// As `cells`: the record that last wrote each; empty where not asked for.
    package var versions: [SequenceNumber]
    /// The number of live rows in the table.
    package var total: Int

    /// Makes an answer.
    package init(
        table: TableID, sequence: SequenceNumber, columns: [ColumnID], rows: [RowID],
        cells: [Value], versions: [SequenceNumber], total: Int
    ) {
        self.table = table
        self.sequence = sequence
        self.columns = columns
        self.rows = rows
        self.cells = cells
        self.versions = versions
        self.total = total
    }
}

/// One person or bot at a table.
package struct Presence: Hashable, Sendable {
    /// A number of the connection; a reconnect is a new one.
    package var connection: Int64
    package var user: Text
    package var name: Text
    package var row: RowID?
    package var column: ColumnID?

    /// Makes an entry.
    package init(
        connection: Int64, user: Text, name: Text, row: RowID? = nil, column: ColumnID? = nil
    ) {
        self.connection = connection
        self.user = user
        self.name = name
        self.row = row
        self.column = column
    }
}

/// The answer to an operation that has no record in the stream.
package struct Reply: Hashable, Sendable {
    package var table: TableID
    /// 0 where the operation came without one.
    package var clientNumber: ClientNumber
    /// nil where no record was made.
    package var sequence: SequenceNumber?
    package var outcome: Outcome
    /// False where the operation came without a session, so that sending it again may double it.
    package var isExactlyOnce: Bool

    /// Makes an answer.
    package init(
        table: TableID, clientNumber: ClientNumber, sequence: SequenceNumber?, outcome: Outcome,
        isExactlyOnce: Bool
    ) {
        self.table = table
        self.clientNumber = clientNumber
        self.sequence = sequence
        self.outcome = outcome
        self.isExactlyOnce = isExactlyOnce
    }
}

/// What is wrong with a request or a connection, as it is sent.
package struct ErrorMessage: Hashable, Sendable {
    package var code: WireCode
    package var message: String
    package var table: TableID?
    package var clientNumber: ClientNumber?
    /// The byte of the line at which reading stopped.
    package var offset: Int?
    package var retrySeconds: Double?

    /// Makes an error.
    package init(
        _ code: WireCode, _ message: String, table: TableID? = nil,
        clientNumber: ClientNumber? = nil, offset: Int? = nil, retrySeconds: Double? = nil
    ) {
        self.code = code
        self.message = message
        self.table = table
        self.clientNumber = clientNumber
        self.offset = offset
        self.retrySeconds = retrySeconds
    }
}

/// The stable codes of `error` and `bye`; docs/protocol.md says what to do about each.
package enum WireCode: String, Hashable, Sendable, CaseIterable {
    case malformed
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case noCommonVersion = "no_common_version"
    case notAuthenticated = "not_authenticated"
    case loginFailed = "login_failed"
    case loginTimeout = "login_timeout"
    case forbidden
    case unknownTable = "unknown_table"
    case tableExists = "table_exists"
    case tooManyTables = "too_many_tables"
    case unknownColumn = "unknown_column"
    case badName = "bad_name"
    case tooManyColumns = "too_many_columns"
    case notOpen = "not_open"
    case alreadyOpen = "already_open"
    case noSession = "no_session"
    case sequenceGap = "sequence_gap"
    case clientNumberReused = "cseq_reused"
    case sessionForked = "session_forked"
    case sessionExpired = "session_expired"
    case lineageChanged = "lineage_changed"
    case windowExceeded = "window_exceeded"
    case rateLimited = "rate_limited"
    case tooManyConnections = "too_many_connections"
    case slowConsumer = "slow_consumer"
    case goingAway = "going_away"
    case storageFailed = "storage_failed"
    case internalError = "internal_error"
}

/// A message from the server.
package enum ServerMessage: Hashable, Sendable {
    case welcome(Welcome)
    case loggedIn(user: Text, name: Text, role: Text, token: Text?)
    case pong
    case tables([TableSummary])
    case created(TableID, columns: [Column])
    case opened(Opened)
    case snapshot(TableID, sequence: SequenceNumber, rowCount: Int, columns: [Column])
    case chunk(Chunk)
    case snapshotEnd(TableID, sequence: SequenceNumber)
    case record(TableID, Record)
    case live(TableID, sequence: SequenceNumber)
    case reply(Reply)
    case rows(RowsAnswer)
    case hash(TableID, sequence: SequenceNumber, hash: [UInt8])
    case who(TableID, [Presence])
    case presence(TableID, [Presence])
    case closed(TableID)
    case error(ErrorMessage)
    case bye(ErrorMessage)
}

/// A message from the server with the id of the request it answers.
package struct ServerLine: Hashable, Sendable {
    package var id: RequestID?
    package var message: ServerMessage

    /// Joins a message with the id of its request.
    package init(id: RequestID? = nil, message: ServerMessage) {
        self.id = id
        self.message = message
    }
}
