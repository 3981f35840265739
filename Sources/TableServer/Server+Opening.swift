// Opening a table: who may, which session, and from where it is followed. Closing it again.
// What a follower is then sent is Follow.swift's; sessions are kept in Server+Sessions.swift.
import TableModel
import TableValue
import TableWire

extension Server {
    /// The room that a request names, unless its table was dropped.
    func room(_ reference: TableReference) -> Int? {
        switch reference {
        case .id(let id): roomEverMade(id).flatMap { rooms[$0].isDropped ? nil : $0 }
        case .name(let name): roomsByFoldedName[simpleCaseFolded(name)]
        }
    }

    /// The room of a table, also of one that was dropped.
    func roomEverMade(_ id: TableID) -> Int? {
        // Tables are numbered as they are made, so that most need no look-up.
        let place = id.rawValue - 1
        if place >= 0, place < rooms.count, rooms[Int(place)].id == id { return Int(place) }
        return roomsByID[id]
    }

    /// Opens a table for a connection.
    mutating func open(_ request: OpenRequest, for slot: Int, id: RequestID?) {
        guard let room = room(request.table) else {
            return refuseMissing(request.table, for: slot, id: id)
        }
        if let refusal = refusal(toOpen: room, request, for: slot) {
            return refuse(slot, refusal, id: id)
        }
        let account = connections[slot].account
        let role = accounts[account].role
        accounts[account].sessionPace.take()
        var table = OpenTable(room: room)
        var writer: WriteSession?
        if request.write && allowsWriting(role) {
            do {
                writer = try openSession(request, room: room, slot: slot)
            } catch {
                return refuse(slot, error.message, id: id)
            }
            table.session = writer.flatMap { rooms[room].sessions.position(of: $0.session) } ?? -1
        }
        if request.follow { table.follow = startFollowing(room, request) }
        var opened = Opened(
            table: rooms[room].id, name: rooms[room].name, lineage: rooms[room].lineage,
            sequence: rooms[room].table.head, columns: rooms[room].table.columns,
            rowCount: rooms[room].table.rowCount, role: Text(role.rawValue), writer: writer)
        opened.look = rooms[room].table.look
        opened.mine = rooms[room].personal[accounts[account].number] ?? PersonalDisplay()
        let gate = AnswerGate(batch: rooms[room].changedBatch, room: room, effect: .opened)
        connections[slot].tables.append(table)
        answer(slot, .opened(opened), id: id, gate: gate)
        if let resume = request.resume {
            sendDecided(from: resume.next, of: table, held: table.follow?.cursor, to: slot)
        }
        if request.follow {
            rooms[room].followers.append(slot)
            show(Cursor(), of: slot, in: room)
        }
    }

    /// Why a table may not be opened so; nil where it may.
    private func refusal(
        toOpen room: Int, _ request: OpenRequest, for slot: Int
    ) -> ErrorMessage? {
        let role = accounts[connections[slot].account].role
        let table = rooms[room].id
        let mayRead = allows(role, .readTable)
        let mayWrite = allowsWriting(role)
        if request.follow && !mayRead {
            return ErrorMessage(
                .forbidden, "your role (\(role.rawValue)) may not follow; open with follow false",
                table: table)
        }
        if (!mayRead && !(request.write && mayWrite)) || (request.resume != nil && !mayWrite) {
            return ErrorMessage(
                .forbidden, "your role (\(role.rawValue)) does not allow this", table: table)
        }
        if connections[slot].position(ofRoom: room) != nil {
            return ErrorMessage(
                .alreadyOpen, "this connection has the table open; close it first", table: table)
        }
        if request.resume != nil, let have = request.have,
            have.lineage != rooms[room].lineage || have.sequence > rooms[room].table.head
        {
            return ErrorMessage(
                .lineageChanged,
                "the table has another history than the one your session belongs to; open it anew",
                table: table)
        }
        if connections[slot].tables.count >= limits.openTablesMax {
            return ErrorMessage(
                .tooManyTables, "a connection has \(limits.openTablesMax) tables open at most",
                table: table)
        }
        return nil
    }

