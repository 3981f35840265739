// Tables as a whole: listed, renamed, dropped and brought back. Each is a line of log 0, durable
// before anybody is told. A dropped table keeps its room, log and sessions: nothing deletes them.
import TableModel
import TableValue
import TableWire

extension Server {
    // MARK: Listing

    /// Lists the tables that there are, in the order in which they were made, or those that were
    /// dropped, in the order in which they were.
    mutating func listTables(dropped: Bool, for slot: Int, id: RequestID?) {
        guard isAllowed(.listTables, for: slot, id: id) else { return }
        var batchNeeded: Int64 = 0
        for room in rooms.indices { batchNeeded = max(batchNeeded, rooms[room].changedBatch) }
        let listed = dropped ? droppedRooms : rooms.indices.filter { !rooms[$0].isDropped }
        let summaries = listed.map { room in
            TableSummary(
                table: rooms[room].id, name: rooms[room].name,
                rowCount: rooms[room].table.rowCount,
                columnCount: rooms[room].table.columns.count, sequence: rooms[room].table.head)
        }
        answer(slot, .tables(summaries), id: id, gate: AnswerGate(batch: batchNeeded))
    }

    // MARK: Renaming

    /// Gives a table another name; what is addressed by its id goes on.
    mutating func renameTable(
        _ reference: TableReference, to wanted: Text, onClash: NameClash, for slot: Int,
        id: RequestID?
    ) {
        guard let room = room(reference, right: .manageTables, for: slot, id: id) else { return }
        let account = connections[slot].account
        accounts[account].sessionPace.take()
        if let problem = nameProblem(wanted, of: .table, bytesMax: limits.table.nameBytesMax) {
            return refuse(
                slot, ErrorMessage(.badName, problem, table: rooms[room].id), id: id)
        }
        guard let name = freeName(wanted, onClash, for: room) else {
            return refuseName(of: room, for: slot, id: id)
        }
        if name != rooms[room].name {
            log(.tableRenamed(rooms[room].id, name: name, by: accounts[account].number))
            namesChanged(in: room)
            rename(room, to: name)
            let gate = AnswerGate(batch: batch)
            for other in connections.indices
            where connections[other].phase == .open
                && connections[other].position(ofRoom: room) != nil
            {
                answer(other, .renamed(rooms[room].id, name: name), gate: gate)
            }
        }
        answer(
            slot, .renamed(rooms[room].id, name: name), id: id,
            gate: AnswerGate(batch: rooms[room].changedBatch))
    }

    /// Gives a room a name that is free.
    mutating func rename(_ room: Int, to name: Text) {
        roomsByFoldedName[simpleCaseFolded(rooms[room].name)] = nil
        roomsByFoldedName[simpleCaseFolded(name)] = room
        rooms[room].name = name
    }

    /// True where no other table that is there has the name.
    func isFree(_ name: Text, for room: Int) -> Bool {
        let holder = roomsByFoldedName[simpleCaseFolded(name)]
        return holder == nil || holder == room
    }

    /// The name, or where another table has it the lowest number behind it that is free, if that
    /// is wanted; nil otherwise.
    private func freeName(_ wanted: Text, _ onClash: NameClash, for room: Int) -> Text? {
        if isFree(wanted, for: room) { return wanted }
        guard onClash == .suffix else { return nil }
        // Among one more candidates than names at least one is free.
        for number in 2...(roomsByFoldedName.count + 2) {
            let candidate = extendedName(
                wanted, by: " \(number)", bytesMax: limits.table.nameBytesMax)
            if isFree(candidate, for: room) { return candidate }
        }
        return nil
    }

    private mutating func refuseName(of room: Int, for slot: Int, id: RequestID?) {
        let error = ErrorMessage(
            .tableExists, "there is another table of that name; choose one, or ask for a suffix",
            table: rooms[room].id)
        answer(slot, .error(error), id: id, gate: AnswerGate(batch: namesBatch))
    }

