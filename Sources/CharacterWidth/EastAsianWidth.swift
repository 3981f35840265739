// Which characters take two columns of a terminal, one by one. Clusters of several, and what
// terminals disagree about, are judged by those who show text: Terminal and TableFiles.
// The tables are in WidthTables.swift.

/// True for a character that takes two columns by its East Asian Width.
///
/// Those newer than the table are wide where they are emoji or ideographs.
package func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if contains(wideRanges, scalar.value) { return true }
    let properties = scalar.properties
    guard let age = properties.age, age.major > 14 else { return false }
    return properties.isEmojiPresentation || properties.isIdeographic
}

/// True for a character that takes two columns on terminals set up for East Asian text.
package func isAmbiguous(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0xA0 && contains(ambiguousRanges, scalar.value)
}

/// True where one of the ranges holds the code.
private func contains(_ ranges: [UInt32], _ code: UInt32) -> Bool {
    // The first range that ends at or behind the code.
    var low = 0
    var high = ranges.count / 2
    while low < high {
        let middle = (low + high) / 2
        if ranges[middle * 2 + 1] < code { low = middle + 1 } else { high = middle }
    }
    return low * 2 < ranges.count && ranges[low * 2] <= code
}
