// What is said where the client ends before everything is confirmed, by whatever ended it.
// It names what and where, and no content of cells: it may go into a log.
import TableModel

extension App {
    /// What would be lost if the client ended now; nil where everything is confirmed.
    ///
    /// Complexity: constant; what many changes were for is not listed.
    package var farewell: String? {
        guard unsentCount > 0 else { return lossWhileLeaving }
        let isOne = unsentCount == 1
        return "\(counted(unsentCount, "change")) in table \(title) \(isOne ? "was" : "were") "
            + "not acknowledged by the server\(unsentLabels). Nothing unsent is kept on disk: "
            + "what was still queued is lost, what was on its way may have arrived; "
            + "look at the table"
    }

    /// What came to nothing too late for the screen; nil where nothing did.
    private var lossWhileLeaving: String? {
        guard hasQuit, isWaitSpoilt else { return nil }
        return "not everything in table \(title) came through as it was written: a change was "
            + "refused, lost or replaced while the client waited to quit; look at the table"
    }

    /// True where something was lost since the user chose to wait and quit.
    private var isWaitSpoilt: Bool { notices.warningCount > warningCountAtQuit }

    /// Quits once everything is confirmed; stays where something came to nothing meanwhile, with
    /// the warning that says so on the screen and the text kept with it.
    mutating func quitIfSent(_ actions: inout [AppAction]) {
        // The core has decided before it tells; only what was told can be judged.
        guard !hasQuit, unsentCount == 0, purposes.isEmpty else { return }
        guard isWaitSpoilt else {
            hasQuit = true
            actions.append(.quit)
            return
        }
        quitsWhenSent = false
        notices.note(
            "still here: not everything came through as it was written; "
                + "\(keyText(.quit)) quits", at: now)
    }

    private var unsentLabels: String {
        guard !purposes.isEmpty, purposes.count <= App.listedPurposesMax else { return "" }
        let labels = purposes.keys.sorted().compactMap { purposes[$0]?.placedLabel }
        let shown = labels.prefix(App.shownPurposesMax)
        let rest = labels.count - shown.count
        return ": " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static let listedPurposesMax = 64
    private static let shownPurposesMax = 6
}

extension Purpose {
    /// What was done, and in which row where that was one.
    fileprivate var placedLabel: String {
        switch self {
        case .edit(let editor): "\(label) in row \(editor.row)"
        default: label
        }
    }
}
