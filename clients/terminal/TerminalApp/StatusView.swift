// The last lines of the screen: the value under the cursor with its row's id, what the user is
// told, where the cursor is, and where the others are that are out of sight.
import TableModel
import TableValue
import Terminal

extension FrameView {
    /// The whole value under the cursor, or the next keys.
    func drawPeek(_ frame: inout CellBuffer) {
        guard let y = layout.peekLine, app.editor == nil, let sheet, let row = app.grid.row,
            let column = sheet.column(at: app.grid.columnPosition)
        else { return }
        let look = CellLook(sheet.value(row, column.id))
        let id = row.description
        let idX = frame.size.width - app.rules.width(of: id, upTo: frame.size.width)
        let hasRoom = idX >= FrameView.peekWidthMin
        let end = hasRoom ? idX - 2 : frame.size.width
        if hasRoom { frame.put(id, x: idX, y: y, style: theme.faint) }
        let label = "\(column.name) "
        let width = frame.put(
            label, x: 0, y: y, style: theme.faint, widthMax: frame.size.width / 3)
        let style = look.kind == .plain ? theme.text : theme.faint
        let text = look.kind == .null ? "∅ null" : look.text
        frame.put(text, x: width + 1, y: y, style: style, widthMax: end - width - 1)
    }

    /// Cells that the value under the cursor has before the row's id is shown behind it.
    private static let peekWidthMin = 30

    func drawStatus(_ frame: inout CellBuffer) {
        guard let y = layout.statusLine else { return }
        let right = placesText
        let rightWidth = app.rules.width(of: right, upTo: frame.size.width)
        if let notice = app.notices.shown { return draw(notice, y: y, &frame) }
        frame.put(statusText, x: 0, y: y, style: theme.faint)
        if rightWidth + 20 < frame.size.width {
            frame.put(right, x: frame.size.width - rightWidth, y: y, style: theme.faint)
        }
    }

    /// What is said, on two lines where one is too short.
    private func draw(_ notice: Notice, y: Int, _ frame: inout CellBuffer) {
        let style = notice.kind == .warning ? theme.warning : theme.banner
        let more = app.notices.waiting.count
        let hint = notice.kind == .talk ? "" : more > 0 ? " Esc, \(more) more" : " Esc"
        let width = max(1, frame.size.width - hint.count)
        var lines = WrappedText(
            notice.text, width: width, lineCountMax: 3, rules: app.rules, byWords: true
        ).lines
        if lines.count > 1, let above = layout.peekLine, app.editor == nil {
            drawLine(lines.removeFirst(), y: above, style, &frame)
        }
        let isCut = lines.count > 1
        drawLine(lines.first.map { $0 + (isCut ? "…" : "") } ?? "", y: y, style, &frame)
        guard width > 8 else { return }
        frame.put(hint, x: width, y: y, style: style)
    }

    private var statusText: String {
        if let count = app.countSoFar {
            return "\(count)" + app.keysSoFar.map(KeyMap.label).joined()
        }
        if !app.keysSoFar.isEmpty { return app.keysSoFar.map(KeyMap.label).joined() + " …" }
        if let dragText { return dragText }
        guard let sheet else { return "" }
        var text =
            "row \(grouped(min(app.grid.rowPosition + 1, sheet.rowCount))) of "
            + grouped(sheet.announcedRowCount ?? sheet.rowCount)
        if let column = sheet.column(at: app.grid.columnPosition) {
            text += " · \(column.name) (\(column.type.sign))"
        }
        if let comment = app.commentText(sheet) { text += " · \(comment)" }
        let chosen = app.selection.rows.count
        if chosen > 0 { text += " · \(counted(chosen, "row")) chosen" }
        if app.selection.range != nil { text += " · range" }
        if let block = app.selection.block(app.grid, sheet) {
            text += " · " + blockText(rows: block.rows.count, columns: block.columns.count)
        }
        if let search = app.search {
            text += " · find \(app.glance(search.query, widthMax: 24)) "
            text += search.progressText(app.grid, sheet)
        }
        if let row = app.grid.row, let column = app.grid.column,
            let person = app.people.at(row, column)
        {
            text += " · \(person.name) is \(person.isEditing ? "editing this" : "here")"
        }
        return text
    }

    private var dragText: String? {
        switch app.drag {
        case .rows(_, let target?): "let go to move to row \(grouped(target + 1))"
        case .column(_, let target?): "let go to move to column \(target + 1)"
        default: nil
        }
    }

    /// Where the others are that are out of sight, and how to get help.
    private var placesText: String {
        var text = ""
        if let sheet {
            var above = 0
            var below = 0
            for person in app.people.others.prefix(FrameView.placedMax) {
                guard let row = person.row.flatMap({ sheet.position(of: $0) }) else { continue }
                if row < layout.visibleRows.lowerBound { above += 1 }
                if row >= layout.visibleRows.upperBound { below += 1 }
            }
            let (left, right) = besides(sheet)
            let counts = [("↑", above), ("↓", below), ("←", left), ("→", right)]
            for (sign, count) in counts where count > 0 { text += "\(sign)\(count) " }
        }
        return text + "F1 help"
    }

    /// How many of the others are in a row in sight, left and right of the columns in sight.
    private func besides(_ sheet: Sheet) -> (left: Int, right: Int) {
        var (left, right) = (0, 0)
        guard let last = layout.columns.last else { return (0, 0) }
        for person in app.people.others.prefix(FrameView.placedMax) {
            guard let row = person.row.flatMap({ sheet.position(of: $0) }),
                layout.visibleRows.contains(row),
                let column = person.column.flatMap({ sheet.columnPosition(of: $0) })
            else { continue }
            guard layout.column(at: column) == nil else { continue }
            if column > last.position { right += 1 } else { left += 1 }
        }
        return (left, right)
    }

    private static let placedMax = 64
}
