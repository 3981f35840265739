// A frame: a grid of cells that the view draws into. It is the only door through which text
// reaches the screen, so it takes printable characters alone and shows all others as signs.
// What differs from the frame before is written out by FrameWriter.swift.

/// One cell of the screen.
package struct Cell: Hashable, Sendable {
    /// The cluster that begins here, never a control character.
    ///
    /// A wide cluster's further cells hold an empty text.
    package internal(set) var text: String
    /// How it looks.
    package var style: Style
    /// How many cells the cluster takes; 0 for a further cell of a wide one.
    package internal(set) var width: UInt8
    /// True where the terminal may draw it wider or narrower.
    package internal(set) var isDoubtful = false

    /// An empty place.
    package static func blank(_ style: Style = .plain) -> Cell {
        Cell(text: " ", style: style, width: 1)
    }
}

/// A frame of the screen.
package struct CellBuffer: Hashable, Sendable {
    /// Its columns and lines.
    package let size: Size
    /// How wide clusters are on this terminal.
    package let widths: WidthRules
    /// Where the terminal's cursor is shown; nil for hidden.
    package var cursor: Point?
    private var cells: [Cell]

    /// The cells of a line that lies within the frame.
    func line(_ y: Int) -> ArraySlice<Cell> {
        cells[y * size.width..<(y + 1) * size.width]
    }

    /// An empty frame.
    package init(size: Size, widths: WidthRules = WidthRules()) {
        self.size = size
        self.widths = widths
        cells = Array(repeating: .blank(), count: size.width * size.height)
    }

    /// The whole frame.
    package var bounds: Rectangle {
        Rectangle(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// The cell at a place; a blank outside the frame.
    package subscript(x: Int, y: Int) -> Cell {
        guard bounds.contains(Point(x: x, y: y)) else { return .blank() }
        return cells[y * size.width + x]
    }

    /// Makes a part blank, in a style.
    package mutating func fill(_ part: Rectangle, _ style: Style = .plain) {
        for y in max(0, part.y)..<max(0, part.y, min(part.endY, size.height)) {
            for x in max(0, part.x)..<max(0, part.x, min(part.endX, size.width)) {
                replace(x, y, with: .blank(style))
            }
        }
    }

    /// Changes the style of a part and keeps its text.
    package mutating func restyle(_ part: Rectangle, _ change: (inout Style) -> Void) {
        for y in max(0, part.y)..<max(0, part.y, min(part.endY, size.height)) {
            for x in max(0, part.x)..<max(0, part.x, min(part.endX, size.width)) {
                change(&cells[y * size.width + x].style)
            }
        }
    }

    /// Writes text from a place to the right, within `widthMax` cells, on one line.
    ///
    /// Whatever is no printable character is shown as a sign. Text that is too long ends in "…"
    /// where `cut` says so; no cluster is cut in the middle. Returns the cells that were used.
    @discardableResult
    package mutating func put(
        _ text: some StringProtocol, x: Int, y: Int, style: Style = .plain,
        widthMax: Int = .max, cut: Bool = true
    ) -> Int {
        guard y >= 0, y < size.height, x < size.width, x > -CellBuffer.offsetMax, widthMax > 0
        else { return 0 }
        let room = min(widthMax, size.width - x)
        let line = widths.fit(text, widthMax: room, cut: cut)
        var column = x
        for cluster in line.clusters {
            place(cluster, x: column, y: y, style: style)
            column += cluster.width
        }
        return column - x
    }

    /// How far to the left of the frame text may begin.
    private static let offsetMax = 1 << 20

    /// Writes one cluster that was fitted before, as a sign that is drawn often; outside the frame,
    /// or across its right edge, nothing.
    package mutating func place(_ cluster: Cluster, x: Int, y: Int, style: Style) {
        guard x >= 0, y >= 0, y < size.height, cluster.width > 0, x + cluster.width <= size.width
        else { return }
        let cell = Cell(
            text: cluster.text, style: style, width: UInt8(cluster.width),
            isDoubtful: cluster.isDoubtful)
        replace(x, y, with: cell)
        for further in 1..<max(1, cluster.width) {
            replace(x + further, y, with: Cell(text: "", style: style, width: 0))
        }
    }

    /// Replaces one cell; what is left of a wide cluster that is broken by it becomes blank.
    private mutating func replace(_ x: Int, _ y: Int, with cell: Cell) {
        let line = y * size.width
        let old = cells[line + x]
        if old.width == 0 {
            var start = x - 1
            while start >= 0, cells[line + start].width == 0 {
                cells[line + start] = .blank(cells[line + start].style)
                start -= 1
            }
            if start >= 0 { cells[line + start] = .blank(cells[line + start].style) }
        }
        var next = x + 1
        if old.width != 1 {
            while next < size.width, cells[line + next].width == 0 {
                cells[line + next] = .blank(cells[line + next].style)
                next += 1
            }
        }
        cells[line + x] = cell
    }

    /// The frame's text, a line each, without blanks at the ends of lines.
    package var text: String {
        (0..<size.height).map { y in
            var line = ""
            for x in 0..<size.width { line += self[x, y].text }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
