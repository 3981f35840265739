// The order of the rows: a counted tree over slots. Hidden rows keep their place with weight 0,
// so that an anchor on them still means something. It knows nothing of ids, cells or rules.
// Inserting and splitting are in RowOrderInsert.swift, removing in RowOrderRemove.swift.

/// The order of all rows, live and hidden, by slot.
///
/// Leaves hold up to 256 entries (a slot, and one bit that says hidden), branches up to 64
/// children with the number of live rows below each. All leaves are equally deep. Every slot
/// knows its leaf, so a position is found by climbing and a row by descending.
struct RowOrder: Sendable {
    static var leafEntriesMax: Int { 256 }
    /// How full leaves are made when many are made at once.
    static var leafEntriesFill: Int { 192 }
    static var leafEntriesMin: Int { 48 }
    static var branchChildrenMax: Int { 64 }
    static var branchChildrenFill: Int { 48 }
    static var branchChildrenMin: Int { 12 }
    /// The bit of an entry, and of a slot's leaf number, that says hidden.
    static var hiddenBit: UInt32 { 1 << 31 }
    /// "No node".
    static var none: UInt32 { .max }

    struct Leaf: Sendable {
        /// Slots in order, each with the hidden bit where it is hidden.
        var entries: [UInt32]
        var liveCount: UInt32
        var parent: UInt32
    }

    struct Branch: Sendable {
        var children: [UInt32]
        /// The live rows below each child.
        var liveCounts: [UInt32]
        var parent: UInt32
    }

    var leaves = PagedArray<Leaf>()
    var branches = PagedArray<Branch>()
    var freeLeaves: [UInt32] = []
    var freeBranches: [UInt32] = []
    /// For each slot its leaf, with the hidden bit where the row is hidden.
    var leafOfSlot = PagedArray<UInt32>()
    var root: UInt32 = 0
    /// The number of levels of branches; 0 where the root is a leaf.
    var height = 0
    /// The number of live rows.
    var liveCount = 0

    init() {
        leaves.append(Leaf(entries: [], liveCount: 0, parent: Self.none))
    }

    /// The number of slots ever given, live and hidden.
    var slotCount: Int { leafOfSlot.count }

    /// Hidden rows once more, in so little room that asking seldom has to wait for memory.
    private(set) var hiddenSlots = SlotBits()

    func isHidden(_ slot: UInt32) -> Bool { hiddenSlots[slot] }

    func leaf(of slot: UInt32) -> UInt32 {
        leafOfSlot[slot] & ~Self.hiddenBit
    }

    /// Where in its leaf a slot stands.
    func entryIndex(of slot: UInt32) -> (leaf: UInt32, index: Int) {
        let home = leafOfSlot[slot]
        let leaf = home & ~Self.hiddenBit
        let entry = slot | (home & Self.hiddenBit)
        guard let index = Self.index(of: entry, in: leaves[leaf].entries) else {
            preconditionFailure("a slot is not in the leaf it names")
        }
        return (leaf, index)
    }

    func childIndex(of child: UInt32, in branch: UInt32) -> Int {
        guard let index = Self.index(of: child, in: branches[branch].children) else {
            preconditionFailure("a node is not a child of its parent")
        }
        return index
    }

    /// The first place of a number, eight at a time.
    private static func index(of number: UInt32, in numbers: [UInt32]) -> Int? {
        unsafe numbers.withUnsafeBytes { bytes in
            let wanted = SIMD8<UInt32>(repeating: number)
            let count = numbers.count
            var index = 0
            while index + 8 <= count {
                let eight = unsafe bytes.loadUnaligned(
                    fromByteOffset: index * 4, as: SIMD8<UInt32>.self)
                if any(eight .== wanted) { break }
                index += 8
            }
            while index < count {
                let one = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                if one == number { return index }
                index += 1
            }
            return nil
        }
    }

    // MARK: Positions

    /// The live row at a position from 0.
    func slot(at position: Int) -> UInt32? {
        guard let place = entryPlace(at: position) else { return nil }
        return leaves[place.leaf].entries[place.index]
    }

    /// Where the live row at a position stands.
    func entryPlace(at position: Int) -> (leaf: UInt32, index: Int)? {
        guard position >= 0, position < liveCount else { return nil }
        var rest = UInt32(position)
        var node = root
        for _ in 0..<height {
            let counts = branches[node].liveCounts
            var child = 0
            while rest >= counts[child] {
                rest -= counts[child]
                child += 1
            }
            node = branches[node].children[child]
        }
        if Int(leaves[node].liveCount) == leaves[node].entries.count {
            return (node, Int(rest))
        }
        for (index, entry) in leaves[node].entries.enumerated() where entry < Self.hiddenBit {
            if rest == 0 { return (node, index) }
            rest -= 1
        }
        return nil
    }

