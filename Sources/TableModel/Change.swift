// What happened: changes and the records that carry them. Applying one never fails.
// Perform.swift makes them out of an Op; Apply.swift and Inverse.swift are what is done with them.
package import TableValue

/// One column as everybody sees it.
package struct Column: Hashable, Sendable {
    /// What never changes.
    package let id: ColumnID
    /// What people call it.
    package var name: Text
    /// What its cells can hold.
    package var type: ColumnType
    /// What its cells must be besides their type.
    package var rules: ColumnRules
    /// How it is shown; no content.
    package var display: DisplaySettings

    /// Makes a column.
    package init(
        id: ColumnID, name: Text, type: ColumnType, rules: ColumnRules = ColumnRules(),
        display: DisplaySettings = DisplaySettings()
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.rules = rules
        self.display = display
    }

    /// The same as far as it is content: without how it is shown.
    package var undisplayed: Column { Column(id: id, name: name, type: type, rules: rules) }
}

/// Where rows come to stand.
///
/// `after` names the nearest live row before the place, nil for the table's start: that is all
/// a replica of live rows needs. `slot`, where present, names the hidden row they stand right
/// behind, for replicas that keep hidden rows. Rules R4, R13.
package struct RowPlace: Hashable, Sendable {
    /// The nearest live row before the place; nil is the start.
    package var after: RowID?
    /// The hidden row right before the place, where there is one.
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
    /// The nearest live column before the place; nil is the start.
    package var after: ColumnID?
    /// The hidden column right before the place, where there is one.
    package var slot: ColumnID?

    /// Makes a place.
    package init(after: ColumnID?, slot: ColumnID? = nil) {
        self.after = after
        self.slot = slot
    }
}

/// One cell with its new value, of the column's type.
package struct CellChange: Hashable, Sendable {
    /// The row of the cell.
    package var row: RowID
    /// The column of the cell.
    package var column: ColumnID
    /// What the cell holds from now on.
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
    /// The rows in order, which stand together.
    package var ids: [RowID]
    /// Where the first of them stands.
    package var place: RowPlace
    /// The columns that `cells` has values for.
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
    /// Cells of one column, as many as rows: what sets much of a column says with less.
    case cellsFilled(ColumnID, rows: [RowID], values: [Value])
    case rowsHidden([RowID])
    /// Hidden rows are live again, with all their cells, contiguous at the place named.
    case rowsShown(RowBlock)
    /// Rows stand contiguous at the place, in this order; hidden ones among them stay hidden.
    case rowsMoved([RowID], to: RowPlace)
    /// Live rows, in this order, on the places that they have among each other.
    case rowsArranged([RowID])
    /// A row is given to the author until a time, in milliseconds since 1970; or for longer.
    case leaseSet(RowID, untilMilliseconds: Int64)
    /// A row is nobody's any more.
    case leaseEnded(RowID)
    /// A comment as it is from here on, new or changed.
    case commentPut(TableComment)
    case columnAdded(Column, at: ColumnPlace)
    case columnRenamed(ColumnID, name: Text)
    /// All the rules that the column has from here on.
    case columnRulesSet(ColumnID, ColumnRules)
    /// The column holds another type from here on, by the rules named, and all its cells are
    /// empty; what they were in the new type follows.
    case columnRetyped(ColumnID, ColumnType, ColumnRules)
    case columnMoved(ColumnID, to: ColumnPlace)
    /// Something else is said of how the table is shown.
    case displaySet(DisplayOutcome)
    case columnHidden(ColumnID)
    /// A hidden column is live again, as it says. Who did not know it has its cells from what
    /// follows.
    case columnShown(Column, at: ColumnPlace)
}

/// One entry of a table's log: what one operation did, with its number.
package struct Record: Hashable, Sendable {
    /// Its number in the table, from 1 and without a gap.
    package var sequence: SequenceNumber
    /// The session whose operation it was; `.server` where it came without one.
    package var session: SessionNumber
    /// The operation's number in that session; 0 where it came without one.
    package var clientNumber: ClientNumber
    /// The user, as everybody may see it: `u3`.
    package var user: Text
    /// When it was sequenced by the server's wall clock, milliseconds since 1970; a label only.
    package var timeMilliseconds: Int64
    /// What happened, in order.
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

extension Record {
    /// Whose operation it was.
    package var author: OpAuthor {
        OpAuthor(session: session, clientNumber: clientNumber, user: user)
    }
}
