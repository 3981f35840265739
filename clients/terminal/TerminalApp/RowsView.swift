// The lines of rows: numbers, cells, and what is laid over them in a fixed order: stripes, the
// cursor's row, what is chosen, what was found, other people, what has just changed, the cursor.
import TableModel
import TableValue
import Terminal

extension FrameView {
    /// Draws the rows in sight.
    func drawRows(_ frame: inout CellBuffer) {
        guard let sheet else { return }
        let block = app.selection.block(app.grid, sheet)
        for position in layout.visibleRows {
            guard let y = layout.line(ofRow: position), let row = sheet.row(at: position) else {
                continue
            }
            let style = rowStyle(row, position)
            drawGutter(row, position, y, &frame)
            for column in layout.columns {
                let isInBlock =
                    block.map {
                        $0.rows.contains(position) && $0.columns.contains(column.position)
                    } ?? false
                let cell = CellPlace(row: row, position: position, column: column, y: y)
                draw(cell, isInBlock ? style.under(theme.chosen) : style, sheet, &frame)
            }
            drawRest(style, y, &frame)
            if layout.linesPerRow == 2 { drawDetail(row, style, y + 1, sheet, &frame) }
        }
    }

    private func rowStyle(_ row: RowID, _ position: Int) -> Style {
        var style = theme.text
        if position % 2 == 1 { style = style.under(theme.stripe) }
        if position == app.grid.rowPosition { style = style.under(theme.cursorRow) }
        if app.selection.rows.contains(row) { style = style.under(theme.chosen) }
        return style
    }

    // MARK: Numbers

    private func drawGutter(
        _ row: RowID, _ position: Int, _ y: Int, _ frame: inout CellBuffer
    ) {
        guard layout.gutterWidth > 0 else { return }
        let isHere = position == app.grid.rowPosition
        var style = isHere ? theme.gutterHere : theme.gutter
        let flash = app.flashes.user(row, nil)
        if let flash, theme.hasColors {
            style = theme.people[app.people.color(of: flash)]
        }
        let number = String(position + 1)
        let digits = layout.gutterWidth - 3
        frame.put(number, x: 1 + max(0, digits - number.count), y: y, style: style)
        if isHere, !theme.hasColors, bar == "│" {
            frame.put("▌", x: layout.gutterWidth - 1, y: y, style: theme.faint)
        } else {
            drawBar(x: layout.gutterWidth - 1, y: y, theme.faint, &frame)
        }
        if app.selection.rows.contains(row) {
            frame.put("+", x: 0, y: y, style: theme.gutterHere)
        } else if flash != nil || hasFlash(row), !theme.hasColors {
            frame.put("*", x: 0, y: y, style: theme.gutterHere)
        } else if let person = personOutOfSight(row) {
            frame.put(person.tag, x: 0, y: y, style: theme.people[person.color], widthMax: 1)
        } else if let sheet, sheet.openCommentCount > 0, sheet.openCommentCount(of: row) > 0 {
            frame.put(commentSign, x: 0, y: y, style: theme.gutterHere)
        }
    }

    private func hasFlash(_ row: RowID) -> Bool {
        guard !app.flashes.isEmpty else { return false }
        return layout.columns.contains { app.flashes.user(row, $0.column.id) != nil }
    }

    /// Somebody in the row, at a column that is not in sight.
    private func personOutOfSight(_ row: RowID) -> Person? {
        app.people.others.first { person in
            person.row == row && !layout.columns.contains { $0.column.id == person.column }
        }
    }

    // MARK: Cells

    /// One cell on the screen.
    struct CellPlace {
        let row: RowID
        let position: Int
        let column: VisibleColumn
        let y: Int

        var part: Rectangle { Rectangle(x: column.x, y: y, width: column.width, height: 1) }
    }

    private func draw(
        _ cell: CellPlace, _ base: Style, _ sheet: Sheet, _ frame: inout CellBuffer
    ) {
        let id = cell.column.column.id
        let value = sheet.value(cell.row, id)
        let look = CellLook(value)
        var style = base
        if look.kind == .null || look.kind == .emptyText {
            style.foreground = theme.faint.foreground
            style.attributes.formUnion(theme.faint.attributes)
        }
        if app.unsentCount > 0, sheet.isPending(cell.row, id) {
            style.attributes.insert(.italic)
            style.attributes.insert(.underline)
        }
        if let search = app.search, search.needle.isIn(value, bytesMax: 4_096) {
            style = style.under(theme.match)
        }
        let person = app.people.others.isEmpty ? nil : app.people.at(cell.row, id)
        if let person {
            style.foreground = theme.hasColors ? theme.people[person.color].background : .standard
            style.attributes.insert(.underline)
            if person.isEditing { style.attributes.insert(.dim) }
        }
        if let user = app.flashes.user(cell.row, id) {
            style = style.under(theme.people[app.people.color(of: user)])
        }
        let isHere =
            cell.position == app.grid.rowPosition
            && cell.column.position == app.grid.columnPosition
        if isHere { style = style.under(theme.cursor) }
        let isRight = look.isRight || cell.column.column.type.isRight
        put(look.text, in: cell.part, isRight: isRight, style, &frame)
        let end = cell.column.x + cell.column.width
        if end < frame.size.width, !layout.isCompact {
            var separator = base
            separator.foreground = theme.faint.foreground
            separator.attributes = theme.faint.attributes
            drawBar(behind: cell.column, y: cell.y, separator, &frame)
        }
        if let person {
            drawTag(person, cell, &frame)
        } else if sheet.openCommentCount > 0, sheet.hasOpenComment(cell.row, id) {
            drawCommentSign(cell, &frame)
        }
    }

