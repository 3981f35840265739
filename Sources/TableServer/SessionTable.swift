// The sessions of one table: numbers that are never used again, secrets that change at each
// open, and what each has been answered. What is logged of them is in TableLogLines.swift.
import TableModel
import TableValue

/// One client's standing in one table; outlives its connections.
struct Session {
    let number: SessionNumber
    /// The account's position in `Accounts`.
    let account: Int
    var tokenHash: SecretHash
    /// The secret before; it counts until the client shows that it has the new one, so that an
    /// answer to `open` which got lost does not cost the session.
    var previousTokenHash: SecretHash?
    var decided: OutcomeRing
    /// The connection that has it open.
    var connection: ConnectionID?
    /// When a client last had it open, by the wall clock.
    var seenMilliseconds: Int64
    /// The same as the log has it.
    var loggedMilliseconds: Int64

    /// How a secret that a client comes with fits.
    enum TokenCheck { case newest, previous, older }

    /// Compares in constant time.
    func check(_ hash: SecretHash) -> TokenCheck {
        let isNewest = hash == tokenHash
        let isPrevious = previousTokenHash.map { $0 == hash } ?? false
        return isNewest ? .newest : isPrevious ? .previous : .older
    }
}

/// All sessions of one table, reached by position on the hot path and by number otherwise.
struct SessionTable {
    private var sessions: [Session] = []
    private var vacant: [Int] = []
    private var positions: [SessionNumber: Int] = [:]
    /// How many sessions each account has.
    private var counts: [Int: Int] = [:]
    /// The next session's number; nil once all 31 bits are used.
    private(set) var next = SessionNumber(rawValue: 1)

    /// How many sessions there are.
    var count: Int { positions.count }

    /// The position of a session.
    func position(of number: SessionNumber) -> Int? { positions[number] }

    /// The session at a position that `position(of:)` or `insert` gave.
    subscript(position: Int) -> Session {
        get { sessions[position] }
        _modify { yield &sessions[position] }
    }

    /// Adds a session, whose number must be `next` or higher.
    ///
    /// - Returns: its position.
    mutating func insert(_ session: Session) -> Int {
        next = SessionNumber(rawValue: session.number.rawValue + 1)
        let position: Int
        if let reused = vacant.popLast() {
            position = reused
            sessions[position] = session
        } else {
            position = sessions.count
            sessions.append(session)
        }
        positions[session.number] = position
        counts[session.account, default: 0] += 1
        return position
    }

    /// Forgets a session; its number is not given again.
    mutating func remove(at position: Int) {
        guard isUsed(position) else { return }
        counts[sessions[position].account, default: 1] -= 1
        positions[sessions[position].number] = nil
        sessions[position].decided = OutcomeRing(capacityMax: 1)
        vacant.append(position)
    }

    private func isUsed(_ position: Int) -> Bool {
        positions[sessions[position].number] == position
    }

    /// The sessions that no connection has open and that were last seen before that time, in
    /// order of their positions.
    func expired(before milliseconds: Int64) -> [Int] {
        sessions.indices.filter { position in
            isUsed(position) && sessions[position].connection == nil
                && sessions[position].seenMilliseconds < milliseconds
        }
    }

    /// How many sessions an account has.
    func count(of account: Int) -> Int { counts[account] ?? 0 }

    /// The session of an account, or of any, that has been away the longest; nil where all are
    /// open.
    ///
    /// Complexity: linear in the sessions; asked for only where there are too many.
    func longestAway(of account: Int?) -> Int? {
        var found: Int?
        for position in sessions.indices where isUsed(position) {
            guard sessions[position].connection == nil,
                account.map({ $0 == sessions[position].account }) ?? true
            else { continue }
            let seen = sessions[position].seenMilliseconds
            if found.map({ sessions[$0].seenMilliseconds > seen }) ?? true { found = position }
        }
        return found
    }
}
