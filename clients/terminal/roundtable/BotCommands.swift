// minimum, maximum, append-text, list-add, list-remove, upsert: what scripts and bots do to cells
// that others write at the same time.
// Each is one operation; the outcome is told by Reporting.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

private let cellOperands = [Operand("TABLE"), Operand("ROW"), Operand("COLUMN")]

extension Command {
    /// The smaller of a value and what the cell holds.
    static let minimum = Command(
        "minimum", "sets a number or date to VALUE where that is smaller; prints what is there",
        operands: cellOperands + [Operand("VALUE")], options: [jsonOption] + connectionOptions,
        details: "An empty cell takes VALUE."
    ) { try combine($0, .minimum) }

    /// The larger of a value and what the cell holds.
    static let maximum = Command(
        "maximum", "sets a number or date to VALUE where that is larger; prints what is there",
        operands: cellOperands + [Operand("VALUE")], options: [jsonOption] + connectionOptions,
        details: "An empty cell takes VALUE."
    ) { try combine($0, .maximum) }

    /// Puts text behind what a cell holds.
    static let appendText = Command(
        "append-text", "puts text behind what a text cell holds by then; prints the whole",
        operands: cellOperands + [Operand("TEXT")], options: [jsonOption] + connectionOptions
    ) { try combine($0, .appendText) }

    /// Puts an item into a list.
    static let listAdd = Command(
        "list-add", "puts an item at the end of a list; prints the list",
        operands: cellOperands + [Operand("ITEM")],
        options: [
            Option("once", "only where the item is not in the list yet"),
            Option("value", "ITEM is JSON, such as 2 or true, and not text"), jsonOption,
        ] + connectionOptions
    ) { try combine($0, .addToList(isOnce: $0.has("once"))) }

    /// Takes an item out of a list.
    static let listRemove = Command(
        "list-remove", "takes an item out of a list, wherever it stands; prints the list",
        operands: cellOperands + [Operand("ITEM")],
        options: [
            Option("value", "ITEM is JSON, such as 2 or true, and not text"), jsonOption,
        ] + connectionOptions
    ) { try combine($0, .removeFromList) }

    /// Writes the row that has a key, or appends one.
    static let upsert = Command(
        "upsert", "sets cells of the row that has a key, or appends one with it; prints its id",
        operands: [
            Operand("TABLE"), Operand("KEY=VALUE"), Operand("COLUMN=VALUE", .zeroOrMore),
        ],
        options: [
            Option(
                "new", value: "COLUMN=VALUE", isRepeatable: true,
                "set also this, but only in a row that is appended"),
            jsonOption,
        ] + connectionOptions,
        details: """
            KEY is a column with the rule unique (`roundtable column rule`). Of many who
            upsert one key at once, one appends the row and the others write in it.
            Values are given as for `insert`.
            """
    ) { invocation in
        let key = try CellWord(invocation.word("KEY=VALUE"))
        var words: [[CellWord]] = []
        for list in [invocation.allWords("COLUMN=VALUE"), invocation.values("new")] {
            words.append(try list.map { (word) throws(CommandFailure) in try CellWord(word) })
        }
        let table = try invocation.openTable(for: .write)
        func cell(_ word: CellWord) throws(CommandFailure) -> UpsertRow.Cell {
            let column = try table.columns.column(word.column)
            return UpsertRow.Cell(.id(column.id), try word.value(for: column))
        }
        let intent = Intent.upsertRow(
            UpsertRow(
                key: try cell(key), cells: try words[0].map(cell),
                cellsOfNew: try words[1].map(cell)))
        let op = Op(base: table.opened.sequence, mode: .strict, body: [intent])
        let decision = try table.conversation.perform(op, in: table.id)
        table.conversation.end()
        let rows = decision.outcome.rows
        try invocation.report(decision, text: rows.map(\.description))
    }
}

/// Joins the last word with what a cell holds, and prints what it holds then.
private func combine(
    _ invocation: Invocation, _ combination: CellCombination
) throws(CommandFailure) {
    let table = try invocation.openTable(for: .write)
    let column = try table.column(invocation.word("COLUMN"))
    let value: Value
    switch combination {
    case .minimum, .maximum: value = try column.value(of: Text(invocation.word("VALUE")))
    case .appendText: value = .text(Text(invocation.word("TEXT")))
    case .addToList, .removeFromList:
        let item = invocation.word("ITEM")
        value =
            invocation.has("value")
            ? try CellWord("item:=\(item)").givenValue : .text(Text(item))
    }
    let row = try table.row(invocation.word("ROW"))
    let edit = CellEdit(row: row, column: .id(column.id), value: value)
    let op = Op(
        base: table.opened.sequence, mode: .strict,
        body: [.combineCell(CombineCell(combination, edit))])
    let decision = try table.conversation.perform(op, in: table.id)
    table.conversation.end()
    let made = decision.outcome.values.map { String(decoding: text(of: $0), as: UTF8.self) }
    try invocation.report(decision, text: made)
}

extension CellWord {
    /// The value as it was given, whatever column it is for.
    fileprivate var givenValue: Value {
        switch form {
        case .text(let text): .text(text)
        case .value(let value): value
        }
    }
}
