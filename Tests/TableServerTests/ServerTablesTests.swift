// S17, S18: tables renamed, dropped and brought back, by the core itself: who is told what, in
// which order, not before it is durable, and still so after a restart.
import TableModel
import TableWire
import Testing

@testable import TableServer

private func rename(_ table: String, _ name: String, suffix: Bool = false) -> String {
    #"{"type":"table_rename","table":"\#(table)","name":"\#(name)""#
        + (suffix ? #","on_clash":"suffix","id":4}"# : #","id":4}"#)
}

private func drop(_ table: String) -> String {
    #"{"type":"table_drop","table":"\#(table)","id":5}"#
}

private func restore(_ table: String, suffix: Bool = false) -> String {
    #"{"type":"table_restore","table":"\#(table)""#
        + (suffix ? #","on_clash":"suffix","id":6}"# : #","id":6}"#)
}

private func create(_ name: String) -> String {
    #"{"type":"create","table":"\#(name)","columns":[]}"#
}

@Suite struct ServerTablesTests {
    @Test("S17: who has the table open is told its new name, and goes on by its id")
    func renamed() throws {
        var (world, token) = stockWorld()
        let owner = world.login(token: token)
        let writer = world.login(token: token)
        let replier = world.login(token: token)
        _ = world.ask(writer, openLine)
        _ = world.ask(replier, #"{"type":"open","table":"t1","follow":false}"#)
        let answer = world.ask(owner, rename("stock", "parts"))
        #expect(answer == [#"{"type":"renamed","table":"t1","name":"parts","id":4}"#])
        let told = [#"{"type":"renamed","table":"t1","name":"parts"}"#]
        #expect(world.news(writer) == told)
        #expect(world.news(replier) == told)
        let record = world.ask(writer, insertLine(1))
        #expect(record[0].contains(#""type":"record","table":"t1","seq":2"#))
        let byOldName = world.ask(owner, #"{"type":"hash","table":"stock"}"#)
        #expect(byOldName[0].contains(#""code":"unknown_table""#))
        #expect(world.ask(owner, #"{"type":"who","table":"PARTS"}"#)[0].contains(#""table":"t1""#))
        // To give it the name it has says so, and tells nobody else.
        #expect(world.ask(owner, rename("t1", "parts")) == answer)
        #expect(world.news(writer).isEmpty)
        try world.restart()
        let again = world.login(token: token)
        #expect(world.ask(again, #"{"type":"tables"}"#)[0].contains(#""name":"parts","rows":1"#))
        #expect(world.ask(again, create("stock"))[0].contains(#""table":"t2""#))
    }

    @Test("S17: names clash as when tables are made; the lowest free number is given on request")
    func clashes() {
        var (world, token) = stockWorld()
        let owner = world.login(token: token)
        for name in ["parts", "Parts 2", "other"] { _ = world.ask(owner, create(name)) }
        #expect(world.ask(owner, rename("t1", "PARTS"))[0].contains(#""code":"table_exists""#))
        #expect(world.ask(owner, rename("t1", "t9"))[0].contains(#""code":"bad_name""#))
        #expect(world.ask(owner, rename("t7", "x"))[0].contains(#""code":"unknown_table""#))
        #expect(world.ask(owner, rename("t1", "parts", suffix: true))[0].contains("\"parts 3\""))
        // Sent again it comes to the same, and its own name is never in its way.
        #expect(world.ask(owner, rename("t1", "parts", suffix: true))[0].contains("\"parts 3\""))
        #expect(world.ask(owner, rename("t1", "STOCK"))[0].contains("\"STOCK\""))
        #expect(world.ask(owner, rename("t1", "stock"))[0].contains("\"stock\""))
        let long = String(repeating: "é", count: 64)
        #expect(world.ask(owner, rename("t2", long))[0].contains(#""type":"renamed""#))
        let next = world.ask(owner, rename("t3", long, suffix: true))[0]
        #expect(next.contains(String(repeating: "é", count: 63) + " 2\""))
    }

    @Test("S17, S18: only owners and managers rename, drop and restore", arguments: Role.allCases)
    func rights(_ role: Role) {
        var (world, _) = stockWorld()
        let token = world.botToken("another", role: role.rawValue)
        let bot = world.login(token: token)
        let isAllowed = role == .owner || role == .manager
        for line in [rename("t1", "parts"), drop("t1"), restore("t1")] {
            let answer = world.ask(bot, line)
            #expect(answer.count == 1)
            #expect(answer[0].contains(#""code":"forbidden""#) != isAllowed)
        }
    }

    @Test("S18: who has the table open is told behind the last record; the connection goes on")
    func dropped() throws {
        var (world, token) = stockWorld()
        let owner = world.login(token: token)
        let writer = world.login(token: token)
        let replier = world.login(token: token)
        _ = world.ask(owner, create("other"))
        _ = world.ask(writer, openLine, #"{"type":"open","table":"other"}"#)
        _ = world.ask(replier, #"{"type":"open","table":"t1","follow":false}"#)
        world.appendsAtOnce = false
        world.send(writer, insertLine(1))
        world.send(owner, drop("stock"))
        world.send(writer, insertLine(2))
        #expect(world.news(owner).isEmpty && world.news(writer).isEmpty)
        world.makeDurable()
        world.makeDurable()
        world.appendsAtOnce = true
        #expect(world.news(owner) == [#"{"type":"dropped","table":"t1","id":5}"#])
        let heard = world.news(writer)
        try #require(heard.count == 3, "\(heard)")
        #expect(heard[0].contains(#""type":"record","table":"t1","seq":2"#))
        #expect(heard[1].contains(#""code":"table_deleted""#) && !heard[1].contains("cseq"))
        #expect(heard[2].contains(#""code":"table_deleted""#) && heard[2].contains(#""cseq":2"#))
        #expect(world.news(replier).count == 1)
        #expect(world.ask(writer, #"{"type":"ping"}"#) == [#"{"type":"pong"}"#])
        for line in [
            #"{"type":"op","table":"t1","body":[{"append":{}}]}"#, rename("t1", "x"), drop("t1"),
            #"{"type":"open","table":"t1"}"#, #"{"type":"close","table":"t1"}"#,
            #"{"type":"read","table":"t1","count":1}"#, #"{"type":"who","table":"t1"}"#,
            #"{"type":"hash","table":"t1"}"#, #"{"type":"presence","table":"t1","row":null}"#,
        ] {
            #expect(world.ask(owner, line)[0].contains(#""code":"table_deleted""#), "\(line)")
        }
        #expect(world.ask(owner, openLine)[0].contains(#""code":"unknown_table""#))
    }

    @Test("S18: a dropped table frees its name, keeps its id, and comes back with all it had")
    func restored() throws {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let opened = world.ask(writer, openLine)[0]
        let secret = field("token", of: opened) ?? ""
        _ = world.ask(writer, insertLine(1))
        _ = world.ask(writer, drop("stock"))
        #expect(world.ask(writer, #"{"type":"tables"}"#) == [#"{"type":"tables","tables":[]}"#])
        let made = world.ask(writer, create("Stock"))
        #expect(made[0].contains(#""table":"t2""#))
        try world.restart()
        let owner = world.login(token: token)
        let list = world.ask(owner, #"{"type":"tables","deleted":true}"#)
        #expect(
            list == [
                #"{"type":"tables","tables":[{"table":"t1","name":"stock","rows":1,"#
                    + #""columns":2,"seq":2}]}"#
            ])
        #expect(world.ask(owner, restore("t1"))[0].contains(#""code":"table_exists""#))
        #expect(world.ask(owner, restore("t5"))[0].contains(#""code":"unknown_table""#))
        let answer = world.ask(owner, restore("stock", suffix: true))
        #expect(answer == [#"{"type":"restored","table":"t1","name":"stock 2","id":6}"#])
        // Asked again by id it says the same.
        #expect(world.ask(owner, restore("t1")) == answer)
        try world.restart()
        let back = world.login(token: token)
        #expect(
            world.ask(back, #"{"type":"tables","deleted":true}"#)
                == [#"{"type":"tables","tables":[]}"#])
        // The session of before goes on where it stood.
        let resumed = world.ask(
            back,
            #"{"type":"open","table":"t1","resume":{"session":"s1","token":"\#(secret)","next":2}}"#
        )
        #expect(resumed[0].contains(#""name":"stock 2""#) && resumed[0].contains(#""last_cseq":1"#))
        #expect(world.ask(back, insertLine(2))[0].contains(#""seq":3"#))
    }

    @Test("S18: of two dropped tables of one name the one dropped last is meant")
    func restoresLast() {
        var (world, token) = stockWorld()
        let owner = world.login(token: token)
        _ = world.ask(owner, drop("t1"), create("stock"), drop("stock"))
        #expect(world.ask(owner, restore("STOCK"))[0].contains(#""table":"t2""#))
        #expect(world.ask(owner, restore("t1", suffix: true))[0].contains(#""name":"stock 2""#))
    }

    @Test("GD9: nothing of a name that is not durable is told, not even that there is no such")
    func gated() {
        var (world, token) = stockWorld()
        let owner = world.login(token: token)
        let other = world.login(token: token)
        world.appendsAtOnce = false
        #expect(world.ask(owner, rename("stock", "parts")).isEmpty)
        #expect(world.ask(other, openLine).isEmpty)
        #expect(world.ask(other, #"{"type":"tables"}"#).isEmpty)
        #expect(world.ask(owner, drop("parts")).isEmpty)
        #expect(world.ask(owner, #"{"type":"hash","table":"t1"}"#).isEmpty)
        #expect(world.ask(owner, restore("parts")).isEmpty)
        world.makeDurable()
        world.makeDurable()
        #expect(world.news(owner).count == 4)
        let heard = world.news(other)
        #expect(heard[0].contains(#""code":"unknown_table""#))
        #expect(heard.count == 2)
    }

    @Test("S18: a slow reader is told once it has read the records before, then goes on")
    func slowReader() {
        var (world, token) = stockWorld()
        let owner = world.login(token: token)
        let reader = world.login(token: token)
        _ = world.ask(owner, openLine)
        _ = world.ask(reader, #"{"type":"open","table":"t1","write":false}"#)
        world.stuck.insert(reader)
        for number in 1...20 { _ = world.ask(owner, insertLine(number)) }
        _ = world.ask(owner, drop("t1"), restore("t1"))
        world.send(reader, #"{"type":"open","table":"t1","write":false,"id":9}"#)
        #expect(world.news(reader).isEmpty)
        world.stuck.remove(reader)
        world.drain(reader)
        world.pass(seconds: 0.01)
        let heard = world.news(reader)
        #expect(heard.prefix(20).allSatisfy { $0.contains(#""type":"record""#) })
        #expect(heard.dropFirst(20).first?.contains(#""code":"table_deleted""#) == true)
        #expect(heard.dropFirst(21).first?.contains(#""type":"opened""#) == true)
    }
}
