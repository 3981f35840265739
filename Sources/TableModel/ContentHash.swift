// The content hash: a tree of digests over the live rows, cut by the rows' own ids so that
// equal tables have equal trees whatever their histories. docs/protocol.md, "Content hash", says
// the same in words; the bytes are in CanonicalBytes.swift, what is remembered in HashCache.swift.
import TableValue

/// Computes a 32-byte digest of bytes given piece by piece (SHA-256 in the product).
package protocol ContentDigest {
    /// Starts an empty digest.
    init()
    /// Adds bytes.
    mutating func update(_ bytes: borrowing RawSpan)
    /// Ends the digest: 32 bytes.
    mutating func finish() -> [UInt8]
}

/// Where the tree is cut; the defaults are the protocol, tests cut finer.
struct HashCut: Sendable {
    /// A group of rows ends with a row whose mixed id has these bits zero: one in 256.
    var groupMask: UInt64 = 0xFF
    /// A run of groups ends with a row whose mixed id has these bits zero: one in 16,384.
    var runMask: UInt64 = 0x3FFF

    /// Spreads a row id over 64 bits.
    static func mix(_ row: RowID) -> UInt64 {
        var bits = UInt64(bitPattern: row.rawValue)
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}

extension Table {
    /// The content hash of docs/protocol.md: 32 bytes over schema and live rows in order.
    ///
    /// Complexity: linear in what changed since the last call, each change counting as some ten
    /// thousand steps over ids and some hundred rows; linear in the rows for the first call and
    /// after columns were added, moved or deleted.
    package mutating func contentHash<Digest: ContentDigest>(using digest: Digest.Type) -> [UInt8] {
        var cache: HashCache
        if let known = hashCache.take(), known.digestType == ObjectIdentifier(digest) {
            cache = known
            refresh(&cache, digest)
        } else {
            cache = HashCache(digestType: ObjectIdentifier(digest))
            let marks = SlotBits()
            var start = 0
            while let found = digestRun(from: start, marks, &cache, digest) {
                cache.runs.append(found.run)
                start = found.end
            }
        }
        let hash = tableDigest(cache, digest)
        hashCache = cache
        return hash
    }

    private func tableDigest<Digest: ContentDigest>(
        _ cache: HashCache, _ digest: Digest.Type
    ) -> [UInt8] {
        var bytes = CanonicalBytes()
        bytes.begin(.table)
        bytes.append(UInt32(columns.count))
        for column in columns { bytes.append(column) }
        bytes.append(UInt64(rowCount))
        for run in cache.runs { run.digest.write(to: &bytes) }
        return bytes.finish(digest)
    }

    // MARK: One run

    /// The digest of the run of groups that begins at a live position.
    ///
    /// Groups that are not marked keep the digest they have. Nil at the end of the table.
    private func digestRun<Digest: ContentDigest>(
        from start: Int, _ marks: SlotBits, _ cache: inout HashCache, _ digest: Digest.Type
    ) -> (run: HashCache.Run, end: Int)? {
        guard start < rowCount, let first = placeBehind(position: start - 1) else { return nil }
        var groups = CanonicalBytes()
        groups.begin(.groups)
        var group = RowGroup(start: first)
        var position = start
        var walk = first
        while let entry = rows.order.entry(after: &walk) {
            let slot = entry & ~RowOrder.hiddenBit
            if marks[slot] { group.isMarked = true }
            guard entry == slot else { continue }
            position += 1
            group.count += 1
            let mixed = HashCut.mix(rows.ids[slot])
            guard mixed & hashCut.groupMask == 0 else { continue }
            if group.isMarked || cache.groups[slot] == nil {
                cache.groups[slot] = digestGroup(group, digest)
            }
            cache.groups[slot]?.write(to: &groups)
            if mixed & hashCut.runMask == 0 {
                let run = HashCache.Run(end: slot, digest: Digest32(groups.finish(digest)))
                return (run, position)
            }
            group = RowGroup(start: walk)
        }
        if group.count > 0 { digestGroup(group, digest).write(to: &groups) }
        let run = HashCache.Run(end: RowOrder.none, digest: Digest32(groups.finish(digest)))
        return (run, position)
    }

