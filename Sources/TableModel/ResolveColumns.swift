// Rules S1 to S8 and S13: columns added, renamed, moved and deleted.
// It decides and changes the table through Mutate.swift; cells of columns stay where they are.
import TableValue

extension Table {
    // MARK: Anchors

    /// The column, live or hidden, right after which a column shall stand; nil for the first place.
    ///
    /// Columns follow the anchor rules of rows.
    private func predecessor(
        for anchor: ColumnAnchor, moving: Int?, _ progress: inout Progress
    ) -> Int? {
        switch anchor {
        case .first:
            return nil
        case .last:
            return schema.order.last { $0 != moving }
        case .after(let reference):
            guard let index = schema.index(of: reference) else {
                progress.anchorGone = true
                return schema.order.last { $0 != moving }
            }
            if index == moving { return schema.predecessor(of: index) }
            if schema.entries[index].isHidden { progress.anchorHidden = true }
            return index
        }
    }

    // MARK: Adding

    mutating func performAddColumn(
        _ addition: AddColumn, _ progress: inout Progress
    ) throws(Rejection) {
        if addition.ifAbsent,
            let present = schema.index(foldedName: simpleCaseFolded(addition.name))
        {
            let column = schema.entries[present].column
            guard column.type == addition.type else {
                throw Rejection(
                    .typeDiffers, "The column is there, but holds \(column.type.rawValue).",
                    column: column.id)
            }
            progress.columnsGiven.append(column.id)
            progress.applied += 1
            return
        }
        try addColumn(addition, filled: nil, &progress)
    }

    /// Adds a column with what its cells hold, by slot; with its defaults where that is nil.
    mutating func addColumn(
        _ addition: AddColumn, filled: [SlotValue]?,
        _ progress: inout Progress
    ) throws(Rejection) {
        try checkName(addition.name)
        guard schema.liveOrder.count < limits.columnsMax else {
            throw Rejection(
                .tooManyColumns, "A table may have \(limits.columnsMax) columns; delete one first.")
        }
        let name = try freeName(addition.name, addition.onClash, for: nil, &progress)
        let newID = try idOfNewColumn(addition.id, by: progress.session)
        let rules = try rules(ColumnRules(), changedBy: addition.rules)
        var column = Column(
            id: newID, name: name, type: addition.type, rules: rules, display: addition.display)
        try admitRules(of: &column, &progress)
        let defaults = filled == nil ? try defaultsForRows(of: column, &progress) : nil
        let after = predecessor(for: addition.anchor, moving: nil, &progress)
        try attempt(&progress) { (table, progress) throws(Rejection) in
            let place = table.schema.place(behind: after)
            progress.changes.append(.columnAdded(column, at: place))
            _ = table.addColumn(column, after: after, stamp: progress.stamp)
            let index = table.cells.count - 1
            if let defaults { table.fillRows(index, with: defaults, &progress) }
            if let filled { try table.fill(index, with: filled, &progress) }
            try table.admitRows(toRulesOf: index, replacing: ColumnRules(), &progress)
        }
        if name != addition.name { progress.renamed.append(name) }
        if addition.id == nil { progress.columnsGiven.append(newID) }
        progress.applied += 1
    }

    private func idOfNewColumn(
        _ id: ColumnID?, by session: SessionNumber
    ) throws(Rejection) -> ColumnID {
        guard let id else {
            let highest = schema.highestCounter(of: .server)
            guard highest < UInt32.max else {
                throw Rejection(.outOfRange, "The server has no column ids left in this table.")
            }
            return ColumnID(session: .server, counter: highest + 1)
        }
        guard session != .server, id.session == session, id.counter > 0,
            schema.index(of: id) == nil
        else {
            throw Rejection(
                .badColumnID,
                "The column id \(id) cannot be used: new columns are of the author's session, "
                    + "counted from 1, never used before; or leave it out.", column: id)
        }
        return id
    }

