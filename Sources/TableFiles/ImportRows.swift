// The second pass over a file: its rows as values of the columns that ImportScan found.
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
    private var rows: CheckedRows

    /// Begins a file that the plan was made from.
    package init(_ plan: ImportPlan) {
        let options = plan.options
        types = plan.columns.map(\.type)
        names = plan.columns.map(\.name)
        nulls = NullTexts(options.nullTexts)
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
        guard try rows.readRow(bytes, from: &position) else { return false }
        try convert(into: &values)
        return true
    }

    /// Ends the file; true where that gave a last row.
    ///
    /// - Throws: `FileError`.
    package mutating func finish(into values: inout [Value]) throws(FileError) -> Bool {
        guard try rows.finish() else { return false }
        try convert(into: &values)
        return true
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
                values.append(try Value(utf8: field, as: types[index]))
            } catch {
                throw unfit(error, names, row, index)
            }
        }
    }
}
