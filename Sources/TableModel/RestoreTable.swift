// Rule T15 for a whole table: its columns, rows, cells and order as they were, in one record that
// one undo takes back. What was so once kept the rules of then, which come back too; so nothing is
// asked of single cells, and the rules that differ are out of force in between.
import TableValue

extension Table {
    /// About how many bytes of cells one restore may put into its record.
    private static var restoredBytesMax: Int { 24 << 20 }

    /// The cells of one column that come back.
    private struct ColumnCells {
        let index: Int
        var slots: [UInt32] = []
        var values: [Value] = []
    }

    /// Makes the table what it was.
    ///
    /// Where this throws, nothing has been changed.
    mutating func restoreAll(
        to past: Table, _ counts: inout RestoreCounts, _ progress: inout Progress
    ) throws(Rejection) {
        let wanted = past.schema.liveOrder.compactMap { old in
            schema.index(of: past.schema.entries[old].column.id)
        }
        let retyped = zip(wanted, past.columns).compactMap { index, column in
            schema.entries[index].column.type == column.type ? nil : index
        }
        for index in retyped { if let problem = problemRestoringType(index) { throw problem } }
        let changed = try cellsRestoring(past, wanted)
        let rulesOff = relaxedColumns(past, wanted, changed)
        let applied = progress.applied
        for index in schema.liveOrder where rulesOff.contains(index) && !retyped.contains(index) {
            relax(index, toward: past, &progress)
        }
        for index in retyped { restoreType(of: index, as: past, &progress) }
        hideColumns(besides: wanted, &progress)
        renameColumns(wanted.filter { !schema.entries[$0].isHidden }, past, &progress)
        showColumns(wanted, past, rulesOff, &progress)
        placeColumns(wanted, &progress)
        counts.columns = progress.applied - applied
        counts.rows = restoreRows(past, &progress)
        counts.cells = write(changed, &progress)
        counts.rows += arrangeRows(as: past, &progress)
        for (index, column) in zip(wanted, past.columns)
        where schema.entries[index].column.rules != column.rules {
            setColumnRules(index, column.rules, stamp: progress.stamp)
            progress.changes.append(.columnRulesSet(column.id, column.rules))
            counts.columns += 1
        }
        progress.applied = applied + counts.columns + counts.rows + counts.cells
    }

    // MARK: Cells

    /// The cells of live rows of then that hold something else now.
    private func cellsRestoring(
        _ past: Table, _ wanted: [Int]
    ) throws(Rejection) -> [ColumnCells] {
        var changed = wanted.map { ColumnCells(index: $0) }
        let olds = past.schema.liveOrder
        var byteCount = 0
        for then in past.rows.order.liveSlots {
            guard let slot = rows.slot(of: past.rows.ids[then]) else { continue }
            if rows.order.isHidden(slot) { byteCount += 16 * wanted.count }
            for (place, old) in olds.enumerated() where place < changed.count {
                let value = past.cells[old].value(then)
                if cells[changed[place].index].equals(slot, value) { continue }
                byteCount += 16 + (value.textHeld?.byteCount ?? 0)
                // They come along with the type.
                if cells[changed[place].index].type != past.cells[old].type { continue }
                changed[place].slots.append(slot)
                changed[place].values.append(value)
            }
            guard byteCount <= Self.restoredBytesMax else {
                throw Rejection(
                    .tooManyParts,
                    "So much differs that it does not fit into one operation; restore columns or "
                        + "rows one after another.")
            }
        }
        return changed
    }

    /// Writes cells of rows that are live by now.
    ///
    /// - Returns: how many.
    private mutating func write(_ changed: [ColumnCells], _ progress: inout Progress) -> Int {
        var few: [CellChange] = []
        var count = 0
        for column in changed where !column.slots.isEmpty {
            let id = schema.entries[column.index].column.id
            count += column.slots.count
            for (slot, value) in zip(column.slots, column.values) {
                if progress.mayMeetNews { progress.noteOverridden(cellStamp(slot, column.index)) }
                setCell(slot, column.index, value, stamp: progress.stamp)
            }
            let written = zip(column.slots, column.values).map { SlotValue($0, $1) }
            if written.count < Self.cellsToFill {
                few += written.map {
                    CellChange(row: rows.ids[$0.slot], column: id, value: $0.value)
                }
            } else {
                appendFill(written, of: id, to: &progress)
            }
        }
        if !few.isEmpty { progress.changes.append(.cellsSet(few)) }
        return count
    }

