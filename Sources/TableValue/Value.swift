// The values a cell can hold. What text stands for which value is in ValueText.swift.
// Values know no column and no cell; equality is by bits.

/// The type of a column, and so of every value in it that is not null.
package enum ColumnType: String, Sendable, Hashable, CaseIterable {
    case text, int, double, bool, date, datetime, uuid, decimal
    /// One text of a closed list, which the column has.
    case choice
    /// A list of texts, numbers and bools, each as JSON has it.
    case list
    /// Any JSON value but null, which is the empty cell.
    case json
}

/// One cell's value; `null` is an empty cell and differs from empty text, zero and false.
///
/// Two doubles are equal when their bits are, so that NaN equals itself and -0 differs from 0:
/// equality here decides whether an edit changes anything, not arithmetic.
package enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case text(Text)
    case date(Day)
    case datetime(Moment)
    case uuid(Identifier128)
    case decimal(ExactDecimal)
    case choice(Text)
    case list(CanonicalJSON)
    case json(CanonicalJSON)
}

/// A calendar date: days since 1970-01-01 in the proleptic Gregorian calendar, years 1 to 9999.
package struct Day: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01; negative before it.
    package let daysSinceEpoch: Int32

    /// Makes a date from a count of days.
    package init(daysSinceEpoch: Int32) {
        self.daysSinceEpoch = daysSinceEpoch
    }

    package static func < (left: Day, right: Day) -> Bool {
        left.daysSinceEpoch < right.daysSinceEpoch
    }
}

/// A point in time with the offset it was written in.
///
/// Order follows the instant; equality asks for the same offset too, since the offset is shown.
package struct Moment: Sendable, Hashable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before it.
    package let microsecondsSinceEpoch: Int64
    /// Minutes east of UTC in which the moment was given, -1,439 to 1,439.
    package let offsetMinutes: Int16

    /// Makes a moment from its instant and the offset it is shown in.
    package init(microsecondsSinceEpoch: Int64, offsetMinutes: Int16) {
        self.microsecondsSinceEpoch = microsecondsSinceEpoch
        self.offsetMinutes = offsetMinutes
    }
}

/// The 128 bits of a UUID (RFC 9562), in the order in which they are written.
package struct Identifier128: Sendable, Hashable {
    /// The first eight bytes, most significant first.
    package let high: UInt64
    /// The last eight bytes, most significant first.
    package let low: UInt64

    /// Makes an identifier from its halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension Value: Hashable {
    package static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.datetime(let left), .datetime(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.choice(let left), .choice(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.json(let left), .json(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.bitPattern)
        case .text(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .datetime(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .choice(let value): hasher.combine(value)
        case .list(let value), .json(let value): hasher.combine(value)
        }
    }
}

extension Value {
    /// The type of column this value belongs in; nil for null, which every column can hold.
    package var type: ColumnType? {
        switch self {
        case .null: nil
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .text: .text
        case .date: .date
        case .datetime: .datetime
        case .uuid: .uuid
        case .decimal: .decimal
        case .choice: .choice
        case .list: .list
        case .json: .json
        }
    }

    /// The text in which the value is kept; nil where it is kept as a number.
    package var textHeld: Text? {
        switch self {
        case .text(let text), .choice(let text): text
        case .list(let json), .json(let json): json.text
        case .null, .bool, .int, .double, .date, .datetime, .uuid, .decimal: nil
        }
    }

    /// True for an empty cell.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
