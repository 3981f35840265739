// The judge: it knows what was submitted, what is durable and what anybody was told, and finds
// the first thing that must not be. It is told by the world and tells nobody but the world.
// The checks on what one connection is sent are in StreamMonitor.swift.
import TableClient
import TableLog
import TableModel
import TableValue
import TableWire

/// An operation of a session, as its author numbered it.
struct OpKey: Hashable {
    let session: SessionNumber
    let clientNumber: ClientNumber
}

/// What became of an operation, as the log has it.
struct Decision: Hashable {
    /// nil where it made no record.
    let sequence: SequenceNumber?
    let outcome: Outcome
}

/// What the judge knows of one table.
struct TableJudge {
    /// An operation as it was submitted, and the newest record that anybody had been told of
    /// as the answer to an operation before.
    struct Submission {
        let op: Op
        let author: Int
        /// May edit rows and no columns.
        let isEditor: Bool
        let acknowledgedBefore: SequenceNumber
    }

    /// An operation without a session, and its record once that is durable.
    struct BotOperation {
        let op: Op
        var sequence: SequenceNumber?
    }

    var reference = ReferenceTable()
    /// The table at each number since the append that is being judged began.
    var states: [SequenceNumber: ReferenceTable] = [:]
    /// The durable records, by their numbers from 1, and the lines they stand in.
    var records: [Record] = []
    var recordLines: [[UInt8]] = []
    /// More than one where two connections went on with the same session.
    var submissions: [OpKey: [Submission]] = [:]
    var decisions: [OpKey: Decision] = [:]
    var lastDecided: [SessionNumber: ClientNumber] = [:]
    /// Operations without a session, by their bot's tag.
    var botOps: [String: BotOperation] = [:]
    var botRecordCount = 0
    var acknowledgedMax: SequenceNumber = 0
    /// The content hash at a number, as whoever computed it first had it.
    var hashes: [SequenceNumber: [UInt8]] = [:]

    var head: SequenceNumber { SequenceNumber(records.count) }
}

/// What must not be, in words.
struct Violation: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// Everything the judge knows.
struct Judge {
    var tables: [LogID: TableJudge] = [:]
    /// Operations whose author was told what became of them.
    private(set) var toldCount = 0
    private(set) var recordCount = 0
    /// The users as whom clients write.
    private var users: [Int: Text] = [:]

    /// A client submitted an operation.
    mutating func submitted(
        _ op: Op, _ key: OpKey, to table: LogID, by author: Int, isEditor: Bool
    ) {
        let before = tables[table]?.acknowledgedMax ?? 0
        tables[table, default: TableJudge()].submissions[key, default: []].append(
            .init(
                op: op, author: author, isEditor: isEditor, acknowledgedBefore: before))
    }

    // MARK: What is stored

    /// An append is durable: from now on it may be seen.
    mutating func committed(_ batches: [LogBatch]) throws(Violation) {
        for batch in batches {
            guard let table = tables[batch.log]?.reference else { continue }
            tables[batch.log]?.states = [table.head: table]
        }
        for batch in batches { try committed(batch) }
    }

    private mutating func committed(_ batch: LogBatch) throws(Violation) {
        guard batch.log != 0 else { return }
        var table = tables[batch.log] ?? TableJudge()
        tables[batch.log] = nil
        defer { tables[batch.log] = table }
        let lines: [StoredLine]
        do {
            lines = try readStoredLines(batch)
        } catch { throw Violation(error.reason) }
        guard batch.first == table.head + 1 else {
            throw Violation(
                "a batch of log \(batch.log) begins with \(batch.first) "
                    + "after \(table.head)")
        }
        var place = 0
        while place < lines.count {
            switch lines[place] {
            case .record(let record, let line):
                table.recordLines.append(Array(line.dropLast()))
                try stored(record, in: &table)
            case .decided(let operations):
                try decided(operations, Array(lines[(place + 1)...]), in: &table)
            case .reply, .other: break
            }
            place += 1
        }
        guard batch.last == table.head else {
            throw Violation(
                "a batch of log \(batch.log) ends with \(table.head), "
                    + "not \(batch.last)")
        }
    }