    private var commentSign: String { app.rules.width(of: "¶") == 1 ? "¶" : "=" }

    /// The mark of a cell with open comments, on the divider behind it or at an end that is free.
    private func drawCommentSign(_ cell: CellPlace, _ frame: inout CellBuffer) {
        let end = cell.part.endX
        if !layout.isCompact, end < frame.size.width {
            frame.put(commentSign, x: end, y: cell.y, style: theme.gutterHere)
        } else if isBlank(cell, from: end - 2, count: 2, frame) {
            frame.put(commentSign, x: end - 1, y: cell.y, style: theme.gutterHere)
        } else if isBlank(cell, from: cell.part.x, count: 2, frame) {
            frame.put(commentSign, x: cell.part.x, y: cell.y, style: theme.gutterHere)
        }
    }

    /// The letter of somebody at a cell, on the divider behind it.
    ///
    /// Where there is no divider, or the letter is wider, it stands at an end of the cell that is
    /// free, or nowhere: never over what the cell shows.
    private func drawTag(_ person: Person, _ cell: CellPlace, _ frame: inout CellBuffer) {
        let width = app.rules.width(of: person.tag)
        let end = cell.part.endX
        var place: Int?
        if width == 1, !layout.isCompact, end < frame.size.width {
            place = end
        } else if isBlank(cell, from: end - width - 1, count: width + 1, frame) {
            place = end - width
        } else if isBlank(cell, from: cell.part.x, count: width + 1, frame) {
            place = cell.part.x
        }
        let style = theme.people[person.color]
        let pencil = app.rules.width(of: "✎") == 1 ? "✎" : "="
        if let place { frame.put(person.tag, x: place, y: cell.y, style: style) }
        guard person.isEditing else { return }
        // A pencil beside the letter, at the other end, or in the letter's place: the last line
        // tells whose it is.
        if isBlank(cell, from: end - 2, count: 2, frame) {
            frame.put(pencil, x: end - 1, y: cell.y, style: style)
        } else if isBlank(cell, from: cell.part.x, count: 2, frame) {
            frame.put(pencil, x: cell.part.x, y: cell.y, style: style)
        } else if let place {
            frame.put(pencil, x: place, y: cell.y, style: style)
        }
    }

    /// True where a part of a cell lies within it and shows nothing.
    private func isBlank(
        _ cell: CellPlace, from x: Int, count: Int, _ frame: CellBuffer
    ) -> Bool {
        guard x >= cell.part.x, x + count <= cell.part.endX else { return false }
        return (x..<x + count).allSatisfy { frame[$0, cell.y].text == " " }
    }

    private func drawRest(_ style: Style, _ y: Int, _ frame: inout CellBuffer) {
        let end = layout.columns.last.map { $0.x + $0.width + 1 } ?? layout.gutterWidth
        guard end < frame.size.width, !layout.isCompact else { return }
        frame.fill(
            Rectangle(x: end, y: y, width: frame.size.width - end, height: 1), style)
    }

    // MARK: Compact form

    /// The other columns of a row, on its second line.
    private func drawDetail(
        _ row: RowID, _ style: Style, _ y: Int, _ sheet: Sheet, _ frame: inout CellBuffer
    ) {
        var faint = style
        faint.foreground = theme.faint.foreground
        faint.attributes.formUnion(theme.faint.attributes)
        let start = layout.gutterWidth
        frame.fill(Rectangle(x: start, y: y, width: frame.size.width - start, height: 1), faint)
        if start > 0 { frame.put(bar, x: start - 1, y: y, style: theme.faint) }
        var x = start + 1
        for column in sheet.columns where column.id != app.grid.column {
            guard x < frame.size.width else { break }
            let look = CellLook(sheet.value(row, column.id))
            guard look.kind != .null else { continue }
            let text = "\(column.name) "
            x += frame.put(text, x: x, y: y, style: faint, widthMax: 16)
            x += frame.put(look.text, x: x, y: y, style: faint, widthMax: 24)
            x += frame.put(" · ", x: x, y: y, style: faint, cut: false)
        }
    }
}
