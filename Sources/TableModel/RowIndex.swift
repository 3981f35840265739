// From a row's id to its slot, and the highest counter of each session.

/// The slots of all rows ever seen, by id.
///
/// Counters of a session are dense, so its rows are found by their counter in pages of 1,024,
/// 256 pages to a shelf: nothing is ever rehashed, and a copy shares what is not written.
struct RowIndex: Sendable {
    private struct SessionRows: Sendable {
        var highestCounter: UInt32 = 0
        /// Slot + 1 by the counter's bits: upper 14, next 8, last 10; 0 where there is none.
        var shelves: [[[UInt32]]] = []
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

    /// The slot of a row; nil where the row was never seen.
    func slot(of row: RowID) -> UInt32? {
        guard let session = index(of: row.session) else { return nil }
        let counter = row.counter
        let shelf = Int(counter >> 18)
        guard shelf < sessions[session].shelves.count else { return nil }
        let page = Int(counter >> 10) & 255
        guard page < sessions[session].shelves[shelf].count else { return nil }
        let place = Int(counter & 1_023)
        guard place < sessions[session].shelves[shelf][page].count else { return nil }
        let slot = sessions[session].shelves[shelf][page][place]
        return slot == 0 ? nil : slot - 1
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
        let shelf = Int(counter >> 18)
        let page = Int(counter >> 10) & 255
        let place = Int(counter & 1_023)
        while sessions[session].shelves.count <= shelf { sessions[session].shelves.append([]) }
        while sessions[session].shelves[shelf].count <= page {
            sessions[session].shelves[shelf].append([])
        }
        let missing = place - sessions[session].shelves[shelf][page].count
        if missing >= 0 {
            sessions[session].shelves[shelf][page]
                .append(contentsOf: repeatElement(0, count: missing + 1))
        }
        sessions[session].shelves[shelf][page][place] = slot + 1
    }

    /// Takes back the entry of a row; the highest counter stays until set.
    mutating func remove(_ row: RowID) {
        guard slot(of: row) != nil, let session = index(of: row.session) else {
            return
        }
        let counter = row.counter
        sessions[session]
            .shelves[Int(counter >> 18)][Int(counter >> 10) & 255][Int(counter & 1_023)] = 0
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
