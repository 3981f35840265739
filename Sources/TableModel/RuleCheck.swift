// Whether a value keeps the rules of its column: the one check that every way to write passes.
// What rules there are is in ColumnRules.swift.
package import TableValue

extension Column {
    /// The value as it would be stored in the column, or why it cannot be, as far as the column
    /// alone can say: whether another row has it already, only the table knows.
    package func accepted(_ value: Value, limits: TableLimits) -> Result<Value, Rejection> {
        switch fitting(value, limits: limits) {
        case .success(let value):
            if let rejection = violation(of: value) { return .failure(rejection) }
            return .success(value)
        case .failure(let rejection): return .failure(rejection)
        }
    }

    /// The value as one of the column's type and of no more than its size; or why it is not.
    func fitting(_ value: Value, limits: TableLimits) -> Result<Value, Rejection> {
        guard let fitting = fitted(value, to: type) else {
            return .failure(
                Rejection(
                    .wrongType, "The column holds \(type.rawValue); send one, or null.",
                    column: id))
        }
        if let text = fitting.textHeld, text.byteCount > limits.cellBytesMax {
            return .failure(
                Rejection(
                    .cellTooLarge,
                    "A cell may hold \(limits.cellBytesMax) bytes, this has \(text.byteCount).",
                    column: id))
        }
        return .success(fitting)
    }

    /// Why a value of the column's type breaks a rule of the column; nil where it does not.
    func violation(of value: Value) -> Rejection? {
        if rules.isEmpty, type != .choice { return nil }
        var ready = ValueRules(rules, of: type)
        return ready.violation(of: value, in: id)
    }

    // MARK: Adding

    /// What adding to a number in the column comes to, or why it cannot be added to.
    ///
    /// An empty cell counts as 0. Rules C4 and C5.
    package func sum(of current: Value, _ amount: Value) -> Result<Value, Rejection> {
        let sum: Value?
        switch type {
        case .int:
            guard let amount = wholeNumber(amount) else { return .failure(notANumber) }
            let present: Int64 = if case .int(let number) = current { number } else { 0 }
            let (total, overflow) = present.addingReportingOverflow(amount)
            sum = overflow ? nil : .int(total)
        case .double:
            guard case .double(let amount)? = fitted(amount, to: .double) else {
                return .failure(notANumber)
            }
            let present = if case .double(let number) = current { number } else { 0.0 }
            let total = present + amount
            sum = .double(total.isNaN ? .nan : total)
        case .decimal:
            guard case .decimal(let amount)? = fitted(amount, to: .decimal) else {
                return .failure(notANumber)
            }
            let present = if case .decimal(let number) = current { number } else { ExactDecimal(0) }
            sum = present.adding(amount).map { .decimal($0) }
        default:
            return .failure(notANumber)
        }
        guard let sum else {
            return .failure(
                Rejection(
                    .outOfRange, "No \(type.rawValue) can hold the sum.", column: id))
        }
        if let rejection = violation(of: sum) { return .failure(rejection) }
        return .success(sum)
    }

    private var notANumber: Rejection {
        Rejection(
            .wrongType,
            "Only a number fitting the column can be added to an int, double or decimal column.",
            column: id)
    }

    private func wholeNumber(_ amount: Value) -> Int64? {
        if case .double(let number) = amount {
            // Not `exactly:`, which needs the mathematics library.
            guard number.magnitude < 0x1p63 else { return nil }
            let whole = Int64(number)
            return Double(whole) == number ? whole : nil
        }
        guard case .int(let number)? = fitted(amount, to: .int) else { return nil }
        return number
    }
}

/// The value as one of a type; nil where it does not fit.
///
/// A NaN becomes the one NaN.
func fitted(_ value: Value, to type: ColumnType) -> Value? {
    switch (value, type) {
    case (.null, _), (.int, .int), (.text, .text), (.bool, .bool), (.date, .date),
        (.datetime, .datetime), (.uuid, .uuid), (.decimal, .decimal), (.choice, .choice),
        (.list, .list), (.json, .json):
        return value
    case (.double(let number), .double):
        return number.isNaN ? .double(.nan) : value
    default:
        return try? value.converted(to: type)
    }
}

extension Table {
    /// How many rows a refusal names at most.
    static var offendersMax: Int { 20 }

    /// Changes the rules of a column, where its live cells keep them.
    ///
    /// Rule S15.
    mutating func performChangeRules(
        _ reference: ColumnReference, _ patch: JSONTree, _ progress: inout Progress
    ) throws(Rejection) {
        guard let index = schema.index(of: reference) else { throw unknownColumn(reference) }
        let rules = try rules(schema.entries[index].column.rules, changedBy: patch)
        try replaceRules(of: index, by: rules, &progress)
    }

