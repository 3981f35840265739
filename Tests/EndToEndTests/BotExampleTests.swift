// The examples of the Swift library, run as their readers would run them, and the ten lines that
// its README shows.
import Foundation
import RoundtableBot
import Testing

/// Runs an example in the workplace's folder, where `bot.json` is, to its end.
private func example(_ words: String..., on stage: Stage) throws -> Finished {
    let program = Workplace.binaries + "/bot-examples"
    let line = ([program] + words).map { "'\($0)'" }.joined(separator: " ")
    let finished = try stage.workplace.startTool(
        ["sh", "-c", "cd '\(stage.workplace.path)' && exec \(line)"], home: nil, input: nil
    ).finish()
    #expect(finished.code == 0, "\(words): \(finished.errors)")
    return finished
}

/// The block of clients/swift/README.md behind a mark.
private func readmeBlock(_ mark: String) throws -> Substring {
    let path = Workplace.project + "/clients/swift/README.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let start = "<!-- example: \(mark) -->\n```swift\n"
    let behind = try #require(text.range(of: start)).upperBound
    let end = try #require(text.range(of: "```\n", range: behind..<text.endIndex)).lowerBound
    return text[behind..<end]
}

@Suite("The examples of the Swift library", .timeLimit(.minutes(10)))
struct BotExampleTests {
    @Test("the bot of the README has ten lines and runs as it stands")
    func tenLines() throws {
        let shown = try readmeBlock("TenLines.swift")
        #expect(shown.split(separator: "\n").count <= 10)
        let source = try String(
            contentsOfFile: Workplace.project + "/clients/swift/examples/TenLines.swift",
            encoding: .utf8)
        #expect(source.hasSuffix("{\n\(shown)}\n"), "README.md shows something else")
        let stage = try Stage()
        _ = try stage.credentials("bot")
        let finished = try example("ten-lines", on: stage)
        #expect(finished.output.hasSuffix(" bolt 16\n"))
    }

    @Test("counters lose no step")
    func counters() async throws {
        let stage = try Stage()
        let path = try stage.credentials("bot")
        _ = try example("count", "bot.json", "0", on: stage)
        let programs = try (1...4).map { _ in
            try stage.workplace.start("bot-examples", ["count", path, "50"])
        }
        for program in programs { #expect(program.finish().code == 0) }
        let counters = try await Bot.load(path).open("counters")
        #expect(try await counters.snapshot().map { $0["value"] } == [200])
    }

    @Test("eight workers do each job of a queue once")
    func workQueue() async throws {
        let stage = try Stage()
        let bot = try Bot.load(try stage.credentials("bot"))
        try await bot.create(
            "jobs", columns: ["state": "text", "by": "text", "times": "int"])
        let jobs = try await bot.open("jobs")
        try await jobs.commit { edits in
            edits.insert((1...100).map { _ in ["state": "open"] })
        }
        #expect(try example("work", "bot.json", "8", on: stage).output == "done: 100\n")
        let rows = Array(try await bot.snapshot(of: "jobs"))
        #expect(rows.count == 100)
        #expect(rows.allSatisfy { $0["state"] == "done" && $0["times"] == 1 })
    }

    @Test("a watcher prints each change once, over restarts")
    func watcher() async throws {
        let stage = try Stage()
        let path = try stage.credentials("bot")
        let bot = try Bot.load(path)
        try await bot.create("stock", columns: ["item": "text"])
        let stock = try await bot.open("stock")
        #expect(try example("watch", "bot.json", "stock", "0.05", on: stage).output.isEmpty)
        try await stock.append(["item": "bolt"])
        let first = try example("watch", "bot.json", "stock", "0.5", on: stage).output
        #expect(first.contains("bolt"))
        try await stock.append(["item": "nut"])
        let second = try example("watch", "bot.json", "stock", "0.5", on: stage).output
        #expect(second.contains("nut") && !second.contains("bolt"))
    }
}
