// Tables, create, read, hash; and that nothing depends on how the bytes were cut.
import TableModel
import TableWire
import Testing

@testable import TableServer

@Suite struct ServerRequestsTests {
    @Test("table_exists, bad_name, too_many_columns, too_many_tables: what create refuses")
    func createRefuses() {
        var limits = ServerLimits()
        limits.tablesMax = 2
        limits.table.columnsMax = 3
        var (world, token) = stockWorld(limits: limits)
        let bot = world.login(token: token)
        func create(_ name: String, _ columns: String = "") -> String {
            #"{"type":"create","table":"\#(name)","columns":[\#(columns)]}"#
        }
        let column = #"{"name":"a","type":"int"}"#
        #expect(world.ask(bot, create("STOCK"))[0].contains(#""code":"table_exists""#))
        #expect(world.ask(bot, create(" x"))[0].contains(#""code":"bad_name""#))
        #expect(world.ask(bot, create("a\\u0007b"))[0].contains(#""code":"bad_name""#))
        #expect(world.ask(bot, create("t7"))[0].contains(#""code":"bad_name""#))
        #expect(world.ask(bot, create("x", column + "," + column))[0].contains("bad_name"))
        let four = (0..<4).map { #"{"name":"a\#($0)","type":"int"}"# }.joined(separator: ",")
        #expect(world.ask(bot, create("x", four))[0].contains(#""code":"too_many_columns""#))
        let made = world.ask(bot, create("x", column))
        #expect(
            made == [
                #"{"type":"created","table":"t2","columns":["#
                    + #"{"id":"c0.1","name":"a","type":"int"}]}"#
            ])
        #expect(world.ask(bot, create("y"))[0].contains(#""code":"too_many_tables""#))
        let (editor, _) = world.person("Ada")
        #expect(world.ask(editor, create("z"))[0].contains(#""code":"forbidden""#))
    }

