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

/// Stamps of the slots that have one; most have none.
struct StampMap: Sendable {
    /// Stamps of 1,024 slots: sorted by offset while few, one for each slot when many.
    private struct Chunk: Sendable {
        static var fewMax: Int { 128 }
        static var absent: SequenceNumber { -1 }

        var offsets: [UInt16] = []
        var stamps: [Stamp] = []
        var isDense = false

        /// The first index whose offset is not below `offset`.
        private func lowerBound(_ offset: UInt16) -> Int {
            var low = 0
            var high = offsets.count
            while low < high {
                let middle = (low + high) >> 1
                if offsets[middle] < offset { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func stamp(at offset: Int) -> Stamp? {
            if isDense {
                let stamp = stamps[offset]
                return stamp.sequence == Self.absent ? nil : stamp
            }
            let index = lowerBound(UInt16(offset))
            guard index < offsets.count, offsets[index] == UInt16(offset) else { return nil }
            return stamps[index]
        }

        mutating func set(_ stamp: Stamp?, at offset: Int) {
            if isDense {
                stamps[offset] = stamp ?? Stamp(sequence: Self.absent, session: 0)
                return
            }
            let index = lowerBound(UInt16(offset))
            let isThere = index < offsets.count && offsets[index] == UInt16(offset)
            switch (stamp, isThere) {
            case (let stamp?, true):
                stamps[index] = stamp
            case (let stamp?, false):
                offsets.insert(UInt16(offset), at: index)
                stamps.insert(stamp, at: index)
                if offsets.count > Self.fewMax { makeDense() }
            case (nil, true):
                offsets.remove(at: index)
                stamps.remove(at: index)
            case (nil, false):
                break
            }
        }

        private mutating func makeDense() {
            var dense = [Stamp](
                repeating: Stamp(sequence: Self.absent, session: 0), count: 1 << 10)
            for (index, offset) in offsets.enumerated() { dense[Int(offset)] = stamps[index] }
            stamps = dense
            offsets = []
            isDense = true
        }
    }

    private var chunks: [Chunk] = []

    /// True where no slot ever had a stamp.
    var isEmpty: Bool { chunks.isEmpty }

    subscript(slot: UInt32) -> Stamp? {
        let chunk = Int(slot >> 10)
        guard chunk < chunks.count else { return nil }
        return chunks[chunk].stamp(at: Int(slot & 1023))
    }

    mutating func set(_ stamp: Stamp?, at slot: UInt32) {
        let chunk = Int(slot >> 10)
        if chunk >= chunks.count {
            guard stamp != nil else { return }
            chunks.append(contentsOf: repeatElement(Chunk(), count: chunk + 1 - chunks.count))
        }
        chunks[chunk].set(stamp, at: Int(slot & 1023))
    }
}

/// For every slot the stamp of its row's beginning, as runs: slots are given in order, so rows
/// of one record stand together.
struct CreationStamps: Sendable {
    /// The runs of 1,024 slots, by the offset they begin at.
    private struct Chunk: Sendable {
        var offsets: [UInt16] = []
        var stamps: [Stamp] = []
    }

    private(set) var count = 0
    /// The highest number among all stamps there ever were.
    private(set) var latest: SequenceNumber = 0
    private var chunks: [Chunk] = []

    subscript(slot: UInt32) -> Stamp {
        let chunk = Int(slot >> 10)
        let offset = UInt16(slot & 1023)
        var low = 0
        var high = chunks[chunk].offsets.count
        while high - low > 1 {
            let middle = (low + high) >> 1
            if chunks[chunk].offsets[middle] <= offset { low = middle } else { high = middle }
        }
        return chunks[chunk].stamps[low]
    }

    /// Adds the stamp of the next `slots` slots.
    mutating func append(_ stamp: Stamp, slots: Int) {
        latest = max(latest, stamp.sequence)
        let end = count + slots
        while count < end {
            if count & 1023 == 0 { chunks.append(Chunk()) }
            let chunk = count >> 10
            if chunks[chunk].stamps.last != stamp {
                chunks[chunk].offsets.append(UInt16(count & 1023))
                chunks[chunk].stamps.append(stamp)
            }
            count = min(end, (chunk + 1) << 10)
        }
    }

    /// Takes back the stamp of the last slot.
    mutating func removeLast() {
        count -= 1
        let chunk = count >> 10
        if chunks[chunk].offsets.last == UInt16(count & 1023) {
            chunks[chunk].offsets.removeLast()
            chunks[chunk].stamps.removeLast()
        }
        if count & 1023 == 0 { chunks.removeLast() }
    }
}
