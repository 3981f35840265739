// What differs between the frame on the screen and the next one, as bytes for one write. Nothing
// is placed relative to a cluster whose width is doubtful: its place is cleared first, the cluster
// is drawn, and what follows is placed by absolute numbers and drawn after it, so that no wrong
// width can move or cover anything else. Line after line, no scrolling by the terminal.

/// Writes frames out, each as what differs from the one before.
package struct FrameWriter: Sendable {
    private let depth: ColorDepth
    /// What the terminal shows; nil where that is not known.
    private var shown: CellBuffer?
    private var isCursorShown = false
    private var body: [UInt8] = []
    /// The terminal's style; nil where it is not known.
    private var style: Style?
    /// Where the terminal's cursor is; nil where that is not known.
    private var place: Point?

    /// Begins with a screen of which nothing is known.
    package init(depth: ColorDepth) {
        self.depth = depth
    }

    /// Forgets what the terminal shows: the next frame is written whole.
    package mutating func invalidate() {
        shown = nil
    }

    /// Appends the bytes that make the terminal show a frame; none where it does already.
    ///
    /// The bytes must reach the terminal whole and in this order, before those of a later frame.
    ///
    /// Complexity: linear in the cells to compare, and in the bytes that differ.
    package mutating func write(_ frame: CellBuffer, into bytes: inout [UInt8]) {
        body.removeAll(keepingCapacity: true)
        place = nil
        let before: CellBuffer
        if let shown, shown.size == frame.size, shown.widths == frame.widths {
            before = shown
        } else {
            before = CellBuffer(size: frame.size, widths: frame.widths)
            style = .plain
            body += "\u{1B}[m\u{1B}[2J".utf8
            isCursorShown = true
        }
        for y in 0..<frame.size.height { writeLine(y, before.line(y), frame.line(y)) }
        let cursorBefore = shown == nil ? nil : before.cursor
        shown = frame
        let cursor = frame.cursor.flatMap { frame.bounds.contains($0) ? $0 : nil }
        if body.isEmpty {
            guard cursor != cursorBefore || (cursor != nil) != isCursorShown else { return }
            showCursor(cursor, into: &bytes)
            return
        }
        bytes += "\u{1B}[?2026h".utf8
        if isCursorShown { bytes += "\u{1B}[?25l".utf8 }
        isCursorShown = false
        bytes += body
        if cursor != nil { showCursor(cursor, into: &bytes) }
        bytes += "\u{1B}[?2026l".utf8
    }

    private mutating func showCursor(_ cursor: Point?, into bytes: inout [UInt8]) {
        if let cursor { writePosition(of: cursor, into: &bytes) }
        if (cursor != nil) != isCursorShown {
            bytes += (cursor == nil ? "\u{1B}[?25l" : "\u{1B}[?25h").utf8
        }
        isCursorShown = cursor != nil
    }

    private mutating func writeLine(_ y: Int, _ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>) {
        guard old != new else { return }
        let old = Array(old)
        let new = Array(new)
        guard var x = new.indices.first(where: { new[$0] != old[$0] }) else { return }
        while x > 0, new[x].width == 0 { x -= 1 }
        // The terminal's idea of a doubtful cluster may have covered what is right of it.
        let isDoubtful =
            old[x...].contains(where: \.isDoubtful)
            || new[x...].contains(where: \.isDoubtful)
        let blankStart = new.lastIndex { !$0.canBeErased }.map { $0 + 1 } ?? 0
        while x < new.count {
            let end = min(new.count, x + max(1, Int(new[x].width)))
            guard isDoubtful || (x..<end).contains(where: { new[$0] != old[$0] }) else {
                x = end
                continue
            }
            if x >= blankStart, isDoubtful || new.count - x > FrameWriter.eraseMin {
                move(to: Point(x: x, y: y))
                change(to: .plain)
                body += "\u{1B}[K".utf8
                return
            }
            for gap in shortGap(before: Point(x: x, y: y), new) { draw(new[gap], x: gap, y: y) }
            move(to: Point(x: x, y: y))
            draw(new[x], x: x, y: y)
            if place?.x == new.count { place = nil }
            x = end
        }
        if isDoubtful { mendBeforeMargin(new, y) }
    }

    /// A cluster in the last column that the terminal takes for two columns wide lands one column
    /// further left; what belongs there is drawn again.
    private mutating func mendBeforeMargin(_ line: [Cell], _ y: Int) {
        guard let last = line.last, last.isDoubtful, last.width == 1, line.count > 1 else { return }
        var x = line.count - 2
        while x > 0, line[x].width == 0 { x -= 1 }
        guard !line[x].isDoubtful else { return }
        move(to: Point(x: x, y: y))
        draw(line[x], x: x, y: y)
        place = nil
    }

    /// The longest gap that is drawn again because moving over it would take more bytes.
    private static let gapMax = 4
    /// The most blanks that are written one by one.
    private static let eraseMin = 3

    /// The cells between the cursor and a place that are cheaper to draw than to jump over.
    private func shortGap(before point: Point, _ line: [Cell]) -> Range<Int> {
        let none = point.x..<point.x
        guard let place, place.y == point.y, place.x < point.x,
            point.x - place.x <= FrameWriter.gapMax
        else { return none }
        let cells = line[place.x..<point.x]
        let isPlain = cells.allSatisfy { cell in
            cell.width == 1 && !cell.isDoubtful && cell.text.utf8.count == 1
                && converted(cell.style) == style
        }
        return isPlain ? place.x..<point.x : none
    }

    private mutating func draw(_ cell: Cell, x: Int, y: Int) {
        change(to: cell.style)
        let width = max(1, Int(cell.width))
        guard cell.isDoubtful else {
            body += (cell.width == 0 ? " " : cell.text).utf8
            place = Point(x: x + width, y: y)
            return
        }
        body += repeatElement(0x20, count: width)
        writePosition(of: Point(x: x, y: y), into: &body)
        body += cell.text.utf8
        place = nil
    }

    private mutating func change(to wanted: Style) {
        let wanted = converted(wanted)
        writeStyle(from: style, to: wanted, into: &body)
        style = wanted
    }

    private func converted(_ style: Style) -> Style {
        Style(
            foreground: style.foreground.shown(at: depth),
            background: style.background.shown(at: depth), attributes: style.attributes)
    }

    private mutating func move(to wanted: Point) {
        guard place != wanted else { return }
        if let place, place.y == wanted.y {
            body += [0x1B, 0x5B]
            body += decimal(wanted.x + 1)
            body.append(0x47)
        } else {
            writePosition(of: wanted, into: &body)
        }
        place = wanted
    }

    private func writePosition(of point: Point, into bytes: inout [UInt8]) {
        bytes += [0x1B, 0x5B]
        if point != Point(x: 0, y: 0) { bytes += decimal(point.y + 1) }
        if point.x > 0 {
            bytes.append(0x3B)
            bytes += decimal(point.x + 1)
        }
        bytes.append(0x48)
    }
}

extension Cell {
    /// True for a place that looks as if nothing had ever been drawn there.
    fileprivate var canBeErased: Bool {
        text == " " && style.background == .standard
            && style.attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
    }
}
