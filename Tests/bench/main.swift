// roundtable-bench: measures the product against itself, and beside a peer in the same run.
// Each figure is one JSON object on a line of standard output; talk goes to standard error.
import Foundation

/// What `roundtable-bench` can measure.
let workloads: [(name: String, summary: String, run: ([String]) throws -> Void)] = [
    (
        "fanout", "one editor at a fixed rate, many watchers: deliveries, server CPU, delay",
        { try runFanout(arguments: $0) }
    ),
    (
        "durable", "operations that are acknowledged after an fsync: rate, server CPU, delay",
        { try runDurable(arguments: $0) }
    ),
    (
        "apply", "the table alone: cost of each operation by size, memory, content hash",
        { try runApplyBenchmark(arguments: $0) }
    ),
    (
        "terminal", "the terminal client: start to first rows, key to frame, bytes, memory",
        { try runTerminalBenchmark(arguments: $0) }
    ),
]

@MainActor func printUsage() {
    print("usage: roundtable-bench WORKLOAD [OPTION …]\n")
    for workload in workloads {
        print(
            "  \(workload.name.padding(toLength: 10, withPad: " ", startingAt: 0))"
                + workload.summary)
    }
    print("\n`roundtable-bench WORKLOAD --help` lists its options.")
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let name = arguments.first, name != "--help", name != "-h", name != "help" else {
    printUsage()
    exit(arguments.isEmpty ? 2 : 0)
}
guard let workload = workloads.first(where: { $0.name == name }) else {
    FileHandle.standardError.write(Data("roundtable-bench: no workload \(name)\n".utf8))
    printUsage()
    exit(2)
}
do {
    try workload.run(Array(arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("roundtable-bench \(name): \(error)\n".utf8))
    exit(1)
}
