// Many histories, one after the other, and what they came to together.

/// What many histories came to.
package struct Tally: Sendable {
    package var histories = 0
    package var records = 0
    package var outcomes = 0
    package var restarts = 0
    package var cuts = 0
    package var events = 0

    /// Nothing yet.
    package init() {}

    /// Counts a history.
    package mutating func add(_ verdict: Verdict) {
        histories += 1
        records += verdict.records
        outcomes += verdict.outcomes
        restarts += verdict.restarts
        cuts += verdict.cuts
        events += verdict.events
    }

    /// The counts in one line.
    package var text: String {
        "\(histories) histories, \(outcomes) outcomes, \(records) records, "
            + "\(restarts) restarts, \(cuts) cuts, \(events) events"
    }
}

/// Runs the histories of many seeds.
package enum Campaign {
    /// Runs one history for each seed until one fails.
    ///
    /// - Parameters:
    ///   - seeds: which.
    ///   - fixed: settings that are not drawn.
    ///   - bug: a bug to plant.
    ///   - began: told each seed before its history.
    /// - Returns: the counts, and the first plan that failed with its verdict.
    package static func run(
        seeds: ClosedRange<UInt64>, fixed: [Knob: Int64] = [:], bug: PlantedBug? = nil,
        began: (UInt64) -> Void = { _ in }
    ) -> (tally: Tally, failed: (plan: Plan, verdict: Verdict)?) {
        var tally = Tally()
        for seed in seeds {
            began(seed)
            let plan = Plan(seed: seed, fixed: fixed, bug: bug)
            let verdict = World.run(plan)
            tally.add(verdict)
            if verdict.failure != nil { return (tally, (plan, verdict)) }
        }
        return (tally, nil)
    }
}
