// Draws what lies over the grid: a box with a border, a line to type in, lines to read or choose.
// It draws into the buffer and knows no keys; which layers there are is in Layers.swift.
import Terminal

extension FrameView {
    /// Draws what lies over the grid.
    func drawLayer(_ frame: inout CellBuffer) {
        guard let layer = app.layer else { return }
        let box = LayerBox(layer, in: frame.size, app: app, sheet: sheet)
        frame.cursor = nil
        frame.fill(box.frame, theme.box)
        if box.hasBorder { drawBorder(box, &frame) }
        var y = box.inner.y
        if var field = box.field {
            let part = Rectangle(x: box.inner.x, y: y, width: box.inner.width, height: 1)
            field.scrollToCaret(width: part.width, rules: app.rules)
            frame.fill(part, theme.editor)
            draw(field, in: part, theme.editor, &frame)
            y += 1
        }
        for index in box.first..<max(box.first, box.lines.count) where y < box.inner.endY {
            draw(box.lines[index], isChosen: index == box.chosen, y: y, box, &frame)
            y += 1
        }
    }

    private func draw(
        _ line: BoxLine, isChosen: Bool, y: Int, _ box: LayerBox, _ frame: inout CellBuffer
    ) {
        var style = isChosen ? theme.boxChosen : theme.box
        if line.isBold { style.attributes.insert(.bold) }
        if line.isFaint { style.attributes.insert(.dim) }
        let part = Rectangle(x: box.inner.x, y: y, width: box.inner.width, height: 1)
        frame.fill(part, style)
        let right = app.rules.width(of: line.right, upTo: part.width)
        let fits = right > 0 && right + 8 <= part.width
        let room = part.width - (fits ? right + 1 : 0)
        let used = frame.put(line.text, x: part.x, y: y, style: style, widthMax: room)
        let detail = max(used + 2, LayerBox.detailColumn)
        if !line.detail.isEmpty, room > detail + 8 {
            frame.put(
                line.detail, x: part.x + detail, y: y, style: style, widthMax: room - detail)
        }
        if fits { frame.put(line.right, x: part.endX - right, y: y, style: style) }
    }

    private func drawBorder(_ box: LayerBox, _ frame: inout CellBuffer) {
        let part = box.frame
        let isPlain = app.rules.hasWideBoxSigns
        let line = String(repeating: isPlain ? "-" : "─", count: max(0, part.width - 2))
        let corners = isPlain ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"]
        frame.put(corners[0] + line + corners[1], x: part.x, y: part.y, style: theme.box)
        frame.put(corners[2] + line + corners[3], x: part.x, y: part.endY - 1, style: theme.box)
        for y in part.y + 1..<max(part.y + 1, part.endY - 1) {
            frame.put(bar, x: part.x, y: y, style: theme.box)
            frame.put(bar, x: part.endX - 1, y: y, style: theme.box)
        }
        guard !box.title.isEmpty else { return }
        frame.put(
            " \(box.title) ", x: part.x + 2, y: part.y, style: theme.box,
            widthMax: max(0, part.width - 4))
    }
}
