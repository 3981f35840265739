// From the stored logs back to the server as it was: the only reader of what the other files
// log. Every line means here what it meant when it was written.
package import TableLog
package import TableModel
import TableValue
import TableWire

/// Why a stored log cannot be used.
package struct RecoveryError: Error, Hashable, Sendable {
    /// The log that cannot be read.
    package let log: LogID
    /// The record at which reading stopped; 0 where it is about no record.
    package let sequence: SequenceNumber
    /// What does not fit.
    package let reason: String

    /// Names the place and what is wrong.
    package init(log: LogID, sequence: SequenceNumber, reason: String) {
        self.log = log
        self.sequence = sequence
        self.reason = reason
    }
}

/// What is remembered from one line of a table's log to a later one.
struct RecoveryState {
    /// The encoded replies of records whose outcome is more than ok, until they are decided.
    var replies: [SequenceNumber: [UInt8]] = [:]
    /// The operations of a turn, and how many of them have their answers.
    ///
    /// The next one has no record: its reply line follows.
    var entries: [DecidedEntry] = []
    var answered = 0
    var hasFormat = false

    /// True where no reply line may follow.
    var isComplete: Bool { answered == entries.count }
}

extension Server {
    /// Takes one stored batch, log 0 first, each log in order.
    ///
    /// - Throws: `RecoveryError` naming the log and number that cannot be read.
    package mutating func recover(_ batch: LogBatch) throws(RecoveryError) {
        var ranges: [Range<Int>] = []
        forEachLine(of: batch.bytes) { ranges.append($0) }
        let bytes = unsafe batch.bytes.span.bytes
        if batch.log == 0 {
            for range in ranges { try recoverServerLine(bytes.extracting(range)) }
            return
        }
        guard let room = roomsByID[TableID(rawValue: batch.log)] else {
            throw RecoveryError(
                log: batch.log, sequence: batch.first, reason: "log 0 knows no such table")
        }
        guard batch.first == rooms[room].table.head + 1 else {
            throw RecoveryError(
                log: batch.log, sequence: batch.first,
                reason: "expected the batch of record \(rooms[room].table.head + 1)")
        }
        for range in ranges {
            let line = bytes.extracting(range)
            if isRecordLine(batch.bytes, at: range.lowerBound) {
                try recoverRecord(line, encoded: batch.bytes, range, room: room)
            } else if isReplyLine(batch.bytes, at: range.lowerBound) {
                try recoverReply(line, encoded: Array(batch.bytes[range]), room: room)
            } else {
                try recoverTableLine(line, room: room)
            }
        }
        let head = rooms[room].table.head
        guard head == batch.last else {
            throw RecoveryError(
                log: batch.log, sequence: head + 1, reason: "the batch ends before its last record")
        }
        rooms[room].durableHead = head
        noteLeases(of: room)
        rooms[room].pending = PendingLog(log: batch.log, after: head)
    }

    /// Limits for lines that this server has written itself, whatever its limits were then.
    var logLimits: WireLimits {
        var wire = WireLimits()
        wire.lineBytesMax = .max
        wire.textBytesMax = .max
        wire.partsMax = .max
        return wire
    }

    // MARK: Log 0

    private mutating func recoverServerLine(_ line: borrowing RawSpan) throws(RecoveryError) {
        let logLine: LogLine
        do {
            logLine = try readLogLine(line, limits: logLimits)
        } catch {
            throw RecoveryError(log: 0, sequence: 0, reason: error.text)
        }
        if case .log(let format) = logLine {
            try check(format, log: 0)
            hasServerLog = true
            return
        }
        guard hasServerLog, recoverServerFact(logLine) else {
            throw RecoveryError(log: 0, sequence: 0, reason: "a line that does not fit its place")
        }
    }

    private func check(_ format: Int, log: LogID) throws(RecoveryError) {
        guard format == logFormat else {
            throw RecoveryError(
                log: log, sequence: 0,
                reason: "format \(format) is not the one this version reads (\(logFormat))")
        }
    }