    /// The number of live rows before a slot, itself live or hidden.
    func liveCountBefore(_ slot: UInt32) -> Int {
        let (leaf, index) = entryIndex(of: slot)
        var count = liveCountInLeaf(leaf, before: index)
        var child = leaf
        var parent = leaves[leaf].parent
        while parent != Self.none {
            let childIndex = childIndex(of: child, in: parent)
            count &+= Int(branches[parent].liveCounts[..<childIndex].reduce(0, &+))
            child = parent
            parent = branches[parent].parent
        }
        return count
    }

    private func liveCountInLeaf(_ leaf: UInt32, before index: Int) -> Int {
        if Int(leaves[leaf].liveCount) == leaves[leaf].entries.count { return index }
        return Int(leaves[leaf].entries[..<index].reduce(0) { $0 &+ (~$1) >> 31 })
    }

    /// The nearest live row before a slot.
    func livePredecessor(of slot: UInt32) -> UInt32? {
        let (leaf, index) = entryIndex(of: slot)
        for entry in leaves[leaf].entries[..<index].reversed() where entry < Self.hiddenBit {
            return entry
        }
        let before = liveCountBefore(slot)
        return before == 0 ? nil : self.slot(at: before - 1)
    }

    // MARK: Neighbours, live and hidden

    /// The first slot, live or hidden.
    var first: UInt32? {
        var node = root
        for _ in 0..<height { node = branches[node].children[0] }
        return leaves[node].entries.first.map { $0 & ~Self.hiddenBit }
    }

    /// The last slot, live or hidden.
    var last: UInt32? {
        leaves[lastLeaf].entries.last.map { $0 & ~Self.hiddenBit }
    }

    var lastLeaf: UInt32 {
        var node = root
        for _ in 0..<height {
            node = branches[node].children[branches[node].children.count - 1]
        }
        return node
    }

    var firstLeaf: UInt32 {
        var node = root
        for _ in 0..<height { node = branches[node].children[0] }
        return node
    }

    /// The slot right before another, live or hidden.
    func predecessor(of slot: UInt32) -> UInt32? {
        let (leaf, index) = entryIndex(of: slot)
        if index > 0 { return leaves[leaf].entries[index - 1] & ~Self.hiddenBit }
        guard let previous = neighbour(of: leaf, step: -1) else { return nil }
        return leaves[previous].entries.last.map { $0 & ~Self.hiddenBit }
    }

    /// The slot right after another, live or hidden; the first where `slot` is nil.
    func successor(of slot: UInt32?) -> UInt32? {
        guard let slot else { return first }
        let (leaf, index) = entryIndex(of: slot)
        if index + 1 < leaves[leaf].entries.count {
            return leaves[leaf].entries[index + 1] & ~Self.hiddenBit
        }
        guard let next = neighbour(of: leaf, step: 1) else { return nil }
        return leaves[next].entries.first.map { $0 & ~Self.hiddenBit }
    }

    /// The leaf before (-1) or after (1) another.
    func neighbour(of leaf: UInt32, step: Int) -> UInt32? {
        var child = leaf
        var parent = leaves[leaf].parent
        var climbed = 0
        while parent != Self.none {
            let index = childIndex(of: child, in: parent) + step
            if branches[parent].children.indices.contains(index) {
                var node = branches[parent].children[index]
                for _ in 0..<climbed {
                    let children = branches[node].children.count
                    node = branches[node].children[step > 0 ? 0 : children - 1]
                }
                return node
            }
            child = parent
            parent = branches[parent].parent
            climbed += 1
        }
        return nil
    }

    /// The entry at a place, which moves on by one; nil at the end.
    func entry(after place: inout (leaf: UInt32, index: Int)) -> UInt32? {
        while place.index >= leaves[place.leaf].entries.count {
            guard let next = neighbour(of: place.leaf, step: 1) else { return nil }
            place = (next, 0)
        }
        place.index += 1
        return leaves[place.leaf].entries[place.index - 1]
    }

    // MARK: Weight

    /// The slot is given back; its next row will not be hidden.
    mutating func forgetHidden(_ slot: UInt32) {
        if hiddenSlots[slot] { hiddenSlots.set(slot, false) }
    }

    /// Hides a row or shows it again, where it stands.
    mutating func setHidden(_ slot: UInt32, _ hidden: Bool) {
        guard isHidden(slot) != hidden else { return }
        let (leaf, index) = entryIndex(of: slot)
        hiddenSlots.set(slot, hidden)
        leafOfSlot[slot] ^= Self.hiddenBit
        leaves[leaf].entries[index] ^= Self.hiddenBit
        addLive(hidden ? -1 : 1, to: leaf)
    }

    /// Adds to the number of live rows of a leaf and of all branches above it.
    mutating func addLive(_ difference: Int, to leaf: UInt32) {
        guard difference != 0 else { return }
        let wrapped = UInt32(truncatingIfNeeded: difference)
        liveCount += difference
        leaves[leaf].liveCount &+= wrapped
        var child = leaf
        var parent = leaves[leaf].parent
        while parent != Self.none {
            let index = childIndex(of: child, in: parent)
            branches[parent].liveCounts[index] &+= wrapped
            child = parent
            parent = branches[parent].parent
        }
    }
}
