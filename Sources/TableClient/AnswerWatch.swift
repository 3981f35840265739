// Whether what was sent is answered, so that a line that swallows bytes is seen in seconds, long
// before it is given up. It sends nothing and reads no clock: Client+Answers.swift does with it
// what a connection asks for.

/// What is owed to this client on one connection, and since when nothing came of it.
struct AnswerWatch: Sendable {
    /// Since when something that was sent waits, counted anew with each answer; nil where
    /// nothing does.
    private(set) var owedSince: ClientInstant?
    /// When a ping was sent that has no answer yet.
    private var pingedAt: ClientInstant?
    /// The user was told that no answer comes, and not yet that one came.
    private(set) var isTold = false

    /// How long an answer may take before a ping asks whether the line is alive.
    static let pingAfterSeconds = 1.0
    /// How long an answer may take, that of a ping too, before it is told.
    static let toldAfterSeconds = 3.0

    /// Something was sent that leads to an answer, or can be followed by a ping that does.
    mutating func sent(at now: ClientInstant) {
        if owedSince == nil { owedSince = now }
    }

    /// A ping was sent.
    mutating func pinged(at now: ClientInstant) {
        sent(at: now)
        if pingedAt == nil { pingedAt = now }
    }

    /// An answer came, or a part of one.
    ///
    /// - Parameters:
    ///   - isPong: true for that of a ping, before which everything was read that was sent.
    ///   - moreIsOwed: true where other answers are still to come.
    ///   - now: the time.
    /// - Returns: true where the user was told that none came.
    mutating func answered(isPong: Bool, moreIsOwed: Bool, at now: ClientInstant) -> Bool {
        if isPong { pingedAt = nil }
        owedSince = pingedAt != nil || moreIsOwed ? now : nil
        defer { isTold = false }
        return isTold
    }

    /// When a ping is due; nil where none is.
    var pingAt: ClientInstant? {
        guard pingedAt == nil else { return nil }
        return owedSince?.after(seconds: AnswerWatch.pingAfterSeconds)
    }

    /// When it is told that no answer comes; nil where it is not.
    var tellAt: ClientInstant? {
        guard let owedSince, let pingedAt, !isTold else { return nil }
        // Whoever slept, and pings late, gives the answer its time all the same.
        return max(
            owedSince.after(seconds: AnswerWatch.toldAfterSeconds),
            pingedAt.after(seconds: AnswerWatch.pingAfterSeconds))
    }

    /// The time that `tellAt` named has come.
    ///
    /// - Returns: since when nothing came.
    mutating func tell(at now: ClientInstant) -> ClientInstant? {
        guard let tellAt, now >= tellAt else { return nil }
        isTold = true
        return owedSince
    }
}
