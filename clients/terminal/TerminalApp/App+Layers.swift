// Keys in what lies over the grid. Each layer takes its keys alone; Esc closes it, and nothing
// beneath has moved.
import TableClient
import TableModel
import TableValue
import TableWire
import Terminal

extension App {
    /// Does what a key means in what lies over the grid.
    mutating func takeInLayer(_ press: KeyPress, _ turn: inout Turn) {
        guard let layer else { return }
        let isCopy = press == KeyPress(.character("c"), .control)
        if press.key == .escape || isCopy {
            self.layer = nil
            // The same key copies in the grid, with the standard keys.
            if isCopy, options.keys == .standard, case .pane(let pane) = layer {
                copy(pane, &turn)
            }
            return
        }
        if press == KeyPress(.character("l"), .control) { return run(.redraw, &turn) }
        if press == KeyPress(.character("q"), .control) {
            self.layer = nil
            return run(.quit, &turn)
        }
        switch layer {
        case .prompt(let prompt): take(press, prompt, &turn)
        case .question(let question): take(press, question, &turn)
        case .palette(let palette): take(press, palette, &turn)
        case .menu(let menu): take(press, menu, &turn)
        case .help(let scroll):
            guard let step = scrollStep(press) else { return close(press) }
            show(.help(scroll: scroll + step), turn.sheet)
        case .messages(let list): takeInMessages(press, list, &turn)
        case .people(let list): takeInPeople(press, list, turn.sheet)
        case .columns(let list): takeInColumns(press, list, turn.sheet)
        case .history(let list): takeInHistory(press, list, &turn)
        case .comments(let list): takeInComments(press, list, &turn)
        case .paste(let preview):
            if press.key == .enter { confirm(preview, &turn) }
        case .pane(let pane): take(press, pane, &turn)
        }
    }

    /// Shows a page for reading, scrolled as far as it goes.
    mutating func show(_ page: Layer, _ sheet: Sheet?) {
        let first = LayerBox(page, in: size, app: self, sheet: sheet).first
        switch page {
        case .help: layer = .help(scroll: first)
        case .pane(var pane):
            pane.scroll = first
            layer = .pane(pane)
        default: layer = page
        }
    }

    /// Keys that close a page for reading.
    private mutating func close(_ press: KeyPress) {
        let closing: [Key] = [
            .enter, .character("q"), .character("?"), .function(1), .function(4), .function(6),
        ]
        if closing.contains(press.key) { layer = nil }
    }

    /// How many lines a key scrolls; nil for a key that does not.
    private func scrollStep(_ press: KeyPress) -> Int? {
        let page = max(1, size.height - 6)
        switch press.key {
        case .up, .character("k"): return -1
        case .down, .character("j"): return 1
        case .pageUp: return -page
        case .pageDown, .character(" "): return page
        case .home, .character("g"): return -1_000_000
        case .end, .character("G"): return 1_000_000
        default: return nil
        }
    }

    // MARK: Prompts and questions

    private mutating func take(_ press: KeyPress, _ prompt: Prompt, _ turn: inout Turn) {
        var prompt = prompt
        switch press.key {
        case .enter:
            layer = nil
            guard let problem = answer(prompt, &turn) else { return }
            prompt.problem = problem
        case .tab:
            if case .addColumn(let after, let type) = prompt.kind {
                let all = ColumnType.allCases
                let index = all.firstIndex(of: type) ?? 0
                let step = press.modifiers.contains(.shift) ? all.count - 1 : 1
                prompt.kind = .addColumn(after: after, type: all[(index + step) % all.count])
            }
            if case .newRow(var draft) = prompt.kind {
                guard press.modifiers.contains(.shift) else {
                    return take(KeyPress(.enter), prompt, &turn)
                }
                draft.keep(prompt.field.text, step: -1)
                return ask(for: draft)
            }
        default:
            if prompt.field.take(press) { prompt.problem = nil }
        }
        layer = .prompt(prompt)
    }

    /// Does what was asked for; says why it cannot be.
    private mutating func answer(_ prompt: Prompt, _ turn: inout Turn) -> String? {
        let text = prompt.field.text
        switch prompt.kind {
        case .row:
            guard let sheet = turn.sheet else { return nil }
            return goToRow(named: text, sheet)
        case .column: return goToColumn(named: text, turn.sheet)
        case .find: find(text, turn.sheet)
        case .addColumn(let after, _):
            guard let new = prompt.newColumn else { return nil }
            return addColumn(new.name, new.type, new.rules, after: after, &turn)
        case .renameColumn(let column): return rename(column, to: Text(text), &turn)
        case .retype(let column): return planRetype(column, to: text, turn.sheet)
        case .appendTable: return appendTable(named: text, &turn)
        case .restore: return planRestore(to: text)
        case .claim(nil): return planClaim(where: text, turn.sheet)
        case .claim(let condition?): return claim(where: condition, setting: text, &turn)
        case .comment(let row, let column, let other):
            return comment(text, on: row, column, answering: other, &turn)
        case .editComment(let id): return editComment(id, text, &turn)
        case .sort: return planSort(named: text, turn.sheet)
        case .transform(let column, nil): return planTransform(column, to: text, turn.sheet)
        case .transform(let column, let value?):
            return planTransform(column, to: value, where: text, turn.sheet)
        case .newRow(let draft): return take(draft, text, &turn)
        }
        return nil
    }

