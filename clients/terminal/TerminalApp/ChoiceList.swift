// The list under a choice cell that is edited: which choices fit what was typed, which of them is
// chosen, and whether the text may become a choice itself. Keys reach it in CellEditor.swift.
import TableModel
import TableValue
import Terminal

/// One line of the list.
enum ChoiceLine: Hashable, Sendable {
    case choice(Text)
    /// What was typed, as a new choice of the column.
    case new(Text)

    var text: Text {
        switch self {
        case .choice(let text), .new(let text): text
        }
    }
}

/// The list of a choice column's cell.
struct ChoiceList: Hashable, Sendable {
    /// What was typed to find choices by; nil while nothing was.
    private(set) var filter: String?
    /// The chosen line; nil for none.
    private(set) var chosen: ChoiceLine?
    /// What was typed may become a choice of the column.
    var mayAdd = false

    /// The list of a cell with a value.
    init(_ value: Value) {
        if case .choice(let text) = value { chosen = .choice(text) }
    }

    /// The choices that fit what was typed: those that are it, begin with it, hold it, in any
    /// case; then what was typed, where it may be added.
    ///
    /// Complexity: linear in the choices.
    func lines(_ column: Column) -> [ChoiceLine] {
        let choices = column.rules.choices
        guard let filter, !filter.isEmpty else { return choices.map(ChoiceLine.choice) }
        let wanted = filter.lowercased()
        var ranked: [[ChoiceLine]] = [[], [], [], []]
        var isKnown = false
        for choice in choices {
            let text = choice.string
            if text == filter {
                isKnown = true
                ranked[0].append(.choice(choice))
                continue
            }
            let lower = text.lowercased()
            if lower == wanted {
                ranked[1].append(.choice(choice))
            } else if lower.hasPrefix(wanted) {
                ranked[2].append(.choice(choice))
            } else if lower.contains(wanted) {
                ranked[3].append(.choice(choice))
            }
        }
        let found = ranked.flatMap { $0 }
        return isKnown || !mayAdd ? found : found + [.new(Text(filter))]
    }

    /// The number of the chosen line.
    func index(in lines: [ChoiceLine]) -> Int? { chosen.flatMap(lines.firstIndex(of:)) }

    /// Something was typed: the first choice that fits is chosen, and no line that would change
    /// the column.
    mutating func typed(_ text: String, _ column: Column) {
        filter = text
        chosen = nil
        guard !text.isEmpty, case .choice(let first)? = lines(column).first else { return }
        chosen = .choice(first)
    }

    /// Chooses a line.
    mutating func choose(_ line: ChoiceLine) { chosen = line }

    /// Nothing is chosen, of all choices.
    mutating func clear() {
        filter = nil
        chosen = nil
    }

    /// Chooses the line that many lines further down, or up; nil where there are none.
    mutating func move(by step: Int, _ column: Column) -> ChoiceLine? {
        let lines = lines(column)
        guard !lines.isEmpty else { return nil }
        let from = index(in: lines) ?? (step > 0 ? -1 : lines.count)
        let next = lines[max(0, min(from + step, lines.count - 1))]
        chosen = next
        return next
    }
}

extension CellEditor {
    /// Does what a key means for the list; false where it means nothing there.
    mutating func takeInChoices(_ press: KeyPress) -> Bool {
        guard choices != nil, press.modifiers.isEmpty else { return false }
        let isUntouched = choices?.filter == nil && (isNull || !field.selection.isEmpty)
        switch press.key {
        case .up: moveChoice(by: -1)
        case .down: moveChoice(by: 1)
        case .pageUp: moveChoice(by: -ChoiceBox.linesMax)
        case .pageDown: moveChoice(by: ChoiceBox.linesMax)
        case .character(" ") where isUntouched: moveChoice(by: 1)
        default: return false
        }
        return true
    }

    /// Chooses a line further down or up, and takes its text into the field.
    mutating func moveChoice(by step: Int) {
        if let line = choices?.move(by: step, column) { choose(line) }
    }

    /// Chooses a line as if keys had led to it.
    mutating func choose(_ line: ChoiceLine) {
        choices?.choose(line)
        problem = nil
        field.set(line.text.string, isSelected: true)
        isNull = false
    }

    /// The text was changed by typing.
    mutating func choicesTyped() {
        choices?.typed(field.text, column)
    }

