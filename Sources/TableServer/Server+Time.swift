// What happens by time: deadlines of connections, heartbeats, paces, expiry, the end of a stop.
// It reads no clock: every event brings the time. Deadlines are asked for by `nextDeadline`.
import TableModel
import TableWire

extension Server {
    /// When `tick` wants to be called next; nil where nothing waits for time.
    package var deadline: Instant? {
        if isTurnDue { return now.instant }
        var earliest = nextSweep
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            earliest = min(earliest ?? instant, instant)
        }
        consider(throttledUntil)
        if hasPending, !isAppending { consider(gatheringUntil) }
        consider(presenceDueAt)
        consider(leaseDueAt)
        for room in pacedRooms { consider(rooms[room].pacer.dueAt) }
        // Never in the past: whoever sets a timer by it may count from now.
        return earliest.map { max($0, now.instant) }
    }

    /// `deadline`, for an owner that is an object: reading a property of what it owns would copy
    /// the whole server.
    package mutating func nextDeadline() -> Instant? { deadline }

    /// Does what is due.
    mutating func timePassed() {
        isTurnDue = false
        if let until = throttledUntil, until <= now.instant { throttledUntil = nil }
        flushPacedRooms()
        sendPresence()
        expireLeases()
        if let sweep = nextSweep, sweep <= now.instant {
            reclaimCatchUps()
            for slot in connections.indices { sweepConnection(slot) }
            sweepPins()
            sweepPasts()
            sweepSessions()
            nextSweep =
                slots.isEmpty && isRunning
                ? nil : now.instant.adding(seconds: limits.sweepSeconds)
        }
    }

    /// Looks after one connection, once a sweep.
    private mutating func sweepConnection(_ slot: Int) {
        switch connections[slot].phase {
        case .vacant: break
        case .leaving:
            if let cutAt = connections[slot].cutAt, cutAt <= now.instant { cut(slot) }
        case .hello, .login:
            let until = connections[slot].openedAt.adding(seconds: limits.loginSeconds)
            guard until <= now.instant else { return }
            dismiss(
                slot, ErrorMessage(.loginTimeout, "log in sooner"), answering: nil, withError: true)
        case .open: sweepOpenConnection(slot)
        }
    }

    private mutating func sweepOpenConnection(_ slot: Int) {
        if connections[slot].isAwake {
            let until = connections[slot].progressAt.adding(seconds: limits.slowConsumerSeconds)
            if until <= now.instant {
                connections[slot].answers.removeAll()
                return dismiss(slot, slowConsumer, answering: nil)
            }
        }
        if hasSnapshotForTooLong(slot) { return dismiss(slot, slowConsumer, answering: nil) }
        let absent = connections[slot].heardAt.adding(seconds: limits.presenceTimeoutSeconds)
        if !connections[slot].isAbsent, absent <= now.instant {
            connections[slot].isAbsent = true
            showPresence(false, of: slot)
        }
        let beat = connections[slot].sentAt.adding(seconds: limits.heartbeatSeconds)
        if beat <= now.instant {
            connections[slot].isHeartbeatDue = true
            wake(slot)
        }
    }

    private func hasSnapshotForTooLong(_ slot: Int) -> Bool {
        for position in connections[slot].tables.indices {
            guard let started = connections[slot].tables[position].follow?.snapshot?.startedAt
            else { continue }
            if started.adding(seconds: limits.snapshotSeconds) <= now.instant { return true }
        }
        return false
    }

    /// Lets go of the copies of tables that no snapshot is read from any more.
    private mutating func sweepPins() {
        for room in rooms.indices where !rooms[room].pins.isEmpty { releasePins(of: room) }
    }

    /// Lets go of the copies of one table that no snapshot is read from any more.
    ///
    /// Complexity: linear in those who follow the table.
    mutating func releasePins(of room: Int) {
        var used: Set<SequenceNumber> = []
        for slot in rooms[room].followers {
            guard let position = connections[slot].position(ofRoom: room),
                let snapshot = connections[slot].tables[position].follow?.snapshot
            else { continue }
            used.insert(snapshot.sequence)
        }
        rooms[room].pins.removeAll { !used.contains($0.sequence) }
    }

    private var slowConsumer: ErrorMessage {
        ErrorMessage(.slowConsumer, "nothing was read for too long; come back and resume")
    }

    private mutating func sweepSessions() {
        guard isRunning else { return }
        guard let due = nextExpiry else {
            nextExpiry = now.instant.adding(seconds: limits.sessionGraceSeconds)
            return
        }
        guard due <= now.instant else { return }
        expireSessions()
        nextExpiry = now.instant.adding(seconds: limits.sessionGraceSeconds)
    }

    // MARK: The orderly stop

    func goingAway(retrySeconds: Double? = nil) -> ErrorMessage {
        ErrorMessage(
            .goingAway, "the server stops; come back and resume", retrySeconds: retrySeconds)
    }

    /// Takes the next step of a stop: store what is decided, say goodbye, wait until all are gone.
    mutating func goOnStopping() {
        let until: Instant
        switch status {
        case .running, .stopped: return
        case .stopping(let deadline):
            until = deadline
            if !hasSaidGoodbye && !hasPending && !isAppending { prepareGoodbye() }
        case .failed(let deadline): until = deadline
        }
        let isLate = until <= now.instant
        guard slots.isEmpty && (hasFailed || hasSaidGoodbye) || isLate else { return }
        for slot in connections.indices where connections[slot].phase != .vacant { cut(slot) }
        if !hasFailed { status = .stopped }
        if !hasReportedStop {
            hasReportedStop = true
            emit(.stopped)
        }
    }

    /// Lets everybody fetch what has become durable, and says goodbye in the turn after.
    private mutating func prepareGoodbye() {
        if isGoodbyeDue { return sayGoodbye() }
        isGoodbyeDue = true
        isTurnDue = true
        for room in rooms.indices { wakeFollowers(of: room) }
    }

    private mutating func sayGoodbye() {
        hasSaidGoodbye = true
        for slot in connections.indices where connections[slot].phase != .vacant {
            dismiss(slot, goingAway(retrySeconds: retrySeconds()), answering: nil)
        }
    }
}
