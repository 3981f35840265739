// What changing an expression rule does to the rows that are there: a check is asked of all of
// them, a computed column is filled, and what follows from it. All or nothing, by the journal.
import TableValue

extension Table {
    /// Does something that may turn out to be refused after it has begun; then all is as before.
    mutating func attempt(
        _ progress: inout Progress,
        _ body: (inout Table, inout Progress) throws(Rejection) -> Void
    ) throws(Rejection) {
        let wasActive = journal.isActive
        if !wasActive { beginJournal() }
        let (mark, changeCount) = (journal.steps.count, progress.changes.count)
        let (numbers, tally) = (ruleBook.highest, progress.tally)
        do {
            try body(&self, &progress)
        } catch {
            rollBack(to: mark)
            ruleBook.setBack(numbers)
            progress.changes.removeLast(progress.changes.count - changeCount)
            progress.tally = tally
            if !wasActive { journal = Journal() }
            throw error
        }
        if !wasActive { journal = Journal() }
    }

    /// Asks all live rows what the expressions of a column's new rules ask, and fills the column
    /// where it is computed from here on.
    mutating func admitRows(
        toRulesOf index: Int, replacing present: ColumnRules, _ progress: inout Progress
    ) throws(Rejection) {
        let list = schema.entries[index].column.rules.list
        if list.computed != nil, list.computed != present.list.computed {
            try fillComputed(from: index, &progress)
        }
        guard list.check != nil, list.check != present.list.check,
            let place = ruleBook.checks.firstIndex(where: { $0.owner == index })
        else { return }
        try progress.countScan(of: rowCount, limits: limits)
        try askRows(rows.order.liveSlots, [place])
    }

    /// Writes what a computed column is in all live rows, and the columns that are computed of it.
    mutating func fillComputed(
        from index: Int, _ progress: inout Progress
    ) throws(Rejection) {
        var affected: Set<Int> = [index]
        let places = ruleBook.computed.indices.filter { place in
            let rule = ruleBook.computed[place]
            guard rule.owner == index || rule.columns.contains(where: affected.contains) else {
                return false
            }
            affected.insert(rule.owner)
            return !schema.entries[rule.owner].isHidden
        }
        guard rowCount <= limits.partsMax else {
            throw Rejection(
                .tooManyParts,
                "A column can be computed for \(limits.partsMax) rows, these are "
                    + "\(rowCount).")
        }
        try progress.countScan(of: rowCount, limits: limits)
        ruleBook.stepsLeft &+= rowCount &* Self.stepsOfRow
        var changes: [CellChange] = []
        let slots = rows.order.liveSlots
        for slot in slots {
            for place in places {
                let owner = ruleBook.computed[place].owner
                let value = try computedValue(place, RowDraft(slot: slot))
                if cells[owner].equals(slot, value) { continue }
                changes.append(makeCell(slot, owner, value, progress.stamp))
            }
        }
        try progress.countMade(changes.count, limits: limits)
        if !changes.isEmpty { progress.changes.append(.cellsSet(changes)) }
        let checks = ruleBook.checks.indices.filter {
            ruleBook.checks[$0].columns.contains(where: affected.contains)
                && !schema.entries[ruleBook.checks[$0].owner].isHidden
        }
        if !checks.isEmpty { try askRows(slots, checks) }
    }

    /// Writes a cell that a rule makes.
    mutating func makeCell(
        _ slot: UInt32, _ index: Int, _ value: Value, _ stamp: Stamp
    ) -> CellChange {
        setCell(slot, index, value, stamp: stamp)
        return CellChange(
            row: rows.ids[slot], column: schema.entries[index].column.id, value: value)
    }

    /// Steps that one row may take in a look at all of them, on the average.
    private static var stepsOfRow: Int { 200 }

    /// Refuses where rows break one of these checks.
    private mutating func askRows(_ slots: [UInt32], _ places: [Int]) throws(Rejection) {
        ruleBook.stepsLeft &+= slots.count &* Self.stepsOfRow
        var count = 0
        var offenders: [RowID] = []
        var first: Rejection?
        for slot in slots {
            for place in places {
                guard let rejection = brokenCheck(place, RowDraft(slot: slot)) else { continue }
                guard rejection.code == .ruleBroken else { throw rejection }
                if first == nil { first = rejection }
                count += 1
                if offenders.count < Self.offendersMax { offenders.append(rows.ids[slot]) }
                break
            }
        }
        if let first { throw broken(first, by: count, offenders) }
    }
}
