// The words of the command line, read into what they ask for.
import Foundation
import Simulation

let usage = """
    usage: simulate [--seed N | --seeds N | --seeds A..B | --plan FILE] [options]
      --seed N          one history; prints its trace hash
      --seeds N         the histories of the seeds 1 to N; --seeds A..B of A to B
      --plan FILE       the history of a plan that was kept
      --shrink          cut a failing plan down and keep the smaller one
      --bug NAME        plant a bug: \(PlantedBug.allCases.map(\.rawValue).joined(separator: ", "))
      --steps N, --clients N, or --set NAME=N for any setting
      --verbose         tell every event of a single history
      --out FOLDER      where failing plans are kept (default: the folder for temporary files)
    Settings and their defaults: \(WorldOptions().description())
    """

/// What the command line asks for.
struct Request {
    var seeds: ClosedRange<UInt64> = 1...100
    var isSingle = false
    var planFile: String?
    var mustShrink = false
    var isVerbose = false
    var bug: PlantedBug?
    var fixed: [Knob: Int64] = [:]
    var folder = FileManager.default.temporaryDirectory.path

    /// True where only the help is asked for.
    var wantsHelp = false

    /// Reads the words; nil where they are wrong.
    init?(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h", "help": wantsHelp = true
            case "--shrink": mustShrink = true
            case "--verbose": isVerbose = true
            default:
                guard let value = rest.popFirst(), take(word, value) else { return nil }
            }
        }
    }

    private mutating func take(_ word: String, _ value: String) -> Bool {
        switch word {
        case "--seed":
            guard let seed = UInt64(value) else { return false }
            seeds = seed...seed
            isSingle = true
        case "--seeds":
            let ends = value.split(separator: ".", omittingEmptySubsequences: true)
                .compactMap { UInt64($0) }
            guard let last = ends.last, ends.count <= 2 else { return false }
            let first = ends.count == 2 ? ends[0] : 1
            guard first <= last else { return false }
            seeds = first...last
        case "--plan": planFile = value
        case "--out": folder = value
        case "--bug":
            bug = PlantedBug(rawValue: value)
            return bug != nil
        case "--steps", "--clients":
            return set(String(word.dropFirst(2)), value)
        case "--set":
            let parts = value.split(separator: "=").map(String.init)
            return parts.count == 2 && set(parts[0], parts[1])
        default: return false
        }
        return true
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        guard let knob = Knob(rawValue: name), let number = Int64(value), number >= 0 else {
            return false
        }
        fixed[knob] = number
        return true
    }
}
