// show and export: a table as text, all of it as of one moment, or its first rows.
// They change nothing. How a format is written is in TableFiles.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire

/// Up to so many rows are asked for; for more the whole table is copied.
private let readRowsMax = 1_000

/// The columns of a screen that a cell of boxed text takes at most where no terminal tells its
/// width and no option does.
private let cellWidthMaxDefault = 80

private let outputOptions = [
    Option("format", value: "FORMAT", "box, csv, tsv, json, ndjson or markdown"),
    Option("columns", value: "NAME,…", "these columns, in this order"),
    Option("null", value: "TEXT", "what stands for an empty cell in csv and tsv"),
    Option("no-header", "leave the names of the columns out of csv and tsv"),
    Option("ids", "a first column `row` with the rows' ids"),
    atOption,
]

extension Command {
    /// Prints a table.
    static let show = Command(
        "show", "prints a table, as boxed text unless told otherwise",
        operands: [Operand("TABLE")],
        options: outputOptions + [
            Option("limit", value: "N", "the first N rows only"),
            Option("width", value: "N", "a cell of the box is at most N columns wide"),
            Option("full", "show every cell of the box whole, however long"), jsonOption,
        ] + connectionOptions,
        details: """
            In the box a cell is at most as wide as the terminal, or \(cellWidthMaxDefault) columns
            where it is not shown on one; `…` stands where something is left out. --width and
            --full change that; the other formats, and `export`, always have all of every
            cell. --ids shows the ids of the rows, by which other commands can name them.
            """
    ) { invocation in
        let format =
            invocation.has("json") ? .json : try invocation.format(of: nil, default: .box)
        let limit = try invocation.number("limit", minimum: 0)
        let output = Output()
        if try writePast(limit, invocation, format: format, to: output) != nil { return }
        if let limit, limit <= readRowsMax,
            try writeFirstRows(limit, invocation, format: format, to: output)
        {
            return
        }
        try writeCopy(limit, invocation, format: format, to: output)
    }

    /// Writes a table to a file.
    static let export = Command(
        "export", "writes a table to a file in the format of its name",
        operands: [Operand("TABLE"), Operand("FILE")],
        options: outputOptions + connectionOptions,
        details: """
            FILE ends in .csv, .tsv, .json, .ndjson or .md, unless --format says what it is;
            `-` is standard output (csv). A file that is there already is replaced once the
            whole table has been written. The last line, on standard error, says how many rows
            went where.
            """
    ) { invocation in
        let path = invocation.word("FILE")
        let format = try invocation.format(of: path, default: .csv)
        var counts = (rows: 0, columns: 0)
        try writeFile(path) { (output) throws(CommandFailure) in
            if let past = try writePast(nil, invocation, format: format, to: output) {
                counts = past
            } else {
                counts = try writeCopy(
                    nil, invocation, format: format, to: output, showsProgress: path != "-")
            }
        }
        let place = path == "-" ? "standard output" : path
        talk(
            "exported \(counted(counts.rows, "row")), \(counted(counts.columns, "column"))"
                + " to \(place)")
    }
}

/// Rows of a table in the form that the words ask for.
private struct TableOutput {
    private let columns: [Column]
    private let hasIDs: Bool
    private let output: Output
    private var writer: TableWriter
    private var bytes: [UInt8] = []
    /// The rows so far.
    private(set) var rowCount = 0

    private static let bytesGatheredMax = 64 << 10

    init(
        _ invocation: Invocation, _ allColumns: [Column], _ format: TableFormat,
        rowsInTable: Int?, to output: Output
    ) throws(CommandFailure) {
        columns = try invocation.columns(of: allColumns)
        hasIDs = invocation.has("ids")
        self.output = output
        var options = OutputOptions()
        options.nullText = Text(invocation.value("null") ?? "")
        options.hasHeader = !invocation.has("no-header")
        options.isForTerminal = output.isTerminal
        options.rowsInTable = rowsInTable
        options.cellWidthMax = try invocation.cellWidthMax(output)
        var typed = columns.map { TypedColumn(name: $0.name, type: $0.type) }
        if hasIDs { typed.insert(TypedColumn(name: columns.freeName, type: .text), at: 0) }
        writer = TableWriter(format, columns: typed, options: options)
        writer.begin(&bytes)
    }

    /// The columns' ids in order.
    var columnIDs: [ColumnID] { columns.map(\.id) }

    mutating func append(_ row: RowID, _ values: [Value]) throws(CommandFailure) {
        rowCount += 1
        writer.append((hasIDs ? [.text(Text(row.description))] : []) + values, to: &bytes)
        if bytes.count >= Self.bytesGatheredMax { try write() }
    }

