// Replicas that get one rule wrong: a record is bent before it is applied. ApplyTests.swift shows
// that the lines notice each.
import TableValue

@testable import TableModel

/// A record or the cells of a chunk, and the replica that they came to.
struct Received {
    var record = Record(
        sequence: 0, session: .server, clientNumber: 0, user: "", timeMilliseconds: 0, changes: [])
    var table: Table
    var cells: [Value] = []

    /// Puts others in the place of each change.
    mutating func replaceChanges(_ others: (Change) -> [Change]) {
        record.changes = record.changes.flatMap(others)
    }

    /// The record is taken for one of another table.
    mutating func giveUp() { record.sequence = 0 }

    func isKnown(_ row: RowID) -> Bool { table.state(of: row) != .unknown }
    func isLive(_ column: ColumnID) -> Bool { table.columns.contains { $0.id == column } }
}

/// The rules by which records are applied, the rules of rows first.
let bentRecords: [Bend<Received>] =
    [
        Bend("R1: behind a row means at the start") { received in
            received.replaceChanges { change in
                guard case .rowsInserted(var block) = change else { return [change] }
                block.place.after = nil
                return [.rowsInserted(block)]
            }
        },
        Bend("R4: a place held by a deleted row is the start") { received in
            received.replaceChanges { change in
                guard case .rowsInserted(var block) = change, block.place.slot != nil else {
                    return [change]
                }
                block.place = RowPlace(after: nil)
                return [.rowsInserted(block)]
            }
        },
        Bend("R7: unknown rows cannot be deleted") { received in
            for case .rowsHidden(let rows) in received.record.changes
            where !rows.allSatisfy(received.isKnown) {
                received.giveUp()
            }
        },
        Bend("R8: to the start means to the end") { received in
            let table = received.table
            received.replaceChanges { change in
                guard case .rowsMoved(let rows, let place) = change, place.after == nil else {
                    return [change]
                }
                let last = (0..<table.rowCount).reversed().lazy.compactMap(table.row(at:))
                    .first { !rows.contains($0) }
                return [.rowsMoved(rows, to: RowPlace(after: last))]
            }
        },
        Bend("R9: what is deleted is never shown again") { received in
            received.replaceChanges { change in
                if case .rowsShown = change { [] } else { [change] }
            }
        },
        Bend("R15: moved rows arrive in the opposite order") { received in
            received.replaceChanges { change in
                guard case .rowsMoved(let rows, let place) = change else { return [change] }
                return [.rowsMoved(rows.reversed(), to: place)]
            }
        },
        Bend("R17: deleted rows cannot be moved") { received in
            for case .rowsMoved(let rows, _) in received.record.changes
            where rows.contains(where: { received.table.state(of: $0) == .hidden }) {
                received.giveUp()
            }
        },
    ] + bentChanges + bentColumnChanges

private let bentChanges: [Bend<Received>] = [
    Bend("C6: empty text is nothing") { received in
        received.cells = received.cells.map { $0.textHeld?.byteCount == 0 ? .null : $0 }
    },
    Bend("C8: cells of unknown rows cannot be set") { received in
        for case .cellsSet(let edits) in received.record.changes
        where !edits.allSatisfy({ received.isKnown($0.row) }) {
            received.giveUp()
        }
    },
    Bend("C13: only the first change of a record is applied") { received in
        received.record.changes = Array(received.record.changes.prefix(1))
    },
    Bend("I5: changes that cannot be right are passed over") { received in
        let record = received.record
        let stamp = Stamp(sequence: record.sequence, session: record.session.rawValue)
        var table = received.table
        received.replaceChanges { change in
            var next = table
            guard next.apply(change, stamp: stamp) else { return [] }
            table = next
            return [change]
        }
    },
]

private let bentColumnChanges: [Bend<Received>] = [
    Bend("S19: what is said of a column takes the place of all before") { received in
        received.replaceChanges { change in
            guard case .displaySet(.column(let id, let entries)) = change else { return [change] }
            let others = DisplayField.allCases.filter { field in
                !entries.contains { $0.field == field }
            }
            return [
                .displaySet(.column(id, entries + others.map { DisplayEntry($0, nil) }))
            ]
        }
    },
    Bend("S21: row styles are never taken away") { received in
        received.replaceChanges { change in
            if case .displaySet(.style(_, nil)) = change { [] } else { [change] }
        }
    },
    Bend("S4: columns keep their first names") { received in
        received.replaceChanges { change in
            if case .columnRenamed = change { [] } else { [change] }
        }
    },
    Bend("S5: deleted columns take no values") { received in
        let before = received
        received.replaceChanges { change in
            if case .cellsFilled = change { return [] }
            guard case .cellsSet(let edits) = change else { return [change] }
            return [.cellsSet(edits.filter { before.isLive($0.column) })]
        }
    },
    Bend("S6: a deleted column loses its values") { received in
        received.replaceChanges { change in
            if case .cellsFilled = change { [] } else { [change] }
        }
        for case .columnHidden(let column) in received.record.changes {
            guard let index = received.table.schema.index(of: column) else { continue }
            for position in 0..<received.table.rowCount {
                guard let slot = received.table.rows.order.slot(at: position) else { continue }
                let stamp = received.table.cellStamp(slot, index)
                received.table.setCell(slot, index, .null, stamp: stamp)
            }
        }
    },
    Bend("S7: deleted columns keep their names") { received in
        let before = received
        received.replaceChanges { change in
            guard case .columnRenamed(let column, _) = change, !before.isLive(column) else {
                return [change]
            }
            return []
        }
    },
    Bend("S8: what is no column any more cannot be deleted") { received in
        for case .columnHidden(let column) in received.record.changes
        where !received.isLive(column) {
            received.giveUp()
        }
    },
    Bend("S11, S12: columns keep their types") { received in
        received.replaceChanges { change in
            if case .columnRetyped = change { [] } else { [change] }
        }
    },
    Bend("S13: columns do not move") { received in
        received.replaceChanges { change in
            if case .columnMoved = change { [] } else { [change] }
        }
    },
    Bend("S15: rules stay as they were") { received in
        received.replaceChanges { change in
            if case .columnRulesSet = change { [] } else { [change] }
        }
    },
]
