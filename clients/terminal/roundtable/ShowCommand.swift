// show and export: a table as text, all of it as of one moment, or its first rows.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire

/// Up to so many rows are asked for; for more the whole table is copied.
private let readRowsMax = 1_000

private let outputOptions = [
    Option("format", value: "FORMAT", "box, csv, tsv, json, ndjson or markdown"),
    Option("columns", value: "NAME,…", "these columns, in this order"),
    Option("null", value: "TEXT", "what stands for an empty cell in csv and tsv"),
    Option("no-header", "leave the names of the columns out of csv and tsv"),
    Option("ids", "a first column `row` with the rows' ids"),
]

extension Command {
    /// Prints a table.
    static let show = Command(
        "show", "prints a table, as boxed text unless told otherwise",
        operands: [Operand("TABLE")],
        options: outputOptions + [
            Option("limit", value: "N", "the first N rows only"), jsonOption,
        ] + connectionOptions
    ) { invocation in
        let format =
            invocation.has("json") ? .json : try invocation.format(of: nil, default: .box)
        let limit = try invocation.number("limit", minimum: 0)
        let output = Output()
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
            FILE ends in .csv, .tsv, .json, .ndjson or .md; `-` is standard output (csv). A
            file that is there already is replaced once the whole table has been written.
            """
    ) { invocation in
        let path = invocation.word("FILE")
        let format = try invocation.format(of: path, default: .csv)
        try writeFile(path) { (output) throws(CommandFailure) in
            try writeCopy(nil, invocation, format: format, to: output)
        }
    }
}

/// Rows of a table in the form that the words ask for.
private struct TableOutput {
    private let columns: [Column]
    private let hasIDs: Bool
    private let output: Output
    private var writer: TableWriter
    private var bytes: [UInt8] = []

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
        var typed = columns.map { TypedColumn(name: $0.name, type: $0.type) }
        if hasIDs { typed.insert(TypedColumn(name: columns.freeName, type: .text), at: 0) }
        writer = TableWriter(format, columns: typed, options: options)
        writer.begin(&bytes)
    }

    /// The columns' ids in order.
    var columnIDs: [ColumnID] { columns.map(\.id) }

    mutating func append(_ row: RowID, _ values: [Value]) throws(CommandFailure) {
        writer.append((hasIDs ? [.text(Text(row.description))] : []) + values, to: &bytes)
        if bytes.count >= Self.bytesGatheredMax { try write() }
    }

    /// Writes the end; nothing is complete before.
    mutating func finish() throws(CommandFailure) {
        writer.end(&bytes)
        try write()
        try output.finish()
    }

    private mutating func write() throws(CommandFailure) {
        try output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
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

/// Writes rows of a copy of the whole table, all as of one moment.
private func writeCopy(
    _ limit: Int?, _ invocation: Invocation, format: TableFormat, to output: Output
) throws(CommandFailure) {
    let table = try invocation.openTable(for: .copy)
    try table.conversation.waitUntilLive(table.id)
    let id = table.id
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
}
