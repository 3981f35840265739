// Connections coming and going, what they are told and woken for, and how they are let go.
// It closes none itself: the actions say which. What a connection asks is in Server+Intake.swift.
import TableModel
import TableValue
import TableWire

extension Server {
    // MARK: Slots

    /// Gives a connection a slot.
    mutating func addConnection(_ id: ConnectionID) -> Int {
        let connection = Connection(id, limits: limits, at: now.instant)
        let slot: Int
        if let reused = vacantSlots.popLast() {
            slot = reused
            connections[slot] = connection
        } else {
            slot = connections.count
            connections.append(connection)
        }
        slots[id] = slot
        return slot
    }

    /// Forgets a connection that is gone.
    mutating func removeConnection(_ slot: Int) {
        leaveAllTables(slot)
        let id = connections[slot].id
        let account = connections[slot].account
        if account >= 0 { accounts[account].connectionCount -= 1 }
        slots[id] = nil
        connections[slot] = Connection(id, phase: .vacant, limits: limits, at: now.instant)
        vacantSlots.append(slot)
        if !isRunning { isTurnDue = true }
    }

    // MARK: Answers

    /// Queues a message for a connection, and wakes it now or once its gate is durable.
    mutating func answer(
        _ slot: Int, _ message: ServerMessage, id: RequestID? = nil, gate: AnswerGate = AnswerGate()
    ) {
        let before = connections[slot].answers.byteCount
        connections[slot].answers.append(gate: gate) { bytes in
            write(ServerLine(id: id, message: message), to: &bytes)
        }
        turnBytes += connections[slot].answers.byteCount - before
        answerQueued(slot, gate: gate)
    }

    /// Queues an encoded `reply` for a connection.
    mutating func answer(_ slot: Int, reply: [UInt8], id: RequestID?, gate: AnswerGate) {
        connections[slot].answers.append(gate: gate) { bytes in
            bytes.append(contentsOf: reply)
            if let id {
                // The stored line has no id; it goes behind its last field.
                bytes.removeLast(2)
                bytes.append(contentsOf: ",\"id\":\(id)}\n".utf8)
            }
        }
        answerQueued(slot, gate: gate)
    }

    /// Queues the `reply` of an operation whose record is all there is to say.
    mutating func answerPlainly(
        _ slot: Int, number: ClientNumber, sequence: SequenceNumber, in room: Int, id: RequestID?,
        gate: AnswerGate
    ) {
        let table = rooms[room].id
        connections[slot].answers.append(gate: gate) { bytes in
            writePlainReply(
                table: table, clientNumber: number, sequence: sequence, id: id, to: &bytes)
        }
        answerQueued(slot, gate: gate)
    }

    private mutating func answerQueued(_ slot: Int, gate: AnswerGate) {
        if connections[slot].account < 0,
            connections[slot].answers.byteCount > limits.replyBytesBeforeLoginMax
        {
            return cut(slot)
        }
        if gate.batch <= durableBatch { wake(slot) } else { touch(slot, for: gate.batch) }
    }

    /// Answers a request with an error that ends nothing.
    mutating func refuse(_ slot: Int, _ error: ErrorMessage, id: RequestID?) {
        answer(slot, .error(error), id: id)
    }

    /// Tells the outside that output waits, once.
    mutating func wake(_ slot: Int) {
        guard !connections[slot].isAwake else { return }
        connections[slot].isAwake = true
        connections[slot].progressAt = now.instant
        emit(.wake(connections[slot].id))
    }

    /// Has a connection woken once a batch is durable.
    mutating func touch(_ slot: Int, for wanted: Int64) {
        guard connections[slot].touchedBatch < wanted else { return }
        connections[slot].touchedBatch = wanted
        if wanted == batch {
            touched.append(connections[slot].id)
        } else {
            appendingTouched.append(connections[slot].id)
        }
    }

    // MARK: Letting go

    /// Ends a connection: an `error` where it did something wrong, then `bye`, then close.
    mutating func dismiss(
        _ slot: Int, _ error: ErrorMessage, answering id: RequestID?, withError: Bool = false
    ) {
        guard connections[slot].phase != .leaving else { return }
        dropStuckAnswers(slot)
        leaveAllTables(slot)
        if withError { answer(slot, .error(error), id: id) }
        guard connections[slot].phase != .leaving else { return }
        answer(slot, .bye(error))
        connections[slot].phase = .leaving
        connections[slot].cutAt = now.instant.adding(seconds: limits.leaveSeconds)
        connections[slot].held = []
        connections[slot].hasBacklog = false
        wake(slot)
        if connections[slot].answers.lastBatch <= durableBatch {
            emit(.close(connections[slot].id, afterOutput: true))
        } else {
            departing.append(connections[slot].id)
        }
    }

    /// Ends a connection for a mistake of its own.
    mutating func dismissForMistake(_ slot: Int, _ error: ErrorMessage, id: RequestID? = nil) {
        dismiss(slot, error, answering: id, withError: true)
    }

    /// Ends a connection at once; what it was owed is dropped.
    mutating func cut(_ slot: Int) {
        leaveAllTables(slot)
        connections[slot].answers.removeAll()
        connections[slot].phase = .leaving
        connections[slot].held = []
        connections[slot].hasBacklog = false
        connections[slot].cutAt = nil
        emit(.close(connections[slot].id, afterOutput: false))
    }

    /// Answers that come after records which will not be sent any more are not sent either:
    /// whoever resumes is told them again, in order.
    private mutating func dropStuckAnswers(_ slot: Int) {
        var cursors: [(room: Int, cursor: SequenceNumber)] = []
        for table in connections[slot].tables {
            guard let follow = table.follow, follow.stage != .waiting else { continue }
            cursors.append((table.room, follow.cursor))
        }
        connections[slot].answers.truncate { gate in
            cursors.contains { $0.room == gate.room && $0.cursor < gate.sequence }
        }
    }

    /// Takes a connection out of all its tables.
    mutating func leaveAllTables(_ slot: Int) {
        while !connections[slot].tables.isEmpty { leaveTable(slot, at: 0) }
        connections[slot].closingCount = 0
    }

    /// Takes a connection out of one table: it is no longer followed, its session is free.
    mutating func leaveTable(_ slot: Int, at position: Int) {
        let id = connections[slot].id
        let room = connections[slot].tables[position].room
        let session = connections[slot].tables[position].session
        if connections[slot].tables[position].follow != nil {
            if let index = rooms[room].followers.firstIndex(of: slot) {
                rooms[room].followers.remove(at: index)
            }
            rooms[room].presence.remove(id)
            presenceChanged(room)
        }
        if session >= 0, rooms[room].sessions[session].connection == id {
            leaveSession(session, in: room)
        }
        connections[slot].tables.remove(at: position)
    }

    /// Tells those whose last words were held back by an append to close.
    mutating func closeDeparting() {
        guard !departing.isEmpty else { return }
        var waiting: [ConnectionID] = []
        swap(&waiting, &departing)
        for id in waiting {
            guard let slot = slots[id] else { continue }
            if connections[slot].answers.lastBatch <= durableBatch {
                emit(.close(id, afterOutput: true))
            } else {
                departing.append(id)
            }
        }
    }

    /// How long a client that is sent away should wait: spread, so that not all come at once.
    mutating func retrySeconds() -> Double {
        let steps = UInt64(max(limits.retrySecondsMax, 0)) * 10
        return Double(environment.random.next() % (steps + 1)) / 10
    }
}
