// The rules of a table's columns made ready for writing: what each column asks, which values are
// taken, how far sequences have come. Mutate.swift keeps it true, whoever writes; RuleCheck.swift,
// Defaults.swift and the Resolve files ask it.
import TableExpression
import TableValue

/// What the columns of a table ask, made ready.
struct RuleBook: Sendable {
    /// By column index; nil where the column has no rules.
    ///
    /// Shorter where the last ones have none.
    private(set) var values: [ValueRules?] = []
    /// By column index, of columns whose values must differ.
    private(set) var unique: [UniqueIndex?] = []
    /// By column index: the highest number that a column with a sequence ever had.
    private(set) var highest: [Int64?] = []
    /// Columns with a rule that concerns new rows: a default, or `required`.
    private(set) var fillers: [Int] = []
    /// Columns whose values must differ.
    private(set) var uniqueColumns: [Int] = []

    /// Checks, by the index of the column that has them.
    private(set) var checks: [RowRule] = []
    /// Computed columns, each behind those that it reads.
    private(set) var computed: [RowRule] = []
    /// By column index: true where an expression reads it.
    private var isRead: [Bool] = []
    /// Steps that expressions and patterns may still take in the operation.
    var stepsLeft = 0

    /// True where no column has rules.
    var isEmpty: Bool { values.isEmpty }

    /// The rules of a column about single values; nil where it has none.
    func rules(_ index: Int) -> ColumnRules? {
        index < values.count ? values[index]?.rules : nil
    }

    /// True where writing to the column concerns a rule.
    func concerns(_ index: Int) -> Bool {
        if index < isRead.count, isRead[index] { return true }
        return index < values.count && (values[index] != nil || highest[index] != nil)
    }

    /// True where there is an expression.
    var hasRowRules: Bool { !checks.isEmpty || !computed.isEmpty }

    /// True where a column has an expression.
    func hasExpressions(of index: Int) -> Bool {
        checks.contains { $0.owner == index } || isComputed(index)
    }

    /// True where the cells of a column are computed.
    func isComputed(_ index: Int) -> Bool { computed.contains { $0.owner == index } }

    /// The columns on which checks depend, those among them by way of which others are computed.
    func inputs(ofChecks places: [Int]) -> Set<Int> {
        var inputs: Set<Int> = []
        for place in places { inputs.formUnion(checks[place].columns) }
        for rule in computed.reversed() where inputs.contains(rule.owner) {
            inputs.formUnion(rule.columns)
        }
        return inputs
    }

    /// True where the column's values must differ.
    func isUnique(_ index: Int) -> Bool { index < unique.count && unique[index] != nil }

    /// True where null is refused.
    func isRequired(_ index: Int) -> Bool {
        index < values.count && values[index]?.isRequired == true
    }

    /// The highest number that a sequence has had; nil where the column has none.
    func highestNumber(_ index: Int) -> Int64? { index < highest.count ? highest[index] : nil }

    /// Why a value breaks a rule about single values.
    mutating func violation(of value: Value, _ index: Int, in column: ColumnID) -> Rejection? {
        guard index < values.count else { return nil }
        let before = values[index]?.stepsSpent ?? 0
        defer { stepsLeft -= (values[index]?.stepsSpent ?? 0) &- before }
        return values[index]?.violation(of: value, in: column)
    }

    /// What a computed column's expression comes to; nil where it has no value.
    mutating func evaluateComputed(
        _ place: Int, _ cell: (Int) -> ExpressionValue
    ) -> ExpressionValue? {
        let before = computed[place].evaluator.stepsSpent
        defer { stepsLeft -= computed[place].evaluator.stepsSpent &- before }
        return try? computed[place].evaluator.evaluate(cell)
    }

    /// What a check comes to.
    mutating func evaluateCheck(
        _ place: Int, _ cell: (Int) -> ExpressionValue
    ) -> Result<ExpressionValue, EvaluationFault> {
        let before = checks[place].evaluator.stepsSpent
        defer { stepsLeft -= checks[place].evaluator.stepsSpent &- before }
        do {
            return .success(try checks[place].evaluator.evaluate(cell))
        } catch {
            return .failure(error.fault)
        }
    }

    // MARK: Keeping it true

    /// Takes the rules that a column has from here on.
    mutating func set(_ rules: ColumnRules, _ index: Int, of type: ColumnType) {
        if rules.isEmpty, index >= values.count { return }
        while values.count <= index {
            values.append(nil)
            unique.append(nil)
            highest.append(nil)
        }
        values[index] = rules.isEmpty ? nil : ValueRules(rules, of: type)
        while let last = values.last, last == nil, highest[values.count - 1] == nil {
            values.removeLast()
            unique.removeLast()
            highest.removeLast()
        }
        fillers = values.indices.filter { index in
            guard let list = values[index]?.rules.list else { return false }
            return list.isRequired || list.defaultValue != nil || list.defaultSource != nil
        }
        uniqueColumns = unique.indices.filter { unique[$0] != nil }
    }

