// What the content hash remembers between two calls, and what has changed since.
// What uses it is in ContentHash.swift and HashWalk.swift, the marks come from Mutate.swift.

// Why the marks suffice: the digest of a group of rows is kept under the slot that ends it. A
// group differs from its kept digest only if a row in it was written, came, or went, or if it
// began elsewhere. Who is written, comes, or is hidden is marked itself; hidden entries keep
// their place, so their mark lies in the group that lost them. Who leaves a place marks the
// entry that followed, which takes the mark along only by marking its own follower when it
// leaves in turn. Who comes marks the entry that follows too, because a new end of a group
// makes what follows begin later.

/// A digest of 32 bytes.
struct Digest32: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Takes the first 32 bytes; missing ones are zero.
    init(_ bytes: [UInt8]) {
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in bytes.prefix(32).enumerated() {
            words[index >> 3] = words[index >> 3] << 8 | UInt64(byte)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// The bytes, written to the end of others.
    func write(to bytes: inout CanonicalBytes) {
        bytes.append(words.0)
        bytes.append(words.1)
        bytes.append(words.2)
        bytes.append(words.3)
    }

    static func == (left: Digest32, right: Digest32) -> Bool { left.words == right.words }

    func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// Digests of parts of the table as of the last call, and the marks since.
struct HashCache: Sendable {
    /// A run of groups, named by the slot that ends it; `RowOrder.none` for the table's rest.
    struct Run: Sendable {
        var end: UInt32
        var digest: Digest32
    }

    /// The type of digest that made all this.
    let digestType: ObjectIdentifier
    /// In the order of the table.
    var runs: [Run] = []
    /// By the slot that ends the group; entries of former ends are never read.
    var groups: [UInt32: Digest32] = [:]
    /// Slots that changed, some of them several times.
    private(set) var marked: [UInt32] = []
    /// Rows were taken from the very end.
    var isEndMarked = false
    /// The record up to which a hashing is under way, whose digests are to come here; nil where
    /// they are here.
    private(set) var awaited: SequenceNumber?

    init(digestType: ObjectIdentifier, awaited: SequenceNumber? = nil) {
        self.digestType = digestType
        self.awaited = awaited
    }

    /// Takes the digests that were awaited; the marks made since stay.
    mutating func fill(from other: HashCache) {
        runs = other.runs
        groups = other.groups
        awaited = nil
    }

    mutating func mark(_ slot: UInt32) {
        if marked.last != slot { marked.append(slot) }
    }

    /// Drops marks that stand twice; the order of the others stays.
    mutating func dropRepeatedMarks() {
        var seen = SlotBits()
        var kept = 0
        for slot in marked where !seen[slot] {
            seen.set(slot, true)
            marked[kept] = slot
            kept += 1
        }
        marked.removeLast(marked.count - kept)
    }

    mutating func clearMarks() {
        marked.removeAll()
        isEndMarked = false
    }
}

extension Table {
    /// Marks are looked through when there is one for so many rows.
    private static var rowsForMark: Int { 16 }
    private static var marksMin: Int { 4_096 }

    /// The row's content or its being there changed.
    mutating func markRow(_ slot: UInt32) {
        claims.touch(slot)
        guard hashCache != nil else { return }
        hashCache?.mark(slot)
        forgetIfTooMany()
    }

    /// New rows stand as one block.
    mutating func markBlock(_ slots: Range<UInt32>) {
        // Those at the end lie before the search anyway.
        if let last = slots.last, rows.order.successor(of: last) != nil { claims.touch(slots) }
        guard hashCache != nil, let last = slots.last else { return }
        for slot in slots { hashCache?.mark(slot) }
        markSuccessor(of: last)
        forgetIfTooMany()
    }

    /// The row after `slot` is about to stand, or stands now, behind another row.
    mutating func markSuccessor(of slot: UInt32) {
        guard hashCache != nil else { return }
        if let next = rows.order.successor(of: slot) {
            hashCache?.mark(next)
        } else {
            hashCache?.isEndMarked = true
        }
    }

    /// Every row's bytes changed.
    mutating func markAll() {
        claims.startAnew()
        hashCache = nil
    }

    /// With marks all over the table, starting anew is as cheap as looking at each.
    private mutating func forgetIfTooMany() {
        let most = max(Self.marksMin, rows.order.slotCount / Self.rowsForMark)
        guard let count = hashCache?.marked.count, count > most else { return }
        hashCache?.dropRepeatedMarks()
        if let kept = hashCache?.marked.count, kept > most / 2 { hashCache = nil }
    }
}
