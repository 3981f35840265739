// How many cells text takes: it is segmented into clusters, made harmless, and measured, for
// the part that is shown alone. Which clusters are doubtful is asked of the terminal at start.

/// One thing that is drawn: a cluster of characters that share cells.
package struct Cluster: Hashable, Sendable {
    /// Printable; never empty.
    package let text: String
    /// Cells it takes, 1 or 2.
    package let width: Int
}

/// A text made to fit.
package struct FittedText: Hashable, Sendable {
    package var clusters: [Cluster] = []
    /// Cells that all take together.
    package var width = 0
    /// True where the text was longer.
    package var isCut = false
}

/// How wide clusters are on one terminal.
package struct WidthRules: Hashable, Sendable {
    /// The rules of a terminal of which nothing is known.
    package init() {}

    /// The clusters of a text as they are shown, at most `widthMax` cells of them; where the text
    /// is longer and `cut` is set, the last cell is "…".
    ///
    /// Complexity: linear in what is shown, not in the text.
    package func fit(
        _ text: some StringProtocol, widthMax: Int, cut: Bool = true
    ) -> FittedText {
        var fitted = FittedText()
        for character in text {
            let cluster = Cluster(text: String(character), width: 1)
            guard fitted.width + cluster.width <= widthMax else {
                fitted.isCut = true
                break
            }
            fitted.clusters.append(cluster)
            fitted.width += cluster.width
        }
        if fitted.isCut, cut, let last = fitted.clusters.popLast() {
            fitted.width -= last.width - 1
            fitted.clusters.append(Cluster(text: "…", width: 1))
        }
        return fitted
    }

    /// Cells that a text takes, counted up to `limit`.
    package func width(of text: some StringProtocol, upTo limit: Int = 4_096) -> Int {
        fit(text, widthMax: limit, cut: false).width
    }
}
