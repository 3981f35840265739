// The frame and the lines of what lies over the grid: one computation for what is drawn and for
// what lies under the mouse.
import TableModel
import TableValue
import Terminal

/// One line in a box.
struct BoxLine: Hashable, Sendable {
    var text: String
    /// In a column of its own, where there is room.
    var detail = ""
    /// At the right end.
    var right = ""
    var isFaint = false
    var isBold = false
}

/// A box over the grid.
struct LayerBox {
    let frame: Rectangle
    let title: String
    /// A line to type in, above the others.
    let field: TextField?
    let lines: [BoxLine]
    /// The first line in sight.
    let first: Int
    /// The line that is chosen; nil where none can be.
    let chosen: Int?
    let hasBorder: Bool

    /// Where a line's detail begins.
    static let detailColumn = 30

    /// Where the lines begin.
    var inner: Rectangle {
        let edge = hasBorder ? 1 : 0
        return Rectangle(
            x: frame.x + edge, y: frame.y + edge, width: frame.width - 2 * edge,
            height: frame.height - 2 * edge)
    }

    /// Lines that fit below the field.
    var visibleCount: Int { max(0, inner.height - (field == nil ? 0 : 1)) }

    init(_ layer: Layer, in size: Size, app: App, sheet: Sheet?) {
        let content = BoxContent(layer, in: size, app: app, sheet: sheet)
        title = content.title
        field = content.field
        chosen = content.chosen
        lines = content.lines
        hasBorder = size.width >= 12 && size.height >= 5
        let edge = hasBorder ? 2 : 0
        let width = min(size.width, content.width + edge)
        let wanted = max(content.lines.count, content.heightMin) + (field == nil ? 0 : 1) + edge
        // Where the connection stands and what is said stay in sight, wherever there is room.
        let top = size.height >= 6 ? 1 : 0
        let room = size.height - top - (size.height >= 8 ? 1 : 0)
        let height = min(room, max(1, wanted))
        let x = min(content.x ?? (size.width - width) / 2, size.width - width)
        let y = min(content.y ?? top + (room - height) / 2, top + room - height)
        frame = Rectangle(x: max(0, x), y: max(top, y), width: width, height: height)
        let visible = max(1, height - edge - (field == nil ? 0 : 1))
        let last = max(0, content.lines.count - visible)
        if let chosen {
            first = max(0, min(last, chosen - visible + 1))
        } else {
            first = max(0, min(content.scroll, last))
        }
    }

    /// The number of the line at a place; nil for none.
    func choice(at place: Point) -> Int? {
        let top = inner.y + (field == nil ? 0 : 1)
        guard place.y >= top, place.y < top + visibleCount else { return nil }
        let line = first + place.y - top
        return lines.indices.contains(line) ? line : nil
    }
}

/// What a box holds.
struct BoxContent {
    var title = ""
    var field: TextField?
    var lines: [BoxLine] = []
    var chosen: Int?
    var scroll = 0
    var width = 60
    var heightMin = 0
    var x: Int?
    var y: Int?

    init(_ layer: Layer, in size: Size, app: App, sheet: Sheet?) {
        switch layer {
        case .prompt(let prompt): ask(prompt, size, app)
        case .question(let question): ask(question)
        case .palette(let palette): list(palette, app, sheet, size)
        case .menu(let menu): list(menu, app)
        case .help(let scroll):
            title = "help — \(app.options.keys.rawValue) keys · Esc closes"
            self.scroll = scroll
            width = 104
            lines = HelpText.lines.map { BoxContent.line($0, app.options.keys) }
        case .messages(let list): listMessages(list, app)
        case .people(let list): listPeople(list, app, sheet)
        case .columns(let list): listColumns(list, app, sheet)
        case .history(let list): listHistory(list, app, sheet)
        case .comments(let list): listComments(list, app, sheet)
        case .paste(let preview): show(preview, app.rules, size)
        case .pane(let pane): show(pane, app, sheet, size)
        }
    }

    private static func line(_ line: HelpLine, _ preset: KeyPreset) -> BoxLine {
        switch line {
        case .group(let group): BoxLine(text: group.rawValue, isBold: true)
        case .note(let text): BoxLine(text: text)
        case .command(let command):
            BoxLine(
                text: "  \(command.name)", detail: command.entry.help,
                right: HelpText.keys(command, preset))
        }
    }

    // MARK: Questions

