// The types of expressions, and which fits where. A choice is read as text: which texts a choice
// column takes is the table's to say when a result is stored.

/// The type of a single value.
package enum ScalarType: String, Sendable, Hashable, CaseIterable {
    case text, int, double, decimal, bool, date, datetime, uuid, json
}

/// The type of an expression, known before any row is looked at.
package enum ExpressionType: Hashable, Sendable {
    /// The literal `null` alone, which fits every type.
    case null
    /// One value of a type, or null.
    case scalar(ScalarType)
    /// A list of values of one type, or null; a column of lists is a list of JSON values, which may
    /// be texts, numbers and bools side by side.
    case list(ScalarType)

    /// A text.
    package static let text = ExpressionType.scalar(.text)
    /// A whole number of 64 bits.
    package static let int = ExpressionType.scalar(.int)
    /// A number with a point, in binary.
    package static let double = ExpressionType.scalar(.double)
    /// A number with a point, in decimal.
    package static let decimal = ExpressionType.scalar(.decimal)
    /// True or false.
    package static let bool = ExpressionType.scalar(.bool)
    /// A day.
    package static let date = ExpressionType.scalar(.date)
    /// A moment with its offset.
    package static let datetime = ExpressionType.scalar(.datetime)
    /// A UUID.
    package static let uuid = ExpressionType.scalar(.uuid)
    /// Any JSON value.
    package static let json = ExpressionType.scalar(.json)
}

extension ExpressionType {
    /// The type as casts name it: `int`, `list(text)`.
    var written: String {
        if case .list(let type) = self { "list(\(type.rawValue))" } else { description }
    }
}

extension ExpressionType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "null"
        case .scalar(let type): type.rawValue
        case .list(let type): "list of \(type.rawValue)"
        }
    }
}

extension ExpressionType {
    /// True for int, decimal and double.
    var isNumber: Bool { self == .int || self == .decimal || self == .double }

    /// True where values have an order: all single values but JSON.
    var isOrdered: Bool {
        if case .scalar(let type) = self { type != .json } else { self == .null }
    }

    /// True where values of the two may be compared for equality.
    func isComparable(with other: ExpressionType) -> Bool {
        if self == .null || other == .null || self == other { return true }
        if isJSONList && other.isMixable || isMixable && other.isJSONList { return true }
        return isNumber && other.isNumber && !isDecimalAndDouble(other)
    }

    /// True for the type of a column of lists, whose elements may be of several types.
    private var isJSONList: Bool { self == .list(.json) }

    /// True for a list whose elements a column of lists may hold.
    var isMixable: Bool {
        if case .list(let element) = self { element.isInJSON } else { false }
    }

    /// True for the one mixture of numbers that is refused, since it would round in silence.
    func isDecimalAndDouble(_ other: ExpressionType) -> Bool {
        (self == .decimal && other == .double) || (self == .double && other == .decimal)
    }

    /// The type that holds values of both: the same, the other of null, or the wider number.
    ///
    /// Nil where there is none.
    func united(with other: ExpressionType) -> ExpressionType? {
        if self == other || other == .null { return self }
        if self == .null { return other }
        guard isComparable(with: other) else { return nil }
        return self == .int || other.isJSONList ? other : self
    }
}

extension ScalarType {
    /// True for the types that JSON has a type for.
    var isInJSON: Bool { self == .text || self == .int || self == .double || self == .bool }
}
