// The mouse: a click selects, a click on a cell of the cursor's row edits, dragging selects,
// moves rows and columns and sets widths; the wheel scrolls and does nothing else.
import TableModel
import TableValue
import Terminal

/// A button that is down.
enum Drag: Hashable, Sendable {
    /// On a cell; it is edited on release where it was clicked on the cursor's row.
    case cells(row: RowID, column: ColumnID, edits: Bool)
    case editorText
    /// On a row's number.
    case rows(RowID, target: Int?)
    /// On a column's name.
    case column(ColumnID, target: Int?)
    /// On a column's edge, with where it began.
    case edge(ColumnID, x: Int, width: Int)
}

extension App {
    /// Takes what the mouse did.
    mutating func take(_ mouse: MouseEvent, _ turn: inout Turn) {
        switch mouse.kind {
        case .wheelUp: scroll(rows: mouse, by: -App.wheelRows, turn.sheet)
        case .wheelDown: scroll(rows: mouse, by: App.wheelRows, turn.sheet)
        case .wheelLeft: scroll(columnsBy: -1, turn.sheet)
        case .wheelRight: scroll(columnsBy: 1, turn.sheet)
        case .pressed(let button): pressed(button, mouse, &turn)
        case .dragged(.left): dragged(to: mouse.place, turn.sheet)
        case .released: released(&turn)
        case .dragged, .moved: break
        }
    }

    // MARK: Wheel

    private mutating func scroll(rows mouse: MouseEvent, by step: Int, _ sheet: Sheet?) {
        if let layer { return scroll(layer, by: step, sheet) }
        if mouse.modifiers.contains(.shift) { return scroll(columnsBy: step.signum(), sheet) }
        guard let sheet else { return }
        let layout = GridLayout(of: self, sheet)
        if ChoiceBox(of: self, in: layout)?.frame.contains(mouse.place) == true {
            editor?.moveChoice(by: step.signum())
            return
        }
        let visible = layout.visibleRowCount
        grid.scrollRows(to: grid.topPosition + step, visibleRows: visible, sheet)
    }

    private mutating func scroll(columnsBy step: Int, _ sheet: Sheet?) {
        guard let sheet, layer == nil else { return }
        let frozen = GridLayout(of: self, sheet).frozenCount
        let left = max(grid.leftPosition, frozen)
        grid.scrollColumns(to: max(frozen, left + step), sheet)
    }

    /// Pages scroll, lists go to another line; what asks has nothing to scroll.
    private mutating func scroll(_ layer: Layer, by step: Int, _ sheet: Sheet?) {
        let last = LayerBox(layer, in: size, app: self, sheet: sheet).lines.count - 1
        func line(_ chosen: Int) -> Int { max(0, min(chosen + step, last)) }
        switch layer {
        case .help(let scroll): show(.help(scroll: scroll + step), sheet)
        case .pane(var pane):
            pane.scroll += step
            show(.pane(pane), sheet)
        case .messages(let list): self.layer = .messages(Listing(chosen: line(list.chosen)))
        case .people(let list): self.layer = .people(Listing(chosen: line(list.chosen)))
        case .columns(let list): self.layer = .columns(Listing(chosen: line(list.chosen)))
        case .history(var list):
            list.chosen = max(0, min(list.chosen + step, list.entries.count - 1))
            list.reachedEnd()
            self.layer = .history(list)
        case .comments(var list):
            let comments = list.comments(sheet)
            let place = list.place(in: comments) + step
            list.choose(max(0, min(place, comments.count - 1)), in: comments)
            self.layer = .comments(list)
        case .palette(var palette):
            palette.chosen = line(palette.chosen)
            self.layer = .palette(palette)
        case .menu(var menu):
            menu.chosen = max(0, min(menu.chosen + step.signum(), last))
            self.layer = .menu(menu)
        case .prompt, .question, .paste: return
        }
    }

    // MARK: Buttons

