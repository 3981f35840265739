// Two people in terminals and a bot in Python on one table: what each sees of the others, what
// becomes of edits of one cell, and of what is typed while the network is away.
import Foundation
import Testing

/// A bot of clients/python that does as it is told, a line at a time.
private final class PythonBot {
    private let pipe: NamedPipe
    private let program: RunningProgram
    private var answers = 0

    private static let script = """
        import json, sys
        from roundtable import Bot
        with Bot.load(sys.argv[1]) as bot:
            table = bot.open(sys.argv[2])
            for line in open(sys.argv[3]):
                verb, *words = json.loads(line)
                if verb == "set":
                    table.set(table.at(words[0]), words[1], words[2])
                    print(json.dumps(table.seq), flush=True)
                elif verb == "hash":
                    table.wait_for(words[0])
                    table.verify()
                    print(json.dumps([table.seq, table.content_hash()]), flush=True)
        """

    init(_ stage: Stage, table: String) throws {
        let workplace = stage.workplace
        let made = try workplace.start(
            "roundtabled",
            [
                "token", "--data", workplace.file("data"), "--bot", "robin", "--role", "editor",
                "--file", workplace.file("bot.json"),
            ]
        ).finish()
        #expect(made.code == 0, "\(made.errors)")
        pipe = try NamedPipe(workplace.file("orders"))
        let script = try workplace.write(Self.script, to: "bot.py")
        program = try workplace.startPython(
            [script, workplace.file("bot.json"), table, workplace.file("orders")])
    }

    /// Gives an order and waits for the answer.
    func order(_ words: String) throws -> String {
        try pipe.write(words + "\n")
        answers += 1
        try wait(until: "the bot has done \(words)") {
            guard program.process.isRunning else {
                throw WorkplaceError("the bot ended: \(program.errors)")
            }
            return program.output.split(separator: "\n").count >= answers
        }
        return String(program.output.split(separator: "\n")[answers - 1])
    }
}

/// The first rows of flights.csv; airports.csv where the public suites are not there.
private func realTable(in workplace: Workplace) throws -> String {
    let suites =
        ProcessInfo.processInfo.environment["ROUNDTABLE_SUITES"]
        ?? Workplace.project + "/../shared/data"
    let archive = suites + "/real/flights.csv.zip"
    guard FileManager.default.fileExists(atPath: archive) else {
        return Workplace.project + "/examples/airports.csv"
    }
    let path = workplace.file("flights.csv")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "unzip -p '\(archive)' | head -n 20001 >'\(path)'"]
    try process.run()
    process.waitUntilExit()
    return path
}

@Test(
    "FT19, FT23, FT24, FC4, FC9: two terminals and a Python bot, the network away for a while",
    .timeLimit(.minutes(5)))
func twoTerminalsAndABot() throws {
    let stage = try Stage()
    let ann = try stage.person("Ann")
    let ben = try stage.person("Ben", role: "editor")
    try ann.must("import", realTable(in: stage.workplace), "real", "--null", "NA")
    let columns = try ann.must("show", "real", "--format", "csv", "--limit", "1")
        .split(separator: "\n")[0].split(separator: ",").map(String.init)
    let text = try #require(columns.firstIndex { ["carrier", "name"].contains($0) })
    let proxy = try CuttingProxy(to: UInt16(stage.port), seed: 1, bytesMax: .max)
    proxy.stopCutting()
    defer { proxy.close() }
    try ben.learn(address: "127.0.0.1:\(proxy.port)", like: stage.port)

    let left = try Screen(in: stage.workplace, home: "Ann", ["open", "real"], columns: 120)
    let right = try Screen(
        in: stage.workplace, home: "Ben", ["open", "127.0.0.1:\(proxy.port)/real"], columns: 120)
    let bot = try PythonBot(stage, table: "real")
    for screen in [left, right] {
        try screen.wait(for: "● live")
        try screen.wait(for: "robin")
        for _ in 0..<text { try screen.press("Right") }
    }
    try left.wait(for: "Ben")
    try right.wait(for: "Ann")

    // Each sees the others' edits.
    _ = try bot.order(#"["set", 2, "\#(columns[text])", "by robin"]"#)
    for screen in [left, right] { try screen.wait(for: "by robin") }
    try left.press("Enter")
    try left.type("by Ann")
    try left.press("Enter")
    try right.wait(for: "by Ann")

    // Both edit one cell: whoever is still typing is told, and chooses.
    try left.press("Enter")
    try left.type("Ann's own")
    try right.press("Enter")
    try right.type("Ben's own")
    try right.press("Enter")
    try left.wait(for: "changed by Ben")
    #expect(try left.text.contains("Ann's own"))
    try left.press("Enter")
    try right.wait(until: "Ben is told that his value was replaced") {
        $0.contains("Ann replaced your value") && $0.contains("Ann's own")
    }
    try right.press("Escape")
    // Ann was told in the editor, and has chosen; she is not told again.
    #expect(try !left.text.contains("replaced your value"))

    try networkAway(left, right, proxy)

    let hash = try ann.must("hash", "real").split(separator: " ").map(String.init)
    #expect(try ben.must("hash", "real").split(separator: " ").map(String.init) == hash)
    let answer = try bot.order(#"["hash", \#(hash[0])]"#)
    #expect(answer == #"[\#(hash[0]), "\#(hash[1])"]"#)
    #expect(try ann.must("hash", "real", "--server") == hash.joined(separator: " "))
}

@Test("FT24: a line that swallows bytes is told of in seconds, and so is its end")
func swallowingLine() throws {
    let stage = try Stage()
    let ann = try stage.person("Ann")
    try ann.must("new", "stock", "--columns", "item:text")
    let row = try ann.must("append", "stock", "item=apples")
    let proxy = try CuttingProxy(to: UInt16(stage.port), seed: 1, bytesMax: .max)
    proxy.stopCutting()
    defer { proxy.close() }
    try ann.learn(address: "127.0.0.1:\(proxy.port)", like: stage.port)
    let screen = try Screen(
        in: stage.workplace, home: "Ann", ["open", "127.0.0.1:\(proxy.port)/stock"])
    try screen.wait(for: "● live")
    proxy.hold(true)
    try screen.press("Enter")
    try screen.type("figs")
    try screen.press("Enter")
    try screen.wait(until: "the silence is told") {
        $0.contains("◌ no answer for") && $0.contains("1 unsent") && !$0.contains("● live")
    }
    proxy.hold(false)
    try screen.wait(until: "it is live again") { $0.contains("● live") && $0.contains("saved") }
    #expect(try ann.must("get", "stock", row, "item") == "figs")
}

/// Ben's network goes away while he types; Ann edits one of his cells meanwhile.
private func networkAway(_ left: Screen, _ right: Screen, _ proxy: CuttingProxy) throws {
    proxy.down()
    try right.wait(for: "◌ offline")
    for number in 1...4 {
        try right.press("Down", "Enter")
        try right.type("off \(number)")
        try right.press("Enter")
    }
    try right.wait(for: "4 queued")
    try left.press("Down", "Enter")
    try left.type("Ann first")
    try left.press("Enter")
    try left.wait(for: "saved")
    proxy.up()
    try right.wait(until: "everything has arrived") {
        $0.contains("● live") && $0.contains("saved") && $0.contains("off 4")
    }
    // Ben's edit came later: it stands, and Ann is told. Everything is there once.
    try left.wait(until: "Ann sees all four, and is told") { text in
        (1...4).allSatisfy { text.contains("off \($0)") }
            && text.contains("Ben replaced your value")
    }
}
