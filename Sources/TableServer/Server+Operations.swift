// One operation: seen before? allowed? then performed, numbered, put into log and ring, and its
// outcome kept for whoever asks again. Next step of the walk: Server+Appending.swift.
import TableModel
import TableValue
import TableWire

/// An operation on its way through the server.
private struct Submission {
    let op: Op
    /// Why the reader dropped its body.
    let refusal: Rejection?
    /// 0 where it came without a session.
    let clientNumber: ClientNumber
    let id: RequestID?
    let hash: UInt64
    let byteCount: Int
    let slot: Int
    let room: Int
    /// The position among the connection's open tables; -1 where it is not open.
    let position: Int
    /// The position of its session; -1 without one.
    let session: Int
}

extension Server {
    /// Takes an operation of a connection that has logged in.
    mutating func operationCame(
        _ submitted: consuming SubmittedOp, id: RequestID?, byteCount: Int, hash: UInt64,
        from slot: Int
    ) {
        if submitted.op.isRestore {
            let parked = ParkedOp(
                submitted: copy submitted, id: id, byteCount: byteCount, hash: hash)
            if parks(parked, for: slot) { return }
        }
        turnOps += 1
        turnParts += max(0, min(submitted.op.partCount, limits.table.partsMax))
        guard let room = room(submitted.table) else {
            return refuseMissing(
                submitted.table, number: submitted.clientNumber, for: slot, id: id)
        }
        // With a look at every row the turn ends with this operation.
        if submitted.op.looksAtAllRows { turnParts += rooms[room].table.rowCount }
        let position = connections[slot].position(ofRoom: room) ?? -1
        let session = position < 0 ? -1 : connections[slot].tables[position].session
        let hasNumber = submitted.clientNumber > 0
        let clientNumber = submitted.clientNumber
        let submission = Submission(
            op: submitted.op, refusal: submitted.refusal, clientNumber: clientNumber,
            id: id, hash: hash, byteCount: byteCount, slot: slot, room: room, position: position,
            session: hasNumber ? session : -1)
        if !hasNumber {
            performLoose(submission)
        } else if session < 0 {
            refuse(
                slot,
                ErrorMessage(
                    .noSession, "open the table for writing before you number operations",
                    table: rooms[room].id, clientNumber: clientNumber), id: id)
        } else {
            performInSession(submission)
        }
    }

    // MARK: In a session: exactly once

    private mutating func performInSession(_ submission: Submission) {
        let room = submission.room
        let last = rooms[room].sessions[submission.session].decided.last
        if submission.clientNumber <= last { return answerAgain(submission) }
        guard submission.clientNumber == last + 1 else {
            return refuse(
                submission.slot,
                ErrorMessage(
                    .sequenceGap, "expected cseq \(last + 1); send from there",
                    table: rooms[room].id, clientNumber: submission.clientNumber),
                id: submission.id)
        }
        if connections[submission.slot].tables[submission.position].isOpenedSent {
            // The client has seen its new secret: the one before is of no more use.
            rooms[room].sessions[submission.session].previousTokenHash = nil
        }
        accounts[connections[submission.slot].account].sessionPace.take()
        perform(submission, as: rooms[room].sessions[submission.session].number)
    }

    /// Answers an operation that was decided before.
    private mutating func answerAgain(_ submission: Submission) {
        let room = submission.room
        let number = submission.clientNumber
        guard let decided = rooms[room].sessions[submission.session].decided[number] else {
            return refuse(
                submission.slot,
                ErrorMessage(
                    .sessionExpired, "the answer is no longer kept; it was decided, once",
                    table: rooms[room].id, clientNumber: number), id: submission.id)
        }
        guard decided.hash == submission.hash else {
            return dismissForMistake(
                submission.slot,
                ErrorMessage(
                    .clientNumberReused, "that cseq was sent before with other bytes",
                    table: rooms[room].id, clientNumber: number), id: submission.id)
        }
        answer(submission.slot, decided, number: number, in: room, id: submission.id)
    }

    /// Sends the stored answer of a decided operation, after the records before it.
    mutating func answer(
        _ slot: Int, _ decided: DecidedOp, number: ClientNumber, in room: Int, id: RequestID?
    ) {
        let gate = AnswerGate(
            batch: rooms[room].changedBatch, room: room,
            sequence: max(decided.head, decided.sequence))
        guard decided.reply.isEmpty else {
            return answer(slot, reply: decided.reply, id: id, gate: gate)
        }
        answerPlainly(
            slot, number: number, sequence: decided.sequence, in: room, id: id, gate: gate)
    }