    private mutating func pressed(
        _ button: MouseEvent.Button, _ mouse: MouseEvent, _ turn: inout Turn
    ) {
        drag = nil
        keysSoFar = []
        countSoFar = nil
        quitsWhenSent = false
        notices.keyPressed(at: now)
        if let layer { return pressed(mouse.place, layer, &turn) }
        let layout = GridLayout(of: self, turn.sheet)
        if let box = ChoiceBox(of: self, in: layout), box.frame.contains(mouse.place) {
            guard button == .left, let line = box.line(at: mouse.place) else { return }
            editor?.choose(line)
            commit(&turn)
            return
        }
        if let editor {
            let place = EditorPlace(of: self, in: layout)
            if place.contains(mouse.place) {
                guard button == .left, !editor.isBox else { return }
                let cell = editor.field.place(atCell: mouse.place.x - place.fieldX, rules: rules)
                self.editor?.field.place(cell)
                drag = .editorText
                return
            }
            // A click elsewhere commits; where that cannot be, the editor stays.
            guard commit(&turn) else { return }
        }
        switch button {
        case .left: pressedLeft(mouse, layout, &turn)
        case .right: pressedRight(mouse, layout, turn.sheet)
        case .middle:
            refuse("with Shift held, the middle button pastes; here \(keyText(.paste)) does")
        }
    }

    private mutating func pressedLeft(
        _ mouse: MouseEvent, _ layout: GridLayout, _ turn: inout Turn
    ) {
        guard let sheet = turn.sheet else { return }
        switch layout.hit(mouse.place) {
        case .cell(let row, let column): pressedCell(row, column, mouse, sheet)
        case .gutter(let position):
            guard let row = sheet.row(at: position) else { return }
            goTo(row: position, column: grid.columnPosition, sheet)
            if mouse.modifiers.isEmpty {
                drag = .rows(row, target: nil)
            } else {
                _ = selection.toggle(row)
            }
        case .header(let position):
            guard let column = sheet.column(at: position) else { return }
            selection.clear()
            grid.goToColumn(position, sheet)
            run(.selectColumn, &turn)
            drag = .column(column.id, target: nil)
        case .edge(let position):
            guard let column = sheet.column(at: position) else { return }
            drag = .edge(column.id, x: mouse.place.x, width: widths(of: column, sheet))
        case .elsewhere: pressedElsewhere(mouse.place, layout, &turn)
        case .empty: break
        }
    }

    /// The first line tells who is here, the end of the last one offers help.
    private mutating func pressedElsewhere(
        _ place: Point, _ layout: GridLayout, _ turn: inout Turn
    ) {
        if place.y == layout.titleLine, !people.others.isEmpty {
            run(.showPeople, &turn)
        } else if place.y == layout.statusLine, place.x >= size.width - 7, notices.shown == nil {
            run(.help, &turn)
        }
    }

    private mutating func pressedCell(
        _ position: Int, _ columnPosition: Int, _ mouse: MouseEvent, _ sheet: Sheet
    ) {
        guard let row = sheet.row(at: position), let column = sheet.column(at: columnPosition)
        else { return }
        if mouse.modifiers.contains(.control) || mouse.modifiers.contains(.alt) {
            grid.goToRow(position, sheet)
            _ = selection.toggle(row)
            return
        }
        if mouse.modifiers.contains(.shift) {
            beginBlock()
        } else {
            selection.corner = nil
            selection.isWholeColumns = false
        }
        let wasHere = grid.row == row
        goTo(row: position, column: columnPosition, sheet)
        drag = .cells(row: row, column: column.id, edits: wasHere && mouse.modifiers.isEmpty)
    }

    private mutating func pressedRight(
        _ mouse: MouseEvent, _ layout: GridLayout, _ sheet: Sheet?
    ) {
        guard let sheet else { return }
        var commands = Menu.onRows
        switch layout.hit(mouse.place) {
        case .cell(let position, let column):
            // The choice stands where the click was on it.
            if let row = sheet.row(at: position), !isChosen(row, position, sheet) {
                selection.clear()
            }
            if selection.corner == nil { goTo(row: position, column: column, sheet) }
        case .gutter(let position):
            if let row = sheet.row(at: position), !isChosen(row, position, sheet) {
                selection.clear()
            }
            if selection.corner == nil {
                goTo(row: position, column: grid.columnPosition, sheet)
            }
        case .header(let column), .edge(let column):
            grid.goToColumn(column, sheet)
            commands = Menu.onHeader
        case .empty: commands = Menu.onEmpty
        case .elsewhere: return
        }
        layer = .menu(Menu(commands: offered(commands), x: mouse.place.x, y: mouse.place.y + 1))
    }

    private func isChosen(_ row: RowID, _ position: Int, _ sheet: Sheet) -> Bool {
        if selection.rows.contains(row) { return true }
        return selection.block(grid, sheet)?.rows.contains(position) == true
    }

