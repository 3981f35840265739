// Rules T1 to T14: operations on all rows at once. Sorting for good, setting a column by an
// expression, clearing. They decide and change the table through Mutate.swift.
import TableExpression
import TableValue

/// A cell of one column by its row's slot, with what it holds.
typealias SlotValue = (slot: UInt32, value: Value)

extension Table {
    // MARK: Sorting

    /// Puts rows into the order of some columns, once: rules T1 to T8.
    mutating func performSort(_ sort: SortRows, _ progress: inout Progress) throws(Rejection) {
        guard !sort.keys.isEmpty else {
            throw Rejection(.malformed, "Say by which columns to sort.")
        }
        var columns: [(index: Int, isDescending: Bool)] = []
        for key in sort.keys {
            guard let index = schema.index(of: key.column), !schema.entries[index].isHidden else {
                throw unknownColumn(key.column)
            }
            columns.append((index, key.isDescending))
        }
        let slots = try slotsToSort(sort.rows, &progress)
        progress.applied += slots.count
        guard slots.count > 1 else { return }
        let before = rows.order.inOrder(slots)
        arrange(sorted(before, by: columns), from: before, &progress)
    }

    private func slotsToSort(
        _ ids: [RowID]?, _ progress: inout Progress
    ) throws(Rejection) -> [UInt32] {
        guard let ids else {
            try checkWidth(rowCount)
            return rows.order.liveSlots
        }
        var seen = SlotBits()
        var slots: [UInt32] = []
        for id in ids {
            guard let slot = rows.slot(of: id) else {
                try progress.miss(id)
                continue
            }
            guard !rows.order.isHidden(slot) else {
                try progress.meetHidden(id)
                continue
            }
            if !seen[slot] { slots.append(slot) }
            seen.set(slot, true)
        }
        return slots
    }

    /// The rows, given in the order of the table, in that of the columns.
    ///
    /// Rows that are the same in all of them stay in order. Rule T7.
    private func sorted(
        _ slots: [UInt32], by columns: [(index: Int, isDescending: Bool)]
    ) -> [UInt32] {
        let keys = columns.map { column in
            slots.map { SortableValue(cells[column.index].value($0)) }
        }
        let order = slots.indices.sorted { left, right in
            for (key, column) in zip(keys, columns) {
                let (left, right) = (key[left], key[right])
                if left.isNull || right.isNull {
                    if left.isNull != right.isNull { return right.isNull }
                    continue
                }
                let found = left.compare(right)
                if found != 0 { return (found < 0) != column.isDescending }
            }
            return left < right
        }
        return order.map { slots[$0] }
    }

    /// Lets live rows, which stand as in `before`, take the places that they have among them.
    mutating func arrange(
        _ slots: [UInt32], from before: [UInt32], _ progress: inout Progress
    ) {
        guard slots != before else { return }
        arrangeRows(slots, stamp: progress.stamp)
        progress.changes.append(.rowsArranged(slots.map { rows.ids[$0] }))
    }

    // MARK: Setting a column by an expression

    /// Sets a column of all rows, or of those that a condition chooses, to what an expression says.
    mutating func performTransform(
        _ transform: TransformColumn, _ progress: inout Progress
    ) throws(Rejection) {
        guard let index = schema.index(of: transform.column), !schema.entries[index].isHidden else {
            throw unknownColumn(transform.column)
        }
        let column = schema.entries[index].column
        if ruleBook.isComputed(index) {
            throw Rejection(
                .ruleBroken, "The column is computed of others; change those, or the rule.",
                column: column.id, rule: RuleName.computed.text)
        }
        try checkWidth(rowCount)
        var value = try prepared(
            transform.value, .transform(into: ExpressionType(column.type)), progress)
        var condition: PreparedExpression?
        if let text = transform.condition { condition = try prepared(text, .filter, progress) }
        var edits: [CellEdit] = []
        for slot in rows.order.liveSlots {
            if condition != nil {
                do throws(EvaluationError) {
                    if try condition?.evaluate(slot, in: cells).isTrue != true { continue }
                } catch {
                    throw noValue(error, nil, slot)
                }
            }
            let made: Value
            do throws(EvaluationError) {
                made = try value.evaluate(slot, in: cells).cellValue ?? .null
            } catch {
                try progress.refuse(noValue(error, column.id, slot), parts: 1)
                continue
            }
            edits.append(CellEdit(row: rows.ids[slot], column: .id(column.id), value: made))
        }
        try setMany(edits, &progress)
    }

    /// An expression with the columns that it reads, by index.
    struct PreparedExpression: Sendable {
        var evaluator: Evaluator
        let columns: [Int]
        /// True where its value depends on when it is asked.
        let usesTime: Bool

