// Editing a cell in place: how it begins, what keys do, how it ends. An edit belongs to its row
// and column by id; an invalid text stays in the editor with the reason, and nothing is sent.
import TableModel
import TableValue
import Terminal

/// How an edit begins.
enum EditStart: Hashable, Sendable {
    /// With all of the text selected, so that typing replaces it.
    case whole
    /// With the caret behind the text.
    case atEnd
    case empty
    /// With what was typed in place of the text.
    case typing(String)
}

extension App {
    /// Enter on a cell: a bool is toggled at once, all else is edited.
    mutating func editCell(_ turn: inout Turn) {
        guard let sheet = turn.sheet, let column = sheet.column(at: grid.columnPosition),
            column.type == .bool, let row = grid.row
        else { return beginEditing(.whole, &turn) }
        let new = sheet.value(row, column.id) != .bool(true)
        turn.perform(
            .setCells([CellEdit(row: row, column: .id(column.id), value: .bool(new))]),
            for: .setCells(1))
    }

    /// Begins to edit the cursor's cell.
    mutating func beginEditing(_ start: EditStart, _ turn: inout Turn) {
        guard mayEdit(turn.sheet), let sheet = turn.sheet else { return }
        guard let column = sheet.column(at: grid.columnPosition) else {
            return refuse("there is no column yet; \(keyText(.addColumnAfter)) adds one")
        }
        guard let row = grid.row else {
            return refuse("there is no row yet; \(keyText(.insertBelow)) adds one")
        }
        var editor = CellEditor(row: row, column: column, value: sheet.value(row, column.id))
        for other in sheet.allColumns { editor.rowValues[other.id] = sheet.value(row, other.id) }
        editor.rowBefore = sheet.row(at: grid.rowPosition - 1)
        editor.choices?.mayAdd = reason(against: .renameColumn) == nil
        switch start {
        case .whole: break
        case .atEnd: editor.field.place(editor.field.characters.count)
        case .empty:
            if editor.column.type == .text { editor.field.set("") } else { editor.setNull() }
        case .typing(let text): editor.insert(text)
        }
        self.editor = editor
        reveal(sheet)
    }

    // MARK: Keys

    /// Does what a key means in the editor.
    mutating func takeInEditor(_ press: KeyPress, _ turn: inout Turn) {
        switch (press.key, press.modifiers) {
        case (.enter, []), (.function(2), []): commit(&turn, isAsked: true)
        case (.enter, _), (.character("j"), .control): insertLineBreak()
        case (.escape, _): dropEdit(&turn)
        case (.tab, []): commitAndEdit(step: 1, &turn)
        case (.tab, _): commitAndEdit(step: -1, &turn)
        case (.character("n"), .control): editor?.setNull()
        case (.character("t"), .control): takeTheirs()
        case (.character("c"), .control): copyInEditor(&turn, orDrop: options.keys == .vim)
        case (.character("x"), .control):
            if copyInEditor(&turn, orDrop: false) { editor?.insertNothingOverSelection() }
        case (.character("v"), .control):
            guard let clipboard else { return refuse("nothing was copied yet") }
            paste(intoEditor: clipboard.text)
        case (.character("q"), .control): run(.quit, &turn)
        case (.character("l"), .control): run(.redraw, &turn)
        case (.character("z"), .control) where options.keys == .vim: run(.suspend, &turn)
        case (.character("z"), .control): undoInEditor(isRedo: false)
        case (.character("y"), .control) where options.keys == .standard:
            undoInEditor(isRedo: true)
        case (.function(1), _): layer = .help(scroll: 0)
        case (.function(8), _): run(.showMessages, &turn)
        default:
            if editor?.take(press, clock: clock) == false { refuseInEditor(press) }
        }
    }

    /// A key that means nothing in the editor, or something in the grid alone.
    private mutating func refuseInEditor(_ press: KeyPress) {
        let ends = "Enter takes the text, Esc drops it"
        if case .command(let command) = KeyMap.of(options.keys).match([press]) {
            return refuse("\(command.name) waits until the editor is closed: \(ends)")
        }
        refuse("\(KeyMap.label(press)) does nothing in the editor; \(ends)")
    }

    private mutating func insertLineBreak() {
        guard let editor else { return }
        guard editor.takesLineBreaks else {
            return refuse("\(editor.column.type.nounWithArticle) has one line; Enter takes it")
        }
        self.editor?.insert("\n")
    }

