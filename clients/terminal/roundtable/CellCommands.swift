// get, set, add: single cells.
// They judge no value beyond the column's type. Rows are found by TableAtHand, in Connecting.swift.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire

extension Command {
    /// Reads a row or a cell.
    static let get = Command(
        "get", "prints a cell, or a row with a line for each column",
        operands: [Operand("TABLE"), Operand("ROW"), Operand("COLUMN", .optional)],
        options: [
            Option("json", "print JSON, with the record that last wrote each cell as version")
        ] + connectionOptions,
        details: """
            The text of a cell is printed as it is; an empty cell prints an empty line. With
            --json, null and the empty text can be told apart.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .look)
        let columns = try invocation.optionalWord("COLUMN").map { [try table.column($0)] }
        let word = invocation.word("ROW")
        let range: ReadRange =
            switch try RowWord(word) {
            case .id(let row): .rows([row])
            case .position(let position): .positions(from: position, count: 1)
            }
        let answer = try table.read(range, columns: columns ?? [], versions: true)
        guard let row = answer.rows.first else {
            throw CommandFailure.refused(
                code: Rejection.Code.unknownRow.rawValue,
                message: "there is no row \(word); the table has \(counted(answer.total, "row"))")
        }
        let names = table.names(of: answer.columns)
        let output = Output()
        if invocation.has("json") {
            try output.write(cellsLine(row, names, answer, isOne: columns != nil))
        } else {
            for (index, name) in names.enumerated() where index < answer.cells.count {
                var line: [UInt8] = []
                if columns == nil { line = Array("\(name)\t".utf8) }
                line += text(of: answer.cells[index]) + [UInt8(ascii: "\n")]
                try output.write(line)
            }
        }
        try output.finish()
        table.conversation.end()
    }

    /// Sets a cell.
    static let set = Command(
        "set", "sets a cell",
        operands: [
            Operand("TABLE"), Operand("ROW"), Operand("COLUMN"), Operand("VALUE", .optional),
        ],
        options: [
            Option("null", "make the cell empty, instead of giving it a VALUE"),
            Option("if-value", value: "V", "only if the cell holds V"),
            Option("if-null", "only if the cell is empty"),
            Option("if-version", value: "N", "only if record N wrote the cell last"),
            jsonOption,
        ] + connectionOptions,
        details: """
            VALUE is read by the column's type. An empty VALUE is the empty text in a text
            column; in other columns say --null. Where a condition does not hold, nothing
            changes and the exit code is 1.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        let word = invocation.optionalWord("VALUE")
        guard (word == nil) == invocation.has("null") else {
            throw CommandFailure.words("give a VALUE or --null")
        }
        let value = try word.map { (text) throws(CommandFailure) in
            try column.value(of: Text(text))
        }
        let row = try table.row(invocation.word("ROW"))
        var op = Op(
            base: table.opened.sequence, mode: .strict,
            body: [
                .setCells([CellEdit(row: row, column: .id(column.id), value: value ?? .null)])
            ])
        op.preconditions = try conditions(invocation, row: row, column: column)
        let decision = try table.conversation.perform(op, in: table.id)
        table.conversation.end()
        try invocation.report(decision)
    }

    /// Adds to a number.
    static let add = Command(
        "add", "adds to a number, however others change it meanwhile; prints the sum",
        operands: [Operand("TABLE"), Operand("ROW"), Operand("COLUMN"), Operand("NUMBER")],
        options: [jsonOption] + connectionOptions
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        let amount = try column.value(of: Text(invocation.word("NUMBER")))
        let row = try table.row(invocation.word("ROW"))
        let op = Op(
            base: table.opened.sequence, mode: .strict,
            body: [.addNumber(row: row, column: .id(column.id), amount: amount)])
        let decision = try table.conversation.perform(op, in: table.id)
        table.conversation.end()
        let sums = decision.outcome.values.map { String(decoding: text(of: $0), as: UTF8.self) }
        try invocation.report(decision, text: sums)
    }
}

/// The conditions that the options of `set` name.
private func conditions(
    _ invocation: Invocation, row: RowID, column: Column
) throws(CommandFailure) -> [Precondition] {
    let reference = ColumnReference.id(column.id)
    var conditions: [Precondition] = []
    if let word = invocation.value("if-value") {
        let value = try column.value(of: Text(word))
        conditions.append(.cellValue(row: row, column: reference, value: value))
    }
    if invocation.has("if-null") {
        conditions.append(.cellValue(row: row, column: reference, value: .null))
    }
    if let version = try invocation.number("if-version", minimum: 0) {
        conditions.append(
            .cellVersion(row: row, column: reference, version: SequenceNumber(version)))
    }
    return conditions
}

/// A row, or one cell of it, as a line of JSON.
private func cellsLine(
    _ row: RowID, _ names: [Text], _ answer: RowsAnswer, isOne: Bool
) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("row")
    writer.row(row)
    writer.key("seq")
    writer.integer(answer.sequence)
    if isOne, let name = names.first {
        writer.key("column")
        writer.text(name)
        writer.key("value")
        writer.value(answer.cells.first ?? .null)
        writer.key("version")
        writer.integer(answer.versions.first ?? 0)
    } else {
        writer.key("cells")
        writer.beginObject()
        for (name, value) in zip(names, answer.cells) {
            writer.freeKey(name)
            writer.value(value)
        }
        writer.endObject()
        writer.key("versions")
        writer.beginObject()
        for (name, version) in zip(names, answer.versions) {
            writer.freeKey(name)
            writer.integer(version)
        }
        writer.endObject()
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
}

extension TableAtHand {
    /// The names of columns; a column that came since the table was opened goes by its id.
    func names(of ids: [ColumnID]) -> [Text] {
        ids.map { id in columns.first { $0.id == id }?.name ?? Text(id.description) }
    }
}
