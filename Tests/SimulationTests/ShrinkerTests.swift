// Cutting plans down: what a failure needs stays, the rest goes.
import Testing

@testable import Simulation

@Test("a plan is cut down to the steps that its failure needs")
func cutsDown() {
    let plan = Plan(seed: 5, fixed: [.steps: 120])
    let needed = [plan.steps[17], plan.steps[90]]
    let (smaller, tries) = Shrinker.shrink(plan) { candidate in
        needed.allSatisfy { candidate.steps.contains($0) }
    }
    #expect(smaller.steps == needed)
    #expect(tries < 200)
}

@Test("cutting down ends after the most tries")
func bounded() {
    let plan = Plan(seed: 5, fixed: [.steps: 120])
    var count = 0
    let (_, tries) = Shrinker.shrink(plan, triesMax: 10) { _ in
        count += 1
        return false
    }
    #expect(count == 10)
    #expect(tries == 10)
}
