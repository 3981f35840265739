// Tables that get one rule about what bots do wrong. As in BentCells.swift, what is asked of them
// is bent before it is performed.
import TableValue

@testable import TableModel

extension Asked {
    /// Sets what is offered where it should be joined with what is there.
    fileprivate mutating func setInstead(_ isMeant: (CellCombination) -> Bool) {
        replaceIntents { intent in
            guard case .combineCell(let combine) = intent, isMeant(combine.combination) else {
                return [intent]
            }
            return [.setCells([combine.edit])]
        }
    }
}

/// Rules C15 to C20.
let bentBots: [Bend<Asked>] = [
    Bend("C15: the least and the largest are what was written last") { asked in
        asked.setInstead { $0 == .minimum || $0 == .maximum }
    },
    Bend("C15: text takes the place of text") { asked in asked.setInstead { $0 == .appendText } },
    Bend("C16: an item is added once") { asked in
        asked.replaceIntents { intent in
            guard case .combineCell(var combine) = intent else { return [intent] }
            if case .addToList = combine.combination {
                combine.combination = .addToList(isOnce: true)
            }
            return [.combineCell(combine)]
        }
    },
    Bend("C18, C19: a lease keeps nobody away, and is nobody's") { asked in
        for slot in asked.table.rows.order.liveSlots where asked.table.leases[slot] != nil {
            asked.table.setLease(slot, nil)
        }
    },
    Bend("C19: what is given back stays as the claim set it") { asked in
        asked.replaceIntents { intent in
            guard case .changeLease(var change) = intent, change.kind == .giveBack else {
                return [intent]
            }
            change.kind = .finish
            return [.changeLease(change)]
        }
    },
    Bend("C17: an upsert always appends") { asked in
        asked.replaceIntents { intent in
            guard case .upsertRow(let upsert) = intent else { return [intent] }
            let cells = [upsert.key] + upsert.cells + upsert.cellsOfNew
            return [
                .insertRows(
                    InsertRows(
                        rowCount: 1, columns: cells.map(\.column), cells: cells.map(\.value)))
            ]
        }
    },
    Bend("C17: what is for new rows is for all") { asked in
        asked.replaceIntents { intent in
            guard case .upsertRow(var upsert) = intent else { return [intent] }
            upsert.cells += upsert.cellsOfNew
            upsert.cellsOfNew = []
            return [.upsertRow(upsert)]
        }
    },
]
