// One bit for each slot, for what few rows are: hidden, or marked for the content hash.
// It never visits slots in another order than theirs.

/// One bit for each slot, in pages made when a bit is first set.
struct SlotBits: Sendable {
    private var pages: [[UInt64]] = []

    /// True where no bit was ever set.
    var isEmpty: Bool { pages.isEmpty }

    subscript(slot: UInt32) -> Bool {
        let page = Int(slot >> 10)
        guard page < pages.count, !pages[page].isEmpty else { return false }
        return pages[page][Int(slot >> 6 & 15)] >> UInt64(slot & 63) & 1 != 0
    }

    mutating func set(_ slot: UInt32, _ bit: Bool) {
        let page = Int(slot >> 10)
        while pages.count <= page { pages.append([]) }
        if pages[page].isEmpty { pages[page] = [UInt64](repeating: 0, count: 16) }
        let mask = UInt64(1) << UInt64(slot & 63)
        if bit {
            pages[page][Int(slot >> 6 & 15)] |= mask
        } else {
            pages[page][Int(slot >> 6 & 15)] &= ~mask
        }
    }
}