    /// - Returns: false where the line does not fit what came before it.
    private mutating func recoverServerFact(_ line: LogLine) -> Bool {
        switch line {
        case .user(let id, let name, let role, let isBot):
            guard id == accounts.nextNumber else { return false }
            _ = accounts.add(
                Account(
                    number: id, name: name, role: role, isBot: isBot, limits: limits,
                    at: now.instant))
        case .token(let user, let hash):
            guard let account = accounts.position(ofNumber: user) else { return false }
            accounts.addToken(hash, for: account)
        case .invite(let hash, let role, let uses, let expires):
            accounts.addInvite(
                hash, Invite(role: role, usesLeft: uses, expiresMilliseconds: expires))
        case .inviteUsed(let hash):
            _ = accounts.useInvite(hash, atMilliseconds: .min)
        case .table(let id, let name, let lineage, _):
            guard id.rawValue == Int64(rooms.count) + 1 else { return false }
            enter(Room(id: id, name: name, lineage: lineage, limits: limits))
        default: return recoverTableFact(line)
        }
        return true
    }

    /// - Returns: false where the line does not fit what came before it.
    private mutating func recoverTableFact(_ line: LogLine) -> Bool {
        switch line {
        case .tableRenamed(let id, let name, _):
            guard let room = room(.id(id)), isFree(name, for: room) else { return false }
            rename(room, to: name)
        case .tableDropped(let id, _):
            guard let room = room(.id(id)) else { return false }
            drop(room)
        case .tableRestored(let id, let name, _):
            guard let room = roomEverMade(id), rooms[room].isDropped, isFree(name, for: room)
            else { return false }
            restore(room, as: name)
        default: return false
        }
        return true
    }

    // MARK: A table's log

    private mutating func recoverRecord(
        _ line: borrowing RawSpan, encoded bytes: [UInt8], _ range: Range<Int>, room: Int
    ) throws(RecoveryError) {
        let expected = rooms[room].table.head + 1
        let record = try readRecord(line, room: room)
        guard record.sequence == expected, rooms[room].table.apply(record) else {
            throw RecoveryError(
                log: rooms[room].log, sequence: expected, reason: "the record does not fit")
        }
        let before = rooms[room].ring.byteCount
        rooms[room].ring.append(bytes, in: range)
        rooms[room].ring.trim(to: limits.ringBytes)
        rooms[room].recordBytes += Int64(range.count)
        ringBytesTotal += rooms[room].ring.byteCount - before
        if ringBytesTotal > limits.ringBytesTotalMax { trimLargestRing() }
        guard record.clientNumber > 0, !record.outcome.isPlain else { return }
        let reply = Reply(
            table: rooms[room].id, clientNumber: record.clientNumber, sequence: record.sequence,
            outcome: record.outcome, isExactlyOnce: true)
        var encoded: [UInt8] = []
        write(ServerLine(message: .reply(reply)), to: &encoded)
        rooms[room].recovery.replies[record.sequence] = encoded
    }

    func readRecord(
        _ line: borrowing RawSpan, room: Int
    ) throws(RecoveryError) -> Record {
        guard case .record(let table, let record) = try readStored(line, room: room),
            table == rooms[room].id
        else { throw misplaced(room) }
        return record
    }

    /// Reads a line of a table's log that is a message as it was sent.
    private func readStored(
        _ line: borrowing RawSpan, room: Int
    ) throws(RecoveryError) -> ServerMessage {
        do {
            return try readServerLine(line, limits: logLimits).message
        } catch {
            throw RecoveryError(
                log: rooms[room].log, sequence: rooms[room].table.head + 1, reason: error.text)
        }
    }

    private mutating func recoverReply(
        _ line: borrowing RawSpan, encoded: [UInt8], room: Int
    ) throws(RecoveryError) {
        guard !rooms[room].recovery.isComplete, encoded.last == newline else {
            throw misplaced(room)
        }
        let entry = rooms[room].recovery.entries[rooms[room].recovery.answered]
        guard case .reply(let reply) = try readStored(line, room: room),
            reply.clientNumber == entry.clientNumber
        else { throw misplaced(room) }
        // An undo that found nothing to take back has no record, but its target is spent.
        if reply.sequence == nil, let undid = reply.outcome.undid {
            rooms[room].table.spendUndo(of: undid)
        }
        try recover(entry, reply: encoded, room: room)
        try recoverAnswered(room: room)
    }

    private mutating func recoverTableLine(
        _ line: borrowing RawSpan, room: Int
    ) throws(RecoveryError) {
        let logLine: LogLine
        do {
            logLine = try readLogLine(line, limits: logLimits)
        } catch {
            throw RecoveryError(
                log: rooms[room].log, sequence: rooms[room].table.head, reason: error.text)
        }
        if case .log(let format) = logLine {
            rooms[room].recovery.hasFormat = true
            return try check(format, log: rooms[room].log)
        }
        guard rooms[room].recovery.hasFormat, rooms[room].recovery.isComplete else {
            throw misplaced(room)
        }
        switch logLine {
        case .decided(let time, let entries): try recoverDecided(entries, time: time, room: room)
        case .personalDisplay:
            guard recoverPersonal(logLine, room: room) else { throw misplaced(room) }
        default: guard recoverSession(logLine, room: room) else { throw misplaced(room) }
        }
    }