    // MARK: Rules

    /// Columns whose rules must not hold in between: those that get others, and those whose values
    /// must differ where several change.
    private func relaxedColumns(
        _ past: Table, _ wanted: [Int], _ changed: [ColumnCells]
    ) -> Set<Int> {
        var relaxed: Set<Int> = []
        for (place, column) in past.columns.enumerated() where place < wanted.count {
            let index = wanted[place]
            let isCrowded = ruleBook.isUnique(index) && changed[place].slots.count > 1
            if schema.entries[index].column.rules != column.rules || isCrowded {
                relaxed.insert(index)
            }
        }
        for index in schema.liveOrder
        where !wanted.contains(index) && ruleBook.hasExpressions(of: index) {
            relaxed.insert(index)
        }
        return relaxed
    }

    /// Takes the rules of a column out of force, but for what its values need to be choices.
    private mutating func relax(
        _ index: Int, toward past: Table, _ progress: inout Progress
    ) {
        let column = schema.entries[index].column
        let then = past.column(column.id)?.rules.choices ?? []
        var choices = column.rules.choices
        let present = column.rules.choiceSet
        choices += then.filter { !present.contains($0) }
        let rules = ColumnRules(choices: choices)
        guard rules != column.rules else { return }
        setColumnRules(index, rules, stamp: progress.stamp)
        progress.changes.append(.columnRulesSet(column.id, rules))
    }

    // MARK: Types

    /// The refusal of another type for a column that a rule of a deleted column reads.
    private func problemRestoringType(_ index: Int) -> Rejection? {
        problemReading(index) { schema.entries[$0.owner].isHidden }
    }

    /// Gives a column the type that it had, with the values of then; rows that were not there are
    /// converted.
    private mutating func restoreType(
        of index: Int, as past: Table, _ progress: inout Progress
    ) {
        let id = schema.entries[index].column.id
        guard let then = past.column(id), let old = past.schema.index(of: id) else { return }
        var recast: [SlotValue] = []
        for slot in 0..<UInt32(rows.ids.count) {
            let value: Value
            if let slotThen = past.rows.slot(of: rows.ids[slot]),
                !past.rows.order.isHidden(slotThen)
            {
                value = past.cells[old].value(slotThen)
            } else {
                value = cells[index].value(slot).recast(to: then.type) ?? .null
            }
            if cells[index].isUsed(slot) || !value.isNull { recast.append((slot, value)) }
        }
        let rules = ColumnRules(choices: then.rules.choices)
        setColumnType(index, then.type, rules, stamp: progress.stamp)
        for cell in recast {
            refillCell(cell.slot, index, cell.value, stamp: progress.stamp)
        }
        // Who reads it and has the rule that it had then reads the type of then.
        for rule in ruleBook.checks + ruleBook.computed where rule.columns.contains(index) {
            refreshExpressions(of: rule.owner)
        }
        progress.changes.append(.columnRetyped(id, then.type, rules))
        appendFill(recast, of: id, to: &progress)
        progress.applied += 1
    }

    // MARK: Columns

    private mutating func hideColumns(besides wanted: [Int], _ progress: inout Progress) {
        for index in schema.liveOrder where !wanted.contains(index) {
            setColumnHidden(index, true, stamp: progress.stamp)
            progress.changes.append(.columnHidden(schema.entries[index].column.id))
            progress.applied += 1
        }
    }

    /// Gives live columns the names that they had; one whose name another still has goes by a name
    /// that nobody has until that is free.
    private mutating func renameColumns(
        _ indexes: [Int], _ past: Table, _ progress: inout Progress
    ) {
        var left = indexes.filter { index in
            let column = schema.entries[index].column
            return past.column(column.id)?.name != column.name
        }
        progress.applied += left.count
        while !left.isEmpty {
            let free = left.filter { index in
                guard let name = past.column(schema.entries[index].column.id)?.name else {
                    return true
                }
                let holder = schema.index(foldedName: simpleCaseFolded(name))
                return holder == nil || holder == index
            }
            for index in free {
                let id = schema.entries[index].column.id
                if let name = past.column(id)?.name { rename(index, to: name, &progress) }
            }
            left.removeAll { free.contains($0) }
            // A circle, or a name that stays taken: the first of them steps aside.
            if free.isEmpty, let index = left.first {
                let id = schema.entries[index].column.id
                rename(index, to: unusedName(for: id), &progress)
                if holdsName(past.column(id)?.name, besides: indexes) { left.removeFirst() }
            }
        }
    }

