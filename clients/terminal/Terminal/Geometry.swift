// Places on the screen, in cells: the first column and the first line are 0.
// Nothing is drawn here; CellBuffer.swift is what has places.

/// A width and a height in cells.
package struct Size: Hashable, Sendable {
    /// Columns.
    package var width: Int
    /// Lines.
    package var height: Int

    /// Joins a width and a height; less than zero counts as zero.
    package init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }
}

/// A cell's place.
package struct Point: Hashable, Sendable {
    /// The column, from 0 on the left.
    package var x: Int
    /// The line, from 0 at the top.
    package var y: Int

    /// Joins a column and a line.
    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// A part of the screen; it may reach beyond the screen, where nothing is drawn.
package struct Rectangle: Hashable, Sendable {
    /// The first column.
    package var x: Int
    /// The first line.
    package var y: Int
    /// Columns.
    package var width: Int
    /// Lines.
    package var height: Int

    /// Joins a place with a size; a size of less than zero counts as zero.
    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// The column after the last one.
    package var endX: Int { x + width }
    /// The line after the last one.
    package var endY: Int { y + height }

    /// True where the place lies within.
    package func contains(_ point: Point) -> Bool {
        point.x >= x && point.x < endX && point.y >= y && point.y < endY
    }
}
