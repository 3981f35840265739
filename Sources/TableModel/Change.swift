// What happened: changes and the records that carry them. Applying one never fails.
package import TableValue

/// One column as everybody sees it.
package struct Column: Hashable, Sendable {
    package let id: ColumnID
    package var name: Text
    package let type: ColumnType

    /// Makes a column.
    package init(id: ColumnID, name: Text, type: ColumnType) {
        self.id = id
        self.name = name
        self.type = type
    }
}

/// Where rows come to stand.
///
/// `after` names the nearest live row before the place, nil for the table's start: that is all
/// a replica of live rows needs. `slot`, where present, names the hidden row they stand right
/// behind, for replicas that keep hidden rows. Rules R4, R13.
package struct RowPlace: Hashable, Sendable {
    package var after: RowID?
    package var slot: RowID?

    /// Makes a place.
    package init(after: RowID?, slot: RowID? = nil) {
        self.after = after
        self.slot = slot
    }
}

/// Where a column comes to stand.
///
/// As for rows: `after` names the nearest live column before the place, nil for the first place;
/// `slot`, where present, the hidden column it stands right behind. Rule S13.
package struct ColumnPlace: Hashable, Sendable {
    package var after: ColumnID?
    package var slot: ColumnID?

    /// Makes a place.
    package init(after: ColumnID?, slot: ColumnID? = nil) {
        self.after = after
        self.slot = slot
    }
}

/// One cell with its new value, of the column's type.
package struct CellChange: Hashable, Sendable {
    package var row: RowID
    package var column: ColumnID
    package var value: Value

    /// Names the cell and its value.
    package init(row: RowID, column: ColumnID, value: Value) {
        self.row = row
        self.column = column
        self.value = value
    }
}

/// A block of rows with their cells; cells of columns not named are null.
package struct RowBlock: Hashable, Sendable {
    package var ids: [RowID]
    package var place: RowPlace
    package var columns: [ColumnID]
    /// Row after row, `columns.count` values each, each of its column's type or null.
    package var cells: [Value]

    /// Makes a block.
    package init(ids: [RowID], place: RowPlace, columns: [ColumnID], cells: [Value]) {
        self.ids = ids
        self.place = place
        self.columns = columns
        self.cells = cells
    }
}

/// One thing that happened to a table.
package enum Change: Hashable, Sendable {
    case rowsInserted(RowBlock)
    case cellsSet([CellChange])
    case rowsHidden([RowID])
    /// Hidden rows are live again, with all their cells, contiguous at the place named.
    case rowsShown(RowBlock)
    /// Rows stand contiguous at the place, in this order; hidden ones among them stay hidden.
    case rowsMoved([RowID], to: RowPlace)
    case columnAdded(Column, at: ColumnPlace)
    case columnRenamed(ColumnID, name: Text)
    case columnMoved(ColumnID, to: ColumnPlace)
    case columnHidden(ColumnID)
    case columnShown(ColumnID, at: ColumnPlace)
}

/// One entry of a table's log: what one operation did, with its number.
package struct Record: Hashable, Sendable {
    package var sequence: SequenceNumber
    /// The session whose operation it was; `.server` where it came without one.
    package var session: SessionNumber
    /// The operation's number in that session; 0 where it came without one.
    package var clientNumber: ClientNumber
    /// The user, as everybody may see it: `u3`.
    package var user: Text
    /// When it was sequenced by the server's wall clock, milliseconds since 1970; a label only.
    package var timeMilliseconds: Int64
    package var changes: [Change]
    /// What its author is told.
    package var outcome: Outcome

    /// Makes a record.
    package init(
        sequence: SequenceNumber, session: SessionNumber, clientNumber: ClientNumber, user: Text,
        timeMilliseconds: Int64, changes: [Change], outcome: Outcome = Outcome(status: .ok)
    ) {
        self.sequence = sequence
        self.session = session
        self.clientNumber = clientNumber
        self.user = user
        self.timeMilliseconds = timeMilliseconds
        self.changes = changes
        self.outcome = outcome
    }
}
