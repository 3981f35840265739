// column retype, column duplicate, column set, duplicate, append-table: columns changed as a whole,
// and copies. Each is one operation; the outcome is told by Reporting.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

extension Command {
    /// Changes what a column holds.
    static let columnRetype = Command(
        "column retype", "changes the type of a column, converting its cells",
        operands: [Operand("TABLE"), Operand("COLUMN"), Operand("TYPE")],
        options: [
            Option("empty", "empty the cells that hold what TYPE cannot, instead of failing"),
            Option("dry-run", "only say what would become of the cells"),
            jsonOption,
        ] + connectionOptions,
        details: """
            TYPE is one of \(typeNames); choice with its choices:
            choice(open|done), or choice alone for those that the rows have. A conversion
            never changes what a value says: 2.0 is the int 2, and 2.5 is none. Cells
            without a value in TYPE refuse the change, and the rows are named; with
            --empty they are emptied, and undo brings back what they held.
            """
    ) { invocation in
        let word = try TypeWord(invocation.word("TYPE"))
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        let intent = Intent.retypeColumn(
            RetypeColumn(
                column: .id(column.id), type: word.type, rules: word.rules,
                unconvertible: invocation.has("empty") ? .empty : .reject))
        guard invocation.has("dry-run") else {
            return try perform(intent, invocation, in: table, mode: .best)
        }
        try tryOut(intent, invocation, in: table)
    }

    /// Copies a column.
    static let columnDuplicate = Command(
        "column duplicate", "adds a column like another, with its cells; prints its id",
        operands: [Operand("TABLE"), Operand("COLUMN"), Operand("NAME", .optional)],
        options: [
            Option("after", value: "COLUMN", "stand right behind that column"),
            Option("first", "stand first"),
            Option("last", "stand last"),
            jsonOption,
        ] + connectionOptions,
        details: """
            Without NAME it is called like the other with a number behind; it stands right
            behind the other unless told otherwise. Rules come along, but for a check.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        let isPlaced = ["after", "first", "last"].contains(where: invocation.has)
        try perform(
            .duplicateColumn(
                DuplicateColumn(
                    column: .id(column.id), name: invocation.optionalWord("NAME").map { Text($0) },
                    anchor: isPlaced ? try columnAnchor(invocation, in: table) : nil)),
            invocation, in: table
        ) { decision in
            decision.outcome.columns.map(\.description)
        }
    }

    /// Sets a column as a whole.
    static let columnSet = Command(
        "column set", "sets a column of the rows in order; prints the ids of rows that it made",
        operands: [Operand("TABLE"), Operand("COLUMN"), Operand("VALUE", .oneOrMore)],
        options: [jsonOption] + connectionOptions,
        details: """
            The first VALUE is for the first row, and so on; more values than rows make
            new rows at the end, whose other cells are empty. `:=JSON` gives a value as
            JSON, so :=null is an empty cell. Rows that others insert meanwhile are
            passed over.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        var values: [Value] = []
        for word in invocation.allWords("VALUE") {
            // As the word of a cell, whose column is known already.
            let cell = try CellWord("v" + (word.hasPrefix(":=") ? word : "=" + word))
            values.append(try cell.value(for: column))
        }
        try perform(
            .setColumn(SetColumn(column: .id(column.id), values: values)), invocation, in: table
        ) { decision in
            decision.outcome.rows.map(\.description)
        }
    }

    /// Copies rows.
    static let duplicate = Command(
        "duplicate", "inserts rows like others; prints their ids",
        operands: [Operand("TABLE"), Operand("ROW", .oneOrMore)],
        options: [
            Option("after", value: "ROW", "stand right behind that row"),
            Option("first", "stand at the top"),
            Option("last", "stand at the end"),
            jsonOption,
        ] + connectionOptions,
        details: """
            They stand behind the last of the others unless told otherwise. What a column
            gives to each new row (a number, the time, the author) they get anew.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let rows = try table.rows(invocation.allWords("ROW"))
        let isPlaced = ["after", "first", "last"].contains(where: invocation.has)
        let place = isPlaced ? try rowAnchor(invocation, in: table) : nil
        try perform(
            .duplicateRows(DuplicateRows(rows: rows, anchor: place)), invocation, in: table
        ) { decision in
            decision.outcome.rows.map(\.description)
        }
    }

    /// Appends the rows of another table.
    static let appendTable = Command(
        "append-table", "appends all rows of another table, in one operation",
        operands: [Operand("TABLE"), Operand("OTHER")],
        options: [
            Option(
                "lenient",
                "leave out columns that TABLE does not have, and values that it cannot hold"),
            jsonOption,
        ] + connectionOptions,
        details: """
            OTHER is a table of the same server. Its columns go into those of the same
            names, their values converted as `column retype` does.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        let other = AppendTable(
            source: Text(invocation.word("OTHER")), isLenient: invocation.has("lenient"))
        try perform(.appendTable(other), invocation, in: table) { decision in
            ["\(decision.outcome.rows.count) rows"]
        }
    }
}

/// Asks what an intent would come to.
private func tryOut(
    _ intent: Intent, _ invocation: Invocation, in table: TableAtHand
) throws(CommandFailure) {
    let op = Op(base: table.opened.sequence, body: [intent], isDryRun: true)
    let asked = SubmittedOp(table: .id(table.id), clientNumber: 0, op: op)
    let answer = try table.conversation.ask(.op(asked))
    table.conversation.end()
    guard case .reply(let reply) = answer else {
        throw .refused(code: "internal_error", message: "the server answered something else")
    }
    try invocation.report(
        Decision(
            table: reply.table, clientNumber: 0, sequence: nil, outcome: reply.outcome),
        text: ["nothing was changed"])
}
