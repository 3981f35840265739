// Operations that bring back the past wait for it, in their place among the author's lines, and are
// decided once. Rule T15 itself is tested in TableModelTests.
import TableModel
import TableWire
import Testing

@testable import TableServer

private let hashLine = #"{"type":"hash","table":"t1","id":9}"#

private func op(_ body: String, cseq: Int? = nil) -> String {
    let number = cseq.map { #","cseq":\#($0)"# } ?? #","id":8"#
    return #"{"type":"op","table":"t1"\#(number),"body":[\#(body)]}"#
}

/// The hash in an answer, without its number.
private func hash(_ world: inout World, _ id: ConnectionID) -> String {
    let line = world.ask(id, hashLine).last ?? ""
    return String(line.split(separator: #""hash":""#).last ?? "")
}

/// A table with five records behind the first.
private func livedWorld(limits: ServerLimits = ServerLimits()) -> (World, ConnectionID) {
    var (world, token) = stockWorld(limits: limits)
    let bot = world.login(token: token)
    for body in [
        #"{"insert":{"columns":["item","qty"],"cells":[["bolt",5],["nut",6]]}}"#,
        #"{"set":[["s0.1","qty",7],["s0.2","qty",8]]}"#, #"{"delete":["s0.1"]}"#,
    ] {
        world.now.wallMilliseconds += 1_000
        _ = world.ask(bot, op(body))
    }
    return (world, bot)
}

@Suite struct ServerRestoringTests {
    @Test("T15: a table is restored by number and by time, told in its record, and undone")
    func restored() throws {
        var (world, bot) = livedWorld()
        let second = world.now.wallMilliseconds - 2_000
        let before = hash(&world, bot)
        let told = world.ask(bot, op(#"{"restore":{"to":2}}"#))
        #expect(told.count == 1 && told[0].contains(#""seq":5,"outcome":{"status":"ok""#))
        #expect(told[0].contains(#"{"restored":2,"cells":2,"rows":1,"columns":0}"#), "\(told)")
        let then = hash(&world, bot)
        let undone = world.ask(bot, op(#"{"undo":{}}"#))
        #expect(undone[0].contains(#""undid":5"#), "\(undone)")
        #expect(hash(&world, bot) == before)
        let timed = world.ask(bot, op(#"{"restore":{"time":\#(second + 999)}}"#))
        #expect(timed[0].contains(#"{"restored":2,"#), "\(timed)")
        #expect(hash(&world, bot) == then)
        let history = world.ask(bot, #"{"type":"history","table":"t1","count":1}"#)
        #expect(history[0].contains(#""kind":"restore""#))
        try world.restart()
        let again = world.login(token: world.botToken("other"))
        #expect(hash(&world, again) == then)
        _ = world.ask(again, op(#"{"undo":{"seq":7}}"#))
        #expect(hash(&world, again) == before)
    }

    @Test("T15: what is not there is refused for good, and what is already so changes nothing")
    func refused() {
        var (world, bot) = livedWorld()
        for moment in [#""to":0"#, #""to":5"#, #""time":7"#] {
            let told = world.ask(bot, op(#"{"restore":{\#(moment)}}"#))
            #expect(told.count == 1 && told[0].contains(#""code":"unknown_record""#), "\(told)")
        }
        #expect(world.ask(bot, op(#"{"restore":{"to":4}}"#))[0].contains(#""status":"noop""#))
        #expect(world.server.rooms[0].table.head == 4)
        #expect(world.server.pastAtHand == nil && world.server.pastJobs.isEmpty)
    }

    @Test("S16, T15: who may not change columns restores rows, and no other columns")
    func rights() {
        var (world, bot) = livedWorld()
        _ = world.ask(bot, op(#"{"column_rename":{"column":"qty","name":"count"}}"#))
        let (editor, _) = world.person("Eve")
        let whole = world.ask(editor, op(#"{"restore":{"to":2}}"#))
        #expect(whole.count == 1 && whole[0].contains(#""code":"forbidden""#), "\(whole)")
        let rows = world.ask(editor, op(#"{"restore":{"to":2,"rows":["s0.1"]}}"#))
        #expect(rows[0].contains(#""status":"ok""#), "\(rows)")
        let (viewer, _) = world.person("Vic", role: "viewer")
        let told = world.ask(viewer, op(#"{"restore":{"to":2,"columns":["item"]}}"#))
        #expect(told[0].contains(#""code":"forbidden""#), "\(told)")
    }

    @Test("T15: in a session it is decided once, in its place, and answered again the same")
    func once() throws {
        var limits = ServerLimits()
        limits.pastBytesPerTurn = 100
        limits.catchUpBytes = 100
        var (world, bot) = livedWorld(limits: limits)
        let writer = world.login(token: world.botToken("writer"))
        let open = #"{"type":"open","table":"t1","follow":false,"start":"head"}"#
        _ = world.ask(writer, open)
        world.turnsMax = 1
        let restore = op(#"{"restore":{"to":2}}"#, cseq: 1)
        let edit = op(#"{"set":[["s0.1","qty",9]]}"#, cseq: 2)
        #expect(world.ask(writer, restore, edit).isEmpty)
        // Somebody else is served meanwhile, and is restored too.
        _ = world.ask(bot, op(#"{"set":[["s0.2","qty",77]]}"#))
        world.turnsMax = .max
        world.turn()
        let told = world.news(writer)
        #expect(told.count == 2, "\(told)")
        #expect(told.first?.contains(#"{"restored":2,"cells":2,"rows":1,"#) == true, "\(told)")
        #expect(told.last?.contains(#""cseq":2,"seq":7"#) == true, "\(told)")
        let again = world.ask(writer, restore)
        #expect(again == [told[0]])
        #expect(world.server.rooms[0].table.head == 7)
        let rows = world.ask(
            bot, #"{"type":"read","table":"t1","from":0,"count":9,"columns":["qty"]}"#)
        #expect(rows[0].contains(#""cells":[[9],[6]]"#), "\(rows)")
    }

    @Test("T15: an author who leaves while waiting has decided nothing, and sends it again")
    func leaving() {
        var limits = ServerLimits()
        limits.pastBytesPerTurn = 100
        limits.catchUpBytes = 100
        var (world, bot) = livedWorld(limits: limits)
        world.turnsMax = 1
        let other = world.login(token: world.botToken("other"))
        #expect(world.ask(other, op(#"{"restore":{"to":2}}"#)).isEmpty)
        world.disconnect(other)
        world.turnsMax = .max
        world.turn()
        #expect(world.server.rooms[0].table.head == 4)
        #expect(world.server.pastJobs.isEmpty)
        #expect(world.ask(bot, op(#"{"restore":{"to":2}}"#))[0].contains(#""seq":5"#))
    }
}
