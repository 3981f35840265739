// Every message of a server as a value. Reading them is in ServerReader.swift, writing them in
// ServerWriter.swift; docs/protocol.md spells them.
package import TableModel
package import TableValue

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
    case users([UserName])
    case presence(TableID, [Presence])
    case closed(TableID)
    case error(ErrorMessage)
    case bye(ErrorMessage)
}

/// What a user is called.
package struct UserName: Hashable, Sendable {
    package var user: Text
    package var name: Text

    /// Joins an id with a name.
    package init(user: Text, name: Text) {
        self.user = user
        self.name = name
    }
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
