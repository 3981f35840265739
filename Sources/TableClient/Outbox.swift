// The operations of one session in one table on their way: numbered, in flight, answered,
// decided in order. Sends the same bytes again after a reconnect and never decides twice.
// Never looks into an operation; what it shows meanwhile is Overlay.swift's.
import TableModel
import TableValue

/// What the server said of one operation.
struct Answer: Hashable {
    /// The number of its record; nil where it made none.
    var sequence: SequenceNumber?
    /// nil where the server decided it and no longer knows how.
    var outcome: Outcome?
}

/// An operation that is decided, as its author is told.
struct Decision: Hashable {
    var clientNumber: ClientNumber
    var answer: Answer
}

/// The ids that the client filled in where the author of an operation left them to others.
struct FilledIDs: Hashable {
    var rows: [RowID] = []
    var columns: [ColumnID] = []
}

/// Operations from the first undecided one on, in the order of their numbers.
struct Outbox {
    private struct Entry: Sendable {
        let pending: PendingOp
        let filled: FilledIDs
        var answer: Answer?
        var isInFlight = false
    }

    private var entries = Queue<Entry>()
    /// Entries before this position are sent on this connection, or decided at the server.
    private var sent = 0
    private var opsInFlight = 0
    /// Operations decided before the session was resumed whose answers are still to come.
    ///
    /// They fill the window like those in flight: the server keeps no more answers than a window.
    private var opsOwed = 0
    private var bytesInFlight = 0
    /// Gaps that answer what was sent before the last rewind: the numbers behind `gapSeen` up
    /// to `gapLast`.
    private var gapSeen: ClientNumber = 0
    private var gapLast: ClientNumber = 0
    /// Rewinds since an operation was last answered.
    private(set) var rewindsWithoutProgress = 0
    /// The number that the next operation will have.
    private(set) var nextNumber: ClientNumber

    /// An empty outbox that goes on after the last number of its session.
    init(after last: ClientNumber = 0) {
        nextNumber = last &+ 1
    }

    /// An outbox with operations of an earlier run; nil where their numbers have a gap.
    init?(restoring pending: [PendingOp]) {
        nextNumber = pending.first?.clientNumber ?? 1
        for op in pending {
            guard op.clientNumber == nextNumber, op.clientNumber > 0 else { return nil }
            append(op, filled: FilledIDs())
        }
    }

    // MARK: Reads

    /// The number of operations that are not decided.
    var count: Int { entries.count }

    /// True while operations are with the server, which has not answered them.
    var isAwaitingAnswers: Bool { opsInFlight > 0 || opsOwed > 0 }

    /// The first number that is not decided.
    var firstUndecided: ClientNumber { nextNumber &- ClientNumber(count) }

    /// What is not decided, oldest first.
    var pending: [PendingOp] { entries.all.map(\.pending) }

    // MARK: Events

    /// Adds an operation that has the number `nextNumber`.
    mutating func append(_ pending: PendingOp, filled: FilledIDs) {
        precondition(pending.clientNumber == nextNumber, "numbers have no gap")
        entries.append(Entry(pending: pending, filled: filled))
        nextNumber &+= 1
    }

    /// Moves lines that the window allows into `output`, in order.
    mutating func send(windowOps: Int, windowBytes: Int, into output: inout [UInt8]) {
        while sent < entries.count {
            let entry = entries[sent]
            guard entry.answer == nil, !entry.isInFlight else {
                sent += 1
                continue
            }
            let byteCount = entry.pending.line.count
            let ops = opsInFlight + opsOwed
            let fits = ops < windowOps && bytesInFlight + byteCount <= windowBytes
            guard fits || ops == 0 else { return }
            output.append(contentsOf: entry.pending.line)
            entries[sent].isInFlight = true
            opsInFlight += 1
            bytesInFlight += byteCount
            sent += 1
        }
    }

    /// The connection is lost: nothing is in flight any more.
    mutating func connectionLost() {
        for position in 0..<sent { land(position) }
        sent = 0
        opsOwed = 0
        gapSeen = 0
        gapLast = 0
    }

