// Rows that change places among each other: a permanent sort. The tree stays as it is, and all
// other rows, live and hidden, stay where they are.

extension RowOrder {
    /// Rows are looked for one by one where they are fewer than this part of all.
    private static var rowsForSearch: Int { 16 }

    /// Puts live rows, in this order, on the places that they have among them.
    ///
    /// No row may stand twice, and none may be hidden.
    ///
    /// Complexity: linear in all rows; for few of them logarithmic each.
    ///
    /// - Returns: the rows as they stood.
    @discardableResult
    mutating func arrange(_ slots: [UInt32]) -> [UInt32] {
        var before: [UInt32] = []
        before.reserveCapacity(slots.count)
        for (slot, place) in zip(slots, places(of: slots)) {
            before.append(leaves[place.leaf].entries[place.index])
            leaves[place.leaf].entries[place.index] = slot
            leafOfSlot[slot] = place.leaf
        }
        return before
    }

    /// The live rows in order.
    var liveSlots: [UInt32] {
        var slots: [UInt32] = []
        slots.reserveCapacity(liveCount)
        forEachLive { _, _, slot in slots.append(slot) }
        return slots
    }

    /// The rows in the order of the table.
    func inOrder(_ slots: [UInt32]) -> [UInt32] {
        places(of: slots).map { leaves[$0.leaf].entries[$0.index] }
    }

    private func places(of slots: [UInt32]) -> [(leaf: UInt32, index: Int)] {
        guard slots.count > liveCount / Self.rowsForSearch else {
            return slots.map { (slot: $0, before: liveCountBefore($0)) }
                .sorted { $0.before < $1.before }
                .map { entryIndex(of: $0.slot) }
        }
        var wanted = SlotBits()
        for slot in slots { wanted.set(slot, true) }
        var places: [(leaf: UInt32, index: Int)] = []
        places.reserveCapacity(slots.count)
        forEachLive { leaf, index, slot in
            if wanted[slot] { places.append((leaf, index)) }
        }
        return places
    }

    private func forEachLive(_ body: (_ leaf: UInt32, _ index: Int, _ slot: UInt32) -> Void) {
        var leaf: UInt32? = firstLeaf
        while let current = leaf {
            for (index, entry) in leaves[current].entries.enumerated()
            where entry < Self.hiddenBit {
                body(current, index, entry)
            }
            leaf = neighbour(of: current, step: 1)
        }
    }
}
