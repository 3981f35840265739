// Where the search for a row to claim goes on, so that a hundred bots do not each look at the
// whole table: for each condition how far all rows are known not to be open, and which rows before
// that may be open again. ResolveClaim.swift searches; Mutate.swift tells what was touched.
import TableExpression
import TableValue

/// Which rows a claim takes: those whose lease is free and of which this is true.
struct ClaimCondition: Sendable {
    /// The expression; nil where the cells to be set must be empty.
    var expression: Table.PreparedExpression?
    /// Without an expression: the columns whose cells must be empty.
    var emptyColumns: [Int] = []

    /// True for a row that is there, is not leased and that the condition holds of.
    ///
    /// A row for which the expression has no value is not open, and holds nobody up.
    mutating func isOpen(_ slot: UInt32, in table: borrowing Table) -> Bool {
        guard slot < table.rows.ids.count, !table.rows.order.isHidden(slot),
            table.leases[slot] == nil
        else { return false }
        return holds(slot, in: table)
    }

    /// True where the condition itself holds.
    mutating func holds(_ slot: UInt32, in table: borrowing Table) -> Bool {
        if expression != nil {
            let found = try? expression?.evaluate(slot, in: table.cells)
            return found?.isTrue == true
        }
        for column in emptyColumns where !table.cells[column].equals(slot, .null) { return false }
        return true
    }
}

/// What is known of one condition.
struct ClaimMemory: Sendable {
    /// The condition as its authors write it.
    let key: Text
    /// The columns that it was read with.
    let schemaHead: SequenceNumber
    var condition: ClaimCondition
    /// All rows up to this one, itself included, are not open, but for those in `early` and
    /// `touched`; nil where none is known.
    var cursor: UInt32?
    /// Rows before the cursor that were open when they were looked at, the last in order first.
    var early: [UInt32] = []
    /// Rows that somebody has touched since they were looked at.
    var touched: [UInt32] = []

    mutating func startAnew() {
        cursor = nil
        early = []
        touched = []
    }
}

/// What a table remembers of the conditions of claims, the one that was used last at the end.
struct ClaimMemories: Sendable {
    private static var memoriesMax: Int { 16 }
    private static var touchedMax: Int { 1 << 16 }
    private var memories: [ClaimMemory] = []

    /// Takes out what is known of a condition, to be put back after the search.
    mutating func take(_ key: Text, schemaHead: SequenceNumber) -> ClaimMemory? {
        guard let place = memories.firstIndex(where: { $0.key == key }) else { return nil }
        let memory = memories.remove(at: place)
        return memory.schemaHead == schemaHead ? memory : nil
    }

    mutating func put(_ memory: ClaimMemory) {
        if memories.count == Self.memoriesMax { memories.removeFirst() }
        memories.append(memory)
    }

    /// A row's cells, lease or being there have changed.
    mutating func touch(_ slot: UInt32) {
        for index in memories.indices where memories[index].touched.last != slot {
            memories[index].touched.append(slot)
            if memories[index].touched.count > Self.touchedMax { memories[index].startAnew() }
        }
    }

    /// New rows stand somewhere else than at the end.
    mutating func touch(_ slots: Range<UInt32>) {
        for slot in slots { touch(slot) }
    }

    /// Rows are about to be taken out of the order.
    mutating func moving(_ slots: [UInt32], in order: borrowing RowOrder) {
        guard !memories.isEmpty else { return }
        let leaving = Set(slots)
        for index in memories.indices {
            while let cursor = memories[index].cursor, leaving.contains(cursor) {
                memories[index].cursor = order.predecessor(of: cursor)
            }
            memories[index].touched += memories[index].early + slots
            memories[index].early = []
            if memories[index].touched.count > Self.touchedMax { memories[index].startAnew() }
        }
    }

    /// The order of the rows is another.
    mutating func startAnew() {
        for index in memories.indices { memories[index].startAnew() }
    }
}

extension Table {
    /// The first row in order that is open; nil where there is none.
    ///
    /// Complexity: what was touched since the last search, each logarithmic in the rows, and what
    /// lies between the last row found and this one.
    mutating func firstOpen(_ memory: inout ClaimMemory) -> UInt32? {
        rowsLookedAt = 0
        for slot in memory.touched {
            rowsLookedAt += 1
            guard memory.condition.isOpen(slot, in: self), let cursor = memory.cursor,
                slot == cursor || place(slot) < place(cursor)
            else { continue }
            insert(slot, into: &memory.early)
        }
        memory.touched = []
        while let slot = memory.early.last {
            rowsLookedAt += 1
            if memory.condition.isOpen(slot, in: self) { return slot }
            memory.early.removeLast()
        }
        var place = rows.order.place(after: memory.cursor)
        while let entry = rows.order.entry(after: &place) {
            let slot = entry & ~RowOrder.hiddenBit
            rowsLookedAt += 1
            if memory.condition.isOpen(slot, in: self) { return slot }
            memory.cursor = slot
        }
        return nil
    }

    private func place(_ slot: UInt32) -> Int { rows.order.liveCountBefore(slot) }

    /// Puts a row among others, which stand from the last in order to the first.
    private func insert(_ slot: UInt32, into early: inout [UInt32]) {
        let wanted = place(slot)
        var low = 0
        var high = early.count
        while low < high {
            let middle = (low + high) / 2
            if place(early[middle]) > wanted { low = middle + 1 } else { high = middle }
        }
        if low < early.count, early[low] == slot { return }
        early.insert(slot, at: low)
    }
}

extension RowOrder {
    /// Where the entry right behind a slot stands; the first where `slot` is nil.
    func place(after slot: UInt32?) -> (leaf: UInt32, index: Int) {
        guard let slot else { return (firstLeaf, 0) }
        let (leaf, index) = entryIndex(of: slot)
        return (leaf, index + 1)
    }
}
