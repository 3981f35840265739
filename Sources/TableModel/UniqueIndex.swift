// Which rows hold a value, for columns whose values must differ: found in constant time, and
// kept in pieces, so that a copy of a table shares what is not written. It knows hashes and slots;
// what the values are, the column's cells say. RuleBook.swift keeps one for each such column.
import TableValue

/// Slots by the hash of what they hold.
struct UniqueIndex: Sendable {
    /// Entries found by looking on from the place that the hash names.
    ///
    /// An entry has the hash's upper half above and the slot, plus one, below. Zero is free, and
    /// `taken` was one: to be passed over, and free for a new one.
    private struct Shard {
        static var taken: UInt64 { 0xFFFF_FFFF }
        var entries: [UInt64] = []
        /// How many are in use, those that were taken out among them.
        var usedCount = 0
        var liveCount = 0

        private func start(_ entry: UInt64) -> Int {
            Int(truncatingIfNeeded: entry >> 32) & (entries.count - 1)
        }

        mutating func insert(_ entry: UInt64) {
            if (usedCount + 1) * 4 > entries.count * 3 { grow() }
            var place = start(entry)
            while entries[place] != 0, entries[place] != Self.taken {
                place = (place + 1) & (entries.count - 1)
            }
            if entries[place] == 0 { usedCount += 1 }
            entries[place] = entry
            liveCount += 1
        }

        mutating func remove(_ entry: UInt64) {
            guard !entries.isEmpty else { return }
            var place = start(entry)
            while entries[place] != 0 {
                if entries[place] == entry {
                    entries[place] = Self.taken
                    liveCount -= 1
                    return
                }
                place = (place + 1) & (entries.count - 1)
            }
        }

        /// The least slot of that hash that `isWanted`.
        func first(_ tag: UInt64, where isWanted: (UInt32) -> Bool) -> UInt32? {
            guard !entries.isEmpty else { return nil }
            var found: UInt32?
            var place = start(tag)
            while entries[place] != 0 {
                let entry = entries[place]
                place = (place + 1) & (entries.count - 1)
                guard entry != Self.taken, entry & ~0xFFFF_FFFF == tag else { continue }
                let slot = UInt32(truncatingIfNeeded: entry) - 1
                if slot < found ?? .max, isWanted(slot) { found = slot }
            }
            return found
        }

        private mutating func grow() {
            let old = entries
            var size = 8
            while size < liveCount * 2 + 2 { size *= 2 }
            entries = [UInt64](repeating: 0, count: size)
            usedCount = 0
            liveCount = 0
            for entry in old where entry != 0 && entry != Self.taken { insert(entry) }
        }
    }

    private static var shardCount: Int { 256 }
    private var shards = [Shard](repeating: Shard(), count: Self.shardCount)

    private static func split(_ value: Value) -> (shard: Int, tag: UInt64) {
        var hasher = Hasher()
        hasher.combine(value)
        let hash = UInt64(bitPattern: Int64(hasher.finalize()))
        return (Int(hash & UInt64(shardCount - 1)), hash & ~0xFFFF_FFFF)
    }

    /// Enters a slot under what it holds, as `Value.worth` has it.
    mutating func insert(_ worth: Value, _ slot: UInt32) {
        let (shard, tag) = Self.split(worth)
        shards[shard].insert(tag | UInt64(slot + 1))
    }

    /// Takes a slot out that was entered under that.
    mutating func remove(_ worth: Value, _ slot: UInt32) {
        let (shard, tag) = Self.split(worth)
        shards[shard].remove(tag | UInt64(slot + 1))
    }

    /// The least slot that may hold the worth and that `isWanted`, which looks at what it holds.
    func first(_ worth: Value, where isWanted: (UInt32) -> Bool) -> UInt32? {
        let (shard, tag) = Self.split(worth)
        return shards[shard].first(tag, where: isWanted)
    }

    /// How many slots are entered.
    var count: Int { shards.reduce(0) { $0 + $1.liveCount } }
}

extension Value {
    /// What counts where values must differ: 1.5 and 1.50 are one, so are 0 and -0, and the same
    /// instant in two offsets; texts differ by their bytes.
    var worth: Value {
        switch self {
        case .double(let number) where number == 0: .double(0)
        case .decimal(let decimal): .decimal(decimal.withoutEndingZeros)
        case .datetime(let moment):
            .datetime(
                Moment(
                    microsecondsSinceEpoch: moment.microsecondsSinceEpoch, offsetMinutes: 0))
        default: self
        }
    }
}

extension ExactDecimal {
    /// The same number with as few digits behind the point as it needs.
    fileprivate var withoutEndingZeros: ExactDecimal {
        var digits = coefficient
        var places = Int(scale)
        while places > 0, digits % 10 == 0 {
            digits /= 10
            places -= 1
        }
        return ExactDecimal(coefficient: digits, scale: places) ?? self
    }
}