    private mutating func pressed(_ place: Point, _ layer: Layer, _ turn: inout Turn) {
        let box = LayerBox(layer, in: size, app: self, sheet: turn.sheet)
        guard box.frame.contains(place) else {
            // Nothing that asks is answered by a click beside it.
            switch layer {
            case .question, .paste, .prompt: return
            default: self.layer = nil
            }
            return
        }
        guard let line = box.choice(at: place) else { return }
        switch layer {
        case .menu(let menu):
            self.layer = nil
            if menu.commands.indices.contains(line) { run(menu.commands[line], &turn) }
        case .palette(let palette):
            let choices = choices(of: palette, turn.sheet)
            self.layer = nil
            if choices.indices.contains(line) { run(choices[line], &turn) }
        case .people:
            self.layer = .people(Listing(chosen: line))
            takeInLayer(KeyPress(.enter), &turn)
        case .columns:
            self.layer = .columns(Listing(chosen: line))
            takeInLayer(KeyPress(.character(" ")), &turn)
        // Its lines are a part of the list: keys choose there.
        case .comments: return
        case .messages(let list):
            self.layer = .messages(Listing(chosen: line))
            if list.chosen == line { takeInLayer(KeyPress(.enter), &turn) }
        case .history(var list):
            guard list.entries.indices.contains(line) else { return }
            let wasChosen = list.chosen == line
            list.chosen = line
            self.layer = .history(list)
            if wasChosen { takeInLayer(KeyPress(.enter), &turn) }
        case .question(let question):
            let answer = line - BoxContent.linesAboveAnswers(question)
            if question.answers.indices.contains(answer) {
                takeInLayer(KeyPress(.character(question.answers[answer].key)), &turn)
            } else if answer == question.answers.count {
                self.layer = nil
            }
        case .help, .pane: self.layer = nil
        case .prompt, .paste: return
        }
    }

    // MARK: Dragging

    private mutating func dragged(to place: Point, _ sheet: Sheet?) {
        guard let sheet, let drag else { return }
        let layout = GridLayout(of: self, sheet)
        switch drag {
        case .cells(let row, let column, _):
            guard case .cell(let position, let columnPosition) = layout.hit(place) else { return }
            guard position != grid.rowPosition || columnPosition != grid.columnPosition else {
                return
            }
            selection.corner = Selection.Corner(row: row, column: column)
            self.drag = .cells(row: row, column: column, edits: false)
            goTo(row: position, column: columnPosition, sheet)
        case .editorText:
            let x = place.x - EditorPlace(of: self, in: layout).fieldX
            let cell = editor?.field.place(atCell: x, rules: rules) ?? 0
            editor?.field.place(cell, selecting: true)
        case .rows(let row, _):
            let target = layout.nearestRow(toLine: place.y)
            self.drag = .rows(row, target: target)
        case .column(let column, _):
            let target = layout.columns.last { $0.x <= place.x }?.position
            self.drag = .column(column, target: target)
        case .edge(let id, let x, let width):
            guard let column = sheet.columns.first(where: { $0.id == id }) else { return }
            setWidth(width + place.x - x, of: column)
        }
    }

    private mutating func released(_ turn: inout Turn) {
        guard let drag else { return }
        self.drag = nil
        guard let sheet = turn.sheet else { return }
        switch drag {
        case .cells(let row, let column, true):
            guard grid.row == row, grid.column == column, editor == nil else { return }
            editCellOnClick(&turn)
        case .rows(let row, let target?):
            guard target != sheet.position(of: row), mayEdit(sheet) else { return }
            dropRows(row, at: target, sheet, &turn)
        case .column(let id, let target?):
            guard let from = sheet.columnPosition(of: id), from != target,
                let column = sheet.column(at: from), mayEdit(sheet)
            else { return }
            if let reason = reason(against: .moveColumnLeft) { return refuse(reason) }
            moveColumn(column, after: sheet.column(at: target > from ? target : target - 1), &turn)
        default: return
        }
    }

    private mutating func editCellOnClick(_ turn: inout Turn) {
        guard mayEdit(turn.sheet) else { return }
        editCell(&turn)
    }

    /// Rows are let go over another row: below it on the way down, above it on the way up.
    private mutating func dropRows(
        _ row: RowID, at target: Int, _ sheet: Sheet, _ turn: inout Turn
    ) {
        let rows = selection.rows.contains(row) ? sheet.ordered(selection.rows) : [row]
        let from = sheet.position(of: row) ?? 0
        moveRows(
            rows, after: target > from ? target : target - 1, except: Set(rows), sheet, &turn)
    }

    private static let wheelRows = 3
}
