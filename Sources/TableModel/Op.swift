// What someone wants: operations, their parts and their preconditions.
// The next step of the walk is Resolve.swift, which turns an operation into changes.
package import TableValue

/// One submitted operation: one atomic step for every observer, whatever its size.
package struct Op: Hashable, Sendable {
    /// The last record its author had applied when acting; 0 where unknown.
    package var base: SequenceNumber
    /// What happens when some parts cannot be applied as meant.
    package var mode: OpMode
    /// What must hold when the operation is sequenced.
    package var preconditions: [Precondition]
    /// What to do, in order; a later intent sees what an earlier one did.
    package var body: [Intent]
    /// Only say what would come of it.
    package var isDryRun: Bool

    /// Makes an operation.
    package init(
        base: SequenceNumber = 0, mode: OpMode = .best, preconditions: [Precondition] = [],
        body: [Intent], isDryRun: Bool = false
    ) {
        self.isDryRun = isDryRun
        self.base = base
        self.mode = mode
        self.preconditions = preconditions
        self.body = body
    }
}

/// Who sends an operation, and when it is sequenced: what the record will say of it.
///
/// Columns may default to either.
package struct Circumstances: Hashable, Sendable {
    /// The user, as everybody may see it: `u3`.
    package let user: Text
    /// The server's wall clock, milliseconds since 1970.
    package let timeMilliseconds: Int64
    /// The clock by which leases end: the same, but for jumps of the wall clock.
    package let leaseMilliseconds: Int64

    /// Names both.
    package init(user: Text, timeMilliseconds: Int64, leaseMilliseconds: Int64? = nil) {
        self.user = user
        self.timeMilliseconds = timeMilliseconds
        self.leaseMilliseconds = leaseMilliseconds ?? timeMilliseconds
    }

    /// The time as a moment in UTC.
    var moment: Moment {
        Moment(microsecondsSinceEpoch: timeMilliseconds &* 1_000, offsetMinutes: 0)
    }

    /// The day in UTC.
    var day: Day {
        let day = floorDivide(timeMilliseconds, microsecondsOfDay / 1_000)
        return Day(daysSinceEpoch: Int32(truncatingIfNeeded: day))
    }
}

/// Whose operation it is.
package struct OpAuthor: Hashable, Sendable {
    /// The session that it came in; `.server` where it came without one.
    package var session: SessionNumber
    /// Its number in the session; 0 where it came without one.
    package var clientNumber: ClientNumber
    /// The user, as everybody may see it: `u3`.
    package var user: Text

    /// Names an author.
    package init(session: SessionNumber, clientNumber: ClientNumber = 0, user: Text = "") {
        self.session = session
        self.clientNumber = clientNumber
        self.user = user
    }
}

/// What happens when some parts of an operation cannot be applied as meant.
package enum OpMode: String, Hashable, Sendable {
    /// What can be applied is; the outcome counts the rest.
    case best
    /// One hidden, gone or refused part refuses the whole.
    case strict
}

/// A column as an operation names it.
package enum ColumnReference: Hashable, Sendable {
    case id(ColumnID)
    case name(Text)
}

/// A place among the rows, named by a neighbour.
package enum RowAnchor: Hashable, Sendable {
    case first, last
    case after(RowID)
}

/// A place among the columns, named by a neighbour.
package enum ColumnAnchor: Hashable, Sendable {
    case first, last
    case after(ColumnReference)
}

/// What to do when a wanted name is taken.
package enum NameClash: String, Hashable, Sendable {
    /// Refuse with `name_taken`.
    case reject
    /// Take the lowest free suffix: `Due 2`. Rules S1 and S3.
    case suffix
}

/// One cell with the value offered for it.
package struct CellEdit: Hashable, Sendable {
    /// The row of the cell.
    package var row: RowID
    /// The column of the cell.
    package var column: ColumnReference
    /// The value that the author wants there.
    package var value: Value

    /// Names the cell and its new value.
    package init(row: RowID, column: ColumnReference, value: Value) {
        self.row = row
        self.column = column
        self.value = value
    }
}

/// One thing to do to a table.
package enum Intent: Hashable, Sendable {
    /// Inserts rows as one contiguous block. `ids` is empty where the server shall give them;
    /// then `rowCount` says how many. `cells` is row after row, `columns.count` values each
    /// (empty where all cells start null).
    case insertRows(InsertRows)
    /// Sets cells, each a last-sequenced-wins register.
    case setCells([CellEdit])
    /// Adds to a number cell; an empty cell counts as 0. Rules C4 and C5.
    case addNumber(row: RowID, column: ColumnReference, amount: Value)
    /// Joins a value with what a cell holds by then. Rules C15 and C16.
    case combineCell(CombineCell)
    /// Sets cells of the row that has a key, or appends a row with it. Rule C17.
    case upsertRow(UpsertRow)
    /// Takes the next row that is open; alone in its operation. Rule C18.
    case claimRow(ClaimRow)
    /// Renews or ends a lease. Rules C19 and C20.
    case changeLease(LeaseChange)
    case deleteRows([RowID])
    /// Moves rows, which arrive contiguous in the order listed. Rule R15.
    case moveRows([RowID], to: RowAnchor)
    case addColumn(AddColumn)
    case renameColumn(ColumnReference, name: Text, onClash: NameClash)
    case moveColumn(ColumnReference, to: ColumnAnchor)
    case deleteColumn(ColumnReference)
    /// Changes what a column holds. Rules S9 to S12.
    case retypeColumn(RetypeColumn)
    /// Adds a column like another, with its cells.
    case duplicateColumn(DuplicateColumn)
    /// Sets a column of the rows in order; more values than rows make new rows.
    case setColumn(SetColumn)
    /// Inserts rows like others.
    case duplicateRows(DuplicateRows)
    /// Inserts the rows of another table.
    case appendTable(AppendTable)
    /// Changes the rules of a column that the object names, as `ColumnRules.changed(by:)` says;
    /// the others stay. Rule S15.
    case changeRules(ColumnReference, JSONTree)
    /// Changes how a table is shown. Rules S19 to S22.
    case changeDisplay(DisplayChange)
    /// Puts rows into the order of some columns, once. Rules T1 to T8.
    case sortRows(SortRows)
    /// Sets a column by an expression.
    case transformColumn(TransformColumn)
    /// Deletes the rows that the author knew of. Rules T9 to T12.
    case clear
    /// Deletes all rows. Rule T13.
    case truncate
    /// Does something to a comment.
    case comment(CommentIntent)
    /// Takes an operation back, or does again what was taken back; alone in its operation.
    /// Rules U1 to U15.
    case undo(UndoRequest)
    /// Brings back what was; alone in its operation. Rule T15.
    case restore(RestoreRequest)
}

