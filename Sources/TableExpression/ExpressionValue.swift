// The values that expressions compute with, and the way to and from the values of cells.
// An enum of its own, so that lists and intermediate results need no place in a cell.
package import TableValue

/// A value while an expression is evaluated.
package enum ExpressionValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case decimal(ExactDecimal)
    case text(Text)
    case date(Day)
    case datetime(Moment)
    case uuid(Identifier128)
    case json(CanonicalJSON)
    /// Elements of one type, null among them.
    case list([ExpressionValue])
}

extension ExpressionValue {
    /// True for null.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// True for the bool true alone, not for null.
    package var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }

    /// True for the bool false alone, not for null.
    package var isFalse: Bool {
        if case .bool(false) = self { true } else { false }
    }

    /// The type of the value; nil for null and for a list, whose elements may all be null.
    package var scalarType: ScalarType? {
        switch self {
        case .null, .list: nil
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .decimal: .decimal
        case .text: .text
        case .date: .date
        case .datetime: .datetime
        case .uuid: .uuid
        case .json: .json
        }
    }

    /// True where the value may be a result of an expression of `type`.
    package func fits(_ type: ExpressionType) -> Bool {
        switch (self, type) {
        case (.null, _): true
        case (.list(let elements), .list(let type)):
            elements.allSatisfy { $0.isNull || $0.scalarType == type }
        case (_, .scalar(let type)): scalarType == type
        default: false
        }
    }
}

/// Two are equal where they are the same in every bit: NaN equals itself, 1.5 is not 1.50.
///
/// The operators of expressions compare otherwise; see Comparing.swift.
extension ExpressionValue: Hashable {
    package static func == (left: ExpressionValue, right: ExpressionValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.decimal(let left), .decimal(let right)): left == right
        case (.text(let left), .text(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.datetime(let left), .datetime(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.json(let left), .json(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.bitPattern)
        case .decimal(let value): hasher.combine(value)
        case .text(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .datetime(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .json(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        }
    }
}
