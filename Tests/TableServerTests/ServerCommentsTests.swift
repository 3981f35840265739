// Comments through the server: who may do what to whose, what is answered, and that snapshots bring
// them. What they mean is tested in TableModelTests.
import Testing

@testable import TableServer

@Suite struct ServerCommentsTests {
    /// A server with a table of three rows, and its manager.
    private func office() throws -> (World, ConnectionID) {
        var world = World()
        let manager = world.login(token: world.botToken())
        _ = world.ask(
            manager,
            #"{"type":"create","table":"t","columns":[{"name":"a","type":"text"}]}"#,
            #"{"type":"op","table":"t","body":[{"insert":{"count":3}}]}"#)
        return (world, manager)
    }

    private func comment(_ body: String) -> String {
        #"{"type":"op","id":1,"table":"t","body":[\#(body)]}"#
    }

    private func ask(_ more: String = "") -> String {
        #"{"type":"comments","id":2,"table":"t"\#(more)}"#
    }

    @Test("FC13, FC14: a commenter comments and resolves, and only changes what is hers")
    func rights() throws {
        var (world, manager) = try office()
        let (ann, _) = world.person("ann", role: "commenter")
        let (ben, _) = world.person("ben", role: "editor")
        let (cleo, _) = world.person("cleo", role: "viewer")
        let made = world.ask(ann, comment(#"{"comment":{"row":"s0.1","text":"why?"}}"#)).joined()
        #expect(made.contains(#""comments":["m3.1"]"#), "\(made)")
        func code(_ who: ConnectionID, _ body: String) -> String? {
            field("code", of: world.ask(who, comment(body)).joined())
        }
        #expect(code(cleo, #"{"comment":{"row":"s0.1","text":"x"}}"#) == "forbidden")
        #expect(code(ann, #"{"set":[["s0.1","a","x"]]}"#) == "forbidden")
        #expect(code(ben, #"{"comment_edit":{"comment":"m3.1","text":"x"}}"#) == "forbidden")
        #expect(code(ben, #"{"comment_delete":"m3.1"}"#) == "forbidden")
        #expect(code(ben, #"{"comment_resolve":{"comment":"m3.1"}}"#) == nil)
        #expect(code(ann, #"{"comment_edit":{"comment":"m3.1","text":"how?"}}"#) == nil)
        #expect(code(manager, #"{"comment_edit":{"comment":"m3.1","text":"so"}}"#) == nil)
        #expect(code(manager, #"{"comment_delete":"m3.1"}"#) == nil)
        // Somebody else's undo is for managers, whatever it is of.
        #expect(code(ann, #"{"undo":{"seq":7}}"#) == "forbidden")
        #expect(code(manager, #"{"undo":{"seq":7}}"#) == nil)
        let seen = world.ask(cleo, ask()).joined()
        #expect(seen.contains(#""text":"so""#) && seen.contains(#""resolved":{"user""#))
    }

    @Test("FC14: comments are told in pages, of a row, a cell, or those that are open")
    func pages() throws {
        var (world, manager) = try office()
        for (row, more) in [(1, #","column":"a""#), (2, ""), (1, ""), (3, "")] {
            _ = world.ask(
                manager, comment(#"{"comment":{"row":"s0.\#(row)"\#(more),"text":"x"}}"#))
        }
        _ = world.ask(manager, comment(#"{"comment_resolve":{"comment":"m4.1"}}"#))
        _ = world.ask(manager, comment(#"{"delete":["s0.3"]}"#))
        func told(_ more: String) -> [Substring] {
            world.ask(manager, ask(more)).joined().matches(of: /"id":"(m[0-9]+\.1)"/).map(\.1)
        }
        #expect(told("") == ["m3.1", "m4.1", "m5.1", "m6.1"])
        #expect(told(#","row":"s0.1""#) == ["m3.1", "m5.1"])
        #expect(told(#","column":"A""#) == ["m3.1"])
        #expect(told(#","open":true"#) == ["m3.1", "m5.1", "m6.1"])
        let page = world.ask(manager, ask(#","limit":2"#)).joined()
        #expect(page.contains(#""next":"m4.1""#) && !page.contains("hidden"))
        let rest = world.ask(manager, ask(#","limit":2,"after":"m4.1""#)).joined()
        #expect(rest.contains(#""hidden":["m6.1"]"#) && !rest.contains("next"), "\(rest)")
        let lost = world.ask(manager, ask(#","column":"zzz""#)).joined()
        #expect(lost.contains("unknown_column"))
    }

    @Test("FC14: who joins gets the comments with the snapshot; they are there after a restart")
    func joining() throws {
        var (world, manager) = try office()
        _ = world.ask(manager, comment(#"{"comment":{"row":"s0.1","text":"why?"}}"#))
        _ = world.ask(manager, comment(#"{"comment":{"row":"s0.2","text":"gone"}}"#))
        _ = world.ask(manager, comment(#"{"comment_delete":"m4.1"}"#))
        let (ann, _) = world.person("ann", role: "viewer")
        let lines = world.ask(ann, #"{"type":"open","table":"t"}"#)
        let place = try #require(lines.firstIndex { $0.hasPrefix(#"{"type":"comments""#) })
        #expect(lines[place].contains("why?") && !lines[place].contains("gone"))
        #expect(lines[place + 1].contains("snapshot_end"))
        try world.restart()
        let again = world.login(token: world.botToken("later"))
        #expect(world.ask(again, ask()).joined().contains("why?"))
        let back = world.ask(again, comment(#"{"undo":{"seq":5}}"#)).joined()
        #expect(back.contains(#""undid":5"#), "\(back)")
        #expect(world.ask(again, ask()).joined().contains("gone"))
    }

    @Test("FC14: the history tells of comments")
    func history() throws {
        var (world, manager) = try office()
        _ = world.ask(manager, comment(#"{"comment":{"row":"s0.1","text":"why?"}}"#))
        _ = world.ask(manager, comment(#"{"comment":{"row":"s0.2","text":"other"}}"#))
        _ = world.ask(manager, comment(#"{"comment_resolve":{"comment":"m3.1"}}"#))
        world.send(manager, #"{"type":"history","id":7,"table":"t","row":"s0.1"}"#)
        var told = ""
        for _ in 0..<20 where told.isEmpty {
            world.pass(seconds: 0.1)
            told = world.lines(manager).first { $0.hasPrefix(#"{"type":"history""#) } ?? ""
        }
        let made = #"{"comment":"m3.1","row":"s0.1","what":"made","text":"why?"}"#
        #expect(told.contains(made), "\(told)")
        #expect(told.contains(#""what":"resolved""#) && !told.contains("other"))
        #expect(told.contains(#""kind":"comment""#))
    }
}
