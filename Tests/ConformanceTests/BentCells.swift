// Tables that get one rule about cells or about whole operations wrong: what is asked of them is
// bent before it is performed. ResolveTests.swift shows that the lines notice each.
import TableValue

@testable import TableModel

extension Asked {
    /// Bends the edits of cells that are set together.
    fileprivate mutating func bendEdits(_ bent: (Asked, [CellEdit]) -> [CellEdit]) {
        let asked = self
        replaceIntents { intent in
            guard case .setCells(let edits) = intent else { return [intent] }
            return [.setCells(bent(asked, edits))]
        }
    }

    /// What a cell holds.
    fileprivate func present(_ edit: CellEdit) -> Value? {
        guard let index = table.schema.index(of: edit.column) else { return nil }
        return table.value(edit.row, table.schema.entries[index].column.id)
    }
}

/// Rules C1 to C17, and what operations have in common.
let bentCells: [Bend<Asked>] =
    [
        Bend("C1: a value of somebody else stays") { asked in
            asked.bendEdits { asked, edits in
                edits.map { edit in
                    var edit = edit
                    let present = asked.present(edit) ?? .null
                    if present != .null { edit.value = present }
                    return edit
                }
            }
        },
        Bend("C1, C14: who writes has seen everything") { asked in asked.op.base = asked.table.head
        },
        Bend("C2, I4: a write clears the rest of its row") { asked in
            asked.bendEdits { asked, edits in
                let columns = asked.table.columns.map(\.id)
                let others = edits.flatMap { edit in
                    columns.filter { column in
                        asked.table.schema.index(of: edit.column)
                            != asked.table.schema.index(of: column)
                    }.map { CellEdit(row: edit.row, column: .id($0), value: .null) }
                }
                return others + edits
            }
        },
        Bend("C4: adding sets") { asked in
            asked.replaceIntents { intent in
                guard case .addNumber(let row, let column, let amount) = intent else {
                    return [intent]
                }
                return [.setCells([CellEdit(row: row, column: column, value: amount)])]
            }
        },
        Bend("C5: an addition gives way to what was set meanwhile") { asked in
            let before = asked
            asked.replaceIntents { intent in
                guard case .addNumber(let row, let column, _) = intent,
                    before.wasWritten(row, column)
                else { return [intent] }
                return []
            }
        },
        Bend("C6: writing what is there is a change") { asked in
            for case .setCells(let edits) in asked.op.body {
                for edit in edits where asked.present(edit) == edit.value {
                    if let slot = asked.table.rows.slot(of: edit.row),
                        let index = asked.table.schema.index(of: edit.column)
                    {
                        asked.empty(slot, index)
                    }
                }
            }
        },
        Bend("C7: a deleted row loses its values") { asked in
            for case .deleteRows(let rows) in asked.op.body {
                for slot in rows.compactMap(asked.table.rows.slot(of:)) {
                    for index in asked.table.cells.indices { asked.empty(slot, index) }
                }
            }
        },
        Bend("C8, T11: deleted rows take no values") { asked in
            asked.bendEdits { asked, edits in edits.filter { !asked.isHidden($0.row) } }
        },
        Bend("C9: a row that is gone stands for the last one") { asked in
            asked.bendEdits { asked, edits in
                edits.map { edit in
                    var edit = edit
                    if asked.table.state(of: edit.row) == .unknown {
                        edit.row = asked.table.row(at: asked.table.rowCount - 1) ?? edit.row
                    }
                    return edit
                }
            }
        },
    ] + bentPastes + bentOperations + bentBots

private let bentPastes: [Bend<Asked>] = [
    Bend("C10: a paste leaves alone what others wrote meanwhile") { asked in
        asked.bendEdits { asked, edits in
            edits.count == 1 ? edits : edits.filter { !asked.wasWritten($0.row, $0.column) }
        }
    },
    Bend("C11, C12, C14: a paste goes down from its first row, whatever stands there") { asked in
        asked.bendEdits { asked, edits in
            guard edits.count > 1, var row = edits.first?.row else { return edits }
            var named = row
            return edits.compactMap { edit in
                var edit = edit
                if edit.row != named {
                    named = edit.row
                    guard let next = asked.next(row) else { return nil }
                    row = next
                }
                edit.row = row
                return edit
            }
        }
    },
    Bend("C13: only the first part of an operation is done") { asked in
        asked.op.body = Array(asked.op.body.prefix(1))
    },
]

private let bentOperations: [Bend<Asked>] = [
    Bend("C3: preconditions always hold") { asked in asked.op.preconditions = [] },
    Bend("strict operations are performed in part") { asked in asked.op.mode = .best },
    Bend("I10: who has not seen everything is refused") { asked in
        if asked.op.base > 0 { asked.op.preconditions.append(.tableSequence(asked.op.base)) }
    },
]
