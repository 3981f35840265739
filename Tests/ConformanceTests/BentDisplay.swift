// Tables that get one rule wrong about how they are shown: what is asked of them is bent before it
// is performed. ResolveTests.swift shows that the lines notice each.
import TableValue

@testable import TableModel

extension Asked {
    /// Intents that take all row styles away but one.
    fileprivate func withoutStyles(besides name: Text? = nil) -> [Intent] {
        table.look.styles.map(\.name).filter { $0 != name }.map { .changeDisplay(.style($0, nil)) }
    }
}

/// Rules S19 to S22, U16.
let bentDisplay: [Bend<Asked>] = [
    Bend("S19: who says something of a column says all of it") { asked in
        asked.replaceIntents { intent in
            guard case .changeDisplay(.column(let column, .object(let members))) = intent else {
                return [intent]
            }
            let others = DisplayField.allCases.filter { field in
                !field.isOfTable && !members.contains { $0.key.string == field.rawValue }
            }
            let nulls = others.map { JSONMember(key: Text($0.rawValue), value: .null) }
            return [.changeDisplay(.column(column, .object(members + nulls)))]
        }
    },
    Bend("S20: of a deleted column nothing is said") { asked in
        let before = asked
        asked.replaceIntents { intent in
            guard case .changeDisplay(.column(let column, _)) = intent,
                let index = before.table.schema.index(of: column),
                before.table.schema.entries[index].isHidden
            else { return [intent] }
            return []
        }
    },
    Bend("S21: there is one row style") { asked in
        let before = asked
        asked.replaceIntents { intent in
            guard case .changeDisplay(.style(let name, _)) = intent else { return [intent] }
            return before.withoutStyles(besides: name) + [intent]
        }
    },
    Bend("S22: row styles go with a column") { asked in
        let before = asked
        asked.replaceIntents { intent in
            guard case .deleteColumn = intent else { return [intent] }
            return [intent] + before.withoutStyles()
        }
    },
    Bend("U16: what others have said since is taken back too") { asked in
        asked.bendUndo { _, steps in
            let isDisplay = steps.contains { if case .display = $0 { true } else { false } }
            guard isDisplay else { return nil }
            return [.undo(UndoRequest(.last(ofUser: false), isForced: true))]
        }
    },
]
