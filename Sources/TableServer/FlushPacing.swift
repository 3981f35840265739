// When those who follow a table are woken. A flush costs more than the message it carries, so
// under load it waits a little for company; when it is quiet it never waits.

/// The pace of one table's flushes.
///
/// The first records after a pause go at once. Further ones wait until the last flush is as
/// long ago as the followers make it worth: `flushMicrosecondsPerFollower` for each, at most
/// `flushMicrosecondsMax`. So flushing costs a bounded share of the processor, and one watcher
/// waits for nothing worth measuring.
struct FlushPacer {
    private var flushedAt: Instant?
    /// When the flush that waits is due; nil where none waits.
    private(set) var dueAt: Instant?

    /// Records became durable.
    ///
    /// - Returns: true where the followers are to be woken now; otherwise `dueAt` says when.
    mutating func recordsBecameDurable(
        at now: Instant, followerCount: Int, limits: ServerLimits
    ) -> Bool {
        guard dueAt == nil else { return flush(at: now) }
        let pause = min(
            followerCount * limits.flushMicrosecondsPerFollower, limits.flushMicrosecondsMax)
        if let flushedAt, flushedAt.adding(microseconds: Int64(pause)) > now {
            dueAt = flushedAt.adding(microseconds: Int64(pause))
            return false
        }
        flushedAt = now
        return true
    }

    /// - Returns: true where a waiting flush is due.
    mutating func flush(at now: Instant) -> Bool {
        guard let due = dueAt, due <= now else { return false }
        dueAt = nil
        flushedAt = now
        return true
    }
}
