// A table as it was, and what happened to it: requests that replay the log. Each connection has at
// most one under way, whose answer its later lines wait for; a few are worked on at a time.
import TableLog
import TableModel
import TableValue
import TableWire

extension Server {
    // MARK: Asking

    /// Prepares a table as it was for a connection, and tells what it was.
    mutating func askForPast(_ request: PastRequest, for slot: Int, id: RequestID?) {
        guard let room = room(request.table, right: .readTable, for: slot, id: id),
            let moment = checked(request.moment, in: room, for: slot, id: id)
        else { return }
        begin(.past, of: room, at: moment, for: slot, id: id)
    }

    /// Reads rows of a table as it was.
    mutating func readPast(
        _ request: ReadRequest, at sequence: SequenceNumber, in room: Int, for slot: Int,
        id: RequestID?
    ) {
        guard let moment = checked(.sequence(sequence), in: room, for: slot, id: id) else { return }
        begin(.read(request), of: room, at: moment, for: slot, id: id)
    }

    /// Tells what happened to a table, a row or a column.
    mutating func askForHistory(_ request: HistoryRequest, for slot: Int, id: RequestID?) {
        guard let room = room(request.table, right: .readTable, for: slot, id: id) else { return }
        var column: ColumnID?
        if let reference = request.column {
            guard let found = columnEver(reference, in: room) else {
                return refuse(
                    slot,
                    ErrorMessage(
                        .unknownColumn, "there is and was no such column",
                        table: rooms[room].id), id: id)
            }
            column = found
        }
        let head = rooms[room].table.head
        let count = request.count ?? limits.historyEntriesMax
        let wish = HistoryScan.Wish(
            row: request.row, column: column, before: min(request.before ?? .max, head + 1),
            countMax: max(1, min(count, limits.historyEntriesMax)))
        let start =
            wish.row == nil
            ? nearestPast(of: room, upTo: wish.first - 1)?.table ?? emptyPast : emptyPast
        var job = PastJob(
            for: connections[slot].id, id: id, room: room, wish: .history, from: start,
            goal: max(0, wish.before - 1))
        job.scan = HistoryScan(wish, limits: limits)
        add(job, for: slot)
    }

    /// A column that there is by that name, or ever was by that id.
    func columnEver(_ reference: ColumnReference, in room: Int) -> ColumnID? {
        switch reference {
        case .id(let id): rooms[room].table.column(id)?.id
        case .name(let name): rooms[room].table.column(named: name)?.id
        }
    }

    /// The moment, or nil where there is no such record; that is told.
    private mutating func checked(
        _ moment: PastMoment, in room: Int, for slot: Int, id: RequestID?
    ) -> PastMoment? {
        guard case .sequence(let sequence) = moment else { return moment }
        let head = rooms[room].table.head
        if sequence >= 1, sequence <= head { return moment }
        let error = ErrorMessage(
            .unknownRecord, "there is no record \(sequence); they are 1 to \(head)",
            table: rooms[room].id)
        refuse(slot, error, id: id)
        return nil
    }

    mutating func begin(
        _ wish: PastJob.Wish, of room: Int, at moment: PastMoment, for slot: Int, id: RequestID?
    ) {
        var job = PastJob(
            for: connections[slot].id, id: id, room: room, wish: wish, from: emptyPast, goal: 0)
        switch moment {
        case .sequence(let sequence): setGoal(of: &job, to: sequence)
        case .time(let milliseconds): job.lookFor(milliseconds, upTo: rooms[room].table.head)
        }
        add(job, for: slot)
    }

    private mutating func add(_ job: PastJob, for slot: Int) {
        connections[slot].isLookingBack = true
        pastJobs.append(job)
        isTurnDue = true
    }

    // MARK: Where to begin

    private var emptyPast: Table {
        var table = Table()
        table.limits = limits.table
        return table
    }

