// Operations on all rows, written a second time: T1 to T13, U9. Sorting compares values as plainly
// as possible; nothing of TableValue's order is used.
import TableModel
import TableValue

extension ReferenceResolver {
    /// T1 to T8: the rows change places among each other, equal ones stay in order.
    mutating func performSort(_ sort: SortRows) {
        var keys: [(column: ColumnID, isDescending: Bool)] = []
        for key in sort.keys {
            guard let column = column(key.column), !column.isHidden else {
                refused += 1
                return
            }
            keys.append((column.column.id, key.isDescending))
        }
        guard !keys.isEmpty else {
            refused += 1
            return
        }
        var ids: [RowID] = []
        for id in sort.rows ?? table.liveRows where !ids.contains(id) {
            guard let place = table.rowPlace(id) else {
                gone += 1
                continue
            }
            if table.rows[place].isHidden { hidden += 1 } else { ids.append(id) }
        }
        applied += ids.count
        let inOrder = table.liveRows.filter { ids.contains($0) }
        var sorted: [RowID] = []
        // Each row goes behind all that are not greater.
        for id in inOrder {
            let place = sorted.lastIndex { !isBefore(id, $0, keys) }.map { $0 + 1 } ?? 0
            sorted.insert(id, at: place)
        }
        arrange(sorted)
    }

    mutating func arrange(_ ids: [RowID]) {
        let before = table.rows
        table.arrange(ids)
        hasChanged = hasChanged || before != table.rows
    }

    private func isBefore(
        _ left: RowID, _ right: RowID, _ keys: [(column: ColumnID, isDescending: Bool)]
    ) -> Bool {
        for key in keys {
            let (one, other) = (table.value(left, key.column), table.value(right, key.column))
            if one == .null || other == .null {
                if one != other { return other == .null }
                continue
            }
            let isLess = referenceIsLess(one, other)
            if isLess || referenceIsLess(other, one) { return isLess != key.isDescending }
        }
        return false
    }

    /// FD5: what an expression comes to, for each row where the condition holds.
    mutating func performTransform(_ transform: TransformColumn) {
        let numbers: [ColumnType] = [.int, .double, .decimal]
        guard let target = column(transform.column), !target.isHidden,
            numbers.contains(target.column.type) || target.column.type == .date,
            ReferenceRules(target.column)["computed"] == nil,
            let value = target.column.type == .date
                ? dateSum(transform.value) : expression(transform.value), value.isSum
        else {
            refused += 1
            return
        }
        var condition: ReferenceExpression?
        if let text = transform.condition {
            condition = expression(text)
            guard condition?.isSum == false else {
                refused += 1
                return
            }
        }
        var edits: [CellEdit] = []
        for row in table.liveRows {
            if let condition {
                let inputs = condition.columns.map { table.value(row, $0) }
                guard !inputs.contains(.null), condition.isKept({ table.value(row, $0) }) else {
                    continue
                }
            }
            let sum = value.sum { table.value(row, $0) }
            if sum == .null, !value.columns.contains(where: { table.value(row, $0) == .null }) {
                refused += 1
                continue
            }
            edits.append(CellEdit(row: row, column: transform.column, value: sum))
        }
        performSet(edits)
    }

    /// A day and a number of days.
    private func dateSum(_ text: Text) -> ReferenceExpression? {
        guard let sum = ReferenceExpression(.text(text), in: table), sum.isSum,
            case .column(let day) = sum.left, type(of: day) == .date
        else { return nil }
        if case .column(let days) = sum.right, type(of: days) != .int { return nil }
        return sum
    }

    private func type(of column: ColumnID) -> ColumnType? {
        table.columnPlace(column).map { table.columns[$0].column.type }
    }

    private func expression(_ text: Text) -> ReferenceExpression? {
        guard let expression = ReferenceExpression(.text(text), in: table) else { return nil }
        let areInts = expression.columns.allSatisfy { id in
            table.columnPlace(id).map { table.columns[$0].column.type == .int } ?? false
        }
        return areInts ? expression : nil
    }

