// Two people in terminals and a bot in Python on one table: what each sees of the others, what
// becomes of edits of one cell, and of what is typed while the network is away.
import Foundation
import Testing

/// The first rows of flights.csv; airports.csv where the public suites are not there.
private func realTable(in workplace: Workplace) throws -> String {
    try Flights.areThere
        ? Flights.first(20_000, in: workplace) : Workplace.project + "/examples/airports.csv"
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