    /// A record is durable: it follows the one before, belongs to an operation that was submitted
    /// and not decided before, and is what the rules say.
    ///
    /// I2, I3, I5, I9, I10, GX1.
    private mutating func stored(
        _ record: Record, in table: inout TableJudge
    ) throws(Violation) {
        let name = "record \(record.sequence) of \(record.session) \(record.clientNumber)"
        guard record.sequence == table.head + 1 else {
            throw Violation("\(name) follows \(table.head)")
        }
        recordCount += 1
        let before = table.reference
        do {
            try table.reference.apply(record)
        } catch { throw Violation("\(name): \(error.reason)") }
        table.records.append(record)
        table.states[record.sequence] = table.reference
        // The first record makes the table's columns.
        guard record.sequence > 1 else { return }
        guard record.clientNumber != 0 else { return try storedForBot(record, before, in: &table) }
        let key = OpKey(session: record.session, clientNumber: record.clientNumber)
        guard let candidates = table.submissions[key] else {
            throw Violation("\(name) was never submitted")
        }
        guard table.decisions[key] == nil else { throw Violation("\(name) is done twice") }
        table.decisions[key] = Decision(sequence: record.sequence, outcome: record.outcome)
        if let author = candidates.first?.author { users[author] = record.user }
        var reason = ""
        for candidate in candidates {
            let expectation = expectation(
                candidate, record.session, before, record.outcome, circumstances(of: record))
            guard let wrong = difference(expectation, table.reference, record.outcome) else {
                guard record.sequence > candidate.acknowledgedBefore else {
                    throw Violation(
                        "\(name) has a number below \(candidate.acknowledgedBefore), "
                            + "which was acknowledged before it was sent")
                }
                return
            }
            reason = "\(name) does what its operation does not mean: \(wrong); \(candidate.op)"
        }
        throw Violation(reason)
    }

    private func storedForBot(
        _ record: Record, _ before: ReferenceTable, in table: inout TableJudge
    ) throws(Violation) {
        if let row = endedLease(record) {
            guard let lease = before.leases[row], lease.claim == record.outcome.undid,
                let expected = ReferenceResolver.expiry(
                    of: row, on: before, circumstances(of: record))
            else { throw Violation("record \(record.sequence) ends a lease that is none") }
            if let wrong = difference(expected, table.reference, record.outcome) {
                throw Violation("record \(record.sequence), the end of a lease: \(wrong)")
            }
            return
        }
        table.botRecordCount += 1
        guard table.botRecordCount <= table.botOps.count else {
            throw Violation("record \(record.sequence) came from nobody's operation")
        }
        guard let tag = RawBot.tag(of: record) else { return }
        guard let known = table.botOps[tag] else {
            throw Violation("record \(record.sequence) is of an unknown bot")
        }
        guard known.sequence == nil else {
            throw Violation("the operation of \(tag) is done twice")
        }
        table.botOps[tag]?.sequence = record.sequence
        let expected = ReferenceResolver.expectation(
            of: known.op, by: .server, on: before, given: record.outcome,
            in: circumstances(of: record))
        if let wrong = difference(expected, table.reference, record.outcome) {
            throw Violation("record \(record.sequence) of \(tag): \(wrong); \(known.op)")
        }
    }

    /// The row whose lease the server ended by itself; nil for any other record.
    private func endedLease(_ record: Record) -> RowID? {
        guard record.outcome.undid != nil else { return nil }
        for case .leaseEnded(let row) in record.changes { return row }
        return nil
    }

    private func circumstances(of record: Record) -> Circumstances {
        Circumstances(user: record.user, timeMilliseconds: record.timeMilliseconds)
    }

    /// What the rules and the author's rights say.
    ///
    /// S16.
    private func expectation(
        _ submission: TableJudge.Submission, _ session: SessionNumber, _ table: ReferenceTable,
        _ outcome: Outcome, _ circumstances: Circumstances?
    ) -> ExpectedResult {
        let isForbidden =
            submission.isEditor
            && submission.op.body.contains { intent in
                switch intent {
                case .addColumn, .renameColumn, .moveColumn, .deleteColumn, .changeRules,
                    .changeDisplay, .retypeColumn, .duplicateColumn, .truncate:
                    true
                case .restore(let request): changesColumns(request, table)
                default: false
                }
            }
        guard !isForbidden, !isForbiddenUndo(submission, session, table, outcome)
        else {
            return ExpectedResult(table: table, status: .rejected)
        }
        return ReferenceResolver.expectation(
            of: submission.op, by: session, on: table, given: outcome, in: circumstances)
    }

    private func changesColumns(_ request: RestoreRequest, _ table: ReferenceTable) -> Bool {
        guard request.isWhole, case .sequence(let sequence) = request.moment else { return false }
        return table.asOf(sequence).map { then in
            then.liveColumns.map(\.undisplayed) != table.liveColumns.map(\.undisplayed)
        } ?? false
    }

