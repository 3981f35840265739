// What commands print about operations: ids and values for people, whole outcomes with --json,
// and the end of the command where the operation was not done.
import ClientRuntime
import TableFiles
import TableModel
import TableValue
import TableWire

/// The option of commands that print text for people.
let jsonOption = Option("json", "print JSON instead of text")

extension CommandFailure {
    /// The failure that an outcome means; nil where what was asked was done, or was so already.
    ///
    /// - Parameters:
    ///   - outcome: what became of the operation.
    ///   - rows: the rows that it was about; one alone is named.
    init?(_ outcome: Outcome, rows: [RowID] = []) {
        switch outcome.status {
        case .ok, .noop: return nil
        case .rejected, .partial, .hidden, .gone: break
        }
        if let rejection = outcome.rejection {
            var message = rejection.message
            let place = place(of: rejection)
            if !place.isEmpty { message += " (\(place))" }
            if let current = rejection.current { message += "; \(describe(current))" }
            self = .refused(code: rejection.code.rawValue, message: message)
            return
        }
        let named = rows.count == 1 ? rows.map { " (row \($0))" }.joined() : ""
        let message =
            switch outcome.status {
            case .hidden:
                "the row or column is deleted; the change went to what is hidden\(named)"
            case .gone: "there is no such row or column, or it is gone for good\(named)"
            default:
                "only in part: \(outcome.applied) applied, \(outcome.hidden) to what is deleted, "
                    + "\(outcome.gone) gone, \(outcome.refused) refused"
            }
        self = .refused(code: outcome.status.rawValue, message: message)
    }
}

/// What a refusal is about: the rule that is broken, the row, and other rows that it names.
private func place(of rejection: Rejection) -> String {
    var words: [String] = []
    if let rule = rejection.rule {
        words.append("rule \(TerminalSafe.line(rule.string))")
        if let column = rejection.column { words.append("column \(column)") }
    }
    if let row = rejection.row { words.append("row \(row)") }
    if !rejection.offenders.isEmpty {
        words.append("rows " + rejection.offenders.map(\.description).joined(separator: " "))
    }
    return words.joined(separator: ", ")
}

/// Where a cell stands, without what is in it.
private func describe(_ cell: CurrentCell) -> String {
    "the cell was last written by record \(cell.version)"
}

extension Decision {
    /// The decision as a line of JSON, with the ids of rows that were made.
    func line(rows: [RowID] = []) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let sequence {
            writer.key("seq")
            writer.integer(sequence)
        }
        if !rows.isEmpty {
            writer.key("rows")
            writer.rows(rows)
        }
        writer.key("outcome")
        writer.outcome(outcome)
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}

extension Invocation {
    /// Prints what became of an operation: `text` for people, or the outcome with --json.
    ///
    /// Errors: the operation was not done, or only in part.
    func report(
        _ decision: Decision, rows: [RowID] = [], text: [String] = []
    ) throws(CommandFailure) {
        let failure = CommandFailure(decision.outcome, rows: rows)
        let output = Output()
        if has("json") {
            try output.write(decision.line(rows: rows))
        } else if failure == nil {
            for line in text { try output.line(line) }
        }
        try output.finish()
        for note in decision.outcome.notes { talk(note.text) }
        if let failure { throw failure }
    }
}

extension Note {
    /// The note for a person.
    var text: String {
        switch self {
        case .sibling: "others inserted at the same place; these rows stand first"
        case .anchorHidden: "the row it was to stand behind is deleted; its place was used"
        case .anchorGone: "the row it was to stand behind is gone; it stands at the end"
        case .anchorMoved: "the row it was to stand behind has moved; it stands there"
        case .nothingToClaim: "there is nothing to claim"
        case .orderChanged: "rows were moved since"
        case .renamed(let name): "the name was taken; it is called \(name)"
        case .overrode(let count, let sequence):
            "\(count) newer values of others were replaced, one of them of record \(sequence)"
        case .restored(let counts):
            "as after record \(counts.sequence): \(counted(counts.cells, "cell")), "
                + "\(counted(counts.rows, "row")), \(counted(counts.columns, "column"))"
        case .keptNewer(let count, let sequence):
            count == 1
                ? "1 thing was left as others have made it since, in record \(sequence); --force "
                    + "takes it back too"
                : "\(count) things were left as others have made them since, one of them in "
                    + "record \(sequence); --force takes them back too"
        case .converted(let count, 0): "\(count) values were converted to the column's type"
        case .converted(let count, let emptied):
            "\(count) values were converted to the column's type, \(emptied) cells emptied that "
                + "held none; undo brings them back"
        }
    }
}

/// The text of a value for standard output; nothing for null.
func text(of value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    value.writeText(to: &bytes)
    return bytes
}