    // MARK: Outside a session: once or twice

    private mutating func performLoose(_ submission: Submission) {
        let account = connections[submission.slot].account
        if let until = accounts[account].loosePace.wait(at: now.instant) {
            let microseconds = until.microseconds - now.instant.microseconds
            return refuse(
                submission.slot,
                ErrorMessage(
                    .rateLimited, "too many operations; open the table and send more in a session",
                    table: rooms[submission.room].id,
                    retrySeconds: Double(microseconds) / 1_000_000), id: submission.id)
        }
        accounts[account].loosePace.take()
        perform(submission, as: .server)
    }

    // MARK: Both

    /// Performs an operation, or refuses it for good: either way it is decided now.
    private mutating func perform(_ submission: Submission, as session: SessionNumber) {
        let resolution: Resolution
        do {
            resolution = try resolve(submission, as: session)
        } catch {
            var outcome = Outcome(status: .rejected)
            outcome.rejection = error
            nameWriter(of: &outcome.rejection, in: submission.room)
            resolution = Resolution(changes: [], outcome: outcome)
        }
        let makesRecord = !resolution.changes.isEmpty
        let sequence = makesRecord ? rooms[submission.room].table.head : 0
        // One value holds what came of it from here on: outcomes are large.
        let record = Record(
            sequence: sequence, session: session, clientNumber: submission.clientNumber,
            user: accounts[connections[submission.slot].account].idText,
            timeMilliseconds: now.wallMilliseconds, changes: resolution.changes,
            outcome: resolution.outcome)
        if makesRecord { add(record, to: submission.room) }
        if makesRecord || submission.session >= 0 { count(submission) }
        if submission.session >= 0 {
            keep(record.outcome, sequence: sequence, of: submission, session: session)
        } else {
            answer(
                submission,
                Reply(
                    table: rooms[submission.room].id, clientNumber: 0,
                    sequence: makesRecord ? sequence : nil, outcome: record.outcome,
                    isExactlyOnce: false))
        }
    }

    /// Adds who wrote the cell that a rejection shows, where its session is still kept.
    private func nameWriter(of rejection: inout Rejection?, in room: Int) {
        guard let session = rejection?.current?.session,
            let position = rooms[room].sessions.position(of: session)
        else { return }
        rejection?.current?.user = accounts[rooms[room].sessions[position].account].idText
    }

    /// Asks for the right, then performs on the room's table.
    private mutating func resolve(
        _ submission: Submission, as session: SessionNumber
    ) throws(Rejection) -> Resolution {
        let role = accounts[connections[submission.slot].account].role
        if let refusal = submission.refusal ?? refusal(of: submission.op, for: role) {
            throw refusal
        }
        if session == .server && makesOwnIDs(submission.op) {
            throw Rejection(
                .badRowID, "open the table for writing to give ids of your own, or leave them out")
        }
        let author = OpAuthor(
            session: session, clientNumber: submission.clientNumber,
            user: accounts[connections[submission.slot].account].idText)
        if let refusal = refusalOfComments(
            submission.op, in: submission.room, by: author.user, for: role)
        {
            throw refusal
        }
        if case .undo(let request)? = submission.op.body.first {
            // Where there is none, `perform` refuses it after the preconditions.
            if let target = try? rooms[submission.room].table.target(of: request, by: author),
                let needs = rooms[submission.room].table.undoNeeds(target),
                let refusal = refusal(ofUndo: needs, by: author.user, for: role)
            {
                throw refusal
            }
        }
        if submission.op.isRestore, let past = pastAtHand?.table,
            let refusal = refusal(
                ofRestore: submission.op, changing: rooms[submission.room].table.columns,
                to: past.columns, for: role)
        {
            throw refusal
        }
        let next = rooms[submission.room].table.head + 1
        defer {
            if case .claimRow? = submission.op.body.first {
                turnParts += rooms[submission.room].table.rowsLookedAt
            }
        }
        return try rooms[submission.room].table.perform(
            withRowsOfOthers(submission.op, in: submission.room), by: author, as: next,
            in: circumstances(of: author.user),
            from: pastAtHand?.table)
    }

