// What stands in the cells that an insertion does not name: defaults of columns, and what becomes
// of a row that lacks what is required. What is made here goes into the record, so that nobody who
// applies it needs to know where it came from.
import TableValue

extension Column {
    /// The defaults of so many new rows; nil where the column has none, or none that is known
    /// here: who and when only the server says.
    ///
    /// - Throws: `Rejection` where a default breaks the rules of the column, or a sequence is at
    ///   its end.
    func defaults(
        count: Int, after highest: Int64?, in circumstances: Circumstances?
    ) throws(Rejection) -> [Value]? {
        let list = rules.list
        let value: Value
        switch list.defaultSource {
        case nil:
            guard let tree = list.defaultValue, let constant = Value(rule: tree, of: type) else {
                return nil
            }
            return [Value](repeating: constant, count: count)
        case .sequence: return try sequence(count: count, after: highest)
        case .author:
            guard let circumstances else { return nil }
            value = .text(circumstances.user)
        case .now:
            guard let circumstances else { return nil }
            value = type == .date ? .date(circumstances.day) : .datetime(circumstances.moment)
        }
        try checkDefault(value)
        return [Value](repeating: value, count: count)
    }

    private func sequence(count: Int, after highest: Int64?) throws(Rejection) -> [Value] {
        var least: Int64 = 1
        if case .int(let number)? = rules.list.minimum { least = number }
        let (next, isOver) = (highest ?? 0).addingReportingOverflow(1)
        let first = max(next, least)
        let (last, isBeyond) = first.addingReportingOverflow(Int64(max(count, 1) - 1))
        guard !isOver, !isBeyond else {
            throw Rejection(
                .outOfRange, "The sequence of the column has no number left.", column: id)
        }
        try checkDefault(.int(last))
        return (0..<Int64(count)).map { .int(first + $0) }
    }

    private func checkDefault(_ value: Value) throws(Rejection) {
        if let rejection = violation(of: value) { throw rejection }
    }

    /// The refusal of rows that have nothing where something is required.
    var lacking: Rejection {
        Rejection(
            .ruleBroken, "The column is required and has no default: give a value.", column: id,
            rule: RuleName.required.text)
    }

    /// True where the default is one that only the server knows.
    fileprivate func isKnownToServerOnly(_ circumstances: Circumstances?) -> Bool {
        let source = rules.list.defaultSource
        return circumstances == nil && (source == .now || source == .author)
    }
}

extension Table {
    // MARK: New rows

    /// Adds to the cells of new rows those that have defaults.
    ///
    /// - Throws: `Rejection` where a row lacks what is required, or a default cannot be.
    mutating func complete(
        _ block: inout FittedBlock, _ ids: [RowID], _ progress: inout Progress
    ) throws(Rejection) {
        var added: [(index: Int, values: [Value])] = []
        for index in ruleBook.fillers
        where !schema.entries[index].isHidden && !block.columns.contains(index) {
            let column = schema.entries[index].column
            let highest = ruleBook.highestNumber(index)
            guard
                let values = try column.defaults(
                    count: ids.count, after: highest, in: progress.circumstances)
            else {
                if ruleBook.isRequired(index),
                    !column.isKnownToServerOnly(progress.circumstances)
                {
                    throw column.lacking
                }
                continue
            }
            try checkDiffer(values, index)
            try progress.countMade(ids.count, limits: limits)
            added.append((index, values))
        }
        guard !added.isEmpty else { return }
        let width = block.values.isEmpty ? 0 : block.columns.count
        var values: [Value] = []
        values.reserveCapacity(ids.count * (width + added.count))
        for row in ids.indices {
            values.append(contentsOf: block.values[row * width..<(row + 1) * width])
            for column in added { values.append(column.values[row]) }
        }
        let present = width == 0 ? [] : block.columns
        block = FittedBlock(columns: present + added.map(\.index), values: values)
    }

    /// Refuses defaults that another row has already, or two of the new ones, where they must
    /// differ.
    private func checkDiffer(_ values: [Value], _ index: Int) throws(Rejection) {
        guard ruleBook.isUnique(index) else { return }
        var seen: Set<Value> = []
        for value in values {
            if let holder = holder(of: value, index, besides: nil) {
                throw takenValue(index, by: holder)
            }
            guard seen.insert(value.worth).inserted else { throw takenValue(index, by: nil) }
        }
    }

    // MARK: New columns

    /// The defaults of a new column for the rows that are there; nil where it has none.
    ///
    /// - Throws: `Rejection` where rows would break the column's rules, with some of them.
    func defaultsForRows(
        of column: Column, _ progress: inout Progress
    ) throws(Rejection) -> [Value]? {
        guard rowCount > 0 else { return nil }
        let list = column.rules.list
        let values = try column.defaults(
            count: rowCount, after: nil, in: progress.circumstances)
        var broken: Rejection?
        if let values {
            if list.isUnique, list.defaultSource != .sequence, values.count > 1 {
                broken = Rejection(
                    .ruleBroken, "", column: column.id, rule: RuleName.unique.text)
            }
        } else if list.isRequired, !column.isKnownToServerOnly(progress.circumstances) {
            broken = column.lacking
        }
        if let broken {
            let first = (0..<min(rowCount, Self.offendersMax)).compactMap { row(at: $0) }
            throw self.broken(broken, by: rowCount, first)
        }
        guard let values else { return nil }
        guard rowCount <= limits.partsMax else {
            throw Rejection(
                .tooManyParts,
                "A column with a default can be added to \(limits.partsMax) rows; add it without, "
                    + "then give it the default.")
        }
        try progress.countMade(rowCount, limits: limits)
        return values
    }

    /// Writes the defaults of a column that was just added into the rows that are there.
    mutating func fillRows(_ index: Int, with values: [Value], _ progress: inout Progress) {
        let changes = zip(rows.order.liveSlots, values).map { slot, value in
            makeCell(slot, index, value, progress.stamp)
        }
        progress.changes.append(.cellsSet(changes))
    }
}
