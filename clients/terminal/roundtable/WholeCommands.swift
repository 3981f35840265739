// sort, transform, clear, truncate: operations on all rows of a table.
// Each is one operation; the outcome is told by Reporting.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

extension Command {
    /// Sorts rows for good.
    static let sort = Command(
        "sort", "puts the rows into an order, for everybody and for good",
        operands: [Operand("TABLE"), Operand("COLUMNS")], options: [jsonOption] + connectionOptions,
        details: """
            COLUMNS are names with commas between, the one that counts most first;
            -NAME puts the largest first. Empty cells come last either way. It is done
            once: rows that come later go where they are put.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        var keys: [SortRows.Key] = []
        for word in invocation.word("COLUMNS").split(separator: ",") {
            let isDescending = word.hasPrefix("-")
            let column = try table.column(String(isDescending ? word.dropFirst() : word))
            keys.append(SortRows.Key(.id(column.id), isDescending: isDescending))
        }
        try perform(.sortRows(SortRows(by: keys)), invocation, in: table, mode: .best)
    }

    /// Sets a column by an expression.
    static let transform = Command(
        "transform", "sets a column of all rows by an expression, in one operation",
        operands: [Operand("TABLE"), Operand("COLUMN"), Operand("EXPRESSION")],
        options: [
            Option("where", value: "EXPRESSION", "only the rows for which it is true"),
            Option("strict", "change nothing where one row has no value or breaks a rule"),
            jsonOption,
        ] + connectionOptions,
        details: """
            For example: transform stock qty 'qty + 1' --where "place = 'B2'".
            docs/expressions.md has the language.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        try perform(
            .transformColumn(
                TransformColumn(
                    column: .id(column.id), value: Text(invocation.word("EXPRESSION")),
                    condition: invocation.value("where").map { Text($0) })),
            invocation, in: table, mode: invocation.has("strict") ? .strict : .best)
    }

    /// Deletes the rows that there are.
    static let clear = Command(
        "clear", "deletes all rows but those that others insert meanwhile",
        operands: [Operand("TABLE")], options: [jsonOption] + connectionOptions
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        try perform(.clear, invocation, in: table, mode: .best)
    }

    /// Deletes all rows.
    static let truncate = Command(
        "truncate", "deletes all rows, whoever inserted them and when; for managers and owners",
        operands: [Operand("TABLE")], options: [jsonOption] + connectionOptions
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        try perform(.truncate, invocation, in: table, mode: .best)
    }
}
