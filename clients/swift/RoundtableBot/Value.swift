// The values of cells as a bot's author has them, and the ids of rows. They wrap what the rest of
// the project computes with, so that equality, types and texts are the same everywhere.
// Next: Edits.swift, which puts them into operations.
import TableModel
import TableValue
import TableWire

/// One cell's value: `nil`, `5`, `1.5`, `true` or `"text"` as literals, the others by their text.
///
/// A date, a datetime, a uuid, a decimal and a choice are given as texts, `"2026-11-30"`; the
/// column's type reads them. Equality is by type and bytes: `""`, `0`, `false` and nil all differ.
public struct Value: Hashable, Sendable {
    let held: TableValue.Value

    init(_ held: TableValue.Value) {
        self.held = held
    }

    /// The empty cell.
    public static let null = Value(.null)

    /// A text, or any other value by its text.
    public static func text(_ text: String) -> Value { Value(.text(Text(text))) }

    /// A whole number of 64 bits.
    public static func int(_ number: Int64) -> Value { Value(.int(number)) }

    /// A double, NaN and infinities included.
    public static func double(_ number: Double) -> Value { Value(.double(number)) }

    /// True or false.
    public static func bool(_ flag: Bool) -> Value { Value(.bool(flag)) }

    /// A value of a list or json column, from JSON text.
    ///
    /// Errors: `invalidText` where it is no JSON that a cell can hold.
    public static func json(_ text: String) throws(BotError) -> Value {
        do {
            return Value(.json(try CanonicalJSON(reading: text.utf8.span)))
        } catch {
            throw BotError(.invalidText, "malformed", error.reason)
        }
    }

    /// True for an empty cell.
    public var isNull: Bool { held.isNull }

    /// The whole number; nil for anything else.
    public var int: Int64? { if case .int(let number) = held { number } else { nil } }

    /// The number of a double or int cell; nil for anything else.
    public var double: Double? {
        switch held {
        case .double(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }

    /// True or false; nil for anything that is no bool.
    public var bool: Bool? { if case .bool(let flag) = held { flag } else { nil } }

    /// The exact text of the value: of a text itself, of a list its JSON; nil for an empty cell.
    public var text: String? { isNull ? nil : description }
}

extension Value: CustomStringConvertible {
    /// The value's text; empty for an empty cell.
    public var description: String {
        var bytes: [UInt8] = []
        held.writeText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// A double.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// The empty cell.
    public init(nilLiteral: ()) { self = .null }
}

/// The id of a row, which it keeps for ever: `s12.4071`.
public struct RowID: Hashable, Sendable, LosslessStringConvertible {
    let held: TableModel.RowID

    init(_ held: TableModel.RowID) {
        self.held = held
    }

    /// Reads an id; nil for anything else.
    public init?(_ description: String) {
        guard let held = TableModel.RowID(Text(description)) else { return nil }
        self.held = held
    }

    /// The id as everybody writes it.
    public var description: String { held.description }
}

/// A column as it was when it was read.
public struct Column: Hashable, Sendable {
    /// Its id, which it keeps for ever: `c12.3`.
    public let id: String
    /// What people call it.
    public let name: String
    /// What its cells can hold, such as `int`.
    public let type: String
    /// Its rules as JSON; `{}` where it has none.
    public let rules: String

    let held: TableModel.Column

    init(_ held: TableModel.Column) {
        self.held = held
        id = held.id.description
        name = held.name.string
        type = held.type.rawValue
        rules = CanonicalJSON(held.rules.tree).text.string
    }
}

/// The column that a text names: by id where it has the form of one, else by name.
func reference(_ column: String) -> ColumnReference {
    let text = Text(column)
    return ColumnID(text).map { .id($0) } ?? .name(text)
}

/// The table that a text names: by id where it has the form of one, else by name.
func reference(table: String) -> TableReference {
    let text = Text(table)
    return TableID(text).map { .id($0) } ?? .name(text)
}
