// Which texts may be the name of a table, a column or a user.
// Whether two names clash is CaseFolding.swift's; this file judges one name by itself.

/// True for control characters: below a space, delete, and U+0080 to U+009F.
private func isControl(_ scalar: UInt32) -> Bool {
    scalar < 0x20 || (0x7F...0x9F).contains(scalar)
}

/// True for the characters that turn the direction of the text around them.
private func isBidirectionalControl(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
}

/// True for the characters of which nothing is seen: fillers, separators and format characters,
/// those aside that belong to the character before them.
private func isUnseen(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xAD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B, 0x2028, 0x2029,
        0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
        0x1D173...0x1D17A, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
        true
    default: false
    }
}

/// True for the joiners, which scripts and emoji need between two characters.
private func isJoiner(_ scalar: UInt32) -> Bool { scalar == 0x200C || scalar == 0x200D }

/// True for the selectors of a variant of the character before them.
private func isVariationSelector(_ scalar: UInt32) -> Bool {
    (0xFE00...0xFE0F).contains(scalar) || (0xE0100...0xE01EF).contains(scalar)
}

/// True for the characters that leave a place empty: white space, and the empty Braille pattern.
private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    isWhiteSpace(scalar) || scalar.value == 0x2800
}

/// True where a joiner or selector belongs to the character that it follows.
///
/// It never does to an ASCII one: nothing of it would be seen, and two names would look the same.
private func belongs(_ scalar: UInt32, behind previous: Unicode.Scalar?) -> Bool {
    guard let previous, previous.value >= 0x80, !isBlank(previous), !isJoiner(previous.value)
    else { return false }
    return isJoiner(scalar) || !isVariationSelector(previous.value)
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

/// What may be done with a character where a text is to become a name.
package enum NameCharacter: Sendable {
    /// It may stand there.
    case allowed
    /// It may not, and stands for a gap or an end: a control character.
    case gap
    /// It may not, and nothing is seen where it is left out.
    case unseen
}

/// Judges a character of a name by itself and the one before it, but not the name's ends.
package func nameCharacter(
    _ scalar: Unicode.Scalar, behind previous: Unicode.Scalar?
) -> NameCharacter {
    if isControl(scalar.value) || isBidirectionalControl(scalar.value) { return .gap }
    if isUnseen(scalar.value) { return .unseen }
    guard isJoiner(scalar.value) || isVariationSelector(scalar.value) else { return .allowed }
    return belongs(scalar.value, behind: previous) ? .allowed : .unseen
}

/// True for a character that no name ends with: white space, or a joiner.
package func mayNotEndName(_ scalar: Unicode.Scalar) -> Bool {
    isWhiteSpace(scalar) || isJoiner(scalar.value)
}

/// Why a text may not be the name of a table, a column or a user, in words for a person; nil where
/// it may be one.
///
/// A name has 1 to `bytesMax` bytes, no control characters, none that turn the direction of
/// text or that are not seen, at least one that is, no white space at either end, and not the
/// shape of an id of its own kind: `t3` may be a column, `c12.3` a table. docs/protocol.md lists
/// the characters. The words do not contain the name.
///
/// Complexity: linear in the bytes, and constant for a name that is too long.
package func nameProblem(_ name: Text, of kind: NameKind, bytesMax: Int) -> String? {
    if name.isEmpty { return "a name may not be empty" }
    if name.byteCount > bytesMax { return "a name may have at most \(bytesMax) bytes" }
    let scalars = name.string.unicodeScalars
    var previous: Unicode.Scalar?
    for scalar in scalars {
        if let problem = problem(scalar, behind: previous) { return problem }
        previous = scalar
    }
    if let first = scalars.first, let last = scalars.last {
        if isWhiteSpace(first) || isWhiteSpace(last) {
            return "a name may not begin or end with white space"
        }
        if isJoiner(last.value) { return unseen(last) }
    }
    if !scalars.contains(where: isSeen) { return "a name needs a character that can be seen" }
    if kind.hasIDShape(name) {
        return "a name may not look like an id (such as \(kind.idExample))"
    }
    return nil
}

/// A name with an ending, shortened before that where both would be too long.
package func extendedName(_ stem: Text, by ending: String, bytesMax: Int) -> Text {
    var stem = stem.string
    while !stem.isEmpty, stem.utf8.count + ending.utf8.count > bytesMax {
        stem.unicodeScalars.removeLast()
    }
    return Text(stem + ending)
}

/// True for a character that may stand in a name and is seen there.
private func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !isBlank(scalar) && !isJoiner(scalar.value) && !isVariationSelector(scalar.value)
}

private func problem(_ scalar: Unicode.Scalar, behind previous: Unicode.Scalar?) -> String? {
    switch nameCharacter(scalar, behind: previous) {
    case .allowed: nil
    case .unseen: unseen(scalar)
    case .gap where isControl(scalar.value): "a name may not contain control characters"
    case .gap: "a name may not contain characters that turn the direction of text"
    }
}

private func unseen(_ scalar: Unicode.Scalar) -> String {
    let code = String(scalar.value, radix: 16, uppercase: true)
    let zeros = String(repeating: "0", count: max(0, 4 - code.utf8.count))
    return "a name may not contain characters that are not seen (here U+\(zeros)\(code))"
}
