// How long to wait before connecting again. The dice are passed in.
// It waits for nothing itself: Client+Connection.swift asks for the delay and sets the deadline.

/// Exponential backoff with full jitter: a random share of a bound that doubles.
struct Backoff {
    private let firstSeconds: Double
    private let maxSeconds: Double
    private var attempts = 0

    /// No attempts yet.
    init(firstSeconds: Double, maxSeconds: Double) {
        self.firstSeconds = firstSeconds
        self.maxSeconds = maxSeconds
    }

    /// The delay before the next attempt, which is then counted.
    mutating func nextSeconds(using random: inout any RandomNumberGenerator & Sendable) -> Double {
        var bound = firstSeconds
        for _ in 0..<attempts where bound < maxSeconds { bound *= 2 }
        attempts = min(attempts + 1, 64)
        let share = Double(random.next() >> 11) / Double(1 << 53 as UInt64)
        return min(bound, maxSeconds) * share
    }

    /// The server has done what was wanted: the next delay is short again.
    mutating func reset() {
        attempts = 0
    }
}
