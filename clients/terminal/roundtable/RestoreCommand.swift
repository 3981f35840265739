// restore: brings back what a table, a row, a column or a cell was.
// What that comes to is for the server to say; Reporting.swift tells it.
import ClientRuntime
import TableModel
import TableValue
import TableWire

extension Command {
    /// Brings back what was.
    static let restore = Command(
        "restore", "makes a table, or rows or columns of it, what they were",
        operands: [Operand("TABLE")],
        options: [
            Option("to", value: "SEQ|TIME", "when it was so: a record's number, or a time"),
            Option("row", value: "ROW", isRepeatable: true, "these rows alone"),
            Option(
                "column", value: "COLUMN", isRepeatable: true, "the cells of these columns alone"),
            Option("strict", "change nothing where a part cannot be brought back"), jsonOption,
        ] + connectionOptions,
        details: """
            It is a change like any other: a new record, that history tells and undo takes back.
            Nothing is lost by it. `diff TABLE SEQ` shows beforehand what it would bring back.
            With neither --row nor --column the whole table comes back, its columns and the order
            of its rows too; rows and columns that came since are deleted.
            """
    ) { invocation in
        guard let word = invocation.value("to") else {
            throw CommandFailure.words("say --to which record or time")
        }
        let moment = try PastMoment(moment: word)
        let table = try invocation.openTable(for: .write)
        let rows = try table.rows(invocation.values("row"))
        var columns: [ColumnReference] = []
        for name in invocation.values("column") { columns.append(.id(try table.column(name).id)) }
        let request = RestoreRequest(
            to: moment, rows: rows.isEmpty ? nil : rows, columns: columns.isEmpty ? nil : columns)
        let op = Op(
            base: table.opened.sequence, mode: invocation.has("strict") ? .strict : .best,
            body: [.restore(request)])
        let decision = try table.conversation.perform(op, in: table.id)
        table.conversation.end()
        let text = decision.sequence.map { "record \($0)" } ?? "it is so already"
        try invocation.report(decision, text: [text])
    }
}
