// Lower and upper case for `lower` and `upper`, of the same pinned Unicode as case folding.
// One character for one: a character whose other case is several stays as it is.

/// The lower case of a character, by Unicode's simple mapping of the pinned version.
func lowerCased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
        let isUpper = (0x41...0x5A).contains(scalar.value)
        return isUpper ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) | 0x20) : scalar
    }
    return mapped(scalar, lowerCaseRanges)
}

/// The upper case of a character, by Unicode's simple mapping of the pinned version.
func upperCased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
        let isLower = (0x61...0x7A).contains(scalar.value)
        return isLower ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) & 0xDF) : scalar
    }
    return mapped(scalar, upperCaseRanges)
}

/// Looks a character up in ranges of first, last, step and distance, in rising order.
private func mapped(_ scalar: Unicode.Scalar, _ table: [Int32]) -> Unicode.Scalar {
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
