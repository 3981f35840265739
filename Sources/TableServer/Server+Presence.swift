// Who is at a table and where: kept for as long as a connection follows it, told to all that
// follow it, some times a second, after everything else.
import TableModel
import TableValue
import TableWire

/// Where a connection is at work in a table.
struct Cursor {
    var row: RowID?
    var column: ColumnID?
    var isEditing = false
}

extension Server {
    /// Answers who is at a table.
    mutating func who(_ table: TableReference, for slot: Int, id: RequestID?) {
        let role = accounts[connections[slot].account].role
        guard allows(role, .readTable) else {
            return refuse(
                slot, ErrorMessage(.forbidden, "your role (\(role.rawValue)) does not allow this"),
                id: id)
        }
        guard let room = room(table) else {
            return refuseMissing(table, for: slot, id: id)
        }
        let there = rooms[room].presence.shown(max: limits.presenceEntriesMax)
        answer(
            slot, .who(rooms[room].id, there), id: id,
            gate: AnswerGate(batch: rooms[room].changedBatch))
    }

    /// Takes the place of a connection's cursor.
    mutating func move(
        _ cursor: Cursor, in table: TableReference, of slot: Int, id: RequestID?
    ) {
        guard let room = room(table) else {
            return refuseMissing(table, for: slot, id: id)
        }
        guard let position = connections[slot].position(ofRoom: room),
            connections[slot].tables[position].follow != nil
        else { return refuse(slot, notOpen(room), id: id) }
        guard allows(accounts[connections[slot].account].role, .showCursor) else {
            return refuse(
                slot, ErrorMessage(.forbidden, "your role has no cursor", table: rooms[room].id),
                id: id)
        }
        show(cursor, of: slot, in: room)
    }

    /// Shows a connection at a place in a table.
    mutating func show(_ cursor: Cursor, of slot: Int, in room: Int) {
        let account = connections[slot].account
        let id = connections[slot].id
        let presence = Presence(
            connection: id.rawValue, user: accounts[account].idText, name: accounts[account].name,
            row: cursor.row, column: cursor.column, isEditing: cursor.isEditing)
        rooms[room].presence.place(presence, of: id)
        presenceChanged(room)
    }

    /// Shows or hides a connection in all tables that it follows.
    mutating func showPresence(_ isShown: Bool, of slot: Int) {
        for table in connections[slot].tables where table.follow != nil {
            rooms[table.room].presence.show(isShown, connections[slot].id)
            presenceChanged(table.room)
        }
    }

    /// Notes that a room's list may have to be sent again.
    mutating func presenceChanged(_ room: Int) {
        if !presenceRooms.contains(room) { presenceRooms.append(room) }
    }

    /// Encodes the lists that are due, and wakes those who follow.
    mutating func sendPresence() {
        guard !presenceRooms.isEmpty else { return }
        var changed: [Int] = []
        swap(&changed, &presenceRooms)
        for room in changed {
            let count = rooms[room].followers.count
            guard let due = rooms[room].presence.dueAt(followerCount: count, limits: limits)
            else { continue }
            if due <= now.instant {
                rooms[room].presence.encode(table: rooms[room].id, at: now.instant, limits: limits)
                wakeFollowers(of: room)
            } else {
                presenceRooms.append(room)
            }
        }
    }

    /// When the next list is due.
    var presenceDueAt: Instant? {
        var earliest: Instant?
        for room in presenceRooms {
            let due = rooms[room].presence.dueAt(
                followerCount: rooms[room].followers.count, limits: limits)
            if let due { earliest = min(earliest ?? due, due) }
        }
        return earliest
    }
}
