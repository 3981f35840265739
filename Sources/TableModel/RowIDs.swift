// From a slot to its row's id; the way back is RowIndex.swift.
// Slots are given once and never again; ids that follow each other are kept as a run.

/// The ids of all rows by slot, in pages of 1,024.
///
/// Rows that came one after another mostly have ids one after another; a page of such rows is one
/// number.
struct RowIDs: Sendable {
    private struct Page: Sendable {
        /// The id of the page's first row, as a number.
        var first: Int64
        /// All ids of the page, where they do not simply count on from the first.
        var others: [Int64] = []
    }

    private(set) var count = 0
    private var pages: [Page] = []

    subscript(slot: UInt32) -> RowID {
        let page = Int(slot >> 10)
        let place = Int(slot & 1023)
        if pages[page].others.isEmpty { return Self.id(pages[page].first &+ Int64(place)) }
        return Self.id(pages[page].others[place])
    }

    private static func id(_ number: Int64) -> RowID {
        RowID(
            session: SessionNumber(truncating: UInt32(truncatingIfNeeded: number >> 32)),
            counter: UInt32(truncatingIfNeeded: number))
    }

    mutating func append(_ id: RowID) {
        let page = count >> 10
        let place = count & 1023
        count += 1
        if place == 0 {
            pages.append(Page(first: id.rawValue))
            return
        }
        if pages[page].others.isEmpty {
            let first = pages[page].first
            if id.rawValue == first &+ Int64(place) { return }
            pages[page].others = (0..<Int64(place)).map { first &+ $0 }
        }
        pages[page].others.append(id.rawValue)
    }

    mutating func removeLast() {
        count -= 1
        let place = count & 1023
        if place == 0 {
            pages.removeLast()
        } else if !pages[count >> 10].others.isEmpty {
            pages[count >> 10].others.removeLast()
        }
    }
}
