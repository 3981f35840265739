// Rules S9 to S12 and U11: a column comes to hold another type. Values are converted once, here,
// by Value.recast; records say what came of it. The storage changes through Mutate.swift.
import TableValue

extension Table {
    // MARK: Changing the type

    mutating func performRetype(
        _ retyping: RetypeColumn, _ progress: inout Progress
    ) throws(Rejection) {
        guard let index = schema.index(of: retyping.column) else {
            throw unknownColumn(retyping.column)
        }
        var column = schema.entries[index].column
        guard column.type != retyping.type else {
            let rules = try rules(column.rules, changedBy: retyping.rules)
            return try replaceRules(of: index, by: rules, &progress)
        }
        try checkWidth(rows.ids.count)
        column.rules = try rules(
            column.rules.carried(from: column.type, to: retyping.type), changedBy: retyping.rules)
        guard column.rules.list.computed == nil else {
            throw Rejection(
                .ruleBroken,
                "The column is computed; take the rule computed away along with the type.",
                column: column.id, rule: RuleName.computed.text)
        }
        let present = schema.entries[index].column.rules
        guard column.rules.list.check == nil || column.rules.list.check != present.list.check
        else {
            throw Rejection(
                .badRule,
                "The check of the column speaks of what it holds now; give it anew along with the "
                    + "type, or take it away.", column: column.id, rule: RuleName.check.text)
        }
        column.type = retyping.type
        if column.type == .choice, column.rules.choices.isEmpty {
            column.rules = column.rules.offering(choicesFound(in: index))
        }
        try admitRules(of: &column, replacing: present, &progress)
        try progress.countScan(of: rowCount, limits: limits)
        let (cells, lost) = recastCells(of: index, as: column)
        if retyping.unconvertible == .reject { try refuseLost(lost, column) }
        try replaceType(of: index, by: column, cells, &progress)
        progress.noteConverted(cells.count - lost.count, emptied: lost.count)
        try countColumn(index, &progress)
    }

    /// What the cells of a column that were ever used hold as another type, and which of them
    /// hold what that cannot; those are null.
    private func recastCells(
        of index: Int, as column: Column
    ) -> (cells: [SlotValue], lost: [UInt32]) {
        var recast: [SlotValue] = []
        var lost: [UInt32] = []
        for slot in cells[index].usedSlots(below: UInt32(rows.ids.count)) {
            let old = cells[index].value(slot)
            let value = column.recast(old)
            if value == nil { lost.append(slot) }
            recast.append((slot, value ?? .null))
        }
        return (recast, lost)
    }

    private func refuseLost(_ lost: [UInt32], _ column: Column) throws(Rejection) {
        let live = lost.filter { !rows.order.isHidden($0) }
        guard let first = live.first else { return }
        var rejection = Rejection(
            .cannotConvert,
            "\(live.count) rows hold what is no \(column.type.rawValue): change them first, or "
                + "have them emptied. The first are named.", row: rows.ids[first],
            column: column.id)
        rejection.offenders = live.prefix(Self.offendersMax).map { rows.ids[$0] }
        throw rejection
    }

    /// The texts that live cells hold and that can be choices, in order, each once; one more than a
    /// column may have is enough to be refused.
    private func choicesFound(in index: Int) -> [Text] {
        var seen: Set<Text> = []
        var found: [Text] = []
        for slot in rows.order.liveSlots where found.count <= limits.choicesMax {
            guard case .choice(let text)? = cells[index].value(slot).recast(to: .choice),
                problemOfChoice(text, limits) == nil, seen.insert(text).inserted
            else { continue }
            found.append(text)
        }
        return found
    }

    /// Gives a column another type with what its cells hold then, where all rules of the table are
    /// kept; otherwise all is as before.
    private mutating func replaceType(
        of index: Int, by column: Column, _ recast: [SlotValue], _ progress: inout Progress
    ) throws(Rejection) {
        try attempt(&progress) { (table, progress) throws(Rejection) in
            if let problem = table.problemRetyping(index) { throw problem }
            table.setColumnType(index, column.type, column.rules, stamp: progress.stamp)
            for cell in recast {
                let isStored = table.refillCell(
                    cell.slot, index, cell.value, stamp: progress.stamp)
                guard isStored else {
                    throw Rejection(
                        .cellTooLarge, "The column's values take too much room as that type.",
                        column: column.id)
                }
            }
            progress.changes.append(.columnRetyped(column.id, column.type, column.rules))
            table.appendFill(recast, of: column.id, to: &progress)
            // Rows that came while the column was hidden owe it nothing until it is shown.
            if !column.rules.isEmpty, !table.schema.entries[index].isHidden {
                try table.checkCells(of: index, as: column)
            }
            try table.admitRows(toRulesOf: index, replacing: ColumnRules(), &progress)
        }
    }

