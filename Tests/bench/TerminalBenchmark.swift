// Workload T1: the terminal client at a terminal of its own, on tables of several sizes: start to
// the first rows, key to frame, bytes a key press, letters typed into an editor, CPU, memory.
import Foundation

private struct TerminalRun {
    var firstFrame: [Double] = []
    var keyToFrame: [String: Delays] = [:]
    var keyToEnd: [String: Delays] = [:]
    var bytes: [String: [Double]] = [:]
    var residentBytes = 0.0
    /// User and system, of keys that move and of letters that are typed.
    var cpuMicrosecondsPerMove = 0.0
    var cpuMicrosecondsPerLetter = 0.0
}

private let terminalOptions: [(name: String, value: String, meaning: String)] = [
    ("rows", "1000,100000,300000", "sizes of the tables"),
    ("starts", "5", "starts of the client at each size"),
    ("keys", "100", "presses of each key"),
    ("peer", "none", "a program that is given the same table as a CSV file, such as vd"),
    ("folder", "/var/tmp", "where the server keeps its data"),
]

/// What is pressed, and how figures call it: each key in turn with the one that takes it back, so
/// that every press changes the screen.
private let keys: [(name: String, bytes: String)] = [
    ("down", "\u{1B}[B"), ("up", "\u{1B}[A"), ("right", "\u{1B}[C"), ("left", "\u{1B}[D"),
    ("page_down", "\u{1B}[6~"), ("page_up", "\u{1B}[5~"),
]

/// The name of a letter that is typed into the editor of the first cell.
private let letter = "letter"

/// Runs the workload and prints its figures.
///
/// - Parameter arguments: what stood after the workload's name.
/// - Throws: `BenchError` where a program does not start or shows nothing.
func runTerminalBenchmark(arguments: [String]) throws {
    let options = try Options(arguments, known: terminalOptions)
    let server = try ServerUnderLoad.roundtable(in: options.text("folder"))
    defer { server.stop() }
    let home = server.folder.appending(path: "home").path()
    let program =
        programFolder
        .appending(path: "roundtable").path()
    let environment = [
        "ROUNDTABLE_HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor",
        "LANG": "C.UTF-8", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        "HOME": server.folder.path(),
    ]
    let invite = try server.invite()
    try command(program, ["join", invite, "--name", "bench"], environment)
    for rows in options.numbers("rows") {
        let file = server.folder.appending(path: "table\(rows).csv").path()
        try writeTable(rows: rows, to: file)
        try command(program, ["import", file, "table\(rows)"], environment)
        let own = try measure(program, ["open", "table\(rows)"], environment, options)
        report(own, "roundtable", rows: rows)
        let peer = options.text("peer")
        guard peer != "none" else { continue }
        let path = try which(peer)
        report(try measure(path, [file], environment, options), peer, rows: rows)
    }
}

/// Starts the program several times; the last time keys are pressed.
private func measure(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ options: Options
) throws -> TerminalRun {
    var run = TerminalRun()
    for start in 1...max(1, options.number("starts")) {
        let began = Pseudoterminal.now
        let terminal = try Pseudoterminal(program, arguments, environment: environment)
        defer { terminal.stop() }
        let shown = try terminal.wait(for: "row-3")
        run.firstFrame.append(Double(shown - began) / 1_000)
        guard start == options.number("starts") else { continue }
        _ = try? terminal.settle(quietMilliseconds: 300)
        let count = options.number("keys")
        run.cpuMicrosecondsPerMove =
            try cpuMicroseconds(of: terminal) {
                for pair in stride(from: 0, to: keys.count, by: 2) {
                    for press in 0..<(2 * count) {
                        let key = keys[pair + press % 2]
                        try run.press(key.bytes, key.name, at: terminal)
                    }
                }
            } / Double(keys.count * count)
        try terminal.type("\r")
        _ = try terminal.settle(quietMilliseconds: 300)
        run.cpuMicrosecondsPerLetter =
            try cpuMicroseconds(of: terminal) {
                for press in 0..<count {
                    try run.press(
                        String(UnicodeScalar(UInt8(97 + press % 26))), letter, at: terminal)
                }
            } / Double(count)
        run.residentBytes = Double(peakMemory(of: terminal.pid))
    }
    return run
}

/// The CPU time, user and system, that a program takes while `body` is done to it.
private func cpuMicroseconds(
    of terminal: Pseudoterminal, _ body: () throws -> Void
) rethrows -> Double {
    let before = cpuSeconds(of: terminal.pid)
    try body()
    return (cpuSeconds(of: terminal.pid) - before) * 1e6
}

extension TerminalRun {
    /// Presses a key and takes note of the frame that comes of it.
    fileprivate mutating func press(
        _ bytes: String, _ name: String, at terminal: Pseudoterminal
    ) throws {
        let pressed = Pseudoterminal.now
        try terminal.type(bytes)
        let frame = try terminal.settle(quietMilliseconds: 30)
        guard frame.bytes > 0 else { return }
        keyToFrame[name, default: Delays()].add(frame.first - pressed)
        keyToEnd[name, default: Delays()].add(frame.last - pressed)
        self.bytes[name, default: []].append(Double(frame.bytes))
    }
}

private func report(_ run: TerminalRun, _ program: String, rows: Int) {
    let start = Spread(run.firstFrame)
    printFigure([
        ("workload", "terminal"), ("program", program), ("rows", rows),
        ("first_rows_ms", rounded(start.median)), ("least", rounded(start.least)),
        ("most", rounded(start.most)), ("peak_mib", rounded(run.residentBytes / 1_048_576, 1)),
        ("cpu_us_per_move", rounded(run.cpuMicrosecondsPerMove, 0)),
        ("cpu_us_per_letter", rounded(run.cpuMicrosecondsPerLetter, 0)), ("machine", machine()),
    ])
    for name in keys.map(\.name) + [letter] {
        guard var first = run.keyToFrame[name], var end = run.keyToEnd[name] else { continue }
        printFigure([
            ("workload", "terminal"), ("program", program), ("rows", rows), ("key", name),
            ("presses", first.count), ("first_byte_p50_us", first.percentile(0.5)),
            ("last_byte_p50_us", end.percentile(0.5)), ("last_byte_p99_us", end.percentile(0.99)),
            ("bytes_median", Spread(run.bytes[name] ?? []).median),
        ])
    }
}

private func writeTable(rows: Int, to path: String) throws {
    var text = "name,amount,price,day,note,place,state\n"
    for row in 1...max(1, rows) {
        text += "row-\(row),\(row * 7 % 1_000),\(Double(row % 997) / 4),2026-11-"
        text += "\(10 + row % 20),some words about row \(row),Ulm,\(row % 3 == 0)\n"
    }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
}

private func command(
    _ program: String, _ arguments: [String], _ environment: [String: String]
) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw BenchError("\(program) \(arguments.joined(separator: " ")) failed")
    }
}

private func which(_ name: String) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for folder in path.split(separator: ":") {
        let candidate = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    throw BenchError("\(name) is not installed")
}
