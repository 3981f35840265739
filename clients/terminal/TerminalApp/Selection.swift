// What is chosen: rows, by their ids, so that a choice survives what others insert and move; and
// a block of cells between two corners, of which the cursor is one.
import TableModel

/// What is chosen besides the cursor.
struct Selection: Hashable, Sendable {
    /// One corner of a block; the cursor is the other.
    struct Corner: Hashable, Sendable {
        var row: RowID
        var column: ColumnID
    }

    /// Rows that are chosen; never iterated where the order counts.
    private(set) var rows: Set<RowID> = []
    /// Where a block of cells began.
    var corner: Corner?
    /// The block holds all rows of its columns.
    var isWholeColumns = false
    /// A range that rows join and leave as the cursor moves.
    private(set) var range: Span?

    /// Where a range of rows began, and the last row that it reached.
    struct Span: Hashable, Sendable {
        var from: RowID
        var to: RowID
    }

    /// Rows that can be chosen: as many as one operation may touch.
    static let rowsMax = 50_000

    /// True where nothing is chosen.
    var isEmpty: Bool { rows.isEmpty && corner == nil && range == nil }

    /// Forgets everything.
    mutating func clear() {
        self = Selection()
    }

    // MARK: Rows

    /// Chooses a row, or no longer; false where no more rows can be chosen.
    mutating func toggle(_ row: RowID) -> Bool {
        if rows.remove(row) != nil { return true }
        guard rows.count < Selection.rowsMax else { return false }
        rows.insert(row)
        return true
    }

    /// Chooses all rows; false where there are too many.
    ///
    /// Complexity: of the n rows, which are `rowsMax` at most, n times a logarithm.
    mutating func selectAll(_ sheet: Sheet) -> Bool {
        guard sheet.rowCount <= Selection.rowsMax else { return false }
        rows = Set((0..<sheet.rowCount).compactMap { sheet.row(at: $0) })
        return true
    }

    /// Takes rows out that are gone; how many of them were chosen.
    mutating func remove(_ gone: [RowID]) -> Int {
        guard !rows.isEmpty else { return 0 }
        var count = 0
        for row in gone where rows.remove(row) != nil { count += 1 }
        return count
    }

    // MARK: Ranges

    /// Begins a range of rows.
    mutating func beginRange(at row: RowID) {
        range = Span(from: row, to: row)
        rows.insert(row)
    }

    /// Ends a range; what it reached stays chosen.
    mutating func endRange() {
        range = nil
    }

    /// Lets the range reach to the cursor's row; false where it would hold too many rows.
    ///
    /// Complexity: of the rows that join and leave, their number times a logarithm.
    mutating func extendRange(to row: RowID, _ sheet: Sheet) -> Bool {
        guard let range, let from = sheet.position(of: range.from),
            let end = sheet.position(of: row)
        else { return true }
        let new = min(from, end)...max(from, end)
        guard new.count <= Selection.rowsMax else { return false }
        let last = sheet.position(of: range.to) ?? from
        let old = min(from, last)...max(from, last)
        for position in old where !new.contains(position) {
            if let left = sheet.row(at: position) { rows.remove(left) }
        }
        for position in new where !old.contains(position) || position == from {
            if let joined = sheet.row(at: position) { rows.insert(joined) }
        }
        self.range = Span(from: range.from, to: row)
        return true
    }

    // MARK: Following the table

    /// Drops a block or a range whose beginning is gone.
    mutating func check(_ sheet: Sheet) {
        if let corner {
            let isThere =
                sheet.columnPosition(of: corner.column) != nil
                && (isWholeColumns || sheet.position(of: corner.row) != nil)
            if !isThere {
                self.corner = nil
                isWholeColumns = false
            }
        }
        if let range, sheet.position(of: range.from) == nil { self.range = nil }
    }

    /// The positions of the block's rows and columns; nil where there is no block.
    func block(_ grid: GridState, _ sheet: Sheet) -> (rows: Range<Int>, columns: Range<Int>)? {
        guard let corner, sheet.rowCount > 0,
            let column = sheet.columnPosition(of: corner.column)
        else { return nil }
        let columns =
            min(column, grid.columnPosition)..<max(column, grid.columnPosition) + 1
        if isWholeColumns { return (0..<sheet.rowCount, columns) }
        guard let row = sheet.position(of: corner.row) else { return nil }
        return (min(row, grid.rowPosition)..<max(row, grid.rowPosition) + 1, columns)
    }
}
