// The editor on the screen: over its cell where that is in sight, otherwise on a line at the
// bottom. It may reach over the cells on its right; the grid beneath does not move.
import TableModel
import TableValue
import Terminal

/// Where the editor stands.
struct EditorPlace: Hashable, Sendable {
    let x: Int
    let y: Int
    let width: Int
    /// What stands in front of the text.
    let label: String
    let fieldX: Int

    /// Cells for the text.
    var fieldWidth: Int { max(0, x + width - fieldX) }

    init(of app: App, in layout: GridLayout) {
        let size = layout.size
        guard let editor = app.editor else {
            (x, y, width, label, fieldX) = (0, 0, 0, "", 0)
            return
        }
        if app.grid.row == editor.row, app.grid.column == editor.column.id,
            let line = layout.line(ofRow: app.grid.rowPosition),
            let column = layout.column(at: app.grid.columnPosition)
        {
            let room = max(0, size.width - column.x)
            // A cell more for the caret behind the text.
            let beginning = String(editor.field.characters.prefix(room))
            let wanted = app.rules.width(of: beginning, upTo: room) + 1
            x = column.x
            y = line
            width = min(room, max(column.width, wanted))
            label = ""
            fieldX = column.x
        } else {
            x = 0
            // With two things to say below it, a line further up, where there is one.
            let isBusy = editor.interference != nil && editor.problem != nil
            let bottom = layout.peekLine ?? layout.statusLine ?? size.height - 1
            y = max(0, isBusy && bottom - 1 > layout.firstLine ? bottom - 1 : bottom)
            width = size.width
            label = "\(editor.column.name): "
            fieldX = app.rules.width(of: label, upTo: size.width / 3)
        }
    }

    /// True where a place of the screen is the editor's.
    func contains(_ place: Point) -> Bool {
        place.y == y && place.x >= x && place.x < x + width
    }
}

extension FrameView {
    /// Draws the editor and what there is to say about it.
    func drawEditor(_ frame: inout CellBuffer) {
        guard let editor = app.editor else { return }
        let place = EditorPlace(of: app, in: layout)
        frame.fill(
            Rectangle(x: place.x, y: place.y, width: place.width, height: 1), theme.editor)
        if !place.label.isEmpty {
            frame.put(
                place.label, x: place.x, y: place.y, style: theme.editor,
                widthMax: place.fieldX - place.x)
        }
        let part = Rectangle(x: place.fieldX, y: place.y, width: place.fieldWidth, height: 1)
        if editor.isNull, editor.field.characters.isEmpty {
            frame.put("∅", x: part.x, y: part.y, style: theme.editor, widthMax: part.width)
            frame.cursor = Point(x: part.x, y: part.y)
        } else if editor.isBox {
            let box = editor.field.text == "true" ? "[x]" : "[ ]"
            frame.put(box, x: part.x, y: part.y, style: theme.editor, widthMax: part.width)
            frame.cursor = Point(x: part.x + min(1, max(0, part.width - 1)), y: part.y)
        } else {
            draw(editor.field, in: part, theme.editor, &frame)
        }
        drawEditorText(editor, place, &frame)
        drawChoices(&frame)
    }

    /// Draws a text with its selection, and puts the terminal's cursor at the caret.
    func draw(
        _ field: TextField, in part: Rectangle, _ style: Style, _ frame: inout CellBuffer
    ) {
        var x = part.x
        var index = min(field.scroll, field.caret)
        let selection = field.selection
        var caretX = part.x
        while true {
            if index == field.caret { caretX = x }
            guard index < field.characters.count, x < part.endX else { break }
            let look = selection.contains(index) ? theme.editorSelection : style
            let used = frame.put(
                String(field.characters[index]), x: x, y: part.y, style: look,
                widthMax: part.endX - x)
            x += max(1, used)
            index += 1
        }
        if index < field.characters.count, part.width > 0 {
            frame.put("…", x: part.endX - 1, y: part.y, style: style)
        }
        frame.cursor = Point(x: max(part.x, min(caretX, part.endX - 1)), y: part.y)
    }

    /// The reason, the conflict, or the keys: below the grid, but not over the editor.
    private func drawEditorText(
        _ editor: CellEditor, _ place: EditorPlace, _ frame: inout CellBuffer
    ) {
        var lines = [layout.peekLine, layout.statusLine].compactMap { $0 }.filter { $0 != place.y }
        let interference = editor.interference.map { text(of: $0, editor) }
        let problem = editor.problem.map { "not taken: \($0)" }
        switch (interference, problem) {
        case (let interference?, let problem?):
            // The reason comes first: without it one would press Enter in vain.
            if let y = lines.popLast() { drawLine(problem, y: y, theme.warning, &frame) }
            if let y = lines.popLast() { drawLine(interference, y: y, theme.banner, &frame) }
        case (let text?, nil): draw(text, on: lines, theme.banner, &frame)
        case (nil, let text?): draw(text, on: lines, theme.warning, &frame)
        case (nil, nil):
            guard let y = lines.first, y != layout.statusLine || app.notices.shown == nil else {
                return
            }
            drawLine(hint(editor), y: y, theme.faint, &frame)
        }
    }

    /// Writes a text on the last line, on both where one is too short.
    private func draw(
        _ text: String, on lines: [Int], _ style: Style, _ frame: inout CellBuffer
    ) {
        let parts = WrappedText(
            text, width: max(1, frame.size.width), lineCountMax: 3, rules: app.rules, byWords: true
        ).lines
        if parts.count > 1, lines.count > 1 {
            drawLine(parts[0], y: lines[0], style, &frame)
            drawLine(parts.dropFirst().joined(separator: " "), y: lines[1], style, &frame)
        } else if let y = lines.last {
            drawLine(text, y: y, style, &frame)
        }
    }

    private func text(of interference: CellEditor.Interference, _ editor: CellEditor) -> String {
        let who = app.people.name(of: interference.author)
        switch interference {
        case .changed(let value, _):
            let theirs = app.glance(CellLook(value).text, widthMax: 24)
            return "changed by \(who): \(theirs) — Enter keeps mine · Ctrl-T takes theirs · "
                + "Esc drops mine"
        case .rowDeleted:
            return "row deleted by \(who) — Enter makes it again with this text · Esc drops it"
        case .columnDeleted:
            return "column deleted by \(who) — Ctrl-A Ctrl-C copies the text · Esc drops it"
        }
    }

    private func hint(_ editor: CellEditor) -> String {
        let escape = app.options.keys == .vim ? "drops, also in vim's keys" : "restores"
        var keys = "Enter takes · Esc \(escape) · Tab next"
        if let other = app.people.at(editor.row, editor.column.id), other.isEditing {
            keys = "\(other.name) is editing this too · " + keys
        }
        switch editor.column.type {
        case .text: return keys + " · Ctrl-N null · Alt-Enter new line"
        case .bool: return "Space toggles · " + keys + " · Ctrl-N null"
        case .date, .datetime:
            return "Up Down a day · PgUp PgDn a week · " + keys + " · Ctrl-N null"
        case .choice: return "type to find · Up Down choose · " + keys + " · Ctrl-N null"
        case .int, .double, .decimal:
            return "Up Down by 1 · PgUp PgDn by 10 · " + keys + " · Ctrl-N null"
        case .json, .list:
            return "\(editor.column.type.sign) · " + keys + " · Ctrl-N null · Alt-Enter new line"
        case .uuid: return "\(editor.column.type.sign) · " + keys + " · Ctrl-N null"
        }
    }
}
