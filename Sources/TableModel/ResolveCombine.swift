// Rules C15 and C16: cells that are joined with a value, whatever they hold by then. What joining
// comes to is in CombineCell.swift; the rules of columns are asked as for any other write.
import TableValue

extension Table {
    /// Joins a value with what a cell holds now.
    mutating func performCombine(
        _ combine: CombineCell, _ progress: inout Progress
    ) throws(Rejection) {
        let edit = combine.edit
        guard let slot = rows.slot(of: edit.row) else {
            try progress.miss(edit.row)
            return
        }
        guard let index = schema.index(of: edit.column) else {
            throw unknownColumn(edit.column, row: edit.row)
        }
        let column = schema.entries[index].column
        do throws(Rejection) {
            let made = try column.combined(
                cells[index].value(slot), combine.combination, edit.value
            ).get()
            let value = try accepted(made, for: index).get()
            try progress.countJoined(value, limits: limits)
            if let text = value.textHeld, let problem = rowProblem(slot, index, text) {
                throw problem
            }
            try putMade(value, edit.row, slot, index, &progress)
        } catch {
            var rejection = error
            rejection.row = edit.row
            throw rejection
        }
    }
}