    /// The latest table that is kept and not later than a record.
    private func nearestPast(of room: Int, upTo sequence: SequenceNumber) -> HeldPast? {
        pasts.filter { $0.room == room && $0.table.head <= sequence }
            .max { $0.table.head < $1.table.head }
    }

    /// Has a job make the table as of a record, from what is nearest.
    private mutating func setGoal(of job: inout PastJob, to sequence: SequenceNumber) {
        job.goal = sequence
        if sequence == rooms[job.room].durableHead, sequence == rooms[job.room].table.head {
            job.table = rooms[job.room].table.asPast
            job.tableTime = timeOfHead(of: job.room)
        } else if let held = nearestPast(of: job.room, upTo: sequence) {
            job.table = held.table
            job.tableTime = held.timeMilliseconds
        } else {
            job.table = emptyPast
        }
        job.cursor = job.table.head
    }

    /// When the newest record was made, where it is at hand.
    private func timeOfHead(of room: Int) -> Int64? {
        let head = rooms[room].table.head
        guard head >= 1, rooms[room].ring.first <= head, rooms[room].ring.last >= head else {
            return nil
        }
        var line: [UInt8] = []
        _ = rooms[room].ring.copy(
            after: head - 1, through: head, into: &line, byteCountMax: .max)
        return recordTime(line)
    }

    // MARK: Going on

    /// Goes on with the requests whose turn it is, as far as the turn's budget reaches.
    mutating func goOnLookingBack() {
        guard !pastJobs.isEmpty else { return }
        pastJobs.removeAll { slots[$0.connection] == nil }
        var left = limits.pastBytesPerTurn
        var index = 0
        while isRunning, index < min(limits.pastJobsMax, pastJobs.count) {
            // Taken out, so that replaying changes it in place.
            var job = pastJobs.remove(at: index)
            let problem = advance(&job, &left)
            if let problem {
                losePast(job, problem)
            } else if job.isDone {
                finish(job)
            } else {
                pastJobs.insert(job, at: index)
                index += 1
            }
        }
    }

    /// Replays what is at hand, then asks for more.
    ///
    /// - Returns: why it cannot go on; nil where it can.
    private mutating func advance(_ job: inout PastJob, _ left: inout Int) -> String? {
        while !job.isDone {
            if case .asked = job.source { return nil }
            guard job.lines.state == .held else {
                if job.timeWanted != nil, job.cursor >= job.goal { return timeIsFound(&job) }
                askForRecords(&job)
                return nil
            }
            guard left > 0 else {
                isTurnDue = true
                return nil
            }
            var line: [UInt8] = []
            let instant = now.instant
            guard
                job.lines.take(
                    atMost: 1, into: &line, byteCountMax: .max, at: instant) == 1
            else { continue }
            left -= line.count
            let room = job.room
            let problem = job.take(line) { (line) throws(RecoveryError) -> Record in
                try unsafe readRecord(line.span.bytes, room: room)
            }
            if let problem { return problem }
            if job.timeWanted != nil, job.cursor >= job.goal, let problem = timeIsFound(&job) {
                return problem
            }
        }
        return nil
    }

    /// Goes on to the record that a time has turned out to mean.
    private mutating func timeIsFound(_ job: inout PastJob) -> String? {
        job.timeWanted = nil
        job.lines.drop()
        guard let found = job.timeFound else {
            job.goal = 0
            job.cursor = 0
            return nil
        }
        setGoal(of: &job, to: found.sequence)
        if job.tableTime == nil, job.isDone { job.tableTime = found.milliseconds }
        return nil
    }

    private mutating func askForRecords(_ job: inout PastJob) {
        // What is not durable yet is not in the log; the append's end brings the next turn.
        guard rooms[job.room].durableHead > job.cursor else { return }
        job.source = .asked(ticket: nextReadTicket)
        emit(
            .readLog(
                ticket: nextReadTicket, log: rooms[job.room].log, after: job.cursor,
                byteCountMax: limits.catchUpBytes))
        nextReadTicket += 1
    }

