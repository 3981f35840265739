// What each command does. Moving about is here; editing, rows and columns have files of their own.
// Which key leads to which command is in KeyMap.swift.
import TableClient
import TableModel
import TableValue

extension App {
    /// Does what a command says; `count` is the number typed in front of it.
    mutating func run(_ command: AppCommand, count: Int? = nil, _ turn: inout Turn) {
        if let reason = reason(against: command) { return refuse(reason) }
        if command.isEdit, !mayEdit(turn.sheet) { return }
        if move(command, count: count, turn.sheet) || choose(command, turn.sheet) { return }
        if show(command, turn.sheet) || changeView(command, turn.sheet) { return }
        if changeWhole(command, &turn) { return }
        switch command {
        case .edit: editCell(&turn)
        case .editEnd: beginEditing(.atEnd, &turn)
        case .editEmpty: beginEditing(.empty, &turn)
        case .makeNull: clearCells(&turn)
        case .copy: copyCells(&turn)
        case .copyRows: copyRows(&turn)
        case .copyRowID: copyRowID(&turn)
        case .cut:
            if copyCells(&turn) { clearCells(&turn) }
        case .paste: pasteClipboard(turn.sheet)
        case .undo, .redo: askForUndo(isRedo: command == .redo, count: count, &turn)
        case .putBack: putBack(&turn)
        case .showHistory: showHistory(turn.sheet)
        case .comment: askForComment(turn.sheet)
        case .showComments: showComments(turn.sheet)
        case .restoreTable: askForMoment()
        case .insertBelow, .insertAbove, .duplicate, .delete, .moveUp, .moveDown, .moveHere:
            changeRows(command, count: count, &turn)
        case .addColumnAfter, .addColumnBefore, .renameColumn, .deleteColumn, .moveColumnLeft,
            .moveColumnRight, .retypeColumn, .duplicateColumn:
            changeColumns(command, &turn)
        case .appendTable: layer = .prompt(Prompt(kind: .appendTable))
        case .claimRow: layer = .prompt(Prompt(kind: .claim(condition: nil)))
        case .findNext: findAgain(forward: true, turn.sheet)
        case .findPrevious: findAgain(forward: false, turn.sheet)
        case .findThis: findThis(turn.sheet)
        case .redraw: turn.actions.append(.redraw)
        case .suspend: turn.actions.append(.suspend)
        case .quit: askToQuit(&turn)
        case .cancel: cancel()
        default: break
        }
    }

    /// Why a command is none for this user; nil where it is one.
    ///
    /// The server judges all the same.
    func reason(against command: AppCommand) -> String? {
        guard command.isEdit else { return nil }
        if let readOnlyReason { return "read-only: \(readOnlyReason)" }
        guard command.entry.isColumnEdit, let role, App.rolesWithoutColumns.contains(role) else {
            return nil
        }
        let what = command == .truncate ? "this" : "changes of columns"
        return "your role (\(role)) does not allow \(what); ask an owner or a manager"
    }

    /// The commands of a menu that are some for this user.
    func offered(_ commands: [AppCommand]) -> [AppCommand] {
        commands.filter { reason(against: $0) == nil }
    }

    /// True where this user's role may change columns.
    var mayChangeColumns: Bool { role.map { !App.rolesWithoutColumns.contains($0) } ?? false }

    private static let rolesWithoutColumns: Set<String> = [
        "editor", "commenter", "viewer", "appender", "auditor",
    ]

    /// True where the table can be changed; otherwise says why not.
    mutating func mayEdit(_ sheet: Sheet?) -> Bool {
        if let reason = obstacle(sheet) {
            refuse(reason)
            return false
        }
        return true
    }

    /// Why nothing can be changed; nil where it can.
    func obstacle(_ sheet: Sheet?) -> String? {
        if let readOnlyReason { return "read-only: \(readOnlyReason)" }
        if case .failed = connection {
            return "the connection was given up; nothing can be changed any more"
        }
        guard let sheet else { return "the table is not here yet" }
        return sheet.announcedRowCount == nil
            ? nil : "the table is still on its way; it can be changed once all of it is here"
    }

    /// Lets go of one thing after the other.
    private mutating func cancel() {
        if notices.dismiss() { return }
        if selection.range != nil {
            selection.endRange()
        } else if selection.corner != nil {
            selection.corner = nil
            selection.isWholeColumns = false
        } else if !selection.isEmpty {
            selection.clear()
        } else {
            search = nil
        }
    }

