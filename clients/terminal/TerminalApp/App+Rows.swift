// Rows: inserted, duplicated, deleted, moved; always by their ids and next to a neighbour.
import TableModel
import TableValue

extension App {
    /// Does what a command about rows says.
    mutating func changeRows(_ command: AppCommand, count: Int?, _ turn: inout Turn) {
        guard let sheet = turn.sheet else { return }
        guard !sheet.columns.isEmpty else {
            return say("there is no column yet; \(keyText(.addColumnAfter)) adds one")
        }
        switch command {
        case .insertBelow: insertRow(after: grid.row.map { .after($0) } ?? .last, &turn)
        case .insertAbove:
            let before = sheet.row(at: grid.rowPosition - 1)
            insertRow(after: before.map { .after($0) } ?? .first, &turn)
        default:
            guard let rows = chosenRows(sheet) else {
                return say("at most \(grouped(Selection.rowsMax)) rows can be changed at once")
            }
            guard !rows.isEmpty else { return say("there is no row here") }
            changeRows(rows, command, count: count, sheet, &turn)
        }
    }

    private mutating func changeRows(
        _ rows: [RowID], _ command: AppCommand, count: Int?, _ sheet: Sheet, _ turn: inout Turn
    ) {
        switch command {
        case .duplicate: duplicate(rows, sheet, &turn)
        case .delete:
            if rows.count > 1 {
                layer = .question(Question(kind: .deleteRows(rows)))
            } else {
                delete(rows, &turn)
            }
        case .moveUp: move(rows, by: -(count ?? 1), sheet, &turn)
        case .moveDown: move(rows, by: count ?? 1, sheet, &turn)
        case .moveHere: moveHere(rows, sheet, &turn)
        default: break
        }
    }

    private mutating func insertRow(after anchor: RowAnchor, _ turn: inout Turn) {
        guard let column = grid.column else { return }
        turn.perform(
            .insertRows(InsertRows(rowCount: 1, anchor: anchor)),
            for: .insert(count: 1, cursorColumn: column))
    }

    private mutating func duplicate(_ rows: [RowID], _ sheet: Sheet, _ turn: inout Turn) {
        guard let last = rows.last else { return }
        let cellCount = rows.count * sheet.columns.count
        guard cellCount <= TableLimits().partsMax else {
            return say(
                "at most \(grouped(TableLimits().partsMax)) cells can be written at once; "
                    + "choose fewer rows")
        }
        var cells: [Value] = []
        cells.reserveCapacity(cellCount)
        for row in rows { cells += sheet.columns.map { sheet.value(row, $0.id) } }
        let insert = InsertRows(
            rowCount: rows.count, anchor: .after(last), columns: sheet.columns.map { .id($0.id) },
            cells: cells)
        turn.perform(.insertRows(insert), for: .insert(count: rows.count, cursorColumn: nil))
    }

    /// Deletes rows, and takes them out of what is chosen.
    mutating func delete(_ rows: [RowID], _ turn: inout Turn) {
        let live = turn.sheet.map { $0.ordered(rows) } ?? []
        guard !live.isEmpty else { return say("the rows are gone already") }
        _ = selection.remove(live)
        if selection.rows.isEmpty { selection.clear() }
        turn.perform(.deleteRows(live), for: .deleteRows(live.count))
    }

    /// Moves rows past their neighbours; they arrive together.
    private mutating func move(
        _ rows: [RowID], by step: Int, _ sheet: Sheet, _ turn: inout Turn
    ) {
        let positions = rows.compactMap { sheet.position(of: $0) }
        guard let first = positions.first, let last = positions.last else { return }
        // The neighbour to stand behind: a position among the rows that do not move.
        let chosen = Set(rows)
        let target: Int
        if step < 0 {
            guard first > 0 || last - first >= positions.count else {
                return say("the first row cannot move up")
            }
            target = max(0, first + step) - 1
        } else {
            guard last + 1 < sheet.rowCount || last - first >= positions.count else {
                return say("the last row cannot move down")
            }
            target = min(sheet.rowCount - 1, last + step)
        }
        moveRows(rows, after: target, except: chosen, sheet, &turn)
    }

    /// Moves rows to stand behind the nearest row, at a position or before it, that stays.
    mutating func moveRows(
        _ rows: [RowID], after position: Int, except chosen: Set<RowID>, _ sheet: Sheet,
        _ turn: inout Turn
    ) {
        var place = position
        while let row = sheet.row(at: place), chosen.contains(row) { place -= 1 }
        let anchor: RowAnchor = sheet.row(at: place).map { .after($0) } ?? .first
        turn.perform(.moveRows(rows, to: anchor), for: .moveRows(rows.count))
    }

    private mutating func moveHere(_ rows: [RowID], _ sheet: Sheet, _ turn: inout Turn) {
        guard !selection.rows.isEmpty else {
            return say("choose rows first (\(keyText(.select))), then go where they shall stand")
        }
        moveRows(rows, after: grid.rowPosition, except: Set(rows), sheet, &turn)
    }

    // MARK: Cells

    /// Empties the chosen cells.
    mutating func clearCells(_ turn: inout Turn) {
        guard let sheet = turn.sheet else { return }
        guard let cells = chosenCells(sheet, max: TableLimits().partsMax) else {
            return say("at most \(grouped(TableLimits().partsMax)) cells can be emptied at once")
        }
        var edits: [CellEdit] = []
        for row in cells.rows {
            for column in cells.columns where !sheet.value(row, column.id).isNull {
                edits.append(CellEdit(row: row, column: .id(column.id), value: .null))
            }
        }
        guard !edits.isEmpty else { return say("nothing to empty here") }
        turn.perform(.setCells(edits), for: .setCells(edits.count))
    }
}
