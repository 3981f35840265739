// Which messages are answers, and what is done while none come: a ping first, then word to the
// user. Giving a connection up that stays silent is in Client+Connection.swift.
import TableModel
import TableWire

extension Client {
    /// Pings, and tells of the silence, where it is time to.
    mutating func watchAnswers(at now: ClientInstant, into actions: inout [ClientAction]) {
        guard state == .ready else { return }
        if let due = answers.pingAt, now >= due { ping(at: now) }
        if let since = answers.tell(at: now) {
            actions.append(.notify(.unanswered(since: since)))
        }
    }

    /// Asks for a sign of life.
    mutating func ping(at now: ClientInstant) {
        lastPing = now
        if state == .ready { answers.pinged(at: now) }
        say(.ping)
    }

    /// When `watchAnswers` is due; nil where it is not.
    var answersDueAt: ClientInstant? {
        guard state == .ready else { return nil }
        return [answers.pingAt, answers.tellAt].compactMap { $0 }.min()
    }

    /// Takes note of a line that came in, once it has been dealt with.
    mutating func noteAnswer(
        _ line: ServerLine, at now: ClientInstant, into actions: inout [ClientAction]
    ) {
        guard state == .ready, answers.owedSince != nil, isAnswer(line) else { return }
        var isPong = false
        if case .pong = line.message, line.id == nil { isPong = true }
        guard answers.answered(isPong: isPong, moreIsOwed: isOwedAnswers, at: now) else { return }
        actions.append(.notify(.answering))
    }

    private func isAnswer(_ line: ServerLine) -> Bool {
        if line.id != nil { return true }
        switch line.message {
        case .pong, .reply: return true
        case .error(let error): return error.clientNumber != nil
        // A snapshot may be long, and answers come behind it.
        case .snapshot, .chunk, .snapshotEnd: return true
        case .record(let table, let record):
            guard record.clientNumber > 0, let position = positions[table] else { return false }
            return record.session == tables[position].writer?.session
        default: return false
        }
    }

    /// True where the server owes an answer, other than a pong.
    private var isOwedAnswers: Bool {
        requests.contains { $0.isSent }
            || tables.contains { table in
                if case .opening = table.phase { return true }
                return table.outbox.isAwaitingAnswers
            }
    }
}
