// A table as it was: what names a moment, and the rows of then, page by page.
// Which records there are the server says. History.swift and DiffCommand.swift print what differs.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

/// The option that names a moment.
let atOption = Option(
    "at", value: "SEQ|TIME", "the table as it was: after a record's number, or at a time")

extension PastMoment {
    /// Reads a word of a command.
    init(moment word: String) throws(CommandFailure) {
        guard let moment = PastMoment(word: word) else {
            throw .words(
                "`\(word)` is no moment: give a record's number, or a time such as "
                    + "2026-11-30T08:00:00Z")
        }
        self = moment
    }
}

/// A table as it was, at the server.
struct PastAtHand {
    let conversation: Conversation
    let answer: PastAnswer

    /// Rows that are asked for at once.
    private static var pageRowsMax: Int { 10_000 }

    /// Visits the rows in order, their values in the order of `columns` and of their types.
    func forEachRow(
        limit: Int? = nil, columns: [Column],
        _ body: (RowID, [Value]) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        guard !columns.isEmpty else { return }
        let end = min(limit ?? .max, answer.rowCount)
        var position = 0
        while position < end {
            let request = ReadRequest(
                table: .id(answer.table),
                range: .positions(from: position, count: min(Self.pageRowsMax, end - position)),
                columns: columns.map { .id($0.id) }, at: answer.sequence)
            guard case .rows(let page) = try conversation.ask(.read(request)),
                !page.rows.isEmpty, page.cells.count == page.rows.count * columns.count
            else { throw .unexpectedAnswer }
            for (index, row) in page.rows.enumerated() where position + index < end {
                var values: [Value] = []
                for (place, column) in columns.enumerated() {
                    let cell = page.cells[index * columns.count + place]
                    do {
                        values.append(try cell.converted(to: column.type))
                    } catch {
                        throw .wrongType(column, error)
                    }
                }
                try body(row, values)
            }
            position += page.rows.count
        }
    }
}

extension TableAtHand {
    /// The table as it was.
    func past(_ moment: PastMoment) throws(CommandFailure) -> PastAtHand {
        let request = PastRequest(table: .id(id), moment: moment)
        guard case .past(let answer) = try conversation.ask(.past(request)) else {
            throw .unexpectedAnswer
        }
        return PastAtHand(conversation: conversation, answer: answer)
    }
}

/// A value for people, on one line.
func shortText(_ value: Value) -> String {
    if case .null = value { return "(empty)" }
    return TerminalSafe.line(String(decoding: text(of: value), as: UTF8.self))
}
