// Runs histories, and for a failure prints the seed, the plan and one command that repeats it.
import Foundation
import Simulation

/// Prints a line at once.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Keeps a plan in a file.
func keep(_ plan: Plan, in folder: String, as name: String) -> String {
    let path = folder + "/" + name + ".plan"
    do {
        try plan.text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
        say("the plan could not be written to \(path): \(error.localizedDescription)")
    }
    return path
}

/// Says what failed, keeps the plan and says how to repeat it.
func reportFailure(_ plan: Plan, _ verdict: Verdict, _ request: Request) {
    say("FAILED: seed \(plan.seed), \(plan.steps.count) steps")
    say("  \(verdict.failure ?? "")")
    let path =
        request.planFile ?? keep(plan, in: request.folder, as: "simulate-\(plan.seed)")
    say("  plan: \(path)")
    say("  again: swift run -c release simulate --plan \(path) --verbose")
    guard request.mustShrink else {
        say("  smaller: swift run -c release simulate --plan \(path) --shrink")
        return
    }
    let (smaller, tries) = Shrinker.shrink(plan)
    let smallPath = keep(smaller, in: request.folder, as: "simulate-\(plan.seed)-small")
    say("cut down to \(smaller.steps.count) steps in \(tries) histories:")
    for step in smaller.steps { say("  at \(step.time) \(step.action.text)") }
    say("  \(World.run(smaller).failure ?? "it no longer fails")")
    say("  plan: \(smallPath)")
    say("  again: swift run -c release simulate --plan \(smallPath) --verbose")
}

/// Runs one plan.
///
/// - Returns: the exit code.
func runOne(_ plan: Plan, _ request: Request) -> Int32 {
    say("seed \(plan.seed): \(plan.options.description())")
    let verdict = World.run(plan, tell: request.isVerbose ? { say($0) } : nil)
    var tally = Tally()
    tally.add(verdict)
    say(tally.text)
    say("trace \(String(verdict.traceHash, radix: 16))")
    guard verdict.failure != nil else { return 0 }
    reportFailure(plan, verdict, request)
    return 1
}

/// Runs the histories of many seeds.
///
/// - Returns: the exit code.
func runMany(_ request: Request) -> Int32 {
    let fixed = request.fixed.map { "\($0.key.rawValue)=\($0.value)" }.sorted()
    say(
        "seeds \(request.seeds.lowerBound) to \(request.seeds.upperBound); fixed: "
            + (fixed.isEmpty ? "nothing" : fixed.joined(separator: " "))
            + "; planted: \(request.bug?.rawValue ?? "nothing")")
    say("settings before they are drawn: \(WorldOptions().description())")
    let current = request.folder + "/simulate-current-seed"
    say("should this process die, the seed it died in is in \(current)")
    let start = ContinuousClock.now
    let (tally, failed) = Campaign.run(
        seeds: request.seeds, fixed: request.fixed, bug: request.bug
    ) { seed in
        try? "\(seed)\n".write(toFile: current, atomically: false, encoding: .utf8)
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let rate = seconds > 0 ? Int(Double(tally.histories) / seconds) : 0
    say("\(tally.text) in \(Int(seconds * 1_000)) ms: \(rate) histories a second")
    guard let (plan, verdict) = failed else { return 0 }
    reportFailure(plan, verdict, request)
    return 1
}

/// Does what the command line asks for.
///
/// - Returns: the exit code.
func run() -> Int32 {
    guard let request = Request(Array(CommandLine.arguments.dropFirst())) else {
        say(usage)
        return 2
    }
    guard !request.wantsHelp else {
        say(usage)
        return 0
    }
    guard let file = request.planFile else {
        guard request.isSingle else { return runMany(request) }
        let plan = Plan(
            seed: request.seeds.lowerBound, fixed: request.fixed, bug: request.bug)
        return runOne(plan, request)
    }
    do {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return runOne(try Plan(text: text), request)
    } catch let error as PlanError {
        say("\(file): \(error)")
    } catch {
        say("\(file) cannot be read: \(error.localizedDescription)")
    }
    return 2
}