    /// Takes the expressions that a column has from here on.
    mutating func setExpressions(of index: Int, _ rules: [RowRule], in schema: Schema) {
        checks.removeAll { $0.owner == index }
        computed.removeAll { $0.owner == index }
        checks += rules.filter { $0.name == .check }
        checks.sort { $0.owner < $1.owner }
        computed += rules.filter { $0.name == .computed }
        computed.sort { $0.owner < $1.owner }
        func key(_ index: Int) -> ColumnKey {
            ColumnKey(rawValue: schema.entries[index].column.id.rawValue)
        }
        let columns = computed.map {
            ComputedColumn(key: key($0.owner), uses: $0.columns.map(key))
        }
        // A circle comes from nobody who resolves; it would be evaluated as it stands.
        if let order = try? evaluationOrder(of: columns) {
            var ordered: [RowRule] = []
            for key in order {
                ordered += computed.filter {
                    schema.entries[$0.owner].column.id.rawValue == key.rawValue
                }
            }
            computed = ordered
        }
        isRead = Array(repeating: false, count: schema.entries.count)
        for rule in checks + computed { for column in rule.columns { isRead[column] = true } }
        if !hasRowRules { isRead = [] }
    }

    mutating func setUnique(_ index: Int, _ column: UniqueIndex?) {
        guard index < unique.count else { return }
        unique[index] = column
        uniqueColumns = unique.indices.filter { unique[$0] != nil }
    }

    mutating func insert(_ worth: Value, _ slot: UInt32, _ index: Int) {
        unique[index]?.insert(worth, slot)
    }

    mutating func remove(_ worth: Value, _ slot: UInt32, _ index: Int) {
        unique[index]?.remove(worth, slot)
    }

    /// Notes a number that a column with a sequence has.
    mutating func raise(_ index: Int, to number: Int64) {
        guard index < highest.count, let present = highest[index] else { return }
        if number > present { highest[index] = number }
    }

    /// Begins to note the numbers of a column; what was noted before stays.
    mutating func beginSequence(_ index: Int, at number: Int64) {
        guard index < highest.count else { return }
        highest[index] = max(highest[index] ?? .min, number)
    }

    /// Sets the numbers of sequences back, after an operation that came to nothing.
    mutating func setBack(_ numbers: [Int64?]) {
        for (index, number) in numbers.enumerated() where index < highest.count {
            highest[index] = number
        }
    }
}

extension Table {
    /// Makes ready the rules of a column, after they or its type were set anew.
    ///
    /// Complexity: linear in the rows where its values must differ or are numbered.
    mutating func refreshRules(of index: Int) {
        let column = schema.entries[index].column
        let list = column.rules.list
        ruleBook.set(column.rules, index, of: column.type)
        if list.isUnique {
            var made = UniqueIndex()
            for slot in 0..<UInt32(rows.ids.count) where !rows.order.isHidden(slot) {
                let value = cells[index].value(slot)
                if !value.isNull { made.insert(value.worth, slot) }
            }
            ruleBook.setUnique(index, made)
        } else if ruleBook.isUnique(index) {
            ruleBook.setUnique(index, nil)
        }
        if list.defaultSource == .sequence {
            var highest: Int64 = 0
            for slot in 0..<UInt32(rows.ids.count) {
                if case .int(let number) = cells[index].value(slot) {
                    highest = max(highest, number)
                }
            }
            ruleBook.beginSequence(index, at: highest)
        }
        cells[index].isRuled = ruleBook.concerns(index)
        refreshExpressions(of: index)
    }

    /// Stores a value where the column has rules: what is taken, and how far its sequence has come,
    /// is noted.
    mutating func storeRuled(_ slot: UInt32, _ index: Int, _ value: Value) -> Bool {
        let isCounted = ruleBook.isUnique(index) && !rows.order.isHidden(slot)
        let old = isCounted ? cells[index].value(slot) : .null
        guard cells[index].set(slot, value) else { return false }
        if !old.isNull { ruleBook.remove(old.worth, slot, index) }
        if isCounted, !value.isNull { ruleBook.insert(value.worth, slot, index) }
        if case .int(let number) = value { ruleBook.raise(index, to: number) }
        return true
    }

    /// Notes that a row no longer counts where values must differ, or does so again.
    mutating func noteHidden(_ slot: UInt32, _ isHidden: Bool) {
        for index in ruleBook.uniqueColumns {
            let value = cells[index].value(slot)
            if value.isNull { continue }
            if isHidden {
                ruleBook.remove(value.worth, slot, index)
            } else {
                ruleBook.insert(value.worth, slot, index)
            }
        }
    }

    /// The live row, other than `slot`, that holds a value which must differ from it; nil where the
    /// value is free, or the column does not ask for that.
    func holder(of value: Value, _ index: Int, besides slot: UInt32?) -> UInt32? {
        guard !value.isNull, index < ruleBook.unique.count, let unique = ruleBook.unique[index]
        else { return nil }
        let worth = value.worth
        return unique.first(worth) { $0 != slot && cells[index].value($0).worth == worth }
    }

    /// The refusal of a value that another row has.
    func takenValue(_ index: Int, by holder: UInt32?) -> Rejection {
        var rejection = Rejection(
            .ruleBroken, "Another row has the value, and the column's values must differ.",
            column: schema.entries[index].column.id, rule: RuleName.unique.text)
        if let holder { rejection.offenders = [rows.ids[holder]] }
        return rejection
    }
}
