// Rules that are expressions over the cells of a row: `check`, which a row must keep, and
// `computed`, which says what a cell is. Here they are made ready and asked for one row; what the
// answers mean for an operation is in ResolveRuled.swift and RuleChange.swift.
import TableExpression
import TableValue

/// One expression that a column has as its rule.
struct RowRule: Sendable {
    /// The index of the column that has it.
    let owner: Int
    let name: RuleName
    /// The indexes of the columns that it reads, by their places in the expression.
    let columns: [Int]
    var evaluator: Evaluator
}

/// A row with cells that shall be written, as expressions see it.
struct RowDraft {
    /// The row; nil for one that is not there yet.
    var slot: UInt32?
    /// The cells that differ from what is stored; the last of a column counts.
    var cells: [(index: Int, value: Value)] = []

    /// The value that shall be in a column.
    func value(_ index: Int, in stores: [ColumnStore]) -> Value {
        if let cell = cells.last(where: { $0.index == index }) { return cell.value }
        return slot.map { stores[index].value($0) } ?? .null
    }
}

extension Table {
    // MARK: Making ready

    /// The columns as expressions know them: live ones by name and id, hidden ones by id alone;
    /// `column` as it is to be, which may be new.
    func expressionSchema(with column: Column?) -> ExpressionSchema {
        var live: [SchemaColumn] = []
        for other in schema.liveColumns where other.id != column?.id { live.append(known(other)) }
        if let column, schema.index(of: column.id).map({ !schema.entries[$0].isHidden }) ?? true {
            live.append(known(column))
        }
        let hidden = schema.entries.filter(\.isHidden).map { entry in
            known(
                Column(
                    id: entry.column.id, name: Text(entry.column.id.description),
                    type: entry.column.type))
        }
        return ExpressionSchema(live + hidden)
    }

    private func known(_ column: Column) -> SchemaColumn {
        SchemaColumn(
            key: ColumnKey(rawValue: column.id.rawValue), name: column.name,
            type: ExpressionType(column.type))
    }

    /// The expression rules of a column in the one spelling in which they are kept: columns by id.
    ///
    /// - Throws: `Rejection` where one cannot be read, names a column that is not there, or
    ///   computed columns would need one another.
    func expressionsSpelled(
        of column: Column, replacing present: ColumnRules
    ) throws(Rejection) -> ColumnRules {
        var list = column.rules.list
        if list.check != nil, list.check != present.list.check {
            list.check = try spelled(list.check, .check, of: column).storedText
        }
        if list.computed != nil, list.computed != present.list.computed {
            let expression = try spelled(list.computed, .computed, of: column)
            list.computed = expression.storedText
            try refuseCircle(column, expression)
        }
        guard list != column.rules.list else { return column.rules }
        return ColumnRules(list)
    }

    private func spelled(
        _ text: Text?, _ name: RuleName, of column: Column
    ) throws(Rejection) -> Expression {
        let expression: Expression
        do {
            expression = try compiled(text ?? "", name, of: column)
        } catch {
            let place = error.place.lineAndColumn(in: text ?? "")
            throw Rejection(
                .badRule,
                "\(name.rawValue), line \(place.line), column \(place.column): \(error.message)",
                column: column.id, rule: name.text)
        }
        for key in expression.columns {
            let id = ColumnID(key)
            guard
                id == column.id
                    || schema.index(of: id).map({ !schema.entries[$0].isHidden }) == true
            else {
                throw Rejection(
                    .badRule, "\(name.rawValue) reads a column that has been deleted.",
                    column: column.id, rule: name.text)
            }
        }
        guard expression.storedText.byteCount <= ExpressionLimits().textBytesMax else {
            throw Rejection(
                .badRule, "\(name.rawValue) is too long with the ids of its columns.",
                column: column.id, rule: name.text)
        }
        return expression
    }

    private func compiled(
        _ text: Text, _ name: RuleName, of column: Column
    ) throws(ExpressionError) -> Expression {
        let purpose: ExpressionPurpose =
            name == .check ? .rule : .computedColumn(of: ExpressionType(column.type))
        return try Expression(text, schema: expressionSchema(with: column), for: purpose)
    }

    private func refuseCircle(_ column: Column, _ expression: Expression) throws(Rejection) {
        let own = ColumnKey(rawValue: column.id.rawValue)
        var columns = ruleBook.computed.compactMap { rule -> ComputedColumn? in
            let id = schema.entries[rule.owner].column.id
            guard id != column.id else { return nil }
            return ComputedColumn(key: key(rule.owner), uses: rule.columns.map(key))
        }
        columns.append(ComputedColumn(key: own, uses: expression.columns))
        do {
            _ = try evaluationOrder(of: columns)
        } catch {
            let circle = error.columns.map(\.description).joined(separator: ", ")
            throw Rejection(
                .badRule, "These columns would be computed of one another: \(circle).",
                column: column.id, rule: RuleName.computed.text)
        }
    }

    private func key(_ index: Int) -> ColumnKey {
        ColumnKey(rawValue: schema.entries[index].column.id.rawValue)
    }

    /// Makes ready the expressions of a column, or forgets them.
    ///
    /// An expression that cannot be read here rests: a replica does not know deleted columns.
    mutating func refreshExpressions(of index: Int) {
        let column = schema.entries[index].column
        let list = column.rules.list
        guard list.check != nil || list.computed != nil || ruleBook.hasExpressions(of: index)
        else { return }
        let made = [
            rowRule(list.check, .check, index), rowRule(list.computed, .computed, index),
        ].compactMap { $0 }
        ruleBook.setExpressions(of: index, made, in: schema)
        for other in cells.indices { cells[other].isRuled = ruleBook.concerns(other) }
    }