    /// Takes a piece of a log that was asked for to look back.
    ///
    /// - Returns: false where nobody looks back on it.
    mutating func pastWasRead(
        _ ticket: Int64, _ result: Result<[LogBatch], LogStoreError>
    ) -> Bool {
        let asked = pastJobs.firstIndex {
            if case .asked(ticket) = $0.source { true } else { false }
        }
        guard let index = asked else { return false }
        pastJobs[index].source = .idle
        isTurnDue = true
        switch result {
        case .success(let batches):
            let cursor = pastJobs[index].cursor
            if !pastJobs[index].lines.hold(batches, after: cursor, at: now.instant) {
                losePast(pastJobs.remove(at: index), "the log lacks record \(cursor + 1)")
            }
        case .failure(let error): losePast(pastJobs.remove(at: index), error.reason)
        }
        return true
    }

    private mutating func losePast(_ job: PastJob, _ reason: String) {
        let room = rooms[job.room].id
        emit(.report(.error, "log of table \(room) cannot be read: \(reason)"))
        guard let slot = release(job) else { return }
        var error = ErrorMessage(.internalError, "the table's log cannot be read", table: room)
        if case .op(let parked) = job.wish, parked.submitted.clientNumber > 0 {
            error.clientNumber = parked.submitted.clientNumber
        }
        refuse(slot, error, id: job.id)
    }

    /// Lets the connection of a job go on; nil where it is gone.
    private mutating func release(_ job: PastJob) -> Int? {
        guard let slot = slots[job.connection] else { return nil }
        connections[slot].isLookingBack = false
        if connections[slot].hasBacklog { isTurnDue = true }
        return connections[slot].phase == .open ? slot : nil
    }

    // MARK: Answering

    private mutating func finish(_ job: PastJob) {
        guard let slot = release(job) else { return }
        if case .op(let parked) = job.wish {
            return unpark(parked, with: job.goal > 0 ? job.table : nil, for: slot)
        }
        guard !rooms[job.room].isDropped else {
            return refuseMissing(.id(rooms[job.room].id), for: slot, id: job.id)
        }
        switch job.wish {
        case .history:
            guard let scan = job.scan else { return }
            let message = ServerMessage.history(
                scan.answer(for: rooms[job.room].id, asOf: job.goal))
            answer(slot, message, id: job.id)
        case .past:
            guard job.goal > 0 else {
                let error = ErrorMessage(
                    .unknownRecord, "the table was not made by then", table: rooms[job.room].id)
                return refuse(slot, error, id: job.id)
            }
            hold(job)
            let message = ServerMessage.past(
                PastAnswer(
                    table: rooms[job.room].id, sequence: job.goal,
                    timeMilliseconds: job.tableTime, rowCount: job.table.rowCount,
                    columns: job.table.columns))
            answer(slot, message, id: job.id)
        case .read(let request):
            hold(job)
            read(request, of: job.table, in: job.room, for: slot, id: job.id)
        case .op: break
        }
    }

    /// Keeps a table as it was for who reads on.
    private mutating func hold(_ job: PastJob) {
        pasts.removeAll { $0.room == job.room && $0.table.head == job.table.head }
        pasts.append(
            HeldPast(
                room: job.room, table: job.table, timeMilliseconds: job.tableTime,
                usedAt: now.instant))
        if pasts.count > max(1, limits.pastsHeldMax) { pasts.removeFirst() }
    }

    /// Lets go of tables as they were that nobody reads any more.
    mutating func sweepPasts() {
        let (seconds, instant) = (limits.pastIdleSeconds, now.instant)
        pasts.removeAll { $0.usedAt.adding(seconds: seconds) <= instant }
    }
}

extension PastJob {
    /// Looks for the newest record that is not later than a time.
    mutating func lookFor(_ milliseconds: Int64, upTo head: SequenceNumber) {
        timeWanted = milliseconds
        cursor = 0
        goal = head
    }
}
