// The first pass over a file: its columns, their types, and proof that every row fits.
// Nothing is kept of the rows. The second pass, which gives the values, is ImportRows.
package import TableValue

/// How a file is to be read.
package struct ImportOptions: Hashable, Sendable {
    /// Whether the file is delimited text or JSON; the dialect, the texts for null, the short
    /// rows, the quotes and the decimal mark are for delimited text.
    package var shape = FileShape.delimited
    /// How the file is spelled.
    package var dialect: Dialect = .csv
    /// The byte in the place of the decimal point of doubles and decimals, such as a comma.
    package var decimalMark = Byte.point
    /// The rows of the file that count, from 1; nil for all.
    package var rows: ClosedRange<Int>?
    /// Texts that stand for null where they are not quoted, beside the empty field.
    package var nullTexts: [Text] = []
    /// Types that are given and not found out, by column.
    package var types: [TypedColumn] = []
    /// What to do with rows that are too short.
    package var shortRows = ShortRows.refuse
    /// False to find a type also where every field of a column is quoted.
    package var quotedIsText = true
    /// What a file may ask of memory.
    package var limits = FileLimits()

    /// The defaults: CSV with a header.
    package init() {}
}

/// One column of a file, as it will be imported.
package struct ImportColumn: Hashable, Sendable {
    /// The name it gets.
    package let name: Text
    /// What the header says; empty where there is no header.
    package let heading: Text
    /// Its type.
    package let type: ColumnType
    /// True where the type was given and not found out.
    package let isTypeGiven: Bool
    /// The nulls in it.
    package let nullCount: Int
    /// The choices of a choice column: those that were told, or all values that it has.
    package let choices: [Text]
    /// Why the values of a choice column without told choices cannot be choices of a new one.
    package let choicesFault: FileError?
}

/// What a file will become: the answer of the first pass, and all that the second needs.
package struct ImportPlan: Hashable, Sendable {
    /// The columns in the order of the file.
    package let columns: [ImportColumn]
    /// The rows below the header.
    package let rowCount: Int
    /// How the file was read.
    package let options: ImportOptions
}

/// Reads a file, piece by piece, to find its columns and whether every row fits them.
///
/// Memory does not grow with the rows. Where `finish` gives a plan, a second pass over the same
/// bytes with `ImportRows` cannot fail.
package struct ImportScan: Sendable {
    private let options: ImportOptions
    private let nulls: NullTexts
    /// The scan of a file of JSON; nil for delimited text, which is scanned here.
    private var json: JSONScan?
    private var rows: CheckedRows
    private var rowNumber = 0
    private var inference = TypeInference(columnCount: 0)
    private var names: [Text]?
    /// The columns with a given type.
    private var given: [(index: Int, type: ColumnType)] = []
    /// The choices of those that are choice columns, by their places.
    private var choices: [Int: ChoiceScan] = [:]
    private var rowCount = 0

    /// Begins a file.
    package init(_ options: ImportOptions) {
        self.options = options
        nulls = NullTexts(options.nullTexts)
        json = options.shape == .delimited ? nil : JSONScan(options)
        rows = CheckedRows(
            options.dialect, shortRows: options.shortRows, limits: options.limits)
    }

    /// Reads the next piece.
    ///
    /// - Throws: `FileError`; the scan is then of no further use.
    package mutating func read(_ bytes: Span<UInt8>) throws(FileError) {
        guard json == nil else {
            try json?.read(bytes)
            return
        }
        var position = 0
        while try rows.readRow(bytes, from: &position) { try add() }
    }

    /// Ends the file.
    ///
    /// - Returns: the plan by which `ImportRows` reads the file.
    /// - Throws: `FileError`.
    package mutating func finish() throws(FileError) -> ImportPlan {
        if let plan = try json?.finish() { return plan }
        if try rows.finish() { try add() }
        try nameColumns()
        let names = names ?? []
        var types = inference.types
        for (index, type) in given { types[index] = type }
        let isGiven = Set(given.map(\.index))
        let columns = names.indices.map { index in
            ImportColumn(
                name: names[index],
                heading: index < rows.header.count ? rows.header[index] : "",
                type: types[index], isTypeGiven: isGiven.contains(index),
                nullCount: inference.nullCounts[index], choices: choices[index]?.choices ?? [],
                choicesFault: choices[index]?.fault)
        }
        return ImportPlan(columns: columns, rowCount: rowCount, options: options)
    }

    private mutating func add() throws(FileError) {
        if names == nil { try nameColumns() }
        rowNumber &+= 1
        guard options.rows?.contains(rowNumber) ?? true else { return }
        rowCount &+= 1
        let row = rows.row
        inference.add(row)
        for (index, type) in given {
            let field = row.storage.span.extracting(row.range(of: index))
            if !row.isQuoted(index) && nulls.contain(field) { continue }
            let fitting: Value
            do {
                fitting = try value(of: field, as: type, decimalMark: options.decimalMark)
            } catch {
                throw unfit(error, names ?? [], row, index)
            }
            guard type == .choice, let name = names?[index] else { continue }
            try choices[index]?.add(fitting, of: name, line: row.line, field: index + 1)
        }
    }

    /// Settles names and given types once the number of columns is known.
    private mutating func nameColumns() throws(FileError) {
        guard names == nil else { return }
        let count = rows.columnCount ?? 0
        let header = rows.header.isEmpty ? Array(repeating: "", count: count) : rows.header
        let names = columnNames(fromHeader: header, bytesMax: options.limits.nameBytesMax)
        let places = Dictionary(
            zip(names.map(simpleCaseFolded), names.indices), uniquingKeysWith: { first, _ in first }
        )
        for column in options.types {
            guard let index = places[simpleCaseFolded(column.name)] else {
                throw FileError(.unknownColumn(column.name))
            }
            guard !given.contains(where: { $0.index == index }) else {
                throw FileError(.columnGivenTwice(column.name))
            }
            given.append((index, column.type))
            guard column.type == .choice else { continue }
            choices[index] = ChoiceScan(column.choices, limits: options.limits)
        }
        inference = TypeInference(
            columnCount: count, nulls: nulls, quotedIsText: options.quotedIsText,
            decimalMark: options.decimalMark)
        self.names = names
    }
}

/// The value of a field, in which a double or a decimal has `decimalMark` in the place of its
/// point.
@inline(__always)
func value(
    of field: Span<UInt8>, as type: ColumnType, decimalMark: UInt8
) throws(ValueError) -> Value {
    guard type == .double || type == .decimal, decimalMark != Byte.point else {
        return try Value(utf8: field, as: type)
    }
    guard let pointed = pointed(field, decimalMark: decimalMark) else {
        throw ValueError(type: type, reason: "it has a point where another mark was named")
    }
    return try Value(utf8: pointed.span, as: type)
}

/// A field with a point for its decimal mark; nil where there is a point already.
func pointed(_ field: Span<UInt8>, decimalMark: UInt8) -> [UInt8]? {
    var pointed: [UInt8] = []
    for index in field.indices {
        if field[index] == Byte.point { return nil }
        pointed.append(field[index] == decimalMark ? Byte.point : field[index])
    }
    return pointed
}

/// The error of a field that does not fit its column's type.
func unfit(_ error: ValueError, _ names: [Text], _ row: FileRow, _ index: Int) -> FileError {
    FileError(.unfit(column: names[index], error), line: row.line, field: index + 1)
}
