// Tables that get one rule about undo wrong: what is asked of them is bent before it is performed.
// ResolveTests.swift shows that the lines notice each.
import TableValue

@testable import TableModel

/// Whose a session is: in the lines each is a user's of its own.
func user(of session: SessionNumber) -> Text { Text("u\(session.rawValue)") }

extension Asked {
    /// What a request would take back; nil where that is nothing.
    fileprivate func target(of request: UndoRequest) -> (SequenceNumber, [Journal.Step])? {
        let author = OpAuthor(session: session, user: user(of: session))
        guard let sequence = try? table.target(of: request, by: author),
            let entry = table.undoLog[sequence]
        else { return nil }
        return (sequence, entry.steps)
    }

    /// Puts others in the place of each undo; nil leaves it.
    mutating func bendUndo(_ bent: (Asked, [Journal.Step]) -> [Intent]?) {
        let asked = self
        replaceIntents { intent in
            guard case .undo(let request) = intent, let (_, steps) = asked.target(of: request)
            else { return [intent] }
            return bent(asked, steps) ?? [intent]
        }
    }

    /// Bends how undo is asked for.
    fileprivate mutating func bendRequests(_ bent: (UndoRequest) -> UndoRequest?) {
        replaceIntents { intent in
            guard case .undo(let request) = intent else { return [intent] }
            return bent(request).map { [.undo($0)] } ?? []
        }
    }
}

/// Rules U1 to U15.
let bentUndo: [Bend<Asked>] = [
    Bend("U1, U10, I8: a cell that is taken back is emptied") { asked in
        asked.bendUndo { asked, steps in
            let edits = steps.compactMap { step -> CellEdit? in
                guard case .cell(let slot, let column, _, _) = step else { return nil }
                return CellEdit(
                    row: asked.table.rows.ids[slot],
                    column: .id(asked.table.schema.entries[column].column.id), value: .null)
            }
            return edits.isEmpty ? nil : [.setCells(edits)]
        }
    },
    Bend("U2, U4, U7, U10: what others have gone on from is taken back too") { asked in
        asked.bendRequests { UndoRequest($0.target, isForced: true) }
    },
    Bend("U3, U4: rows that were inserted stay") { asked in
        asked.bendUndo { _, steps in
            steps.contains { if case .appended = $0 { true } else { false } } ? [] : nil
        }
    },
    Bend("U5, U6: a deleted row is inserted anew") { asked in
        asked.bendUndo { _, steps in
            let count = steps.count { if case .hidden(_, false, _) = $0 { true } else { false } }
            return count > 0 ? [.insertRows(InsertRows(rowCount: count))] : nil
        }
    },
    Bend("U8: a moved row goes to the end") { asked in
        asked.bendUndo { asked, steps in
            guard case .moved(let origins)? = steps.first else { return nil }
            return [.moveRows(origins.map { asked.table.rows.ids[$0.slot] }, to: .last)]
        }
    },
    Bend("U11: all cells are converted back from what they hold") { asked in
        asked.bendUndo { asked, steps in
            let step = steps.first { if case .column(_, .type, _) = $0 { true } else { false } }
            guard case .column(let index, .type(let past), _)? = step else { return nil }
            return [
                .retypeColumn(
                    RetypeColumn(
                        column: .id(asked.table.schema.entries[index].column.id),
                        type: past.store.type, unconvertible: .empty))
            ]
        }
    },
    Bend("U12, I8: a deleted column comes back empty") { asked in
        for case .undo(let request) in asked.op.body {
            guard let (_, steps) = asked.target(of: request) else { continue }
            for case .column(let index, .hidden(false), _) in steps {
                for slot in 0..<UInt32(asked.table.rows.ids.count) { asked.empty(slot, index) }
            }
        }
    },
    Bend("U14: a redo does nothing") { asked in
        asked.bendRequests { request in
            if case .lastUndone = request.target { nil } else { request }
        }
    },
    Bend("U15: the last operation is passed over") { asked in
        for case .undo(let request) in asked.op.body {
            guard case .last = request.target, let (sequence, _) = asked.target(of: request)
            else { continue }
            asked.table.spendUndo(of: sequence)
        }
    },
]
