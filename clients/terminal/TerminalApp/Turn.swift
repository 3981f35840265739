// What one event may look at and what it leads to: the table as it is seen, operations that are
// to be done, and actions of the shell. Deeds are carried out in App+Deeds.swift.
import TableClient
import TableModel
import TableValue

/// The table as this client's user sees it, for one look.
///
/// Let it go before an operation is performed: whatever is held must be copied when it changes.
struct Sheet {
    private let replica: Replica
    /// The live columns in order, without those that are hidden on this screen.
    let columns: [Column]
    /// All live columns in order.
    let allColumns: [Column]
    /// The number of live rows.
    let rowCount: Int
    /// How many rows there will be, while the table is still on its way; nil once it is here.
    let announcedRowCount: Int?
    private let hidden: Set<ColumnID>

    init(
        _ replica: Replica, hiding hidden: Set<ColumnID> = [], announcedRowCount: Int? = nil
    ) {
        self.replica = replica
        allColumns = replica.columns
        columns = hidden.isEmpty ? allColumns : allColumns.filter { !hidden.contains($0.id) }
        rowCount = replica.rowCount
        self.announcedRowCount = announcedRowCount
        self.hidden = hidden
    }

    /// The same with other columns hidden.
    func hiding(_ hidden: Set<ColumnID>) -> Sheet {
        guard hidden != self.hidden else { return self }
        return Sheet(replica, hiding: hidden, announcedRowCount: announcedRowCount)
    }

    /// True where some columns are hidden on this screen.
    var hidesColumns: Bool { columns.count < allColumns.count }

    /// The column of an id, hidden or not; nil where it is not there.
    func column(_ id: ColumnID) -> Column? { allColumns.first { $0.id == id } }

    /// The row at a position; nil outside the table.
    ///
    /// Complexity: logarithmic in the rows.
    func row(at position: Int) -> RowID? {
        position >= 0 && position < rowCount ? replica.row(at: position) : nil
    }

    /// The position of a row; nil where it is not there.
    ///
    /// Complexity: logarithmic in the rows.
    func position(of row: RowID) -> Int? { replica.position(of: row) }

    /// The value of a cell; null where it is unknown.
    func value(_ row: RowID, _ column: ColumnID) -> Value {
        replica.value(row, column) ?? .null
    }

    /// True where an undecided operation of this client touches the cell.
    func isPending(_ row: RowID, _ column: ColumnID) -> Bool {
        replica.isPending(row, column)
    }

    /// How many comments are not resolved.
    var openCommentCount: Int { replica.openCommentCount }

    /// How many of the comments on a row and its cells are not resolved.
    func openCommentCount(of row: RowID) -> Int { replica.openCommentCount(of: row) }

    /// True where one of the comments on a cell is not resolved.
    func hasOpenComment(_ row: RowID, _ column: ColumnID) -> Bool {
        replica.hasOpenComment(row, column)
    }

    /// Comments that are not deleted, in the order in which they were made.
    func comments(_ filter: CommentFilter) -> [TableComment] { replica.comments(filter) }

    /// What an operation would come to; it is done to a copy.
    ///
    /// Complexity: that of the operation.
    func tried(_ intent: Intent, clock: Moment?) -> Result<Resolution, Rejection> {
        // The microseconds of any moment that can be written, in milliseconds.
        let circumstances = clock.map {
            Circumstances(user: "", timeMilliseconds: $0.microsecondsSinceEpoch / 1_000)
        }
        do throws(Rejection) {
            return .success(try replica.tried(Op(body: [intent]), in: circumstances))
        } catch {
            return .failure(error)
        }
    }

    /// The column at a position; nil outside the table.
    func column(at position: Int) -> Column? {
        columns.indices.contains(position) ? columns[position] : nil
    }

    /// The position of a column; nil where it is not there.
    ///
    /// Complexity: linear in the columns.
    func columnPosition(of id: ColumnID) -> Int? { columns.firstIndex { $0.id == id } }

    /// The positions of rows that are there, in the order of the table.
    ///
    /// Complexity: of n rows, n times a logarithm.
    func ordered(_ rows: some Sequence<RowID>) -> [RowID] {
        rows.compactMap { row in position(of: row).map { (position: $0, row: row) } }
            .sorted { $0.position < $1.position }
            .map(\.row)
    }
}

