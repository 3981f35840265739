// Plans as text: one line for each step, so that a failing plan can be kept, read, cut down by
// hand and given back. The reader refuses what it does not know.

/// Why a text is no plan.
package struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which line, from 1, and what is wrong with it.
    package let description: String

    init(line: Int, _ reason: String) {
        description = "line \(line) of the plan: \(reason)"
    }
}

extension Plan {
    /// The plan as lines of text, which `init(text:)` reads back.
    package var text: String {
        var lines = ["roundtable-plan 1", "seed \(seed)"]
        for knob in Knob.allCases { lines.append("option \(knob.rawValue) \(options[knob])") }
        if let bug { lines.append("bug \(bug.rawValue)") }
        for step in steps { lines.append("at \(step.time) \(step.action.text)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads a plan.
    ///
    /// - Throws: `PlanError` naming the line that is wrong.
    package init(text: String) throws(PlanError) {
        self.init(seed: 0, options: WorldOptions(), steps: [])
        for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            do {
                try read(first, Array(words.dropFirst()))
            } catch {
                throw PlanError(line: place + 1, error.reason)
            }
        }
        steps.sort { $0.time < $1.time }
    }

    private struct LineError: Error {
        let reason: String
    }

    private mutating func read(_ word: String, _ rest: [String]) throws(LineError) {
        switch word {
        case "roundtable-plan":
            guard rest == ["1"] else { throw LineError(reason: "only version 1 is known") }
        case "seed":
            guard rest.count == 1, let seed = UInt64(rest[0]) else {
                throw LineError(reason: "a seed is one number")
            }
            self.seed = seed
        case "option":
            guard rest.count == 2, let knob = Knob(rawValue: rest[0]), let value = Int64(rest[1])
            else { throw LineError(reason: "an option is a known name and a number") }
            options[knob] = value
        case "bug":
            guard rest.count == 1, let bug = PlantedBug(rawValue: rest[0]) else {
                throw LineError(reason: "no such bug")
            }
            self.bug = bug
        case "at":
            guard let first = rest.first, let time = Int64(first),
                let action = StepAction(words: Array(rest.dropFirst()))
            else { throw LineError(reason: "a step is a time and a known action") }
            steps.append(Step(time: time, action: action))
        default:
            throw LineError(reason: "unknown word '\(word)'")
        }
    }
}

extension StepAction {
    /// The action as it stands in a line of a plan.
    package var text: String {
        switch self {
        case .submit(let client, let kind, let seed): "submit \(client) \(kind.rawValue) \(seed)"
        case .cursor(let client, let seed): "cursor \(client) \(seed)"
        case .cut(let client, let seed): "cut \(client) \(seed)"
        case .offline(let client, let milliseconds): "offline \(client) \(milliseconds)"
        case .stall(let client, let milliseconds): "stall \(client) \(milliseconds)"
        case .leave(let client, let milliseconds): "leave \(client) \(milliseconds)"
        case .restart(let client, let milliseconds): "restart \(client) \(milliseconds)"
        case .join(let client): "join \(client)"
        case .fork(let client): "fork \(client)"
        case .bot(let seed): "bot \(seed)"
        case .garbage(let seed): "garbage \(seed)"
        case .failStore(let isStored): "fail_store \(isStored ? 1 : 0)"
        case .crash(let milliseconds, let seed): "crash \(milliseconds) \(seed)"
        case .stop(let milliseconds): "stop \(milliseconds)"
        case .clock(let milliseconds): "clock \(milliseconds)"
        }
    }

    /// Reads what `text` writes; nil where it is something else.
    init?(words: [String]) {
        guard let name = words.first else { return nil }
        if name == "submit" {
            guard words.count == 4, let client = Int(words[1]),
                let kind = OpKind(rawValue: words[2]), let seed = UInt64(words[3])
            else { return nil }
            self = .submit(client: client, kind: kind, seed: seed)
            return
        }
        let numbers = words.dropFirst().compactMap {
            Int64($0) ?? UInt64($0).map(Int64.init(bitPattern:))
        }
        guard numbers.count == words.count - 1 else { return nil }
        switch (name, numbers.count) {
        case ("join", 1): self = .join(client: Int(numbers[0]))
        case ("fork", 1): self = .fork(client: Int(numbers[0]))
        case ("bot", 1): self = .bot(seed: UInt64(bitPattern: numbers[0]))
        case ("garbage", 1): self = .garbage(seed: UInt64(bitPattern: numbers[0]))
        case ("fail_store", 1): self = .failStore(isStored: numbers[0] != 0)
        case ("stop", 1): self = .stop(milliseconds: numbers[0])
        case ("clock", 1): self = .clock(milliseconds: numbers[0])
        case ("cursor", 2):
            self = .cursor(client: Int(numbers[0]), seed: UInt64(bitPattern: numbers[1]))
        case ("cut", 2): self = .cut(client: Int(numbers[0]), seed: UInt64(bitPattern: numbers[1]))
        case ("offline", 2):
            self = .offline(client: Int(numbers[0]), milliseconds: numbers[1])
        case ("stall", 2): self = .stall(client: Int(numbers[0]), milliseconds: numbers[1])
        case ("leave", 2): self = .leave(client: Int(numbers[0]), milliseconds: numbers[1])
        case ("restart", 2):
            self = .restart(client: Int(numbers[0]), milliseconds: numbers[1])
        case ("crash", 2):
            self = .crash(milliseconds: numbers[0], seed: UInt64(bitPattern: numbers[1]))
        default: return nil
        }
    }
}
