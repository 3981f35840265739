// Finding text in cells: what is looked for, and how far a search has come. It walks in slices,
// one each time the clock ticks, so that no table is too large to look through.
import TableModel
import TableValue

/// What is looked for: text, in any case.
struct Needle: Hashable, Sendable {
    private let bytes: [UInt8]
    private let isASCII: Bool

    init(_ text: String) {
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let folded = isASCII ? text : simpleCaseFolded(Text(text)).string
        bytes = folded.utf8.map(Needle.lower)
    }

    /// True where a value's text holds it, within the first `bytesMax` bytes.
    ///
    /// Complexity: linear in the text, times the needle's length at worst.
    func isIn(_ value: Value, bytesMax: Int = .max) -> Bool {
        guard !bytes.isEmpty else { return false }
        if value.isNull { return false }
        guard let text = value.textHeld else {
            return isIn(Text(value.canonicalText), bytesMax: bytesMax)
        }
        return isIn(isASCII ? text : simpleCaseFolded(text), bytesMax: bytesMax)
    }

    private func isIn(_ text: Text, bytesMax: Int) -> Bool {
        let span = text.string.utf8.span
        let end = min(span.count, bytesMax) - bytes.count
        guard end >= 0 else { return false }
        let first = bytes[0]
        for start in 0...end where Needle.lower(span[start]) == first {
            var length = 1
            while length < bytes.count, Needle.lower(span[start + length]) == bytes[length] {
                length += 1
            }
            if length == bytes.count { return true }
        }
        return false
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}

/// A search.
struct Search: Hashable, Sendable {
    let query: String
    let needle: Needle
    var isForward = true
    /// True while cells are left to look at.
    var isRunning = false
    /// The next cell to look at.
    var row = 0
    var column = 0
    var rowsLeft = 0
    var rowCount = 0
    /// Where the search began, to tell when it goes on at the other end.
    private var startRow = 0
    private var startColumn = 0
    /// True where the cell was found beyond the last row, or the first.
    private(set) var hasWrapped = false
    /// How many cells hold it.
    var tally = Tally()

    /// Cells that are looked at in one slice: a few milliseconds.
    static let sliceCells = 20_000

    init(_ query: String) {
        self.query = query
        needle = Needle(query)
    }

    /// How much of the table has been looked through, in percent.
    var percentDone: Int {
        rowCount > 0 ? max(0, min(99, (rowCount - rowsLeft) * 100 / rowCount)) : 0
    }

    /// Begins behind a cell, or before it; each row comes once, the cell's own twice.
    mutating func begin(_ grid: GridState, forward: Bool, _ sheet: Sheet) {
        isForward = forward
        isRunning = sheet.rowCount > 0 && !sheet.columns.isEmpty
        row = grid.rowPosition
        column = grid.columnPosition + (forward ? 1 : -1)
        rowsLeft = sheet.rowCount + 1
        rowCount = sheet.rowCount
        (startRow, startColumn) = (grid.rowPosition, grid.columnPosition)
        hasWrapped = false
    }

    /// How far the search is; then which of the cells it is that the cursor is on.
    func progressText(_ grid: GridState, _ sheet: Sheet) -> String {
        if isRunning { return "\(percentDone)%" }
        let more = tally.isComplete ? "" : "+"
        let index = tally.index(row: grid.rowPosition, column: grid.columnPosition)
        guard let index else {
            return grouped(tally.count) + more + (tally.count == 1 ? " cell" : " cells")
        }
        let wrapped = !hasWrapped ? "" : isForward ? ", on from the top" : ", on from the end"
        return "\(grouped(index + 1)) of \(grouped(tally.count))\(more)\(wrapped)"
    }

    /// Looks at the next cells; the first that holds what is looked for.
    mutating func slice(_ sheet: Sheet) -> (row: Int, column: Int)? {
        let columns = sheet.columns
        var budget = Search.sliceCells
        while budget > 0, rowsLeft > 0, !columns.isEmpty, sheet.rowCount > 0 {
            row = (row % sheet.rowCount + sheet.rowCount) % sheet.rowCount
            if let id = sheet.row(at: row) {
                while columns.indices.contains(column) {
                    budget -= 1
                    if needle.isIn(sheet.value(id, columns[column].id)) {
                        isRunning = false
                        hasWrapped =
                            isForward
                            ? (row, column) <= (startRow, startColumn)
                            : (row, column) >= (startRow, startColumn)
                        return (row, column)
                    }
                    column += isForward ? 1 : -1
                }
            }
            budget -= 1
            rowsLeft -= 1
            row += isForward ? 1 : -1
            column = isForward ? 0 : columns.count - 1
        }
        if rowsLeft <= 0 || columns.isEmpty || sheet.rowCount == 0 { isRunning = false }
        return nil
    }
}

extension App {
    /// Looks for a text from the cursor on.
    mutating func find(_ query: String, _ sheet: Sheet?) {
        guard !query.isEmpty else {
            search = nil
            return
        }
        search = Search(query)
        findAgain(forward: true, sheet)
    }

    /// Goes on to the next cell with what was looked for.
    mutating func findAgain(forward: Bool, _ sheet: Sheet?) {
        guard search != nil else { return refuse("nothing to find yet; \(keyText(.find)) asks") }
        guard let sheet else { return }
        search?.begin(grid, forward: forward, sheet)
        lookOn(sheet)
    }

    /// Looks for the text of the cursor's cell.
    mutating func findThis(_ sheet: Sheet?) {
        guard let sheet, let row = grid.row, let column = grid.column else { return }
        let text = sheet.value(row, column).canonicalText
        guard !text.isEmpty, text.utf8.count <= 1_024 else {
            return refuse("this cell has no text to look for")
        }
        find(text, sheet)
    }

    /// The clock ticked: a search that is not done goes on.
    mutating func searchOn(_ turn: inout Turn) {
        guard let search, let sheet = turn.sheet else { return }
        if search.isRunning { lookOn(sheet) } else { countOn(sheet) }
    }

    private mutating func countOn(_ sheet: Sheet) {
        guard let needle = search?.needle else { return }
        search?.tally.slice(sheet, needle, cellsMax: Search.sliceCells, at: now)
    }

    private mutating func lookOn(_ sheet: Sheet) {
        guard let found = search?.slice(sheet) else {
            if search?.isRunning == false {
                refuse("not found in \(counted(sheet.rowCount, "row"))")
            }
            return
        }
        countOn(sheet)
        // An edit that was begun meanwhile is not disturbed.
        if editor == nil { goTo(row: found.row, column: found.column, sheet) }
    }
}

// MARK: Keeping the count

extension App {
    /// A record changed the table: the count goes with it.
    mutating func recount(_ changes: [Change], _ sheet: Sheet?) {
        guard let needle = search?.needle, let sheet else { return }
        for change in changes {
            guard case .cellsSet(let cells) = change else {
                search?.tally.invalidate()
                return
            }
            search?.tally.follow(cells.map { ($0.row, $0.column) }, sheet, needle)
        }
    }

    /// Operations of this user changed the table: the count goes with it.
    mutating func recount(_ deeds: [Deed], _ sheet: Sheet?) {
        guard let needle = search?.needle, let sheet else { return }
        for intent in deeds.flatMap(\.body) {
            guard case .setCells(let edits) = intent else {
                search?.tally.invalidate()
                return
            }
            let cells = edits.compactMap { edit -> (row: RowID, column: ColumnID)? in
                guard case .id(let column) = edit.column else { return nil }
                return (edit.row, column)
            }
            search?.tally.follow(cells, sheet, needle)
        }
    }
}