    private func misplaced(_ room: Int) -> RecoveryError {
        RecoveryError(
            log: rooms[room].log, sequence: rooms[room].table.head,
            reason: "a line that does not fit its place")
    }

    // MARK: Sessions

    /// - Returns: false where the line does not fit what came before it.
    private mutating func recoverSession(_ line: LogLine, room: Int) -> Bool {
        switch line {
        case .session(let number, let user, let token, let previous, let window, let time):
            return recoverSession(
                number, user: user, token: token, previous: previous, window: window, time: time,
                room: room)
        case .seen(let number, let time):
            guard let position = rooms[room].sessions.position(of: number) else { return false }
            rooms[room].sessions[position].seenMilliseconds = time
            rooms[room].sessions[position].loggedMilliseconds = time
        case .ended(let numbers):
            for number in numbers {
                guard let position = rooms[room].sessions.position(of: number) else {
                    return false
                }
                rooms[room].sessions.remove(at: position)
                rooms[room].table.endUndo(of: number)
            }
        default: return false
        }
        return true
    }

    private mutating func recoverSession(
        _ number: SessionNumber, user: Int64, token: SecretHash, previous: SecretHash?,
        window: Int, time: Int64, room: Int
    ) -> Bool {
        guard let account = accounts.position(ofNumber: user) else { return false }
        if let position = rooms[room].sessions.position(of: number) {
            rooms[room].sessions[position].tokenHash = token
            rooms[room].sessions[position].previousTokenHash = previous
            rooms[room].sessions[position].decided.capacityMax = max(window, 1)
            rooms[room].sessions[position].seenMilliseconds = time
            rooms[room].sessions[position].loggedMilliseconds = time
            return true
        }
        guard let next = rooms[room].sessions.next, number >= next else { return false }
        _ = rooms[room].sessions.insert(
            Session(
                number: number, account: account, tokenHash: token, previousTokenHash: previous,
                decided: OutcomeRing(capacityMax: window), seenMilliseconds: time,
                loggedMilliseconds: time))
        return true
    }

    /// Takes the operations of one turn; each without a record waits for its reply line, and all
    /// behind it wait too, so that answers are kept in order.
    private mutating func recoverDecided(
        _ entries: [DecidedEntry], time: Int64, room: Int
    ) throws(RecoveryError) {
        for entry in entries {
            guard let position = rooms[room].sessions.position(of: entry.session) else {
                throw misplaced(room)
            }
            rooms[room].sessions[position].seenMilliseconds = time
            rooms[room].sessions[position].loggedMilliseconds = time
            // It has shown that it has its newest secret.
            rooms[room].sessions[position].previousTokenHash = nil
        }
        rooms[room].recovery.entries = entries
        rooms[room].recovery.answered = 0
        try recoverAnswered(room: room)
    }

    /// Takes decided operations up to the next one without a record.
    private mutating func recoverAnswered(room: Int) throws(RecoveryError) {
        while !rooms[room].recovery.isComplete {
            let entry = rooms[room].recovery.entries[rooms[room].recovery.answered]
            guard entry.sequence > 0 else { return }
            let reply = rooms[room].recovery.replies.removeValue(forKey: entry.sequence)
            try recover(entry, reply: reply ?? [], room: room)
        }
        // Records whose operations are decided need no answers any more.
        rooms[room].recovery.replies = [:]
    }

    /// Keeps the answer of one operation.
    private mutating func recover(
        _ entry: DecidedEntry, reply: [UInt8], room: Int
    ) throws(RecoveryError) {
        guard let position = rooms[room].sessions.position(of: entry.session),
            entry.clientNumber == rooms[room].sessions[position].decided.last + 1
        else { throw misplaced(room) }
        rooms[room].recovery.answered += 1
        rooms[room].sessions[position].decided.append(
            DecidedOp(
                hash: entry.hash, sequence: entry.sequence, head: entry.head, reply: reply),
            replyBytesMax: limits.outcomeBytesMax)
    }
}

extension WireError {
    /// What is wrong and where, for a report.
    var text: String { "\(reason), at byte \(offset)" }
}
