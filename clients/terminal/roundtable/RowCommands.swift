// insert, append, delete, move: rows.
// Each is one operation; what becomes of it is told by Reporting.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

private let cellsDetails = """
    COLUMN=VALUE gives the text of a value of the column's type; COLUMN= is the
    empty text, which only a text column can hold. COLUMN:=JSON gives a value as
    JSON: COLUMN:=null is an empty cell, which is also what a column gets that is
    not named.
    """

extension Command {
    /// Inserts a row.
    static let insert = Command(
        "insert", "inserts a row, at the end unless told otherwise; prints its id",
        operands: [Operand("TABLE"), Operand("COLUMN=VALUE", .zeroOrMore)],
        options: [
            Option("after", value: "ROW", "stand right behind that row"),
            Option("first", "stand at the top"),
            jsonOption,
        ] + connectionOptions,
        details: cellsDetails
    ) { invocation in
        try insertRow(invocation)
    }

    /// Appends a row.
    static let append = Command(
        "append", "adds a row at the end; prints its id",
        operands: [Operand("TABLE"), Operand("COLUMN=VALUE", .oneOrMore)],
        options: [jsonOption] + connectionOptions, details: cellsDetails
    ) { invocation in
        try insertRow(invocation)
    }

    /// Deletes rows.
    static let delete = Command(
        "delete", "deletes rows; prints the ids of those that it was asked to delete",
        operands: [Operand("TABLE"), Operand("ROW", .oneOrMore)],
        options: [jsonOption] + connectionOptions
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let rows = try table.rows(invocation.allWords("ROW"))
        let op = Op(base: table.opened.sequence, body: [.deleteRows(rows)])
        let decision = try table.conversation.perform(op, in: table.id)
        table.conversation.end()
        try invocation.report(decision, rows: rows, text: rows.map(\.description))
    }

    /// Moves rows.
    static let move = Command(
        "move", "moves rows, which keep the order in which they are named; prints their ids",
        operands: [Operand("TABLE"), Operand("ROW", .oneOrMore)],
        options: [
            Option("after", value: "ROW", "stand right behind that row"),
            Option("first", "stand at the top"),
            Option("last", "stand at the end"),
            jsonOption,
        ] + connectionOptions
    ) { invocation in
        let places = ["after", "first", "last"].filter(invocation.has)
        guard places.count == 1 else {
            throw CommandFailure.words("move needs one of --after ROW, --first, --last")
        }
        let table = try invocation.openTable(for: .write)
        let rows = try table.rows(invocation.allWords("ROW"))
        let anchor = try rowAnchor(invocation, in: table)
        let op = Op(base: table.opened.sequence, body: [.moveRows(rows, to: anchor)])
        let decision = try table.conversation.perform(op, in: table.id)
        table.conversation.end()
        try invocation.report(decision, rows: rows, text: rows.map(\.description))
    }
}

/// Inserts one row with the cells and at the place that the words name.
private func insertRow(_ invocation: Invocation) throws(CommandFailure) {
    var words: [CellWord] = []
    for word in invocation.allWords("COLUMN=VALUE") { words.append(try CellWord(word)) }
    let table = try invocation.openTable(for: .write)
    var insert = InsertRows(rowCount: 1)
    for word in words {
        let column = try table.columns.column(word.column)
        guard !insert.columns.contains(.id(column.id)) else {
            throw .words("column \(column.name) is given twice")
        }
        insert.columns.append(.id(column.id))
        insert.cells.append(try word.value(for: column))
    }
    insert.anchor = try rowAnchor(invocation, in: table)
    let op = Op(base: table.opened.sequence, mode: .strict, body: [.insertRows(insert)])
    let decision = try table.conversation.perform(op, in: table.id)
    table.conversation.end()
    let rows = decision.outcome.rows
    try invocation.report(decision, rows: rows, text: rows.map(\.description))
}

/// The place that --after, --first or --last name; the end without any.
func rowAnchor(
    _ invocation: Invocation, in table: TableAtHand
) throws(CommandFailure) -> RowAnchor {
    if invocation.has("first") {
        guard !invocation.has("after") else {
            throw .words("--first and --after exclude each other")
        }
        return .first
    }
    guard let word = invocation.value("after") else { return .last }
    return .after(try table.row(word))
}
