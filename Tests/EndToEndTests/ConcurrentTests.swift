// Several streams of operations at once, over connections that are cut at random, and a server
// that is killed: everybody comes to the same table, and what was acknowledged is there once.
import Foundation
import TestSupport
import Testing

/// Lines for `apply`: inserts that are named, and edits, moves and deletions of named rows.
private func operations(by author: String, count: Int, seed: UInt64) -> String {
    var generator = SeededRandom(seed: seed)
    var lines = ""
    for number in 1...count {
        let row = "\(author)\(number)"
        let older = "$\(author)\(generator.next() % UInt64(number) + 1)"
        lines += #"{"tag":"\#(row)","body":[{"append":{"who":"\#(row)","n":0},"as":"\#(row)"}]}"#
        lines += "\n"
        let body =
            switch generator.next() % 4 {
            case 0: #"{"set":[["\#(older)","note","by \#(row)"]]}"#
            case 1: #"{"add":["\#(older)","n",1]}"#
            case 2: #"{"move":{"rows":["\#(older)"],"at":"first"}}"#
            default: #"{"delete":["\#(older)"]}"#
            }
        lines += #"{"tag":\#(number),"body":[\#(body)]}"# + "\n"
    }
    return lines
}

/// An outcome line of `apply`.
private struct Answer {
    let tag: String
    let status: String
    let sequence: Int?
    let rows: [String]

    init(_ line: Substring) throws {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        tag = "\(object["tag"] ?? "")"
        let outcome = try #require(object["outcome"] as? [String: Any])
        status = try #require(outcome["status"] as? String)
        sequence = object["seq"] as? Int
        rows = object["rows"] as? [String] ?? []
    }
}

/// Checks that every line was answered, in order, and that no number was given twice.
private func check(_ finished: Finished, for input: String, _ what: String) throws -> [Answer] {
    let answers = try finished.lines.map { try Answer($0) }
    let lineCount = input.split(separator: "\n").count
    #expect(finished.code == 0, "\(what): \(finished.errors)")
    #expect(answers.count == lineCount, "\(what): \(answers.count) of \(lineCount) answers")
    let wanted = ["ok", "noop", "hidden", "gone", "partial"]
    #expect(answers.allSatisfy { wanted.contains($0.status) }, "\(what)")
    let numbers = answers.compactMap(\.sequence)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(what)")
    return answers
}

@Test(
    "GX1: two streams over connections that are cut at random, each operation counts once",
    .timeLimit(.minutes(5)))
func twoStreamsThroughACuttingProxy() throws {
    let seed: UInt64 = 20_261_130
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "shared", "--columns", "who:text,n:int,note:text")
    let proxy = try CuttingProxy(to: UInt16(stage.port), seed: seed, bytesMax: 60_000)
    defer { proxy.close() }
    // They join without the proxy: an invite is redeemed once, its answer must not be lost.
    let people = try ["ben", "cleo"].map { try stage.person($0, role: "editor") }
    let target = "127.0.0.1:\(proxy.port)/shared"
    try people.forEach { try $0.learn(address: "127.0.0.1:\(proxy.port)", like: stage.port) }
    let inputs = people.enumerated().map {
        operations(by: $1.name, count: 300, seed: seed + UInt64($0))
    }
    let streams = try zip(people, inputs).map { person, input in
        try person.start(["apply", target, "--wait", "60"], input: input)
    }
    try ann.must("append", "shared", "who=ann", "n=1")
    let answers = try zip(streams, inputs).map { stream, input in
        try check(stream.finish(), for: input, "seed \(seed)")
    }
    #expect(proxy.cutCount > 0, "seed \(seed): nothing was cut")
    let numbers = answers.flatMap { $0 }.compactMap(\.sequence)
    #expect(Set(numbers).count == numbers.count, "seed \(seed): two operations in one record")
    let hash = try ann.must("hash", "shared")
    #expect(try people[0].must("hash", "shared") == hash)
    #expect(try ann.must("hash", "shared", "--server") == hash)
    // Rows are inserted once each: as many records made rows as lines asked for.
    let log = try ann.must("watch", "shared", "--since", "0", "--exit-after", numbersOf(hash))
    let inserted = log.matches(of: /"(ben|cleo)[0-9]+",0\]/).count
    #expect(inserted == 600, "seed \(seed)")
}

/// The number of records in `SEQ HASH`.
private func numbersOf(_ hash: String) -> String {
    String(hash.prefix { $0 != " " })
}

@Test(
    "GD1: kill -9 in the middle of a stream loses nothing that was acknowledged",
    .timeLimit(.minutes(5)))
func killedServer() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "shared", "--columns", "who:text,n:int,note:text")
    let input = operations(by: "ann", count: 500, seed: 7)
    let stream = try ann.start(["apply", "shared", "--window", "8", "--wait", "60"], input: input)
    for share in [50, 300] {
        try wait(until: "\(share) answers have come") {
            stream.output.split(separator: "\n").count > share || !stream.process.isRunning
        }
        stage.killServer()
        try stage.startServer()
    }
    let answers = try check(stream.finish(), for: input, "killed")
    let hash = try ann.must("hash", "shared")
    // The table's making is record 1.
    #expect(numbersOf(hash) == "\(answers.compactMap(\.sequence).count + 1)")
    stage.killServer()
    try stage.startServer()
    #expect(try ann.must("hash", "shared") == hash)
    let log = try ann.must("watch", "shared", "--since", "0", "--exit-after", numbersOf(hash))
    let made = log.split(separator: "\n").flatMap { record in
        record.matches(of: /"(ann[0-9]+)",0\]/).map { String($0.output.1) }
    }
    #expect(made == (1...500).map { "ann\($0)" })
}

@Test("a server that is asked to end does so in order, and the table is there again")
func orderlyStop() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "shared", "--columns", "who:text")
    try ann.must("append", "shared", "who=ann")
    let hash = try ann.must("hash", "shared")
    #expect(try stage.stopServer().code == 0)
    try stage.startServer()
    #expect(try ann.must("hash", "shared") == hash)
}
