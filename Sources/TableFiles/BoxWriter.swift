// Rows as boxed text for people: names, types, cells, and how many there are.
// It keeps what will be shown until the end, since a box is as wide as its widest cell; what a
// cell takes is limited, and the caller limits the rows. It is not read back.
package import TableValue

/// Writes rows as a box with the columns' names and types on top and the counts below.
///
///     ┌───────┬─────┐
///     │ name  │ qty │
///     │ text  │ int │
///     ├───────┼─────┤
///     │ apple │  12 │
///     │ pear  │   ∅ │
///     └───────┴─────┘
///     2 rows, 2 columns
///
/// Null is `∅`. Control characters are shown as escapes, and a cell that is too wide is cut with
/// an ellipsis.
package struct BoxWriter: Sendable {
    private let columns: [TypedColumn]
    private let options: OutputOptions
    private var widths: [Int]
    /// The cells of all rows, one after the other, as they will be shown.
    private var cells: [UInt8] = []
    private var cellEnds: [Int] = []
    private var cellWidths: [Int32] = []
    private var rowCount = 0

    /// Begins a table.
    package init(columns: [TypedColumn], options: OutputOptions) {
        self.columns = columns
        self.options = options
        widths = columns.map { column in
            let name = displayed(column.name, widthMax: options.cellWidthMax).text
            return max(displayWidth(name), column.type.rawValue.utf8.count)
        }
    }

    /// Takes a row, one value a column.
    package mutating func append(_ values: [Value]) {
        rowCount += 1
        for index in columns.indices {
            let (cell, width) = shown(index < values.count ? values[index] : .null)
            widths[index] = max(widths[index], width)
            cells.append(contentsOf: cell.utf8)
            cellEnds.append(cells.count)
            cellWidths.append(Int32(truncatingIfNeeded: width))
        }
    }

    /// Writes the whole box, and calls `body` after each line with what has been written.
    ///
    /// `body` may take the bytes out of the output, so that no more than a line is kept.
    ///
    /// Complexity: linear in what is written.
    package func end<Failure: Error>(
        _ output: inout [UInt8], afterEachLine body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if !columns.isEmpty {
            rule("┌", "┬", "┐", &output)
            heading(
                columns.map { displayed($0.name, widthMax: options.cellWidthMax).text }, &output)
            heading(columns.map(\.type.rawValue), &output)
            if rowCount > 0 { rule("├", "┼", "┤", &output) }
            for row in 0..<rowCount {
                appendRow(row, &output)
                try body(&output)
            }
            rule("└", "┴", "┘", &output)
        }
        let total = options.rowsInTable ?? rowCount
        var summary = "\(counted(total, "row")), \(counted(columns.count, "column"))"
        if total != rowCount { summary += " (\(rowCount) shown)" }
        output.append(contentsOf: summary.utf8)
        output.append(Byte.lineFeed)
        try body(&output)
    }

    /// A value as it stands in its cell, and the columns that it takes.
    private func shown(_ value: Value) -> (text: String, width: Int) {
        if value.isNull { return ("∅", 1) }
        if let text = value.textHeld { return displayed(text, widthMax: options.cellWidthMax) }
        var bytes: [UInt8] = []
        value.writeText(to: &bytes)
        return (String(decoding: bytes, as: UTF8.self), bytes.count)
    }

    private func rule(
        _ left: String, _ middle: String, _ right: String, _ output: inout [UInt8]
    ) {
        output.append(contentsOf: left.utf8)
        for (index, width) in widths.enumerated() {
            if index > 0 { output.append(contentsOf: middle.utf8) }
            for _ in 0..<width + 2 { output.append(contentsOf: "─".utf8) }
        }
        output.append(contentsOf: right.utf8)
        output.append(Byte.lineFeed)
    }

    private func heading(_ texts: [String], _ output: inout [UInt8]) {
        for (index, text) in texts.enumerated() {
            appendCell(Array(text.utf8)[...], width: displayWidth(text), index, &output)
        }
        output.append(contentsOf: "│\n".utf8)
    }

    private func appendRow(_ row: Int, _ output: inout [UInt8]) {
        for index in columns.indices {
            let cell = row * columns.count + index
            let start = cell == 0 ? 0 : cellEnds[cell - 1]
            appendCell(
                cells[start..<cellEnds[cell]], width: Int(cellWidths[cell]), index, &output)
        }
        output.append(contentsOf: "│\n".utf8)
    }

    private func appendCell(
        _ cell: ArraySlice<UInt8>, width: Int, _ column: Int, _ output: inout [UInt8]
    ) {
        let padding = repeatElement(Byte.space, count: max(0, widths[column] - width))
        output.append(contentsOf: "│ ".utf8)
        if columns[column].type.isNumeric { output.append(contentsOf: padding) }
        output.append(contentsOf: cell)
        if !columns[column].type.isNumeric { output.append(contentsOf: padding) }
        output.append(Byte.space)
    }
}

/// The beginning of a text that fits a width, made visible, with an ellipsis where something is
/// missing, and the columns that it takes.
///
/// Complexity: linear in the width, however long the text is: of characters that take no column
/// a few are kept for each that does.
private func displayed(_ text: Text, widthMax limit: Int?) -> (text: String, width: Int) {
    guard let limit else {
        let all = visible(text)
        return (all, displayWidth(all))
    }
    let widthMax = max(1, limit)
    var kept = ""
    var width = 0
    // What is left where an ellipsis has to follow.
    var end = (index: kept.endIndex, width: 0)
    var scalarsLeft = 8 * min(widthMax, Int.max / 16) + 8
    for scalar in text.string.unicodeScalars {
        let piece = visible(scalar)
        let pieceWidth = piece.map(displayWidth) ?? displayWidth(scalar)
        scalarsLeft -= 1
        guard width + pieceWidth <= widthMax, scalarsLeft > 0 else {
            return (String(kept[..<end.index]) + "…", end.width + 1)
        }
        if let piece { kept += piece } else { kept.unicodeScalars.append(scalar) }
        width += pieceWidth
        if width < widthMax { end = (kept.endIndex, width) }
    }
    return (kept, width)
}
