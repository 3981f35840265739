// Rows: inserted, duplicated, deleted, moved; always by their ids and next to a neighbour.
// Positions on the screen never reach the server.
import TableModel
import TableValue

extension App {
    /// Does what a command about rows says.
    mutating func changeRows(_ command: AppCommand, count: Int?, _ turn: inout Turn) {
        guard let sheet = turn.sheet else { return }
        guard !sheet.columns.isEmpty else {
            return refuse("there is no column yet; \(keyText(.addColumnAfter)) adds one")
        }
        switch command {
        case .insertBelow: insertRow(after: grid.row.map { .after($0) } ?? .last, &turn)
        case .insertAbove:
            let before = sheet.row(at: grid.rowPosition - 1)
            insertRow(after: before.map { .after($0) } ?? .first, &turn)
        default:
            guard let rows = chosenRows(sheet) else {
                return refuse("at most \(grouped(Selection.rowsMax)) rows can be changed at once")
            }
            guard !rows.isEmpty else { return refuse("there is no row here") }
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
        guard let sheet = turn.sheet, let column = sheet.columns.first?.id else { return }
        if let draft = RowDraft(sheet.allColumns, at: anchor) { return ask(for: draft) }
        turn.perform(
            .insertRows(InsertRows(rowCount: 1, anchor: anchor)),
            for: .insert(count: 1, editedColumn: column))
    }

    /// Esc in a row that was just inserted: where nobody has written into it, it goes again, and
    /// the cursor to where it was; false where it stays.
    mutating func takeBackNewRow(_ row: RowID, _ turn: inout Turn) -> Bool {
        guard let new = newRow, new.row == row else { return false }
        newRow = nil
        guard let sheet = turn.sheet, sheet.position(of: row) != nil,
            sheet.allColumns.allSatisfy({ sheet.value(row, $0.id).isNull })
        else { return false }
        if let before = new.cameFrom, let position = sheet.position(of: before) {
            let column = new.column.flatMap { sheet.columnPosition(of: $0) }
            goTo(row: position, column: column ?? grid.columnPosition, sheet)
        }
        turn.perform(.deleteRows([row]), for: .deleteRows(1))
        say("the new row was taken away again")
        return true
    }

    private mutating func duplicate(_ rows: [RowID], _ sheet: Sheet, _ turn: inout Turn) {
        guard let last = rows.last else { return }
        let columns = sheet.allColumns
        let cellCount = rows.count * columns.count
        guard cellCount <= TableLimits().partsMax else {
            return refuse(
                "at most \(grouped(TableLimits().partsMax)) cells can be written at once; "
                    + "choose fewer rows")
        }
        var cells: [Value] = []
        cells.reserveCapacity(cellCount)
        for row in rows { cells += columns.map { sheet.value(row, $0.id) } }
        let insert = InsertRows(
            rowCount: rows.count, anchor: .after(last), columns: columns.map { .id($0.id) },
            cells: cells)
        turn.perform(.insertRows(insert), for: .insert(count: rows.count, editedColumn: nil))
    }

    /// Deletes rows, and takes them out of what is chosen.
    mutating func delete(_ rows: [RowID], _ turn: inout Turn) {
        let live = turn.sheet.map { $0.ordered(rows) } ?? []
        guard !live.isEmpty else { return refuse("the rows are gone already") }
        _ = selection.remove(live)
        if selection.rows.isEmpty { selection.clear() }
        if let sheet = turn.sheet { say(deletionText(live, sheet)) }
        turn.perform(.deleteRows(live), for: .deleteRows(live.count))
    }

    /// Which rows are deleted, for a sentence.
    private func deletionText(_ rows: [RowID], _ sheet: Sheet) -> String {
        guard let row = rows.first, let first = sheet.position(of: row),
            let last = rows.last.flatMap({ sheet.position(of: $0) })
        else { return "\(counted(rows.count, "row")) deleted" }
        guard rows.count == 1 else {
            let isRun = last - first + 1 == rows.count
            return "\(counted(rows.count, "row")) deleted: "
                + "\(grouped(first + 1)) \(isRun ? "to" : "and others up to") \(grouped(last + 1))"
        }
        let texts = sheet.columns.lazy.map { sheet.value(row, $0.id).canonicalText }
        let text = texts.first { !$0.isEmpty }.map { " (\(glance($0, widthMax: 30)))" } ?? ""
        return "1 row deleted: row \(grouped(first + 1))\(text)"
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
                return refuse("the first row cannot move up")
            }
            target = max(0, first + step) - 1
        } else {
            guard last + 1 < sheet.rowCount || last - first >= positions.count else {
                return refuse("the last row cannot move down")
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
            return refuse("choose rows first (\(keyText(.select))), then go where they shall stand")
        }
        moveRows(rows, after: grid.rowPosition, except: Set(rows), sheet, &turn)
    }

    // MARK: Cells

    /// Empties the chosen cells.
    mutating func clearCells(_ turn: inout Turn) {
        guard let sheet = turn.sheet else { return }
        guard let cells = chosenCells(sheet, max: TableLimits().partsMax) else {
            return refuse("at most \(grouped(TableLimits().partsMax)) cells can be emptied at once")
        }
        var edits: [CellEdit] = []
        for row in cells.rows {
            for column in cells.columns where !sheet.value(row, column.id).isNull {
                edits.append(CellEdit(row: row, column: .id(column.id), value: .null))
            }
        }
        guard !edits.isEmpty else { return refuse("nothing to empty here") }
        turn.perform(.setCells(edits), for: .setCells(edits.count))
    }
}
