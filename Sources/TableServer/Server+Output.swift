// Handing out: answers in their order, then records from the shared ring (or a piece of the log,
// or a snapshot), then who is there. Nothing is ever put in a queue of one follower.
import TableLog
import TableModel
import TableWire

extension Server {
    /// How handing out went.
    private enum Progress {
        /// Nothing is left that may leave now.
        case drained
        /// The buffer is full.
        case full
    }

    /// Moves what a connection is owed into `buffer` until it holds about `byteCountMax` bytes: its
    /// answers, then records of the tables it follows, then pieces of snapshots.
    ///
    /// Whole lines. Nothing appended means that nothing waits; the next `wake` says when something
    /// does. What taking leads to (a log to be read on, reading to be resumed) is due at once: ask
    /// `deadline` after the last call of a turn.
    package mutating func takeOutput(
        for connection: ConnectionID, into buffer: inout [UInt8], byteCountMax: Int, at now: Now
    ) {
        guard let slot = slots[connection] else { return }
        self.now = now
        let start = buffer.count
        let progress = fill(&buffer, byteCountMax: byteCountMax, for: slot)
        connections[slot].isAwake = progress == .full
        guard buffer.count > start else { return }
        connections[slot].sentAt = now.instant
        connections[slot].progressAt = now.instant
        connections[slot].isHeartbeatDue = false
        if connections[slot].hasBacklog { isTurnDue = true }
    }

    private mutating func fill(
        _ buffer: inout [UInt8], byteCountMax: Int, for slot: Int
    ) -> Progress {
        let start = buffer.count
        guard takeAnswers(&buffer, byteCountMax: byteCountMax, for: slot) == .drained else {
            return .full
        }
        guard connections[slot].phase == .open else { return .drained }
        let count = connections[slot].tables.count
        if count > 0 {
            let first = connections[slot].nextTable % count
            connections[slot].nextTable = first + 1
            for offset in 0..<count {
                let progress = takeFollowed(
                    &buffer, byteCountMax: byteCountMax, for: slot, at: (first + offset) % count,
                    through: .max)
                if progress == .full { return .full }
            }
        }
        if connections[slot].isHeartbeatDue && buffer.count == start {
            takeHeartbeat(&buffer, for: slot)
        }
        return .drained
    }

    // MARK: Answers

    private mutating func takeAnswers(
        _ buffer: inout [UInt8], byteCountMax: Int, for slot: Int
    ) -> Progress {
        while let entry = connections[slot].answers.first, entry.gate.batch <= durableBatch {
            if buffer.count >= byteCountMax { return .full }
            if let position = followPosition(of: entry.gate, slot: slot) {
                let progress = takeFollowed(
                    &buffer, byteCountMax: byteCountMax, for: slot, at: position,
                    through: entry.gate.sequence)
                if progress == .full { return .full }
                let cursor = connections[slot].tables[position].follow?.cursor ?? .max
                // The records before it must be read from the log first.
                if cursor < entry.gate.sequence { return .drained }
            }
            connections[slot].answers.takeFirst(into: &buffer)
            if entry.gate.effect != .none {
                apply(entry.gate.effect, room: entry.gate.room, of: slot)
            }
        }
        return buffer.count >= byteCountMax ? .full : .drained
    }

    /// The open table whose cursor an answer must wait for; nil where it need not.
    private func followPosition(of gate: AnswerGate, slot: Int) -> Int? {
        guard gate.room >= 0, let position = connections[slot].position(ofRoom: gate.room),
            let stage = connections[slot].tables[position].follow?.stage, stage != .waiting
        else { return nil }
        return position
    }

    // MARK: Records

    /// Hands out snapshot and records of one table, records up to `limit`.
    private mutating func takeFollowed(
        _ buffer: inout [UInt8], byteCountMax: Int, for slot: Int, at position: Int,
        through limit: SequenceNumber
    ) -> Progress {
        guard let stage = connections[slot].tables[position].follow?.stage else { return .drained }
        let room = connections[slot].tables[position].room
        switch stage {
        case .waiting: return .drained
        case .snapshot:
            while connections[slot].tables[position].follow?.stage == .snapshot {
                if buffer.count >= byteCountMax { return .full }
                takeSnapshotLine(&buffer, for: slot, at: position)
            }
        case .records: break
        }
        return takeRecords(
            &buffer, byteCountMax: byteCountMax, for: slot, at: position,
            through: min(
                limit, rooms[room].durableHead, connections[slot].tables[position].heldAt ?? .max))
    }

    private mutating func takeSnapshotLine(
        _ buffer: inout [UInt8], for slot: Int, at position: Int
    ) {
        let id = rooms[connections[slot].tables[position].room].id
        let limits = limits
        let isDone = connections[slot].tables[position].follow?.snapshot?.takeLine(
            of: id, into: &buffer, limits: limits)
        guard isDone ?? true else { return }
        connections[slot].tables[position].follow?.snapshot = nil
        connections[slot].tables[position].follow?.stage = .records
    }

