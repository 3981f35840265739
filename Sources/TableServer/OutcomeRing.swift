// The answers to a session's last operations, so that an operation which is sent again is
// answered again and never performed again.
import TableModel

/// One decided operation.
struct DecidedOp: Hashable, Sendable {
    /// `hash64` of the line it came in.
    var hash: UInt64
    /// Its record; 0 where it made none.
    var sequence: SequenceNumber
    /// The head of the table when it was decided; its answer comes after that record.
    var head: SequenceNumber
    /// The encoded `reply`; empty where the answer is plain ok with a record.
    var reply: [UInt8] = []
}

/// The decided operations of one session, by their consecutive client numbers.
struct OutcomeRing: Sendable {
    private var entries: [DecidedOp] = []
    /// The newest client number decided; 0 where none is.
    private(set) var last: ClientNumber = 0
    /// How many of the newest are kept.
    private(set) var count = 0
    private var replyBytes = 0

    /// The entries kept at most; grows with the window of the session.
    var capacityMax: Int

    /// An empty ring.
    init(capacityMax: Int) {
        self.capacityMax = max(capacityMax, 1)
    }

    /// The oldest client number kept; `last + 1` where none is.
    var oldest: ClientNumber { last - Int64(count) + 1 }

    /// Goes on after a client number whose answer is not known.
    mutating func start(after last: ClientNumber) {
        self.last = last
        count = 0
        replyBytes = 0
        entries = []
    }

    /// Adds the answer of `last + 1`.
    mutating func append(_ decided: DecidedOp, replyBytesMax: Int) {
        if count == entries.count { grow() }
        if count == entries.count { dropOldest() }
        last += 1
        count += 1
        replyBytes += decided.reply.count
        entries[position(of: last)] = decided
        while replyBytes > replyBytesMax && count > 1 { dropOldest() }
    }

    /// The answer of a client number; nil where it is not kept.
    subscript(number: ClientNumber) -> DecidedOp? {
        guard number >= oldest, number <= last else { return nil }
        return entries[position(of: number)]
    }

    private func position(of number: ClientNumber) -> Int {
        Int(number % Int64(entries.count))
    }

    private mutating func dropOldest() {
        let position = position(of: oldest)
        replyBytes -= entries[position].reply.count
        entries[position].reply = []
        count -= 1
    }

    /// Doubles the room for entries up to the most.
    private mutating func grow() {
        let size = min(max(4, entries.count * 2), capacityMax)
        guard size > entries.count else { return }
        let empty = DecidedOp(hash: 0, sequence: 0, head: 0)
        var grown = [DecidedOp](repeating: empty, count: size)
        for number in stride(from: oldest, through: last, by: 1) {
            grown[Int(number % Int64(size))] = entries[position(of: number)]
        }
        entries = grown
    }
}
