// What is drawn: the whole frame from the model, with nothing kept. Lines of rows are in
// RowsView.swift, the editor's in EditorView.swift, what lies over the grid in LayerView.swift, the
// last lines of the screen in StatusView.swift.
import TableModel
import TableValue
import Terminal

/// One look at the app.
struct FrameView {
    let app: App
    let sheet: Sheet?
    let layout: GridLayout
    let theme: Theme
    /// Between columns: one cell wide on every terminal.
    let bar: String
    /// The same as it is drawn; behind the frozen columns; and where columns are hidden.
    let barCluster: Cluster?
    private let frozenCluster: Cluster?
    private let hiddenCluster: Cluster?

    init(app: App, sheet: Sheet?, layout: GridLayout) {
        self.app = app
        self.sheet = sheet
        self.layout = layout
        theme = Theme.chosen(app.options.theme, app.background)
        bar = app.rules.hasWideBoxSigns ? "|" : "│"
        let rules = app.rules
        func cluster(_ sign: String) -> Cluster? { rules.fit(sign, widthMax: 1).clusters.first }
        barCluster = cluster(bar)
        frozenCluster = cluster(rules.hasWideBoxSigns ? "!" : "┃")
        hiddenCluster = cluster(rules.hasWideBoxSigns ? ":" : "┆")
    }

    /// Draws everything, what lies over the grid last.
    func draw(into frame: inout CellBuffer) {
        frame.cursor = nil
        drawTitle(&frame)
        drawHeader(&frame)
        if let emptyText {
            drawCentred(emptyText, &frame)
        } else {
            drawRows(&frame)
        }
        drawPeek(&frame)
        drawStatus(&frame)
        drawEditor(&frame)
        drawLayer(&frame)
    }

    /// Writes over a whole line; where it began to be cut, it ends in "…".
    func drawLine(_ text: String, y: Int, _ style: Style, _ frame: inout CellBuffer) {
        frame.fill(Rectangle(x: 0, y: y, width: frame.size.width, height: 1), style)
        frame.put(text, x: 0, y: y, style: style)
    }

    /// What is said where there are no rows, with the next useful key.
    private var emptyText: [String]? {
        guard let sheet else {
            switch app.connection {
            case .connecting: return ["connecting …", "Ctrl-Q quits"]
            case .loading: return ["loading the table …"]
            case .live, .unanswered: return ["the table is on its way …"]
            case .reconnecting(_, let reason):
                return ["no connection; trying again …", reason, "Ctrl-Q quits"]
            case .failed(let reason): return [reason, "", "Ctrl-Q quits"]
            }
        }
        let isReadOnly = app.readOnlyReason != nil
        if sheet.columns.isEmpty {
            if sheet.hidesColumns {
                return ["all columns are hidden", "\(app.keyText(.showColumns)) lists them"]
            }
            let key = app.keyText(.addColumnAfter)
            let mayAdd = app.reason(against: .addColumnAfter) == nil
            return ["no columns yet", mayAdd ? "\(key) adds the first" : ""]
        }
        guard sheet.rowCount == 0 else { return nil }
        if sheet.announcedRowCount != nil { return ["loading the table …"] }
        return ["no rows yet", isReadOnly ? "" : "\(app.keyText(.insertBelow)) adds the first"]
    }

    private func drawCentred(_ lines: [String], _ frame: inout CellBuffer) {
        let top = layout.firstLine + max(0, (layout.lineCount - lines.count) / 2)
        for (index, line) in lines.enumerated() where index < max(1, layout.lineCount) {
            let width = app.rules.width(of: line, upTo: frame.size.width)
            let style = index == 0 ? theme.text : theme.faint
            frame.put(line, x: max(0, (frame.size.width - width) / 2), y: top + index, style: style)
        }
    }

    // MARK: Title

