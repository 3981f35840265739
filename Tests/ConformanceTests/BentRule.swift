// Rules bent on purpose, one at a time: a table that is asked for something else than what was
// submitted. ResolveTests.swift shows that the lines notice each.
import TableModel
import TableValue

/// A rule of docs/semantics.md and how it is bent.
enum BentRule: String, CaseIterable, Sendable {
    case insertedAtTheEnd = "R1: rows inserted below another stand at the end"
    case allSeen = "C1, C14: who writes has seen everything"
    case movedToTheOtherEnd = "R8: moved to the start means to the end"
    case deletedButOne = "C11: the last of several rows is not deleted"
    case movedBackwards = "R15: rows moved together arrive in the opposite order"
    case firstWriteWins = "C1: a value of somebody else stays"
    case addingSets = "C4: adding sets"
    case strictIsBest = "strict operations are performed in part"
    case unconditional = "preconditions always hold"
    case clashesAreRefused = "S1, S3: no name is given a suffix"
    case presentIsNoMatter = "S2: a column that is there is added again"
    case columnsToTheEnd = "S13: columns are moved to the end"

    /// The operation that is performed instead.
    func bend(_ op: Op, on table: Table) -> Op {
        var op = op
        switch self {
        case .allSeen: op.base = table.head
        case .strictIsBest: op.mode = .best
        case .unconditional: op.preconditions = []
        default: op.body = op.body.map { bend($0, on: table) }
        }
        return op
    }

    private func bend(_ intent: Intent, on table: Table) -> Intent {
        switch (self, intent) {
        case (.insertedAtTheEnd, .insertRows(var insert)):
            insert.anchor = .last
            return .insertRows(insert)
        case (.movedToTheOtherEnd, .moveRows(let rows, to: .first)):
            return .moveRows(rows, to: .last)
        case (.deletedButOne, .deleteRows(let rows)) where rows.count > 1:
            return .deleteRows(rows.dropLast())
        case (.movedBackwards, .moveRows(let rows, let anchor)):
            return .moveRows(rows.reversed(), to: anchor)
        case (.firstWriteWins, .setCells(let edits)):
            return .setCells(
                edits.map { edit in
                    var edit = edit
                    let column = table.columns.first {
                        edit.column == .id($0.id) || edit.column == .name($0.name)
                    }
                    let present = column.flatMap { table.value(edit.row, $0.id) } ?? .null
                    if present != .null { edit.value = present }
                    return edit
                })
        case (.addingSets, .addNumber(let row, let column, let amount)):
            return .setCells([CellEdit(row: row, column: column, value: amount)])
        case (.clashesAreRefused, .renameColumn(let column, let name, _)):
            return .renameColumn(column, name: name, onClash: .reject)
        case (.clashesAreRefused, .addColumn(var add)):
            add.onClash = .reject
            return .addColumn(add)
        case (.presentIsNoMatter, .addColumn(var add)):
            add.ifAbsent = false
            return .addColumn(add)
        case (.columnsToTheEnd, .moveColumn(let column, _)):
            return .moveColumn(column, to: .last)
        default: return intent
        }
    }
}
