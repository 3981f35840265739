// Operations go to the client core here, and what became of them comes back. A refused or
// overwritten text is never lost: it is kept with the message that says so.
import TableClient
import TableModel
import TableValue
import TableWire

extension App {
    /// Gives operations to the client core.
    mutating func carryOut(
        _ deeds: [Deed], client: inout Client, clientActions: inout [ClientAction]
    ) {
        guard let table, !deeds.isEmpty else { return }
        grid.isContentNew = true
        for var deed in deeds {
            let newRows = client.fillRowIDs(&deed.body, in: table)
            let start = clientActions.count
            let number = client.submit(
                Op(mode: deed.mode, body: deed.body), to: table, at: now, into: &clientActions)
            if let number {
                purposes[number] = deed.purpose
                for case .moveColumn(.id(let id), _) in deed.body { grid.columnMoved(id) }
                follow(deed.purpose, newRows, &client)
            } else {
                refused(deed.purpose, because: reason(in: clientActions[start...]))
            }
        }
        let sheet = sheet(of: &client)
        recount(deeds, sheet)
        arrange(sheet)
    }

    /// Puts the cursor where an operation wants it.
    private mutating func follow(_ purpose: Purpose, _ rows: [RowID], _ client: inout Client) {
        guard let first = rows.first, let sheet = sheet(of: &client),
            let position = sheet.position(of: first)
        else { return }
        let column = grid.columnPosition
        switch purpose {
        case .insert(_, let editedColumn):
            if selection.range != nil || selection.corner != nil { selection.clear() }
            let new = NewRow(row: first, cameFrom: grid.row, column: grid.column)
            let edited = editedColumn.flatMap { sheet.columnPosition(of: $0) }
            goTo(row: position, column: edited ?? column, sheet)
            guard edited != nil, editor == nil else { return }
            var turn = Turn(sheet: sheet)
            beginEditing(.whole, &turn)
            newRow = new
        case .recreate: goTo(row: position, column: column, sheet)
        case .fillRow(let draft):
            let given = draft.columns.map(\.id)
            let next = sheet.columns.firstIndex { !given.contains($0.id) }
            goTo(row: position, column: next ?? 0, sheet)
        default: return
        }
    }

    private func reason(in actions: ArraySlice<ClientAction>) -> String {
        for case .notify(.decided(_, 0, _, let outcome)) in actions {
            if let rejection = outcome.rejection { return rejection.message }
        }
        return "too many changes wait for the server; try again when fewer do"
    }

    /// The client core took nothing: what was typed comes back into the editor.
    private mutating func refused(_ purpose: Purpose, because reason: String) {
        switch purpose {
        case .edit(var kept), .recreate(var kept):
            kept.problem = reason
            if editor == nil {
                editor = kept
            } else {
                notices.warn("\(purpose.label) was not done: \(reason)", keeping: kept, at: now)
            }
        case .paste(_, let source):
            clipboard = source
            notices.warn("\(purpose.label) was not done: \(reason)", at: now)
        default: notices.warn("\(purpose.label) was not done: \(reason)", at: now)
        }
    }

    // MARK: Outcomes

    /// What became of an operation is not known any more.
    mutating func doubted(_ number: ClientNumber) {
        guard let purpose = purposes.removeValue(forKey: number) else { return }
        notices.warn(
            "\(purpose.label): nobody knows any more whether it came through; look at the table",
            keeping: purpose.keptEditor, at: now)
    }

