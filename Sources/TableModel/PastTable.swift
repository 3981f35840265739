// A table as it was: what names a moment of its past, and what a copy needs to be kept as one.
// Records are replayed by Apply.swift; who reads them from where is the server's business.

/// A moment in a table's past.
package enum PastMoment: Hashable, Sendable {
    /// After the record of that number.
    case sequence(SequenceNumber)
    /// After the newest record whose time is not later: milliseconds since 1970.
    case time(Int64)
}

extension Table {
    /// A copy that stays as the table is, without what would be needed to take operations back.
    package var asPast: Table {
        var past = self
        past.keepsUndo = false
        past.undoLog = UndoLog()
        return past
    }

    /// All columns that there ever were, live and hidden, in the order in which they came.
    package var everyColumn: [Column] { schema.entries.map(\.column) }
}

extension Record {
    /// The record with what concerns one row alone, and all that concerns columns.
    ///
    /// A table that only such records are applied to knows of that row what the whole one knows,
    /// but for its place.
    package func narrowed(to row: RowID) -> Record {
        var narrowed = self
        narrowed.changes = changes.compactMap { $0.narrowed(to: row) }
        return narrowed
    }
}

extension Change {
    fileprivate func narrowed(to row: RowID) -> Change? {
        switch self {
        case .rowsInserted(let block):
            return block.narrowed(to: row).map { .rowsInserted($0) }
        case .rowsShown(let block):
            return block.narrowed(to: row).map { .rowsShown($0) }
        case .cellsSet(let cells):
            let kept = cells.filter { $0.row == row }
            return kept.isEmpty ? nil : .cellsSet(kept)
        case .cellsFilled(let column, let rows, let values):
            guard let place = rows.firstIndex(of: row), place < values.count else { return nil }
            return .cellsFilled(column, rows: [row], values: [values[place]])
        case .rowsHidden(let rows): return rows.contains(row) ? .rowsHidden([row]) : nil
        case .rowsMoved(let rows, _):
            return rows.contains(row) ? .rowsMoved([row], to: RowPlace(after: nil)) : nil
        case .commentPut(let comment): return comment.row == row ? self : nil
        case .rowsArranged(let rows): return rows.contains(row) ? .rowsArranged([row]) : nil
        default: return self
        }
    }
}

extension RowBlock {
    fileprivate func narrowed(to row: RowID) -> RowBlock? {
        guard let place = ids.firstIndex(of: row) else { return nil }
        let start = place * columns.count
        let end = start + columns.count
        return RowBlock(
            ids: [row], place: RowPlace(after: nil), columns: columns,
            cells: end <= cells.count ? Array(cells[start..<end]) : [])
    }
}
