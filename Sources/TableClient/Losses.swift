// What of a session's work a record of somebody else replaces or deletes. Rules C1, C7, S6, S11.
// Only compared here: Client+Follow.swift tells it, and who is told decides what to do.
package import TableModel
package import TableValue

/// A value that a session had written, and what stands in its place.
package struct LostCell: Hashable, Sendable {
    /// Where it stood.
    package let row: RowID
    /// The column that it stood in.
    package let column: ColumnID
    /// What was written; of the type that the column had then.
    package let mine: Value
    /// What is there now.
    package let theirs: Value
    /// True where an operation of the session is under way that will replace it in turn.
    package var isSetAnew = false

    /// Names a cell with both values.
    package init(
        row: RowID, column: ColumnID, mine: Value, theirs: Value, isSetAnew: Bool = false
    ) {
        self.row = row
        self.column = column
        self.mine = mine
        self.theirs = theirs
        self.isSetAnew = isSetAnew
    }
}

/// What one record of somebody else took of a session's work.
///
/// No value at all is nobody's work, so that others may fill in a fresh row.
package struct Losses: Hashable, Sendable {
    /// Cells that hold something else now, the first `cellsMax` of `cellCount`.
    package var cells: [LostCell] = []
    /// How many cells hold something else.
    package var cellCount = 0
    /// Rows with values of the session that were deleted, the first `rowsMax` of `rowCount`.
    package var rows: [RowID] = []
    /// How many such rows were deleted, as far as they were looked at.
    package var rowCount = 0
    /// Columns with values of the session that were deleted.
    package var columns: [ColumnID] = []
    /// Who did it.
    package var user: Text
    /// The record; the one before it still has what was lost.
    package var sequence: SequenceNumber

    /// The most cells that are named.
    package static let cellsMax = 10_000
    /// The most rows that are named.
    package static let rowsMax = 10_000
    /// The most cells of deleted rows and columns that are looked at.
    package static let lookedAtMax = 200_000

    /// Nothing yet.
    package init(by user: Text, sequence: SequenceNumber) {
        self.user = user
        self.sequence = sequence
    }

    /// True where nothing was lost.
    package var isEmpty: Bool { cellCount == 0 && rowCount == 0 && columns.isEmpty }
}

extension Losses {
    /// What a record takes of the work of a session in the table before it.
    ///
    /// Complexity: linear in the cells that the record sets, and in those of the rows and columns
    /// that it deletes up to `lookedAtMax`.
    init(of session: SessionNumber, by record: Record, in table: borrowing Table) {
        self.init(by: record.user, sequence: record.sequence)
        var retyped: Set<ColumnID> = []
        var unseen = Losses.lookedAtMax
        for change in record.changes {
            switch change {
            case .cellsSet(let edits):
                for edit in edits {
                    note(edit.row, edit.column, edit.value, session, table)
                }
            case .columnRetyped(let column, _, _): retyped.insert(column)
            case .cellsFilled(let column, let rows, let values):
                for (row, value) in zip(rows, values)
                where value.isNull || !retyped.contains(column) {
                    note(row, column, value, session, table)
                }
            case .rowsHidden(let rows):
                let all = table.columns.map(\.id)
                for row in rows where unseen > 0 && table.state(of: row) == .live {
                    unseen -= max(1, all.count)
                    guard Losses.hasWork(of: session, in: row, all, table) else { continue }
                    rowCount += 1
                    if self.rows.count < Losses.rowsMax { self.rows.append(row) }
                }
            case .columnHidden(let column):
                var found = false
                table.forEachRow(from: 0, count: max(0, unseen), columns: []) { row, _ in
                    unseen -= 1
                    found = Losses.isWork(of: session, row, column, table)
                    return !found
                }
                if found { columns.append(column) }
            default: continue
            }
        }
    }

    private mutating func note(
        _ row: RowID, _ column: ColumnID, _ value: Value, _ session: SessionNumber,
        _ table: borrowing Table
    ) {
        guard let cell = table.cell(row, column), cell.session == session, cell.value != value,
            !cell.value.isNull
        else { return }
        cellCount += 1
        guard cells.count < Losses.cellsMax else { return }
        cells.append(LostCell(row: row, column: column, mine: cell.value, theirs: value))
    }

    private static func isWork(
        of session: SessionNumber, _ row: RowID, _ column: ColumnID, _ table: borrowing Table
    ) -> Bool {
        table.cell(row, column).map { $0.session == session && !$0.value.isNull } ?? false
    }

    private static func hasWork(
        of session: SessionNumber, in row: RowID, _ columns: [ColumnID],
        _ table: borrowing Table
    ) -> Bool {
        for column in columns where isWork(of: session, row, column, table) { return true }
        return false
    }
}