    @Test("tables are listed with their counts, also after a restart")
    func lists() throws {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        _ = world.ask(bot, #"{"type":"create","table":"empty","columns":[]}"#)
        let list = world.ask(bot, #"{"type":"tables","id":3}"#)
        #expect(
            list == [
                #"{"type":"tables","tables":["#
                    + #"{"table":"t1","name":"stock","rows":0,"columns":2,"seq":1},"#
                    + #"{"table":"t2","name":"empty","rows":0,"columns":0,"seq":0}],"id":3}"#
            ])
        try world.restart()
        let again = world.login(token: token)
        #expect(world.ask(again, #"{"type":"tables","id":3}"#) == list)
    }

    @Test("too_many_columns: read names no more columns than a table may have")
    func readsTooManyColumns() {
        var limits = ServerLimits()
        limits.table.columnsMax = 3
        var (world, token) = stockWorld(limits: limits)
        let bot = world.login(token: token)
        func read(_ count: Int) -> String {
            let names = Array(repeating: #""qty""#, count: count).joined(separator: ",")
            return #"{"type":"read","table":"t1","count":1,"columns":[\#(names)]}"#
        }
        #expect(world.ask(bot, read(3))[0].contains(#""type":"rows""#))
        #expect(world.ask(bot, read(4))[0].contains(#""code":"too_many_columns""#))
    }

    @Test("unknown_column, unknown_table: what read refuses; rows that are gone are left out")
    func reads() {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        _ = world.ask(bot, #"{"type":"open","table":"t1","follow":false}"#)
        for number in 1...5 { _ = world.ask(bot, insertLine(number)) }
        #expect(
            world.ask(
                bot,
                #"{"type":"read","table":"t1","rows":["s1.4","s1.2","s7.7"],"columns":["qty"]}"#)
                == [
                    #"{"type":"rows","table":"t1","seq":6,"columns":["c0.2"],"#
                        + #""rows":["s1.4","s1.2"],"#
                        + #""cells":[[4],[2]],"total":5}"#
                ])
        #expect(
            world.ask(bot, #"{"type":"read","table":"t1","from":3,"count":9,"versions":true}"#)[0]
                .contains(
                    #""rows":["s1.4-5"],"cells":[[null,4],[null,5]],"versions":[[5,5],[6,6]]"#))
        #expect(
            world.ask(bot, #"{"type":"read","table":"t1","from":0,"count":1,"columns":["x"]}"#)[0]
                .contains(#""code":"unknown_column""#))
        for line in [
            #"{"type":"read","table":"x","from":0,"count":1}"#, #"{"type":"hash","table":"t9"}"#,
            #"{"type":"who","table":"x"}"#, #"{"type":"open","table":"x"}"#,
            #"{"type":"close","table":"x"}"#,
        ] {
            #expect(world.ask(bot, line)[0].contains(#""code":"unknown_table""#))
        }
    }

    @Test("what users are called is told to who may read, also of those who are not there")
    func users() {
        var limits = ServerLimits()
        limits.userNamesMax = 3
        var (world, token) = stockWorld(limits: limits)
        let bot = world.login(token: token)
        let answer = world.ask(bot, #"{"type":"users","id":7,"users":["u1","u9","u01","x","u1"]}"#)
        let name = #"{"user":"u1","name":"\#(world.server.accounts[0].name)"}"#
        #expect(answer == [#"{"type":"users","users":[\#(name)],"id":7}"#])
        #expect(
            world.ask(bot, #"{"type":"users","users":[]}"#) == [#"{"type":"users","users":[]}"#])
        for user in ["u", "u-1", "u0", "u9223372036854775808", "", "1"] {
            let line = #"{"type":"users","users":["\#(user)"]}"#
            #expect(world.ask(bot, line) == [#"{"type":"users","users":[]}"#], "\(user)")
        }
    }

    @Test("SEC5: positions and counts at the ends of the numbers are answered, not computed with")
    func extremes() {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        _ = world.ask(bot, #"{"type":"open","table":"t1","follow":false}"#)
        _ = world.ask(bot, insertLine(1))
        for from in ["0", "1", "9223372036854775807", "-1"] {
            for count in ["0", "1", "2147483648", "9223372036854775807", "-1"] {
                let asking = world.login(token: token)
                let answer = world.ask(
                    asking, #"{"type":"read","table":"t1","from":\#(from),"count":\#(count)}"#)
                #expect(!answer.isEmpty)
                world.disconnect(asking)
            }
        }
        for sequence in ["9223372036854775807", "-9223372036854775808"] {
            let asking = world.login(token: token)
            let answer = world.ask(
                asking,
                #"{"type":"open","table":"t1","have":{"lineage":"x","seq":\#(sequence)},"#
                    + #""window":9223372036854775807}"#)
            #expect(!answer.isEmpty)
            world.disconnect(asking)
        }
        let numbered = world.login(token: token)
        _ = world.ask(numbered, #"{"type":"open","table":"t1","follow":false}"#)
        let last = #"{"type":"op","table":"t1","cseq":9223372036854775807,"body":[{"append":{}}]}"#
        #expect(world.ask(numbered, last)[0].contains("sequence_gap"))
    }

    @Test("a read that is too large is cut short at whole rows")
    func readIsBounded() {
        var limits = ServerLimits()
        limits.readRowsMax = 3
        var (world, token) = stockWorld(limits: limits)
        let bot = world.login(token: token)
        _ = world.ask(bot, #"{"type":"open","table":"t1","follow":false}"#)
        for number in 1...5 { _ = world.ask(bot, insertLine(number)) }
        #expect(
            world.ask(bot, #"{"type":"read","table":"t1","from":0,"count":9}"#)[0]
                .contains(#""rows":["s1.1-3"]"#))
        #expect(
            world.ask(bot, #"{"type":"read","table":"t1","rows":["s1.1-5"]}"#)[0]
                .contains(#""rows":["s1.1-3"]"#))
    }

    @Test("GP4: a stream cut at every byte gives the same lines as in one piece")
    func splits() {
        var outputs: Set<[String]> = []
        for splits in [false, true] {
            var (world, token) = stockWorld(splits: splits)
            let client = world.connect()
            let noop = #"{"type":"op","table":"t1","cseq":3,"body":[{"set":[["s1.1","qty",1]]}]}"#
            var lines = world.ask(
                client, #"{"type":"hello"}"#, #"{"type":"login","token":"\#(token)"}"#, openLine,
                insertLine(1), insertLine(2), noop, #"{"type":"hash","table":"stock"}"#,
                #"{"type":"close","table":"t1"}"#, #"{"type":"tables"}"#, #"{"type":"nonsense"}"#,
                #"{"type":"ping"}"#)
            #expect(world.closes.last == client)
            lines.append("closed \(world.closes.count)")
            outputs.insert(lines)
        }
        #expect(outputs.count == 1)
        #expect(outputs.first?.count == 15)
    }
}
