// The past: what happened to a cell, a row, a column or the table, and bringing it back. The server
// tells it; nothing of it is kept here but what is in the list.
import TableClient
import TableModel
import TableValue
import TableWire
import Terminal

extension App {
    /// Opens the history of the cell under the cursor.
    mutating func showHistory(_ sheet: Sheet?) {
        guard connection == .live else {
            return refuse("the history is with the server; there is no connection")
        }
        let column = sheet?.column(at: grid.columnPosition)?.id
        layer = .history(HistoryList(row: grid.row, column: column))
    }

    /// Asks to which moment the table shall go back.
    mutating func askForMoment() {
        layer = .prompt(Prompt(kind: .restore))
    }

    /// A moment was typed: asks whether to go back there; says why not.
    mutating func planRestore(to text: String) -> String? {
        guard let moment = PastMoment(word: text.trimmingSpaces) else {
            return "give a record's number, a day, or a time such as 2026-11-30T08:00:00Z"
        }
        ask(
            RestoreRequest(to: moment),
            question: "Make the whole table what it was "
                + (moment.isSequence ? "after record \(text.trimmingSpaces)?" : "then?"),
            label: "restoring the table")
        return nil
    }

    private mutating func ask(_ request: RestoreRequest, question: String, label: String) {
        var details = ["A change like any other, for everybody: nothing is lost by it."]
        if request.isWhole { details.append("Rows and columns that came since are deleted.") }
        details.append("\(keyText(.undo)) takes it back in one step.")
        layer = .question(
            Question(
                kind: .whole(
                    WholePlan(
                        intent: .restore(request), purpose: .restore(label), question: question,
                        details: details, yes: "bring it back", no: "leave it as it is"))))
    }

    // MARK: The list

    /// Whose history a list is, and what the Tab key shows.
    func historyTitle(_ list: HistoryList, _ sheet: Sheet?) -> String {
        func row(_ id: RowID) -> String {
            sheet?.position(of: id).map { "row \(grouped($0 + 1))" } ?? "row \(id)"
        }
        func column(_ id: ColumnID) -> String { glance(columnName(id), widthMax: 20) }
        let keys = " · Enter: as after it · b: as before it · u: undo it"
        switch list.scope {
        case .cell(let id, let of):
            return "history of \(column(of)), \(row(id)) · Tab: its row" + keys
        case .row(let id): return "history of \(row(id)) · Tab: the column" + keys
        case .column(let of): return "history of \(column(of)) · Tab: the table" + keys
        case .table:
            return "history of the table" + (list.row == nil ? "" : " · Tab: the cell") + keys
        }
    }

    /// Does what a key means in the list.
    mutating func takeInHistory(_ press: KeyPress, _ list: HistoryList, _ turn: inout Turn) {
        var list = list
        let entry =
            list.entries.indices.contains(list.chosen) ? list.entries[list.chosen] : nil
        switch press.key {
        case .tab:
            list.widen()
            layer = .history(list)
        case .enter: if let entry { ask(list, entry, isBefore: false, turn.sheet) }
        case .character("b"): if let entry { ask(list, entry, isBefore: true, turn.sheet) }
        case .character("u"):
            guard let entry, mayEdit(turn.sheet) else { return }
            layer = nil
            turn.perform(
                .undo(UndoRequest(.sequence(entry.sequence))), for: .undo(isRedo: false))
        default:
            guard step(press, &list.chosen, count: list.entries.count) else { return }
            list.reachedEnd()
            layer = .history(list)
        }
    }

    private mutating func ask(
        _ list: HistoryList, _ entry: HistoryEntry, isBefore: Bool, _ sheet: Sheet?
    ) {
        guard mayEdit(sheet) else { return }
        let sequence = isBefore ? entry.sequence - 1 : entry.sequence
        guard sequence > 0 else { return refuse("there was no table before its first record") }
        let what =
            switch list.scope {
            case .cell: "this cell"
            case .row: "this row"
            case .column: "the cells of this column"
            case .table: "the whole table"
            }
        ask(
            list.restore(to: sequence),
            question: "Make \(what) what it was \(isBefore ? "before" : "after") record "
                + "\(entry.sequence)?", label: "restoring \(what)")
    }

    // MARK: The server's answers

    /// Asks the server for what the list still needs.
    mutating func askForHistory(_ client: inout Client, _ clientActions: inout [ClientAction]) {
        guard case .history(var list) = layer, let table, connection == .live,
            let request = list.request(of: table)
        else { return }
        list.question = client.request(.history(request), at: now, into: &clientActions)
        layer = .history(list)
    }

    /// Takes the answer to what the list asked for; false where it is another's.
    mutating func takeHistory(_ answer: ServerMessage, to id: RequestID) -> Bool {
        guard case .history(var list) = layer, list.question == id else { return false }
        if case .history(let page) = answer {
            list.take(page)
            for entry in page.entries { people.heard(of: entry.user) }
        } else if case .error(let error) = answer {
            list.fail(error.message)
        } else {
            list.fail("the server's answer makes no sense")
        }
        layer = .history(list)
        return true
    }
}

extension PastMoment {
    fileprivate var isSequence: Bool { if case .sequence = self { true } else { false } }
}
