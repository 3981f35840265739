// claim, renew, release: how a script or a bot works through a table, row by row, with others.
// Each is one operation; the outcome is told by Reporting.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

private let claimOption = Option(
    "claim", value: "N", "the lease of the claim that record N made, also from elsewhere")

extension Command {
    /// Takes the next row that is open.
    static let claim = Command(
        "claim", "takes the next row that fits and that nobody else has; prints it",
        operands: [Operand("TABLE")],
        options: [
            Option("where", value: "EXPRESSION", "only a row for which it is true"),
            Option(
                "set", value: "COLUMN=VALUE,…", isRepeatable: true,
                "set these cells of the row in the same operation"),
            Option(
                "lease", value: "SECONDS",
                "take the claim back after that time, unless it is renewed or finished"),
            jsonOption,
        ] + connectionOptions,
        details: """
            Exactly one bot gets a row. Without --where those rows are open whose cells
            that are to be set are all empty. Prints the row's id, the number of the claim
            and the row's values, as words with tabs between; nothing where no row is
            open, with exit code 0. --json prints the outcome.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .write)
        var claim = ClaimRow(where: invocation.value("where").map { Text($0) })
        for word in cellWords(in: invocation.values("set")) {
            let cell = try CellWord(word)
            let column = try table.columns.column(cell.column)
            claim.cells.append(UpsertRow.Cell(.id(column.id), try cell.value(for: column)))
        }
        claim.leaseSeconds = try invocation.number("lease", minimum: 1)
        let op = Op(base: table.opened.sequence, body: [.claimRow(claim)])
        let decision = try table.conversation.perform(op, in: table.id)
        table.conversation.end()
        var line: [String] = []
        if let row = decision.outcome.rows.first, let sequence = decision.sequence {
            let values = decision.outcome.values.map { value in
                TerminalSafe.line(String(decoding: text(of: value), as: UTF8.self))
            }
            line = [([row.description, "\(sequence)"] + values).joined(separator: "\t")]
        }
        try invocation.report(decision, text: line)
    }

    /// Keeps a leased row for longer.
    static let renew = Command(
        "renew", "keeps a claimed row for so many seconds from now",
        operands: [Operand("TABLE"), Operand("ROW"), Operand("SECONDS")],
        options: [claimOption, jsonOption] + connectionOptions
    ) { invocation in
        guard let seconds = Int(invocation.word("SECONDS")), seconds > 0 else {
            throw CommandFailure.words("SECONDS is a whole number of at least 1")
        }
        try change(.renew(seconds: seconds), invocation)
    }

    /// Ends a lease.
    static let release = Command(
        "release", "gives a claimed row back: what the claim set goes, unless written since",
        operands: [Operand("TABLE"), Operand("ROW")],
        options: [
            Option("finish", "end the lease and keep what the claim set"), claimOption, jsonOption,
        ] + connectionOptions
    ) { invocation in
        try change(invocation.has("finish") ? .finish : .giveBack, invocation)
    }
}

private func change(
    _ kind: LeaseChange.Kind, _ invocation: Invocation
) throws(CommandFailure) {
    let table = try invocation.openTable(for: .write)
    let row = try table.row(invocation.word("ROW"))
    let claim = try invocation.number("claim", minimum: 1).map { SequenceNumber($0) }
    let op = Op(
        base: table.opened.sequence, body: [.changeLease(LeaseChange(kind, row, claim: claim))])
    let decision = try table.conversation.perform(op, in: table.id)
    table.conversation.end()
    try invocation.report(decision, rows: [row])
}

/// The words between commas; what has no `=` belongs to the word before it.
private func cellWords(in lists: [String]) -> [String] {
    var words: [String] = []
    for list in lists {
        var isFirst = true
        for piece in list.split(separator: ",", omittingEmptySubsequences: false) {
            if piece.contains("=") || isFirst || words.isEmpty {
                words.append(String(piece))
            } else {
                words[words.count - 1] += "," + piece
            }
            isFirst = false
        }
    }
    return words
}