/// What one event leads to.
struct Turn {
    /// nil where no table is loaded.
    var sheet: Sheet?
    var deeds: [Deed] = []
    var actions: [AppAction] = []

    init(sheet: Sheet?) {
        self.sheet = sheet
    }

    /// Notes an operation that is to be done.
    mutating func perform(_ body: Intent..., for purpose: Purpose) {
        deeds.append(Deed(body: body, purpose: purpose))
    }
}

/// An operation that is to be done.
struct Deed: Hashable, Sendable {
    var body: [Intent]
    var purpose: Purpose
    /// Strict where half of it would be worse than nothing.
    var mode = OpMode.best
}

/// What an operation was for: how its user is told what became of it.
enum Purpose: Hashable, Sendable {
    /// A cell was edited; the editor as it was, so that a refused text is not lost.
    case edit(CellEditor)
    /// Cells were emptied or toggled; how many.
    case setCells(Int)
    /// Rows were inserted; the cursor goes to the first, and may begin to edit there.
    case insert(count: Int, editedColumn: ColumnID?)
    /// A deleted row was made again with the editor's text.
    case recreate(CellEditor)
    case deleteRows(Int)
    case moveRows(Int)
    /// A block was pasted; what was pasted, so that a refused one is not lost.
    case paste(cells: Int, Clipboard)
    case addColumn(String)
    case renameColumn(String)
    case moveColumn(String)
    case deleteColumn(String)
    case undo(isRedo: Bool)
    case sort(rows: Int)
    /// A column was set by an expression; its name.
    case transform(String)
    /// All rows were deleted; how many these were.
    case clear(rows: Int)
    /// A row was inserted whose cells had been asked for.
    case fillRow(RowDraft)
    /// Something that others took was put back; what, for the start of a sentence.
    case putBack(String)
    /// A column's type was changed; its name.
    case retype(String)
    case duplicateColumn(String)
    /// The rows of another table were appended; its name.
    case appendTable(String)
    /// What was came back; what, for the start of a sentence.
    case restore(String)
    /// The next row was claimed.
    case claim
    /// Something was done to a comment; what, for the start of a sentence.
    case comment(String)

    /// What was done, for the start of a sentence.
    var label: String {
        switch self {
        case .edit(let editor): "the edit of \(editor.column.name)"
        case .setCells(let count): "the change of \(counted(count, "cell"))"
        case .insert(let count, _): "the insertion of \(counted(count, "row"))"
        case .recreate: "making the row again"
        case .deleteRows(let count): "the deletion of \(counted(count, "row"))"
        case .moveRows(let count): "the move of \(counted(count, "row"))"
        case .paste(let cells, _): "the paste of \(counted(cells, "cell"))"
        case .addColumn(let name): "adding column \(name)"
        case .renameColumn(let name): "renaming to \(name)"
        case .moveColumn(let name): "moving column \(name)"
        case .deleteColumn(let name): "deleting column \(name)"
        case .undo(let isRedo): isRedo ? "redo" : "undo"
        case .sort(let count): "the sort of \(counted(count, "row"))"
        case .transform(let name): "the change of column \(name)"
        case .clear: "the deletion of all rows"
        case .fillRow: "the new row"
        case .putBack(let label), .restore(let label), .comment(let label): label
        case .retype(let name): "the change of the type of \(name)"
        case .duplicateColumn(let name): "the copy of column \(name)"
        case .appendTable(let name): "appending table \(name)"
        case .claim: "the claim"
        }
    }
}

/// A number with its noun: `1 row`, `2 rows`.
func counted(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// The size of a block: `1 cell`, `2×3 cells`.
func blockText(rows: Int, columns: Int) -> String {
    rows == 1 && columns == 1 ? "1 cell" : "\(grouped(rows))×\(grouped(columns)) cells"
}

/// A number with its digits in groups of three.
func grouped(_ number: Int) -> String {
    var result = ""
    let digits = Array(String(number.magnitude))
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
        result.append(digit)
    }
    return number < 0 ? "-" + result : result
}