    /// Writes the end; nothing is complete before.
    mutating func finish() throws(CommandFailure) {
        try writer.end(&bytes) { [output] (bytes: inout [UInt8]) throws(CommandFailure) in
            guard bytes.count >= Self.bytesGatheredMax else { return }
            try output.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        try write()
        try output.finish()
    }

    private mutating func write() throws(CommandFailure) {
        try output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

extension Invocation {
    /// The columns of a screen that a cell of boxed text may take; nil for any number.
    fileprivate func cellWidthMax(_ output: Output) throws(CommandFailure) -> Int? {
        let width = try number("width", minimum: 1)
        guard !has("full") else {
            guard width == nil else { throw .words("--full and --width exclude each other") }
            return nil
        }
        // The frame takes four columns of a box of one.
        return width ?? output.terminalWidth.map { max(1, $0 - 4) } ?? cellWidthMaxDefault
    }
}

extension [Column] {
    /// A name for the column of row ids that no column has.
    fileprivate var freeName: Text {
        var number = 1
        while true {
            let name = Text(number == 1 ? "row" : "row \(number)")
            if !contains(where: { simpleCaseFolded($0.name) == name }) { return name }
            number += 1
        }
    }
}

/// Writes the first rows by asking for them.
///
/// - Returns: false, with nothing written, where the server does not give so many at once.
private func writeFirstRows(
    _ limit: Int, _ invocation: Invocation, format: TableFormat, to output: Output
) throws(CommandFailure) -> Bool {
    let table = try invocation.openTable(for: .look)
    defer { table.conversation.end() }
    let columns = try invocation.columns(of: table.columns)
    let answer = try table.read(.positions(from: 0, count: limit), columns: columns)
    guard answer.rows.count == min(limit, answer.total),
        answer.columns == columns.map(\.id),
        answer.cells.count == answer.rows.count * columns.count
    else { return false }
    var rows = try TableOutput(
        invocation, table.columns, format, rowsInTable: answer.total, to: output)
    for (index, row) in answer.rows.enumerated() {
        var values: [Value] = []
        for (place, column) in columns.enumerated() {
            let cell = answer.cells[index * columns.count + place]
            do {
                values.append(try cell.converted(to: column.type))
            } catch {
                throw .wrongType(column, error)
            }
        }
        try rows.append(row, values)
    }
    try rows.finish()
    return true
}

/// Writes rows of the table as it was, where --at says when.
///
/// - Returns: how many rows and columns were written; nil where --at is not there.
@discardableResult
private func writePast(
    _ limit: Int?, _ invocation: Invocation, format: TableFormat, to output: Output
) throws(CommandFailure) -> (rows: Int, columns: Int)? {
    guard let word = invocation.value("at") else { return nil }
    let moment = try PastMoment(moment: word)
    let table = try invocation.openTable(for: .look)
    defer { table.conversation.end() }
    let past = try table.past(moment)
    let columns = try invocation.columns(of: past.answer.columns)
    var rows = try TableOutput(
        invocation, past.answer.columns, format, rowsInTable: past.answer.rowCount, to: output)
    try past.forEachRow(limit: limit, columns: columns) { (row, values) throws(CommandFailure) in
        try rows.append(row, values)
    }
    try rows.finish()
    return (rows.rowCount, columns.count)
}

/// Writes rows of a copy of the whole table, all as of one moment.
///
/// - Returns: how many rows and columns were written.
@discardableResult
private func writeCopy(
    _ limit: Int?, _ invocation: Invocation, format: TableFormat, to output: Output,
    showsProgress: Bool = false
) throws(CommandFailure) -> (rows: Int, columns: Int) {
    let table = try invocation.openTable(for: .copy)
    let id = table.id
    var progress = Progress(
        of: table.opened.rowCount, on: table.conversation.driver.loop, isWanted: showsProgress)
    try table.conversation.waitUntilLive(id) { progress.show($0) }
    progress.end()
    let replica = table.conversation.driver.perform { client, _, _ in client.replica(of: id) }
    guard let copy = replica?.confirmed else { throw .unexpectedAnswer }
    table.conversation.end()
    // Columns may have come since the table was opened; those of the copy count.
    var rows = try TableOutput(
        invocation, copy.columns, format, rowsInTable: copy.rowCount, to: output)
    var failure: CommandFailure?
    copy.forEachRow(from: 0, count: limit ?? .max, columns: rows.columnIDs) { row, values in
        do throws(CommandFailure) {
            try rows.append(row, values)
            return true
        } catch {
            failure = error
            return false
        }
    }
    if let failure { throw failure }
    try rows.finish()
    return (rows.rowCount, rows.columnIDs.count)
}
