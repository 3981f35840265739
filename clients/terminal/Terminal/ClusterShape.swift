// A cluster of several characters as this terminal can show it: whole where its width is one or
// two columns, else in parts or in a plainer form, so that what is believed and what happens agree.
// A cluster is never taken for wider than two columns.

extension WidthRules {
    /// Appends what is shown for a cluster, in one part or several.
    func shape(_ scalars: ArraySlice<Unicode.Scalar>, into parts: inout [Cluster]) {
        guard let first = scalars.first else { return }
        if isNonspacingMark(first) || isSpacingMark(first) {
            // A selector has no ink of its own; other marks get something to hang on.
            guard sign(for: first) == nil else {
                return shapeBehindSign(scalars, into: &parts)
            }
            shapeLetters([Sign.base] + scalars, into: &parts)
            return
        }
        guard sign(for: first) == nil else { return shapeBehindSign(scalars, into: &parts) }
        if isHangulTail(first) {
            parts.append(unknownSign)
            return shape(scalars.dropFirst(), into: &parts)
        }
        guard scalars.count > 1 else {
            parts.append(cluster(of: first))
            return
        }
        if shapeHangul(scalars, into: &parts) || shapeEmoji(scalars, into: &parts) { return }
        shapeLetters(scalars, into: &parts)
    }

    /// A sign for something that stands where no letter is.
    var unknownSign: Cluster {
        Cluster(text: Sign.unknown, width: signCells(Sign.unknown), isDoubtful: false)
    }

    private func shapeBehindSign(_ scalars: ArraySlice<Unicode.Scalar>, into parts: inout [Cluster])
    {
        guard let first = scalars.first else { return }
        parts.append(cluster(of: first))
        shape(scalars.dropFirst(), into: &parts)
    }

    /// Letters with marks: a part for each letter, but what a virama joins stays together where it
    /// fits into two columns.
    private func shapeLetters(
        _ scalars: ArraySlice<Unicode.Scalar>, into parts: inout [Cluster]
    ) {
        var part = Part()
        var joins = false
        for (index, scalar) in zip(scalars.indices, scalars) {
            if isVariationSelector(scalar) {
                // After a digit it would ask for a keycap's looks, which has a width of its own.
                if let first = part.first, first.value < 0x300 { continue }
                part.add(scalar, isDoubtful: true)
            } else if isNonspacingMark(scalar) {
                joins = scalar.properties.canonicalCombiningClass == .virama
                part.add(scalar, isDoubtful: doubt(about: scalar) != nil || scalar == "\u{20E3}")
            } else if isSpacingMark(scalar) {
                let width = cells(.spacingMark) == 1 ? 0 : 1
                if part.width + width > 2 {
                    // A third column goes to a part of its own.
                    part.end(into: &parts)
                    part.begin(with: cluster(of: Sign.base))
                }
                part.add(scalar, width: width, isDoubtful: true)
            } else if scalar == "\u{200C}" || scalar == "\u{200D}" {
                part.add(scalar, isDoubtful: true)
            } else if sign(for: scalar) != nil {
                continue
            } else {
                let letter = cluster(of: scalar)
                let further = cells(.conjunct) == 1 ? 0 : letter.width
                let signs = spacingMarkCells(behind: scalars[index...].dropFirst())
                if joins, part.width > 0, part.width + further + signs <= 2 {
                    part.add(scalar, width: further, isDoubtful: true)
                } else {
                    // A terminal that takes all for one cluster must not join it again.
                    let isFurther = part.first != nil
                    part.end(into: &parts)
                    part.begin(with: letter, isDoubtful: isFurther)
                }
                joins = false
            }
        }
        part.end(into: &parts)
    }

    /// The columns of the signs that stand beside the letter before, up to the next letter.
    private func spacingMarkCells(behind scalars: ArraySlice<Unicode.Scalar>) -> Int {
        guard cells(.spacingMark) != 1 else { return 0 }
        return scalars.prefix { isSpacingMark($0) || isNonspacingMark($0) }
            .reduce(0) { $0 + (isSpacingMark($1) ? 1 : 0) }
    }

    /// Hangul spelled in single letters, as a syllable where there is one; false for other text.
    private func shapeHangul(
        _ scalars: ArraySlice<Unicode.Scalar>, into parts: inout [Cluster]
    ) -> Bool {
        guard let first = scalars.first, let second = scalars.dropFirst().first,
            isHangulLead(first) || (0xAC00...0xD7A3).contains(first.value),
            isHangulLead(second) || isHangulTail(second)
        else { return false }
        let letters = scalars.prefix { !isNonspacingMark($0) }
        let marks = scalars.dropFirst(letters.count).filter { isNonspacingMark($0) }
        if let syllable = composedHangul(letters) {
            var part = Part()
            part.begin(with: cluster(of: syllable))
            for mark in marks { part.add(mark, isDoubtful: isVariationSelector(mark)) }
            part.end(into: &parts)
        } else if letters.dropFirst().allSatisfy(isHangulTail), cells(.oldHangul) == 2 {
            parts.append(Cluster(text: text(of: letters), width: 2, isDoubtful: true))
        } else {
            parts.append(unknownSign)
        }
        return true
    }