    /// Quits, or asks where something would be lost.
    private mutating func askToQuit(_ turn: inout Turn) {
        let isEditing = editor?.isChanged == true
        if unsentCount > 0 || isEditing {
            layer = .question(Question(kind: .quit(unsent: unsentCount, isEditing: isEditing)))
        } else {
            turn.actions.append(.quit)
        }
    }

    /// Takes the text in the editor, and quits once everything is confirmed; stays where the text
    /// cannot be taken.
    mutating func quitWhenSent(_ turn: inout Turn) {
        guard commit(&turn) else {
            return refuse("still here: the text in the editor cannot be taken as it is")
        }
        quitsWhenSent = true
        hasQuit = false
        warningCountAtQuit = notices.warningCount
        say("quits as soon as everything is confirmed; any key stays")
    }
}

// MARK: Moving

extension App {
    /// Moves the cursor or the view; false where the command does something else.
    ///
    /// Complexity: logarithmic in the rows, linear in the columns.
    private mutating func move(_ command: AppCommand, count: Int?, _ sheet: Sheet?) -> Bool {
        guard let target = target(of: command, count: count, sheet) else {
            return scroll(command, sheet)
        }
        guard let sheet else { return true }
        extendOrKeep(command, sheet)
        goTo(row: target.row, column: target.column, sheet)
        return true
    }

    /// Puts the cursor on a cell and shows it.
    mutating func goTo(row: Int, column: Int, _ sheet: Sheet) {
        grid.goToRow(row, sheet)
        grid.goToColumn(column, sheet)
        if let row = grid.row, selection.range != nil, !selection.extendRange(to: row, sheet) {
            refuse("at most \(grouped(Selection.rowsMax)) rows can be chosen")
        }
        reveal(sheet)
    }

    /// Where a command takes the cursor; nil where it takes it nowhere.
    private func target(
        of command: AppCommand, count: Int?, _ sheet: Sheet?
    ) -> (row: Int, column: Int)? {
        let page = max(1, GridLayout(of: self, sheet).visibleRowCount)
        let times = count ?? 1
        let row = grid.rowPosition
        let column = grid.columnPosition
        let columns = sheet?.columns.count ?? 0
        switch command {
        case .up, .extendUp: return (row - times, column)
        case .down, .extendDown: return (row + times, column)
        case .left, .extendLeft: return (row, column - times)
        case .right, .extendRight: return (row, column + times)
        case .firstColumn: return (row, 0)
        case .lastColumn: return (row, columns - 1)
        case .firstCell: return (0, 0)
        case .firstRow: return (count.map { $0 - 1 } ?? 0, column)
        case .lastRow: return (count.map { $0 - 1 } ?? (sheet?.rowCount ?? 0) - 1, column)
        case .pageUp: return (row - times * page, column)
        case .pageDown: return (row + times * page, column)
        case .halfPageUp: return (row - times * max(1, page / 2), column)
        case .halfPageDown: return (row + times * max(1, page / 2), column)
        case .nextCell:
            if column + 1 < columns { return (row, column + 1) }
            return row + 1 < sheet?.rowCount ?? 0 ? (row + 1, 0) : (row, column)
        case .previousCell:
            if column > 0 { return (row, column - 1) }
            return row > 0 ? (row - 1, columns - 1) : (row, column)
        default: return nil
        }
    }

    /// A block grows with the commands that extend it, and with all others once it was begun by
    /// `choose block of cells`.
    private mutating func extendOrKeep(_ command: AppCommand, _ sheet: Sheet) {
        switch command {
        case .extendUp, .extendDown, .extendLeft, .extendRight:
            beginBlock()
        default:
            if selection.isWholeColumns {
                selection.corner = nil
                selection.isWholeColumns = false
            }
        }
    }

    /// Begins a block at the cursor where there is none.
    mutating func beginBlock() {
        guard selection.corner == nil, let row = grid.row, let column = grid.column else { return }
        selection.corner = Selection.Corner(row: row, column: column)
        selection.isWholeColumns = false
    }

    private mutating func scroll(_ command: AppCommand, _ sheet: Sheet?) -> Bool {
        let visible = GridLayout(of: self, sheet).visibleRowCount
        let top: Int
        switch command {
        case .toTop: top = grid.rowPosition
        case .toMiddle: top = grid.rowPosition - visible / 2
        case .toBottom: top = grid.rowPosition - visible + 1
        default: return false
        }
        if let sheet { grid.scrollRows(to: top, visibleRows: visible, sheet) }
        return true
    }
}

// MARK: Choosing

