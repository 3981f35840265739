// Every message of a server as a value. Reading them is in ServerReader.swift, writing them in
// ServerWriter.swift; docs/protocol.md spells them.
package import TableModel
package import TableValue

/// What the server says of itself after `hello`.
package struct Welcome: Hashable, Sendable {
    /// The version of the protocol that is spoken from here on.
    package var version = 1
    /// What the server can do beyond that version, of what the client named.
    package var features: [Text] = []
    /// What the server calls itself.
    package var server: Text = "roundtabled"
    /// The longest line that it reads after login.
    package var lineBytesMax = 1 << 20
    /// The most parts of one operation.
    package var partsMax = 50_000
    /// Operations in flight in one session.
    package var window = 64
    /// How often it says something.
    package var heartbeatSeconds = 15
    /// What stands behind an acknowledgement.
    package var durability: Text = "fsync"

    /// The defaults.
    package init() {}
}

/// One table in a list of tables.
package struct TableSummary: Hashable, Sendable {
    /// Its id.
    package var table: TableID
    /// What people call it.
    package var name: Text
    /// Its live rows.
    package var rowCount: Int
    /// Its live columns.
    package var columnCount: Int
    /// The number of its last record.
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
    /// The session's number in the table.
    package var session: SessionNumber
    /// The secret that resumes the session; a new one at every open.
    package var token: Text
    /// The last client number that the server has decided; 0 for a new session.
    package var lastClientNumber: ClientNumber
    /// The highest counters that the session has used in row and column ids.
    package var rowCounter: UInt32
    /// The same for columns.
    package var columnCounter: UInt32
    /// Operations that may be in flight.
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
    /// Its id.
    package var table: TableID
    /// What people call it.
    package var name: Text
    /// The history that its numbers belong to.
    package var lineage: Text
    /// The number of its last record.
    package var sequence: SequenceNumber
    /// Its live columns in order.
    package var columns: [Column]
    /// How it is shown as a whole.
    package var look = TableLook()
    /// How it is shown to the user alone.
    package var mine = PersonalDisplay()
    /// Its live rows.
    package var rowCount: Int
    /// What the user may do.
    package var role: Text
    /// The session to write with; nil where the user may not, or did not ask.
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
    /// The table that is being sent.
    package var table: TableID
    /// The rows of this piece, in order.
    package var rows: [RowID]
    /// The columns of its cells.
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
    /// The table that was read.
    package var table: TableID
    /// The number as of which it was read.
    package var sequence: SequenceNumber
    /// The columns of the cells.
    package var columns: [ColumnID]
    /// The rows, in order.
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
    /// Who it is, such as `u2`.
    package var user: Text
    /// What others see.
    package var name: Text
    /// The row where the cursor is.
    package var row: RowID?
    /// The column where the cursor is.
    package var column: ColumnID?
    /// True while the cell there is being edited.
    package var isEditing: Bool

    /// Makes an entry.
    package init(
        connection: Int64, user: Text, name: Text, row: RowID? = nil, column: ColumnID? = nil,
        isEditing: Bool = false
    ) {
        self.connection = connection
        self.user = user
        self.name = name
        self.row = row
        self.column = column
        self.isEditing = isEditing
    }
}

/// The answer to an operation that has no record in the stream.
package struct Reply: Hashable, Sendable {
    /// The table of the operation.
    package var table: TableID
    /// 0 where the operation came without one.
    package var clientNumber: ClientNumber
    /// nil where no record was made.
    package var sequence: SequenceNumber?
    /// What became of it.
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
    /// A table has another name: the answer to who gave it, and told to all that have it open.
    case renamed(TableID, name: Text)
    case dropped(TableID)
    case restored(TableID, name: Text)
    case opened(Opened)
    case snapshot(
        TableID, sequence: SequenceNumber, rowCount: Int, columns: [Column],
        look: TableLook = TableLook())
    case chunk(Chunk)
    case snapshotEnd(TableID, sequence: SequenceNumber)
    case record(TableID, Record)
    case live(TableID, sequence: SequenceNumber)
    case reply(Reply)
    case rows(RowsAnswer)
    case past(PastAnswer)
    case history(HistoryAnswer)
    case hash(TableID, sequence: SequenceNumber, hash: [UInt8])
    case who(TableID, [Presence])
    /// The answer to a request, or part of a snapshot.
    case comments(CommentsAnswer)
    case users([UserName])
    case presence(TableID, [Presence])
    /// How a table is shown to the user alone: the answer to who changed that, and told to her
    /// other connections.
    case display(TableID, mine: PersonalDisplay)
    case closed(TableID)
    case error(ErrorMessage)
    case bye(ErrorMessage)
}

/// What a user is called.
package struct UserName: Hashable, Sendable {
    /// The user, such as `u2`.
    package var user: Text
    /// What she is called.
    package var name: Text

    /// Joins an id with a name.
    package init(user: Text, name: Text) {
        self.user = user
        self.name = name
    }
}

/// A message from the server with the id of the request it answers.
package struct ServerLine: Hashable, Sendable {
    /// The number that the request carried.
    package var id: RequestID?
    /// What is said.
    package var message: ServerMessage

    /// Joins a message with the id of its request.
    package init(id: RequestID? = nil, message: ServerMessage) {
        self.id = id
        self.message = message
    }
}
