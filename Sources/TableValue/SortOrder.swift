// How values are sorted: the same everywhere, whatever the language of whoever looks.
// What it compares is made ready once for each cell, since a sort compares each many times.

/// A value made ready to be compared with others of its type for sorting.
///
/// false before true; numbers by value, NaN behind them; texts without regard to case and with runs
/// of digits as numbers, so that "item 9" comes before "item 10"; uuids as text; dates and moments
/// by time; lists by length, then element by element; JSON values by their text. What is the
/// same then is told apart by its bytes.
package struct SortableValue: Sendable {
    private enum Key {
        case null
        case flag(Bool)
        case whole(Int64)
        case double(Double)
        case decimal(ExactDecimal)
        case halves(UInt64, UInt64)
        case text(folded: [UInt8], Text)
        case list([SortableValue])
    }

    private let key: Key

    /// Makes a value ready.
    ///
    /// Complexity: linear in its bytes.
    package init(_ value: Value) {
        switch value {
        case .null: key = .null
        case .bool(let flag): key = .flag(flag)
        case .int(let number): key = .whole(number)
        case .double(let number): key = .double(number)
        case .decimal(let number): key = .decimal(number)
        case .date(let day): key = .whole(Int64(day.daysSinceEpoch))
        case .datetime(let moment): key = .whole(moment.microsecondsSinceEpoch)
        case .uuid(let identifier): key = .halves(identifier.high, identifier.low)
        case .text(let text), .choice(let text):
            key = .text(folded: foldedForSorting(text), text)
        case .json(let json): key = .text(folded: foldedForSorting(json.text), json.text)
        case .list(let json):
            guard case .list(let elements) = json.tree else {
                key = .null
                return
            }
            key = .list(elements.map { SortableValue(element: $0) })
        }
    }

    private init(element: JSONTree) {
        switch element {
        case .bool(let flag): key = .flag(flag)
        case .int(let number): key = .whole(number)
        case .double(let number): key = .double(number)
        case .text(let text): key = .text(folded: foldedForSorting(text), text)
        default: key = .null
        }
    }

    /// True for null, which comes last whichever way is sorted.
    package var isNull: Bool {
        if case .null = key { true } else { false }
    }

    /// Negative, zero or positive as it comes before, with or behind another of its type.
    ///
    /// Null comes behind all.
    package func compare(_ other: SortableValue) -> Int {
        switch (key, other.key) {
        case (.null, .null): return 0
        case (.null, _): return 1
        case (_, .null): return -1
        case (.flag(let left), .flag(let right)): return order(left ? 1 : 0, right ? 1 : 0)
        case (.whole(let left), .whole(let right)): return order(left, right)
        case (.double(let left), .double(let right)): return order(of: left, right)
        case (.whole(let left), .double(let right)): return order(of: left, right)
        case (.double(let left), .whole(let right)): return -order(of: right, left)
        case (.decimal(let left), .decimal(let right)): return left.compare(right)
        case (.halves(let left, let leftLow), .halves(let right, let rightLow)):
            return left == right ? order(leftLow, rightLow) : order(left, right)
        case (.text(let left, let leftText), .text(let right, let rightText)):
            if left != right { return left.lexicographicallyPrecedes(right) ? -1 : 1 }
            return order(of: leftText, rightText)
        case (.list(let left), .list(let right)):
            if left.count != right.count { return order(left.count, right.count) }
            for (left, right) in zip(left, right) {
                let found = left.compare(right)
                if found != 0 { return found }
            }
            return 0
        default: return order(rank, other.rank)
        }
    }

    /// Of elements of several types in lists: flags, then numbers, then texts.
    private var rank: Int {
        switch key {
        case .flag: 0
        case .whole, .double, .decimal: 1
        case .halves, .text: 2
        case .list: 3
        case .null: 4
        }
    }
}

/// Bytes that compare as a text does: case folded, each run of digits by its length, without
/// leading zeros, and then its digits.
private func foldedForSorting(_ text: Text) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.byteCount)
    var digits: [UInt8] = []
    var isInRun = false
    func endRun() {
        guard isInRun else { return }
        // Digits sort before letters, as their bytes do.
        bytes.append(UInt8(ascii: "0"))
        let count = UInt32(truncatingIfNeeded: digits.count)
        for shift in [24, 16, 8, 0] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: count >> shift))
        }
        bytes += digits
        digits = []
        isInRun = false
    }
    for scalar in text.string.unicodeScalars {
        if (0x30...0x39).contains(scalar.value) {
            isInRun = true
            if scalar.value > 0x30 || !digits.isEmpty {
                digits.append(UInt8(truncatingIfNeeded: scalar.value))
            }
        } else {
            endRun()
            bytes.append(contentsOf: simpleCaseFolded(scalar).utf8)
        }
    }
    endRun()
    return bytes
}
