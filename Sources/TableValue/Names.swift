// Which texts may be the name of a table, a column or a user.
// Whether two names clash is CaseFolding.swift's; this file judges one name by itself.

/// True for control characters: below a space, delete, and U+0080 to U+009F.
private func isControl(_ scalar: UInt32) -> Bool {
    scalar < 0x20 || (0x7F...0x9F).contains(scalar)
}

/// True for the characters that turn the direction of the text around them.
private func isBidirectionalControl(_ scalar: UInt32) -> Bool {
    (0x202A...0x202E).contains(scalar) || (0x2066...0x2069).contains(scalar)
}

/// True for the characters with Unicode's property White_Space, which is stable.
package func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
        0x3000:
        true
    default:
        false
    }
}

/// What a name is for.
///
/// Where an id may stand in a name's place, the name must not look like one.
package enum NameKind: Sendable {
    case table, column, user
}

extension NameKind {
    /// An id of the kind, as an example.
    fileprivate var idExample: String {
        switch self {
        case .table: "t3"
        case .column: "c12.3"
        case .user: "u4"
        }
    }

    /// True for the shape of an id of the kind, whatever its numbers: `t3`, `c12.3`, `u4`.
    package func hasIDShape(_ name: Text) -> Bool {
        let bytes = name.string.utf8.span
        guard bytes.count > 0 else { return false }
        var index = 1
        switch self {
        case .table:
            return bytes[0] == UInt8(ascii: "t") && skipDigits(bytes, &index)
                && index == bytes.count
        case .user:
            return bytes[0] == UInt8(ascii: "u") && skipDigits(bytes, &index)
                && index == bytes.count
        case .column:
            guard bytes[0] == UInt8(ascii: "c"), skipDigits(bytes, &index), index < bytes.count,
                bytes[index] == Ascii.point
            else { return false }
            index += 1
            return skipDigits(bytes, &index) && index == bytes.count
        }
    }
}

/// Passes over decimal digits; false where there is none.
private func skipDigits(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
    let start = index
    while index < bytes.count, decimalDigit(bytes[index]) != nil { index += 1 }
    return index > start
}

/// True for a character that may stand in a name, not judging its ends.
package func isAllowedInName(_ scalar: Unicode.Scalar) -> Bool {
    !isControl(scalar.value) && !isBidirectionalControl(scalar.value)
}

/// Why a text may not be the name of a table, a column or a user, in words for a person; nil where
/// it may be one.
///
/// A name has 1 to `bytesMax` bytes, no control characters, none that turn the direction of
/// text (U+202A to U+202E, U+2066 to U+2069), no white space at either end, and not the shape
/// of an id of its own kind: `t3` may be a column, `c12.3` a table. The words do not contain the
/// name.
///
/// Complexity: linear in the bytes, and constant for a name that is too long.
package func nameProblem(_ name: Text, of kind: NameKind, bytesMax: Int) -> String? {
    if name.isEmpty { return "a name may not be empty" }
    if name.byteCount > bytesMax { return "a name may have at most \(bytesMax) bytes" }
    let scalars = name.string.unicodeScalars
    for scalar in scalars {
        if isControl(scalar.value) { return "a name may not contain control characters" }
        if isBidirectionalControl(scalar.value) {
            return "a name may not contain characters that turn the direction of text"
        }
    }
    if let first = scalars.first, let last = scalars.last,
        isWhiteSpace(first) || isWhiteSpace(last)
    {
        return "a name may not begin or end with white space"
    }
    if kind.hasIDShape(name) {
        return "a name may not look like an id (such as \(kind.idExample))"
    }
    return nil
}
