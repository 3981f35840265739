// Content hashes of large tables: in pieces, with everybody else served meanwhile. And that no
// turn does more than its part of anything else either.
import TableModel
import TableWire
import Testing

@testable import TableServer

/// A server whose table has so many rows, and digests them in small pieces.
private func largeWorld(
    rows: Int = 200, limits: ServerLimits = ServerLimits()
) -> (World, token: String) {
    var limits = limits
    limits.hashBytesPerTurn = 500
    var (world, token) = stockWorld(limits: limits)
    let bot = world.login(token: token)
    let row = #"[null,7]"#
    let cells = Array(repeating: row, count: rows).joined(separator: ",")
    let insertion = #"{"insert":{"columns":["item","qty"],"cells":[\#(cells)]}}"#
    _ = world.ask(bot, #"{"type":"op","table":"t1","body":[\#(insertion)]}"#)
    world.disconnect(bot)
    return (world, token)
}

private let hashLine = #"{"type":"hash","table":"t1","id":9}"#
private let appendLine = #"{"type":"op","table":"t1","id":8,"body":[{"append":{"qty":1}}]}"#

@Suite struct ServerHashingTests {
    @Test("a hash of a large table takes many turns, and others are served in each of them")
    func pieces() {
        var (world, token) = largeWorld()
        let asker = world.login(token: token)
        let other = world.login(token: token)
        let expected = world.ask(other, hashLine)[0]
        #expect(expected.contains(#""type":"hash","table":"t1","seq":2,"hash":""#))
        // Another column makes all of it be digested anew.
        let column =
            #"{"type":"op","table":"t1","body":[{"column_add":{"name":"x","type":"int"}}]}"#
        _ = world.ask(other, column)
        world.turnsMax = 1
        #expect(world.ask(asker, hashLine).isEmpty)
        var turns = 0
        var hash: [String] = []
        while hash.isEmpty, turns < 10_000 {
            #expect(world.ask(other, #"{"type":"ping","id":3}"#) == [#"{"type":"pong","id":3}"#])
            #expect(world.ask(other, appendLine).count == 1)
            turns += 1
            hash = world.news(asker)
        }
        // 200 rows of 8 bytes and three cells of 5 to 13.
        #expect(turns >= 3)
        #expect(hash.count == 1)
        #expect(hash[0].contains(#""seq":3,"#), "the number of the record that it was asked at")
        world.turnsMax = .max
        var (again, sameToken) = largeWorld()
        let reader = again.login(token: sameToken)
        _ = again.ask(reader, column)
        #expect(again.ask(reader, hashLine) == hash, "the hash is that of its number")
    }

    @Test("lines behind a hash wait for it, and are answered in their order")
    func order() {
        var (world, token) = largeWorld()
        let asker = world.login(token: token)
        world.turnsMax = 1
        #expect(world.ask(asker, hashLine, #"{"type":"ping","id":1}"#).isEmpty)
        #expect(world.ask(asker, #"{"type":"ping","id":2}"#).isEmpty)
        world.turnsMax = .max
        world.turn()
        let lines = world.news(asker)
        #expect(lines.count == 3)
        #expect(lines.first?.contains(#""type":"hash""#) == true)
        #expect(lines.dropFirst() == [#"{"type":"pong","id":1}"#, #"{"type":"pong","id":2}"#])
        #expect(!world.readingStopped.contains(asker))
    }

    @Test("a follower gets the hash between the records up to its number and those after it")
    func betweenRecords() {
        var (world, token) = largeWorld()
        let follower = world.login(token: token)
        _ = world.ask(follower, openLine)
        let writer = world.login(token: token)
        world.turnsMax = 1
        #expect(world.ask(follower, hashLine).isEmpty)
        for _ in 1...3 { _ = world.ask(writer, appendLine) }
        #expect(world.news(follower).isEmpty, "the records wait for the hash")
        world.turnsMax = .max
        world.turn()
        let lines = world.news(follower)
        #expect(lines.count == 4)
        #expect(lines.first?.contains(#""type":"hash","table":"t1","seq":2,"#) == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(#"{"type":"record""#) })
    }

    @Test("who asks at the same number shares one hash; who asks later gets a later number")
    func askers() {
        var (world, token) = largeWorld()
        let ids = (0..<4).map { _ in world.login(token: token) }
        world.turnsMax = 1
        #expect(world.ask(ids[0], hashLine).isEmpty)
        #expect(world.ask(ids[1], hashLine).isEmpty)
        #expect(world.ask(ids[3], appendLine).count == 1)
        #expect(world.ask(ids[2], hashLine).isEmpty)
        // Who leaves is not waited for, and stops nobody else's.
        world.disconnect(ids[0])
        world.turnsMax = .max
        world.turn()
        #expect(world.news(ids[1]).first?.contains(#""seq":2,"#) == true)
        #expect(world.news(ids[2]).first?.contains(#""seq":3,"#) == true)
        #expect(world.server.hashingRooms.isEmpty)
    }

    @Test("a hash that is being made does not keep an orderly stop")
    func stop() {
        var (world, token) = largeWorld()
        let asker = world.login(token: token)
        world.turnsMax = 1
        #expect(world.ask(asker, hashLine).isEmpty)
        world.turnsMax = .max
        let now = world.now
        world.turn { server, actions in server.stopRequested(at: now, into: &actions) }
        #expect(world.hasStopped)
        #expect(world.news(asker).last?.contains(#""code":"going_away""#) == true)
    }

    @Test("a turn writes about so many bytes of answers; others are served in the next")
    func answersOfOneTurn() {
        var limits = ServerLimits()
        limits.turnBytesMax = 1_000
        var (world, token) = largeWorld(limits: limits)
        let ids = (0..<6).map { _ in world.login(token: token) }
        world.turnsMax = 1
        let line = #"{"type":"read","table":"t1","count":200,"id":1}"# + "\n"
        let bytes = Array(line.utf8)
        let now = world.now
        world.turn { server, actions in
            for id in ids {
                unsafe server.received(bytes.span.bytes, from: id, at: now, into: &actions)
            }
        }
        #expect(ids.filter { !world.news($0).isEmpty }.count == 1)
        world.turnsMax = .max
        world.turn()
        #expect(ids.dropFirst().allSatisfy { !world.news($0).isEmpty })
    }

    @Test("a turn performs operations of about so many parts; others are served in the next")
    func partsOfOneTurn() {
        var limits = ServerLimits()
        limits.turnPartsMax = 100
        var (world, token) = largeWorld(rows: 90, limits: limits)
        let ids = (0..<3).map { _ in world.login(token: token) }
        world.turnsMax = 1
        let line =
            #"{"type":"op","table":"t1","id":1,"body":[{"move":{"rows":["s0.1-90"],"at":"last"}}]}"#
        let bytes = Array((line + "\n" + line + "\n").utf8)
        let now = world.now
        world.turn { server, actions in
            for id in ids {
                unsafe server.received(bytes.span.bytes, from: id, at: now, into: &actions)
            }
        }
        #expect(ids.map { world.news($0).count } == [2, 0, 0])
        world.turn()
        #expect(ids.map { world.news($0).count }.reduce(0, +) == 2)
        world.turnsMax = .max
        world.turn()
        #expect(ids.map { world.news($0).count }.reduce(0, +) == 2)
    }
}
