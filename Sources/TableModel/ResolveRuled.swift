// Setting cells where columns have rules that look beyond the value: row by row, so that each sees
// what those before it did. ResolveCells.swift is the way where no column has rules.
import TableValue

extension Table {
    /// Sets cells row after row; those that break a rule are refused, the others written.
    ///
    /// The cells of a row are judged together, so that a check sees the row as it shall be; where
    /// one of them is named twice, those before it are written first.
    mutating func performRuledSet(
        _ edits: [CellEdit], _ progress: inout Progress
    ) throws(Rejection) {
        var changes: [CellChange] = []
        changes.reserveCapacity(edits.count)
        var drafts: [[Target]] = []
        var places: [UInt32: Int] = [:]
        for edit in edits {
            guard let target = try target(of: edit, &progress) else { continue }
            if let place = places[target.slot] {
                guard drafts[place].contains(where: { $0.index == target.index }) else {
                    drafts[place].append(target)
                    continue
                }
                for draft in drafts { try write(draft, &changes, &progress) }
                drafts = []
                places = [:]
            }
            places[target.slot] = drafts.count
            drafts.append([target])
        }
        for draft in drafts { try write(draft, &changes, &progress) }
        if !changes.isEmpty { progress.changes.append(.cellsSet(changes)) }
    }

    /// Writes the cells of one row that break no rule, and those that are computed of them.
    private mutating func write(
        _ targets: [Target], _ changes: inout [CellChange], _ progress: inout Progress
    ) throws(Rejection) {
        var kept: [Target] = []
        for target in targets {
            if let rejection = differenceProblem(target.slot, target.index, target.value) {
                try refuse(target, rejection, &progress)
            } else {
                kept.append(target)
            }
        }
        var computed: [(index: Int, value: Value)] = []
        if ruleBook.hasRowRules { computed = try settle(&kept, &progress) }
        for target in kept {
            if let change = write(target, &progress) { changes.append(change) }
        }
        guard let slot = kept.first?.slot else { return }
        for cell in computed {
            changes.append(makeCell(slot, cell.index, cell.value, progress.stamp))
        }
    }

    private func refuse(
        _ target: Target, _ rejection: Rejection, _ progress: inout Progress
    ) throws(Rejection) {
        let isHidden =
            rows.order.isHidden(target.slot) || schema.entries[target.index].isHidden
        progress.uncount(isHidden: isHidden)
        var rejection = rejection
        rejection.row = target.row
        try progress.refuse(rejection, parts: 1)
    }

    /// Takes out, as refused, cells by which their row breaks a check; gives the cells that are
    /// computed of the others.
    private mutating func settle(
        _ kept: inout [Target], _ progress: inout Progress
    ) throws(Rejection) -> [(index: Int, value: Value)] {
        while let slot = kept.first?.slot {
            var draft = RowDraft(slot: slot)
            for target in kept where !cells[target.index].equals(slot, target.value) {
                draft.cells.append((target.index, target.value))
            }
            let givenCount = draft.cells.count
            let reason: Rejection
            var culprits = Set(draft.cells.map(\.index))
            do throws(Rejection) {
                try compute(&draft)
                let broken = brokenChecks(draft)
                guard let first = broken.first else {
                    return Array(draft.cells[givenCount...])
                }
                reason = first.rejection
                culprits.formIntersection(ruleBook.inputs(ofChecks: broken.map(\.place)))
            } catch {
                reason = error
            }
            for target in kept where culprits.contains(target.index) {
                try refuse(target, reason, &progress)
            }
            kept.removeAll { culprits.contains($0.index) }
            if culprits.isEmpty { return [] }
        }
        return []
    }

    /// What is computed of a cell that shall be written alone.
    ///
    /// - Throws: `Rejection` where its row would break a check.
    mutating func computedOf(
        _ slot: UInt32, _ index: Int, _ value: Value, _ row: RowID
    ) throws(Rejection) -> [(index: Int, value: Value)] {
        var draft = RowDraft(slot: slot, cells: [(index, value)])
        try compute(&draft)
        if var rejection = brokenChecks(draft).first?.rejection {
            rejection.row = row
            throw rejection
        }
        return Array(draft.cells.dropFirst())
    }

    /// Adds to new rows what is computed of their cells.
    ///
    /// - Throws: `Rejection` where a row breaks a check.
    mutating func settle(
        _ block: inout FittedBlock, rowCount: Int, _ ids: [RowID], _ progress: inout Progress
    ) throws(Rejection) {
        let owners = ruleBook.computed.map(\.owner).filter { !schema.entries[$0].isHidden }
        let width = block.values.isEmpty ? 0 : block.columns.count
        let present = width == 0 ? [] : block.columns
        let columns = present.filter { $0.map { !owners.contains($0) } ?? false } + owners
        try progress.countMade(rowCount * owners.count, limits: limits)
        var values: [Value] = []
        values.reserveCapacity(rowCount * columns.count)
        for row in 0..<rowCount {
            var draft = RowDraft(slot: nil)
            for (place, index) in present.enumerated() {
                guard let index, !owners.contains(index) else { continue }
                draft.cells.append((index, block.values[row * width + place]))
            }
            try compute(&draft)
            if var rejection = brokenChecks(draft).first?.rejection {
                if !ids.isEmpty { rejection.row = ids[row] }
                throw rejection
            }
            for index in columns {
                values.append(index.map { draft.value($0, in: cells) } ?? .null)
            }
        }
        block = FittedBlock(columns: columns, values: columns.isEmpty ? [] : values)
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
        var found: Rejection?
        for index in schema.liveOrder where cells[index].isRuled && found == nil {
            if ruleBook.isComputed(index) { continue }
            let value = cells[index].value(slot)
            let column = schema.entries[index].column.id
            found = ruleBook.violation(of: value, index, in: column)
            if found == nil, let holder = holder(of: value, index, besides: slot) {
                found = takenValue(index, by: holder)
            }
        }
        for place in ruleBook.checks.indices where found == nil {
            if schema.entries[ruleBook.checks[place].owner].isHidden { continue }
            found = brokenCheck(place, RowDraft(slot: slot))
        }
        found?.row = rows.ids[slot]
        return found
    }

    /// What computed columns are in a row, where it differs from what stands there.
    ///
    /// For undo and restore: the rules may have changed while the row was hidden.
    mutating func computedAnew(
        _ slot: UInt32
    ) throws(Rejection) -> [(index: Int, value: Value)] {
        var draft = RowDraft(slot: slot)
        for place in ruleBook.computed.indices {
            let owner = ruleBook.computed[place].owner
            if schema.entries[owner].isHidden { continue }
            let value = try computedValue(place, draft)
            if value != cells[owner].value(slot) { draft.cells.append((owner, value)) }
        }
        return draft.cells
    }
}
