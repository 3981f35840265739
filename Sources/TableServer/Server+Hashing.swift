// Content hashes. One of a large table takes long, so it is made in pieces over turns, on a copy
// of the table; whoever asked is served on once it is answered, and everybody else meanwhile.
import TableModel
import TableWire

/// A content hash that is being made.
struct RoomHashing {
    var work: ContentHashing
    /// The append that must be durable before it is told.
    let batch: Int64
    var askers: [HashAsker]
}

/// Who asked for a content hash.
struct HashAsker {
    let connection: ConnectionID
    let id: RequestID?
}

extension Server {
    /// Has a table's content hash made for a connection, whose later lines wait until it is
    /// answered.
    mutating func askForHash(of table: TableReference, for slot: Int, id: RequestID?) {
        guard let room = room(table, right: .readTable, for: slot, id: id) else { return }
        let asker = HashAsker(connection: connections[slot].id, id: id)
        connections[slot].isHashing = true
        if rooms[room].hashing == nil {
            beginHashing(room, for: [asker])
            // A table that is small, or has hardly changed, is done at once.
            goOnHashing()
        } else if rooms[room].hashing?.work.sequence == rooms[room].table.head {
            rooms[room].hashing?.askers.append(asker)
            holdRecords(of: room, for: slot)
        } else {
            rooms[room].hashAskers.append(asker)
        }
    }

    private mutating func beginHashing(_ room: Int, for askers: [HashAsker]) {
        let work = ContentHashing(of: &rooms[room].table, using: environment.contentDigest)
        rooms[room].hashing = RoomHashing(
            work: work, batch: rooms[room].changedBatch, askers: askers)
        hashingRooms.append(room)
        for asker in askers {
            if let slot = slots[asker.connection] { holdRecords(of: room, for: slot) }
        }
    }

    /// Holds back the records after the hash: it is answered between those before and after it,
    /// so that a follower can compare what it holds.
    private mutating func holdRecords(of room: Int, for slot: Int) {
        guard let position = connections[slot].position(ofRoom: room) else { return }
        connections[slot].tables[position].heldAt = rooms[room].table.head
    }

    /// Goes on with the hashes that are being made, as far as the turn's budget reaches.
    mutating func goOnHashing() {
        while isRunning, hashBytesLeft > 0, !hashingRooms.isEmpty {
            let room = hashingRooms.removeFirst()
            guard let hash = rooms[room].hashing?.work.advance(&hashBytesLeft) else {
                hashingRooms.append(room)
                continue
            }
            finishHashing(room, hash)
        }
        if isRunning, !hashingRooms.isEmpty { isTurnDue = true }
    }

    private mutating func finishHashing(_ room: Int, _ hash: [UInt8]) {
        guard let done = rooms[room].hashing.take() else { return }
        rooms[room].table.remember(done.work)
        for asker in done.askers {
            guard let slot = slots[asker.connection] else { continue }
            connections[slot].isHashing = false
            if let position = connections[slot].position(ofRoom: room) {
                connections[slot].tables[position].heldAt = nil
            }
            guard connections[slot].phase == .open else { continue }
            let message = ServerMessage.hash(
                rooms[room].id, sequence: done.work.sequence, hash: hash)
            let gate = AnswerGate(batch: done.batch, room: room, sequence: done.work.sequence)
            answer(slot, message, id: asker.id, gate: gate)
            wake(slot)
            if connections[slot].hasBacklog { isTurnDue = true }
        }
        let waiting = rooms[room].hashAskers.filter { slots[$0.connection] != nil }
        rooms[room].hashAskers = []
        if !waiting.isEmpty { beginHashing(room, for: waiting) }
    }
}