    /// The session is resumed; the server has decided everything up to `last` and will send
    /// those answers, so sending goes on behind it.
    ///
    /// - Returns: false where what the server knows does not fit what this client knows.
    mutating func resumed(after last: ClientNumber) -> Bool {
        guard last >= firstUndecided - 1 else { return false }
        if last >= nextNumber {
            // Another run of the same session went further: its numbers are taken.
            guard count == 0 else { return false }
            nextNumber = last &+ 1
            return true
        }
        sent = max(sent, Int(last - (firstUndecided - 1)))
        countOwed()
        return true
    }

    /// What the server had decided before this connection is all told: what still has no answer
    /// and is not on its way is sent again, and its stored answer comes back.
    mutating func sendUnansweredAgain() {
        for position in 0..<sent
        where entries[position].answer == nil && !entries[position].isInFlight {
            sent = position
            countOwed()
            return
        }
    }

    /// The server answered an operation.
    ///
    /// - Returns: false where it is not waiting for an answer.
    mutating func answered(_ number: ClientNumber, _ answer: Answer) -> Bool {
        guard let position = position(of: number), entries[position].answer == nil else {
            return false
        }
        if position < sent && !entries[position].isInFlight { opsOwed -= 1 }
        land(position)
        entries[position].answer = answer
        rewindsWithoutProgress = 0
        gapLast = 0
        return true
    }

    /// Takes the operations that can be told of: answered, none before them unanswered, and
    /// their record in the replica where one is kept.
    mutating func takeDecided(confirmedThrough: SequenceNumber?) -> [Decision] {
        var decided: [Decision] = []
        while let entry = entries.first, let answer = entry.answer {
            if let through = confirmedThrough, let sequence = answer.sequence, sequence > through {
                break
            }
            decided.append(
                Decision(
                    clientNumber: entry.pending.clientNumber,
                    answer: Outbox.naming(entry.filled, in: answer)))
            entries.removeFirst()
            sent = max(sent - 1, 0)
        }
        return decided
    }

    /// The server did not take an operation because one before it is missing: all that is
    /// undecided is sent again.
    ///
    /// - Returns: false where that was already known.
    mutating func gapFound(at number: ClientNumber) -> Bool {
        if number > gapSeen && number <= gapLast {
            gapSeen = number
            return false
        }
        rewindsWithoutProgress += 1
        rewind(to: firstUndecided, because: number)
        return true
    }

    /// The server did not take an operation now and will take it later: it and what follows is
    /// sent again.
    mutating func refused(_ number: ClientNumber) {
        rewind(to: number, because: number)
    }

    // MARK: Inside

    private mutating func rewind(to first: ClientNumber, because number: ClientNumber) {
        gapSeen = number
        gapLast = firstUndecided &+ ClientNumber(sent) &- 1
        guard let start = position(of: first), start < sent else { return }
        for position in start..<sent { land(position) }
        sent = start
        countOwed()
    }

    private mutating func countOwed() {
        opsOwed = (0..<sent).count { entries[$0].answer == nil && !entries[$0].isInFlight }
    }

    private mutating func land(_ position: Int) {
        guard entries[position].isInFlight else { return }
        entries[position].isInFlight = false
        opsInFlight -= 1
        bytesInFlight -= entries[position].pending.line.count
    }

    private func position(of number: ClientNumber) -> Int? {
        guard number >= firstUndecided, number < nextNumber else { return nil }
        return Int(number - firstUndecided)
    }

    /// The answer as if the server had given the ids that the client filled in.
    private static func naming(_ filled: FilledIDs, in answer: Answer) -> Answer {
        var answer = answer
        guard answer.sequence != nil, var outcome = answer.outcome else { return answer }
        if outcome.rows.isEmpty { outcome.rows = filled.rows }
        if outcome.columns.isEmpty { outcome.columns = filled.columns }
        answer.outcome = outcome
        return answer
    }
}