    // MARK: Values meant for the type before

    /// What a value is that its author meant for a type which the column had when they last
    /// looked; nil where they knew better, or it cannot be converted.
    ///
    /// Rules S9, S10.
    func recastStale(_ value: Value, for index: Int, _ progress: borrowing Progress) -> Value? {
        guard !schema.entries[index].pastTypes.isEmpty, progress.base > 0, !value.isNull,
            let past = schema.entries[index].pastTypes.first(where: {
                $0.end.isNews(to: progress.session, since: progress.base)
            }),
            let meant = fitted(value, to: past.type),
            let recast = schema.entries[index].column.recast(meant)
        else { return nil }
        return recast
    }

    // MARK: The way back

    /// Gives a column its type back: cells that nobody has gone on from are what they were, others
    /// are converted.
    mutating func takeBackType(
        of index: Int, _ past: Journal.PastColumn, _ undoing: inout Undoing,
        _ progress: inout Progress
    ) throws(Rejection) {
        var column = schema.entries[index].column
        let present = column
        let ownsRules =
            past.changesRules
            && undoing.owns(
                .columnRules(index), writtenBy: schema.stamps[index].rules, in: self
            ).0
        guard ownsRules || present.rules.list.check == nil else {
            throw Rejection(
                .badRule,
                "The column got a check since, which speaks of what it holds now; take that away.",
                column: column.id, rule: RuleName.check.text)
        }
        column.type = past.store.type
        column.rules =
            ownsRules ? past.rules : present.rules.carried(from: present.type, to: column.type)
        try admitRules(of: &column, replacing: present.rules, &progress)
        try progress.countScan(of: rowCount, limits: limits)
        var recast: [SlotValue] = []
        var (converted, emptied) = (0, 0)
        for slot in 0..<UInt32(rows.ids.count) {
            let wasUsed = past.store.isUsed(slot)
            guard wasUsed || cells[index].isUsed(slot) else { continue }
            if isAsTarget(slot, index, wasUsed: wasUsed, past, &undoing) {
                recast.append((slot, past.store.value(slot)))
                continue
            }
            undoing.leave(.cell(slot: slot, column: index))
            let value = column.recast(cells[index].value(slot))
            if value == nil { emptied += 1 } else { converted += 1 }
            recast.append((slot, value ?? .null))
        }
        try replaceType(of: index, by: column, recast, &progress)
        progress.noteConverted(converted, emptied: emptied)
        try countColumn(index, &progress)
    }

    /// True where a cell is still what the change of type made of it.
    private func isAsTarget(
        _ slot: UInt32, _ index: Int, wasUsed: Bool, _ past: Journal.PastColumn,
        _ undoing: inout Undoing
    ) -> Bool {
        if rows.created[slot].sequence > undoing.target.sequence
            || (rows.created[slot].sequence == undoing.target.sequence && !wasUsed)
        {
            // A row that was not there then; what it holds was never of the other type.
            return past.store.stamps[slot] != nil
        }
        guard let stamp = cells[index].stamps[slot] else { return true }
        if stamp == past.store.stamps[slot] { return true }
        return undoing.owns(.cell(slot: slot, column: index), writtenBy: stamp, in: self).0
    }
}

extension Column {
    /// A value as one of the column's type, which its choices take; nil where there is none.
    fileprivate func recast(_ value: Value) -> Value? {
        guard let recast = value.recast(to: type) else { return nil }
        if case .choice(let text) = recast, !rules.choiceSet.contains(text) { return nil }
        return recast
    }
}

extension ColumnRules {
    /// The rules for the same column of another type: what they name of values is converted, and
    /// what was of the first type alone is left out.
    ///
    /// What cannot be converted stays as it is, and `problem(for:limits:)` says so.
    fileprivate func carried(from old: ColumnType, to new: ColumnType) -> ColumnRules {
        var list = list
        func carried(_ tree: JSONTree?) -> JSONTree? {
            tree.flatMap { Value(rule: $0, of: old)?.recast(to: new)?.ruleTree ?? $0 }
        }
        list.minimum = carried(list.minimum)
        list.maximum = carried(list.maximum)
        list.defaultValue = carried(list.defaultValue)
        if new != .choice { list.choices = [] }
        return ColumnRules(list)
    }

    fileprivate func offering(_ choices: [Text]) -> ColumnRules {
        var list = list
        list.choices = choices
        return ColumnRules(list)
    }
}
