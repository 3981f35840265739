// The expressions of rules, written a second time for the few that OpMaker.swift draws: two ints,
// of columns or numbers, compared by `<=` or added. Nothing of TableExpression is used.
import TableModel
import TableValue

/// `"c1.2" <= 7`, `"c1.2" + "c1.3"`.
struct ReferenceExpression {
    enum Operand {
        case column(ColumnID)
        case number(Int64)
    }

    let left: Operand
    let isSum: Bool
    let right: Operand

    init?(_ tree: JSONTree?, in table: ReferenceTable) {
        guard case .text(let text)? = tree else { return nil }
        let words = text.string.split(separator: " ")
        guard words.count == 3 else { return nil }
        func operand(_ word: Substring) -> Operand? {
            if let number = Int64(word) { return .number(number) }
            let name = word.filter { $0 != "\"" }
            return table.columns.first { "\($0.column.id)" == name }.map { .column($0.column.id) }
        }
        guard let left = operand(words[0]), let right = operand(words[2]) else { return nil }
        self.left = left
        self.right = right
        isSum = words[1] == "+"
    }

    /// The columns that it reads.
    var columns: Set<ColumnID> {
        var columns: Set<ColumnID> = []
        for operand in [left, right] {
            if case .column(let id) = operand { columns.insert(id) }
        }
        return columns
    }

    private func numbers(_ value: (ColumnID) -> Value) -> (Int64, Int64)? {
        var numbers: [Int64] = []
        for operand in [left, right] {
            switch operand {
            case .number(let number): numbers.append(number)
            case .column(let id):
                guard case .int(let number) = value(id) else { return nil }
                numbers.append(number)
            }
        }
        return (numbers[0], numbers[1])
    }

    /// False where the left is above the right.
    func isKept(_ value: (ColumnID) -> Value) -> Bool {
        numbers(value).map { $0.0 <= $0.1 } ?? true
    }

    /// The sum; null where there is none.
    func sum(_ value: (ColumnID) -> Value) -> Value {
        if case .column(let id) = left, case .date(let day) = value(id) {
            return self.day(behind: day, value)
        }
        guard let (left, right) = numbers(value) else { return .null }
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .null : .int(sum)
    }

    private func day(behind day: Day, _ value: (ColumnID) -> Value) -> Value {
        var days: Int64
        switch right {
        case .number(let number): days = number
        case .column(let id):
            guard case .int(let number) = value(id) else { return .null }
            days = number
        }
        // The histories' days are far from the first and last that can be written.
        guard (-100_000...100_000).contains(days) else { return .null }
        days += Int64(day.daysSinceEpoch)
        return .date(Day(daysSinceEpoch: Int32(days)))
    }
}

extension ReferenceTable {
    /// The columns that have an expression as the rule of that name.
    func expressions(
        _ name: Text, hidden: Bool = false
    ) -> [(owner: ColumnID, expression: ReferenceExpression)] {
        columns.compactMap { column in
            guard hidden || !column.isHidden else { return nil }
            return ReferenceExpression(ReferenceRules(column.column)[name], in: self).map {
                (column.column.id, $0)
            }
        }
    }

    /// True where each expression of the column reads live int columns, and no column is computed
    /// of itself.
    func hasRightExpressions(_ column: Column, isNew: Bool = false) -> Bool {
        let rules = ReferenceRules(column)
        for name in ["check", "computed"] as [Text] where rules[name] != nil {
            guard let expression = ReferenceExpression(rules[name], in: self),
                expression.isSum == (name == "computed")
            else { return false }
            for id in expression.columns {
                guard let place = columnPlace(id), columns[place].column.type == .int else {
                    return false
                }
                let isOld = columns.contains {
                    !isNew && $0.column.id == column.id
                        && ReferenceRules($0.column)[name] == rules[name]
                }
                if columns[place].isHidden, !isOld, id != column.id { return false }
            }
        }
        return !isCircular(column)
    }

    private func isCircular(_ column: Column) -> Bool {
        let own = ReferenceExpression(ReferenceRules(column)["computed"], in: self)
        var reached = own?.columns ?? []
        for _ in 0...columns.count {
            for (owner, expression) in expressions("computed", hidden: true)
            where owner != column.id && reached.contains(owner) {
                reached.formUnion(expression.columns)
            }
        }
        return reached.contains(column.id)
    }
}

extension ReferenceResolver {
    /// The cells that are computed anew where those of some columns change, nil for all; only
    /// those that differ.
    func computed(
        _ row: RowID, _ new: [ColumnID: Value], of columns: Set<ColumnID>?
    ) -> [ColumnID: Value] {
        var cells = new
        var made: [ColumnID: Value] = [:]
        // Each time at least one more column is right.
        for _ in 0...table.columns.count {
            for (owner, expression) in table.expressions("computed") {
                let changed = columns.map { $0.union(made.keys) }
                if let changed, changed.isDisjoint(with: expression.columns) { continue }
                let value = expression.sum { cells[$0] ?? table.value(row, $0) }
                cells[owner] = value
                if value == table.value(row, owner) {
                    made[owner] = nil
                } else {
                    made[owner] = value
                }
            }
        }
        return made
    }

    /// The columns on which those checks depend that a row breaks; of the checks that read what
    /// changes, nil for all.
    func brokenChecks(
        _ row: RowID, _ new: [ColumnID: Value], of columns: Set<ColumnID>?
    ) -> Set<ColumnID> {
        var inputs: Set<ColumnID> = []
        for (_, expression) in table.expressions("check") {
            if let columns, columns.isDisjoint(with: expression.columns) { continue }
            if expression.isKept({ new[$0] ?? table.value(row, $0) }) { continue }
            inputs.formUnion(expression.columns)
        }
        for _ in 0...table.columns.count {
            for (owner, expression) in table.expressions("computed", hidden: true)
            where inputs.contains(owner) {
                inputs.formUnion(expression.columns)
            }
        }
        return inputs
    }

    /// What a new expression of a column does to the rows that are there.
    mutating func admitRows(_ column: Column, after old: ColumnRules) throws(ReferenceRefusal) {
        let (rules, before) = (
            ReferenceRules(column),
            ReferenceRules(Column(id: column.id, name: "", type: column.type, rules: old))
        )
        let isHidden = table.columnPlace(column.id).map { table.columns[$0].isHidden } ?? false
        if !isHidden, rules["computed"] != nil, rules["computed"] != before["computed"] {
            for row in table.rows where !row.isHidden {
                let own = ReferenceExpression(rules["computed"], in: table)
                let value = own?.sum { table.value(row.id, $0) } ?? .null
                var made = [column.id: value]
                for (id, value) in computed(row.id, made, of: [column.id]) { made[id] = value }
                for (id, value) in made where table.value(row.id, id) != value {
                    put(row.id, id, value)
                }
                guard brokenChecks(row.id, [:], of: Set(made.keys)).isEmpty else {
                    throw ReferenceRefusal()
                }
            }
        }
        if rules["check"] != nil, rules["check"] != before["check"] {
            let own = ReferenceExpression(rules["check"], in: table)
            for row in table.rows where !row.isHidden {
                if own?.isKept({ table.value(row.id, $0) }) == false { throw ReferenceRefusal() }
            }
        }
    }

    /// True where a rule of another live column reads the column.
    func isRead(_ id: ColumnID) -> Bool {
        (table.expressions("check") + table.expressions("computed")).contains {
            $0.owner != id && $0.expression.columns.contains(id)
        }
    }
}
