// Files of JSON into rows: the first pass finds columns and types, the second gives the values.
// The strict reader of the wire reads every row, so that a file is refused for what a message
// would be. Beside ImportScan and ImportRows, which call it.
import TableValue
import TableWire

/// The members of one row, read by the strict reader.
private struct JSONRowReader: Sendable {
    private var cutter: JSONRowCutter
    private let limits: FileLimits
    private let wireLimits: WireLimits
    private let rows: ClosedRange<Int>?
    private var rowNumber = 0
    /// The row that was last read, in the order of the file.
    private(set) var members: [(key: Text, value: Value)] = []

    var line: Int { cutter.rowLine }

    init(_ options: ImportOptions) {
        limits = options.limits
        rows = options.rows
        cutter = JSONRowCutter(options.shape, rowBytesMax: limits.rowBytesMax)
        var wireLimits = WireLimits()
        wireLimits.keyBytesMax = limits.nameBytesMax
        self.wireLimits = wireLimits
    }

    /// Reads on until a row that is wanted is complete; false where the piece is used up.
    mutating func readRow(
        _ bytes: Span<UInt8>, from position: inout Int
    ) throws(FileError) -> Bool {
        while try cutter.cut(bytes, from: &position) {
            if try accept() { return true }
        }
        return false
    }

    mutating func finish() throws(FileError) -> Bool {
        try cutter.finish() ? try accept() : false
    }

    private mutating func accept() throws(FileError) -> Bool {
        rowNumber &+= 1
        try parse()
        return rows?.contains(rowNumber) ?? true
    }

    private mutating func parse() throws(FileError) {
        members.removeAll(keepingCapacity: true)
        let row = cutter.row
        do throws(WireError) {
            members = try unsafe withJSONReader(row.span.bytes, limits: wireLimits) {
                (reader) throws(WireError) in try readMembers(of: row, with: &reader)
            }
        } catch {
            // Line ends within the row count.
            let lines = row.prefix(error.offset).count { $0 == Byte.lineFeed }
            throw FileError(.notJSON(error.reason), line: line + lines)
        }
        guard members.count <= limits.columnsMax else {
            throw FileError(.tooManyColumns(max: limits.columnsMax), line: line)
        }
        for (key, value) in members {
            guard let text = value.textHeld, text.byteCount > limits.fieldBytesMax else {
                continue
            }
            throw FileError(.cellTooLong(column: key, bytesMax: limits.fieldBytesMax), line: line)
        }
    }
}

/// Reads an object of cells' values.
private func readMembers(
    of row: [UInt8], with reader: inout JSONReader
) throws(WireError) -> [(key: Text, value: Value)] {
    var members: [(key: Text, value: Value)] = []
    var object = try reader.beginFreeObject()
    while let key = try object.next(&reader) {
        let start = reader.offset
        let value = try reader.readValue()
        if case .double = value {
            let digits = row.span.extracting(start..<reader.offset)
            guard isLosslessDouble(digits) else {
                throw reader.malformed("a number has more digits than a double keeps", at: start)
            }
        }
        members.append((key, value))
    }
    return members
}

/// The first pass over a file of JSON.
///
/// The columns are the keys of all rows, in the order in which they first come; a row that lacks
/// one has null there.
struct JSONScan: Sendable {
    private struct Column: Sendable {
        let key: Text
        /// The name that the key comes to by itself, folded.
        let folded: Text
        let given: ColumnType?
        var inference = JSONInference()
        /// Its choices, where it is to be a choice column.
        var choices: ChoiceScan?
    }

    private let options: ImportOptions
    private var rows: JSONRowReader
    private var columns: [Column] = []
    private var places: [Text: Int] = [:]
    private var rowCount = 0

    init(_ options: ImportOptions) {
        self.options = options
        rows = JSONRowReader(options)
    }

    mutating func read(_ bytes: Span<UInt8>) throws(FileError) {
        var position = 0
        while try rows.readRow(bytes, from: &position) { try add() }
    }

    mutating func finish() throws(FileError) -> ImportPlan {
        if try rows.finish() { try add() }
        for (index, type) in options.types.enumerated() {
            let folded = simpleCaseFolded(type.name)
            guard columns.contains(where: { $0.folded == folded }) else {
                throw FileError(.unknownColumn(type.name))
            }
            guard !options.types[..<index].contains(where: { simpleCaseFolded($0.name) == folded })
            else { throw FileError(.columnGivenTwice(type.name)) }
        }
        let names = columnNames(
            fromHeader: columns.map(\.key), bytesMax: options.limits.nameBytesMax)
        let found = zip(columns, names).map { column, name in
            ImportColumn(
                name: name, heading: column.key,
                type: column.given ?? column.inference.type ?? .text,
                isTypeGiven: column.given != nil,
                nullCount: rowCount - column.inference.valueCount,
                choices: column.choices?.choices ?? [], choicesFault: column.choices?.fault)
        }
        return ImportPlan(columns: found, rowCount: rowCount, options: options)
    }

    private mutating func add() throws(FileError) {
        rowCount &+= 1
        for (key, value) in rows.members {
            let index = try place(of: key)
            let fits = columns[index].inference.add(value)
            if let type = columns[index].given {
                let fitting: Value
                do throws(ValueError) {
                    fitting = try value.converted(to: type)
                } catch {
                    throw FileError(.unfit(column: key, error), line: rows.line)
                }
                try columns[index].choices?.add(fitting, of: key, line: rows.line)
            } else if !fits {
                throw FileError(.mixedKinds(column: key), line: rows.line)
            }
        }
    }

    private mutating func place(of key: Text) throws(FileError) -> Int {
        if let index = places[key] { return index }
        guard columns.count < options.limits.columnsMax else {
            throw FileError(.tooManyColumns(max: options.limits.columnsMax), line: rows.line)
        }
        let name = columnNames(fromHeader: [key], bytesMax: options.limits.nameBytesMax)
        let folded = simpleCaseFolded(name.first ?? key)
        let given = options.types.first { simpleCaseFolded($0.name) == folded }
        places[key] = columns.count
        var column = Column(key: key, folded: folded, given: given?.type)
        if given?.type == .choice {
            column.choices = ChoiceScan(given?.choices, limits: options.limits)
        }
        columns.append(column)
        return columns.count - 1
    }
}

/// The second pass over a file of JSON.
struct JSONRows: Sendable {
    private let columns: [ImportColumn]
    private let places: [Text: Int]
    private var rows: JSONRowReader

    init(_ plan: ImportPlan) {
        columns = plan.columns
        places = Dictionary(
            zip(plan.columns.map(\.heading), plan.columns.indices),
            uniquingKeysWith: { first, _ in first })
        rows = JSONRowReader(plan.options)
    }

    mutating func readRow(
        _ bytes: Span<UInt8>, from position: inout Int, into values: inout [Value]
    ) throws(FileError) -> Bool {
        guard try rows.readRow(bytes, from: &position) else { return false }
        try convert(into: &values)
        return true
    }

    mutating func finish(into values: inout [Value]) throws(FileError) -> Bool {
        guard try rows.finish() else { return false }
        try convert(into: &values)
        return true
    }

    private func convert(into values: inout [Value]) throws(FileError) {
        values.removeAll(keepingCapacity: true)
        values.append(contentsOf: repeatElement(.null, count: columns.count))
        for (key, value) in rows.members {
            guard let index = places[key] else {
                throw FileError(.unknownColumn(key), line: rows.line)
            }
            do throws(ValueError) {
                values[index] = try value.converted(to: columns[index].type)
            } catch {
                throw FileError(.unfit(column: key, error), line: rows.line)
            }
        }
    }
}
