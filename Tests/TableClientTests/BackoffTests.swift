import Testing

@testable import TableClient

/// A generator that always draws the same.
private struct Loaded: RandomNumberGenerator, Sendable {
    let word: UInt64
    mutating func next() -> UInt64 { word }
}

@Test("delays double from the first to the most, with full jitter")
func delaysDouble() {
    var highest: any RandomNumberGenerator & Sendable = Loaded(word: .max)
    var backoff = Backoff(firstSeconds: 0.25, maxSeconds: 30)
    let delays = (0..<10).map { _ in backoff.nextSeconds(using: &highest) }
    for (delay, bound) in zip(delays, [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30]) {
        #expect(delay <= bound && delay > bound * 0.999_999)
    }
    var lowest: any RandomNumberGenerator & Sendable = Loaded(word: 0)
    #expect(backoff.nextSeconds(using: &lowest) == 0)
}

@Test("after a success the delay is short again")
func delayIsShortAfterSuccess() {
    var highest: any RandomNumberGenerator & Sendable = Loaded(word: .max)
    var backoff = Backoff(firstSeconds: 0.25, maxSeconds: 30)
    for _ in 0..<100 { _ = backoff.nextSeconds(using: &highest) }
    #expect(backoff.nextSeconds(using: &highest) > 29.9)
    backoff.reset()
    #expect(backoff.nextSeconds(using: &highest) <= 0.25)
}
