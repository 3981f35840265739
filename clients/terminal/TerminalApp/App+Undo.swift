// Undo and redo: what was done here is taken back by the server, which says what came of it. In
// an open editor the text of before comes back, and nothing is sent.
import TableClient
import TableModel
import TableValue

extension App {
    /// Asks the server to take back, or to do again, what was done last in this session.
    mutating func askForUndo(isRedo: Bool, count: Int?, _ turn: inout Turn) {
        let target: UndoRequest.Target =
            isRedo ? .lastUndone(ofUser: false) : .last(ofUser: false)
        for _ in 0..<max(1, min(count ?? 1, App.undoCountMax)) {
            turn.perform(.undo(UndoRequest(target)), for: .undo(isRedo: isRedo))
        }
        let verb = isRedo ? "redo" : "undo"
        let line = connection == .live ? "" : "; no connection"
        say("\(verb): the server has yet to answer\(line)")
    }

    /// Says what came of it.
    mutating func undone(isRedo: Bool, _ outcome: Outcome) {
        let verb = isRedo ? "redo" : "undo"
        let done = isRedo ? "done again" : "undone"
        if outcome.rejection?.code == .nothingToUndo {
            return refuse(
                isRedo
                    ? "nothing to redo: nothing was undone here since the last change"
                    : "nothing to undo: nothing was changed here that is not undone yet")
        }
        if outcome.status == .rejected {
            let reason = outcome.rejection?.message ?? "the server gave no reason"
            return notices.warn("\(verb) was refused: \(reason)", at: now)
        }
        for case .keptNewer(let count, let sequence) in outcome.notes {
            let author = authors[sequence].map(Author.user) ?? .somebody
            let what = count == 1 ? "1 thing" : "\(grouped(count)) things"
            let isNothing = outcome.status == .noop
            return warn(
                "has gone on from \(what), which stay\(count == 1 ? "s" : ""); "
                    + (isNothing ? "nothing \(done)" : "the rest is \(done)"), by: author)
        }
        switch outcome.status {
        case .noop: say("\(verb): nothing of it was left")
        case .hidden: say("\(done), in rows or columns that are deleted")
        case .partial:
            let reason = outcome.rejection.map { ": \($0.message)" } ?? ""
            notices.warn("\(done) only in part\(reason)", at: now)
        default:
            say(done)
            for case .renamed(let name) in outcome.notes {
                say("\(done); the name was taken, it is called \(name)")
            }
        }
    }

    /// Takes note of what an undo of one's own did to the cell under edit.
    mutating func followUndo(_ record: Record, _ sheet: Sheet?) {
        flashes.take(record, at: now)
        guard let editor else { return }
        let who = Author.user(record.user)
        for change in record.changes {
            var cells: [CellChange] = []
            switch change {
            case .cellsSet(let set): cells = set
            case .cellsFilled(let column, let rows, let values):
                cells = fill(column, rows, values)
            default: continue
            }
            for cell in cells where cell.row == editor.row && cell.column == editor.column.id {
                self.editor?.interference = .changed(to: cell.value, by: who)
            }
        }
        if let sheet { checkEditor(sheet, by: who) }
    }

    /// Gives the editor back the text before the last change, or the one after it.
    mutating func undoInEditor(isRedo: Bool) {
        guard let editor else { return }
        var changed = editor
        if changed.restoreText(isRedo: isRedo) {
            self.editor = changed
        } else if isRedo {
            refuse("nothing in this text was taken back")
        } else {
            refuse("this is the text as it was; Esc closes the editor, then undo goes on")
        }
    }

    /// More at once is hardly meant.
    private static let undoCountMax = 100
}

/// Who made the records that came lately.
struct RecordAuthors: Hashable, Sendable {
    private var sequences: [SequenceNumber] = []
    private var users: [Text] = []

    private static let countMax = 4_096

    /// Takes note of a record; those before it were noted earlier.
    mutating func note(_ record: Record) {
        if sequences.count >= 2 * RecordAuthors.countMax {
            sequences.removeFirst(RecordAuthors.countMax)
            users.removeFirst(RecordAuthors.countMax)
        }
        sequences.append(record.sequence)
        users.append(record.user)
    }

    /// Who made the record of that number; nil where that is not known.
    subscript(sequence: SequenceNumber) -> Text? {
        sequences.lastIndex(of: sequence).map { users[$0] }
    }
}