/// The parts of a permanent sort.
package struct SortRows: Hashable, Sendable {
    /// One column to sort by.
    package struct Key: Hashable, Sendable {
        /// Which column.
        package var column: ColumnReference
        /// True where the largest come first; empty cells come last either way.
        package var isDescending: Bool

        /// Names a column and a direction.
        package init(_ column: ColumnReference, isDescending: Bool = false) {
            self.column = column
            self.isDescending = isDescending
        }
    }

    /// The columns, the one that counts most first.
    package var keys: [Key]
    /// The rows, which change places among each other; nil for all.
    package var rows: [RowID]?

    /// Makes a sort.
    package init(by keys: [Key], rows: [RowID]? = nil) {
        self.keys = keys
        self.rows = rows
    }
}

/// The parts of a change of a column by an expression.
package struct TransformColumn: Hashable, Sendable {
    /// The column that is set.
    package var column: ColumnReference
    /// The expression, as docs/expressions.md has it, over the columns of the row.
    package var value: Text
    /// Which rows: those of which it is true; nil for all.
    package var condition: Text?

    /// Makes a transform.
    package init(column: ColumnReference, value: Text, condition: Text? = nil) {
        self.column = column
        self.value = value
        self.condition = condition
    }
}

/// Which operation shall be taken back.
package struct UndoRequest: Hashable, Sendable {
    /// How the operation is named.
    package enum Target: Hashable, Sendable {
        /// The last that has not been taken back, of the session, or of all the user's.
        case last(ofUser: Bool)
        /// The last undo of the session, or of all the user's: what it took back is done again.
        case lastUndone(ofUser: Bool)
        /// The one that made that record, whosever it is.
        case sequence(SequenceNumber)
        /// The session's own of that number.
        case clientNumber(ClientNumber)
    }

    /// Which operation.
    package var target: Target
    /// Take back also what others have gone on from.
    package var isForced: Bool

    /// Makes a request.
    package init(_ target: Target, isForced: Bool = false) {
        self.target = target
        self.isForced = isForced
    }
}

/// The parts of an insertion of rows.
package struct InsertRows: Hashable, Sendable {
    /// The new rows' ids, made by their author; empty where the server gives them.
    package var ids: [RowID]
    /// How many rows; equals `ids.count` where ids are given.
    package var rowCount: Int
    /// Where the rows shall stand.
    package var anchor: RowAnchor
    /// The columns that `cells` speaks of.
    package var columns: [ColumnReference]
    /// Row after row, `columns.count` values each.
    package var cells: [Value]

    /// Makes an insertion.
    package init(
        ids: [RowID] = [], rowCount: Int, anchor: RowAnchor = .last,
        columns: [ColumnReference] = [], cells: [Value] = []
    ) {
        self.ids = ids
        self.rowCount = rowCount
        self.anchor = anchor
        self.columns = columns
        self.cells = cells
    }
}

/// The parts of an addition of a column.
package struct AddColumn: Hashable, Sendable {
    /// The new column's id, made by its author; nil where the server gives it.
    package var id: ColumnID?
    /// What it shall be called.
    package var name: Text
    /// What its cells can hold.
    package var type: ColumnType
    /// The rules, as `ColumnRules.changed(by:)` reads them.
    package var rules: JSONTree
    /// Where it shall stand.
    package var anchor: ColumnAnchor
    /// What to do where the name is taken.
    package var onClash: NameClash
    /// Answer with the column of that name where there is one already.
    ///
    /// Rule S2.
    package var ifAbsent: Bool
    /// How it is shown, where it is a copy.
    var display = DisplaySettings()

    /// Makes an addition.
    package init(
        id: ColumnID? = nil, name: Text, type: ColumnType, rules: JSONTree = .object([]),
        anchor: ColumnAnchor = .last, onClash: NameClash = .reject, ifAbsent: Bool = false
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.rules = rules
        self.anchor = anchor
        self.onClash = onClash
        self.ifAbsent = ifAbsent
    }
}

/// What must hold when an operation is sequenced; otherwise it is refused with the facts.
package enum Precondition: Hashable, Sendable {
    /// The cell was last written by the record of that number.
    case cellVersion(row: RowID, column: ColumnReference, version: SequenceNumber)
    /// The cell holds that value.
    case cellValue(row: RowID, column: ColumnReference, value: Value)
    /// No cell of the row was written after that number; moves do not count.
    case rowVersion(row: RowID, version: SequenceNumber)
    /// The row is there and not hidden.
    case rowLive(RowID)
    /// No live row holds the value in the column.
    case rowAbsent(column: ColumnReference, value: Value)
    /// No record after that number exists in the table.
    case tableSequence(SequenceNumber)
    /// No column was added, renamed, moved or deleted after that number.
    case schemaSequence(SequenceNumber)
}