    // MARK: Where to begin

    /// Decides what a follower is sent first.
    private mutating func startFollowing(_ room: Int, _ request: OpenRequest) -> Follow {
        let head = rooms[room].table.head
        if let have = request.have, have.lineage == rooms[room].lineage, have.sequence >= 0,
            have.sequence <= head
        {
            // Who starts at the head has no rows to put a snapshot into, and wants every record.
            if request.start == .head
                || rooms[room].prefersRecords(after: have.sequence, limits: limits)
            {
                return Follow(cursor: have.sequence)
            }
        } else if request.start == .head {
            return Follow(cursor: head)
        }
        let held = request.have?.lineage == rooms[room].lineage ? request.have?.sequence : nil
        let pin = pinSnapshot(of: room)
        if let held, held >= 0, held <= head, held > pin.sequence {
            // Only an older copy is to be had: the records after what is held are there too.
            return Follow(cursor: held)
        }
        let snapshot = SnapshotReader(of: pin, at: now.instant)
        return Follow(cursor: snapshot.sequence, snapshot: snapshot)
    }

    /// A copy to read a snapshot from: of now, or the newest where there may be no more copies.
    ///
    /// What came after it follows as records.
    private mutating func pinSnapshot(of room: Int) -> SnapshotPin {
        if rooms[room].pins.count >= limits.snapshotCopiesMax { releasePins(of: room) }
        if let newest = rooms[room].pins.last,
            newest.sequence == rooms[room].table.head
                || rooms[room].pins.count >= limits.snapshotCopiesMax
        {
            return newest
        }
        let pin = SnapshotPin(table: rooms[room].table)
        rooms[room].pins.append(pin)
        return pin
    }

    /// Sends the stored answers of a session from a client number on.
    ///
    /// Those whose record will come by itself are left out.
    private mutating func sendDecided(
        from next: ClientNumber, of table: OpenTable, held cursor: SequenceNumber?, to slot: Int
    ) {
        guard table.session >= 0 else { return }
        let decided = rooms[table.room].sessions[table.session].decided
        var number = max(next, decided.oldest)
        while number <= decided.last {
            if let entry = decided[number] {
                let comesAsRecord = cursor.map { entry.sequence > $0 } ?? false
                if !comesAsRecord {
                    answer(slot, entry, number: number, in: table.room, id: nil)
                }
            }
            number += 1
        }
    }

    // MARK: Closing

    /// Closes a table for a connection, once what it did there is answered.
    mutating func close(_ reference: TableReference, for slot: Int, id: RequestID?) {
        guard let room = room(reference) else {
            return refuseMissing(reference, for: slot, id: id)
        }
        guard let position = connections[slot].position(ofRoom: room) else {
            return refuse(slot, notOpen(room), id: id)
        }
        connections[slot].tables[position].isClosing = true
        connections[slot].closingCount += 1
        let gate = AnswerGate(
            batch: rooms[room].changedBatch, room: room, sequence: rooms[room].table.head,
            effect: .closed)
        answer(slot, .closed(rooms[room].id), id: id, gate: gate)
    }

    func notOpen(_ room: Int) -> ErrorMessage {
        ErrorMessage(.notOpen, "open the table first", table: rooms[room].id)
    }

    /// Does what handing out an answer leads to.
    mutating func apply(_ effect: AnswerEffect, room: Int, of slot: Int) {
        guard let position = connections[slot].position(ofRoom: room) else { return }
        switch effect {
        case .none: break
        case .opened:
            connections[slot].tables[position].isOpenedSent = true
            let hasSnapshot = connections[slot].tables[position].follow?.snapshot != nil
            connections[slot].tables[position].follow?.stage = hasSnapshot ? .snapshot : .records
        case .closed:
            leaveTable(slot, at: position)
            connections[slot].closingCount -= 1
            isTurnDue = true
        }
    }
}