    /// Emoji of several characters; false for other text.
    private func shapeEmoji(
        _ scalars: ArraySlice<Unicode.Scalar>, into parts: inout [Cluster]
    ) -> Bool {
        guard let first = scalars.first, let second = scalars.dropFirst().first else {
            return false
        }
        if let one = indicatorLetter(first), let other = indicatorLetter(second) {
            if cells(.flag) == 2 {
                parts.append(Cluster(text: text(of: [first, second]), width: 2, isDoubtful: true))
            } else {
                parts.append(contentsOf: [cluster(of: one), cluster(of: other)])
            }
            return true
        }
        if first.value < 0x40, scalars.dropFirst().elementsEqual(["\u{FE0F}", "\u{20E3}"]) {
            let width = cells(.keycap)
            let whole = Cluster(text: text(of: scalars), width: width, isDoubtful: true)
            parts.append((1...2).contains(width) ? whole : cluster(of: first))
            return true
        }
        guard first.value > 0x7F, first.properties.isEmoji, indicatorLetter(first) == nil,
            !isTone(second) || first.properties.isEmojiModifierBase
        else { return false }
        let members = scalars.split(separator: "\u{200D}")
        let shaped = members.compactMap(emoji)
        guard let head = shaped.first, shaped.count > 1, cells(.joined) == 2 else {
            parts.append(contentsOf: shaped)
            return true
        }
        let whole = shaped.map(\.text).joined(separator: "\u{200D}")
        parts.append(Cluster(text: whole, width: head.width, isDoubtful: true))
        return true
    }

    /// One emoji with what changes its looks.
    private func emoji(_ scalars: ArraySlice<Unicode.Scalar>) -> Cluster? {
        guard let first = scalars.first else { return nil }
        let plain = cluster(of: first)
        guard scalars.count > 1, first.properties.isEmoji, sign(for: first) == nil,
            plain.text != Sign.unknown
        else { return plain }
        let tags = scalars.filter { (0xE0020...0xE007F).contains($0.value) }
        if !tags.isEmpty {
            guard cells(.tagged) == 2 else { return plain }
            return Cluster(text: text(of: [first] + tags), width: 2, isDoubtful: true)
        }
        if let tone = scalars.first(where: isTone) {
            // The sample says nothing of hands that are one column wide.
            guard cells(.modified) == 2, plain.width == 2, first.properties.isEmojiModifierBase
            else { return plain }
            return Cluster(text: text(of: [first, tone]), width: 2, isDoubtful: true)
        }
        let marks = scalars.dropFirst().filter { isNonspacingMark($0) && !isVariationSelector($0) }
        if scalars.contains("\u{FE0F}") {
            let width = plain.width == 2 ? 2 : cells(.emojiStyle)
            guard (1...2).contains(width) else { return plain }
            return Cluster(
                text: text(of: [first, "\u{FE0F}"] + marks), width: width, isDoubtful: true)
        }
        if scalars.contains("\u{FE0E}") {
            // Where it makes a wide emoji narrow, in the last column it would be too late.
            guard plain.width == 1 || cells(.textStyle) == 2 else { return plain }
            return Cluster(
                text: text(of: [first, "\u{FE0E}"] + marks), width: plain.width, isDoubtful: true)
        }
        return Cluster(
            text: text(of: [first] + marks), width: plain.width, isDoubtful: true)
    }
}

/// A part of a cluster while it grows.
private struct Part {
    private(set) var first: Unicode.Scalar?
    private var text = String.UnicodeScalarView()
    private(set) var width = 0
    private var isDoubtful = false

    mutating func begin(with cluster: Cluster, isDoubtful: Bool = false) {
        first = cluster.text.unicodeScalars.first
        text.append(contentsOf: cluster.text.unicodeScalars)
        width = cluster.width
        self.isDoubtful = isDoubtful || cluster.isDoubtful
    }

    mutating func add(_ scalar: Unicode.Scalar, width: Int = 0, isDoubtful: Bool) {
        text.append(scalar)
        self.width += width
        self.isDoubtful = self.isDoubtful || isDoubtful
    }

    mutating func end(into parts: inout [Cluster]) {
        if first != nil {
            parts.append(
                Cluster(
                    text: String(text), width: min(2, max(1, width)), isDoubtful: isDoubtful))
        }
        self = Part()
    }
}

private func text(of scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
}

/// The capital letter that a regional indicator stands for.
private func indicatorLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x1F1E6...0x1F1FF).contains(scalar.value) else { return nil }
    return Unicode.Scalar(0x41 + scalar.value - 0x1F1E6)
}

/// True for a skin tone.
private func isTone(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F3FB...0x1F3FF).contains(scalar.value)
}

private func isHangulLead(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x115E).contains(scalar.value) || (0xA960...0xA97C).contains(scalar.value)
}

/// True for a vowel or final consonant that joins the letter before it.
private func isHangulTail(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FB).contains(scalar.value)
}

/// The one syllable that the letters spell, by the arithmetic of the Unicode Standard, section
/// 3.12; nil where there is none.
private func composedHangul(_ letters: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
    guard var code = letters.first?.value else { return nil }
    for letter in letters.dropFirst() {
        switch letter.value {
        case 0x1161...0x1175 where (0x1100...0x1112).contains(code):
            code = 0xAC00 + ((code - 0x1100) * 21 + letter.value - 0x1161) * 28
        case 0x11A8...0x11C2 where (0xAC00...0xD7A3).contains(code) && (code - 0xAC00) % 28 == 0:
            code += letter.value - 0x11A7
        default: return nil
        }
    }
    return (0xAC00...0xD7A3).contains(code) ? Unicode.Scalar(code) : nil
}
