// What the user is told. Information goes at the next key, a refusal stays long enough to be
// read, and what concerns lost or refused work stays until it was seen. All of it can be read
// again in the list of messages.
import TableClient
import TableModel
import TableValue

/// One thing that the user is told.
struct Notice: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Goes at the next key.
        case talk
        /// What was asked for cannot be done: stays for some seconds, whatever is pressed.
        case refusal
        /// Stays until it was seen.
        case warning
    }

    let kind: Kind
    fileprivate(set) var text: String
    /// When it was said.
    let at: ClientInstant
    /// A text that would be lost otherwise, and where it belongs.
    var kept: CellEditor?
    /// What brings back in one operation what is said to be lost.
    var back: PutBack?
    /// Whose id the text begins with, where the name is not known yet.
    var unnamed: Text?
    /// Which one it is, among all; given when it is kept.
    fileprivate(set) var number = 0

    /// True where nothing can be done about it.
    fileprivate var isText: Bool { kept == nil && back == nil }
}

/// What the user was told, the newest last.
struct NoticeList: Hashable, Sendable {
    private(set) var all: [Notice] = []
    /// Shown in the status line; nil for nothing.
    private(set) var shown: Notice?
    /// Warnings that nobody has seen yet, oldest first, besides the one that is shown.
    private(set) var waiting: [Notice] = []

    /// How many warnings there were, ever.
    private(set) var warningCount = 0
    private var lastNumber = 0

    static let noticesMax = 200
    /// How long a refusal stays at least, keys or not.
    static let refusalLeastMilliseconds: Int64 = 3_000
    private static let talkMilliseconds: Int64 = 6_000
    private static let refusalMilliseconds: Int64 = 12_000

    /// Says something in passing.
    ///
    /// - Parameters:
    ///   - text: what is said.
    ///   - kept: a text that would be lost otherwise.
    ///   - unnamed: whose id the text begins with, where the name is to be heard.
    ///   - now: the time.
    mutating func say(
        _ text: String, keeping kept: CellEditor? = nil, unnamed: Text? = nil,
        at now: ClientInstant
    ) {
        let notice = keep(
            Notice(kind: .talk, text: text, at: now, kept: kept, unnamed: unnamed))
        if !isHeld(at: now) { shown = notice }
    }

    /// Says why what was asked for is not done.
    mutating func refuse(_ text: String, at now: ClientInstant) {
        let notice = keep(Notice(kind: .refusal, text: text, at: now))
        if let shown, shown.kind == .warning { waiting.insert(shown, at: 0) }
        shown = notice
    }

    /// Says something that must be seen; as `say`.
    mutating func warn(
        _ text: String, keeping kept: CellEditor? = nil, puttingBack back: PutBack? = nil,
        unnamed: Text? = nil, at now: ClientInstant
    ) {
        warningCount += 1
        var notice = Notice(kind: .warning, text: text, at: now, kept: kept, unnamed: unnamed)
        notice.back = back
        notice = keep(notice)
        if shown?.kind == .warning {
            waiting.append(notice)
        } else {
            shown = notice
        }
    }

    /// Keeps something among the messages that is seen already where it matters.
    mutating func note(
        _ text: String, keeping kept: CellEditor? = nil, puttingBack back: PutBack? = nil,
        unnamed: Text? = nil, at now: ClientInstant
    ) {
        var notice = Notice(kind: .talk, text: text, at: now, kept: kept, unnamed: unnamed)
        notice.back = back
        keep(notice)
    }

    /// The newest message of which something can be put back: what is shown, or else of all.
    var newestBack: Notice? {
        if let shown, shown.back != nil { return shown }
        return all.last { $0.back != nil }
    }

    /// What a message spoke of was put back: it cannot be once more.
    mutating func wasPutBack(_ number: Int) {
        for index in all.indices where all[index].number == number { all[index].back = nil }
        waiting.removeAll { $0.number == number }
        if shown?.number == number { showNext() }
    }

    /// The name of a user was heard: it takes the place of the id, in whatever was said.
    mutating func name(_ user: Text, _ name: String) {
        func naming(_ notice: Notice) -> Notice {
            guard notice.unnamed == user else { return notice }
            var notice = notice
            notice.unnamed = nil
            if notice.text.hasPrefix(user.string) {
                notice.text = name + notice.text.dropFirst(user.string.count)
            }
            return notice
        }
        all = all.map(naming)
        waiting = waiting.map(naming)
        shown = shown.map(naming)
    }

    /// A key was pressed: what needs no longer be shown goes.
    mutating func keyPressed(at now: ClientInstant) {
        if shown != nil, !isHeld(at: now) { showNext() }
    }

    /// What is shown was seen; false where that was nothing, or nothing but talk.
    mutating func dismiss() -> Bool {
        guard let kind = shown?.kind else { return false }
        showNext()
        return kind != .talk
    }

    /// All warnings were seen.
    mutating func dismissAll() {
        waiting = []
        shown = nil
    }

    /// When what is shown goes by itself.
    var deadline: ClientInstant? {
        switch shown?.kind {
        case .talk: shown?.at.later(byMilliseconds: NoticeList.talkMilliseconds)
        case .refusal: shown?.at.later(byMilliseconds: NoticeList.refusalMilliseconds)
        case .warning, nil: nil
        }
    }

    /// Takes back what has been shown long enough.
    mutating func expire(at now: ClientInstant) {
        if let deadline, deadline <= now { showNext() }
    }

    private mutating func showNext() {
        shown = waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// True while what is shown gives way to nothing in passing.
    private func isHeld(at now: ClientInstant) -> Bool {
        switch shown?.kind {
        case .talk, nil: return false
        case .warning: return true
        case .refusal:
            let until = shown?.at.later(byMilliseconds: NoticeList.refusalLeastMilliseconds)
            return until.map { now < $0 } ?? false
        }
    }

    @discardableResult
    private mutating func keep(_ notice: Notice) -> Notice {
        var notice = notice
        lastNumber += 1
        notice.number = lastNumber
        // The same again says nothing new.
        if let last = all.last, last.text == notice.text, last.isText, notice.isText {
            notice.number = last.number
            all.removeLast()
        }
        all.append(notice)
        guard all.count > NoticeList.noticesMax else { return notice }
        // Small talk goes first.
        let oldest = all.firstIndex { $0.kind != .warning && $0.isText } ?? 0
        all.remove(at: oldest)
        return notice
    }
}
