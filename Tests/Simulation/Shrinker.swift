// Cuts a failing plan down: leaves out steps as long as it still fails, first halves, then
// quarters, down to single steps. Each try is a whole history from the beginning.

/// Cuts failing plans down.
package enum Shrinker {
    /// The smallest plan found that still fails.
    ///
    /// - Parameters:
    ///   - plan: a plan that fails.
    ///   - triesMax: how many histories may be run for it.
    ///   - fails: whether a plan fails, by its verdict.
    /// - Returns: a plan with some of the steps, and how many histories were run.
    package static func shrink(
        _ plan: Plan, triesMax: Int = 2_000,
        fails: (Plan) -> Bool = { World.run($0).failure != nil }
    ) -> (plan: Plan, tries: Int) {
        var smallest = plan
        var tries = 0
        var size = max(1, smallest.steps.count / 2)
        while tries < triesMax {
            var start = 0
            var hasShrunk = false
            while start < smallest.steps.count, tries < triesMax {
                var candidate = smallest
                let end = min(start + size, candidate.steps.count)
                candidate.steps.removeSubrange(start..<end)
                tries += 1
                if fails(candidate) {
                    smallest = candidate
                    hasShrunk = true
                } else {
                    start = end
                }
            }
            if size == 1, !hasShrunk { break }
            size = max(1, size / 2)
        }
        return (smallest, tries)
    }
}