    private mutating func ask(_ prompt: Prompt, _ size: Size, _ app: App) {
        title = prompt.label
        width = 72
        field = prompt.field
        // What is wrong in an expression comes in lines: what, the text, and carets below it.
        if let problem = prompt.problem {
            let textWidth = max(1, min(width, size.width - 2))
            lines = problem.split(separator: "\n", omittingEmptySubsequences: false)
                .flatMap { line in
                    WrappedText(
                        String(line), width: textWidth, lineCountMax: 4, rules: app.rules,
                        byWords: true
                    ).lines
                }
                .map { BoxLine(text: $0) }
        }
        if lines.isEmpty { lines = [BoxLine(text: prompt.hint, isFaint: true)] }
        y = max(0, size.height - 4 - lines.count)
    }

    private mutating func ask(_ question: Question) {
        // As many as `linesAboveAnswers` says.
        lines = [BoxLine(text: question.text)]
        lines += question.details.map { BoxLine(text: $0, isFaint: true) } + [BoxLine(text: "")]
        lines += question.answers.map { BoxLine(text: "  \($0.key)  \($0.text)") }
        lines.append(BoxLine(text: "  Esc  back", isFaint: true))
        width = question.details.isEmpty ? 64 : 72
    }

    static func linesAboveAnswers(_ question: Question) -> Int { 2 + question.details.count }

    private mutating func show(_ preview: PastePreview, _ rules: WidthRules, _ size: Size) {
        title = "paste \(blockText(rows: preview.rows.count, columns: preview.width))?"
        width = 72
        let textWidth = max(1, min(width, size.width - 2))
        func wrapped(_ text: String) -> [String] {
            WrappedText(text, width: textWidth, lineCountMax: 4, rules: rules, byWords: true).lines
        }
        lines = preview.summary.flatMap(wrapped).map { BoxLine(text: $0) }
        if let problem = preview.problem {
            lines += wrapped("cannot be pasted: \(problem)").map { BoxLine(text: $0, isBold: true) }
            lines.append(BoxLine(text: "Esc closes", isFaint: true))
        } else {
            lines.append(BoxLine(text: "Enter pastes, in one step · Esc does not", isFaint: true))
        }
        // What must be known before an answer stands on small screens too.
        let room = size.height - lines.count - (size.height >= 8 ? 6 : 4)
        guard room > 0 else { return }
        let count = min(room, 6, preview.rows.count)
        var block = preview.rows.prefix(count).map { row in
            BoxLine(text: row.prefix(12).map(\.glance).joined(separator: " │ "))
        }
        if preview.rows.count > count { block.append(BoxLine(text: "…", isFaint: true)) }
        lines = block + [BoxLine(text: "")] + lines
    }

    // MARK: Lists

    private mutating func list(_ palette: Palette, _ app: App, _ sheet: Sheet?, _ size: Size) {
        title = "command, row number or column · Esc closes"
        width = 88
        field = palette.field
        y = min(2, size.height / 4)
        heightMin = min(12, size.height / 2)
        lines = app.choices(of: palette, sheet).map { choice in
            switch choice {
            case .command(let command):
                BoxLine(
                    text: command.name, detail: command.entry.help,
                    right: HelpText.keys(command, app.options.keys))
            case .row(let number): BoxLine(text: "go to row \(grouped(number))")
            case .column(let column): BoxLine(text: "go to column \(column.name)")
            }
        }
        chosen = max(0, min(palette.chosen, lines.count - 1))
        if lines.isEmpty { lines = [BoxLine(text: "no such command", isFaint: true)] }
    }

    private mutating func list(_ menu: Menu, _ app: App) {
        width = 40
        x = menu.x
        y = menu.y
        chosen = menu.chosen
        lines = menu.commands.map {
            BoxLine(text: $0.name, right: $0.entry.keys(in: app.options.keys).first ?? "")
        }
    }

    private mutating func listMessages(_ list: Listing, _ app: App) {
        title = "messages, the newest first · Esc closes"
        width = 96
        lines = app.notices.all.reversed().map { notice in
            let seconds = app.now.seconds(since: notice.at)
            let ago = seconds < 60 ? "\(seconds)s" : "\(seconds / 60)min"
            var keeps = notice.kept != nil ? "Enter edits again · " : ""
            if notice.back != nil { keeps += "b puts back · " }
            return BoxLine(
                text: notice.text, right: "\(keeps)\(ago)", isBold: notice.kind != .talk)
        }
        chosen = max(0, min(list.chosen, lines.count - 1))
        if lines.isEmpty { lines = [BoxLine(text: "nothing was said yet", isFaint: true)] }
    }