    private mutating func takeRecords(
        _ buffer: inout [UInt8], byteCountMax: Int, for slot: Int, at position: Int,
        through limit: SequenceNumber
    ) -> Progress {
        let room = connections[slot].tables[position].room
        var cursor = connections[slot].tables[position].follow?.cursor ?? limit
        while cursor < limit {
            if buffer.count >= byteCountMax { return .full }
            if rooms[room].ring.first <= cursor + 1 {
                cursor = rooms[room].ring.copy(
                    after: cursor, through: limit, into: &buffer, byteCountMax: byteCountMax)
                connections[slot].tables[position].follow?.cursor = cursor
            } else if connections[slot].tables[position].follow?.catchUp.state == .held {
                let instant = now.instant
                let taken = connections[slot].tables[position].follow?.catchUp.take(
                    atMost: limit - cursor, into: &buffer, byteCountMax: byteCountMax, at: instant)
                cursor += taken ?? 0
                connections[slot].tables[position].follow?.cursor = cursor
            } else {
                wantLog(slot, position)
                return .drained
            }
        }
        if cursor >= rooms[room].durableHead {
            takeNews(&buffer, for: slot, at: position, cursor: cursor)
        }
        return .drained
    }

    /// Hands out what comes behind the newest record: `live` once, then who is there.
    private mutating func takeNews(
        _ buffer: inout [UInt8], for slot: Int, at position: Int, cursor: SequenceNumber
    ) {
        let room = connections[slot].tables[position].room
        if connections[slot].tables[position].follow?.isLive == false {
            connections[slot].tables[position].follow?.isLive = true
            write(ServerLine(message: .live(rooms[room].id, sequence: cursor)), to: &buffer)
        }
        let version = rooms[room].presence.version
        let seen = connections[slot].tables[position].follow?.presenceVersion ?? version
        guard seen != version else { return }
        connections[slot].tables[position].follow?.presenceVersion = version
        buffer.append(contentsOf: rooms[room].presence.line)
    }

    /// Says that the connection stands, and how far its tables are.
    private mutating func takeHeartbeat(_ buffer: inout [UInt8], for slot: Int) {
        let start = buffer.count
        for table in connections[slot].tables {
            guard let follow = table.follow, follow.isLive else { continue }
            let message = ServerMessage.live(rooms[table.room].id, sequence: follow.cursor)
            write(ServerLine(message: message), to: &buffer)
        }
        if buffer.count == start { write(ServerLine(message: .pong), to: &buffer) }
    }

    // MARK: The log, for those behind the ring

    /// Puts a follower in the line of those that need a piece of the log.
    private mutating func wantLog(_ slot: Int, _ position: Int) {
        guard connections[slot].tables[position].follow?.catchUp.state == CatchUp.State.none else {
            return
        }
        connections[slot].tables[position].follow?.catchUp.state = .wanted
        catchUpQueue.append(
            CatchUpPlace(
                connection: connections[slot].id, room: connections[slot].tables[position].room))
        isTurnDue = true
    }

    /// Where a place is in `connections` and its tables, if it is still there.
    private func find(_ place: CatchUpPlace) -> (slot: Int, position: Int, CatchUp.State)? {
        guard let slot = slots[place.connection],
            let position = connections[slot].position(ofRoom: place.room),
            let state = connections[slot].tables[position].follow?.catchUp.state
        else { return nil }
        return (slot, position, state)
    }

    /// Asks for pieces of logs for those whose turn it is.
    mutating func askForLogs() {
        guard !catchUpQueue.isEmpty else { return }
        catchUpsHeld = catchUpsHeld.filter { find($0)?.2 == .held }
        var waiting: [CatchUpPlace] = []
        swap(&waiting, &catchUpQueue)
        for place in waiting {
            guard let (slot, position, state) = find(place), state == .wanted else { continue }
            guard catchUpsAsked.count + catchUpsHeld.count < limits.catchUpsMax else {
                catchUpQueue.append(place)
                continue
            }
            let cursor = connections[slot].tables[position].follow?.cursor ?? 0
            connections[slot].tables[position].follow?.catchUp.state = .asked
            catchUpsAsked.append((nextReadTicket, place))
            emit(
                .readLog(
                    ticket: nextReadTicket, log: rooms[place.room].log, after: cursor,
                    byteCountMax: limits.catchUpBytes))
            nextReadTicket += 1
        }
    }

    /// Takes a piece of a log that was asked for.
    mutating func logWasRead(_ ticket: Int64, _ result: Result<[LogBatch], LogStoreError>) {
        guard let index = catchUpsAsked.firstIndex(where: { $0.ticket == ticket }) else { return }
        let place = catchUpsAsked.remove(at: index).place
        guard let (slot, position, state) = find(place), state == .asked else { return }
        let cursor = connections[slot].tables[position].follow?.cursor ?? 0
        switch result {
        case .success(let batches):
            let holds = connections[slot].tables[position].follow?.catchUp.hold(
                batches, after: cursor, at: now.instant)
            if holds == true {
                catchUpsHeld.append(place)
            } else if rooms[place.room].ring.first > cursor + 1 {
                return losePlace(slot, "the log lacks record \(cursor + 1)", in: place.room)
            }
            wake(slot)
        case .failure(let error):
            losePlace(slot, error.reason, in: place.room)
        }
    }

    private mutating func losePlace(_ slot: Int, _ reason: String, in room: Int) {
        emit(.report(.error, "log of table \(rooms[room].id) cannot be read: \(reason)"))
        dismiss(
            slot,
            ErrorMessage(.internalError, "the table's log cannot be read", table: rooms[room].id),
            answering: nil)
    }

    /// Takes pieces back from those that do not fetch them while others wait.
    mutating func reclaimCatchUps() {
        guard !catchUpQueue.isEmpty else { return }
        for place in catchUpsHeld {
            guard let (slot, position, state) = find(place), state == .held,
                let touched = connections[slot].tables[position].follow?.catchUp.touchedAt,
                touched.adding(seconds: limits.catchUpIdleSeconds) <= now.instant
            else { continue }
            connections[slot].tables[position].follow?.catchUp.drop()
        }
        isTurnDue = true
    }
}
