// The kinds of clusters on whose width terminals disagree, each with a sample that stands for it.
// No constant table is right on every terminal, so the samples are shown to it once, at start, and
// it says how far the cursor went: TerminalProbe.swift. What follows from that: ClusterShape.swift.

/// A kind of cluster that not every terminal gives the same width.
package enum DoubtfulKind: Int, CaseIterable, Sendable {
    /// Emoji joined by U+200D: a family, a profession.
    case joined
    /// An emoji of one column that U+FE0F makes two columns wide, on some.
    case emojiStyle
    /// An emoji of two columns that U+FE0E makes one column wide, on some.
    case textStyle
    /// An emoji with a skin tone.
    case modified
    /// Two regional indicators: a flag.
    case flag
    /// A regional indicator by itself.
    case indicator
    /// A digit in a key's frame.
    case keycap
    /// A flag spelled with tags: England, Scotland, Wales.
    case tagged
    /// A letter with a vowel sign that stands beside it.
    case spacingMark
    /// Two consonants that a virama joins.
    case conjunct
    /// Hangul from old letters, which has no syllable of its own.
    case oldHangul
    /// A symbol that became wide in Unicode 16.
    case widened
    case privateUse
    /// A character that is wide among East Asian ones.
    case ambiguous
    /// Emoji of the Unicode versions after 13, which a terminal may not know yet.
    case unicode14, unicode15, unicode16, unicode17

    /// A cluster that stands for the kind.
    package var sample: String {
        switch self {
        case .joined: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        case .emojiStyle: "\u{2764}\u{FE0F}"
        case .textStyle: "\u{2614}\u{FE0E}"
        case .modified: "\u{1F44D}\u{1F3FD}"
        case .flag: "\u{1F1E9}\u{1F1EA}"
        case .indicator: "\u{1F1E9}"
        case .keycap: "1\u{FE0F}\u{20E3}"
        case .tagged:
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
        case .spacingMark: "\u{0915}\u{093E}"
        case .conjunct: "\u{0915}\u{094D}\u{0937}"
        case .oldHangul: "\u{1100}\u{119E}"
        case .widened: "\u{268C}"
        case .privateUse: "\u{E0B0}"
        case .ambiguous: "\u{2192}"
        case .unicode14: "\u{1FAE0}"
        case .unicode15: "\u{1FAE8}"
        case .unicode16: "\u{1FAE9}"
        case .unicode17: "\u{1FAEA}"
        }
    }

    /// The columns that its sample takes on a terminal of which nothing is known.
    var assumedCells: Int {
        switch self {
        case .indicator, .keycap, .widened, .privateUse, .ambiguous: 1
        default: 2
        }
    }

    /// The kind of a character by the major version of Unicode that brought it; nil where every
    /// terminal knows it.
    static func kind(ofVersion major: Int) -> DoubtfulKind? {
        switch major {
        case ...13: nil
        case 14: .unicode14
        case 15: .unicode15
        case 16: .unicode16
        default: .unicode17
        }
    }
}
