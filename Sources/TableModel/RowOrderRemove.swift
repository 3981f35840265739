// Taking rows out of the order (to move them, or to take back an insertion), and keeping the
// tree from growing thin.

extension RowOrder {
    /// Takes a slot out; it is nowhere until inserted again.
    ///
    /// Returns its entry.
    @discardableResult
    mutating func remove(_ slot: UInt32) -> UInt32 {
        let (leaf, index) = entryIndex(of: slot)
        let entry = leaves[leaf].entries.remove(at: index)
        leafOfSlot[slot] = Self.none
        if entry < Self.hiddenBit { addLive(-1, to: leaf) }
        if leaves[leaf].entries.count < Self.leafEntriesMin { thicken(leaf) }
        return entry
    }

    /// Joins a thin leaf with a neighbour under the same branch, or drops it when empty.
    private mutating func thicken(_ leaf: UInt32) {
        let parent = leaves[leaf].parent
        guard parent != Self.none else { return }
        let index = childIndex(of: leaf, in: parent)
        let siblings = branches[parent].children.count
        if leaves[leaf].entries.isEmpty {
            drop(leaf, level: 0)
        } else if index + 1 < siblings, fits(leaf, branches[parent].children[index + 1]) {
            join(branches[parent].children[index + 1], into: leaf)
        } else if index > 0, fits(branches[parent].children[index - 1], leaf) {
            join(leaf, into: branches[parent].children[index - 1])
        }
    }

    private func fits(_ left: UInt32, _ right: UInt32) -> Bool {
        leaves[left].entries.count + leaves[right].entries.count <= Self.leafEntriesFill
    }

    /// Joins a leaf into the one before it under the same branch.
    private mutating func join(_ right: UInt32, into left: UInt32) {
        let entries = leaves[right].entries
        let live = leaves[right].liveCount
        leaves[left].entries.append(contentsOf: entries)
        leaves[left].liveCount &+= live
        setHome(of: entries[...], to: left)
        let parent = leaves[left].parent
        let index = childIndex(of: left, in: parent)
        branches[parent].liveCounts[index] &+= live
        branches[parent].liveCounts[index + 1] = 0
        leaves[right].entries = []
        leaves[right].liveCount = 0
        drop(right, level: 0)
    }

    /// Takes a node without rows out of the tree, and what becomes empty or thin above it.
    private mutating func drop(_ node: UInt32, level: Int) {
        let parent = parent(of: node, level: level)
        guard parent != Self.none else { return }
        if branches[parent].children.count == 1 {
            // The last child of the root stays: an order without rows is one empty leaf.
            guard parent != root else {
                lowerRoot()
                return
            }
            drop(parent, level: level + 1)
            let isRootNow = node == root && level == height
            if !isRootNow { free(node, level: level) }
            return
        }
        let index = childIndex(of: node, in: parent)
        branches[parent].children.remove(at: index)
        branches[parent].liveCounts.remove(at: index)
        free(node, level: level)
        thickenBranch(parent, level: level + 1)
    }

    private mutating func free(_ node: UInt32, level: Int) {
        if level == 0 {
            leaves[node] = Leaf(entries: [], liveCount: 0, parent: Self.none)
            freeLeaves.append(node)
        } else {
            branches[node] = Branch(children: [], liveCounts: [], parent: Self.none)
            freeBranches.append(node)
        }
    }

    private mutating func thickenBranch(_ branch: UInt32, level: Int) {
        if branch == root {
            lowerRoot()
            return
        }
        guard branches[branch].children.count < Self.branchChildrenMin else { return }
        let parent = branches[branch].parent
        let index = childIndex(of: branch, in: parent)
        let left = index > 0 ? index - 1 : index
        guard left + 1 < branches[parent].children.count else { return }
        let keeper = branches[parent].children[left]
        let giver = branches[parent].children[left + 1]
        let children = branches[giver].children
        guard branches[keeper].children.count + children.count <= Self.branchChildrenFill
        else { return }
        let counts = branches[giver].liveCounts
        branches[keeper].children.append(contentsOf: children)
        branches[keeper].liveCounts.append(contentsOf: counts)
        for child in children { setParent(of: child, to: keeper, level: level - 1) }
        branches[parent].liveCounts[left] &+= branches[parent].liveCounts[left + 1]
        branches[giver].children = []
        branches[parent].liveCounts.remove(at: left + 1)
        branches[parent].children.remove(at: left + 1)
        free(giver, level: level)
        thickenBranch(parent, level: level + 1)
    }

    /// A root with one child gives way to it.
    private mutating func lowerRoot() {
        while height > 0, branches[root].children.count == 1 {
            let child = branches[root].children[0]
            free(root, level: height)
            height -= 1
            setParent(of: child, to: Self.none, level: height)
            root = child
        }
    }
}
