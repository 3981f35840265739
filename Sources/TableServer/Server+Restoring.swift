// Operations that bring back the past: they wait until it is made from the log, and are decided
// in the turn in which it is, against the table as it is then. Server+Past.swift makes it.
import TableModel
import TableWire

/// An operation that waits for a table's past, as it came.
struct ParkedOp {
    let submitted: SubmittedOp
    let id: RequestID?
    let byteCount: Int
    let hash: UInt64
}

/// What an operation that waited for the past has got.
struct PastAtHand {
    /// Nil where there is no such moment.
    let table: Table?
}

extension Server {
    /// Parks an operation that needs the past and can be decided once that is there.
    ///
    /// - Returns: false where it is to be decided at once.
    mutating func parks(_ parked: ParkedOp, for slot: Int) -> Bool {
        let op = parked.submitted.op
        guard pastAtHand == nil, case .restore(let request)? = op.body.first, op.body.count == 1,
            parked.submitted.refusal == nil, let room = room(parked.submitted.table),
            refusal(of: op, for: accounts[connections[slot].account].role) == nil,
            isNext(parked, in: room, for: slot)
        else { return false }
        if case .sequence(let sequence) = request.moment,
            sequence < 1 || sequence > rooms[room].table.head
        {
            return false
        }
        begin(.op(parked), of: room, at: request.moment, for: slot, id: parked.id)
        return true
    }

    /// True for an operation that has not been decided, and will be.
    private mutating func isNext(_ parked: ParkedOp, in room: Int, for slot: Int) -> Bool {
        let number = parked.submitted.clientNumber
        guard number > 0 else {
            return accounts[connections[slot].account].loosePace.wait(at: now.instant) == nil
        }
        guard let position = connections[slot].position(ofRoom: room) else { return false }
        let session = connections[slot].tables[position].session
        return session >= 0 && rooms[room].sessions[session].decided.last + 1 == number
    }

    /// Decides an operation whose past is there, or cannot be.
    mutating func unpark(_ parked: ParkedOp, with table: Table?, for slot: Int) {
        pastAtHand = PastAtHand(table: table)
        operationCame(
            parked.submitted, id: parked.id, byteCount: parked.byteCount, hash: parked.hash,
            from: slot)
        pastAtHand = nil
    }
}
