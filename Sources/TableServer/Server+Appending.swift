// Durable before visible: what a turn decided goes to the store as one append; until it is
// durable, records, answers and snapshots that depend on it stay here.
import TableLog
import TableModel
import TableWire

extension Server {
    // MARK: Collecting

    /// Adds a line to the server's own log.
    mutating func log(_ line: LogLine) {
        let before = serverLines.count
        if !hasServerLog {
            hasServerLog = true
            LogLine.log(format: logFormat).write(to: &serverLines)
        }
        line.write(to: &serverLines)
        pendingBytes += serverLines.count - before
    }

    /// Adds a line without a number to a table's log.
    mutating func log(_ line: LogLine, in room: Int) {
        changed(room)
        rooms[room].pending.add(line)
        pendingBytes += 200
    }

    /// Notes that a room has something in the batch that is being collected.
    mutating func changed(_ room: Int) {
        guard rooms[room].changedBatch < batch else { return }
        rooms[room].changedBatch = batch
        changedRooms.append(room)
    }

    // MARK: Appending

    /// Whether anything waits to be appended.
    var hasPending: Bool { !serverLines.isEmpty || !changedRooms.isEmpty }

    /// Whether the batch still waits for company.
    ///
    /// Where several writers have just been answered, each is about to send its next operation,
    /// and an append of all costs no more than one of a few; without waiting they fall into
    /// groups that take turns. It ends once all of them have come, or after as long as the last
    /// append took, at most `gatherMicrosecondsMax`.
    mutating func isGathering() -> Bool {
        guard let until = gatheringUntil else { return false }
        if isRunning, now.instant < until, serverLines.isEmpty, touched.count < gatheredCount,
            pendingBytes < limits.gatheredBytesMax
        {
            return true
        }
        gatheringUntil = nil
        return false
    }

    /// Begins to gather where an append has answered several writers.
    private mutating func startGathering() {
        gatheredCount = appendingTouched.count + touched.count
        let lasted = now.instant.microseconds - appendStartedAt.microseconds
        let wait = min(max(lasted, 0), Int64(limits.gatherMicrosecondsMax))
        gatheringUntil = appendingTouched.count > 1 ? now.instant.adding(microseconds: wait) : nil
    }

    /// Gives the batch to the store, unless an append is under way: then it goes on growing.
    mutating func startAppend() {
        guard hasPending, !isAppending, !hasFailed else { return }
        var batches: [LogBatch] = []
        if !serverLines.isEmpty {
            batches.append(LogBatch(log: 0, first: 1, last: 0, bytes: serverLines))
            serverLines = []
        }
        changedRooms.sort()
        appendingRooms.removeAll(keepingCapacity: true)
        for room in changedRooms {
            rooms[room].pending.take(into: &batches, timeMilliseconds: steadyMilliseconds)
            appendingRooms.append((room, rooms[room].table.head))
        }
        changedRooms.removeAll(keepingCapacity: true)
        swap(&touched, &appendingTouched)
        touched.removeAll(keepingCapacity: true)
        for id in appendingTouched {
            guard let slot = slots[id] else { continue }
            connections[slot].appendingOps = connections[slot].pendingOps
            connections[slot].appendingBytes = connections[slot].pendingBytes
            connections[slot].pendingOps = 0
            connections[slot].pendingBytes = 0
        }
        pendingBytes = 0
        isAppending = true
        appendStartedAt = now.instant
        emit(.append(ticket: batch, batches))
        batch += 1
    }

    /// The append under way is durable: what waited for it may leave.
    mutating func finishAppend() {
        isAppending = false
        durableBatch = batch - 1
        for (room, head) in appendingRooms where rooms[room].durableHead < head {
            rooms[room].durableHead = head
            flush(room)
        }
        appendingRooms.removeAll(keepingCapacity: true)
        startGathering()
        for id in appendingTouched {
            guard let slot = slots[id] else { continue }
            connections[slot].appendingOps = 0
            connections[slot].appendingBytes = 0
            wake(slot)
        }
        appendingTouched.removeAll(keepingCapacity: true)
        closeDeparting()
        answerAdministrators()
    }

    private mutating func answerAdministrators() {
        guard !administratorAnswers.isEmpty else { return }
        for waiting in administratorAnswers where waiting.batch <= durableBatch {
            emit(.answerAdministrator(ticket: waiting.ticket, waiting.answer))
        }
        administratorAnswers.removeAll { $0.batch <= durableBatch }
    }

    // MARK: Waking followers

    /// Wakes the followers of a room now, or once the pace of its flushes allows.
    private mutating func flush(_ room: Int) {
        guard !rooms[room].followers.isEmpty else { return }
        let wasWaiting = rooms[room].pacer.dueAt != nil
        let isDue = rooms[room].pacer.recordsBecameDurable(
            at: now.instant, followerCount: rooms[room].followers.count, limits: limits)
        if isDue {
            wakeFollowers(of: room)
        } else if !wasWaiting {
            pacedRooms.append(room)
        }
    }

    /// Wakes the followers of rooms whose time has come.
    mutating func flushPacedRooms() {
        guard !pacedRooms.isEmpty else { return }
        var waiting: [Int] = []
        swap(&waiting, &pacedRooms)
        for room in waiting {
            if rooms[room].pacer.flush(at: now.instant) {
                wakeFollowers(of: room)
            } else if rooms[room].pacer.dueAt != nil {
                pacedRooms.append(room)
            }
        }
    }

    /// Wakes all that follow a room.
    mutating func wakeFollowers(of room: Int) {
        for slot in rooms[room].followers { wake(slot) }
    }

    // MARK: Failing

    /// True once the store has failed.
    var hasFailed: Bool {
        if case .failed = status { true } else { false }
    }

    /// Nothing is written any more: whether the last append is stored nobody knows before a
    /// restart, so nobody is told anything of it.
    mutating func fail(_ error: LogStoreError) {
        status = .failed(until: now.instant.adding(seconds: limits.stopSeconds))
        emit(.report(.error, "storing failed (\(error.kind.rawValue)): \(error.reason)"))
        for waiting in administratorAnswers {
            emit(.answerAdministrator(ticket: waiting.ticket, .refused("storing failed")))
        }
        administratorAnswers = []
        for slot in connections.indices where connections[slot].phase != .vacant {
            connections[slot].answers.removeAll()
            dismiss(slot, storageFailed, answering: nil)
        }
        departing = []
    }

    var storageFailed: ErrorMessage {
        ErrorMessage(
            .storageFailed, "the server cannot store anything; operations not answered are unknown",
            retrySeconds: Double(limits.retrySecondsMax))
    }
}
