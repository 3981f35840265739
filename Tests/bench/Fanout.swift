// Workloads F1 and F2: one editor at a fixed rate, many watchers, open loop.
import Foundation
import Transport

/// One run's figures.
private struct FanoutRun {
    var deliveriesPerSecond = 0.0
    var sentPerSecond = 0.0
    var cpuPerMillion = 0.0
    var seen50 = 0.0
    var seen99 = 0.0
    var missing = 0.0
}

private let fanoutOptions: [(name: String, value: String, meaning: String)] = [
    ("watchers", "100", "connections that follow the table"),
    ("rates", "8000,4000,1000,500", "operations a second, one figure each"),
    ("seconds", "4", "measured time of a run"),
    ("warmup", "1", "seconds before it"),
    ("runs", "3", "runs of each figure"),
    ("bytes", "90", "bytes of the text that is set"),
    ("peer", "redis", "redis or none: the peer that runs in alternation"),
    ("folder", "/var/tmp", "where the servers keep their data; must be on a real disk"),
]

/// Runs the workload and prints its figures.
///
/// - Parameter arguments: what stood after the workload's name.
/// - Throws: `BenchError` where a server does not start or does not answer.
func runFanout(arguments: [String]) throws {
    let options = try Options(arguments, known: fanoutOptions)
    for rate in options.numbers("rates") {
        var runs: [String: [FanoutRun]] = [:]
        for _ in 0..<options.number("runs") {
            runs["roundtable", default: []].append(
                try fanoutRun(ServerUnderLoad.roundtable(in: options.text("folder")), rate, options)
            )
            if options.text("peer") == "redis" {
                let redis = try ServerUnderLoad.redis(in: options.text("folder"), isDurable: false)
                runs["redis", default: []].append(try fanoutRun(redis, rate, options))
            }
        }
        for name in ["roundtable", "redis"] {
            guard let runs = runs[name] else { continue }
            printFanout(name, rate: rate, runs, options)
        }
    }
}

private func printFanout(_ name: String, rate: Int, _ runs: [FanoutRun], _ options: Options) {
    let cpu = Spread(runs.map(\.cpuPerMillion))
    printFigure([
        ("workload", "fanout"), ("server", name), ("watchers", options.number("watchers")),
        ("rate", rate), ("runs", runs.count),
        ("sent_per_s", Spread(runs.map(\.sentPerSecond)).median),
        ("deliveries_per_s", Spread(runs.map(\.deliveriesPerSecond)).median),
        ("cpu_s_per_million", rounded(cpu.median)), ("cpu_least", rounded(cpu.least)),
        ("cpu_most", rounded(cpu.most)), ("seen_p50_us", Spread(runs.map(\.seen50)).median),
        ("seen_p99_us", Spread(runs.map(\.seen99)).median),
        ("missing", Spread(runs.map(\.missing)).median), ("seed", "none: nothing is drawn"),
        ("version", ServerUnderLoad.version(of: name)), ("kernel", kernel()),
        ("cores", ProcessInfo.processInfo.activeProcessorCount), ("machine", machine()),
    ])
}

private func fanoutRun(
    _ server: ServerUnderLoad, _ rate: Int, _ options: Options
) throws -> FanoutRun {
    defer { server.stop() }
    let load = try Load(server: server)
    defer { load.close() }
    var dialect: any Dialect =
        server.tokens.isEmpty
        ? RedisDialect(isDurable: false) : RoundtableDialect(tokens: server.tokens)
    let editor = try load.connect(.writer)
    try dialect.prepareWriter(editor, in: load)
    for index in 0..<options.number("watchers") {
        let watcher = try load.connect(.watcher)
        try dialect.prepareWatcher(watcher, in: load)
        watcher.isSampled = index < 4
    }
    return try measureFanout(
        load, editor: editor, dialect: &dialect, server: server, rate: rate, options: options)
}

private func measureFanout(
    _ load: Load, editor: LoadConnection, dialect: inout any Dialect, server: ServerUnderLoad,
    rate: Int, options: Options
) throws -> FanoutRun {
    load.beginCounting()
    let loop = load.loop
    let start = loop.nowMicroseconds
    let measureFrom = start + Int64(options.number("warmup")) * 1_000_000
    let measureTo = measureFrom + Int64(options.number("seconds")) * 1_000_000
    var sent = 0
    var begun: (lines: Int, sent: Int, cpu: Double, at: Int64)?
    let timer = LoopTimer(on: loop) {}
    defer { timer.cancel() }
    var now = start
    while now < measureTo {
        let due = Int((now - start) * Int64(rate) / 1_000_000)
        while sent < due {
            let text = stampedText(loop.nowMicroseconds, byteCount: options.number("bytes"))
            dialect.appendMessage(text: text, writer: 0, to: &editor.output)
            sent += 1
        }
        if !editor.output.isEmpty { editor.link.requestWrite() }
        if begun == nil, now >= measureFrom {
            begun = (load.deliveredLineCount, sent, cpuSeconds(of: server.pid), now)
            load.seen.removeAll()
        }
        timer.set(at: start + Int64(sent + 1) * 1_000_000 / Int64(rate))
        loop.runTurn()
        if let failure = editor.failure { throw BenchError(failure) }
        now = loop.nowMicroseconds
    }
    guard let begun else { throw BenchError("the run was shorter than its warm-up") }
    let cpu = cpuSeconds(of: server.pid) - begun.cpu
    let seconds = Double(now - begun.at) / 1_000_000
    let deliveries =
        Double(load.deliveredLineCount - begun.lines) / Double(dialect.linesPerDelivery)
    let watchers = Double(options.number("watchers"))
    return FanoutRun(
        deliveriesPerSecond: (deliveries / seconds).rounded(),
        sentPerSecond: (Double(sent - begun.sent) / seconds).rounded(),
        cpuPerMillion: cpu * 1_000_000 / max(1, deliveries),
        seen50: Double(load.seen.percentile(0.5)), seen99: Double(load.seen.percentile(0.99)),
        missing: Double(sent - begun.sent) * watchers - deliveries)
}
