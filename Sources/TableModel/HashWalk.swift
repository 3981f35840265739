// The walk of the content hash over one run of groups: it may pause behind any cell, and holds
// no more bytes than one cell and a buffer. Which runs there are to walk says ContentHash.swift.

/// Digests one run of groups that begins at a live position, in pieces.
///
/// Groups that are not marked keep the digest they have.
struct HashWalk {
    /// Rows that are digested together.
    private struct RowGroup {
        var start: (leaf: UInt32, index: Int)
        var count = 0
        var isMarked = false
    }

    private let digestType: any ContentDigest.Type
    /// The live position at which the run begins.
    let start: Int
    private var position: Int
    private var place: (leaf: UInt32, index: Int)
    private var group: RowGroup
    /// The digests of the groups so far.
    private var groups = CanonicalBytes()
    /// The group whose rows are being digested, and the slot that ends it.
    private var rows: (walk: GroupWalk, end: UInt32)?

    /// Begins a walk; nil at the end of the table.
    init?(of table: Table, from start: Int, using digest: any ContentDigest.Type) {
        guard start < table.rowCount, let first = table.placeBehind(position: start - 1) else {
            return nil
        }
        digestType = digest
        self.start = start
        position = start
        place = first
        group = RowGroup(start: first)
        groups.begin(.groups)
    }

    /// Goes on until the run is over or the budget is used up.
    ///
    /// - Returns: the run and the live position behind it; nil where it is not over.
    mutating func advance(
        on table: Table, marks: SlotBits, cache: inout HashCache, _ budget: inout Int
    ) -> (run: HashCache.Run, end: Int)? {
        while budget > 0 {
            if let end = rows?.end {
                guard let digest = rows?.walk.advance(on: table, &budget) else { return nil }
                rows = nil
                if end != RowOrder.none { cache.groups[end] = digest }
                if let run = took(digest, end: end, of: table) { return (run, position) }
            } else if let run = walkGroup(of: table, marks, cache, &budget) {
                return (run, position)
            }
        }
        return nil
    }

    /// Walks to the end of a group; the run where that ends it and nothing is to be digested.
    private mutating func walkGroup(
        of table: Table, _ marks: SlotBits, _ cache: HashCache, _ budget: inout Int
    ) -> HashCache.Run? {
        while budget > 0 {
            guard let entry = table.rows.order.entry(after: &place) else {
                guard group.count > 0 else { return run(end: RowOrder.none) }
                digest(group, end: RowOrder.none)
                return nil
            }
            budget -= 8
            let slot = entry & ~RowOrder.hiddenBit
            if marks[slot] { group.isMarked = true }
            guard entry == slot else { continue }
            position += 1
            group.count += 1
            guard HashCut.mix(table.rows.ids[slot]) & table.hashCut.groupMask == 0 else {
                continue
            }
            guard !group.isMarked, let known = cache.groups[slot] else {
                digest(group, end: slot)
                return nil
            }
            if let run = took(known, end: slot, of: table) { return run }
        }
        return nil
    }

    private mutating func digest(_ group: RowGroup, end: UInt32) {
        let walk = GroupWalk(from: group.start, count: group.count, using: digestType)
        rows = (walk, end)
    }

    /// Takes the digest of a group; the run where the group ends it.
    private mutating func took(
        _ digest: Digest32, end: UInt32, of table: Table
    ) -> HashCache.Run? {
        digest.write(to: &groups)
        group = RowGroup(start: place)
        guard end != RowOrder.none else { return run(end: end) }
        let isEnd = HashCut.mix(table.rows.ids[end]) & table.hashCut.runMask == 0
        return isEnd ? run(end: end) : nil
    }

    private func run(end: UInt32) -> HashCache.Run {
        HashCache.Run(end: end, digest: Digest32(groups.finish(digestType)))
    }
}

/// Digests the rows of one group, in pieces.
private struct GroupWalk {
    /// Bytes are given to the digest once there are so many.
    private static let bufferBytes = 16 << 10

    private var digest: any ContentDigest
    private var bytes = CanonicalBytes()
    private var place: (leaf: UInt32, index: Int)
    /// Rows that have not been begun.
    private var rowsLeft: Int
    /// The row under way, and how many of its cells are done.
    private var row: UInt32 = 0
    private var cellsDone = Int.max

    init(from place: (leaf: UInt32, index: Int), count: Int, using digest: any ContentDigest.Type) {
        self.digest = digest.init()
        self.place = place
        rowsLeft = count
        bytes.begin(.rows)
    }

    /// Goes on until the group is done or the budget is used up.
    mutating func advance(on table: Table, _ budget: inout Int) -> Digest32? {
        while budget > 0 {
            if cellsDone < table.schema.liveOrder.count {
                digestCells(of: table, &budget)
            } else if rowsLeft > 0, let entry = table.rows.order.entry(after: &place) {
                budget -= 8
                guard entry < RowOrder.hiddenBit else { continue }
                bytes.append(table.rows.ids[entry].rawValue)
                rowsLeft -= 1
                row = entry
                cellsDone = 0
            } else {
                passOn()
                return Digest32(digest.finish())
            }
        }
        return nil
    }

    /// Digests the cells of the row under way, as many as the budget allows.
    private mutating func digestCells(of table: Table, _ budget: inout Int) {
        let order = table.schema.liveOrder
        while cellsDone < order.count, budget > 0 {
            let before = bytes.bytes.count
            table.cells[order[cellsDone]].write(row, to: &bytes)
            cellsDone += 1
            budget -= bytes.bytes.count - before
            if bytes.bytes.count >= Self.bufferBytes { passOn() }
        }
    }

    private mutating func passOn() {
        // Taken out, so that the digest and what it is given are not of one access.
        var gathered = CanonicalBytes()
        swap(&gathered, &bytes)
        unsafe digest.update(gathered.bytes.span.bytes)
        gathered.clear()
        swap(&gathered, &bytes)
    }
}

extension Table {
    /// The place right behind a live row, where hidden ones may stand.
    fileprivate func placeBehind(position: Int) -> (leaf: UInt32, index: Int)? {
        guard position >= 0 else { return (rows.order.firstLeaf, 0) }
        guard let place = rows.order.entryPlace(at: position) else { return nil }
        return (place.leaf, place.index + 1)
    }
}