    /// T9 to T13.
    mutating func performClear(base: SequenceNumber, includingNewer: Bool) {
        guard includingNewer || base > 0 else {
            refused += 1
            return
        }
        for place in table.rows.indices where !table.rows[place].isHidden {
            let created = table.created[table.rows[place].id] ?? 0
            let isNews = created > base && table.past.session(created) != session
            if isNews, !includingNewer { continue }
            table.rows[place].isHidden = true
            applied += 1
            hasChanged = true
        }
    }
}

extension ReferenceTable {
    /// Live rows take the places that they have among them, in this order.
    mutating func arrange(_ ids: [RowID]) {
        let places = rows.indices.filter { ids.contains(rows[$0].id) }
        for (place, id) in zip(places, ids) { rows[place] = Row(id: id) }
    }
}

/// FD13 for two values of one type, neither of them null.
func referenceIsLess(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return !left && right
    case (.int(let left), .int(let right)): return left < right
    case (.double(let left), .double(let right)):
        return left.isNaN ? false : right.isNaN ? true : left < right
    case (.decimal(let left), .decimal(let right)): return left.isLess(than: right)
    case (.date(let left), .date(let right)): return left.daysSinceEpoch < right.daysSinceEpoch
    case (.datetime(let left), .datetime(let right)):
        return left.microsecondsSinceEpoch < right.microsecondsSinceEpoch
    case (.uuid(let left), .uuid(let right)):
        return (left.high, left.low) < (right.high, right.low)
    case (.text(let left), .text(let right)), (.choice(let left), .choice(let right)):
        return isLess(left, right)
    case (.json(let left), .json(let right)): return isLess(left.text, right.text)
    case (.list(let left), .list(let right)):
        guard case .list(let left) = left.tree, case .list(let right) = right.tree else {
            return false
        }
        if left.count != right.count { return left.count < right.count }
        for (one, other) in zip(left, right) {
            if isElementLess(one, other) { return true }
            if isElementLess(other, one) { return false }
        }
        return false
    default: return false
    }
}

private func isLess(_ left: Text, _ right: Text) -> Bool {
    let (one, other) = (words(left), words(right))
    for (one, other) in zip(one, other) where one != other { return one.isLess(than: other) }
    if one.count != other.count { return one.count < other.count }
    return Array(left.string.utf8).lexicographicallyPrecedes(Array(right.string.utf8))
}

/// FD13 for what stands in lists: flags, then numbers, then texts, then nothing.
private func isElementLess(_ left: JSONTree, _ right: JSONTree) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return !left && right
    case (.int(let left), .int(let right)): return left < right
    case (.double(let left), .double(let right)): return left < right
    // The histories' numbers are small, which a double holds exactly.
    case (.int(let left), .double(let right)): return Double(left) < right
    case (.double(let left), .int(let right)): return left < Double(right)
    case (.text(let left), .text(let right)): return isLess(left, right)
    default: return rank(left) < rank(right)
    }
}

private func rank(_ element: JSONTree) -> Int {
    switch element {
    case .bool: 0
    case .int, .double: 1
    case .text: 2
    default: 3
    }
}

/// A run of digits, or one other character without its case.
private enum Word: Equatable {
    case number(String)
    case character(UInt32)

    func isLess(than other: Word) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)):
            left.count == right.count ? left < right : left.count < right.count
        case (.number, .character(let right)): 0x30 < right
        case (.character(let left), .number): left < 0x30
        case (.character(let left), .character(let right)): left < right
        }
    }
}

private func words(_ text: Text) -> [Word] {
    var words: [Word] = []
    var isInRun = false
    for scalar in text.string.lowercased().unicodeScalars {
        let isDigit = (0x30...0x39).contains(scalar.value)
        if isDigit, isInRun, case .number(let run)? = words.last {
            words[words.count - 1] = .number(run + String(scalar))
        } else {
            words.append(isDigit ? .number(String(scalar)) : .character(scalar.value))
        }
        isInRun = isDigit
    }
    return words.map { word in
        if case .number(let run) = word { .number(String(run.drop { $0 == "0" })) } else { word }
    }
}
