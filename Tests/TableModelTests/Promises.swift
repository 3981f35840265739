// What the authors of operations were told is in the table: reckoned from the operations and their
// outcomes alone, never from the changes that were made for them. Rule I4 is held against it.
import TableValue

@testable import TableModel

/// The values that somebody was told `ok` for and nobody has written since.
struct Promises {
    private(set) var values: [RowID: [ColumnID: Value]] = [:]
    /// How many were given in all.
    private(set) var count = 0

    /// Takes what an author was told.
    mutating func take(_ op: Op, _ resolution: Resolution, before: Table, after: Table) {
        let outcome = resolution.outcome
        let changesColumns = op.body.contains { intent in
            switch intent {
            case .addColumn, .renameColumn, .deleteColumn: true
            default: false
            }
        }
        guard outcome.status == .ok || outcome.status == .noop, !changesColumns else {
            // What of it was done is not told cell by cell: nothing is promised of what it wrote.
            for change in resolution.changes { forget(change) }
            return
        }
        var given = outcome.rows[...]
        var sums = outcome.values[...]
        func column(_ reference: ColumnReference) -> Column? {
            switch reference {
            case .id(let id): after.column(id)
            case .name(let name): before.column(named: name)
            }
        }
        for intent in op.body {
            switch intent {
            case .setCells(let edits):
                for edit in edits { promise(edit.value, edit.row, column(edit.column)) }
            case .addNumber(let row, let reference, _):
                if let sum = sums.popFirst() { promise(sum, row, column(reference)) }
            case .combineCell(let combine):
                if let made = sums.popFirst() {
                    promise(made, combine.edit.row, column(combine.edit.column))
                }
            case .insertRows(let insertion):
                var ids = insertion.ids
                if ids.isEmpty {
                    ids = (0..<insertion.rowCount).compactMap { _ in given.popFirst() }
                }
                for (index, value) in insertion.cells.enumerated() {
                    let width = insertion.columns.count
                    promise(value, ids[index / width], column(insertion.columns[index % width]))
                }
            default: break
            }
        }
    }

    private mutating func promise(_ value: Value, _ row: RowID, _ column: Column?) {
        guard let column, var value = try? value.converted(to: column.type) else { return }
        if case .double(let number) = value, number.isNaN { value = .double(.nan) }
        values[row, default: [:]][column.id] = value
        count += 1
    }

    private mutating func forget(_ change: Change) {
        switch change {
        case .cellsSet(let cells):
            for cell in cells { values[cell.row]?[cell.column] = nil }
        default: break
        }
    }
}