    /// What is chosen in the list stands for what was typed to find it.
    mutating func settleChoice() {
        guard !isNull, let line = choices?.chosen, line.text.string != field.text else { return }
        field.set(line.text.string, isSelected: true)
    }

    /// The column's rules as they are now.
    mutating func follow(_ now: Column) {
        guard now.type == column.type, now != column else { return }
        column = now
    }
}

/// Where the list stands: below its cell, or above where there is more room.
struct ChoiceBox {
    let frame: Rectangle
    let lines: [ChoiceLine]
    /// The number of the first line in sight.
    let first: Int
    let chosen: Int?

    /// Lines in sight at most.
    static let linesMax = 8
    private static let widthMax = 60

    /// nil where no list is open, or there is no room for one.
    init?(of app: App, in layout: GridLayout) {
        guard let editor = app.editor, let choices = editor.choices, app.layer == nil else {
            return nil
        }
        let place = EditorPlace(of: app, in: layout)
        let end = layout.firstLine + layout.lineCount
        let below = max(0, end - place.y - 1)
        let above = max(0, min(place.y, end) - layout.firstLine)
        lines = choices.lines(editor.column)
        let wanted = min(max(1, lines.count), ChoiceBox.linesMax)
        let isBelow = below >= min(wanted, 3) || below >= above
        let height = min(wanted, isBelow ? below : above)
        guard height > 0, layout.size.width > 0 else { return nil }
        let longest = lines.map { line in
            app.rules.width(of: ChoiceBox.text(line), upTo: ChoiceBox.widthMax)
        }.max()
        let width = min(layout.size.width, max(place.fieldWidth, (longest ?? 14) + 2))
        frame = Rectangle(
            x: max(0, min(place.fieldX, layout.size.width - width)),
            y: isBelow ? place.y + 1 : min(place.y, end) - height, width: width, height: height)
        chosen = choices.index(in: lines)
        // As a page that turns where the chosen line leaves it, so that it moves little.
        first = max(0, min((chosen ?? 0) / height * height, lines.count - height))
    }

    /// The line at a place; nil for none.
    func line(at place: Point) -> ChoiceLine? {
        guard frame.contains(place) else { return nil }
        let index = first + place.y - frame.y
        return lines.indices.contains(index) ? lines[index] : nil
    }

    /// How a line reads.
    static func text(_ line: ChoiceLine) -> String {
        switch line {
        case .choice(let text): text.string
        case .new(let text): "+ \(text) (a new choice, for everybody)"
        }
    }
}

extension FrameView {
    /// Draws the list of a choice cell under edit.
    func drawChoices(_ frame: inout CellBuffer) {
        guard let box = ChoiceBox(of: app, in: layout) else { return }
        frame.fill(box.frame, theme.box)
        var faint = theme.box
        faint.attributes.insert(.dim)
        if box.lines.isEmpty {
            let isFirst = app.editor?.column.rules.choices.isEmpty == true
            frame.put(
                isFirst ? "no choices yet" : "no such choice", x: box.frame.x + 1,
                y: box.frame.y, style: faint, widthMax: box.frame.width - 1)
        }
        let end = min(box.lines.count, box.first + box.frame.height)
        for index in box.first..<max(box.first, end) {
            let y = box.frame.y + index - box.first
            let line = box.lines[index]
            let style = index == box.chosen ? theme.boxChosen : theme.box
            let part = Rectangle(x: box.frame.x, y: y, width: box.frame.width, height: 1)
            frame.fill(part, style)
            frame.put(
                ChoiceBox.text(line), x: part.x + 1, y: y, style: style,
                widthMax: max(0, part.width - 2))
            drawMore(box, index, style, &frame)
        }
    }

    /// A sign where lines are out of sight.
    private func drawMore(
        _ box: ChoiceBox, _ index: Int, _ style: Style, _ frame: inout CellBuffer
    ) {
        let last = box.first + box.frame.height - 1
        var sign = ""
        if index == box.first, box.first > 0 { sign = "↑" }
        if index == last, last < box.lines.count - 1 { sign = "↓" }
        guard !sign.isEmpty, box.frame.width > 2 else { return }
        frame.put(
            sign, x: box.frame.endX - 1, y: box.frame.y + index - box.first, style: style,
            widthMax: 1)
    }
}
