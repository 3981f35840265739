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
        try writeTable(invocation, format: format, limit: limit, to: Output())
    }

    /// Writes a table to a file.
    static let export = Command(
        "export", "writes a table to a file in the format of its name",
        operands: [Operand("TABLE"), Operand("FILE")],
        options: outputOptions + connectionOptions,
        details: "FILE ends in .csv, .tsv, .json, .ndjson or .md; `-` is standard output (csv)."
    ) { invocation in
        let path = invocation.word("FILE")
        let format = try invocation.format(of: path, default: .csv)
        try writeTable(invocation, format: format, limit: nil, to: Output(openOutput(path)))
    }
}

private func writeTable(
    _ invocation: Invocation, format: TableFormat, limit: Int?, to output: Output
) throws(CommandFailure) {
    let isShort = limit.map { $0 <= readRowsMax } ?? false
    let table = try invocation.openTable(for: isShort ? .look : .copy)
    let columns = try invocation.columns(of: table.columns)
    let hasIDs = invocation.has("ids")
    var options = OutputOptions()
    options.nullText = Text(invocation.value("null") ?? "")
    options.hasHeader = !invocation.has("no-header")
    options.isForTerminal = LocalFile.standardOutput().isTerminal && format != .box
    if isShort { options.rowsInTable = table.opened.rowCount }
    let typed = columns.map { TypedColumn(name: $0.name, type: $0.type) }
    var writer = TableWriter(
        format, columns: (hasIDs ? [TypedColumn(name: "row", type: .text)] : []) + typed,
        options: options)
    var bytes: [UInt8] = []
    writer.begin(&bytes)
    let write = { (row: RowID, values: [Value]) throws(CommandFailure) in
        let identifier = hasIDs ? [Value.text(Text(row.description))] : []
        writer.append(identifier + values, to: &bytes)
        guard bytes.count >= 64 << 10 else { return }
        try output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
    if isShort {
        try table.forEachFirstRow(limit ?? 0, columns, write)
    } else {
        try table.forEachCopiedRow(limit ?? .max, columns, write)
    }
    table.conversation.end()
    writer.end(&bytes)
    try output.write(bytes)
    try output.finish()
}

extension TableAtHand {
    /// Visits the first rows by asking for them.
    fileprivate func forEachFirstRow(
        _ limit: Int, _ columns: [Column],
        _ body: (RowID, [Value]) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        var position = 0
        while position < limit {
            let range = ReadRange.positions(from: position, count: limit - position)
            let answer = try read(range, columns: columns)
            guard !answer.rows.isEmpty else { return }
            for (index, row) in answer.rows.enumerated() {
                let first = index * columns.count
                guard first + columns.count <= answer.cells.count else { return }
                var values: [Value] = []
                for (column, cell) in zip(columns, answer.cells[first..<first + columns.count]) {
                    values.append((try? cell.converted(to: column.type)) ?? .null)
                }
                try body(row, values)
            }
            position += answer.rows.count
        }
    }

    /// Visits rows of a copy of the whole table, all as of one moment.
    fileprivate func forEachCopiedRow(
        _ limit: Int, _ columns: [Column],
        _ body: (RowID, [Value]) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        try conversation.waitUntilLive(id)
        let copied = conversation.driver.perform { client, _, _ in
            client.replica(of: id)?.confirmed
        }
        guard let copy = copied ?? nil else { throw .unexpectedAnswer }
        var failure: CommandFailure?
        copy.forEachRow(from: 0, count: limit, columns: columns.map(\.id)) { row, values in
            do throws(CommandFailure) {
                try body(row, values)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }
}