    /// Where the connection stands.
    var stateText: (text: String, isGood: Bool) {
        switch app.connection {
        case .connecting: return ("◌ connecting", false)
        case .loading: return ("◌ loading" + arrivalText, false)
        case .live: return ("● live", true)
        case .unanswered(let since):
            return ("◌ no answer for \(app.now.seconds(since: since))s", false)
        case .reconnecting(let since, _):
            return ("◌ offline \(app.now.seconds(since: since))s", false)
        case .failed: return ("✗ given up", false)
        }
    }

    /// How much of the table has come, while it is on its way.
    private var arrivalText: String {
        guard let sheet, let announced = sheet.announcedRowCount, announced > 0 else { return "" }
        let percent = min(99, sheet.rowCount * 100 / announced)
        return " \(grouped(sheet.rowCount)) of \(counted(announced, "row")), \(percent)%"
    }

    /// What is not confirmed.
    var savedText: (text: String, isGood: Bool) {
        if app.unsentCount == 0 { return ("saved", true) }
        switch app.connection {
        case .live, .unanswered: return ("\(grouped(app.unsentCount)) unsent", false)
        default: return ("\(grouped(app.unsentCount)) queued", false)
        }
    }

    private func drawTitle(_ frame: inout CellBuffer) {
        guard frame.size.height > 0 else { return }
        let line = Rectangle(x: 0, y: layout.titleLine, width: frame.size.width, height: 1)
        frame.fill(line, theme.title)
        let parts = titleParts(width: frame.size.width)
        let partsWidth = width(of: parts)
        var x = 1
        // The name gives way first, and the others before what everybody must see.
        let room = frame.size.width - partsWidth - 3
        if room >= FrameView.nameWidthMin {
            var style = theme.title
            style.attributes.insert(.bold)
            let nameMax = min(room, max(frame.size.width / 3, room - 22))
            x += frame.put(app.title, x: x, y: 0, style: style, widthMax: nameMax) + 2
        } else {
            x = 0
        }
        for part in parts {
            let style = part.isGood ? theme.title : theme.titleWarning
            x += frame.put(part.text, x: x, y: 0, style: style) + 2
        }
        drawRoster(from: x, &frame)
    }

    /// Cells that the table's name has at least, where it is shown.
    private static let nameWidthMin = 4

    /// Where the connection stands, what is not confirmed, and whether anything can be changed:
    /// in the longest form that has room as a whole.
    private func titleParts(width widthMax: Int) -> [(text: String, isGood: Bool)] {
        let isReadOnly = app.readOnlyReason != nil
        let unsent = app.unsentCount > 0
        var (state, saved) = (stateText, savedText)
        func parts(_ readOnly: String) -> [(text: String, isGood: Bool)] {
            [state] + (saved.text.isEmpty ? [] : [saved]) + (isReadOnly ? [(readOnly, false)] : [])
        }
        if width(of: parts("read-only")) <= widthMax { return parts("read-only") }
        if !unsent { saved.text = "" }
        if width(of: parts("read-only")) <= widthMax { return parts("read-only") }
        // The sign alone: ●, ◌ or ✗.
        state.text = String(state.text.prefix(1))
        if width(of: parts("read-only")) <= widthMax { return parts("read-only") }
        if unsent { saved.text = grouped(app.unsentCount) }
        return parts(width(of: parts("read-only")) <= widthMax ? "read-only" : "ro")
    }

    /// Cells that parts of the first line take, with what stands between them.
    private func width(of parts: [(text: String, isGood: Bool)]) -> Int {
        parts.reduce(-2) { $0 + app.rules.width(of: $1.text) + 2 }
    }