    /// An operation is decided.
    mutating func decided(_ number: ClientNumber, _ outcome: Outcome) {
        guard let purpose = purposes.removeValue(forKey: number) else { return }
        if case .undo(let isRedo) = purpose { return undone(isRedo: isRedo, outcome) }
        if case .fillRow(let draft) = purpose, outcome.status == .rejected {
            return draftRefused(draft, because: outcome.rejection)
        }
        switch outcome.status {
        case .ok:
            tellOfWhole(purpose, outcome)
            tell(outcome.notes, of: purpose)
        case .noop:
            if case .sort = purpose { say("the rows stand so already") }
            if case .restore = purpose { say("it is so already") }
            if case .appendTable(let name) = purpose { say("table \(name) has no rows") }
        case .partial:
            let lost = outcome.hidden + outcome.gone + outcome.refused
            if case .transform(let name) = purpose { return leftOut(lost, of: name, outcome) }
            var text = "\(purpose.label): \(lost) of \(lost + outcome.applied) parts did not come "
            text += "through; what they were about was deleted or did not fit"
            if let rejection = outcome.rejection { text += " (\(rejection.message))" }
            notices.warn(text, keeping: purpose.keptEditor, at: now)
        case .hidden:
            notices.warn(
                "\(purpose.label) went into a row or column that was deleted meanwhile",
                keeping: purpose.keptEditor, at: now)
        case .gone:
            notices.warn(
                "\(purpose.label) came too late: what it was about is gone",
                keeping: purpose.keptEditor, at: now)
        case .rejected:
            if case .paste(_, let source) = purpose { clipboard = source }
            let reason = outcome.rejection?.message ?? "the server gave no reason"
            notices.warn(
                "\(purpose.label) was refused: \(reason)", keeping: purpose.keptEditor, at: now)
        }
    }

    /// Rows of a transform that stay.
    private mutating func leftOut(_ count: Int, of name: String, _ outcome: Outcome) {
        let reason = outcome.rejection.map { ": \($0.message)" } ?? ""
        let verb = count == 1 ? "stays" : "stay"
        notices.warn(
            "column \(name) changed; \(counted(count, "row")) \(verb) as before\(reason)", at: now)
    }

    /// What was done to all rows is said: some of it is out of sight.
    private mutating func tellOfWhole(_ purpose: Purpose, _ outcome: Outcome) {
        let back = "\(keyText(.undo)) takes it back"
        switch purpose {
        case .sort(let count): say("\(counted(count, "row")) sorted; \(back)")
        case .transform(let name): say("column \(name) changed; \(back)")
        case .clear(let count): say("\(counted(count, "row")) deleted; \(back)")
        case .retype(let name): say("column \(name) changed its type; \(back)")
        case .appendTable(let name):
            say("\(counted(outcome.rows.count, "row")) of \(name) appended; \(back)")
        case .restore(let label), .putBack(let label): say("\(label): done; \(back)")
        default: return
        }
    }

    private mutating func tell(_ notes: [Note], of purpose: Purpose) {
        for note in notes {
            switch note {
            case .overrode(let count, _):
                if case .moveRows = purpose {
                    say("rows had been moved by somebody else meanwhile; your move counts")
                } else {
                    say("\(counted(count, "newer value")) of others replaced by yours")
                }
            case .renamed(let name): say("the name was taken; it is called \(name)")
            case .keptNewer(let count, _):
                guard case .clear = purpose else { continue }
                say("\(counted(count, "row")) of others, inserted meanwhile, stayed")
            default: continue
            }
        }
    }
}

extension Purpose {
    /// The text that would be lost with a refusal.
    fileprivate var keptEditor: CellEditor? {
        switch self {
        case .edit(let editor), .recreate(let editor): editor
        default: nil
        }
    }
}

extension Client {
    /// Gives ids to the rows that an operation inserts, so that the cursor can go there.
    fileprivate mutating func fillRowIDs(_ body: inout [Intent], in table: TableID) -> [RowID] {
        var rows: [RowID] = []
        for index in body.indices {
            guard case .insertRows(var insert) = body[index], insert.ids.isEmpty,
                insert.rowCount > 0
            else { continue }
            insert.ids = makeRowIDs(insert.rowCount, in: table)
            rows += insert.ids
            body[index] = .insertRows(insert)
        }
        return rows
    }
}
