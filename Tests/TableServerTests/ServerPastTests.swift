// Tables as they were, and what happened to them: read from the log in pieces, while everybody
// else is served.
import TableLog
import TableModel
import TableValue
import TableWire
import Testing

@testable import TableServer

private func op(_ body: String) -> String {
    #"{"type":"op","table":"t1","id":8,"body":[\#(body)]}"#
}

private func past(_ moment: String) -> String {
    #"{"type":"past","table":"t1","id":5,\#(moment)}"#
}

/// The history that an answer holds.
private func history(_ lines: [String]) throws -> HistoryAnswer {
    let bytes = Array(try #require(lines.first).utf8)
    let line = try unsafe readServerLine(bytes.span.bytes, limits: WireLimits())
    guard case .history(let answer) = line.message else {
        Issue.record("no history: \(lines)")
        return HistoryAnswer(table: TableID(rawValue: 1), sequence: 0, entries: [], next: nil)
    }
    return answer
}

/// A table with a history: 2 inserts, 3 sets, 4 renames, 5 deletes, 6 takes that back.
private func livedWorld(limits: ServerLimits = ServerLimits()) -> (World, ConnectionID) {
    var (world, token) = stockWorld(limits: limits)
    let bot = world.login(token: token)
    for body in [
        #"{"insert":{"columns":["item","qty"],"cells":[["bolt",5],["nut",6]]}}"#,
        #"{"set":[["s0.1","qty",7],["s0.2","qty",8]]}"#,
        #"{"column_rename":{"column":"qty","name":"count"}}"#,
        #"{"delete":["s0.1"]}"#,
        #"{"undo":{"seq":5}}"#,
    ] {
        world.now.wallMilliseconds += 1_000
        _ = world.ask(bot, op(body))
    }
    return (world, bot)
}

@Suite struct ServerPastTests {
    @Test("a table as it was after each record: columns, rows, values, and the same by time")
    func pasts() {
        var (world, bot) = livedWorld()
        let start = world.now.wallMilliseconds - 5_000
        let expected: [(Int, String, String)] = [
            (2, "qty", #""cells":[["bolt",5],["nut",6]]"#),
            (3, "qty", #""cells":[["bolt",7],["nut",8]]"#),
            (4, "count", #""cells":[["bolt",7],["nut",8]]"#),
            (5, "count", #""cells":[["nut",8]]"#),
            (6, "count", #""cells":[["bolt",7],["nut",8]]"#),
        ]
        for restarts in [false, true] {
            for (sequence, name, cells) in expected.reversed() + expected {
                let told = world.ask(bot, past(#""at":\#(sequence)"#))
                #expect(told.count == 1 && told[0].contains(#""seq":\#(sequence),"#), "\(told)")
                #expect(told[0].contains(#""name":"\#(name)""#))
                let time = start + Int64(sequence - 1) * 1_000
                #expect(told[0].contains(#""time":\#(time)"#), "\(told)")
                #expect(world.ask(bot, past(#""time":\#(time + 999)"#)) == told)
                let read =
                    #"{"type":"read","table":"t1","from":0,"count":9,"at":\#(sequence),"id":1}"#
                let rows = world.ask(bot, read)
                #expect(rows.count == 1 && rows[0].contains(cells), "\(rows)")
                #expect(rows[0].contains(#""seq":\#(sequence),"#))
            }
            if restarts { return }
            do {
                try world.restart()
            } catch {
                Issue.record("\(error)")
            }
            bot = world.login(token: world.botToken("other"))
        }
    }

    @Test("what there is no record of is refused, and who may not read is told so")
    func refused() {
        var (world, bot) = livedWorld()
        for moment in [#""at":0"#, #""at":7"#, #""time":5"#] {
            let told = world.ask(bot, past(moment))
            #expect(told.count == 1 && told[0].contains(#""code":"unknown_record""#), "\(told)")
        }
        let token = world.botToken("drop", role: "appender")
        let appender = world.login(token: token)
        for line in [
            past(#""at":2"#), #"{"type":"history","table":"t1"}"#,
            #"{"type":"read","table":"t1","from":0,"count":1,"at":2}"#,
        ] {
            let told = world.ask(appender, line)
            #expect(told.count == 1 && told[0].contains(#""code":"forbidden""#), "\(told)")
        }
        let auditor = world.login(token: world.botToken("eye", role: "auditor"))
        #expect(world.ask(auditor, past(#""at":2"#))[0].contains(#""type":"past""#))
    }

    @Test("the history of a table: newest first, from what to what, page by page")
    func wholeHistory() throws {
        var (world, bot) = livedWorld()
        let answer = try history(world.ask(bot, #"{"type":"history","table":"t1"}"#))
        #expect(answer.entries.map(\.sequence) == [6, 5, 4, 3, 2, 1])
        #expect(
            answer.entries.map(\.kind) == [.undo, .delete, .columns, .set, .insert, .columns])
        #expect(answer.next == nil)
        let set = answer.entries[3]
        #expect(set.cells.map(\.from) == [.int(5), .int(6)])
        #expect(set.cells.map(\.to) == [.int(7), .int(8)])
        #expect(answer.entries[0].undid == 5 && answer.entries[0].counts.shown == 1)
        #expect(answer.entries[0].counts.cells == 0, "they came back as they were")
        #expect(answer.entries[2].columns.first?.from == "qty")
        #expect(answer.entries[4].counts.inserted == 2 && answer.entries[4].counts.cells == 4)
        var before = ""
        var pages: [SequenceNumber] = []
        while true {
            let line = #"{"type":"history","table":"t1","count":2\#(before)}"#
            let page = try history(world.ask(bot, line))
            #expect(page.entries.count <= 2)
            pages += page.entries.map(\.sequence)
            guard let next = page.next else { break }
            before = #","before":\#(next)"#
        }
        #expect(pages == [6, 5, 4, 3, 2, 1])
    }

    @Test("the history of a row, a column and a cell: only what is about it")
    func partOfHistory() throws {
        var (world, bot) = livedWorld()
        func ask(_ fields: String) throws -> HistoryAnswer {
            try history(world.ask(bot, #"{"type":"history","table":"t1",\#(fields)}"#))
        }
        let row = try ask(#""row":"s0.1""#)
        // What happened to columns happened to the row's cells.
        #expect(row.entries.map(\.sequence) == [6, 5, 4, 3, 2, 1])
        let cell = try ask(#""row":"s0.2","column":"count""#)
        #expect(cell.entries.map(\.sequence) == [4, 3, 2, 1])
        #expect(cell.entries.flatMap(\.cells).map(\.to) == [.int(8), .int(6)])
        #expect(cell.entries.flatMap(\.cells).map(\.from) == [.int(6), .null])
        let column = try ask(#""column":"c0.1""#)
        #expect(column.entries.map(\.sequence) == [2, 1])
        #expect(try ask(#""row":"s0.9""#).entries.allSatisfy { $0.kind == .columns })
        let newest = try ask(#""row":"s0.2","column":"count","count":1"#)
        #expect(newest.entries.map(\.sequence) == [4] && newest.next == 4)
        let older = try ask(#""row":"s0.2","column":"count","count":1,"before":4"#)
        #expect(older.entries.map(\.sequence) == [3] && older.next == 3)
        let none = world.ask(bot, #"{"type":"history","table":"t1","column":"none"}"#)
        #expect(none[0].contains(#""code":"unknown_column""#))
    }

    @Test("a record that changed much lists the first and counts the rest")
    func bounds() throws {
        var limits = ServerLimits()
        limits.historyPartsMax = 3
        var (world, token) = stockWorld(limits: limits)
        let bot = world.login(token: token)
        let cells = Array(repeating: "[1]", count: 500).joined(separator: ",")
        _ = world.ask(bot, op(#"{"insert":{"columns":["qty"],"cells":[\#(cells)]}}"#))
        let entry = try history(world.ask(bot, #"{"type":"history","table":"t1"}"#)).entries[0]
        #expect(entry.cells.count == 3 && entry.counts.cells == 500)
        #expect(entry.inserted.count == 3 && entry.counts.inserted == 500)
        limits.historyPartsMax = 10
        limits.historyBytesMax = 4_096
        var (long, longToken) = stockWorld(limits: limits)
        let writer = long.login(token: longToken)
        let text = String(repeating: "x", count: 3_000)
        _ = long.ask(writer, op(#"{"insert":{"columns":["item"],"cells":[[""]]}}"#))
        for number in 0..<10 {
            _ = long.ask(writer, op(#"{"set":[["s0.1","item","\#(number)\#(text)"]]}"#))
        }
        var before = ""
        var seen: [SequenceNumber] = []
        while true {
            let lines = long.ask(writer, #"{"type":"history","table":"t1"\#(before)}"#)
            #expect(lines[0].utf8.count < 16_000)
            let page = try history(lines)
            seen += page.entries.map(\.sequence)
            guard let next = page.next else { break }
            before = #","before":\#(next)"#
        }
        #expect(seen == Array((1...12).reversed()))
    }

    @Test("looking back takes many turns, others are served in each, and lines behind it wait")
    func pieces() {
        var limits = ServerLimits()
        limits.pastBytesPerTurn = 300
        limits.catchUpBytes = 1_000
        var (world, token) = stockWorld(limits: limits)
        let asker = world.login(token: token)
        let other = world.login(token: token)
        for number in 1...60 {
            _ = world.ask(other, op(#"{"append":{"qty":\#(number)}}"#))
        }
        world.turnsMax = 1
        let ping = #"{"type":"ping","id":1}"#
        #expect(world.ask(asker, past(#""at":40"#), ping).isEmpty)
        var turns = 0
        var told: [String] = []
        while told.count < 2, turns < 10_000 {
            #expect(world.ask(other, #"{"type":"ping","id":3}"#) == [#"{"type":"pong","id":3}"#])
            turns += 1
            told += world.news(asker)
        }
        #expect(turns > 10)
        #expect(told.count == 2 && told[0].contains(#""rows":39"#), "\(told)")
        #expect(told.last == #"{"type":"pong","id":1}"#)
    }

    @Test("who leaves while looking back leaves nothing behind; the next one is served")
    func leaving() {
        var limits = ServerLimits()
        limits.pastBytesPerTurn = 300
        limits.pastJobsMax = 1
        var (world, token) = stockWorld(limits: limits)
        let other = world.login(token: token)
        for number in 1...60 {
            _ = world.ask(other, op(#"{"append":{"qty":\#(number)}}"#))
        }
        world.turnsMax = 1
        let asker = world.login(token: token)
        #expect(world.ask(asker, past(#""at":40"#)).isEmpty)
        world.disconnect(asker)
        world.turnsMax = .max
        #expect(world.ask(other, past(#""at":41"#))[0].contains(#""rows":40"#))
        #expect(world.server.pastJobs.isEmpty)
        world.pass(seconds: 100)
        #expect(world.server.pasts.isEmpty)
    }

    @Test("a past that is not durable yet is told once it is")
    func gating() {
        var (world, bot) = livedWorld()
        let other = world.login(token: world.botToken("other"))
        world.appendsAtOnce = false
        #expect(world.ask(bot, op(#"{"append":{"item":"new"}}"#)).isEmpty)
        #expect(world.ask(other, past(#""at":7"#)).isEmpty)
        #expect(world.ask(other, #"{"type":"history","table":"t1"}"#).isEmpty)
        world.makeDurable()
        let told = world.news(other)
        #expect(told.count == 2 && told[0].contains(#""seq":7,"#), "\(told)")
    }

    @Test("random tables: replayed to each number they have the content they had then")
    func replayed() throws {
        for seed in UInt64(1)...8 {
            var random = SeededGenerator(state: seed)
            var (world, token) = stockWorld()
            let bot = world.login(token: token)
            var hashes: [(Int, Int, String)] = []
            for number in 1...25 {
                let row = Int.random(in: 1...8, using: &random)
                let body = [
                    #"{"insert":{"at":"first","columns":["qty"],"cells":[[\#(number)],[0]]}}"#,
                    #"{"set":[["s0.\#(row)","qty",\#(number)],["s0.\#(row)","item","x"]]}"#,
                    #"{"delete":["s0.\#(row)"]}"#, #"{"undo":{"of":"user"}}"#,
                    #"{"move":{"rows":["s0.\#(row)"],"at":"last"}}"#,
                    #"{"sort":{"by":[["qty","down"]]}}"#,
                    #"{"column_add":{"name":"c\#(number)","type":"int"}}"#,
                    #"{"column_delete":"c\#(number - 3)"}"#,
                ][Int.random(in: 0..<8, using: &random)]
                _ = world.ask(bot, op(body))
                let line = world.ask(
                    bot, #"{"type":"read","table":"t1","from":0,"count":99,"id":1}"#)[0]
                hashes.append((number, Int(world.server.rooms[0].table.head), line))
            }
            for (number, head, line) in hashes.shuffled(using: &random) {
                let read = #"{"type":"read","table":"t1","from":0,"count":99,"at":\#(head),"id":1}"#
                #expect(world.ask(bot, read) == [line], "seed \(seed), operation \(number)")
            }
        }
    }
}
