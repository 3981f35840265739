// Rows that make a table: the header taken apart from the rows, all rows of the same length.
// Between DelimitedReader, which knows only fields, and ImportScan and ImportRows.
package import TableValue

/// What to do with a row that has fewer fields than the header.
package enum ShortRows: Hashable, Sendable {
    /// The file is refused, naming the line.
    case refuse
    /// The missing fields are empty, which is null.
    case fill
}

/// Reads the header and then rows of as many fields from the pieces of a file.
///
/// A row with more fields is always refused. In a table of several columns an empty line is a row
/// that is too short, except at the end of the file, where empty lines are passed over.
package struct CheckedRows: Sendable {
    private var reader: DelimitedReader
    private let hasHeader: Bool
    private let shortRows: ShortRows
    /// The first of the empty lines that no row has followed so far.
    private var blankLine: Int?

    /// The fields of the header; empty where the dialect has none.
    package private(set) var header: [Text] = []
    /// The number of columns; nil until the first row was read.
    package private(set) var columnCount: Int?

    /// Begins a file.
    package init(
        _ dialect: Dialect, shortRows: ShortRows = .refuse, limits: FileLimits = FileLimits()
    ) {
        reader = DelimitedReader(dialect, limits: limits)
        hasHeader = dialect.hasHeader
        self.shortRows = shortRows
    }

    /// The row that was last read.
    package var row: FileRow { reader.row }

    /// Reads on from `position` in a piece of the file until a row below the header is complete.
    ///
    /// - Parameters:
    ///   - bytes: a piece of the file.
    ///   - position: where to go on in it, moved behind what was read.
    /// - Returns: true where `row` is complete; false where the piece is used up.
    /// - Throws: `FileError`; the reader is then of no further use.
    package mutating func readRow(
        _ bytes: Span<UInt8>, from position: inout Int
    ) throws(FileError) -> Bool {
        while try reader.readRow(bytes, from: &position) {
            if try accept() { return true }
        }
        return false
    }

    /// Ends the file; true where that completed a last row.
    ///
    /// - Throws: `FileError`.
    package mutating func finish() throws(FileError) -> Bool {
        let isRow = try reader.finish() ? try accept() : false
        if hasHeader && columnCount == nil { throw FileError(.missingHeader) }
        return isRow
    }

    /// Looks at the row just read; true where it is one of the table.
    private mutating func accept() throws(FileError) -> Bool {
        let found = reader.row.count
        guard let columnCount else {
            columnCount = found
            if hasHeader { header = (0..<found).map { reader.row.text($0) } }
            return !hasHeader
        }
        if columnCount > 1 && reader.row.isBlank {
            blankLine = blankLine ?? reader.row.line
            return false
        }
        if let blankLine {
            throw FileError(.wrongFieldCount(expected: columnCount, found: 1), line: blankLine)
        }
        if found == columnCount { return true }
        guard found < columnCount && shortRows == .fill else {
            throw FileError(
                .wrongFieldCount(expected: columnCount, found: found), line: reader.row.line)
        }
        reader.padRow(to: columnCount)
        return true
    }
}