    /// The place right behind a live row, where hidden ones may stand.
    private func placeBehind(position: Int) -> (leaf: UInt32, index: Int)? {
        guard position >= 0 else { return (rows.order.firstLeaf, 0) }
        guard let place = rows.order.entryPlace(at: position) else { return nil }
        return (place.leaf, place.index + 1)
    }

    /// Rows that are digested together.
    private struct RowGroup {
        var start: (leaf: UInt32, index: Int)
        var count = 0
        var isMarked = false
    }

    private func digestGroup<Digest: ContentDigest>(
        _ group: RowGroup, _ digest: Digest.Type
    ) -> Digest32 {
        var bytes = CanonicalBytes()
        bytes.begin(.rows)
        var walk = group.start
        var rest = group.count
        while rest > 0, let entry = rows.order.entry(after: &walk) {
            guard entry < RowOrder.hiddenBit else { continue }
            bytes.append(rows.ids[entry].rawValue)
            for index in schema.liveOrder { cells[index].write(entry, to: &bytes) }
            rest -= 1
        }
        return Digest32(bytes.finish(digest))
    }

    // MARK: What changed

    /// Digests the runs anew in which something is marked, and puts them where they belong now.
    private func refresh<Digest: ContentDigest>(_ cache: inout HashCache, _ digest: Digest.Type) {
        let fresh = freshRuns(&cache, digest)
        cache.clearMarks()
        guard !fresh.isEmpty else { return }
        let replaced = Set(fresh.map(\.run.end))
        cache.runs.removeAll { run in
            guard run.end != RowOrder.none else { return replaced.contains(run.end) }
            return replaced.contains(run.end) || rows.order.isHidden(run.end)
        }
        // What is not marked keeps its order among itself, so each fresh run is put in by its
        // position.
        var low = 0
        for (run, position) in fresh {
            guard let position else { continue }
            var high = cache.runs.count
            while low < high {
                let middle = (low + high) / 2
                if isRun(cache.runs[middle], before: position) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            cache.runs.insert(run, at: low)
            low += 1
        }
    }

    private func isRun(_ run: HashCache.Run, before position: Int) -> Bool {
        run.end != RowOrder.none && rows.order.liveCountBefore(run.end) < position
    }

    /// The runs in which something is marked, in order, each with its first live position; nil
    /// for the table's rest where that has no rows any more.
    private func freshRuns<Digest: ContentDigest>(
        _ cache: inout HashCache, _ digest: Digest.Type
    ) -> [(run: HashCache.Run, position: Int?)] {
        var marks = SlotBits()
        var positions: [Int] = []
        for slot in cache.marked where slot < UInt32(rows.order.slotCount) && !marks[slot] {
            marks.set(slot, true)
            positions.append(rows.order.liveCountBefore(slot))
        }
        if cache.isEndMarked { positions.append(rowCount) }
        positions.sort()
        var fresh: [(run: HashCache.Run, position: Int?)] = []
        var done = 0
        for position in positions where position >= done {
            let start = runStart(before: position, notBefore: done)
            guard let found = digestRun(from: start, marks, &cache, digest) else {
                let rest = HashCache.Run(end: RowOrder.none, digest: Digest32([]))
                fresh.append((rest, nil))
                break
            }
            fresh.append((found.run, start))
            // The end of the table is a place of its own, behind the last row.
            done = found.run.end == RowOrder.none ? .max : found.end
        }
        return fresh
    }

    /// The position right after the last end of a run before a position.
    private func runStart(before position: Int, notBefore floor: Int) -> Int {
        var count = position
        guard count > floor, var place = rows.order.entryPlace(at: count - 1) else { return floor }
        while count > floor {
            for entry in rows.order.leaves[place.leaf].entries[...place.index].reversed()
            where entry < RowOrder.hiddenBit {
                if HashCut.mix(rows.ids[entry]) & hashCut.runMask == 0 { return count }
                count -= 1
                if count == floor { return floor }
            }
            guard let previous = rows.order.neighbour(of: place.leaf, step: -1) else {
                return floor
            }
            place = (previous, rows.order.leaves[previous].entries.count - 1)
        }
        return floor
    }
}
