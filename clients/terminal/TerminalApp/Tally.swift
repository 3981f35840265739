// How many cells hold what is looked for, and which of them the cursor is on. Counted in slices
// as the clock ticks; edits of few cells are followed, anything that moves rows counts anew.
import TableClient
import TableModel
import TableValue

/// A count of the cells that hold what is looked for.
struct Tally: Hashable, Sendable {
    /// Places of cells in the table, row after row, in order; as many as are kept.
    private var places: [Int] = []
    /// Cells that were found beyond those.
    private var moreCount = 0
    /// The next row to count.
    private var nextRow = 0
    private var rowCount = 0
    private var columns: [ColumnID] = []
    /// True where what was counted is no longer so.
    private(set) var isStale = true
    private var startedAt: ClientInstant?

    /// Places that are kept; of more, only the number is known.
    static let placesMax = 200_000
    /// Edits of more cells count anew.
    private static let followedMax = 256
    /// The shortest time between two counts of a table that changes all the time.
    private static let pauseMilliseconds: Int64 = 1_000

    /// How many were found so far.
    var count: Int { places.count + moreCount }

    /// True where all cells were counted as they are.
    var isComplete: Bool { !isStale && nextRow >= rowCount }

    /// Which of them a cell is, from 0; nil where it is none, or that is not known.
    ///
    /// Complexity: logarithmic in the places.
    func index(row: Int, column: Int) -> Int? {
        guard !isStale, columns.indices.contains(column) else { return nil }
        let place = row * columns.count + column
        let index = partition(place)
        return index < places.count && places[index] == place ? index : nil
    }

    /// When the next slice is due; nil for never.
    func deadline(now: ClientInstant) -> ClientInstant? {
        guard isStale else { return isComplete ? nil : now }
        return startedAt.map { $0.later(byMilliseconds: Tally.pauseMilliseconds) } ?? now
    }

    // MARK: Counting

    /// What was counted is no longer so.
    mutating func invalidate() {
        isStale = true
    }

    /// Takes note where rows or columns came or went.
    mutating func check(_ sheet: Sheet) {
        guard !isStale else { return }
        let isSame =
            rowCount == sheet.rowCount && columns.count == sheet.columns.count
            && zip(columns, sheet.columns).allSatisfy { $0 == $1.id }
        if !isSame { isStale = true }
    }

    /// Counts on, from the beginning where it is time for that.
    ///
    /// Complexity: linear in `cellsMax`, times the logarithm of the rows.
    mutating func slice(
        _ sheet: Sheet, _ needle: Needle, cellsMax: Int, at now: ClientInstant
    ) {
        if isStale {
            if let due = deadline(now: now), due > now { return }
            self = Tally()
            isStale = false
            startedAt = now
            rowCount = sheet.rowCount
            columns = sheet.columns.map(\.id)
        }
        guard !columns.isEmpty else {
            nextRow = rowCount
            return
        }
        var budget = cellsMax
        while budget > 0, nextRow < rowCount {
            if let row = sheet.row(at: nextRow) { count(row, sheet, needle) }
            budget -= columns.count
            nextRow += 1
        }
    }

    private mutating func count(_ row: RowID, _ sheet: Sheet, _ needle: Needle) {
        for (index, column) in columns.enumerated() where needle.isIn(sheet.value(row, column)) {
            if places.count < Tally.placesMax {
                places.append(nextRow * columns.count + index)
            } else {
                moreCount += 1
            }
        }
    }

    // MARK: Following

    /// Looks again at cells that were changed.
    ///
    /// Complexity: of n cells, n times the places at worst.
    mutating func follow(
        _ cells: [(row: RowID, column: ColumnID)], _ sheet: Sheet, _ needle: Needle
    ) {
        guard !isStale else { return }
        guard cells.count <= Tally.followedMax, moreCount == 0 else {
            isStale = true
            return
        }
        for cell in cells {
            guard let row = sheet.position(of: cell.row), row < nextRow,
                let column = columns.firstIndex(of: cell.column)
            else { continue }
            let place = row * columns.count + column
            let index = partition(place)
            let wasIn = index < places.count && places[index] == place
            let isIn = needle.isIn(sheet.value(cell.row, cell.column))
            if isIn, !wasIn {
                places.insert(place, at: index)
            } else if !isIn, wasIn {
                places.remove(at: index)
            }
        }
    }

    /// The first index whose place is not before one.
    private func partition(_ place: Int) -> Int {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