extension App {
    /// Chooses rows and cells; false where the command does something else.
    private mutating func choose(_ command: AppCommand, _ sheet: Sheet?) -> Bool {
        switch command {
        case .select: toggleRow(sheet)
        case .selectRange:
            guard let row = grid.row else { return true }
            if selection.range == nil {
                selection.beginRange(at: row)
                say("rows from here to the cursor are chosen; the same key ends it")
            } else {
                selection.endRange()
            }
        case .selectAll:
            guard let sheet else { return true }
            if selection.selectAll(sheet) {
                say("\(counted(sheet.rowCount, "row")) chosen; Esc lets go")
            } else {
                refuse(
                    "at most \(grouped(Selection.rowsMax)) rows can be chosen; this table has "
                        + grouped(sheet.rowCount))
            }
        case .selectBlock:
            if selection.corner == nil { beginBlock() } else { selection.corner = nil }
            selection.isWholeColumns = false
        case .selectColumn:
            selection.corner = nil
            beginBlock()
            selection.isWholeColumns = selection.corner != nil
        default: return false
        }
        return true
    }

    private mutating func toggleRow(_ sheet: Sheet?) {
        guard let sheet, let row = grid.row else { return }
        if selection.range != nil {
            selection.endRange()
        } else if !selection.toggle(row) {
            return refuse("at most \(grouped(Selection.rowsMax)) rows can be chosen")
        }
        goTo(row: grid.rowPosition + 1, column: grid.columnPosition, sheet)
    }

    /// The rows that a command is about: the chosen ones, those of the block, or the cursor's.
    ///
    /// In the order of the table; nil where there are too many for one operation.
    func chosenRows(_ sheet: Sheet) -> [RowID]? {
        if !selection.rows.isEmpty { return sheet.ordered(selection.rows) }
        if let block = selection.block(grid, sheet), !selection.isWholeColumns {
            guard block.rows.count <= Selection.rowsMax else { return nil }
            return block.rows.compactMap { sheet.row(at: $0) }
        }
        return grid.row.map { [$0] } ?? []
    }

    /// The cells that a command is about: the block's, else the cursor's column of the chosen
    /// rows, else the cursor's; nil where there are more than `max`.
    func chosenCells(_ sheet: Sheet, max: Int) -> (rows: [RowID], columns: [Column])? {
        if let block = selection.block(grid, sheet) {
            guard block.rows.count * block.columns.count <= max else { return nil }
            return (
                block.rows.compactMap { sheet.row(at: $0) },
                block.columns.compactMap { sheet.column(at: $0) }
            )
        }
        let column = sheet.column(at: grid.columnPosition).map { [$0] } ?? []
        let rows =
            selection.rows.isEmpty ? grid.row.map { [$0] } ?? [] : sheet.ordered(selection.rows)
        return rows.count <= max ? (rows, column) : nil
    }
}

// MARK: Showing

extension App {
    /// Opens what lies over the grid, and widths; false where the command does something else.
    private mutating func show(_ command: AppCommand, _ sheet: Sheet?) -> Bool {
        switch command {
        case .goToRow: layer = .prompt(Prompt(kind: .row))
        case .goToColumn: layer = .prompt(Prompt(kind: .column))
        case .find:
            var prompt = Prompt(kind: .find)
            prompt.field = TextField(search?.query ?? "", isSelected: true)
            layer = .prompt(prompt)
        case .palette: layer = .palette(Palette())
        case .help: layer = .help(scroll: 0)
        case .menu: openMenu(Menu.onRows + [.columnMenu, .palette, .help, .quit], sheet)
        case .columnMenu: openMenu(Menu.onHeader, sheet)
        case .showCell: layer = .pane(Pane(kind: .cell))
        case .showRow: layer = .pane(Pane(kind: .row))
        case .showPeople: layer = .people(Listing())
        case .showMessages:
            notices.dismissAll()
            layer = .messages(Listing())
        case .changeColors:
            let all = ThemeChoice.allCases
            let index = all.firstIndex(of: options.theme) ?? 0
            options.theme = all[(index + 1) % all.count]
            say("colours: \(options.theme.rawValue)")
        case .changeKeys:
            options.keys = options.keys == .vim ? .standard : .vim
            say("keys: \(options.keys.rawValue)")
        default: return false
        }
        return true
    }

    private mutating func openMenu(_ commands: [AppCommand], _ sheet: Sheet?) {
        let layout = GridLayout(of: self, sheet)
        let x = layout.column(at: grid.columnPosition)?.x ?? layout.gutterWidth
        let y = layout.line(ofRow: grid.rowPosition) ?? layout.firstLine
        layer = .menu(Menu(commands: offered(commands), x: x, y: y + 1))
    }
}
