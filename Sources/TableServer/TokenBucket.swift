// How fast one user may go: tokens that fill up with monotonic time.
// It delays and refuses nothing: Server+Intake.swift and Server+Operations.swift do.

/// A bucket of tokens, one for an operation.
///
/// It may be overdrawn by the operation that is already read; the next one then waits the longer.
struct TokenBucket: Sendable {
    /// Millionths of a token.
    private var millionths: Int64
    private var filledAt: Instant
    private let perSecond: Int64
    private let burst: Int64

    /// A full bucket; 0 a second is no limit.
    init(perSecond: Int, burst: Int, at now: Instant) {
        self.perSecond = Int64(max(perSecond, 0))
        self.burst = Int64(max(burst, 1))
        millionths = self.burst * 1_000_000
        filledAt = now
    }

    /// False where the bucket never refuses.
    var isLimited: Bool { perSecond > 0 }

    /// Fills up for the time since the last call.
    private mutating func fill(at now: Instant) {
        let elapsed = now.microseconds - filledAt.microseconds
        guard elapsed > 0 else { return }
        filledAt = now
        let (gained, overflow) = elapsed.multipliedReportingOverflow(by: perSecond)
        let full = burst * 1_000_000
        millionths = overflow || gained > full ? full : min(millionths + gained, full)
    }

    /// When the next token is there; nil where one is there now.
    mutating func wait(at now: Instant) -> Instant? {
        guard isLimited else { return nil }
        fill(at: now)
        let missing = 1_000_000 - millionths
        guard missing > 0 else { return nil }
        return now.adding(microseconds: (missing + perSecond - 1) / perSecond)
    }

    /// Takes a token.
    mutating func take() {
        if isLimited { millionths -= 1_000_000 }
    }
}