    /// An editor takes back what is the editor's own, and nothing that concerns columns.
    private func isForbiddenUndo(
        _ submission: TableJudge.Submission, _ session: SessionNumber, _ table: ReferenceTable,
        _ outcome: Outcome
    ) -> Bool {
        guard submission.isEditor, case .undo(let request)? = submission.op.body.first else {
            return false
        }
        let target: SequenceNumber? =
            switch request.target {
            case .last: outcome.undid ?? table.past.stack(of: session, isRedo: false).first
            case .lastUndone: outcome.undid ?? table.past.stack(of: session, isRedo: true).first
            case .sequence(let sequence): sequence
            case .clientNumber: nil
            }
        guard let target, let record = table.past.operations[target]?.record else { return false }
        return record.user != users[submission.author]
            || record.changes.contains { change in
                switch change {
                case .columnAdded, .columnRenamed, .columnRulesSet, .columnRetyped, .columnMoved,
                    .columnHidden, .columnShown, .displaySet:
                    true
                default: false
                }
            }
    }

    private func difference(
        _ expectation: ExpectedResult, _ table: ReferenceTable, _ outcome: Outcome
    ) -> String? {
        if outcome.status != expectation.status {
            return "status is \(outcome.status), not \(expectation.status)"
        }
        return expectation.table.difference(from: table, writtenBy: table.head)
    }

    /// Operations are decided durably: each session's in order, without a gap.
    private mutating func decided(
        _ operations: [DecidedOperation], _ rest: [StoredLine], in table: inout TableJudge
    ) throws(Violation) {
        var replies = rest.compactMap { line in
            if case .reply(let reply) = line { reply } else { nil }
        }[...]
        for operation in operations {
            let key = OpKey(
                session: operation.session, clientNumber: operation.clientNumber)
            let name = "\(key.session) \(key.clientNumber)"
            let last = table.lastDecided[key.session] ?? 0
            guard key.clientNumber == last + 1 else {
                throw Violation("\(name) is decided after \(last)")
            }
            table.lastDecided[key.session] = key.clientNumber
            var reply: Reply?
            if let first = replies.first, first.clientNumber == key.clientNumber,
                first.sequence ?? 0 == operation.sequence
            {
                reply = replies.popFirst()
            }
            if operation.sequence != 0 {
                guard let decision = table.decisions[key],
                    decision.sequence == operation.sequence
                else { throw Violation("\(name) is decided and its record is missing") }
                continue
            }
            guard let reply else { throw Violation("the answer to \(name) is not stored") }
            guard let state = table.states[operation.head] else {
                throw Violation("\(name) was decided at \(operation.head), too long ago")
            }
            try decidedWithoutRecord(key, reply.outcome, state, in: &table)
        }
    }

    private func decidedWithoutRecord(
        _ key: OpKey, _ outcome: Outcome, _ state: ReferenceTable, in table: inout TableJudge
    ) throws(Violation) {
        let name = "\(key.session) \(key.clientNumber)"
        guard let candidates = table.submissions[key] else {
            throw Violation("\(name) is answered and was never submitted")
        }
        guard table.decisions[key] == nil else { throw Violation("\(name) is decided twice") }
        table.decisions[key] = Decision(sequence: nil, outcome: outcome)
        var reason = ""
        for candidate in candidates {
            let expectation = expectation(candidate, key.session, state, outcome, nil)
            guard let wrong = difference(expectation, state, outcome) else {
                if let undid = outcome.undid { table.reference.past.spend(undid) }
                return
            }
            reason = "\(name) made no record: \(wrong); \(outcome); \(candidate.op)"
        }
        throw Violation(reason)
    }

    // MARK: What is told

    /// A client was told what became of its operation: that is durable, and the same.
    mutating func told(
        _ author: Int, _ key: OpKey, of table: LogID, sequence: SequenceNumber?, outcome: Outcome
    ) throws(Violation) {
        let name = "client \(author) was told of \(key.session) \(key.clientNumber)"
        guard let decision = tables[table]?.decisions[key] else {
            throw Violation("\(name), which is not durable")
        }
        guard decision == Decision(sequence: sequence, outcome: outcome) else {
            throw Violation("\(name) \(sequence ?? 0) \(outcome), but stored is \(decision)")
        }
        toldCount += 1
        if let sequence {
            let newest = tables[table]?.acknowledgedMax ?? 0
            tables[table]?.acknowledgedMax = max(newest, sequence)
        }
    }

    /// Somebody computed the content hash at a number: everybody's is the same.
    ///
    /// I1, GC1.
    mutating func hashed(
        _ hash: [UInt8], of table: LogID, at sequence: SequenceNumber, by whom: String
    ) throws(Violation) {
        guard let known = tables[table]?.hashes[sequence] else {
            tables[table, default: TableJudge()].hashes[sequence] = hash
            return
        }
        guard known == hash else {
            throw Violation("\(whom) has another content than somebody else at \(sequence)")
        }
    }
}