    private mutating func listPeople(_ list: Listing, _ app: App, _ sheet: Sheet?) {
        title = "who is here · Enter goes there · Esc closes"
        lines = app.people.others.map { person in
            var place = ""
            if let row = person.row.flatMap({ sheet?.position(of: $0) }) {
                place = "row \(grouped(row + 1))"
                if let column = person.column.flatMap({ sheet?.column($0) }) {
                    place += ", \(column.name)"
                }
                if person.isEditing { place = "editing " + place }
            }
            return BoxLine(text: "\(person.tag)  \(person.name)", right: place)
        }
        chosen = max(0, min(list.chosen, lines.count - 1))
        if lines.isEmpty { lines = [BoxLine(text: "nobody else", isFaint: true)] }
    }

    private mutating func listColumns(_ list: Listing, _ app: App, _ sheet: Sheet?) {
        title = "columns · Space hides and shows · Enter goes there · Esc closes"
        width = 72
        let columns = sheet?.allColumns ?? []
        lines = columns.map { column in
            let isHidden = app.grid.hidden.contains(column.id)
            return BoxLine(
                text: "\(isHidden ? "[ ]" : "[x]") \(column.name)", right: column.type.sign,
                isFaint: isHidden)
        }
        chosen = max(0, min(list.chosen, lines.count - 1))
        if lines.isEmpty { lines = [BoxLine(text: "no columns yet", isFaint: true)] }
    }

    // MARK: Panes

    private mutating func show(_ pane: Pane, _ app: App, _ sheet: Sheet?, _ size: Size) {
        width = max(1, size.width - 4)
        heightMin = size.height
        scroll = pane.scroll
        guard let sheet, let row = app.grid.row,
            let column = sheet.column(at: app.grid.columnPosition)
        else { return }
        let number = "row \(grouped(app.grid.rowPosition + 1))"
        switch pane.kind {
        case .cell:
            title = "\(number) · \(row) · \(column.name) (\(column.type.sign)) · Tab: whole row"
            let look = CellLook(sheet.value(row, column.id))
            guard look.kind == .plain else {
                lines = [BoxLine(text: look.kind == .null ? "∅ null" : look.text, isFaint: true)]
                return
            }
            let wrapped = WrappedText(
                look.text, width: max(1, width - 1), lineCountMax: pane.scroll + 2 * size.height,
                rules: app.rules)
            lines = wrapped.lines.map { BoxLine(text: $0) }
        case .row:
            title = "\(number) of \(grouped(sheet.rowCount)) · \(row) · Tab: whole cell"
            lines = sheet.allColumns.map { other in
                let look = CellLook(sheet.value(row, other.id))
                let mark = other.id == column.id ? "▸ " : "  "
                let right = app.grid.hidden.contains(other.id) ? "hidden" : ""
                return BoxLine(text: "\(mark)\(other.name): \(look.text)", right: right)
            }
        }
    }
}

/// Text broken into lines of a width.
struct WrappedText {
    private(set) var lines: [String] = []

    /// Breaks a text, as far as is needed.
    ///
    /// Complexity: linear in the lines that are made.
    /// - Parameters:
    ///   - text: the text.
    ///   - width: cells of a line.
    ///   - lineCountMax: where to stop.
    ///   - rules: how wide characters are.
    ///   - byWords: true where lines end between words, as long as words are not too long.
    init(
        _ text: String, width: Int, lineCountMax: Int, rules: WidthRules, byWords: Bool = false
    ) {
        var line = ""
        var used = 0
        for character in text {
            if lines.count >= lineCountMax { return }
            if character.isNewline {
                lines.append(line)
                (line, used) = ("", 0)
                continue
            }
            let own = max(1, rules.width(of: String(character)))
            if used + own > width, used > 0 {
                var rest = ""
                if byWords, character != " ", let space = line.lastIndex(of: " ") {
                    rest = String(line[line.index(after: space)...])
                    line = String(line[..<space])
                }
                lines.append(line)
                (line, used) = (rest, rules.width(of: rest))
                if byWords, character == " ", line.isEmpty { continue }
            }
            line.append(character)
            used += own
        }
        lines.append(line)
    }
}