    private func rowRule(_ text: Text?, _ name: RuleName, _ index: Int) -> RowRule? {
        guard let text,
            let expression = try? compiled(text, name, of: schema.entries[index].column)
        else { return nil }
        let columns = expression.columns.compactMap {
            schema.index(of: ColumnID($0))
        }
        guard columns.count == expression.columns.count else { return nil }
        return RowRule(
            owner: index, name: name, columns: columns, evaluator: Evaluator(expression))
    }

    // MARK: Asking

    /// What a computed column is in a row; null where the expression has no value, or none that
    /// fits.
    ///
    /// - Throws: `Rejection` where the operation has taken all the steps that it may.
    mutating func computedValue(_ place: Int, _ draft: RowDraft) throws(Rejection) -> Value {
        let columns = ruleBook.computed[place].columns
        let stores = cells
        let answer = ruleBook.evaluateComputed(place) {
            ExpressionValue(draft.value(columns[$0], in: stores))
        }
        try checkSteps()
        let type = cells[ruleBook.computed[place].owner].type
        guard let result = answer, let value = result.cellValue.flatMap({ fitted($0, to: type) })
        else { return .null }
        if let text = value.textHeld, text.byteCount > limits.madeTextBytesMax { return .null }
        return value
    }

    /// The refusal of a row that breaks a check; nil where it keeps it.
    ///
    /// Null keeps it; an expression that has no value for the row does not.
    mutating func brokenCheck(_ place: Int, _ draft: RowDraft) -> Rejection? {
        let columns = ruleBook.checks[place].columns
        let stores = cells
        let answer = ruleBook.evaluateCheck(place) {
            ExpressionValue(draft.value(columns[$0], in: stores))
        }
        if ruleBook.stepsLeft < 0 { return tooManySteps }
        let message: String
        switch answer {
        case .success(let value):
            guard value.isFalse else { return nil }
            message = "The row breaks the check of the column."
        case .failure(let fault):
            message = "The check of the column has no value for the row: \(fault.message)."
        }
        return Rejection(
            .ruleBroken, message,
            column: schema.entries[ruleBook.checks[place].owner].column.id,
            rule: RuleName.check.text)
    }

    private func checkSteps() throws(Rejection) {
        if ruleBook.stepsLeft < 0 { throw tooManySteps }
    }

    private var tooManySteps: Rejection {
        Rejection(
            .tooManyParts,
            "The rules of the columns take too many steps for one operation; send several.")
    }

    /// Adds to a draft the computed cells that follow from those in it, or in a new row all.
    mutating func compute(_ draft: inout RowDraft) throws(Rejection) {
        guard !ruleBook.computed.isEmpty else { return }
        for place in ruleBook.computed.indices {
            let (owner, columns) = (
                ruleBook.computed[place].owner, ruleBook.computed[place].columns
            )
            guard !schema.entries[owner].isHidden else { continue }
            let current = draft
            guard draft.slot == nil || current.cells.contains(where: { columns.contains($0.index) })
            else { continue }
            let value = try computedValue(place, draft)
            if value != draft.value(owner, in: cells) { draft.cells.append((owner, value)) }
        }
    }

    /// The checks that a draft breaks among those that read what it changes, or in a new row among
    /// all; with their places.
    mutating func brokenChecks(_ draft: RowDraft) -> [(place: Int, rejection: Rejection)] {
        var broken: [(place: Int, rejection: Rejection)] = []
        for place in ruleBook.checks.indices {
            let (owner, columns) = (ruleBook.checks[place].owner, ruleBook.checks[place].columns)
            guard !schema.entries[owner].isHidden,
                draft.slot == nil || draft.cells.contains(where: { columns.contains($0.index) })
            else { continue }
            if let rejection = brokenCheck(place, draft) { broken.append((place, rejection)) }
        }
        return broken
    }

    /// The refusal of hiding a column that a rule of another live column reads; nil where it may
    /// be hidden.
    ///
    /// For undo and restore too.
    func problemHiding(_ index: Int) -> Rejection? {
        problemReading(index) { !schema.entries[$0.owner].isHidden }
    }

    /// The refusal of a change of type of a column that a rule of another column reads, live or
    /// hidden.
    func problemRetyping(_ index: Int) -> Rejection? { problemReading(index) { _ in true } }

    func problemReading(_ index: Int, _ counts: (RowRule) -> Bool) -> Rejection? {
        let rules = ruleBook.checks + ruleBook.computed
        let reader = rules.first {
            $0.owner != index && counts($0) && $0.columns.contains(index)
        }
        guard let reader else { return nil }
        let owner = schema.entries[reader.owner].column.id
        return Rejection(
            .ruleBroken,
            "The rule \(reader.name.rawValue) of the column \(owner) reads this one; change it "
                + "first.",
            column: schema.entries[index].column.id, rule: reader.name.text)
    }
}

extension ColumnID {
    /// The id that a column has in expressions.
    init(_ key: ColumnKey) {
        self.init(
            session: SessionNumber(truncating: UInt32(truncatingIfNeeded: key.rawValue >> 32)),
            counter: UInt32(truncatingIfNeeded: key.rawValue))
    }
}
