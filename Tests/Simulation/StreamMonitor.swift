// Reads along what the server sends on one connection, as it leaves the server: nothing may be
// in it that is not durable, and each table's records come without gap or repeat. GC2, GX2.
import TableModel
import TableWire

/// What one connection was sent so far.
struct StreamMonitor {
    private struct Following {
        var session: SessionNumber?
        /// The next record that may come; nil until something says which.
        var next: SequenceNumber?
    }

    private var collector = LineCollector()
    private var following: [TableID: Following] = [:]
    /// The `open` requests that are not answered, oldest first.
    private var openRequests: [OpenRequest] = []

    /// A client sent whole lines.
    mutating func clientSent(_ bytes: [UInt8]) {
        for line in linesOf(bytes) where isLine(line, "open") {
            guard case .open(let request)? = try? readClientMessage(line).message else { continue }
            openRequests.append(request)
        }
    }

    /// The server let go of bytes.
    ///
    /// - Throws: `Violation` with the first thing that must not be in them.
    mutating func serverSent(_ bytes: [UInt8], judge: inout Judge) throws(Violation) {
        let lines = collector.append(bytes)
        guard !collector.isUnfinished else { throw Violation("the server let go of half a line") }
        for line in lines {
            if try isNextRecord(line, judge) { continue }
            let message: ServerMessage
            do {
                message = try readServerMessage(line)
            } catch {
                throw Violation("the server sent a line that cannot be read: \(error.reason)")
            }
            try check(message, judge: &judge)
        }
    }

    /// True for the line that the log has for the next record of the one table that is followed,
    /// byte for byte: most lines are, and need not be read.
    private mutating func isNextRecord(_ line: [UInt8], _ judge: Judge) throws(Violation) -> Bool {
        guard following.count == 1, let (table, state) = following.first, let next = state.next,
            let stored = judge.tables[table.rawValue], next > 0, next <= stored.head,
            stored.recordLines[Int(next) - 1] == line
        else { return false }
        following[table]?.next = next + 1
        return true
    }

    private mutating func check(
        _ message: ServerMessage, judge: inout Judge
    ) throws(Violation) {
        switch message {
        case .opened(let opened): try check(opened, judge)
        case .record(let table, let record): try check(record, table, judge)
        case .snapshot(let table, let sequence, _, _, _):
            try mustBeDurable(sequence, table, judge, "a snapshot")
            following[table, default: Following()].next = sequence + 1
        case .live(let table, let sequence):
            try mustBeDurable(sequence, table, judge, "live")
            guard following[table]?.next ?? sequence + 1 == sequence + 1 else {
                throw Violation("live at \(sequence) without all records before it")
            }
        case .reply(let reply): try check(reply, judge)
        case .rows(let answer):
            try mustBeDurable(answer.sequence, answer.table, judge, "an answer")
        case .hash(let table, let sequence, let hash):
            try mustBeDurable(sequence, table, judge, "a hash")
            try judge.hashed(hash, of: table.rawValue, at: sequence, by: "the server")
        default: break
        }
    }

    private mutating func check(_ opened: Opened, _ judge: Judge) throws(Violation) {
        try mustBeDurable(opened.sequence, opened.table, judge, "opened")
        let request = openRequests.isEmpty ? nil : openRequests.removeFirst()
        var state = Following(session: opened.writer?.session)
        if let have = request?.have, have.lineage == opened.lineage {
            state.next = have.sequence + 1
        } else if request?.start == .head {
            state.next = opened.sequence + 1
        }
        if let writer = opened.writer {
            let last = judge.tables[opened.table.rawValue]?.lastDecided[writer.session] ?? 0
            guard writer.lastClientNumber <= last else {
                throw Violation(
                    "\(writer.session) was told that \(writer.lastClientNumber) is "
                        + "decided; durable is \(last)")
            }
        }
        following[opened.table] = state
    }

    private mutating func check(
        _ record: Record, _ table: TableID, _ judge: Judge
    ) throws(Violation) {
        try mustBeDurable(record.sequence, table, judge, "a record")
        guard let next = following[table]?.next else {
            throw Violation("record \(record.sequence) came before anything that it follows")
        }
        guard record.sequence == next else {
            throw Violation("record \(record.sequence) came where \(next) should")
        }
        let stored = judge.tables[table.rawValue]?.records[Int(record.sequence) - 1]
        guard stored == record else {
            throw Violation("record \(record.sequence) was sent otherwise than it is stored")
        }
        following[table]?.next = next + 1
    }

    private func check(_ reply: Reply, _ judge: Judge) throws(Violation) {
        if let sequence = reply.sequence {
            try mustBeDurable(sequence, reply.table, judge, "a reply")
        }
        guard reply.clientNumber != 0, let session = following[reply.table]?.session else { return }
        let key = OpKey(session: session, clientNumber: reply.clientNumber)
        let decision = judge.tables[reply.table.rawValue]?.decisions[key]
        guard decision == Decision(sequence: reply.sequence, outcome: reply.outcome) else {
            throw Violation(
                "the answer to \(session) \(reply.clientNumber) was sent and is not "
                    + "stored so")
        }
    }

    private func mustBeDurable(
        _ sequence: SequenceNumber, _ table: TableID, _ judge: Judge, _ what: String
    ) throws(Violation) {
        let head = judge.tables[table.rawValue]?.head ?? 0
        guard sequence <= head else {
            throw Violation("\(what) of number \(sequence) was sent when \(head) was durable")
        }
    }
}