        mutating func evaluate(
            _ slot: UInt32, in stores: [ColumnStore]
        ) throws(EvaluationError) -> ExpressionValue {
            let columns = columns
            return try evaluator.evaluate { ExpressionValue(stores[columns[$0]].value(slot)) }
        }
    }

    private func noValue(
        _ error: EvaluationError, _ column: ColumnID?, _ slot: UInt32
    ) -> Rejection {
        Rejection(
            .badExpression, "The expression has no value for a row: \(error.fault.message).",
            row: rows.ids[slot], column: column)
    }

    func prepared(
        _ text: Text, _ purpose: ExpressionPurpose, _ progress: borrowing Progress
    ) throws(Rejection) -> PreparedExpression {
        let expression: Expression
        do throws(ExpressionError) {
            expression = try Expression(text, schema: expressionSchema(with: nil), for: purpose)
        } catch {
            throw Rejection(.badExpression, error.rendered(source: text))
        }
        let columns = expression.columns.compactMap { schema.index(of: ColumnID($0)) }
        guard columns.count == expression.columns.count else {
            throw Rejection(.badExpression, "The expression reads a column that is not there.")
        }
        return PreparedExpression(
            evaluator: Evaluator(
                expression,
                time: progress.circumstances.map { EvaluationTime(today: $0.day, now: $0.moment) }),
            columns: columns, usesTime: expression.usesTime)
    }

    /// Sets cells, of which there may be as many as rows, and says so with less where they are of
    /// one column.
    mutating func setMany(
        _ edits: [CellEdit], _ progress: inout Progress
    ) throws(Rejection) {
        guard !edits.isEmpty else { return }
        let count = progress.changes.count
        try performSet(edits, &progress)
        guard progress.changes.count == count + 1,
            case .cellsSet(let cells)? = progress.changes.last,
            cells.count >= Self.cellsToFill, let first = cells.first,
            let index = schema.index(of: first.column), !ruleBook.isUnique(index),
            cells.allSatisfy({ $0.column == first.column })
        else { return }
        let fill = filling(cells.map { ($0.row, $0.value) }, of: first.column)
        // No cell may stand twice.
        guard case .cellsFilled(_, let rows, _) = fill,
            zip(rows, rows.dropFirst()).allSatisfy({ $0 != $1 })
        else { return }
        progress.changes[count] = fill
    }

    /// As many cells of one column are said with less as a fill.
    static var cellsToFill: Int { 16 }

    /// The change that sets cells of one column, by id, so that neighbours are runs.
    private func filling(_ cells: [(row: RowID, value: Value)], of column: ColumnID) -> Change {
        let ordered = cells.sorted { $0.row.rawValue < $1.row.rawValue }
        return .cellsFilled(column, rows: ordered.map(\.row), values: ordered.map(\.value))
    }

    /// Says that cells of one column were set, if there are any.
    func appendFill(
        _ cells: [SlotValue], of column: ColumnID, to progress: inout Progress
    ) {
        guard !cells.isEmpty else { return }
        progress.changes.append(
            filling(cells.map { (rows.ids[$0.slot], $0.value) }, of: column))
    }

    // MARK: Clearing

    /// Deletes all rows, or those that the author knew of.
    ///
    /// Rules T9 to T13.
    mutating func performClear(
        includingNewer: Bool, _ progress: inout Progress
    ) throws(Rejection) {
        guard includingNewer || progress.base > 0 || head == 0 else {
            throw Rejection(
                .malformed,
                "A clear needs base, the last record that you have seen; truncate takes all rows.")
        }
        try checkWidth(rowCount)
        var leaving: [UInt32] = []
        for slot in rows.order.liveSlots {
            let created = rows.created[slot]
            if !includingNewer, created.isNews(to: progress.session, since: progress.base) {
                progress.leaveNewer(created)
                continue
            }
            leaving.append(slot)
        }
        progress.applied += leaving.count
        hide(leaving, &progress)
    }

    /// Hides rows in the order of their ids, which is how the record lists them: an undo goes the
    /// same way back whether its steps were kept, or made again from the record.
    mutating func hide(_ slots: [UInt32], _ progress: inout Progress) {
        guard !slots.isEmpty else { return }
        let ordered = slots.sorted { rows.ids[$0].rawValue < rows.ids[$1].rawValue }
        for slot in ordered { setRowHidden(slot, true, stamp: progress.stamp) }
        progress.changes.append(.rowsHidden(ordered.map { rows.ids[$0] }))
    }

    /// Refuses what would touch more rows than one operation may.
    func checkWidth(_ count: Int) throws(Rejection) {
        guard count <= limits.wideRowsMax else {
            throw Rejection(
                .tooManyParts,
                "One operation may touch \(limits.wideRowsMax) rows of a table, here are \(count).")
        }
    }
}
