// What tables ask of expressions for a row: does a filter keep it, does it keep a rule, what is the
// new cell. And the way between the values of cells and those of expressions.
package import TableValue

extension Evaluator {
    /// True where a filter chooses the row: where the expression is true, not false or null.
    ///
    /// `cell` gives the row's value in the column at a place of `Expression.columns`; an error says
    /// that the expression has no value for the row.
    package mutating func keeps(
        _ cell: (Int) -> ExpressionValue
    ) throws(EvaluationError) -> Bool {
        try evaluate(cell).isTrue
    }

    /// True where the row keeps a rule: where the expression is true or null, not false.
    ///
    /// As in SQL, a rule says nothing about what is not known; `is not null` asks for a value.
    ///
    /// `cell` gives the row's value in the column at a place of `Expression.columns`; an error says
    /// that the expression has no value for the row.
    package mutating func passes(
        _ cell: (Int) -> ExpressionValue
    ) throws(EvaluationError) -> Bool {
        try !evaluate(cell).isFalse
    }
}

extension ExpressionValue {
    /// The value of a cell as expressions see it.
    package init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .text(let value): self = .text(value)
        case .date(let value): self = .date(value)
        case .datetime(let value): self = .datetime(value)
        case .uuid(let value): self = .uuid(value)
        case .decimal(let value): self = .decimal(value)
        case .choice(let value): self = .text(value)
        case .json(let value): self = .json(value)
        case .list(let value):
            guard case .list(let items) = value.tree else {
                self = .null
                return
            }
            self = .list(items.map { .json(CanonicalJSON($0)) })
        }
    }

    /// The result as the value of a cell; nil for a list in which there is something else than
    /// texts, numbers and bools.
    package var cellValue: Value? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .text(let value): .text(value)
        case .date(let value): .date(value)
        case .datetime(let value): .datetime(value)
        case .uuid(let value): .uuid(value)
        case .decimal(let value): .decimal(value)
        case .json(let value): .json(value)
        case .list(let elements): ExpressionValue.cellValue(elements)
        }
    }

    private static func cellValue(_ elements: [ExpressionValue]) -> Value? {
        var items: [JSONTree] = []
        for element in elements {
            switch element {
            case .text(let text): items.append(.text(text))
            case .int(let number): items.append(.int(number))
            case .double(let number) where number.isFinite: items.append(JSONTree(number))
            case .bool(let flag): items.append(.bool(flag))
            case .json(let json): items.append(json.tree)
            default: return nil
            }
        }
        return try? Value(.list(items), as: .list)
    }
}

extension ExpressionType {
    /// The type that the cells of a column have in expressions.
    package init(_ type: ColumnType) {
        switch type {
        case .text: self = .text
        case .int: self = .int
        case .double: self = .double
        case .bool: self = .bool
        case .date: self = .date
        case .datetime: self = .datetime
        case .uuid: self = .uuid
        case .decimal: self = .decimal
        case .choice: self = .text
        case .json: self = .json
        case .list: self = .list(.json)
        }
    }
}