    /// The operation with the rows of other tables that it asks for.
    private func withRowsOfOthers(_ op: Op, in room: Int) throws(Rejection) -> Op {
        var op = op
        for (part, intent) in op.body.enumerated() {
            guard case .appendTable(var appending) = intent else { continue }
            let reference = TableID(appending.source).map { TableReference.id($0) }
            guard let source = self.room(reference ?? .name(appending.source)) else {
                throw Rejection(.unknownSource, "There is no other table of that name.", part: part)
            }
            appending.rows = try rooms[room].table.rows(
                of: rooms[source].table, for: appending)
            op.body[part] = .appendTable(appending)
        }
        return op
    }

    /// Counts an operation to its connection's window.
    private mutating func count(_ submission: Submission) {
        connections[submission.slot].pendingOps += 1
        connections[submission.slot].pendingBytes += submission.byteCount
        touch(submission.slot, for: batch)
    }

    /// Keeps what became of an operation, for the log and for whoever sends it again, and
    /// answers it where its record will not.
    private mutating func keep(
        _ outcome: Outcome, sequence: SequenceNumber, of submission: Submission,
        session: SessionNumber
    ) {
        let room = submission.room
        let head = rooms[room].table.head
        let isFollowed = connections[submission.slot].tables[submission.position].follow != nil
        let gate = AnswerGate(batch: batch, room: room, sequence: head)
        var line: [UInt8] = []
        if sequence > 0 && outcome.isPlain {
            if !isFollowed {
                answerPlainly(
                    submission.slot, number: submission.clientNumber, sequence: sequence, in: room,
                    id: submission.id, gate: gate)
            }
        } else {
            let reply = Reply(
                table: rooms[room].id, clientNumber: submission.clientNumber,
                sequence: sequence > 0 ? sequence : nil, outcome: outcome, isExactlyOnce: true)
            write(ServerLine(message: .reply(reply)), to: &line)
            if sequence == 0 || !isFollowed {
                answer(submission.slot, reply: line, id: submission.id, gate: gate)
            }
        }
        changed(room)
        pendingBytes += line.count + decidedEntryBytes
        let entry = DecidedEntry(
            session: session, clientNumber: submission.clientNumber, hash: submission.hash,
            sequence: sequence, head: head)
        rooms[room].pending.add(entry, reply: line)
        rooms[room].sessions[submission.session].decided.append(
            DecidedOp(hash: submission.hash, sequence: sequence, head: head, reply: line),
            replyBytesMax: limits.outcomeBytesMax)
    }

    private mutating func answer(_ submission: Submission, _ reply: Reply) {
        let gate = AnswerGate(
            batch: rooms[submission.room].changedBatch, room: submission.room,
            sequence: rooms[submission.room].table.head)
        answer(submission.slot, .reply(reply), id: submission.id, gate: gate)
    }

    /// Puts a record that the table has performed into ring and log.
    mutating func add(_ record: Record, to room: Int) {
        changed(room)
        noteLeases(of: room)
        let before = rooms[room].ring.byteCount
        let bytes = rooms[room].recordBytes
        rooms[room].add(record, limits: limits)
        pendingBytes += Int(rooms[room].recordBytes - bytes)
        ringBytesTotal += rooms[room].ring.byteCount - before
        if ringBytesTotal > limits.ringBytesTotalMax { trimLargestRing() }
    }

    /// Where all rings together hold too much, the largest gives some up.
    mutating func trimLargestRing() {
        guard
            let largest = rooms.indices.max(by: {
                rooms[$0].ring.byteCount < rooms[$1].ring.byteCount
            })
        else { return }
        let before = rooms[largest].ring.byteCount
        rooms[largest].ring.trim(to: before * 3 / 4)
        ringBytesTotal -= before - rooms[largest].ring.byteCount
    }
}

/// About how many bytes a decided operation adds to the log.
private let decidedEntryBytes = 48

extension Outcome {
    /// True where `{"status":"ok"}` says all.
    var isPlain: Bool {
        status == .ok && notes.isEmpty && rows.isEmpty && columns.isEmpty && comments.isEmpty
            && values.isEmpty && inserted.isEmpty && undid == nil && rejection == nil
    }
}
