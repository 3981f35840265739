// What is asked of the terminal at start: how wide it draws each doubtful kind of cluster, its
// background, and whether it has the kitty keyboard. Bytes to send, answers in, what is known out;
// how long to wait is decided by whoever runs it.

/// Questions to the terminal, and what its answers tell.
///
/// The last question is one that every terminal answers (primary device attributes): once that
/// answer is there, nothing further comes. The samples are drawn on the second line, so that the
/// answers cannot be taken for a key; the first frame must be a whole one.
package struct TerminalProbe: Sendable {
    /// The bytes that ask.
    package let question: [UInt8]
    /// True once all that will be answered is answered.
    package private(set) var isFinished = false
    /// The background's colour; nil where it was not answered.
    package private(set) var background: Background?
    /// True where the terminal can report keys by kitty's protocol.
    package private(set) var hasKittyKeyboard = false

    private let kinds: [DoubtfulKind]
    private var columns: [Int] = []

    /// Narrower or lower terminals are not asked about widths: the samples need room.
    private static let sizeMin = Size(width: 12, height: 2)

    /// Prepares the questions for a terminal of that size.
    package init(size: Size) {
        let hasRoom =
            size.width >= TerminalProbe.sizeMin.width
            && size.height >= TerminalProbe.sizeMin.height
        kinds = hasRoom ? DoubtfulKind.allCases : []
        var bytes: [UInt8] = []
        for kind in kinds {
            bytes += "\u{1B}[2;1H\u{1B}[K".utf8
            bytes += kind.sample.utf8
            bytes += "\u{1B}[6n".utf8
        }
        bytes += "\u{1B}[2;1H\u{1B}[K\u{1B}]11;?\u{1B}\\\u{1B}[?u\u{1B}[c".utf8
        question = bytes
    }

    /// Takes an answer; answers that come after the wait was given up are welcome too.
    ///
    /// Returns true for the one that ends the probe.
    @discardableResult
    package mutating func take(_ reply: TerminalReply) -> Bool {
        guard !isFinished else { return false }
        switch reply {
        case .cursor(let place): columns.append(place.x)
        case .background(let red, let green, let blue):
            background = Background(red: red, green: green, blue: blue)
        case .keyboard: hasKittyKeyboard = true
        case .attributes:
            isFinished = true
            return true
        case .other: break
        }
        return false
    }

    /// The rules that follow from the answers.
    ///
    /// Answers do not say what they answer. Where one is missing, none counts.
    package var widths: WidthRules {
        var rules = WidthRules()
        guard isFinished, columns.count == kinds.count else { return rules }
        for (kind, column) in zip(kinds, columns) { rules.measured(kind, cells: column) }
        return rules
    }
}

/// The colour that the terminal draws text on.
package enum Background: Hashable, Sendable {
    case light, dark

    /// Judges a colour by its brightness.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
        let brightness = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
        self = brightness >= 127_500 ? .light : .dark
    }
}
