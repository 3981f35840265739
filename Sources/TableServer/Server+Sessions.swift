// A writer's standing in a table: opened anew or again, taken over, left, expired.
// No operation is decided here; SessionTable.swift holds what is remembered of each session.
import TableModel
import TableValue
import TableWire

/// Why a session was not opened.
struct SessionRefusal: Error {
    let message: ErrorMessage
}

extension Server {
    /// Opens a session, or goes on with one.
    mutating func openSession(
        _ request: OpenRequest, room: Int, slot: Int
    ) throws(SessionRefusal) -> WriteSession {
        let token = environment.secret(prefix: "", randomByteCount: 16)
        guard let hash = environment.hash(of: token) else {
            throw SessionRefusal(message: ErrorMessage(.internalError, "no randomness"))
        }
        let account = connections[slot].account
        let window = windowGranted(request.window, account: account)
        let position: Int
        if let resume = request.resume {
            position = try resumedSession(resume, room: room, account: account)
            takeOver(position, in: room)
            // If the answer gets lost, the client comes with the same secret again.
            rooms[room].sessions[position].previousTokenHash = environment.hash(of: resume.token)
            rooms[room].sessions[position].tokenHash = hash
        } else {
            position = try newSession(hash: hash, room: room, account: account)
        }
        let capacity = max(rooms[room].sessions[position].decided.capacityMax, window)
        rooms[room].sessions[position].decided.capacityMax = capacity
        rooms[room].sessions[position].connection = connections[slot].id
        rooms[room].sessions[position].seenMilliseconds = steadyMilliseconds
        rooms[room].sessions[position].loggedMilliseconds = steadyMilliseconds
        connections[slot].window = max(connections[slot].window, window)
        let number = rooms[room].sessions[position].number
        log(
            .session(
                number, user: accounts[account].number, token: hash,
                previous: rooms[room].sessions[position].previousTokenHash, window: capacity,
                time: steadyMilliseconds), in: room)
        return WriteSession(
            session: number, token: token,
            lastClientNumber: rooms[room].sessions[position].decided.last,
            rowCounter: rooms[room].table.highestRowCounter(of: number),
            columnCounter: rooms[room].table.highestColumnCounter(of: number), window: window)
    }

    /// How many operations a session may have in flight.
    private func windowGranted(_ wanted: Int?, account: Int) -> Int {
        let most = accounts[account].isBot ? limits.windowOpsMax : limits.windowOps
        return min(max(wanted ?? limits.windowOps, 1), most)
    }

    /// The session that a client wants to go on with, if it is the client's and its newest.
    private func resumedSession(
        _ resume: OpenRequest.Resume, room: Int, account: Int
    ) throws(SessionRefusal) -> Int {
        let table = rooms[room].id
        guard let position = rooms[room].sessions.position(of: resume.session) else {
            throw SessionRefusal(
                message: ErrorMessage(
                    .sessionExpired,
                    "the session is gone; whether its unanswered operations were applied is "
                        + "not known any more", table: table))
        }
        guard rooms[room].sessions[position].account == account else {
            throw SessionRefusal(
                message: ErrorMessage(.forbidden, "the session is another user's", table: table))
        }
        guard let hash = environment.hash(of: resume.token),
            rooms[room].sessions[position].check(hash) != .older
        else {
            throw SessionRefusal(
                message: ErrorMessage(
                    .sessionForked, "the session went on elsewhere; open a new one",
                    table: table))
        }
        return position
    }

    /// Closes the connection that has a session open, if one has.
    private mutating func takeOver(_ position: Int, in room: Int) {
        guard let id = rooms[room].sessions[position].connection, let slot = slots[id] else {
            return
        }
        rooms[room].sessions[position].connection = nil
        dismiss(
            slot,
            ErrorMessage(
                .sessionForked, "the session was opened on another connection",
                table: rooms[room].id), answering: nil)
    }

    private mutating func newSession(
        hash: SecretHash, room: Int, account: Int
    ) throws(SessionRefusal) -> Int {
        if rooms[room].sessions.count(of: account) >= limits.sessionsPerUserMax {
            endSessions(rooms[room].sessions.longestAway(of: account), in: room)
        } else if rooms[room].sessions.count >= limits.sessionsPerTableMax {
            endSessions(rooms[room].sessions.longestAway(of: nil), in: room)
        }
        guard rooms[room].sessions.count < limits.sessionsPerTableMax,
            rooms[room].sessions.count(of: account) < limits.sessionsPerUserMax,
            let number = rooms[room].sessions.next
        else {
            throw SessionRefusal(
                message: ErrorMessage(
                    .tooManyConnections, "there are as many sessions as the table takes",
                    table: rooms[room].id))
        }
        return rooms[room].sessions.insert(
            Session(
                number: number, account: account, tokenHash: hash,
                decided: OutcomeRing(capacityMax: limits.windowOps),
                seenMilliseconds: steadyMilliseconds, loggedMilliseconds: steadyMilliseconds))
    }

    // MARK: Leaving and ending

    /// Notes that no connection has a session open any more.
    mutating func leaveSession(_ position: Int, in room: Int) {
        rooms[room].sessions[position].connection = nil
        rooms[room].sessions[position].seenMilliseconds = steadyMilliseconds
        let unlogged =
            steadyMilliseconds - rooms[room].sessions[position].loggedMilliseconds
        guard unlogged > seenLogMilliseconds, isRunning else { return }
        rooms[room].sessions[position].loggedMilliseconds = steadyMilliseconds
        log(.seen(rooms[room].sessions[position].number, time: steadyMilliseconds), in: room)
        isTurnDue = true
    }

    private mutating func endSessions(_ position: Int?, in room: Int) {
        if let position { endSessions([position], in: room) }
    }

    /// Ends sessions and logs it.
    private mutating func endSessions(_ positions: [Int], in room: Int) {
        guard !positions.isEmpty else { return }
        log(.ended(positions.map { rooms[room].sessions[$0].number }), in: room)
        for position in positions {
            rooms[room].table.endUndo(of: rooms[room].sessions[position].number)
            rooms[room].sessions.remove(at: position)
        }
        isTurnDue = true
    }

    /// Ends the sessions that have been away for too long.
    ///
    /// A jump of the wall clock while the server runs does not count, and just after a start
    /// nothing ends.
    mutating func expireSessions() {
        let before = steadyMilliseconds - Int64(limits.sessionDays) * 86_400_000
        for room in rooms.indices {
            endSessions(rooms[room].sessions.expired(before: before), in: room)
        }
    }
}

/// How old the last sign of a session in the log may be when it is left.
private let seenLogMilliseconds: Int64 = 86_400_000
