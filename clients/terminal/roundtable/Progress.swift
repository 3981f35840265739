// How far a long command has come, on standard error where that is a terminal, else nothing.
// It counts rows and knows nothing of what becomes of them.
import ClientRuntime
import TableFiles
import Transport

/// A line that counts rows.
struct Progress {
    private let total: Int
    private let loop: EventLoop
    private let isShown: Bool
    private var shownAt: Int64 = 0

    private static let intervalMicroseconds: Int64 = 100_000

    /// Begins to count up to `total`; nothing is shown where it is not wanted.
    init(of total: Int, on loop: EventLoop, isWanted: Bool = true) {
        self.total = total
        self.loop = loop
        isShown = isWanted && LocalFile.standardError().isTerminal
    }

    /// Shows how far it is, some times a second.
    mutating func show(_ count: Int) {
        guard isShown, loop.nowMicroseconds - shownAt >= Self.intervalMicroseconds else { return }
        shownAt = loop.nowMicroseconds
        write("\r\(count) of \(counted(total, "row"))")
    }

    /// Takes the line away.
    func end() {
        if shownAt > 0 { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        // Where standard error is gone there is nobody left to tell.
        try? LocalFile.standardError().write(Array(text.utf8))
    }
}
