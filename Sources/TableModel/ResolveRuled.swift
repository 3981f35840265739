// Setting cells where columns have rules that look beyond the value: row by row, so that each sees
// what those before it did. ResolveCells.swift is the way where no column has rules.
import TableValue

extension Table {
    /// Sets cells one after another; those that break a rule are refused, the others written.
    mutating func performRuledSet(
        _ edits: [CellEdit], _ progress: inout Progress
    ) throws(Rejection) {
        var changes: [CellChange] = []
        changes.reserveCapacity(edits.count)
        for edit in edits {
            guard let target = try target(of: edit, &progress) else { continue }
            if var rejection = differenceProblem(target.slot, target.index, target.value) {
                progress.uncount(isHidden: schema.entries[target.index].isHidden)
                rejection.row = edit.row
                try progress.refuse(rejection, parts: 1)
                continue
            }
            if let change = write(target, &progress) { changes.append(change) }
        }
        if !changes.isEmpty { progress.changes.append(.cellsSet(changes)) }
    }

    /// The refusal of a value that another row has already, where the column's values must differ;
    /// nil where it may be written.
    ///
    /// Hidden rows do not count, whichever of the two it is.
    func differenceProblem(_ slot: UInt32, _ index: Int, _ value: Value) -> Rejection? {
        guard cells[index].isRuled, !rows.order.isHidden(slot),
            let holder = holder(of: value, index, besides: slot)
        else { return nil }
        return takenValue(index, by: holder)
    }

    /// The rule of a column that showing a hidden row again would break, with the cells as they
    /// are; nil where the row may be shown.
    ///
    /// For undo and restore: a row that breaks a rule stays hidden.
    mutating func problemShowing(_ slot: UInt32) -> Rejection? {
        guard !ruleBook.isEmpty else { return nil }
        for index in schema.liveOrder where cells[index].isRuled {
            let value = cells[index].value(slot)
            let column = schema.entries[index].column.id
            var rejection = ruleBook.violation(of: value, index, in: column)
            if rejection == nil, let holder = holder(of: value, index, besides: slot) {
                rejection = takenValue(index, by: holder)
            }
            guard var rejection else { continue }
            rejection.row = rows.ids[slot]
            return rejection
        }
        return nil
    }
}
