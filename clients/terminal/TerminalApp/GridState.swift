// Where the cursor is and which part of the table is in sight, held by ids: whatever others
// insert, delete or move, the cursor stays on its row and that row on its line of the screen.
import TableModel

/// Cursor, scroll position and column widths.
struct GridState: Hashable, Sendable {
    /// The cursor's row, and where it was last seen.
    var row: RowID?
    var rowPosition = 0
    /// The cursor's column, and where it was last seen.
    var column: ColumnID?
    var columnPosition = 0
    /// The first row in sight, and where it was last seen.
    var topRow: RowID?
    var topPosition = 0
    /// The first column in sight, and where it was last seen.
    var leftColumn: ColumnID?
    var leftPosition = 0
    /// True where the cursor's column was in sight when the screen was last arranged.
    var showsColumn = true
    /// The last of the columns at the left that do not scroll; nil where all do.
    var frozenThrough: ColumnID?
    /// How many these are, hidden ones not counted, as was last seen.
    var frozenCount = 0
    /// Columns that are not shown on this screen; never iterated where the order counts.
    var hidden: Set<ColumnID> = []
    /// Widths in cells, measured or chosen; never iterated.
    var widths: [ColumnID: Int] = [:]
    /// The columns whose widths the user chose, which are measured no more; never iterated.
    var chosenWidths: Set<ColumnID> = []
    /// True where cells were written since columns were last measured.
    var isContentNew = false

    /// The narrowest and the widest that a column can be made, and that is chosen for it.
    static let widthMin = 3
    static let widthMax = 200
    static let widthChosenMax = 32

    // MARK: Following the table

    /// Finds the ids again in the table as it is.
    ///
    /// Where the cursor was in sight its row keeps its line on the screen; otherwise the first
    /// row in sight does. A cursor whose row is gone goes to the row that took its place.
    /// A view that stood at the first of the columns that scroll stays at the first.
    ///
    /// Complexity: logarithmic in the rows, linear in the columns.
    ///
    /// - Parameters:
    ///   - sheet: the table.
    ///   - visibleRows: how many rows fit.
    ///   - frozen: how many columns at the left do not scroll.
    /// - Returns: true where columns stand in other places than before.
    mutating func follow(_ sheet: Sheet, visibleRows: Int, frozen: Int) -> Bool {
        let line = rowPosition - topPosition
        let wasVisible = line >= 0 && line < max(1, visibleRows)
        let wasGone = row == nil
        placeRow(sheet)
        if wasVisible, !wasGone {
            topPosition = rowPosition - line
        } else if let topRow, let position = sheet.position(of: topRow) {
            topPosition = position
        }
        topPosition = max(0, min(topPosition, sheet.rowCount - max(1, visibleRows)))
        topRow = sheet.row(at: topPosition)
        return placeColumns(sheet, frozen: frozen)
    }

    private mutating func placeRow(_ sheet: Sheet) {
        if let row, let position = sheet.position(of: row) {
            rowPosition = position
            return
        }
        rowPosition = max(0, min(rowPosition, sheet.rowCount - 1))
        row = sheet.row(at: rowPosition)
    }

    private mutating func placeColumns(_ sheet: Sheet, frozen: Int) -> Bool {
        let before = (column: column, position: columnPosition, left: leftPosition)
        let last = max(0, sheet.columns.count - 1)
        placeFrozen(sheet)
        if let column, let position = sheet.columnPosition(of: column) {
            columnPosition = position
        } else {
            columnPosition = max(0, min(columnPosition, last))
            column = sheet.column(at: columnPosition)?.id
        }
        if leftPosition <= frozen {
            // What stands first in sight is no column but the beginning of the table.
            scrollColumns(to: 0, sheet)
        } else if let leftColumn, let position = sheet.columnPosition(of: leftColumn) {
            leftPosition = position
        } else {
            leftPosition = min(leftPosition, last)
            leftColumn = sheet.column(at: leftPosition)?.id
        }
        return before != (column, columnPosition, leftPosition)
    }

    /// A column was moved: where it was the first in sight, the view stays where it is and lets
    /// it go.
    mutating func columnMoved(_ id: ColumnID) {
        if leftColumn == id { leftColumn = nil }
    }