    /// Gives a column other rules, where its live cells keep them.
    mutating func replaceRules(
        of index: Int, by rules: ColumnRules, _ progress: inout Progress
    ) throws(Rejection) {
        var column = schema.entries[index].column
        let present = column.rules
        column.rules = rules
        try admitRules(of: &column, replacing: present, &progress)
        if column.rules.canBeBroken(byWhatKept: present) {
            try progress.countScan(of: rowCount, limits: limits)
            try checkCells(of: index, as: column)
        }
        if column.rules != present {
            try attempt(&progress) { (table, progress) throws(Rejection) in
                table.setColumnRules(index, column.rules, stamp: progress.stamp)
                progress.changes.append(.columnRulesSet(column.id, column.rules))
                try table.admitRows(toRulesOf: index, replacing: present, &progress)
            }
        }
        try countColumn(index, &progress)
    }

    /// The rules after a change, or the refusal of one that makes no sense.
    func rules(_ present: ColumnRules, changedBy patch: JSONTree) throws(Rejection) -> ColumnRules {
        do {
            return try present.changed(by: patch)
        } catch {
            throw Rejection(.badRule, error.reason)
        }
    }

    /// Refuses rules that do not suit their column, with which the columns of the table would no
    /// longer fit in a line, or of which one operation writes too many; others are put into their
    /// one spelling.
    func admitRules(
        of column: inout Column, replacing present: ColumnRules = ColumnRules(),
        _ progress: inout Progress
    ) throws(Rejection) {
        if let problem = column.rules.problem(for: column.type, limits: limits) {
            throw Rejection(.badRule, problem, column: column.id)
        }
        column.rules = try expressionsSpelled(of: column, replacing: present)
            .normalized(for: column.type)
        let others = schema.entries.reduce(0 - present.byteCount) {
            $0 + $1.column.rules.byteCount
        }
        guard
            column.rules.byteCount <= present.byteCount
                || others + column.rules.byteCount <= limits.rulesBytesMax
        else {
            throw Rejection(
                .badRule, "The rules of a table may have \(limits.rulesBytesMax) bytes in all.",
                column: column.id)
        }
        try progress.countRules(column.rules, limits: limits)
    }

    /// Refuses where live cells of a column break the rules that it shall have.
    ///
    /// Complexity: linear in the rows.
    func checkCells(of index: Int, as column: Column) throws(Rejection) {
        var rules = ValueRules(column.rules, of: column.type)
        let repeated = column.rules.list.isUnique ? repeatedValues(of: index) : nil
        var count = 0
        var offenders: [RowID] = []
        var first: Rejection?
        forEachRow(from: 0, count: rowCount, columns: [column.id]) { row, values in
            var violation = rules.violation(of: values[0], in: column.id)
            if violation == nil, let repeated, repeated.contains(values[0].worth) {
                violation = takenValue(index, by: nil)
            }
            guard let violation else { return true }
            if first == nil { first = violation }
            count += 1
            if offenders.count < Self.offendersMax { offenders.append(row) }
            return true
        }
        if let first { throw broken(first, by: count, offenders) }
    }

    /// The refusal of a rule that rows break.
    func broken(_ first: Rejection, by count: Int, _ offenders: [RowID]) -> Rejection {
        var rejection = first
        rejection.message =
            "\(count) rows break the rule: change them first. The first are named."
        rejection.offenders = offenders
        return rejection
    }

    /// What more than one live row holds in a column.
    private func repeatedValues(of index: Int) -> Set<Value> {
        var seen: Set<Value> = []
        var repeated: Set<Value> = []
        forEachRow(from: 0, count: rowCount, columns: [schema.entries[index].column.id]) {
            let worth = $1[0].worth
            if !worth.isNull, !seen.insert(worth).inserted { repeated.insert(worth) }
            return true
        }
        return repeated
    }
}

extension ColumnRules {
    /// True where cells that keep `present` may break these.
    func canBeBroken(byWhatKept present: ColumnRules) -> Bool {
        if !present.choiceSet.isSubset(of: choiceSet) { return true }
        let old = present.list.members
        return list.members.contains { member in
            switch RuleName(rawValue: member.key.string) {
            case .choices, .defaultValue, .defaultSource, .check, .computed: false
            default: !old.contains(member)
            }
        }
    }
}
