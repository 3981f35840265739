// Where everything stands on the screen: which lines are what, which rows and columns are in
// sight, and what lies under the mouse. Made anew for each look; holds nothing of its own.
import TableModel
import TableValue
import Terminal

/// A column in sight.
struct VisibleColumn: Hashable, Sendable {
    let position: Int
    let column: Column
    let x: Int
    /// Cells that are in sight; less than its width where the screen ends.
    let width: Int
    let isCut: Bool
}

/// What lies under a place of the screen.
enum Hit: Hashable, Sendable {
    case cell(row: Int, column: Int)
    case gutter(row: Int)
    case header(column: Int)
    /// The right edge of a column's header.
    case edge(column: Int)
    /// Below the last row, or right of the last column.
    case empty
    /// Title, status and the like.
    case elsewhere
}

/// The parts of the screen.
struct GridLayout {
    let size: Size
    /// One column a row, with a second line of detail.
    let isCompact: Bool
    /// Lines, from 0; nil where there is no room.
    let titleLine: Int
    let headerLine: Int?
    let statusLine: Int?
    let peekLine: Int?
    /// The lines of rows.
    let firstLine: Int
    let lineCount: Int
    let linesPerRow: Int
    let gutterWidth: Int
    let topPosition: Int
    let rowCount: Int
    /// The frozen columns, then those that scroll.
    let columns: [VisibleColumn]
    /// How many of them are frozen.
    let frozenCount: Int

    /// Narrower screens get the compact form.
    static let compactBelow = 60
    /// Cells that frozen columns leave to the others at least.
    static let scrollingWidthMin = 16

    init(of app: App, _ sheet: Sheet?) {
        size = app.size
        isCompact = size.width < GridLayout.compactBelow
        titleLine = 0
        headerLine = size.height >= 4 ? 1 : nil
        statusLine = size.height >= 3 ? size.height - 1 : nil
        peekLine = size.height >= 7 ? size.height - 2 : nil
        firstLine = headerLine == nil ? 1 : 2
        let bottom = (statusLine == nil ? 0 : 1) + (peekLine == nil ? 0 : 1)
        lineCount = max(0, size.height - firstLine - bottom)
        linesPerRow = isCompact && lineCount >= 4 ? 2 : 1
        rowCount = sheet?.rowCount ?? 0
        topPosition = app.grid.topPosition
        let numbersMax = max(rowCount, sheet?.announcedRowCount ?? 0)
        gutterWidth = size.width >= 24 ? max(3, String(numbersMax).count) + 3 : 0
        var columns = GridLayout.frozenColumns(of: app, sheet, from: gutterWidth)
        frozenCount = columns.count
        let end = columns.last.map { $0.x + $0.width + 1 } ?? gutterWidth
        columns += GridLayout.columns(
            of: app, sheet, from: end, firstPosition: frozenCount, isCompact: isCompact)
        self.columns = columns
    }

    /// The columns that do not scroll, as long as they leave room for others.
    private static func frozenColumns(
        of app: App, _ sheet: Sheet?, from start: Int
    ) -> [VisibleColumn] {
        guard let sheet, app.size.width >= compactBelow else { return [] }
        var found: [VisibleColumn] = []
        var x = start
        while found.count < app.grid.frozenCount, let column = sheet.column(at: found.count) {
            let width = app.widths(of: column, sheet)
            guard x + width + 1 + scrollingWidthMin <= app.size.width else { break }
            found.append(
                VisibleColumn(
                    position: found.count, column: column, x: x, width: width, isCut: false))
            x += width + 1
        }
        return found
    }

    private static func columns(
        of app: App, _ sheet: Sheet?, from start: Int, firstPosition: Int, isCompact: Bool
    ) -> [VisibleColumn] {
        let width = app.size.width
        guard let sheet, width > start else { return [] }
        if isCompact {
            guard let column = sheet.column(at: app.grid.columnPosition) else { return [] }
            return [
                VisibleColumn(
                    position: app.grid.columnPosition, column: column, x: start,
                    width: width - start, isCut: false)
            ]
        }
        var found: [VisibleColumn] = []
        var x = start
        var position = max(app.grid.leftPosition, firstPosition)
        while x < width, let column = sheet.column(at: position) {
            let wanted = app.widths(of: column, sheet)
            found.append(
                VisibleColumn(
                    position: position, column: column, x: x, width: min(wanted, width - x),
                    isCut: wanted > width - x))
            x += wanted + 1
            position += 1
        }
        return found
    }

    /// Rows that fit.
    var visibleRowCount: Int { lineCount / linesPerRow }

