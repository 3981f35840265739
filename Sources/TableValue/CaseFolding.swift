// Case folding, by which names of tables and columns clash.
// The version of Unicode is pinned (CaseFoldingTable.swift), so that two names that are
// different on one machine never clash on another. Cell text is never folded here.

/// Folds a text by Unicode simple case folding: one character for each, C and S of
/// CaseFolding.txt of the pinned version.
///
/// Two names clash where their foldings have the same bytes. Nothing is normalised, and Turkish
/// dotless and dotted i are not treated specially.
///
/// Complexity: linear in the bytes.
package func simpleCaseFolded(_ text: Text) -> Text {
    guard needsFolding(text.string.utf8.span) else { return text }
    var folded = String()
    folded.reserveCapacity(text.byteCount)
    for scalar in text.string.unicodeScalars {
        folded.unicodeScalars.append(simpleCaseFolded(scalar))
    }
    return Text(folded)
}

/// True unless every byte is ASCII and not an upper-case letter.
private func needsFolding(_ bytes: Span<UInt8>) -> Bool {
    for index in 0..<bytes.count {
        let byte = bytes[index]
        if byte >= 0x80 || (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")) { return true }
    }
    return false
}

/// Folds one character by Unicode simple case folding of the pinned version.
package func simpleCaseFolded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
        let isUpper = (0x41...0x5A).contains(scalar.value)
        return isUpper ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) | 0x20) : scalar
    }
    return caseMapped(scalar, caseFoldingRanges)
}

/// Looks a character up in a table of another case: four numbers a range in rising order, which
/// are first code, last code, step between codes, and what is added to map one.
package func caseMapped(_ scalar: Unicode.Scalar, _ table: [Int32]) -> Unicode.Scalar {
    let code = Int32(truncatingIfNeeded: scalar.value)
    // The last range that begins at or before the code.
    var low = 0
    var high = table.count / 4
    while low < high {
        let middle = (low + high) / 2
        if table[middle * 4] <= code { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return scalar }
    let entry = (low - 1) * 4
    let first = table[entry]
    guard code <= table[entry + 1], (code - first) % table[entry + 2] == 0 else { return scalar }
    return Unicode.Scalar(UInt32(truncatingIfNeeded: code &+ table[entry + 3])) ?? scalar
}