    /// Where the last frozen column is gone, those before it stay frozen.
    private mutating func placeFrozen(_ sheet: Sheet) {
        guard let frozenThrough else {
            frozenCount = 0
            return
        }
        if let position = sheet.columnPosition(of: frozenThrough) {
            frozenCount = position + 1
        } else {
            frozenCount = max(0, min(frozenCount - 1, sheet.columns.count))
            self.frozenThrough = sheet.column(at: frozenCount - 1)?.id
        }
    }

    // MARK: Moving

    /// Puts the cursor on the row nearest to a position.
    mutating func goToRow(_ position: Int, _ sheet: Sheet) {
        rowPosition = max(0, min(position, sheet.rowCount - 1))
        row = sheet.row(at: rowPosition)
    }

    /// Puts the cursor on the column nearest to a position.
    mutating func goToColumn(_ position: Int, _ sheet: Sheet) {
        columnPosition = max(0, min(position, sheet.columns.count - 1))
        column = sheet.column(at: columnPosition)?.id
    }

    /// Scrolls so that the row at a position is the first in sight, as far as there are rows.
    mutating func scrollRows(to position: Int, visibleRows: Int, _ sheet: Sheet) {
        topPosition = max(0, min(position, sheet.rowCount - max(1, visibleRows)))
        topRow = sheet.row(at: topPosition)
    }

    /// Scrolls so that the column at a position is the first in sight.
    mutating func scrollColumns(to position: Int, _ sheet: Sheet) {
        leftPosition = max(0, min(position, sheet.columns.count - 1))
        leftColumn = sheet.column(at: leftPosition)?.id
    }

    /// Scrolls as little as it takes to see the cursor's row.
    mutating func revealRow(visibleRows: Int) {
        let visible = max(1, visibleRows)
        if rowPosition < topPosition {
            topPosition = rowPosition
        } else if rowPosition >= topPosition + visible {
            topPosition = rowPosition - visible + 1
        } else {
            return
        }
        // Found again by `follow`, which goes by the cursor while that is in sight.
        topRow = nil
    }

    /// Scrolls as little as it takes to see all of the cursor's column.
    ///
    /// Complexity: linear in the columns that fit.
    ///
    /// - Parameters:
    ///   - sheet: the table.
    ///   - frozen: how many columns at the left do not scroll.
    ///   - widthMax: cells for those that do.
    ///   - width: the width of a column.
    mutating func revealColumn(
        _ sheet: Sheet, from frozen: Int, widthMax: Int, width: (Column) -> Int
    ) {
        guard columnPosition >= frozen else { return }
        if leftPosition < frozen { scrollColumns(to: frozen, sheet) }
        guard columnPosition >= leftPosition else {
            return scrollColumns(to: columnPosition, sheet)
        }
        var first = columnPosition
        var sum = sheet.column(at: first).map(width) ?? 0
        while first > leftPosition, let previous = sheet.column(at: first - 1) {
            sum += width(previous) + 1
            guard sum <= widthMax else { break }
            first -= 1
        }
        if first > leftPosition { scrollColumns(to: first, sheet) }
    }

    /// Scrolls to the left as long as columns fit there that are out of sight, so that none is
    /// hidden while there is room on the right.
    ///
    /// Complexity: linear in the columns that fit.
    ///
    /// - Parameters:
    ///   - sheet: the table.
    ///   - frozen: how many columns at the left do not scroll.
    ///   - widthMax: cells for those that do.
    ///   - width: the width of a column.
    mutating func fillColumns(
        _ sheet: Sheet, from frozen: Int, widthMax: Int, width: (Column) -> Int
    ) {
        guard leftPosition > frozen else { return }
        // Of the dividers, the one behind the last column needs no room.
        var sum = -1
        for position in leftPosition..<max(leftPosition, sheet.columns.count) {
            sum += width(sheet.columns[position]) + 1
            guard sum < widthMax else { return }
        }
        var first = leftPosition
        while first > frozen, let previous = sheet.column(at: first - 1) {
            sum += width(previous) + 1
            guard sum <= widthMax else { break }
            first -= 1
        }
        if first < leftPosition { scrollColumns(to: first, sheet) }
    }
}
