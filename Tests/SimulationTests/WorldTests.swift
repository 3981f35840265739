// Whole histories: a fixed set of seeds agrees, the same plan has the same course, and every
// planted bug is caught. What a history checks is in Judge.swift and World+Comparison.swift.
import Testing

@testable import Simulation

/// Short histories: everything happens in them, and a test run has time for many.
private let short: [Knob: Int64] = [.steps: 40]

/// Few rows and a slow network: everybody acts on what others have just changed.
private let crowded: [Knob: Int64] = [
    .steps: 60, .rowsAtStart: 2, .delayMicrosecondsMax: 250_000,
]

@Test(
    "I1–I5, I9, I10: clients, server and log agree after any history",
    arguments: 0..<10 as Range<UInt64>)
func histories(_ group: UInt64) {
    let first = group * 20 + 1
    let (tally, failed) = Campaign.run(seeds: first...(first + 19), fixed: short)
    if let failed {
        Issue.record(
            """
            seed \(failed.plan.seed): \(failed.verdict.failure ?? "")
            swift run simulate --seed \(failed.plan.seed) --steps 40 --shrink
            """)
    }
    #expect(failed != nil || tally.outcomes > 200)
}

@Test("the same plan has the same course", arguments: [1, 2, 3] as [UInt64])
func sameCourse(_ seed: UInt64) {
    let plan = Plan(seed: seed)
    #expect(World.run(plan) == World.run(plan))
}

@Test("a history does something: operations, restarts, cuts")
func historiesAreNotEmpty() {
    let (tally, _) = Campaign.run(seeds: 1...20)
    #expect(tally.records > 200)
    #expect(tally.restarts > 5)
    #expect(tally.cuts > 20)
}

@Test("every planted bug is caught within few seeds", arguments: PlantedBug.allCases)
func caught(_ bug: PlantedBug) {
    let (_, failed) = Campaign.run(seeds: 1...60, fixed: crowded, bug: bug)
    guard let failed else {
        Issue.record("\(bug.rawValue) went through 60 histories unseen")
        return
    }
    var sound = failed.plan
    sound.bug = nil
    #expect(World.run(sound).failure == nil, "seed \(sound.seed) fails without the bug too")
}
