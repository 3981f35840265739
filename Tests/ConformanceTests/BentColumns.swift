// Tables that get one rule about columns wrong: what is asked of them is bent before it is
// performed. ResolveTests.swift shows that the lines notice each.
import TableValue

@testable import TableModel

extension Asked {
    fileprivate func isHidden(_ column: ColumnReference) -> Bool {
        table.schema.index(of: column).map { table.schema.entries[$0].isHidden } ?? false
    }

    /// Lets a column have the choice that an edit wants to put into it.
    fileprivate mutating func allow(_ edit: CellEdit) {
        guard let index = table.schema.index(of: edit.column) else { return }
        let column = table.schema.entries[index].column
        guard column.type == .choice, let choice = edit.value.textHeld,
            !column.rules.choices.contains(choice)
        else { return }
        let stamp = Stamp(sequence: table.schemaHead, session: session.rawValue)
        let rules = ColumnRules(choices: column.rules.choices + [choice])
        table.setColumnRules(index, rules, stamp: stamp)
    }
}

/// Rules S1 to S15.
let bentColumns: [Bend<Asked>] = [
    Bend("S1: a new column's name is given no suffix") { asked in
        asked.replaceIntents { intent in
            guard case .addColumn(var add) = intent else { return [intent] }
            add.onClash = .reject
            return [.addColumn(add)]
        }
    },
    Bend("S2: a column that is there is added again") { asked in
        asked.replaceIntents { intent in
            guard case .addColumn(var add) = intent else { return [intent] }
            add.ifAbsent = false
            return [.addColumn(add)]
        }
    },
    Bend("S3: a new name is given no suffix") { asked in
        asked.replaceIntents { intent in
            guard case .renameColumn(let column, let name, _) = intent else { return [intent] }
            return [.renameColumn(column, name: name, onClash: .reject)]
        }
    },
    Bend("S4: a column renamed meanwhile keeps its name") { asked in
        let (base, head) = (asked.op.base, asked.table.schemaHead)
        asked.replaceIntents { intent in
            if case .renameColumn = intent, base > 0, head > base { [] } else { [intent] }
        }
    },
    Bend("S5: deleted columns take no values") { asked in
        let before = asked
        asked.replaceIntents { intent in
            guard case .setCells(let edits) = intent else { return [intent] }
            return [.setCells(edits.filter { !before.isHidden($0.column) })]
        }
    },
    Bend("S6: a deleted column loses its values") { asked in
        for case .deleteColumn(let column) in asked.op.body {
            guard let index = asked.table.schema.index(of: column) else { continue }
            for position in 0..<asked.table.rowCount {
                if let slot = asked.table.rows.order.slot(at: position) {
                    asked.empty(slot, index)
                }
            }
        }
    },
    Bend("S7: deleted columns are neither renamed nor moved") { asked in
        let before = asked
        asked.replaceIntents { intent in
            switch intent {
            case .renameColumn(let column, _, _) where before.isHidden(column): []
            case .moveColumn(let column, _) where before.isHidden(column): []
            default: [intent]
            }
        }
    },
    Bend("S8: a column that is deleted stands for the first one") { asked in
        let before = asked
        asked.replaceIntents { intent in
            guard case .deleteColumn(let column) = intent, before.isHidden(column),
                let first = before.table.columns.first
            else { return [intent] }
            return [.deleteColumn(.id(first.id))]
        }
    },
    Bend("S9: what an author has seen does not count") { asked in
        asked.op.base = asked.table.head
    },
    Bend("S10: a value that fits no more empties the cell") { asked in
        let before = asked
        asked.replaceIntents { intent in
            guard case .setCells(let edits) = intent else { return [intent] }
            return [
                .setCells(
                    edits.map { edit in
                        guard let index = before.table.schema.index(of: edit.column),
                            (try? edit.value.converted(to: before.table.cells[index].type)) == nil
                        else { return edit }
                        return CellEdit(row: edit.row, column: edit.column, value: .null)
                    })
            ]
        }
    },
    Bend("S11: what cannot be converted is emptied unasked") { asked in
        asked.replaceIntents { intent in
            guard case .retypeColumn(var retyping) = intent else { return [intent] }
            retyping.unconvertible = .empty
            return [.retypeColumn(retyping)]
        }
    },
    Bend("S12: a type is changed once") { asked in
        let before = asked
        asked.replaceIntents { intent in
            guard case .retypeColumn(let retyping) = intent,
                let index = before.table.schema.index(of: retyping.column),
                !before.table.schema.entries[index].pastTypes.isEmpty
            else { return [intent] }
            return []
        }
    },
    Bend("S13: columns are moved to the end") { asked in
        asked.replaceIntents { intent in
            guard case .moveColumn(let column, _) = intent else { return [intent] }
            return [.moveColumn(column, to: .last)]
        }
    },
    Bend("S15: a column takes any choice") { asked in
        for case .setCells(let edits) in asked.op.body {
            for edit in edits { asked.allow(edit) }
        }
    },
    Bend("S15: rules never change") { asked in
        asked.replaceIntents { intent in
            if case .changeRules = intent { [] } else { [intent] }
        }
    },
]
