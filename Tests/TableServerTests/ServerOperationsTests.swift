// Operations: in a session exactly once, outside one at least answered; refused by role, by
// number, by rate.
import TableModel
import TableValue
import TableWire
import Testing

@testable import TableServer

/// A world with a table `t1` named stock, columns `c0.1` item (text) and `c0.2` qty (int), and a
/// bot's token.
func stockWorld(
    limits: ServerLimits = ServerLimits(), splits: Bool = false
) -> (World, token: String) {
    var world = World(limits: limits)
    world.splitsEverything = splits
    let token = world.botToken("stocker")
    let bot = world.login(token: token)
    let answer = world.ask(
        bot,
        #"{"type":"create","table":"stock","columns":[{"name":"item","type":"text"},"#
            + #"{"name":"qty","type":"int"}]}"#)
    precondition(answer.first?.contains(#""type":"created","table":"t1""#) == true)
    world.disconnect(bot)
    return (world, token)
}

/// The line of an insertion of one row by a session.
func insertLine(_ number: Int, row: Int? = nil, session: String = "s1", qty: Int? = nil) -> String {
    let id = "\(session).\(row ?? number)"
    return #"{"type":"op","table":"t1","cseq":\#(number),"body":[{"insert":{"rows":["\#(id)"],"#
        + #""columns":["qty"],"cells":[[\#(qty ?? number)]]}}]}"#
}

let openLine = #"{"type":"open","table":"stock"}"#

@Suite struct ServerOperationsTests {
    @Test("a follower's own record is its acknowledgement, and there is no reply")
    func recordAcknowledges() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let reader = world.login(token: token)
        let opened = world.ask(writer, openLine)
        #expect(opened.count == 4)
        #expect(opened[0].contains(#""type":"opened","table":"t1","name":"stock""#))
        #expect(opened[0].contains(#""session":"s1""#))
        #expect(opened[1].contains(#""type":"snapshot","table":"t1","seq":1"#))
        #expect(opened[3] == #"{"type":"live","table":"t1","seq":1}"#)
        _ = world.ask(reader, #"{"type":"open","table":"t1","write":false}"#)
        let mine = world.ask(writer, insertLine(1))
        #expect(mine.count == 1)
        #expect(
            mine[0].hasPrefix(#"{"type":"record","table":"t1","seq":2,"session":"s1","cseq":1"#))
        #expect(world.news(reader) == mine)
    }

    @Test("who does not follow gets a reply, with its id")
    func replyWithoutFollowing() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let opened = world.ask(writer, #"{"type":"open","table":"stock","follow":false}"#)
        #expect(opened.count == 1)
        let reply = world.ask(writer, insertLine(1).dropLast() + #","id":9}"#)
        #expect(reply.count == 1)
        #expect(reply[0].hasPrefix(#"{"type":"reply","table":"t1","cseq":1,"seq":2,"#))
        #expect(reply[0].contains(#""id":9"#))
        #expect(reply[0].contains(#""status":"ok""#))
    }

    @Test("I2, GX1: the same cseq and bytes get the stored answer, of every kind of outcome")
    func resent() throws {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, #"{"type":"open","table":"stock","follow":false}"#)
        let lines = [
            insertLine(1),
            #"{"type":"op","table":"t1","cseq":2,"body":[{"set":[["s1.1","qty",1]]}]}"#,
            #"{"type":"op","table":"t1","cseq":3,"body":[{"set":[["s1.1","nothing",1]]}]}"#,
            #"{"type":"op","table":"t1","cseq":4,"body":[{"add":["s1.1","qty",5]}]}"#,
            #"{"type":"op","table":"t1","cseq":5,"pre":[{"cell_value":["s1.1","qty",1]}],"#
                + #""body":[{"delete":["s1.1"]}]}"#,
            #"{"type":"op","table":"t1","cseq":6,"body":[{"append":{"qty":4}}]}"#,
        ]
        var first: [String] = []
        for line in lines { first.append(contentsOf: world.ask(writer, line)) }
        #expect(first.count == lines.count)
        #expect(first[1].contains(#""status":"noop""#))
        #expect(first[2].contains(#""code":"unknown_column""#))
        #expect(first[4].contains(#""code":"precondition_failed""#))
        let hash = world.ask(writer, #"{"type":"hash","table":"t1"}"#)
        for (line, answer) in zip(lines, first) { #expect(world.ask(writer, line) == [answer]) }
        #expect(world.ask(writer, #"{"type":"hash","table":"t1"}"#) == hash)
        let appends = world.appendCount
        #expect(world.ask(writer, lines[0]) == [first[0]])
        #expect(world.appendCount == appends)
    }

    @Test("cseq_reused: the same number with other bytes ends the connection")
    func reused() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        _ = world.ask(writer, insertLine(1))
        let answer = world.ask(writer, insertLine(1, row: 2))
        #expect(answer.count == 2)
        #expect(answer[0].contains(#""code":"cseq_reused""#))
        #expect(answer[0].contains(#""cseq":1"#))
        #expect(answer[1].contains(#""type":"bye","code":"cseq_reused""#))
        #expect(world.closes.last == writer)
    }

    @Test("sequence_gap: a number too high is refused and names the one that is expected")
    func gap() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        _ = world.ask(writer, insertLine(1))
        let answer = world.ask(writer, insertLine(3), insertLine(4))
        #expect(answer.count == 2)
        #expect(answer[0].contains(#""code":"sequence_gap""#))
        #expect(answer[0].contains("expected cseq 2"))
        #expect(world.ask(writer, insertLine(2), insertLine(3)).count == 2)
    }

    @Test("session_expired: an answer that is no longer kept is never a second application")
    func tooOld() {
        var limits = ServerLimits()
        limits.windowOps = 4
        var (world, token) = stockWorld(limits: limits)
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        for number in 1...6 { _ = world.ask(writer, insertLine(number)) }
        let answer = world.ask(writer, insertLine(1))
        #expect(answer.count == 1)
        #expect(answer[0].contains(#""code":"session_expired""#))
        #expect(world.ask(writer, insertLine(3))[0].contains(#""type":"reply""#))
    }

    @Test("no_session, unknown_table: what is numbered needs a session, what is named a table")
    func noSession() {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        let first = world.ask(bot, insertLine(1))
        #expect(first.count == 1 && first[0].contains(#""code":"no_session""#))
        let second = world.ask(
            bot, #"{"type":"op","table":"other","body":[{"delete":["s1.1"]}],"id":3}"#)
        #expect(second[0].contains(#""code":"unknown_table""#) && second[0].contains(#""id":3"#))
        _ = world.ask(bot, #"{"type":"open","table":"stock","write":false}"#)
        #expect(world.ask(bot, insertLine(1))[0].contains(#""code":"no_session""#))
    }

    @Test("C3: a precondition that does not hold tells what the cell is, and whose")
    func currentNamesItsUser() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        _ = world.ask(writer, insertLine(1, qty: 7))
        let (other, _) = world.person("Ben")
        let op = #"{"type":"op","id":5,"table":"stock","pre":[{"cell_value":["s1.1","qty",5]}],"#
        let answer = world.ask(other, op + #""body":[{"set":[["s1.1","qty",6]]}]}"#)
        #expect(answer.count == 1)
        #expect(
            answer[0].contains(#""current":{"value":7,"seq":2,"session":"s1","user":"u1"}"#),
            "\(answer)")
        // Outside a session nobody is known but to the record.
        _ = world.ask(
            other,
            #"{"type":"op","id":6,"table":"stock","body":[{"set":[["s1.1","qty",8]]}]}"#)
        let again = world.ask(other, op + #""body":[{"set":[["s1.1","qty",6]]}]}"#)
        #expect(again[0].contains(#""current":{"value":8,"seq":3,"session":"s0"}"#), "\(again)")
    }

    @Test("ten lines are enough for a bot: no open, no cseq, no row ids; the answer says once")
    func loose() {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        let line = #"{"type":"op","table":"stock","body":[{"append":{"item":"a","qty":2}}],"id":7}"#
        let answer = world.ask(bot, line)
        #expect(answer.count == 1)
        #expect(answer[0].hasPrefix(#"{"type":"reply","table":"t1","seq":2,"#))
        #expect(answer[0].contains(#""once":false"#) && answer[0].contains(#""id":7"#))
        #expect(answer[0].contains(#""rows":["s0.1"]"#))
        let own = world.ask(
            bot, #"{"type":"op","table":"t1","body":[{"insert":{"rows":["s0.9"]}}]}"#)
        #expect(own[0].contains(#""code":"bad_row_id""#))
        let rows = world.ask(bot, #"{"type":"read","table":"t1","from":0,"count":9}"#)
        #expect(rows[0].contains(#""rows":["s0.1"],"cells":[["a",2]]"#))
    }

    @Test("S16: a role that does not allow it gets a decided refusal, and the session goes on")
    func forbidden() throws {
        var (world, _) = stockWorld()
        let token = world.botToken("appender", role: "appender")
        let bot = world.login(token: token)
        #expect(world.ask(bot, openLine)[0].contains(#""code":"forbidden""#))
        let opened = world.ask(bot, #"{"type":"open","table":"stock","follow":false}"#)
        #expect(opened[0].contains(#""role":"appender""#))
        #expect(world.ask(bot, insertLine(1))[0].contains(#""status":"ok""#))
        let refused = #"{"type":"op","table":"t1","cseq":2,"body":[{"delete":["s1.1"]}]}"#
        let answer = world.ask(bot, refused)
        #expect(answer[0].contains(#""status":"rejected""#))
        #expect(answer[0].contains(#""code":"forbidden""#))
        #expect(world.ask(bot, insertLine(3))[0].contains(#""status":"ok""#))
        try world.restart()
        let again = world.login(token: token)
        #expect(
            world.ask(again, #"{"type":"read","table":"t1","from":0,"count":1}"#)[0]
                .contains(#""code":"forbidden""#))
        let session = field("token", of: opened[0]) ?? ""
        let resumed = world.ask(
            again,
            #"{"type":"open","table":"t1","follow":false,"resume":{"session":"s1","#
                + #""token":"\#(session)","next":2}}"#)
        #expect(resumed.count == 3)
        #expect(resumed[1] == answer[0])
    }

    @Test("a viewer who asks to write gets the table without a session")
    func viewerOpens() {
        var (world, _) = stockWorld()
        let (viewer, _) = world.person("Vera", role: "viewer")
        let opened = world.ask(viewer, openLine)
        #expect(opened[0].contains(#""role":"viewer""#) && !opened[0].contains("session"))
        #expect(world.ask(viewer, insertLine(1))[0].contains(#""code":"no_session""#))
        let loose = world.ask(viewer, #"{"type":"op","table":"t1","body":[{"append":{}}]}"#)
        #expect(loose[0].contains(#""code":"forbidden""#))
    }

    @Test("rate_limited: a person's operations outside a session, with the time to wait")
    func rateOutsideSession() {
        var (world, _) = stockWorld()
        let (person, _) = world.person("Ada")
        let line = #"{"type":"op","table":"t1","body":[{"append":{"qty":1}}]}"#
        var answers: [String] = []
        for _ in 0..<201 { answers.append(contentsOf: world.ask(person, line)) }
        #expect(answers.count == 201)
        #expect(answers[199].contains(#""status":"ok""#))
        #expect(answers[200].contains(#""code":"rate_limited""#))
        #expect(field("code", of: answers[200]) == "rate_limited")
        #expect(answers[200].contains(#""retry_seconds":0.03"#))
        world.pass(seconds: 1)
        var again: [String] = []
        for _ in 0..<31 { again.append(contentsOf: world.ask(person, line)) }
        #expect(again[29].contains(#""status":"ok""#))
        #expect(again[30].contains("rate_limited"))
    }

    @Test("a person's operations in a session are delayed, none is refused, and order is kept")
    func rateInSession() {
        var limits = ServerLimits()
        limits.personSessionOpsPerSecond = 10
        // Opening the table counts too.
        limits.personSessionOpsBurst = 21
        var (world, _) = stockWorld(limits: limits)
        let (person, _) = world.person("Ada")
        let (other, _) = world.person("Bob")
        _ = world.ask(person, openLine)
        _ = world.ask(other, openLine)
        world.send(person, bytes: Array((1...50).map { insertLine($0) + "\n" }.joined().utf8))
        #expect(world.news(person).count == 20)
        #expect(world.readingStopped == [person])
        #expect(world.ask(other, insertLine(1, session: "s2")).count == 21)
        world.pass(seconds: 1.05)
        #expect(world.news(person).count == 11)
        world.pass(seconds: 3)
        let rest = world.news(person)
        #expect(rest.count == 20)
        #expect(rest.last?.contains(#""cseq":50"#) == true)
        #expect(world.readingStopped.isEmpty)
    }

    @Test("a full window stops reading until the append is durable; nothing is refused")
    func window() {
        var (world, token) = stockWorld()
        world.appendsAtOnce = false
        let writer = world.login(token: token)
        world.send(writer, openLine)
        world.makeDurable()
        _ = world.news(writer)
        world.send(writer, bytes: Array((1...200).map { insertLine($0) + "\n" }.joined().utf8))
        #expect(world.readingStopped == [writer])
        #expect(world.news(writer).isEmpty)
        var counts: [Int] = []
        while !world.appends.isEmpty {
            world.makeDurable()
            counts.append(world.news(writer).count)
        }
        #expect(counts == [64, 64, 64, 8])
        #expect(world.readingStopped.isEmpty)
    }

    @Test("a bot may ask for a window of 1024, a person may not")
    func windowGranted() {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        let line = #"{"type":"open","table":"stock","window":5000}"#
        #expect(world.ask(bot, line)[0].contains(#""window":1024"#))
        let (person, _) = world.person("Ada")
        #expect(world.ask(person, line)[0].contains(#""window":64"#))
    }

    @Test("turns are fair: one that floods does not keep another waiting")
    func fairTurns() {
        var limits = ServerLimits()
        limits.turnOpsMax = 40
        limits.linesPerTurnPart = 10
        limits.windowOps = 10_000
        var (world, token) = stockWorld(limits: limits)
        let flood = world.login(token: token)
        let calm = world.login(token: token)
        _ = world.ask(flood, openLine)
        _ = world.ask(calm, openLine)
        let now = world.now
        let many = Array((1...500).map { insertLine($0) + "\n" }.joined().utf8)
        let one = Array((insertLine(1, session: "s2") + "\n").utf8)
        world.turn { server, actions in
            unsafe server.received(many.span.bytes, from: flood, at: now, into: &actions)
            unsafe server.received(one.span.bytes, from: calm, at: now, into: &actions)
        }
        world.pass(seconds: 0.01)
        let records = world.news(calm)
        #expect(records.count == 501)
        let place = records.firstIndex { $0.contains(#""session":"s2""#) } ?? 501
        #expect(place <= 40)
    }
}