    /// Esc: the old value stays, or theirs where it was changed.
    ///
    /// What was typed where others interfered is kept with a message, for second thoughts.
    private mutating func dropEdit(_ turn: inout Turn) {
        guard var kept = editor else { return }
        guard let interference = kept.interference else {
            editor = nil
            if takeBackNewRow(kept.row, &turn) { return }
            return keepDropped(kept)
        }
        let author = interference.author
        let deed =
            switch interference {
            case .changed: "changed the cell, and that value stays"
            case .rowDeleted: "deleted the row, which stays deleted"
            case .columnDeleted: "deleted the column, which stays deleted"
            }
        editor = nil
        guard kept.isChanged else { return say(deed, by: author) }
        kept.problem = nil
        let key = keyText(.showMessages)
        say("\(deed); your text is among the messages (\(key))", by: author, keeping: kept)
    }

    /// In vim's set a hand may press Esc to keep what it typed: it can be had again.
    private mutating func keepDropped(_ dropped: CellEditor) {
        guard options.keys == .vim, dropped.isChanged else { return }
        var kept = dropped
        kept.problem = nil
        notices.say(
            "Esc dropped what you typed, Enter takes it; your text is among the messages "
                + "(\(keyText(.showMessages)))", keeping: kept, at: now)
    }

    private mutating func takeTheirs() {
        guard let editor, case .changed(let theirs, _) = editor.interference else {
            return refuse("nobody has changed this cell meanwhile")
        }
        self.editor?.take(theirs)
    }

    @discardableResult
    private mutating func copyInEditor(_ turn: inout Turn, orDrop drops: Bool) -> Bool {
        guard let text = editor?.field.selectedText, !text.isEmpty else {
            if drops { dropEdit(&turn) } else { refuse("nothing is selected; Esc drops the edit") }
            return false
        }
        clipboard = Clipboard(text)
        turn.actions.append(.copy(text))
        return true
    }

    // MARK: Ending

    /// Takes what was typed, and closes the editor where it is valid.
    ///
    /// `isAsked` is true where the user was told what others did to the cell and answers that; all
    /// else leaves their value alone.
    ///
    /// - Returns: false where the editor stays open, with the reason in it.
    @discardableResult
    mutating func commit(_ turn: inout Turn, isAsked: Bool = false) -> Bool {
        editor?.settleChoice()
        guard let editor else { return true }
        if let interference = editor.interference, !isAsked {
            return leave(editor, interference)
        }
        if let reason = obstacle(turn.sheet) {
            self.editor?.problem = reason
            return false
        }
        if case .columnDeleted = editor.interference {
            self.editor?.problem = CellEditor.columnGone
            return false
        }
        let typed: Value
        switch editor.value() {
        case .success(let value): typed = value
        case .failure(let error):
            self.editor?.problem = error.wanted(for: editor.field.text)
            return false
        }
        // The rules of the column as it is now, not as it was when the edit began.
        let column = turn.sheet?.column(editor.column.id) ?? editor.column
        switch column.accepted(typed, limits: TableLimits()) {
        case .success(let value):
            finish(editor, value, &turn)
            return true
        case .failure(let rejection):
            if case .choice(let text) = typed, rejection.rule == "choices" {
                return takeNewChoice(text, column, editor, &turn)
            }
            self.editor?.problem = rejection.message
            return false
        }
    }

    /// Tab or a click elsewhere, where others did something to the cell: a text that was not
    /// touched gives way, for one that was somebody must decide.
    private mutating func leave(
        _ editor: CellEditor, _ interference: CellEditor.Interference
    ) -> Bool {
        guard editor.isChanged else {
            self.editor = nil
            newRow = nil
            return true
        }
        self.editor?.problem =
            switch interference {
            case .changed: "first say whose value counts: Enter keeps yours, Esc drops it"
            case .rowDeleted:
                "first say what becomes of the row: Enter makes it again, Esc not"
            case .columnDeleted: CellEditor.columnGone
            }
        return false
    }

    private mutating func finish(
        _ editor: CellEditor, _ value: Value, after first: [Intent] = [], _ turn: inout Turn
    ) {
        self.editor = nil
        var kept = editor
        kept.problem = nil
        kept.past = EditorPast()
        newRow = nil
        let mode: OpMode = first.isEmpty ? .best : .strict
        if case .rowDeleted = editor.interference {
            let again = editor.rowAgain(with: value, turn.sheet)
            turn.deeds.append(
                Deed(body: first + [.insertRows(again)], purpose: .recreate(kept), mode: mode))
            return
        }
        kept.rowValues = [:]
        var before = editor.original
        if case .changed(let theirs, _) = editor.interference { before = theirs }
        guard value != before else { return }
        let edit = CellEdit(row: editor.row, column: .id(editor.column.id), value: value)
        turn.deeds.append(
            Deed(body: first + [.setCells([edit])], purpose: .edit(kept), mode: mode))
    }

    // MARK: New choices

