// How long a command has got nowhere because connections break. It counts seconds and rows; what
// a notice of the core means is Conversation's to say.

/// The account of lost connections: patience runs out where nothing new comes between two of them.
///
/// A login alone is nothing new: a line may break after each, and always before what was asked for
/// has come.
struct LossAccount {
    /// What a loss means.
    enum Verdict: Hashable {
        /// The first since something new came.
        case first
        case again
        /// The next attempt would come too late.
        case over
    }

    /// How long a command goes on without anything new.
    let secondsMax: Double
    /// Since when nothing new has come, in seconds; nil where no connection was lost since.
    private var lostSince: Double?
    /// The most rows of a table that were here at one time.
    private var rowCountMax = 0

    init(secondsMax: Double) {
        self.secondsMax = secondsMax
    }

    /// Something came of what was asked.
    mutating func progressed() {
        lostSince = nil
    }

    /// So many rows of the table that is being loaded are here: something new where there were
    /// never as many.
    mutating func loaded(rowCount: Int) {
        guard rowCount > rowCountMax else { return }
        rowCountMax = rowCount
        progressed()
    }

    /// A connection was lost, or could not be made; the next attempt comes after a while.
    mutating func lost(at now: Double, retryingAfterSeconds delay: Double) -> Verdict {
        let isFirst = lostSince == nil
        let since = lostSince ?? now
        lostSince = since
        if now + delay - since > secondsMax { return .over }
        return isFirst ? .first : .again
    }
}
