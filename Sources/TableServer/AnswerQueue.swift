// The answers that wait for one connection: encoded lines, each with what must come first.
// Records and snapshots are never here; they are read from what all followers share.
import TableModel

/// What an answer must wait for, and what happens once it has been handed out.
struct AnswerGate {
    /// The append that must be durable.
    var batch: Int64 = 0
    /// The room whose records up to `sequence` go first where the connection follows it; -1 none.
    var room = -1
    var sequence: SequenceNumber = 0
    var effect = AnswerEffect.none
}

/// What handing an answer out leads to.
enum AnswerEffect: UInt8 {
    case none
    /// It was `opened`: what follows it may now be sent.
    case opened
    /// It was `closed`: the table is left.
    case closed
}

/// Encoded answers in order.
struct AnswerQueue {
    /// One answer's length and gate.
    struct Entry {
        var byteCount: Int
        var gate: AnswerGate
    }

    private var bytes: [UInt8] = []
    private var byteHead = 0
    private var entries: [Entry] = []
    private var entryHead = 0

    /// The bytes that wait.
    var byteCount: Int { bytes.count - byteHead }

    /// True where nothing waits.
    var isEmpty: Bool { entryHead == entries.count }

    /// The answer to be handed out next.
    var first: Entry? { isEmpty ? nil : entries[entryHead] }

    /// The last append that any answer waits for.
    var lastBatch: Int64 {
        var last: Int64 = 0
        for index in entryHead..<entries.count { last = max(last, entries[index].gate.batch) }
        return last
    }

    /// Adds the answer that `write` appends to the bytes it is given.
    mutating func append(gate: AnswerGate, _ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        entries.append(Entry(byteCount: bytes.count - start, gate: gate))
    }

    /// Moves the first answer into `output`.
    mutating func takeFirst(into output: inout [UInt8]) {
        let count = entries[entryHead].byteCount
        output.append(contentsOf: bytes[byteHead..<byteHead + count])
        dropFirst()
    }

    /// Forgets the first answer.
    mutating func dropFirst() {
        byteHead += entries[entryHead].byteCount
        entryHead += 1
        if entryHead == entries.count {
            removeAll()
        } else if byteHead > 64 << 10 && byteHead > bytes.count / 2 {
            bytes.removeFirst(byteHead)
            byteHead = 0
            entries.removeFirst(entryHead)
            entryHead = 0
        }
    }

    /// Forgets the first answer that `isStuck` and all behind it.
    mutating func truncate(where isStuck: (AnswerGate) -> Bool) {
        var end = byteHead
        for index in entryHead..<entries.count {
            if isStuck(entries[index].gate) {
                entries.removeSubrange(index...)
                bytes.removeSubrange(end...)
                break
            }
            end += entries[index].byteCount
        }
        if isEmpty { removeAll() }
    }

    /// Forgets all answers; keeps only a little memory, since most connections are idle.
    mutating func removeAll() {
        let keepsMemory = bytes.capacity <= AnswerQueue.idleBytesMax
        bytes.removeAll(keepingCapacity: keepsMemory)
        entries.removeAll(keepingCapacity: keepsMemory && entries.capacity <= 8)
        byteHead = 0
        entryHead = 0
    }

    /// What an empty queue may keep allocated.
    private static let idleBytesMax = 512
}