    /// A text that is none of the column's choices: it is added where the user said so and may,
    /// asked for where she may, and refused otherwise.
    private mutating func takeNewChoice(
        _ text: Text, _ column: Column, _ editor: CellEditor, _ turn: inout Turn
    ) -> Bool {
        self.editor?.problem = "it is none of the column's choices"
        if reason(against: .renameColumn) != nil {
            self.editor?.problem? += "; an owner or a manager can add it"
            return false
        }
        let rules = ColumnRules(choices: column.rules.choices + [text])
        if let problem = rules.problem(for: column.type, limits: TableLimits()) {
            self.editor?.problem? += ", and cannot become one: \(problem)"
            return false
        }
        guard editor.choices?.chosen == .new(text) else {
            layer = .question(Question(kind: .addChoice(text, column)))
            return false
        }
        let added = JSONMember(key: "choices_added", value: .list([.text(text)]))
        finish(
            editor, .choice(text), after: [.changeRules(.id(column.id), .object([added]))], &turn)
        return true
    }

    /// The user said that what was typed shall be a choice.
    mutating func addChoice(_ text: Text, _ turn: inout Turn) {
        guard editor?.choices != nil else { return }
        editor?.choose(.new(text))
        commit(&turn, isAsked: true)
    }

    /// Tab: takes what was typed, and edits the next cell or the one before.
    private mutating func commitAndEdit(step: Int, _ turn: inout Turn) {
        let newRow = newRow
        guard let editor, commit(&turn), let sheet = turn.sheet,
            let row = sheet.position(of: editor.row),
            let column = sheet.columnPosition(of: editor.column.id)
        else { return }
        let count = sheet.columns.count
        let place = row * count + column + step
        guard place >= 0, place < sheet.rowCount * count else { return }
        goTo(row: place / count, column: place % count, sheet)
        beginEditing(.whole, &turn)
        // Still within a row that may turn out to be empty.
        if newRow?.row == self.editor?.row { self.newRow = newRow }
    }

    // MARK: What others do meanwhile

    /// Looks whether the cell under edit is still what it was, after others did something that
    /// was not followed record by record.
    mutating func compareEditor(_ sheet: Sheet, by who: Author = .somebody) {
        guard let editor, editor.interference == nil,
            sheet.position(of: editor.row) != nil,
            !sheet.isPending(editor.row, editor.column.id)
        else { return }
        let value = sheet.value(editor.row, editor.column.id)
        if value != editor.original {
            self.editor?.interference = .changed(to: value, by: who)
        }
    }

    /// Takes note where the row or the column of the cell under edit is gone, or back again.
    mutating func checkEditor(_ sheet: Sheet, by who: Author = .somebody) {
        guard let editor else { return }
        if sheet.column(editor.column.id) == nil {
            if case .columnDeleted = editor.interference { return }
            self.editor?.interference = .columnDeleted(by: who)
        } else if sheet.position(of: editor.row) == nil {
            if case .rowDeleted = editor.interference { return }
            self.editor?.interference = .rowDeleted(by: who)
        } else {
            switch editor.interference {
            case .rowDeleted, .columnDeleted:
                self.editor?.interference = nil
                self.editor?.problem = nil
                // It may have come back with another value.
                compareEditor(sheet, by: who)
            case .changed, nil: return
            }
        }
    }

    /// The first key of a command in the present set, for a sentence.
    func keyText(_ command: AppCommand) -> String {
        command.entry.keys(in: options.keys).first ?? ": \(command.name)"
    }
}

extension CellEditor {
    fileprivate static let columnGone =
        "the column is gone; Ctrl-A Ctrl-C copies the text, Esc drops it"

    /// The row that was deleted, with what was typed.
    ///
    /// Values of columns that were deleted meanwhile, or that the column takes no longer, stay
    /// behind: they would keep the row from coming back.
    fileprivate func rowAgain(with value: Value, _ sheet: Sheet?) -> InsertRows {
        var columns: [ColumnReference] = [.id(column.id)]
        var cells = [value]
        // Order does not matter for the row that comes of it, but for the bytes that are sent.
        for id in rowValues.keys.sorted(by: { $0.rawValue < $1.rawValue }) where id != column.id {
            guard let other = rowValues[id], !other.isNull, let known = sheet?.column(id),
                case .success = known.accepted(other, limits: TableLimits())
            else { continue }
            columns.append(.id(id))
            cells.append(other)
        }
        return InsertRows(
            rowCount: 1, anchor: rowBefore.map { .after($0) } ?? .first, columns: columns,
            cells: cells)
    }

    /// Removes what is selected.
    fileprivate mutating func insertNothingOverSelection() {
        guard !isBox, !field.selection.isEmpty else { return }
        problem = nil
        field.insert("")
    }
}
