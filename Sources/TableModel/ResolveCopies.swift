// Columns set as a whole, and copies of columns and rows, made of what stands there when the
// operation is sequenced. They decide; other Resolve files do what comes of it.
import TableValue

extension Table {
    // MARK: Columns

    /// Sets a column of the rows in order, or of the rows named; more values make new rows.
    mutating func performSetColumn(
        _ setting: SetColumn, _ progress: inout Progress
    ) throws(Rejection) {
        guard let index = schema.index(of: setting.column), !schema.entries[index].isHidden else {
            throw unknownColumn(setting.column)
        }
        let column = schema.entries[index].column.id
        let targets = setting.rows ?? rowsSeen(atMost: setting.values.count, &progress)
        guard targets.count <= setting.values.count else {
            throw Rejection(.malformed, "There are more rows than values.", column: column)
        }
        let extra = setting.values[targets.count...]
        guard setting.newRows.isEmpty || setting.newRows.count >= extra.count else {
            throw Rejection(
                .malformed,
                "The values are \(extra.count) more than the rows; give as many new ids.",
                column: column)
        }
        let edits = zip(targets, setting.values).map { row, value in
            CellEdit(row: row, column: .id(column), value: value)
        }
        try attempt(&progress) { (table, progress) throws(Rejection) in
            try table.setMany(edits, &progress)
            guard !extra.isEmpty else { return }
            let insertion = InsertRows(
                ids: Array(setting.newRows.prefix(extra.count)), rowCount: extra.count,
                columns: [.id(column)], cells: Array(extra))
            do throws(Rejection) {
                try table.performInsert(insertion, &progress)
            } catch {
                // The cells of the rows that are there stay set.
                try progress.refuse(error, parts: extra.count)
            }
        }
    }

    /// The live rows in order, without those that others have inserted since the author looked.
    private func rowsSeen(atMost count: Int, _ progress: inout Progress) -> [RowID] {
        var seen: [RowID] = []
        for slot in rows.order.liveSlots where seen.count < count {
            let created = rows.created[slot]
            if created.isNews(to: progress.session, since: progress.base) {
                progress.leaveNewer(created)
            } else {
                seen.append(rows.ids[slot])
            }
        }
        return seen
    }

    /// Adds a column like another, with its cells.
    mutating func performDuplicateColumn(
        _ duplication: DuplicateColumn, _ progress: inout Progress
    ) throws(Rejection) {
        guard let index = schema.index(of: duplication.column), !schema.entries[index].isHidden
        else { throw unknownColumn(duplication.column) }
        try checkWidth(rows.ids.count)
        let original = schema.entries[index].column
        var list = original.rules.list
        // It speaks of the other column, whose rule it stays.
        list.check = nil
        let isFilled = list.computed == nil
        let used = isFilled ? cells[index].usedSlots(below: UInt32(rows.ids.count)) : []
        let store = cells[index]
        var addition = AddColumn(
            id: duplication.id, name: duplication.name ?? original.name, type: original.type,
            rules: ColumnRules(list).tree,
            anchor: duplication.anchor ?? .after(.id(original.id)),
            onClash: duplication.name == nil ? .suffix : duplication.onClash)
        addition.display = original.display
        try addColumn(
            addition,
            filled: used.map { ($0, store.value($0)) }, &progress)
    }

    /// Writes what a new column holds, which is of its type and keeps its rules.
    mutating func fill(
        _ index: Int, with values: [SlotValue], _ progress: inout Progress
    ) throws(Rejection) {
        let column = schema.entries[index].column.id
        let filled = values.filter { !$0.value.isNull }
        for (slot, value) in filled {
            guard setCell(slot, index, value, stamp: progress.stamp) else {
                throw Rejection(
                    .cellTooLarge, "The column's values take too much room.", column: column)
            }
        }
        appendFill(filled, of: column, to: &progress)
    }

    // MARK: Rows

    /// Inserts rows with the cells of others.
    ///
    /// What is computed, and what a column gives to each new row by itself (a number of a sequence,
    /// the time, the author), the copies get anew.
    mutating func performDuplicateRows(
        _ duplication: DuplicateRows, _ progress: inout Progress
    ) throws(Rejection) {
        guard duplication.ids.isEmpty || duplication.ids.count == duplication.rows.count else {
            throw Rejection(.malformed, "The number of new ids differs from the number of rows.")
        }
        var slots: [UInt32] = []
        var ids: [RowID] = []
        for (place, row) in duplication.rows.enumerated() {
            guard let slot = rows.slot(of: row) else {
                try progress.miss(row)
                continue
            }
            guard !rows.order.isHidden(slot) else {
                try progress.meetHidden(row)
                continue
            }
            slots.append(slot)
            if !duplication.ids.isEmpty { ids.append(duplication.ids[place]) }
        }
        guard !slots.isEmpty else { return }
        let copied = schema.liveOrder.filter { index in
            !ruleBook.isComputed(index) && ruleBook.rules(index)?.list.defaultSource == nil
        }
        try progress.countMade(slots.count * copied.count, limits: limits)
        var values: [Value] = []
        values.reserveCapacity(slots.count * copied.count)
        for slot in slots { for index in copied { values.append(cells[index].value(slot)) } }
        let last = duplication.rows.last.map { RowAnchor.after($0) }
        try performInsert(
            InsertRows(
                ids: ids, rowCount: slots.count, anchor: duplication.anchor ?? last ?? .last,
                columns: copied.map { .id(schema.entries[$0].column.id) }, cells: values),
            &progress)
    }

    // MARK: Other tables

    /// The rows of another table as this one would take them.
    ///
    /// - Throws: `Rejection` where columns or values do not fit, unless that may be left out.
    package func rows(
        of source: Table, for appending: AppendTable
    ) throws(Rejection) -> InsertRows {
        try checkWidth(source.rowCount)
        var pairs: [(from: ColumnID, to: Column)] = []
        for column in source.columns {
            guard let index = schema.index(foldedName: simpleCaseFolded(column.name)) else {
                if appending.isLenient { continue }
                throw Rejection(
                    .unknownColumn,
                    "This table has no column of the name of the other's \(column.id); add it, or "
                        + "append leniently.")
            }
            if ruleBook.isComputed(index) { continue }
            pairs.append((column.id, schema.entries[index].column))
        }
        var values: [Value] = []
        values.reserveCapacity(source.rowCount * pairs.count)
        var broken: Rejection?
        source.forEachRow(from: 0, count: source.rowCount, columns: pairs.map(\.from)) {
            for (place, value) in $1.enumerated() {
                let recast = value.recast(to: pairs[place].to.type)
                if recast == nil, !appending.isLenient {
                    broken = Rejection(
                        .cannotConvert,
                        "The other table's row \($0) holds what is no "
                            + "\(pairs[place].to.type.rawValue).", column: pairs[place].to.id)
                    return false
                }
                values.append(recast ?? .null)
            }
            return true
        }
        if let broken { throw broken }
        return InsertRows(
            rowCount: source.rowCount, columns: pairs.map { .id($0.to.id) },
            cells: values)
    }

    /// Inserts the rows that the server has found in another table.
    mutating func performAppendTable(
        _ appending: AppendTable, _ progress: inout Progress
    ) throws(Rejection) {
        guard let rows = appending.rows else {
            throw Rejection(.malformed, "The other table is not known here.")
        }
        try performInsert(rows, &progress)
    }
}
