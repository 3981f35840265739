// Rule I9 through the server core: the same lines, gathered into turns and appends in different
// ways, get the same answers and leave the same log.
import TableLog
import TableModel
import TableWire
import Testing

@testable import TableServer

/// How lines are gathered.
private enum Gathering: CaseIterable {
    /// All in one turn, stored by one append.
    case oneTurn
    /// Each in a turn of its own, each stored before the next comes.
    case manyTurns
    /// Each in a turn of its own, while the first append is under way.
    case oneAppend
}

/// What came of the lines.
private struct Course: Equatable {
    /// Each connection's lines, whole.
    var answers: [[String]] = []
    /// The records in the table's log.
    ///
    /// Its other lines say what each turn decided.
    var records: [String] = []
}

private let authorCount = 3

/// Operations of three sessions and of connections without one, in the order in which they come.
private func lines(seed: UInt64) -> [(author: Int, line: String)] {
    var generator = SeededGenerator(state: seed)
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    var cseqs = Array(repeating: 0, count: authorCount)
    var counters = Array(repeating: 0, count: authorCount)
    func row() -> String {
        let author = below(authorCount + 1)
        return author == 0 ? "s0.\(1 + below(4))" : "s\(author).\(1 + below(12))"
    }
    func anchor() -> String {
        [#""first""#, #""last""#, #"{"after":"\#(row())"}"#][below(3)]
    }
    func intent(_ author: Int) -> String {
        switch below(10) {
        case 0, 1:
            counters[author] += 2
            let last = counters[author]
            return
                #"{"insert":{"rows":["s\#(author + 1).\#(last - 1)-\#(last)"],"at":\#(anchor()),"#
                + #""columns":["item","qty"],"cells":[["a",\#(below(9))],["b",null]]}}"#
        case 2: return #"{"append":{"item":"x","qty":\#(below(9))}}"#
        case 3, 4:
            let wrong = below(4) == 0 ? #""no number""# : "\(below(99))"
            return #"{"set":[["\#(row())","qty",\#(below(99))],["\#(row())","qty",\#(wrong)]]}"#
        case 5: return #"{"add":["\#(row())","qty",\#(below(99))]}"#
        case 6: return #"{"delete":["\#(row())"]}"#
        case 7: return #"{"move":{"rows":["\#(row())","\#(row())"],"at":\#(anchor())}}"#
        case 8:
            return #"{"column_add":{"name":"due","type":"date","on_clash":"suffix"}}"#
        default: return #"{"column_rename":{"column":"qty","name":"item"}}"#
        }
    }
    return (0..<90).map { number in
        let author = below(authorCount)
        let body = (0...below(2)).map { _ in intent(author) }.joined(separator: ",")
        let mode = below(3) == 0 ? #","mode":"strict""# : ""
        let pre = below(4) == 0 ? #","pre":[{"cell_value":["\#(row())","qty",5]}]"# : ""
        let base = below(2) == 0 ? #","base":\#(1 + below(10))"# : ""
        cseqs[author] += 1
        return (
            author,
            #"{"type":"op","table":"t1","cseq":\#(cseqs[author])\#(base)\#(mode)\#(pre),"#
                + #""body":[\#(body)]}"#
        )
    }
}

private func course(
    of lines: [(author: Int, line: String)], _ gathering: Gathering
) throws -> Course {
    var (world, token) = stockWorld()
    var authors: [ConnectionID] = []
    for _ in 0..<authorCount {
        let author = world.login(token: token)
        _ = world.ask(author, #"{"type":"open","table":"stock","follow":false}"#)
        authors.append(author)
    }
    let appendsBefore = world.appendCount
    world.appendsAtOnce = gathering != .oneAppend
    let now = world.now
    func give(
        _ line: (author: Int, line: String), _ server: inout Server, _ actions: inout [ServerAction]
    ) {
        let bytes = Array((line.line + "\n").utf8)
        unsafe server.received(
            bytes.span.bytes, from: authors[line.author], at: now, into: &actions)
    }
    if gathering == .oneTurn {
        world.turn { server, actions in
            for line in lines { give(line, &server, &actions) }
        }
        #expect(world.appendCount == appendsBefore + 1, "a turn is one append")
    } else {
        for line in lines {
            world.turn { server, actions in give(line, &server, &actions) }
        }
    }
    if gathering == .oneAppend {
        #expect(world.appends.count == 1, "one append is under way at a time")
        world.appendsAtOnce = true
        world.makeDurable()
        #expect(world.appendCount == appendsBefore + 2, "what came meanwhile is one append")
    }
    var course = Course(answers: authors.map { world.news($0) })
    try world.store.forEachBatch(1) { batch in
        course.records += String(decoding: batch.bytes, as: UTF8.self).split(separator: "\n")
            .map(String.init).filter { $0.hasPrefix(#"{"type":"record""#) }
    }
    return course
}

@Suite struct GatheringTests {
    @Test(
        "I9: the same lines in one turn, in many, and behind one append are answered the same",
        arguments: 1...8 as ClosedRange<UInt64>)
    func sameAnswers(seed: UInt64) throws {
        let lines = lines(seed: seed)
        let expected = try course(of: lines, .oneTurn)
        // Whole answers: outcomes with their notes, values, counts and ids, and their numbers.
        #expect(expected.answers.map(\.count).reduce(0, +) == lines.count, "seed \(seed)")
        for word in ["ok", "partial", "rejected"] {
            #expect(expected.answers.joined().contains { $0.contains(#""status":"\#(word)""#) })
        }
        for gathering in Gathering.allCases where gathering != .oneTurn {
            let found = try course(of: lines, gathering)
            for author in 0..<authorCount {
                #expect(
                    found.answers[author] == expected.answers[author],
                    "seed \(seed), \(gathering), author \(author)")
            }
            #expect(found.records == expected.records, "seed \(seed), \(gathering)")
        }
    }

    @Test("One turn is one append, whoever wrote and in however many tables")
    func oneAppend() throws {
        var (world, token) = stockWorld()
        let connections = (0..<5).map { _ in world.login(token: token) }
        _ = world.ask(connections[0], #"{"type":"create","table":"other"}"#)
        let before = world.appendCount
        let now = world.now
        world.turn { server, actions in
            for connection in connections {
                for table in ["stock", "other"] {
                    let bytes = Array(
                        (#"{"type":"op","table":"\#(table)","body":[{"insert":{"count":1}}]}"#
                            + "\n").utf8)
                    unsafe server.received(
                        bytes.span.bytes, from: connection, at: now, into: &actions)
                }
            }
        }
        #expect(world.appendCount == before + 1)
        for connection in connections { #expect(world.news(connection).count == 2) }
    }
}
