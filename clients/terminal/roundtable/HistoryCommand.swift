// history: what happened to a table, a row or a cell, the newest first.
// It changes nothing; what it prints the server has told. Bringing back is restore's business.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire

/// Records that are printed where no option says how many.
private let recordsDefault = 20

extension Command {
    /// Tells what happened.
    static let history = Command(
        "history", "tells what happened to a table, a row, a column or a cell, newest first",
        operands: [Operand("TABLE")],
        options: [
            Option("row", value: "ROW", "this row alone"),
            Option("column", value: "COLUMN", "this column alone"),
            Option("limit", value: "N", "so many records (default \(recordsDefault))"),
            Option("before", value: "SEQ", "only records before that number"),
            jsonOption,
        ] + connectionOptions,
        details: """
            For each record its number, when and who, what it did, and each cell with its value
            before and after. A record that changed much lists the first and counts the rest.
            With --json each record is a line as docs/protocol.md has it.
            """
    ) { invocation in
        let limit = try invocation.number("limit", minimum: 1) ?? recordsDefault
        let before = try invocation.number("before", minimum: 1)
        let table = try invocation.openTable(for: .look)
        var request = HistoryRequest(table: .id(table.id))
        request.row = try invocation.value("row").map {
            (word) throws(CommandFailure) in try table.row(word)
        }
        request.column = invocation.value("column").map { word in
            ColumnID(Text(word)).map { .id($0) } ?? .name(Text(word))
        }
        request.before = before.map { SequenceNumber($0) }
        let output = Output()
        var printer = HistoryPrinter(table: table, output: output)
        var left = limit
        while left > 0 {
            request.count = left
            guard case .history(let page) = try table.conversation.ask(.history(request)) else {
                throw CommandFailure.unexpectedAnswer
            }
            for entry in page.entries.prefix(left) {
                if invocation.has("json") {
                    try output.write(entry.line)
                } else {
                    try printer.print(entry)
                }
            }
            left -= page.entries.count
            guard let next = page.next, next > 1, !page.entries.isEmpty else { break }
            request.before = next
        }
        table.conversation.end()
        try output.finish()
    }
}

/// Prints entries for people, with the names of users, which it asks for once each.
private struct HistoryPrinter {
    let table: TableAtHand
    let output: Output
    private var names: UserNames

    init(table: TableAtHand, output: Output) {
        self.table = table
        self.output = output
        names = UserNames(table.conversation)
    }

    mutating func print(_ entry: HistoryEntry) throws(CommandFailure) {
        var line = "\(entry.sequence)  \(timeText(entry.timeMilliseconds))  "
        line += "\(try names.name(of: entry.user)) (\(entry.user))  \(entry.kind.rawValue)"
        if let undid = entry.undid { line += " of \(undid)" }
        try output.line(TerminalSafe.line(line))
        try tell("inserted", entry.inserted, of: entry.counts.inserted)
        try tell("deleted", entry.deleted, of: entry.counts.deleted)
        try tell("brought back", entry.shown, of: entry.counts.shown)
        try tell("moved", entry.moved, of: entry.counts.moved)
        for column in entry.columns { try output.line("    " + text(of: column)) }
        for cell in entry.cells {
            let name = TerminalSafe.line(table.names(of: [cell.column])[0].string)
            try output.line(
                "    \(cell.row) \(name): \(shortText(cell.from)) → \(shortText(cell.to))")
        }
        for comment in entry.comments { try output.line("    " + text(of: comment)) }
        let more = entry.counts.cells - entry.cells.count
        if more > 0 { try output.line("    and \(counted(more, "cell")) more") }
    }

    private func tell(
        _ word: String, _ rows: [RowID], of count: Int
    ) throws(CommandFailure) {
        guard count > 0 else { return }
        let listed = rows.prefix(10).map(\.description).joined(separator: " ")
        let more = count > 10 ? " …" : ""
        try output.line("    \(counted(count, "row")) \(word): \(listed)\(more)")
    }

    private func text(of column: HistoryColumn) -> String {
        let name = TerminalSafe.line(table.names(of: [column.column])[0].string)
        var text = "column \(name) (\(column.column)) \(column.event.rawValue)"
        if let from = column.from { text += " from \(TerminalSafe.line(from.string))" }
        if let to = column.to { text += " to \(TerminalSafe.line(to.string))" }
        return text
    }

    private func text(of comment: HistoryComment) -> String {
        var text = "comment \(comment.comment) on \(comment.row)"
        if let column = comment.column {
            text += " \(TerminalSafe.line(table.names(of: [column])[0].string))"
        }
        text += " \(comment.event.rawValue)"
        if let words = comment.text { text += ": \(TerminalSafe.line(words.string))" }
        return text
    }
}

extension HistoryEntry {
    /// The entry as a line of JSON.
    fileprivate var line: [UInt8] {
        var writer = JSONWriter()
        writer.historyEntry(self)
        writer.endLine()
        return writer.bytes
    }
}
