// How this user sees the columns, on this screen alone: widths, frozen and hidden columns.
// Nothing here changes the table.
import TableModel
import TableValue

extension App {
    /// Changes how columns are shown; false where the command does something else.
    mutating func changeView(_ command: AppCommand, _ sheet: Sheet?) -> Bool {
        switch command {
        case .narrower: changeWidth(by: -1, sheet)
        case .wider: changeWidth(by: 1, sheet)
        case .fit:
            guard let sheet, let column = sheet.column(at: grid.columnPosition) else { return true }
            grid.widths[column.id] = fittingWidth(of: column, sheet)
            grid.chosenWidths.remove(column.id)
        case .fitAll:
            grid.widths = [:]
            grid.chosenWidths = []
        case .freeze: freeze(sheet)
        case .hideColumn: hideColumn(sheet)
        case .showColumns:
            let place = sheet?.allColumns.firstIndex { $0.id == grid.column }
            layer = .columns(Listing(chosen: place ?? 0))
        case .showAllColumns:
            let count = grid.hidden.count
            show([], sheet)
            say(count == 0 ? "no column is hidden" : "\(counted(count, "column")) shown again")
        default: return false
        }
        return true
    }

    private mutating func changeWidth(by step: Int, _ sheet: Sheet?) {
        guard let sheet, let column = sheet.column(at: grid.columnPosition) else { return }
        setWidth(widths(of: column, sheet) + step, of: column)
        reveal(sheet)
    }

    /// Makes a column as wide as is wanted and possible.
    mutating func setWidth(_ wanted: Int, of column: Column) {
        let width = max(GridState.widthMin, min(wanted, GridState.widthMax))
        if width != wanted {
            refuse("a column has \(GridState.widthMin) to \(GridState.widthMax) cells")
        }
        grid.widths[column.id] = width
        grid.chosenWidths.insert(column.id)
    }

    // MARK: Freezing

    /// The columns up to the cursor's no longer scroll; where it is the last of them, all do.
    private mutating func freeze(_ sheet: Sheet?) {
        guard let sheet, let column = sheet.column(at: grid.columnPosition) else { return }
        if grid.frozenThrough == column.id {
            grid.frozenThrough = nil
            grid.frozenCount = 0
            return say("no column is frozen any more")
        }
        grid.frozenThrough = column.id
        grid.frozenCount = grid.columnPosition + 1
        let shown = GridLayout(of: self, sheet).frozenCount
        let key = keyText(.freeze)
        if shown < grid.frozenCount {
            say(
                "\(counted(grid.frozenCount, "column")) frozen; this screen has room for "
                    + "\(shown) of them")
        } else {
            say("\(counted(shown, "column")) frozen; \(key) here again lets go")
        }
        reveal(sheet)
    }

    // MARK: Hiding

    private mutating func hideColumn(_ sheet: Sheet?) {
        guard let sheet, let column = sheet.column(at: grid.columnPosition) else { return }
        guard toggleHidden(column.id, sheet) else { return }
        say("column \(column.name) is hidden here; \(keyText(.showColumns)) lists the columns")
    }

    /// Hides a column on this screen, or shows it again; false where it is the last one.
    @discardableResult
    mutating func toggleHidden(_ id: ColumnID, _ sheet: Sheet) -> Bool {
        var hidden = grid.hidden
        if hidden.remove(id) == nil {
            guard sheet.columns.count > 1 || sheet.columns.first?.id != id else {
                refuse("the last column that is shown cannot be hidden")
                return false
            }
            hidden.insert(id)
        }
        show(hidden, sheet)
        return true
    }

    /// Brings a column into sight that may be hidden, and the cursor to it.
    mutating func goToColumn(_ id: ColumnID, _ sheet: Sheet) {
        var sheet = sheet
        if grid.hidden.contains(id) {
            show(grid.hidden.subtracting([id]), sheet)
            sheet = sheet.hiding(grid.hidden)
        }
        guard let position = sheet.columnPosition(of: id) else { return }
        goTo(row: grid.rowPosition, column: position, sheet)
    }

    /// Hides these columns and no others; the cursor goes to a neighbour where it must.
    private mutating func show(_ hidden: Set<ColumnID>, _ sheet: Sheet?) {
        grid.hidden = hidden
        selection.corner = nil
        selection.isWholeColumns = false
        let wasAtStart = grid.leftPosition == 0
        guard let sheet = sheet?.hiding(hidden) else { return }
        arrange(sheet)
        if wasAtStart { grid.scrollColumns(to: 0, sheet) }
        reveal(sheet)
    }
}