    private func holdsName(_ name: Text?, besides indexes: [Int]) -> Bool {
        guard let name, let holder = schema.index(foldedName: simpleCaseFolded(name)) else {
            return false
        }
        return !indexes.contains(holder)
    }

    private func unusedName(for column: ColumnID) -> Text {
        var number = 1
        while true {
            let name = Text("restoring \(column.session.rawValue) \(column.counter) \(number)")
            if schema.index(foldedName: name) == nil { return name }
            number += 1
        }
    }

    private mutating func rename(_ index: Int, to name: Text, _ progress: inout Progress) {
        renameColumn(index, to: name, stamp: progress.stamp)
        progress.changes.append(.columnRenamed(schema.entries[index].column.id, name: name))
    }

    /// Shows columns that were deleted since, those deleted last first: rules that read a column
    /// went before it.
    private mutating func showColumns(
        _ wanted: [Int], _ past: Table, _ rulesOff: Set<Int>, _ progress: inout Progress
    ) {
        let hidden = wanted.filter { schema.entries[$0].isHidden }.sorted { left, right in
            let (first, second) = (
                schema.stamps[left].presence.sequence, schema.stamps[right].presence.sequence
            )
            if first != second { return first > second }
            let isReader = ruleBook.hasExpressions(of: left)
            if isReader != ruleBook.hasExpressions(of: right) { return !isReader }
            return left < right
        }
        for index in hidden {
            let place = schema.place(behind: schema.predecessor(of: index))
            setColumnHidden(index, false, stamp: progress.stamp)
            progress.changes.append(.columnShown(schema.entries[index].column, at: place))
            appendCells(of: index, to: &progress)
            progress.applied += 1
            if rulesOff.contains(index) { relax(index, toward: past, &progress) }
        }
        renameColumns(wanted, past, &progress)
    }

    private mutating func placeColumns(_ wanted: [Int], _ progress: inout Progress) {
        var before: Int?
        for (place, index) in wanted.enumerated() {
            defer { before = index }
            guard schema.liveOrder.firstIndex(of: index) != place else { continue }
            let at = schema.place(behind: before, moving: index)
            moveColumn(index, after: before, stamp: progress.stamp)
            progress.changes.append(.columnMoved(schema.entries[index].column.id, to: at))
            progress.applied += 1
        }
    }

    // MARK: Rows

    /// Hides rows that were not there, and shows those that were.
    ///
    /// - Returns: how many.
    private mutating func restoreRows(_ past: Table, _ progress: inout Progress) -> Int {
        let leaving = rows.order.liveSlots.filter { past.state(of: rows.ids[$0]) != .live }
        hide(leaving, &progress)
        let shown = past.rows.order.liveSlots.compactMap { then -> UInt32? in
            guard let slot = rows.slot(of: past.rows.ids[then]), rows.order.isHidden(slot) else {
                return nil
            }
            return slot
        }
        for slot in shown { setRowHidden(slot, false, stamp: progress.stamp) }
        if !shown.isEmpty { tellShown(shown, &progress) }
        return leaving.count + shown.count
    }

    /// Lets rows stand as they stood.
    ///
    /// - Returns: how many stand elsewhere.
    private mutating func arrangeRows(as past: Table, _ progress: inout Progress) -> Int {
        let present = rows.order.liveSlots
        let wanted = past.rows.order.liveSlots.compactMap { rows.slot(of: past.rows.ids[$0]) }
        guard present.count == wanted.count else { return 0 }
        var before: [UInt32] = []
        var after: [UInt32] = []
        for (old, new) in zip(present, wanted) where old != new {
            before.append(old)
            after.append(new)
        }
        arrange(after, from: before, &progress)
        return after.count
    }
}
