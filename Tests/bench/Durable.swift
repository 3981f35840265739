// Workloads D1 and D2: operations that are acknowledged after an fsync, closed loop.
import Foundation
import Transport

private struct DurableRun {
    var operationsPerSecond = 0.0
    var cpuMicroseconds = 0.0
    var acknowledged50 = 0.0
    var acknowledged99 = 0.0
}

private let durableOptions: [(name: String, value: String, meaning: String)] = [
    ("cases", "1x64,1x1,16x1,64x1", "WRITERSxIN-FLIGHT, one figure each; 1x64 is D1, the rest D2"),
    ("seconds", "4", "measured time of a run"),
    ("warmup", "1", "seconds before it"),
    ("runs", "3", "runs of each figure"),
    ("bytes", "90", "bytes of the text that is set"),
    ("peer", "redis", "redis or none: the peer, with an fsync before each answer, in alternation"),
    ("folder", "/var/tmp", "where the servers keep their data; must be on a real disk"),
]

/// Runs the workload and prints its figures.
///
/// - Parameter arguments: what stood after the workload's name.
/// - Throws: `BenchError` where a server does not start or does not answer.
func runDurable(arguments: [String]) throws {
    let options = try Options(arguments, known: durableOptions)
    for shape in options.text("cases").split(separator: ",") {
        let numbers = shape.split(separator: "x").compactMap { Int($0) }
        guard numbers.count == 2 else { throw BenchError("not WRITERSxIN-FLIGHT: \(shape)") }
        var runs: [String: [DurableRun]] = [:]
        for _ in 0..<options.number("runs") {
            let server = try ServerUnderLoad.roundtable(in: options.text("folder"))
            runs["roundtable", default: []].append(
                try durableRun(server, numbers[0], numbers[1], options))
            if options.text("peer") == "redis" {
                let redis = try ServerUnderLoad.redis(in: options.text("folder"), isDurable: true)
                runs["redis", default: []].append(
                    try durableRun(redis, numbers[0], numbers[1], options))
            }
        }
        for name in ["roundtable", "redis"] {
            guard let runs = runs[name] else { continue }
            let rate = Spread(runs.map(\.operationsPerSecond))
            printFigure([
                ("workload", "durable"), ("server", name), ("writers", numbers[0]),
                ("in_flight", numbers[1]), ("runs", runs.count), ("ops_per_s", rate.median),
                ("ops_least", rate.least), ("ops_most", rate.most),
                ("cpu_us_per_op", rounded(Spread(runs.map(\.cpuMicroseconds)).median)),
                ("acknowledged_p50_us", Spread(runs.map(\.acknowledged50)).median),
                ("acknowledged_p99_us", Spread(runs.map(\.acknowledged99)).median),
                ("seed", "none: nothing is drawn"),
                ("version", ServerUnderLoad.version(of: name)), ("kernel", kernel()),
                ("cores", ProcessInfo.processInfo.activeProcessorCount), ("machine", machine()),
            ])
        }
    }
}

private func durableRun(
    _ server: ServerUnderLoad, _ writers: Int, _ inFlight: Int, _ options: Options
) throws -> DurableRun {
    defer { server.stop() }
    let load = try Load(server: server)
    defer { load.close() }
    var dialect: any Dialect =
        server.tokens.isEmpty
        ? RedisDialect(isDurable: true) : RoundtableDialect(tokens: server.tokens)
    for _ in 0..<writers {
        try dialect.prepareWriter(try load.connect(.writer), in: load)
    }
    load.beginCounting()
    return try measureDurable(
        load, dialect: &dialect, server: server, inFlight: inFlight, options: options)
}

private func measureDurable(
    _ load: Load, dialect: inout any Dialect, server: ServerUnderLoad, inFlight: Int,
    options: Options
) throws -> DurableRun {
    let loop = load.loop
    let lines = dialect.linesPerAcknowledgement
    let byteCount = options.number("bytes")
    var acknowledged = 0
    var delays = Delays()
    load.onAcknowledged = { connection, _ in
        let now = loop.nowMicroseconds
        while connection.lineCount >= lines, let sent = connection.takeOldest() {
            connection.lineCount -= lines
            acknowledged += 1
            delays.add(now - sent)
        }
    }
    let measureFrom = loop.nowMicroseconds + Int64(options.number("warmup")) * 1_000_000
    let measureTo = measureFrom + Int64(options.number("seconds")) * 1_000_000
    var begun: (count: Int, cpu: Double, at: Int64)?
    var now = loop.nowMicroseconds
    var messageCount: Int64 = 0
    let timer = LoopTimer(on: loop) {}
    defer { timer.cancel() }
    while now < measureTo {
        for (index, connection) in load.connections.enumerated() {
            if let failure = connection.failure { throw BenchError(failure) }
            guard connection.inFlightCount < inFlight else { continue }
            now = loop.nowMicroseconds
            while connection.inFlightCount < inFlight {
                // No text twice: a cell that holds the text already would make no record.
                messageCount += 1
                let text = stampedText(messageCount, byteCount: byteCount)
                dialect.appendMessage(text: text, writer: index, to: &connection.output)
                connection.sentAt.append(now)
            }
            connection.link.requestWrite()
        }
        if begun == nil, now >= measureFrom {
            begun = (acknowledged, cpuSeconds(of: server.pid), now)
            delays.removeAll()
        }
        timer.set(at: loop.nowMicroseconds + 200_000)
        loop.runTurn()
        now = loop.nowMicroseconds
    }
    guard let begun else { throw BenchError("the run was shorter than its warm-up") }
    let count = Double(acknowledged - begun.count)
    let cpu = cpuSeconds(of: server.pid) - begun.cpu
    return DurableRun(
        operationsPerSecond: (count / (Double(now - begun.at) / 1_000_000)).rounded(),
        cpuMicroseconds: cpu * 1_000_000 / max(1, count),
        acknowledged50: Double(delays.percentile(0.5)),
        acknowledged99: Double(delays.percentile(0.99)))
}