    // MARK: Names

    private func checkName(_ name: Text) throws(Rejection) {
        if let problem = nameProblem(name, of: .column, bytesMax: limits.nameBytesMax) {
            throw Rejection(.badName, problem)
        }
    }

    /// The name, or where another column than `index` has it what `onClash` says.
    ///
    /// Rules S1, S3.
    func freeName(
        _ name: Text, _ onClash: NameClash, for index: Int?, _ progress: inout Progress
    ) throws(Rejection) -> Text {
        guard !isTaken(name, from: index) else {
            return try freeSuffix(name, onClash, for: index, &progress)
        }
        return name
    }

    private func isTaken(_ name: Text, from index: Int?) -> Bool {
        guard let holder = schema.index(foldedName: simpleCaseFolded(name)) else { return false }
        return holder != index
    }

    private func freeSuffix(
        _ name: Text, _ onClash: NameClash, for index: Int?, _ progress: inout Progress
    ) throws(Rejection) -> Text {
        guard onClash == .suffix else {
            throw Rejection(
                .nameTaken, "There is a column of that name; take another or ask for a suffix.")
        }
        // Among one more candidates than columns at least one is free.
        for number in 2...(schema.liveOrder.count + 2) {
            // Each try costs as much as a part, and holds up everybody else.
            progress.namesTried += 1
            guard progress.namesTried <= limits.partsMax else {
                throw Rejection(
                    .tooManyParts,
                    "Too many names had to be tried; give columns names that differ.")
            }
            let candidate = extendedName(
                name, by: " \(number)", bytesMax: limits.nameBytesMax)
            if !isTaken(candidate, from: index) { return candidate }
        }
        throw Rejection(.nameTaken, "There is a column of that name; take another.")
    }

    // MARK: Renaming, moving, deleting

    mutating func performRenameColumn(
        _ reference: ColumnReference, to wanted: Text, _ onClash: NameClash,
        _ progress: inout Progress
    ) throws(Rejection) {
        try checkName(wanted)
        guard let index = schema.index(of: reference) else { throw unknownColumn(reference) }
        // A hidden column's name clashes with nothing.
        let isHidden = schema.entries[index].isHidden
        let name = isHidden ? wanted : try freeName(wanted, onClash, for: index, &progress)
        try countColumn(index, &progress)
        if name != wanted { progress.renamed.append(name) }
        guard schema.entries[index].column.name != name else { return }
        renameColumn(index, to: name, stamp: progress.stamp)
        progress.changes.append(.columnRenamed(schema.entries[index].column.id, name: name))
    }

    mutating func performMoveColumn(
        _ reference: ColumnReference, to anchor: ColumnAnchor, _ progress: inout Progress
    ) throws(Rejection) {
        guard let index = schema.index(of: reference) else { throw unknownColumn(reference) }
        try countColumn(index, &progress)
        let after = predecessor(for: anchor, moving: index, &progress)
        guard schema.predecessor(of: index) != after else { return }
        let place = schema.place(behind: after, moving: index)
        moveColumn(index, after: after, stamp: progress.stamp)
        progress.changes.append(.columnMoved(schema.entries[index].column.id, to: place))
    }

    mutating func performDeleteColumn(
        _ reference: ColumnReference, _ progress: inout Progress
    ) throws(Rejection) {
        guard let index = schema.index(of: reference) else { throw unknownColumn(reference) }
        if let problem = problemHiding(index) { throw problem }
        progress.applied += 1
        guard !schema.entries[index].isHidden else { return }
        setColumnHidden(index, true, stamp: progress.stamp)
        progress.changes.append(.columnHidden(schema.entries[index].column.id))
    }

    func countColumn(_ index: Int, _ progress: inout Progress) throws(Rejection) {
        if schema.entries[index].isHidden {
            try progress.meetHidden(schema.entries[index].column.id)
        } else {
            progress.applied += 1
        }
    }
}