    /// Where the columns that scroll begin.
    var scrollingX: Int {
        frozenCount > 0
            ? columns[frozenCount - 1].x + columns[frozenCount - 1].width + 1
            : gutterWidth
    }

    /// The positions of the rows in sight.
    var visibleRows: Range<Int> {
        topPosition..<max(topPosition, min(rowCount, topPosition + visibleRowCount))
    }

    /// The line of a row; nil where it is out of sight.
    func line(ofRow position: Int) -> Int? {
        guard visibleRows.contains(position) else { return nil }
        return firstLine + (position - topPosition) * linesPerRow
    }

    /// The column in sight at a position of the table.
    func column(at position: Int) -> VisibleColumn? {
        columns.first { $0.position == position }
    }

    /// True where the cursor is in sight.
    func shows(_ grid: GridState) -> Bool {
        visibleRows.contains(grid.rowPosition) && column(at: grid.columnPosition) != nil
    }

    /// What lies under a place.
    func hit(_ place: Point) -> Hit {
        if place.y == headerLine, let column = columns.first(where: { covers($0, place.x) }) {
            let isEdge = place.x == column.x + column.width && !isCompact
            return isEdge ? .edge(column: column.position) : .header(column: column.position)
        }
        guard place.y >= firstLine, place.y < firstLine + lineCount else { return .elsewhere }
        let row = topPosition + (place.y - firstLine) / max(1, linesPerRow)
        guard visibleRows.contains(row) else { return .empty }
        if place.x < gutterWidth { return .gutter(row: row) }
        guard let column = columns.first(where: { covers($0, place.x) }) else { return .empty }
        return .cell(row: row, column: column.position)
    }

    /// The row nearest to a line of the screen, also above and below the rows.
    func nearestRow(toLine y: Int) -> Int {
        let row = topPosition + (y - firstLine) / max(1, linesPerRow)
        return max(0, min(row, rowCount - 1))
    }

    private func covers(_ column: VisibleColumn, _ x: Int) -> Bool {
        x >= column.x && x <= column.x + column.width
    }
}

extension App {
    /// The width of a column: chosen, measured, or measured now.
    func widths(of column: Column, _ sheet: Sheet) -> Int {
        grid.widths[column.id] ?? fittingWidth(of: column, sheet)
    }

    /// The width that the name and the values in sight take, within reason.
    func fittingWidth(of column: Column, _ sheet: Sheet) -> Int {
        let room = max(GridState.widthMin, size.width - 8)
        let longest = min(max(GridState.widthChosenMax, column.type.widthLeast + 1), room)
        var width = rules.width(of: column.name.string, upTo: longest)
        var hasValue = false
        let end = min(sheet.rowCount, grid.topPosition + max(size.height, 20))
        for position in grid.topPosition..<max(grid.topPosition, end) where width < longest {
            guard let row = sheet.row(at: position) else { continue }
            let value = sheet.value(row, column.id)
            if !value.isNull { hasValue = true }
            width = max(width, rules.width(of: CellLook(value).text, upTo: longest))
        }
        // What may come into a column without values is known by its type alone.
        if !hasValue { width = max(width, column.type.widthLeast) }
        return max(GridState.widthMin, min(width + 1, longest))
    }

    /// Makes columns in sight wider whose content has grown, but for those of a chosen width.
    ///
    /// Scrolling changes none; neither does anything while a cell is edited or the mouse drags.
    mutating func widenColumns(_ sheet: Sheet) {
        guard grid.isContentNew, editor == nil, drag == nil else { return }
        grid.isContentNew = false
        for visible in GridLayout(of: self, sheet).columns {
            let column = visible.column
            guard let width = grid.widths[column.id], !grid.chosenWidths.contains(column.id) else {
                continue
            }
            grid.widths[column.id] = max(width, fittingWidth(of: column, sheet))
        }
    }

    /// Settles the widths of columns that come into sight for the first time, so that scrolling
    /// and editing never change them.
    mutating func measureVisibleColumns(_ sheet: Sheet) {
        guard sheet.rowCount > 0, !(size.width < GridLayout.compactBelow) else { return }
        for position in 0..<grid.frozenCount {
            guard let column = sheet.column(at: position), grid.widths[column.id] == nil else {
                continue
            }
            grid.widths[column.id] = widths(of: column, sheet)
        }
        var x = 0
        var position = grid.leftPosition
        while x < size.width, let column = sheet.column(at: position) {
            let width = widths(of: column, sheet)
            if grid.widths[column.id] == nil { grid.widths[column.id] = width }
            x += width + 1
            position += 1
        }
    }
}
