// Names that never change: sessions, rows, columns, sequence numbers, and their text.
// They are never reused. What stands behind them is found in RowIDs, RowIndex and Schema.

/// A writer's number within one table, 31 bits; 0 is the server itself.
///
/// It is the high half of the ids that the writer makes, so no two writers make the same id.
package struct SessionNumber: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number, 0 to 2,147,483,647.
    package let rawValue: UInt32

    /// Wraps a number; nil above 31 bits.
    package init?(rawValue: UInt32) {
        guard rawValue <= 0x7FFF_FFFF else { return nil }
        self.rawValue = rawValue
    }

    /// The low 31 bits of `number` as a session number.
    package init(truncating number: UInt32) {
        rawValue = number & 0x7FFF_FFFF
    }

    /// The server's own number, used for rows whose writer named no id.
    package static let server = SessionNumber(truncating: 0)

    package static func < (left: SessionNumber, right: SessionNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A position in a table's log; the first record has 1, and 0 means "before any".
package typealias SequenceNumber = Int64

/// A client's own count of its operations in one session and table, from 1 without a gap.
package typealias ClientNumber = Int64

/// The id of a row: the session that made it and that session's counter.
///
/// Never reused.
package struct RowID: Hashable, Sendable {
    /// `session << 32 | counter`, always positive.
    package let rawValue: Int64

    /// Joins the two halves.
    package init(session: SessionNumber, counter: UInt32) {
        rawValue = Int64(session.rawValue) << 32 | Int64(counter)
    }

    /// The session that made the row.
    package var session: SessionNumber { SessionNumber(truncating: UInt32(rawValue >> 32)) }

    /// The session's counter when it made the row, from 1.
    package var counter: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
}

/// The id of a column; the same scheme as rows in a number space of its own.
///
/// Never reused.
package struct ColumnID: Hashable, Sendable {
    /// `session << 32 | counter`, always positive.
    package let rawValue: Int64

    /// Joins the two halves.
    package init(session: SessionNumber, counter: UInt32) {
        rawValue = Int64(session.rawValue) << 32 | Int64(counter)
    }

    /// The session that made the column.
    package var session: SessionNumber { SessionNumber(truncating: UInt32(rawValue >> 32)) }

    /// The session's counter when it made the column, from 1.
    package var counter: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
}

extension RowID: CustomStringConvertible {
    /// `s12.4071`: the form of every row id outside memory.
    package var description: String { "s\(session.rawValue).\(counter)" }
}

extension ColumnID: CustomStringConvertible {
    /// `c12.3`: the form of every column id outside memory.
    package var description: String { "c\(session.rawValue).\(counter)" }
}

extension SessionNumber: CustomStringConvertible {
    /// `s12`: the form of every session number outside memory.
    package var description: String { "s\(rawValue)" }
}
