// The second pass over a file: its rows as values of the columns that ImportScan found.
// It infers nothing any more, and sends nothing: rows are handed to whoever asked for them.
package import TableValue

/// Reads the rows of a file, piece by piece, as values by a plan.
///
///     var position = 0
///     while try rows.readRow(piece, from: &position, into: &values) { insert(values) }
///     if try rows.finish(into: &values) { insert(values) }
package struct ImportRows: Sendable {
    private let types: [ColumnType]
    private let names: [Text]
    private let nulls: NullTexts
    private let decimalMark: UInt8
    private let wanted: ClosedRange<Int>?
    /// The rows of a file of JSON; nil for delimited text, which is read here.
    private var json: JSONRows?
    private var rows: CheckedRows
    private var rowNumber = 0

    /// Begins a file that the plan was made from.
    package init(_ plan: ImportPlan) {
        let options = plan.options
        types = plan.columns.map(\.type)
        names = plan.columns.map(\.name)
        nulls = NullTexts(options.nullTexts)
        decimalMark = options.decimalMark
        wanted = options.rows
        json = options.shape == .delimited ? nil : JSONRows(plan)
        rows = CheckedRows(options.dialect, shortRows: options.shortRows, limits: options.limits)
    }

    /// Reads on from `position` in a piece of the file until a row is complete.
    ///
    /// - Parameters:
    ///   - bytes: a piece of the file.
    ///   - position: where to go on in it, moved behind what was read.
    ///   - values: becomes the row, one value a column.
    /// - Returns: true where there is a row; false where the piece is used up.
    /// - Throws: `FileError` where the file is not the one the plan was made from.
    package mutating func readRow(
        _ bytes: Span<UInt8>, from position: inout Int, into values: inout [Value]
    ) throws(FileError) -> Bool {
        if let isRow = try json?.readRow(bytes, from: &position, into: &values) { return isRow }
        while try rows.readRow(bytes, from: &position) {
            guard isNextWanted() else { continue }
            try convert(into: &values)
            return true
        }
        return false
    }

    /// Ends the file; true where that gave a last row.
    ///
    /// - Throws: `FileError`.
    package mutating func finish(into values: inout [Value]) throws(FileError) -> Bool {
        if let isRow = try json?.finish(into: &values) { return isRow }
        guard try rows.finish(), isNextWanted() else { return false }
        try convert(into: &values)
        return true
    }

    private mutating func isNextWanted() -> Bool {
        rowNumber &+= 1
        return wanted?.contains(rowNumber) ?? true
    }

    private func convert(into values: inout [Value]) throws(FileError) {
        values.removeAll(keepingCapacity: true)
        let row = rows.row
        guard row.count == types.count else {
            throw FileError(
                .wrongFieldCount(expected: types.count, found: row.count), line: row.line)
        }
        let bytes = row.storage.span
        var start = 0
        for index in types.indices {
            let mark = row.marks[index]
            let field = bytes.extracting(start..<mark >> 1)
            start = mark >> 1 &+ 1
            if mark & 1 == 0 && nulls.contain(field) {
                values.append(.null)
                continue
            }
            do {
                values.append(
                    try value(of: field, as: types[index], decimalMark: decimalMark))
            } catch {
                throw unfit(error, names, row, index)
            }
        }
    }
}