    private mutating func goToRow(named text: String, _ sheet: Sheet) -> String? {
        let word = text.filter { $0 != "," && $0 != " " }
        if let id = RowID(Text(word)) {
            guard let position = sheet.position(of: id) else {
                return "there is no row \(id); it may have been deleted"
            }
            goTo(row: position, column: grid.columnPosition, sheet)
            return nil
        }
        let range = "a number from 1 to \(grouped(sheet.rowCount))"
        guard let number = word == "$" ? sheet.rowCount : Int(word) else {
            return "a row is \(range), or an id like s12.3"
        }
        guard number > 0, number <= sheet.rowCount else {
            return sheet.rowCount == 0
                ? "there are no rows" : "there is no row \(word); a row is \(range)"
        }
        goTo(row: number - 1, column: grid.columnPosition, sheet)
        return nil
    }

    private mutating func goToColumn(named text: String, _ sheet: Sheet?) -> String? {
        guard let sheet else { return nil }
        let wanted = text.lowercased()
        let names = sheet.allColumns.map { $0.name.string.lowercased() }
        guard !wanted.isEmpty,
            let position = names.firstIndex(of: wanted)
                ?? names.firstIndex(where: { $0.hasPrefix(wanted) })
                ?? names.firstIndex(where: { $0.contains(wanted) })
        else { return "no column has such a name" }
        goToColumn(sheet.allColumns[position].id, sheet)
        return nil
    }

    private mutating func take(_ press: KeyPress, _ question: Question, _ turn: inout Turn) {
        guard case .character(let scalar) = press.key, press.modifiers.isEmpty else { return }
        let answer = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
        guard question.answers.contains(where: { $0.key == answer }) else { return }
        layer = nil
        switch (question.kind, answer) {
        case (.deleteRows(let rows), "y"): delete(rows, &turn)
        case (.deleteColumn(let column), "y"): delete(column, &turn)
        case (.whole(let plan), "y"): confirm(plan, &turn)
        case (.quit, "q"): turn.actions.append(.quit)
        case (.addChoice(let text, _), "y"): addChoice(text, &turn)
        case (.quit, "w"): quitWhenSent(&turn)
        default: return
        }
    }

    // MARK: Lists

    /// Keeps the chosen line of an open list on what was chosen, whatever came into the list.
    ///
    /// Complexity: linear in the list.
    mutating func anchorListing(_ client: inout Client) {
        switch layer {
        case .messages(var list):
            list.settle(on: notices.all.reversed().map { .message($0.number) })
            layer = .messages(list)
        case .people(var list):
            list.settle(on: people.others.map { .person($0.connection) })
            layer = .people(list)
        case .columns(var list):
            let columns = sheet(of: &client)?.allColumns ?? []
            list.settle(on: columns.map { .column($0.id) })
            layer = .columns(list)
        default: return
        }
    }

    /// Moves the chosen line of a list; false where the key means something else.
    func step(_ press: KeyPress, _ chosen: inout Int, count: Int) -> Bool {
        switch (press.key, press.modifiers) {
        case (.up, _), (.character("p"), .control): chosen -= 1
        case (.down, _), (.character("n"), .control): chosen += 1
        case (.pageUp, _): chosen -= 10
        case (.pageDown, _): chosen += 10
        case (.home, _): chosen = 0
        case (.end, _): chosen = count - 1
        default: return false
        }
        chosen = max(0, min(chosen, count - 1))
        return true
    }

    private mutating func take(_ press: KeyPress, _ palette: Palette, _ turn: inout Turn) {
        var palette = palette
        let choices = choices(of: palette, turn.sheet)
        if press.key == .enter {
            guard choices.indices.contains(palette.chosen) else { return }
            layer = nil
            return run(choices[palette.chosen], &turn)
        }
        let isInField = press.key == .home || press.key == .end
        if isInField || !step(press, &palette.chosen, count: choices.count),
            palette.field.take(press)
        {
            palette.chosen = 0
        }
        layer = .palette(palette)
    }

