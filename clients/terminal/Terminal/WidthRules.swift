// How many cells text takes: it is segmented into clusters, made harmless, and measured, for
// the part that is shown alone. Which clusters are doubtful is asked of the terminal at start.
// How a cluster is cut off: ClusterCutter.swift; how it is shown: ClusterShape.swift.

/// One thing that is drawn: a cluster of characters that share cells.
package struct Cluster: Hashable, Sendable {
    /// Printable; never empty.
    package let text: String
    /// Cells it takes, 1 or 2.
    package let width: Int
    /// True where a terminal may give it another width than was asked or assumed.
    package let isDoubtful: Bool
}

/// A text made to fit.
package struct FittedText: Hashable, Sendable {
    /// The clusters that fit, in order.
    package var clusters: [Cluster] = []
    /// Cells that all take together.
    package var width = 0
    /// True where the text was longer.
    package var isCut = false
}

/// How wide clusters are on one terminal.
package struct WidthRules: Hashable, Sendable {
    /// The columns of each kind's sample, by its raw value; `notMeasured` where none is known.
    private var measured = SIMD32<UInt8>(repeating: WidthRules.notMeasured)
    private static let notMeasured = UInt8.max

    /// The rules of a terminal of which nothing is known.
    package init() {}

    /// Takes down how many columns the sample of a kind took.
    package mutating func measured(_ kind: DoubtfulKind, cells: Int) {
        measured[kind.rawValue] = UInt8(clamping: min(max(0, cells), 100))
    }

    /// How many columns the sample of a kind takes, measured or assumed.
    package func cells(_ kind: DoubtfulKind) -> Int {
        let known = measured[kind.rawValue]
        return known == WidthRules.notMeasured ? kind.assumedCells : Int(known)
    }

    /// What stands for the rest of a text that is cut, always one cell wide.
    package var ellipsis: String { cells(.ambiguous) == 2 ? "~" : "\u{2026}" }

    /// True where the signs that draw boxes take two cells each; "|", "-" and "+" never do.
    package var hasWideBoxSigns: Bool { cells(.ambiguous) == 2 }

    /// The clusters of a text as they are shown, at most `widthMax` cells of them; where the text
    /// is longer and `cut` is set, the last cell is "…".
    ///
    /// What is no printable character is shown as a sign. Where a terminal cannot show a cluster
    /// in two cells, it is shown in parts, which are kept or cut together.
    ///
    /// Complexity: linear in what is shown, not in the text.
    package func fit(
        _ text: some StringProtocol, widthMax: Int, cut: Bool = true
    ) -> FittedText {
        if let text = text as? String { return fit(text[...], widthMax, cut: cut) }
        if let text = text as? Substring { return fit(text, widthMax, cut: cut) }
        return fit(String(text)[...], widthMax, cut: cut)
    }

    private func fit(_ text: Substring, _ widthMax: Int, cut: Bool) -> FittedText {
        if let fitted = fitPlain(text, widthMax, cut: cut) { return fitted }
        var fitted = FittedText()
        var cutter = ClusterCutter(text)
        // How many parts each cluster of several has, from the end, to take them back together.
        var groups: [(end: Int, count: Int)] = []
        while cutter.advance() {
            let start = fitted.clusters.count
            append(cutter, to: &fitted)
            let count = fitted.clusters.count - start
            if count > 1 { groups.append((fitted.clusters.count, count)) }
            guard fitted.width > widthMax else { continue }
            fitted.isCut = true
            removeLast(count, from: &fitted, groups: &groups)
            break
        }
        guard fitted.isCut, cut, widthMax > 0 else { return fitted }
        while fitted.width + 1 > widthMax {
            let count = groups.last.map { $0.end == fitted.clusters.count ? $0.count : 1 } ?? 1
            removeLast(count, from: &fitted, groups: &groups)
        }
        fitted.clusters.append(Cluster(text: ellipsis, width: 1, isDoubtful: false))
        fitted.width += 1
        return fitted
    }

    /// The same for what most text is: printable ASCII, a cell each; nil where other characters
    /// are in sight, or right behind what is.
    private func fitPlain(_ text: Substring, _ widthMax: Int, cut: Bool) -> FittedText? {
        guard widthMax > 0 else { return nil }
        var fitted = FittedText()
        for byte in text.utf8 {
            guard (0x20..<0x7F).contains(byte) else { return nil }
            guard fitted.width < widthMax else {
                fitted.isCut = true
                break
            }
            fitted.clusters.append(WidthRules.plainClusters[Int(byte) - 0x20])
            fitted.width += 1
        }
        if fitted.isCut, cut {
            fitted.clusters.removeLast()
            fitted.clusters.append(Cluster(text: ellipsis, width: 1, isDoubtful: false))
        }
        return fitted
    }

    private static let plainClusters: [Cluster] = (UInt8(0x20)..<0x7F).map { byte in
        Cluster(text: String(Character(Unicode.Scalar(byte))), width: 1, isDoubtful: false)
    }

    private func append(_ cutter: ClusterCutter, to fitted: inout FittedText) {
        let start = fitted.clusters.count
        if cutter.isOverlong {
            fitted.clusters.append(unknownSign)
        } else if cutter.scalars.count == 1, let only = cutter.scalars.first,
            (0x20..<0x7F).contains(only.value)
        {
            fitted.clusters.append(
                Cluster(text: String(Character(only)), width: 1, isDoubtful: false))
        } else {
            shape(cutter.scalars[...], into: &fitted.clusters)
        }
        for cluster in fitted.clusters[start...] { fitted.width += cluster.width }
    }

    private func removeLast(
        _ count: Int, from fitted: inout FittedText, groups: inout [(end: Int, count: Int)]
    ) {
        if let last = groups.last, last.end == fitted.clusters.count { groups.removeLast() }
        for cluster in fitted.clusters.suffix(count) { fitted.width -= cluster.width }
        fitted.clusters.removeLast(min(count, fitted.clusters.count))
    }

    /// Cells that a text takes, counted up to `limit`.
    package func width(of text: some StringProtocol, upTo limit: Int = 4_096) -> Int {
        fit(text, widthMax: limit, cut: false).width
    }
}
