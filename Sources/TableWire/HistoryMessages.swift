// What a table was: the requests for a moment of its past and for what happened to it, and what
// answers them, as values. HistoryReader.swift and HistoryWriter.swift spell them.
package import TableModel
package import TableValue

/// Asks for a table as it was, so that its rows can be read.
package struct PastRequest: Hashable, Sendable {
    /// The table, by id or name.
    package var table: TableReference
    /// When.
    package var moment: PastMoment

    /// Makes a request.
    package init(table: TableReference, moment: PastMoment) {
        self.table = table
        self.moment = moment
    }
}

/// The answer to that: what the table was then.
package struct PastAnswer: Hashable, Sendable {
    /// The table that was asked about.
    package var table: TableID
    /// The record after which it was so.
    package var sequence: SequenceNumber
    /// When that was, in milliseconds since 1970; nil where it is not known any more.
    package var timeMilliseconds: Int64?
    /// Its live rows then.
    package var rowCount: Int
    /// Its live columns then, in order.
    package var columns: [Column]

    /// Makes an answer.
    package init(
        table: TableID, sequence: SequenceNumber, timeMilliseconds: Int64?, rowCount: Int,
        columns: [Column]
    ) {
        self.table = table
        self.sequence = sequence
        self.timeMilliseconds = timeMilliseconds
        self.rowCount = rowCount
        self.columns = columns
    }
}

/// Asks what happened to a table, a row, a column or a cell.
package struct HistoryRequest: Hashable, Sendable {
    /// The table, by id or name.
    package var table: TableReference
    /// This row alone.
    package var row: RowID?
    /// This column alone, by id or by the name that it has now.
    package var column: ColumnReference?
    /// Only records before this one; nil for the newest.
    package var before: SequenceNumber?
    /// How many records at most; nil for as many as the server likes.
    package var count: Int?

    /// Asks for all of a table, the newest first.
    package init(table: TableReference) {
        self.table = table
    }
}

/// What a record did, in one word.
package enum HistoryKind: String, Hashable, Sendable, CaseIterable {
    case insert, set, delete, show, move, sort, columns, display, comment
    /// Several of these.
    case mixed
    /// It took another one back.
    case undo
    /// It brought back what was.
    case restore
}

/// A cell that a record changed.
package struct HistoryCell: Hashable, Sendable {
    /// The row of the cell.
    package var row: RowID
    /// The column of the cell.
    package var column: ColumnID
    /// What it held before.
    package var from: Value
    /// What it held after.
    package var to: Value

    /// Names a cell and what became of it.
    package init(row: RowID, column: ColumnID, from: Value, to: Value) {
        self.row = row
        self.column = column
        self.from = from
        self.to = to
    }
}

/// What happened to a column as a whole.
package struct HistoryColumn: Hashable, Sendable {
    /// What it was.
    package enum Event: String, Hashable, Sendable {
        case added, deleted, shown, renamed, retyped, moved, rules, display
    }

    /// The column.
    package var column: ColumnID
    /// What happened.
    package var event: Event
    /// The name or type before; nil where it was neither.
    package var from: Text?
    /// The name or type after; nil where it was neither.
    package var to: Text?

    /// Names a column and what became of it.
    package init(column: ColumnID, event: Event, from: Text? = nil, to: Text? = nil) {
        self.column = column
        self.event = event
        self.from = from
        self.to = to
    }
}

/// What happened to a comment.
package struct HistoryComment: Hashable, Sendable {
    /// What it was.
    package enum Event: String, Hashable, Sendable {
        case made, edited, resolved, reopened, deleted, shown
    }

    /// The comment.
    package var comment: CommentID
    /// The row that it is about.
    package var row: RowID
    /// The column of the cell that it is about; nil where it is about the row.
    package var column: ColumnID?
    /// What happened.
    package var event: Event
    /// What it says; nil where it was deleted.
    package var text: Text?

    /// Names a comment and what became of it.
    package init(
        comment: CommentID, row: RowID, column: ColumnID? = nil, event: Event, text: Text? = nil
    ) {
        self.comment = comment
        self.row = row
        self.column = column
        self.event = event
        self.text = text
    }
}

/// How much a record changed, also where not all of it is listed.
package struct HistoryCounts: Hashable, Sendable {
    /// Cells that hold something else.
    package var cells = 0
    /// Rows that came.
    package var inserted = 0
    /// Rows that went.
    package var deleted = 0
    /// Deleted rows that came back.
    package var shown = 0
    /// Rows that were moved or sorted.
    package var moved = 0
    /// Things that happened to columns.
    package var columns = 0
    /// Display settings and row styles.
    package var display = 0
    /// Things that happened to comments.
    package var comments = 0

    /// Nothing yet.
    package init() {}
}

/// What one record did.
package struct HistoryEntry: Hashable, Sendable {
    /// The number of the record.
    package var sequence: SequenceNumber
    /// When, by the server's clock: milliseconds since 1970.
    package var timeMilliseconds: Int64
    /// Who, such as `u2`.
    package var user: Text
    /// The session whose operation it was.
    package var session: SessionNumber
    /// The operation's number in it; 0 where it came without.
    package var clientNumber: ClientNumber
    /// What it did, in one word.
    package var kind: HistoryKind
    /// The record that it took back.
    package var undid: SequenceNumber?
    /// How much it changed.
    package var counts = HistoryCounts()
    /// The first of the cells.
    package var cells: [HistoryCell] = []
    /// The first of the rows that came.
    package var inserted: [RowID] = []
    /// The first of the rows that went.
    package var deleted: [RowID] = []
    /// The first of the deleted rows that came back.
    package var shown: [RowID] = []
    /// The first of the rows that were moved or sorted.
    package var moved: [RowID] = []
    /// The first of what happened to columns.
    package var columns: [HistoryColumn] = []
    /// The first of what happened to comments.
    package var comments: [HistoryComment] = []

    /// What a record says of itself, without what it did.
    package init(of record: Record, kind: HistoryKind) {
        sequence = record.sequence
        timeMilliseconds = record.timeMilliseconds
        user = record.user
        session = record.session
        clientNumber = record.clientNumber
        undid = record.outcome.undid
        self.kind = kind
    }

    /// Makes an entry that did nothing yet.
    package init(
        sequence: SequenceNumber, timeMilliseconds: Int64, user: Text, session: SessionNumber,
        clientNumber: ClientNumber, kind: HistoryKind
    ) {
        self.sequence = sequence
        self.timeMilliseconds = timeMilliseconds
        self.user = user
        self.session = session
        self.clientNumber = clientNumber
        self.kind = kind
    }
}

/// The answer to `history`.
package struct HistoryAnswer: Hashable, Sendable {
    /// The table that was asked about.
    package var table: TableID
    /// The last record that was looked at.
    package var sequence: SequenceNumber
    /// What happened, the newest first.
    package var entries: [HistoryEntry]
    /// What `before` has to be for what happened earlier; nil where there is nothing.
    package var next: SequenceNumber?

    /// Makes an answer.
    package init(
        table: TableID, sequence: SequenceNumber, entries: [HistoryEntry], next: SequenceNumber?
    ) {
        self.table = table
        self.sequence = sequence
        self.entries = entries
        self.next = next
    }
}
