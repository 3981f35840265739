// What the user is told. Small talk goes by itself; what concerns lost or refused work stays
// until it was seen, and can be read again in the list of messages.
import TableClient
import TableModel
import TableValue

/// One thing that the user is told.
struct Notice: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Goes after some seconds.
        case talk
        /// Stays until it was seen.
        case warning
    }

    let kind: Kind
    let text: String
    /// When it was said.
    let at: ClientInstant
    /// A text that would be lost otherwise, and where it belongs.
    var kept: CellEditor?
}

/// What the user was told, the newest last.
struct NoticeList: Hashable, Sendable {
    private(set) var all: [Notice] = []
    /// Shown in the status line; nil for nothing.
    private(set) var shown: Notice?
    /// Warnings that nobody has seen yet, oldest first, besides the one that is shown.
    private(set) var waiting: [Notice] = []

    static let noticesMax = 200
    private static let talkMilliseconds: Int64 = 4_000

    /// Says something in passing.
    mutating func say(_ text: String, keeping kept: CellEditor? = nil, at now: ClientInstant) {
        let notice = Notice(kind: .talk, text: text, at: now, kept: kept)
        keep(notice)
        if shown?.kind != .warning { shown = notice }
    }

    /// Says something that must be seen.
    mutating func warn(_ text: String, keeping kept: CellEditor? = nil, at now: ClientInstant) {
        let notice = Notice(kind: .warning, text: text, at: now, kept: kept)
        keep(notice)
        if shown?.kind == .warning {
            waiting.append(notice)
        } else {
            shown = notice
        }
    }

    /// What is shown was seen; false where nothing was shown.
    mutating func dismiss() -> Bool {
        guard shown != nil else { return false }
        shown = waiting.isEmpty ? nil : waiting.removeFirst()
        return true
    }

    /// All warnings were seen.
    mutating func dismissAll() {
        waiting = []
        shown = nil
    }

    /// When what is shown goes by itself.
    var deadline: ClientInstant? {
        guard let shown, shown.kind == .talk else { return nil }
        return shown.at.later(byMilliseconds: NoticeList.talkMilliseconds)
    }

    /// Takes back what has been shown long enough.
    mutating func expire(at now: ClientInstant) {
        if let deadline, deadline <= now { shown = nil }
    }

    private mutating func keep(_ notice: Notice) {
        all.append(notice)
        guard all.count > NoticeList.noticesMax else { return }
        // Small talk goes first.
        let oldest = all.firstIndex { $0.kind == .talk && $0.kept == nil } ?? 0
        all.remove(at: oldest)
    }
}
