// column add, rename, move, delete.
// Each is one operation; the outcome is told by Reporting.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

private let clashOption = Option(
    "suffix", "where the name is taken, use the next free one (\"Due 2\") instead of failing")

extension Command {
    /// Adds a column.
    static let columnAdd = Command(
        "column add", "adds an empty column; prints its id",
        operands: [Operand("TABLE"), Operand("NAME"), Operand("TYPE")],
        options: [
            Option("after", value: "COLUMN", "stand right behind that column"),
            Option("first", "stand first"),
            clashOption,
            Option("if-absent", "be content with a column of that name and type"),
            jsonOption,
        ] + connectionOptions,
        details: "TYPE is one of \(typeNames); choice with its choices: choice(open|done)."
    ) { invocation in
        let word = try TypeWord(invocation.word("TYPE"))
        let table = try invocation.openTable(for: .write)
        var add = AddColumn(name: Text(invocation.word("NAME")), type: word.type, rules: word.rules)
        add.anchor = try columnAnchor(invocation, in: table)
        add.onClash = invocation.has("suffix") ? .suffix : .reject
        add.ifAbsent = invocation.has("if-absent")
        try perform(.addColumn(add), invocation, in: table) { decision in
            decision.outcome.columns.map(\.description)
        }
    }

    /// Renames a column.
    static let columnRename = Command(
        "column rename", "gives a column another name",
        operands: [Operand("TABLE"), Operand("COLUMN"), Operand("NAME")],
        options: [clashOption, jsonOption] + connectionOptions
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        let clash: NameClash = invocation.has("suffix") ? .suffix : .reject
        try perform(
            .renameColumn(
                .id(column.id), name: Text(invocation.word("NAME")), onClash: clash),
            invocation, in: table)
    }

    /// Moves a column.
    static let columnMove = Command(
        "column move", "moves a column",
        operands: [Operand("TABLE"), Operand("COLUMN")],
        options: [
            Option("after", value: "COLUMN", "stand right behind that column"),
            Option("first", "stand first"),
            Option("last", "stand last"),
            jsonOption,
        ] + connectionOptions
    ) { invocation in
        guard ["after", "first", "last"].filter(invocation.has).count == 1 else {
            throw CommandFailure.words("column move needs one of --after COLUMN, --first, --last")
        }
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        let anchor = try columnAnchor(invocation, in: table)
        try perform(.moveColumn(.id(column.id), to: anchor), invocation, in: table)
    }

    /// Deletes a column.
    static let columnDelete = Command(
        "column delete", "deletes a column with everything in it",
        operands: [Operand("TABLE"), Operand("COLUMN")], options: [jsonOption] + connectionOptions
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        try perform(.deleteColumn(.id(column.id)), invocation, in: table)
    }
}

/// The types as help lists them.
let typeNames = ColumnType.allCases.map(\.rawValue).joined(separator: ", ")

/// The type of that name.
func columnType(_ word: some StringProtocol) throws(CommandFailure) -> ColumnType {
    guard let type = ColumnType(rawValue: String(word)) else {
        throw .words("`\(word)` is no type; the types are \(typeNames)")
    }
    return type
}

/// Performs one intent and prints what `text` makes of the outcome.
func perform(
    _ intent: Intent, _ invocation: Invocation, in table: TableAtHand, mode: OpMode = .strict,
    text: (Decision) -> [String] = { _ in [] }
) throws(CommandFailure) {
    let op = Op(base: table.opened.sequence, mode: mode, body: [intent])
    let decision = try table.conversation.perform(op, in: table.id)
    table.conversation.end()
    try invocation.report(decision, text: text(decision))
}

/// The place that --after, --first or --last name; the end without any.
func columnAnchor(
    _ invocation: Invocation, in table: TableAtHand
) throws(CommandFailure) -> ColumnAnchor {
    if invocation.has("first") {
        guard !invocation.has("after") else {
            throw .words("--first and --after exclude each other")
        }
        return .first
    }
    guard let word = invocation.value("after") else { return .last }
    return .after(.id(try table.column(word).id))
}
