// One character by itself: the sign that is shown for what is not printable, and the columns that
// it takes. Clusters of several characters are in ClusterShape.swift.
import CharacterWidth

/// Signs of our own that stand for characters which are not shown.
enum Sign {
    /// For a character that no font can show: invalid bytes, noncharacters, clusters without end.
    static let unknown = "\u{FFFD}"
    /// For a character without ink, which would hide or turn the text around it.
    static let invisible = "\u{2426}"
    /// For the separators of lines and paragraphs.
    static let lineSeparator = "\u{2424}"
    /// What a mark without a letter hangs on.
    static let base: Unicode.Scalar = "\u{25CC}"
}

/// The sign that is shown in the place of a character; nil where it is shown itself.
///
/// Nothing that a terminal acts on, that has no ink, or that turns the direction of text gets by.
func sign(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x20..<0x7F: return nil
    case 0x09: return "\u{2192}"
    case 0x0A: return "\u{23CE}"
    case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) }
    case 0x7F: return "\u{2421}"
    case 0x80..<0xA0: return "\u{B7}"
    case 0xAD: return Sign.invisible
    case ..<0x300: return nil
    case 0x3041...0x3096, 0x3400...0x4DBF, 0x4E00...0x9FFC, 0xAC00...0xD7A3: return nil
    case 0x2028, 0x2029: return Sign.lineSeparator
    default: break
    }
    let properties = scalar.properties
    if properties.isNoncharacterCodePoint { return Sign.unknown }
    switch properties.generalCategory {
    case .unassigned, .surrogate: return Sign.unknown
    case .control, .format, .lineSeparator, .paragraphSeparator: return Sign.invisible
    default: return properties.isDefaultIgnorableCodePoint ? Sign.invisible : nil
    }
}

/// The kind of doubt about a single character; nil where terminals agree.
func doubt(about scalar: Unicode.Scalar) -> DoubtfulKind? {
    switch scalar.value {
    case ..<0x300, 0x3041...0x3096, 0x3400...0x4DBF, 0x4E00...0x9FFC, 0xAC00...0xD7A3: return nil
    case 0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D356, 0x1D360...0x1D376:
        return .widened
    case 0x1F1E6...0x1F1FF: return .indicator
    default: break
    }
    let properties = scalar.properties
    if properties.generalCategory == .privateUse { return .privateUse }
    return properties.age.flatMap { DoubtfulKind.kind(ofVersion: $0.major) }
}

/// True for a mark that is drawn over or under the letter before it.
func isNonspacingMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    default: return false
    }
}

/// True for a mark that is drawn beside the letter before it.
func isSpacingMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && scalar.properties.generalCategory == .spacingMark
}

/// True for U+FE00 to U+FE0F and the further selectors, which choose a character's look.
func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isVariationSelector
}

/// True for a letter or symbol that a terminal may join with whatever stands before it: a skin
/// tone, the voiced mark of half-width kana.
private func joinsBefore(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300, 0x3041...0x3096, 0x3400...0x4DBF, 0x4E00...0x9FFC, 0xAC00...0xD7A3: return false
    default: break
    }
    var recognizer = Unicode._CharacterRecognizer()
    _ = recognizer.hasBreak(before: "a")
    return !recognizer.hasBreak(before: scalar)
}

extension WidthRules {
    /// One character as it is shown.
    func cluster(of scalar: Unicode.Scalar) -> Cluster {
        if let sign = sign(for: scalar) {
            return Cluster(text: sign, width: signCells(sign), isDoubtful: false)
        }
        let text = String(Character(scalar))
        guard let kind = doubt(about: scalar) else {
            let isTwo = isWide(scalar) || (cells(.ambiguous) == 2 && isAmbiguous(scalar))
            return Cluster(text: text, width: isTwo ? 2 : 1, isDoubtful: joinsBefore(scalar))
        }
        let sampleCells = cells(kind)
        guard (1...2).contains(sampleCells) else {
            return Cluster(text: Sign.unknown, width: signCells(Sign.unknown), isDoubtful: false)
        }
        switch kind {
        case .unicode14, .unicode15, .unicode16, .unicode17:
            return Cluster(text: text, width: isWide(scalar) ? sampleCells : 1, isDoubtful: true)
        default:
            return Cluster(text: text, width: sampleCells, isDoubtful: true)
        }
    }

    /// The columns of a sign; some of ours are ambiguous themselves.
    func signCells(_ sign: String) -> Int {
        guard cells(.ambiguous) == 2, let scalar = sign.unicodeScalars.first else { return 1 }
        return isAmbiguous(scalar) ? 2 : 1
    }
}
