// What every workload needs: options, figures as JSON, percentiles, and a process's CPU time.
import Foundation

/// Why a benchmark could not run.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The options of one workload: `--name value`.
struct Options {
    private var values: [String: String] = [:]

    /// Reads options; prints them and ends the process for `--help`.
    ///
    /// - Parameters:
    ///   - arguments: what stood after the workload's name.
    ///   - known: each option's name, default and meaning.
    /// - Throws: `BenchError` for an option that is not known or has no value.
    init(_ arguments: [String], known: [(name: String, value: String, meaning: String)]) throws {
        for option in known { values[option.name] = option.value }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--help" || argument == "-h" {
                for option in known {
                    print("  --\(option.name) \(option.value)\n        \(option.meaning)")
                }
                exit(0)
            }
            let name = String(argument.dropFirst(2))
            guard argument.hasPrefix("--"), values[name] != nil, let value = rest.popFirst() else {
                throw BenchError("unknown option or missing value: \(argument); see --help")
            }
            values[name] = value
        }
    }

    /// An option's text.
    func text(_ name: String) -> String { values[name] ?? "" }

    /// An option as a number; 0 where it is none.
    func number(_ name: String) -> Int { Int(text(name)) ?? 0 }

    /// An option as a list of numbers, separated by commas.
    func numbers(_ name: String) -> [Int] {
        text(name).split(separator: ",").compactMap { Int($0) }
    }
}

/// Prints one figure as a JSON object, keys in the order given.
func printFigure(_ fields: [(String, any CustomStringConvertible)]) {
    let parts = fields.map { key, value in
        value is String ? "\"\(key)\":\"\(value)\"" : "\"\(key)\":\(value)"
    }
    print("{\(parts.joined(separator: ","))}")
    fflush(nil)
}

/// Rounds to a number of decimals, for printing.
func rounded(_ value: Double, _ decimals: Int = 2) -> Double {
    let scale = pow(10, Double(decimals))
    return (value * scale).rounded() / scale
}

/// Durations in microseconds, for percentiles.
struct Delays {
    private var microseconds: [Int64] = []

    mutating func add(_ value: Int64) { microseconds.append(value) }

    mutating func removeAll() { microseconds.removeAll(keepingCapacity: true) }

    /// The value that `share` (0 to 1) of the samples do not exceed; -1 where there are none.
    mutating func percentile(_ share: Double) -> Int64 {
        guard !microseconds.isEmpty else { return -1 }
        microseconds.sort()
        let index = Int(share * Double(microseconds.count - 1))
        return microseconds[index]
    }

    var count: Int { microseconds.count }
}

/// The median, least and most of several runs of one figure.
struct Spread {
    private let sorted: [Double]

    init(_ values: [Double]) {
        sorted = values.sorted()
    }

    var median: Double { sorted.isEmpty ? 0 : sorted[sorted.count / 2] }
    var least: Double { sorted.first ?? 0 }
    var most: Double { sorted.last ?? 0 }
}

/// Seconds of CPU (user and kernel) that a process has used, from /proc/PID/stat.
func cpuSeconds(of pid: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let close = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[text.index(after: close)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
        return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// The most memory a process has had resident, in bytes, from /proc/PID/status.
func peakMemory(of pid: Int32) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else {
        return 0
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first
    return (number.flatMap { Int($0) } ?? 0) * 1_024
}

/// Where this program lies, also where it was found through PATH; the others lie beside it.
let programFolder: URL = {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: path ?? CommandLine.arguments[0]).deletingLastPathComponent()
}()

/// The kernel under everything.
func kernel() -> String {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
}

/// What the figures were taken on: cores and processor.
func machine() -> String {
    let model =
        (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
        .split(separator: "\n").first { $0.hasPrefix("model name") }?
        .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    return "\(ProcessInfo.processInfo.activeProcessorCount) x \(model)"
}
