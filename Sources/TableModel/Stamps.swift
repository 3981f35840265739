// Who wrote what, and when: the versions of cells, of row positions and of rows' beginnings,
// stored only where they say something that is not already said.

/// The record that wrote a register, and the session whose operation it was.
struct Stamp: Hashable, Sendable {
    var sequence: SequenceNumber
    var session: UInt32

    /// True where somebody else wrote it after `base`; never where the base is unknown.
    func isNews(to session: SessionNumber, since base: SequenceNumber) -> Bool {
        base > 0 && sequence > base && self.session != session.rawValue
    }
}

/// A stamp with the place in its chunk that it belongs to; no larger than the stamp alone.
private struct PlacedStamp: Sendable {
    static var absent: SequenceNumber { -1 }

    var sequence: SequenceNumber
    var session: UInt32
    var offset: UInt16

    init(_ stamp: Stamp?, at offset: Int) {
        sequence = stamp?.sequence ?? Self.absent
        session = stamp?.session ?? 0
        self.offset = UInt16(truncatingIfNeeded: offset)
    }

    /// Nil for a place without a stamp.
    var stamp: Stamp? {
        sequence == Self.absent ? nil : Stamp(sequence: sequence, session: session)
    }
}

extension [PlacedStamp] {
    /// The first index whose offset is not below `offset`.
    fileprivate func lowerBound(_ offset: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            if Int(self[middle].offset) < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Stamps of the slots that have one; most have none.
///
/// A write must not have to look for where it belongs: in a large table each look is a wait for
/// memory. So few stamps stand in the order in which they were set, the last one counts, and
/// each chunk's latest number mostly says that there is no need to look at all.
struct StampMap: Sendable {
    private static var chunkSize: Int { 1 << 10 }
    /// A chunk with this many stamps is looked through for those that are replaced.
    private static var listMax: Int { 256 }
    /// A chunk with more than this many left has one for each of its slots.
    private static var fewMax: Int { 128 }

    /// What lies side by side is waited for once.
    private struct Chunk: Sendable {
        /// The highest number that the chunk ever had.
        var latest: SequenceNumber = 0
        /// The stamps as they were set; or one for each slot, where they are many.
        var stamps: [PlacedStamp] = []
    }

    /// For each 1,024 slots what there is.
    private var chunks: [Chunk] = []

    /// True where no slot ever had a stamp.
    var isEmpty: Bool { chunks.isEmpty }

    subscript(slot: UInt32) -> Stamp? {
        let chunk = Int(slot >> 10)
        guard chunk < chunks.count else { return nil }
        let offset = Int(slot & 1023)
        if chunks[chunk].stamps.count == Self.chunkSize {
            return chunks[chunk].stamps[offset].stamp
        }
        return chunks[chunk].stamps.last { Int($0.offset) == offset }?.stamp
    }

    /// False where no stamp of the slot can be of a record after `base`.
    func mayHaveNews(_ slot: UInt32, since base: SequenceNumber) -> Bool {
        let chunk = Int(slot >> 10)
        return chunk < chunks.count && chunks[chunk].latest > base
    }

    mutating func set(_ stamp: Stamp?, at slot: UInt32) {
        let chunk = Int(slot >> 10)
        if chunk >= chunks.count {
            guard stamp != nil else { return }
            chunks.append(contentsOf: repeatElement(Chunk(), count: chunk + 1 - chunks.count))
        }
        if let stamp { chunks[chunk].latest = max(chunks[chunk].latest, stamp.sequence) }
        Self.set(stamp, at: Int(slot & 1023), in: &chunks[chunk].stamps)
    }

    private static func set(_ stamp: Stamp?, at offset: Int, in stamps: inout [PlacedStamp]) {
        let placed = PlacedStamp(stamp, at: offset)
        if stamps.count == chunkSize {
            stamps[offset] = placed
        } else {
            stamps.append(placed)
            if stamps.count == listMax { tidy(&stamps) }
        }
    }

    /// Drops what is replaced, and makes room for all slots where there are many.
    private static func tidy(_ stamps: inout [PlacedStamp]) {
        var all = (0..<chunkSize).map { PlacedStamp(nil, at: $0) }
        for placed in stamps { all[Int(placed.offset)] = placed }
        let few = all.filter { $0.stamp != nil }
        stamps = few.count > fewMax ? all : few
    }
}

/// For every slot the stamp of its row's beginning, as runs.
///
/// Slots are given in order, so rows of one record stand together.
struct CreationStamps: Sendable {
    private(set) var count = 0
    /// The highest number among all stamps there ever were.
    private(set) var latest: SequenceNumber = 0
    /// For each 1,024 slots the runs in it, by the offset they begin at.
    private var chunks: [[PlacedStamp]] = []

    subscript(slot: UInt32) -> Stamp {
        let chunk = Int(slot >> 10)
        let index = chunks[chunk].lowerBound(Int(slot & 1023) + 1) - 1
        return chunks[chunk][index].stamp ?? Stamp(sequence: 0, session: 0)
    }

    /// Adds the stamp of the next `slots` slots.
    mutating func append(_ stamp: Stamp, slots: Int) {
        latest = max(latest, stamp.sequence)
        let end = count + slots
        while count < end {
            if count & 1023 == 0 { chunks.append([]) }
            let chunk = count >> 10
            if chunks[chunk].last?.stamp != stamp {
                chunks[chunk].append(PlacedStamp(stamp, at: count & 1023))
            }
            count = min(end, (chunk + 1) << 10)
        }
    }

    /// Takes back the stamp of the last slot.
    mutating func removeLast() {
        count -= 1
        let chunk = count >> 10
        if let last = chunks[chunk].last, Int(last.offset) == count & 1023 {
            chunks[chunk].removeLast()
        }
        if count & 1023 == 0 { chunks.removeLast() }
    }
}
