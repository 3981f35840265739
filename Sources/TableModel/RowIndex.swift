// From a row's id to its slot, and the highest counter of each session.
// The way back is RowIDs.swift.

/// The slots of all rows ever seen, by id.
///
/// Counters of a session are dense, so its rows are found by their counter in pages of 1,024,
/// 256 pages to a shelf: nothing is ever rehashed, and a copy shares what is not written. Most
/// pages hold rows that came one after another and had their slots one after another; such a page
/// is two numbers.
struct RowIndex: Sendable {
    private static var pageSize: Int { 1 << 10 }

    /// The rows of 1,024 counters.
    private struct Page: Sendable {
        /// Where `slots` is empty: the slot that counter 0 of the page would have, and the
        /// counters from `runStart` to before `runEnd` that are there.
        var runBase: UInt32 = 0
        var runStart: UInt16 = 0
        var runEnd: UInt16 = 0
        /// Slot + 1 by counter, 0 where there is none.
        var slots: [UInt32] = []

        func slot(_ place: Int) -> UInt32? {
            if slots.isEmpty {
                guard place >= runStart, place < runEnd else { return nil }
                return runBase &+ UInt32(place)
            }
            return slots[place] == 0 ? nil : slots[place] - 1
        }

        mutating func set(_ place: Int, to slot: UInt32) {
            if slots.isEmpty {
                let base = slot &- UInt32(place)
                if runStart == runEnd {
                    runStart = UInt16(place)
                    runEnd = runStart + 1
                    runBase = base
                    return
                }
                if place == runEnd, base == runBase {
                    runEnd += 1
                    return
                }
                spread()
            }
            slots[place] = slot + 1
        }

        mutating func remove(_ place: Int) {
            if slots.isEmpty {
                if place + 1 == runEnd {
                    runEnd -= 1
                    return
                }
                spread()
            }
            slots[place] = 0
        }

        private mutating func spread() {
            slots = [UInt32](repeating: 0, count: RowIndex.pageSize)
            for place in runStart..<runEnd { slots[Int(place)] = runBase &+ UInt32(place) + 1 }
        }
    }

    private struct SessionRows: Sendable {
        var highestCounter: UInt32 = 0
        /// By the counter's upper 14 bits, then the next 8.
        var shelves: [[Page]] = []
    }

    /// Session numbers are given in order, so most are found by counting.
    private static var countedMax: UInt32 { 4_096 }

    /// By session number below `countedMax`: index + 1, 0 where there is none.
    private var counted: [Int] = []
    private var others: [UInt32: Int] = [:]
    private var sessions: [SessionRows] = []

    private func index(of session: SessionNumber) -> Int? {
        let number = session.rawValue
        guard number < Self.countedMax else { return others[number] }
        guard Int(number) < counted.count, counted[Int(number)] > 0 else { return nil }
        return counted[Int(number)] - 1
    }

    private static func shelf(_ counter: UInt32) -> Int { Int(counter >> 18) }
    private static func page(_ counter: UInt32) -> Int { Int(counter >> 10) & 255 }
    private static func place(_ counter: UInt32) -> Int { Int(counter) & (pageSize - 1) }

    /// The slot of a row; nil where the row was never seen.
    func slot(of row: RowID) -> UInt32? {
        guard let session = index(of: row.session) else { return nil }
        let counter = row.counter
        let shelf = Self.shelf(counter)
        guard shelf < sessions[session].shelves.count else { return nil }
        let page = Self.page(counter)
        guard page < sessions[session].shelves[shelf].count else { return nil }
        return sessions[session].shelves[shelf][page].slot(Self.place(counter))
    }

    /// The highest counter seen of a session; 0 where none.
    func highestCounter(of session: SessionNumber) -> UInt32 {
        guard let session = index(of: session) else { return 0 }
        return sessions[session].highestCounter
    }

    /// Enters a row that is not there yet.
    mutating func insert(_ row: RowID, slot: UInt32) {
        let session = sessionIndex(of: row.session)
        let counter = row.counter
        if counter > sessions[session].highestCounter {
            sessions[session].highestCounter = counter
        }
        let shelf = Self.shelf(counter)
        let page = Self.page(counter)
        while sessions[session].shelves.count <= shelf { sessions[session].shelves.append([]) }
        while sessions[session].shelves[shelf].count <= page {
            sessions[session].shelves[shelf].append(Page())
        }
        sessions[session].shelves[shelf][page].set(Self.place(counter), to: slot)
    }

    /// Takes back the entry of a row; the highest counter stays until set.
    mutating func remove(_ row: RowID) {
        guard slot(of: row) != nil, let session = index(of: row.session) else { return }
        let counter = row.counter
        sessions[session].shelves[Self.shelf(counter)][Self.page(counter)]
            .remove(Self.place(counter))
    }

    /// Sets back a session's highest counter, after its latest rows were taken back.
    mutating func setHighestCounter(of session: SessionNumber, to counter: UInt32) {
        sessions[sessionIndex(of: session)].highestCounter = counter
    }

    private mutating func sessionIndex(of session: SessionNumber) -> Int {
        if let index = index(of: session) { return index }
        sessions.append(SessionRows())
        let number = session.rawValue
        if number < Self.countedMax {
            while counted.count <= Int(number) { counted.append(0) }
            counted[Int(number)] = sessions.count
        } else {
            others[number] = sessions.count - 1
        }
        return sessions.count - 1
    }
}
