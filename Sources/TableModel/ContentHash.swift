// The content hash: a tree of digests over the live rows, cut by the rows' own ids so that
// equal tables have equal trees whatever their histories. docs/protocol.md, "Content hash", says
// the same in words; the bytes are in CanonicalBytes.swift, what is remembered in HashCache.swift,
// and the walk over the rows, which may pause anywhere, in HashWalk.swift.
import TableValue

/// Computes a 32-byte digest of bytes given piece by piece (SHA-256 in the product).
package protocol ContentDigest: SendableMetatype {
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
    package mutating func contentHash(using digest: any ContentDigest.Type) -> [UInt8] {
        var hashing = ContentHashing(of: &self, using: digest)
        var budget = Int.max
        let hash = hashing.advance(&budget)
        remember(hashing)
        return hash ?? []
    }

    /// Keeps what a hashing of this table found out, so that the next one costs only what changed
    /// since that one began.
    ///
    /// Without effect where the hashing is not done, or too much has changed since.
    package mutating func remember(_ hashing: ContentHashing) {
        guard hashing.hash != nil, let own = hashCache, own.awaited == hashing.sequence,
            own.digestType == hashing.cache.digestType
        else { return }
        hashCache?.fill(from: hashing.cache)
    }
}

/// A content hash on its way: done in pieces of a bounded size, on a copy of the table that stays
/// as it was.
///
/// The table itself goes on meanwhile, and notes what changes.
package struct ContentHashing {
    private let table: Table
    private let digestType: any ContentDigest.Type
    fileprivate var cache: HashCache
    /// True where nothing is known yet, so that all runs are digested and not those with marks.
    private let isWhole: Bool
    private var marks = SlotBits()
    private var marksRead = 0
    private var areAllMarksRead: Bool
    /// Where marked slots are, as live positions; in order once all marks are read.
    private var positions: [Int] = []
    private var positionsRead = 0
    /// The runs that were digested, each with its first live position; nil for the table's rest
    /// where that has no rows any more.
    private var fresh: [(run: HashCache.Run, position: Int?)] = []
    /// Everything before this live position is digested.
    private var done = 0
    private var walk: HashWalk?
    /// The hash; nil until it is done.
    package private(set) var hash: [UInt8]?

    /// The number of the last record that the hash covers.
    package var sequence: SequenceNumber { table.head }

    /// Takes what the table knows from its last hash, and has it note what changes from now on.
    ///
    /// A hashing that was begun and not remembered is forgotten by it.
    package init(of table: inout Table, using digest: any ContentDigest.Type) {
        let type = ObjectIdentifier(digest)
        let known = table.hashCache.take()
        if let known, known.digestType == type, known.awaited == nil {
            cache = known
            isWhole = false
        } else {
            cache = HashCache(digestType: type)
            isWhole = true
        }
        areAllMarksRead = isWhole
        self.table = table
        digestType = digest
        table.hashCache = HashCache(digestType: type, awaited: table.head)
    }

    /// Goes on until the hash is done or the budget is used up, by at most one cell.
    ///
    /// - Parameter budget: how many bytes may be digested, a row that is passed over counting as
    ///   eight; what is left.
    /// - Returns: the hash; nil where it is not done.
    package mutating func advance(_ budget: inout Int) -> [UInt8]? {
        while hash == nil, budget > 0 {
            if var current = walk.take() {
                let found = current.advance(on: table, marks: marks, cache: &cache, &budget)
                if let found {
                    take(found, start: current.start)
                } else {
                    walk = current
                }
            } else if !areAllMarksRead {
                readMarks(&budget)
            } else if !beginRun(&budget) {
                finish()
            }
        }
        return hash
    }

    private mutating func take(_ found: (run: HashCache.Run, end: Int), start: Int) {
        done = found.end
        guard !isWhole else {
            cache.runs.append(found.run)
            return
        }
        fresh.append((found.run, start))
        // The end of the table is a place of its own, behind the last row.
        if found.run.end == RowOrder.none { done = .max }
    }

    private mutating func readMarks(_ budget: inout Int) {
        while budget > 0, marksRead < cache.marked.count {
            let slot = cache.marked[marksRead]
            marksRead += 1
            budget -= 64
            guard slot < UInt32(table.rows.order.slotCount), !marks[slot] else { continue }
            marks.set(slot, true)
            positions.append(table.rows.order.liveCountBefore(slot))
        }
        guard marksRead == cache.marked.count else { return }
        if cache.isEndMarked { positions.append(table.rowCount) }
        positions.sort()
        areAllMarksRead = true
    }

    /// Begins the next run; false where there is none.
    private mutating func beginRun(_ budget: inout Int) -> Bool {
        var start = done
        if !isWhole {
            while positionsRead < positions.count, positions[positionsRead] < done {
                positionsRead += 1
            }
            guard positionsRead < positions.count else { return false }
            let position = positions[positionsRead]
            positionsRead += 1
            start = table.runStart(before: position, notBefore: done)
            budget -= 8 &* (position - start)
        }
        walk = HashWalk(of: table, from: start, using: digestType)
        if walk == nil, !isWhole {
            fresh.append((HashCache.Run(end: RowOrder.none, digest: Digest32([])), nil))
        }
        return walk != nil
    }

    // MARK: The end

    private mutating func finish() {
        if !isWhole { placeFreshRuns() }
        var bytes = CanonicalBytes()
        bytes.begin(.table)
        bytes.append(UInt32(table.columns.count))
        for column in table.columns { bytes.append(column) }
        bytes.append(UInt64(table.rowCount))
        for run in cache.runs { run.digest.write(to: &bytes) }
        hash = bytes.finish(digestType)
    }

    /// Puts the runs that were digested anew where they belong now.
    private mutating func placeFreshRuns() {
        cache.clearMarks()
        guard !fresh.isEmpty else { return }
        let replaced = Set(fresh.map(\.run.end))
        let order = table.rows.order
        cache.runs.removeAll { run in
            guard run.end != RowOrder.none else { return replaced.contains(run.end) }
            return replaced.contains(run.end) || order.isHidden(run.end)
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
        run.end != RowOrder.none && table.rows.order.liveCountBefore(run.end) < position
    }
}

extension Table {
    /// The position right after the last end of a run before a position.
    fileprivate func runStart(before position: Int, notBefore floor: Int) -> Int {
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
