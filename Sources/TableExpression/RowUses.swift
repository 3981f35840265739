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
        }
    }

    /// The result as the value of a cell; nil for the types that no cell has yet.
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
        case .decimal, .json, .list: nil
        }
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
        }
    }
}
