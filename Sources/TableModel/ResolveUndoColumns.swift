// Rules U1, U4, U12 for columns: what an operation did to them is taken back.
// Rows and cells are in ResolveUndo.swift; the storage changes through Mutate.swift.
import TableValue

extension Table {
    /// Gives one property of a column back what it was, where it is still what the target made it.
    mutating func takeBackColumn(
        _ index: Int, _ old: Journal.Property, _ undoing: inout Undoing,
        _ progress: inout Progress
    ) throws(Rejection) {
        let register = old.register(of: index)
        let stamp = columnStamp(register)
        if case .added = old {
            // Gone on from is a column by what is put into it.
        } else {
            guard try takesBack(register, writtenBy: stamp, &undoing, &progress) else { return }
        }
        switch old {
        case .added:
            try hideColumn(index, &undoing, &progress)
        case .hidden(let wasHidden):
            if wasHidden {
                try hideColumn(index, &undoing, &progress)
            } else {
                try attempt(&progress) { table, progress throws(Rejection) in
                    try table.showColumn(index, &progress)
                }
            }
        case .name(let name):
            try performRenameColumn(
                .id(schema.entries[index].column.id), to: name, .suffix, &progress)
        case .rules(let rules):
            try replaceRules(of: index, by: rules, &progress)
        case .type(let past):
            try takeBackType(of: index, past, &undoing, &progress)
        case .place(let predecessor):
            try moveColumn(index, behind: predecessor, &progress)
        }
    }

    private func columnStamp(_ register: Register) -> Stamp {
        switch register {
        case .columnName(let index): schema.stamps[index].name
        case .columnType(let index): schema.stamps[index].type
        case .columnRules(let index): schema.stamps[index].rules
        case .columnPlace(let index): schema.stamps[index].place
        case .columnPresence(let index): schema.stamps[index].presence
        case .columnDisplay, .tableDisplay, .rowStyle: displayStamp(register)
        case .cell, .comment, .rowPlace, .rowPresence: Stamp(sequence: 0, session: 0)
        }
    }

    private mutating func hideColumn(
        _ index: Int, _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        guard !schema.entries[index].isHidden else { return }
        if let news = othersWork(inColumn: index, &undoing) { return try progress.keep(news) }
        if let problem = problemHiding(index) { throw problem }
        progress.applied += 1
        setColumnHidden(index, true, stamp: progress.stamp)
        progress.changes.append(.columnHidden(schema.entries[index].column.id))
    }

    /// A value that another session put into a column since the target brought it.
    ///
    /// Complexity: linear in the rows.
    private func othersWork(inColumn index: Int, _ undoing: inout Undoing) -> Stamp? {
        guard !undoing.isForced else { return nil }
        for slot in 0..<UInt32(rows.ids.count) where !cells[index].equals(slot, .null) {
            if let owner = undoing.newerOwner(
                of: .cell(slot: slot, column: index), writtenBy: cellStamp(slot, index), in: self)
            {
                return owner
            }
        }
        return nil
    }

    private mutating func showColumn(
        _ index: Int, _ progress: inout Progress
    ) throws(Rejection) {
        guard schema.entries[index].isHidden else { return }
        guard schema.liveOrder.count < limits.columnsMax else {
            throw Rejection(
                .tooManyColumns, "A table may have \(limits.columnsMax) columns; delete one first.")
        }
        let column = schema.entries[index].column
        let name = try freeName(column.name, .suffix, for: index, &progress)
        progress.applied += 1
        if name != column.name {
            progress.renamed.append(name)
            renameColumn(index, to: name, stamp: progress.stamp)
            progress.changes.append(.columnRenamed(column.id, name: name))
        }
        let place = schema.place(behind: schema.predecessor(of: index))
        setColumnHidden(index, false, stamp: progress.stamp)
        progress.changes.append(.columnShown(schema.entries[index].column, at: place))
        if ruleBook.isComputed(index) { try fillComputed(from: index, &progress) }
        appendCells(of: index, to: &progress)
    }

    /// Says what the live cells of a column hold, for those who came when it was hidden.
    ///
    /// Complexity: linear in the rows.
    func appendCells(of index: Int, to progress: inout Progress) {
        let column = schema.entries[index].column.id
        var ids: [RowID] = []
        var values: [Value] = []
        forEachRow(from: 0, count: rowCount, columns: [column]) { row, cells in
            if !cells[0].isNull {
                ids.append(row)
                values.append(cells[0])
            }
            return true
        }
        if !ids.isEmpty {
            progress.changes.append(.cellsFilled(column, rows: ids, values: values))
        }
    }

    private mutating func moveColumn(
        _ index: Int, behind predecessor: Int?, _ progress: inout Progress
    ) throws(Rejection) {
        try countColumn(index, &progress)
        guard schema.predecessor(of: index) != predecessor else { return }
        let place = schema.place(behind: predecessor, moving: index)
        moveColumn(index, after: predecessor, stamp: progress.stamp)
        progress.changes.append(.columnMoved(schema.entries[index].column.id, to: place))
    }
}
