// The text of values: how each type is read from text and written as text.

/// Why a text or a value does not fit a column's type.
package struct ValueError: Error, Hashable, Sendable {
    /// The type that was asked for.
    package let type: ColumnType
    /// What is wrong, in words for a person, without the value itself.
    package let reason: String

    /// Names the type and what is wrong.
    package init(type: ColumnType, reason: String) {
        self.type = type
        self.reason = reason
    }
}

extension Value {
    /// Reads the text of a value of `type`.
    ///
    /// - int: optional `-`, digits, in the 64-bit range.
    /// - double: a decimal number, or `NaN`, `Infinity`, `-Infinity`.
    /// - bool: `true` or `false`.
    /// - date: `2026-11-30`. datetime: `2026-11-30T08:00:00+01:00` (RFC 3339), at most six
    ///   digits of a second, `Z` for UTC. uuid: eight-four-four-four-twelve hexadecimal digits.
    /// - text: any text.
    ///
    /// - Parameters:
    ///   - text: the text, never meaning null.
    ///   - type: the type to read it as.
    /// - Throws: `ValueError` where the text is not one of that type.
    package init(_ text: Text, as type: ColumnType) throws(ValueError) {
        throw ValueError(type: type, reason: "not yet")
    }

    /// Turns a value as it came over the wire into one of `type`.
    ///
    /// Null fits everywhere. An int fits an int and (when exact) a double column; text is read
    /// by `init(_:as:)` for every type but bool; anything else must have the type already.
    ///
    /// - Throws: `ValueError` where it does not fit; nothing is guessed.
    package func converted(to type: ColumnType) throws(ValueError) -> Value {
        throw ValueError(type: type, reason: "not yet")
    }

    /// Appends the canonical text of the value, which `init(_:as:)` reads back exactly; nothing
    /// for null. A double is written with the fewest digits that read back as the same double.
    package func writeText(to output: inout [UInt8]) {}
}