    /// Notes that the batch says something of a table's name, or of whether it is there: what
    /// depends on it waits for the batch.
    private mutating func namesChanged(in room: Int) {
        changed(room)
        namesBatch = batch
    }

    // MARK: Dropping

    /// Takes a table away: its name is free, and whoever has it open is told, behind the last
    /// record and every answer from before.
    mutating func dropTable(_ reference: TableReference, for slot: Int, id: RequestID?) {
        guard let room = room(reference, right: .manageTables, for: slot, id: id) else { return }
        let account = connections[slot].account
        accounts[account].sessionPace.take()
        log(.tableDropped(rooms[room].id, by: accounts[account].number))
        namesChanged(in: room)
        drop(room)
        answer(slot, .dropped(rooms[room].id), id: id, gate: AnswerGate(batch: batch))
        let gate = AnswerGate(
            batch: batch, room: room, sequence: rooms[room].table.head, effect: .closed)
        for other in connections.indices where connections[other].phase == .open {
            guard let position = connections[other].position(ofRoom: room),
                !connections[other].tables[position].isClosing
            else { continue }
            // As with `close`: nothing more is read of it before it has been told.
            connections[other].tables[position].isClosing = true
            connections[other].closingCount += 1
            answer(other, .error(tableDeleted(room)), gate: gate)
        }
    }

    /// Takes a room out of those that are found.
    mutating func drop(_ room: Int) {
        roomsByFoldedName[simpleCaseFolded(rooms[room].name)] = nil
        rooms[room].isDropped = true
        droppedRooms.append(room)
    }

    func tableDeleted(_ room: Int, number: ClientNumber = 0) -> ErrorMessage {
        ErrorMessage(
            .tableDeleted, "the table was deleted; an owner or a manager can restore it",
            table: rooms[room].id, clientNumber: number > 0 ? number : nil)
    }

    /// Refuses what names a table that is not there, or not there any more.
    mutating func refuseMissing(
        _ reference: TableReference, number: ClientNumber = 0, for slot: Int, id: RequestID?
    ) {
        var error = ErrorMessage(
            .unknownTable, "there is no such table; ask for tables",
            clientNumber: number > 0 ? number : nil)
        if case .id(let table) = reference, let room = roomEverMade(table) {
            error = tableDeleted(room, number: number)
        }
        answer(slot, .error(error), id: id, gate: AnswerGate(batch: namesBatch))
    }

    // MARK: Restoring

    /// Brings a dropped table back, with all it had; one that is there stays as it is.
    ///
    /// By name it is the one of that name that was dropped last.
    mutating func restoreTable(
        _ reference: TableReference, onClash: NameClash, for slot: Int, id: RequestID?
    ) {
        guard isAllowed(.manageTables, for: slot, id: id) else { return }
        guard let room = droppedRoom(reference) ?? room(reference) else {
            return refuseMissing(reference, for: slot, id: id)
        }
        if rooms[room].isDropped {
            let account = connections[slot].account
            accounts[account].sessionPace.take()
            guard let name = freeName(rooms[room].name, onClash, for: room) else {
                return refuseName(of: room, for: slot, id: id)
            }
            log(.tableRestored(rooms[room].id, name: name, by: accounts[account].number))
            namesChanged(in: room)
            restore(room, as: name)
        }
        answer(
            slot, .restored(rooms[room].id, name: rooms[room].name), id: id,
            gate: AnswerGate(batch: rooms[room].changedBatch))
    }

    /// Puts a room among those that are found again, under a name that is free.
    mutating func restore(_ room: Int, as name: Text) {
        droppedRooms.removeAll { $0 == room }
        rooms[room].isDropped = false
        rooms[room].name = name
        roomsByFoldedName[simpleCaseFolded(name)] = room
    }

    private func droppedRoom(_ reference: TableReference) -> Int? {
        switch reference {
        case .id(let table):
            roomEverMade(table).flatMap { rooms[$0].isDropped ? $0 : nil }
        case .name(let name):
            droppedRooms.last { simpleCaseFolded(rooms[$0].name) == simpleCaseFolded(name) }
        }
    }
}
