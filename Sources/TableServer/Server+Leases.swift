// Leases end by time: the server itself writes the record that takes a claim back. Who asks for a
// row does so as for any operation; Server+Time.swift tells when it is time.
import TableModel
import TableValue
import TableWire

extension Server {
    /// Who acts now, and when.
    func circumstances(of user: Text) -> Circumstances {
        Circumstances(
            user: user, timeMilliseconds: now.wallMilliseconds,
            leaseMilliseconds: steadyMilliseconds)
    }

    /// Looks after a room from here on, where it has leases.
    mutating func noteLeases(of room: Int) {
        guard rooms[room].table.nextLeaseEnd != nil, !leasedRooms.contains(room) else { return }
        leasedRooms.append(room)
    }

    /// When the next lease ends; nil where there is none.
    var leaseDueAt: Instant? {
        guard isRunning else { return nil }
        var earliest: Instant?
        for room in leasedRooms where !rooms[room].isDropped {
            guard let end = rooms[room].table.nextLeaseEnd else { continue }
            let milliseconds = max(0, min(end &- steadyMilliseconds, 86_400_000))
            // Rounded up: what is due must be over by then.
            let due = Instant(
                microseconds: now.instant.microseconds + (milliseconds + 1) * 1_000)
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    /// Ends leases whose time is over, some in each turn.
    mutating func expireLeases() {
        guard isRunning, !leasedRooms.isEmpty else { return }
        var left = leasesPerTurn
        for room in leasedRooms where !rooms[room].isDropped {
            while left > 0, expireLease(in: room) { left -= 1 }
        }
        leasedRooms.removeAll { rooms[$0].table.nextLeaseEnd == nil }
        if left == 0 { isTurnDue = true }
    }

    /// Ends one lease of a room; false where none is over.
    private mutating func expireLease(in room: Int) -> Bool {
        let sequence = rooms[room].table.head + 1
        let ended = rooms[room].table.expireLease(
            by: steadyMilliseconds, as: sequence, in: circumstances(of: ""))
        guard let ended else { return false }
        let record = Record(
            sequence: sequence, session: ended.author.session, clientNumber: 0,
            user: ended.author.user, timeMilliseconds: now.wallMilliseconds,
            changes: ended.resolution.changes, outcome: ended.resolution.outcome)
        add(record, to: room)
        return true
    }
}

/// Leases that end in one turn at most.
private let leasesPerTurn = 256