    /// What the palette offers to this user.
    func choices(of palette: Palette, _ sheet: Sheet?) -> [Palette.Choice] {
        palette.choices(sheet?.allColumns ?? []) { reason(against: $0) == nil }
    }

    /// Does what a line of the palette says.
    mutating func run(_ choice: Palette.Choice, _ turn: inout Turn) {
        switch choice {
        case .command(let command): run(command, &turn)
        case .row(let number):
            guard let sheet = turn.sheet else { return }
            if let problem = goToRow(named: String(number), sheet) { refuse(problem) }
        case .column(let column):
            if let sheet = turn.sheet { goToColumn(column.id, sheet) }
        }
    }

    private mutating func take(_ press: KeyPress, _ menu: Menu, _ turn: inout Turn) {
        var menu = menu
        if press.key == .enter {
            layer = nil
            guard menu.commands.indices.contains(menu.chosen) else { return }
            return run(menu.commands[menu.chosen], &turn)
        }
        if step(press, &menu.chosen, count: menu.commands.count) { layer = .menu(menu) }
    }

    private mutating func takeInPeople(_ press: KeyPress, _ list: Listing, _ sheet: Sheet?) {
        var list = list
        guard press.key == .enter else {
            if step(press, &list.chosen, count: people.others.count) { layer = .people(list) }
            return
        }
        layer = nil
        guard people.others.indices.contains(list.chosen), let sheet else { return }
        let person = people.others[list.chosen]
        guard let row = person.row.flatMap({ sheet.position(of: $0) }) else {
            return refuse("\(person.name) is at no cell")
        }
        let column = person.column.flatMap { sheet.columnPosition(of: $0) }
        goTo(row: row, column: column ?? grid.columnPosition, sheet)
    }

    private mutating func takeInColumns(_ press: KeyPress, _ list: Listing, _ sheet: Sheet?) {
        var list = list
        let columns = sheet?.allColumns ?? []
        let column = columns.indices.contains(list.chosen) ? columns[list.chosen] : nil
        switch press.key {
        case .enter:
            layer = nil
            if let column, let sheet { goToColumn(column.id, sheet) }
        case .character(" "):
            if let column, let sheet { toggleHidden(column.id, sheet) }
        default:
            if step(press, &list.chosen, count: columns.count) { layer = .columns(list) }
        }
    }

    /// Enter on a message with a kept text opens the editor with it again.
    private mutating func takeInMessages(
        _ press: KeyPress, _ list: Listing, _ turn: inout Turn
    ) {
        var list = list
        let messages = Array(notices.all.reversed())
        if press == KeyPress(.character("b")), messages.indices.contains(list.chosen) {
            return putBack(messages[list.chosen], &turn)
        }
        guard press.key == .enter else {
            if step(press, &list.chosen, count: messages.count) { layer = .messages(list) }
            return
        }
        layer = nil
        guard messages.indices.contains(list.chosen), let kept = messages[list.chosen].kept,
            let sheet = turn.sheet
        else { return }
        guard editor == nil else {
            return refuse("another cell is edited; Enter or Esc there, then this one")
        }
        guard let row = sheet.position(of: kept.row), sheet.column(kept.column.id) != nil else {
            clipboard = Clipboard(kept.field.text)
            return say("its cell is gone; the text is copied, \(keyText(.paste)) pastes it")
        }
        goTo(row: row, column: grid.columnPosition, sheet)
        goToColumn(kept.column.id, sheet)
        turn.sheet = sheet.hiding(grid.hidden)
        beginEditing(.whole, &turn)
        editor?.field.set(kept.field.text, isSelected: true)
        editor?.isNull = kept.isNull
    }

    private mutating func take(_ press: KeyPress, _ pane: Pane, _ turn: inout Turn) {
        var pane = pane
        if press.key == .tab {
            pane.kind = pane.kind == .cell ? .row : .cell
            pane.scroll = 0
        } else if let step = scrollStep(press) {
            pane.scroll += step
        } else if press.key == .left || press.key == .right {
            run(press.key == .left ? .left : .right, &turn)
            pane.scroll = 0
        } else if press == KeyPress(.character("y")) {
            // What is said of it stands below the page.
            layer = nil
            return copy(pane, &turn)
        } else {
            return close(press)
        }
        show(.pane(pane), turn.sheet)
    }

    // MARK: Pastes

    /// A paste where a line is asked for is text; over anything else it is nothing.
    mutating func takePasteInLayer(_ text: String) {
        let line = String(text.split(whereSeparator: \.isNewline).first ?? "")
        switch layer {
        case .prompt(var prompt):
            prompt.field.insert(line)
            layer = .prompt(prompt)
        case .palette(var palette):
            palette.field.insert(line)
            palette.chosen = 0
            layer = .palette(palette)
        default: refuse("close this first, then paste")
        }
    }
}
