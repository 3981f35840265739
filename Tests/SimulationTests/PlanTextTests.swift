// Plans as text: every plan reads back as it was written; what is no plan is refused by line.
import Testing

@testable import Simulation

@Test("every plan reads back from its text")
func roundTrip() throws {
    for seed in 1...40 as ClosedRange<UInt64> {
        let bug = seed % 3 == 0 ? PlantedBug.lyingDisk : nil
        let plan = Plan(seed: seed, fixed: [.steps: 200, .clients: 6], bug: bug)
        #expect(try Plan(text: plan.text) == plan, "seed \(seed)")
        #expect(plan.options[.clients] == 6)
    }
}

@Test(
    "what is no plan is refused by its line",
    arguments: [
        "roundtable-plan 2", "seed x", "option colour 1", "bug none", "at 1 dance 2",
        "at x join 1", "at 1 cut 1", "hello",
    ])
func refusal(_ line: String) {
    #expect(throws: PlanError.self) { try Plan(text: "roundtable-plan 1\n" + line + "\n") }
}

@Test("a plan's steps come at times of their own, in order")
func distinctTimes() {
    let plan = Plan(seed: 9, fixed: [.steps: 500, .playMilliseconds: 1])
    #expect(zip(plan.steps, plan.steps.dropFirst()).allSatisfy { $0.time < $1.time })
}
