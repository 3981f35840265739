// Putting rows into the order: one at a time into a leaf with room, or whole blocks at once by
// rebuilding the leaf they fall into as many, so that a block costs its length and not a
// descent for each row.

extension RowOrder {
    /// Gives the next slots to `count` new rows; they are nowhere until inserted.
    mutating func addSlots(_ count: Int) -> UInt32 {
        let first = UInt32(truncatingIfNeeded: leafOfSlot.count)
        for _ in 0..<count { leafOfSlot.append(Self.none) }
        return first
    }

    /// Takes back the last slot, which must be nowhere.
    mutating func removeLastSlot() {
        leafOfSlot.removeLast()
        forgetHidden(UInt32(leafOfSlot.count))
    }

    /// Puts one entry right after a slot, or at the start.
    mutating func insert(_ entry: UInt32, after anchor: UInt32?) {
        let (leaf, index) = insertionPlace(after: anchor)
        guard leaves[leaf].entries.count < Self.leafEntriesMax else {
            insert(block: [entry], into: leaf, at: index)
            return
        }
        leaves[leaf].entries.insert(entry, at: index)
        leafOfSlot[entry & ~Self.hiddenBit] = leaf | (entry & Self.hiddenBit)
        if entry < Self.hiddenBit { addLive(1, to: leaf) }
    }

    /// Puts entries right after a slot, or at the start, in the order given.
    ///
    /// Complexity: linear in the block, plus one leaf and the logarithm of the rows.
    mutating func insert(block: [UInt32], after anchor: UInt32?) {
        guard block.count > 1 else {
            if let entry = block.first { insert(entry, after: anchor) }
            return
        }
        let (leaf, index) = insertionPlace(after: anchor)
        insert(block: block, into: leaf, at: index)
    }

    private func insertionPlace(after anchor: UInt32?) -> (leaf: UInt32, index: Int) {
        guard let anchor else { return (firstLeaf, 0) }
        let (leaf, index) = entryIndex(of: anchor)
        return (leaf, index + 1)
    }

    private mutating func insert(block: [UInt32], into leaf: UInt32, at index: Int) {
        let live = block.reduce(0) { $0 &+ Int((~$1) >> 31) }
        addLive(live, to: leaf)
        let present = leaves[leaf].entries.count
        if present + block.count <= Self.leafEntriesMax {
            leaves[leaf].entries.insert(contentsOf: block, at: index)
            setHome(of: block[...], to: leaf)
            return
        }
        if index == present {
            // At a leaf's end nothing has to be pushed apart: rows that are appended one after
            // another leave full leaves behind them.
            let kept = max(0, min(block.count, Self.leafEntriesFill - present))
            leaves[leaf].entries.append(contentsOf: block[..<kept])
            setHome(of: block[..<kept], to: leaf)
            makeLeaves(of: block[kept...], each: Self.leafEntriesFill, after: leaf)
        } else {
            var all = leaves[leaf].entries
            all.insert(contentsOf: block, at: index)
            let parts = (all.count + Self.leafEntriesFill - 1) / Self.leafEntriesFill
            let each = (all.count + parts - 1) / parts
            leaves[leaf].entries.removeAll(keepingCapacity: true)
            leaves[leaf].entries.append(contentsOf: all[..<each])
            setHome(of: all[..<each], to: leaf)
            makeLeaves(of: all[each...], each: each, after: leaf)
        }
    }

    /// Cuts entries into new leaves that follow `leaf`, which so far counted all their rows.
    private mutating func makeLeaves(of entries: ArraySlice<UInt32>, each: Int, after leaf: UInt32)
    {
        var ids: [UInt32] = []
        var counts: [UInt32] = []
        var moved: UInt32 = 0
        var start = entries.startIndex
        while start < entries.endIndex {
            let part = entries[start..<min(start + each, entries.endIndex)]
            start = part.endIndex
            let live = part.reduce(0 as UInt32) { $0 &+ ((~$1) >> 31) }
            let id = makeLeaf(part, liveCount: live)
            setHome(of: part, to: id)
            ids.append(id)
            counts.append(live)
            moved &+= live
        }
        leaves[leaf].liveCount &-= moved
        addSiblings(ids, counts, after: leaf, level: 0)
    }

    private mutating func makeLeaf(_ part: ArraySlice<UInt32>, liveCount: UInt32) -> UInt32 {
        var entries: [UInt32] = []
        entries.reserveCapacity(Self.leafEntriesMax)
        entries.append(contentsOf: part)
        let leaf = Leaf(entries: entries, liveCount: liveCount, parent: Self.none)
        if let id = freeLeaves.popLast() {
            leaves[id] = leaf
            return id
        }
        leaves.append(leaf)
        return UInt32(leaves.count - 1)
    }

    private mutating func makeBranch(
        _ children: [UInt32], _ counts: [UInt32], level: Int
    ) -> UInt32 {
        let branch = Branch(children: children, liveCounts: counts, parent: Self.none)
        let id: UInt32
        if let free = freeBranches.popLast() {
            branches[free] = branch
            id = free
        } else {
            branches.append(branch)
            id = UInt32(branches.count - 1)
        }
        for child in children { setParent(of: child, to: id, level: level - 1) }
        return id
    }

    mutating func setParent(of node: UInt32, to parent: UInt32, level: Int) {
        if level == 0 {
            leaves[node].parent = parent
        } else {
            branches[node].parent = parent
        }
    }

    func parent(of node: UInt32, level: Int) -> UInt32 {
        level == 0 ? leaves[node].parent : branches[node].parent
    }

    mutating func setHome(of entries: ArraySlice<UInt32>, to leaf: UInt32) {
        for entry in entries {
            leafOfSlot[entry & ~Self.hiddenBit] = leaf | (entry & Self.hiddenBit)
        }
    }

    /// Hangs nodes of a level right after one of their level, whose parent counted their rows
    /// as part of it; splits what becomes too wide, up to the root.
    private mutating func addSiblings(
        _ nodes: [UInt32], _ counts: [UInt32], after node: UInt32, level: Int
    ) {
        guard !nodes.isEmpty else { return }
        let moved = counts.reduce(0, &+)
        if node == root && level == height {
            let total = UInt32(truncatingIfNeeded: liveCount)
            height += 1
            root = makeBranch([node], [total], level: height)
        }
        let parent = parent(of: node, level: level)
        let index = childIndex(of: node, in: parent)
        branches[parent].liveCounts[index] &-= moved
        branches[parent].children.insert(contentsOf: nodes, at: index + 1)
        branches[parent].liveCounts.insert(contentsOf: counts, at: index + 1)
        for node in nodes { setParent(of: node, to: parent, level: level) }
        if branches[parent].children.count > Self.branchChildrenMax {
            splitBranch(parent, level: level + 1)
        }
    }

    private mutating func splitBranch(_ branch: UInt32, level: Int) {
        let children = branches[branch].children
        let counts = branches[branch].liveCounts
        let parts =
            (children.count + Self.branchChildrenFill - 1) / Self.branchChildrenFill
        let each = (children.count + parts - 1) / parts
        branches[branch].children = Array(children[..<each])
        branches[branch].liveCounts = Array(counts[..<each])
        var ids: [UInt32] = []
        var totals: [UInt32] = []
        var start = each
        while start < children.count {
            let end = min(start + each, children.count)
            let partCounts = Array(counts[start..<end])
            ids.append(makeBranch(Array(children[start..<end]), partCounts, level: level))
            totals.append(partCounts.reduce(0, &+))
            start = end
        }
        addSiblings(ids, totals, after: branch, level: level)
    }
}