    /// The others, at the right end: a letter in a colour, and the name.
    private func drawRoster(from start: Int, _ frame: inout CellBuffer) {
        let people = app.people.others
        var shown: [(person: Person, width: Int)] = []
        var width = 0
        let room = frame.size.width - start - 1
        for person in people.prefix(16) {
            let own =
                app.rules.width(of: person.tag) + 2 + app.rules.width(of: person.name, upTo: 16)
            let isLast = shown.count == people.count - 1
            guard width + own + 1 <= room - (isLast ? 0 : 5) else { break }
            shown.append((person, own))
            width += own + 1
        }
        let rest = people.count - shown.count
        let more = rest > 0 ? "+\(rest)" : ""
        guard width + more.count <= room else { return }
        var x = frame.size.width - width - more.count
        for (person, own) in shown {
            let tag = app.rules.width(of: person.tag)
            frame.put(person.tag, x: x, y: 0, style: theme.people[person.color])
            frame.put(person.name, x: x + tag + 1, y: 0, style: theme.title, widthMax: 16)
            x += own + 1
        }
        frame.put(more, x: x, y: 0, style: theme.title)
    }

    // MARK: Header

    private func drawHeader(_ frame: inout CellBuffer) {
        guard let y = layout.headerLine else { return }
        frame.fill(Rectangle(x: 0, y: y, width: frame.size.width, height: 1), theme.header)
        if layout.gutterWidth > 0 {
            frame.put("#", x: layout.gutterWidth - 3, y: y, style: theme.header)
        }
        for column in layout.columns {
            let isHere = column.position == app.grid.columnPosition
            let style = isHere ? theme.headerHere : theme.header
            let name = column.column.name.string
            let part = Rectangle(x: column.x, y: y, width: column.width, height: 1)
            if layout.isCompact, let sheet {
                let text = "\(name)  \(column.position + 1)/\(sheet.columns.count)"
                put(text, in: part, isRight: false, style, &frame)
                continue
            }
            put(name, in: part, isRight: column.column.type.isRight, style, &frame)
            if column.x + column.width < frame.size.width {
                drawBar(behind: column, y: y, theme.header, &frame)
            }
            drawHiddenMark(beside: column, y: y, &frame)
        }
    }

    /// Writes text into a part of a line, on its side, and blanks into the rest.
    func put(
        _ text: String, in part: Rectangle, isRight: Bool, _ style: Style,
        _ frame: inout CellBuffer
    ) {
        var x = part.x
        if isRight {
            let width = app.rules.width(of: text, upTo: part.width + 1)
            x += max(0, part.width - width)
            frame.fill(Rectangle(x: part.x, y: part.y, width: x - part.x, height: 1), style)
        }
        x += frame.put(text, x: x, y: part.y, style: style, widthMax: part.endX - x)
        frame.fill(Rectangle(x: x, y: part.y, width: part.endX - x, height: 1), style)
    }

    /// Draws what stands between columns.
    func drawBar(x: Int, y: Int, _ style: Style, _ frame: inout CellBuffer) {
        guard let barCluster else { return }
        frame.place(barCluster, x: x, y: y, style: style)
    }

    /// Draws what stands behind a column.
    func drawBar(
        behind column: VisibleColumn, y: Int, _ style: Style, _ frame: inout CellBuffer
    ) {
        let isLastFrozen = column.position + 1 == layout.frozenCount
        guard let sign = isLastFrozen ? frozenCluster : barCluster else { return }
        frame.place(sign, x: column.x + column.width, y: y, style: style)
    }

    /// Draws the sign of columns that are hidden beside one, over what stands there.
    private func drawHiddenMark(
        beside column: VisibleColumn, y: Int, _ frame: inout CellBuffer
    ) {
        guard let sheet, sheet.hidesColumns, let hiddenCluster,
            let place = sheet.allColumns.firstIndex(where: { $0.id == column.column.id })
        else { return }
        let hidden = app.grid.hidden
        let next = place + 1
        let end = column.x + column.width
        if next < sheet.allColumns.count, hidden.contains(sheet.allColumns[next].id),
            end < frame.size.width
        {
            frame.place(hiddenCluster, x: end, y: y, style: theme.header)
        }
        if column.position == 0, place > 0, column.x > 0 {
            frame.place(hiddenCluster, x: column.x - 1, y: y, style: theme.header)
        }
    }
}
