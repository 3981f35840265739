// Durable before visible: nothing that depends on an append leaves before it is durable.
import TableLog
import TableModel
import TableWire
import Testing

@testable import TableServer

@Suite struct ServerGatingTests {
    @Test("GD9: records, replies, reads, hashes, snapshots wait until the append is durable")
    func nothingBeforeDurable() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let replier = world.login(token: token)
        let reader = world.login(token: token)
        let joiner = world.login(token: token)
        _ = world.ask(writer, openLine)
        _ = world.ask(replier, #"{"type":"open","table":"t1","follow":false}"#)
        _ = world.ask(reader, #"{"type":"open","table":"t1","write":false}"#)
        world.appendsAtOnce = false
        #expect(world.ask(writer, insertLine(1)).isEmpty)
        #expect(world.ask(replier, insertLine(1, session: "s2")).isEmpty)
        #expect(
            world.ask(replier, #"{"type":"op","table":"t1","cseq":2,"body":[{"delete":["s9.9"]}]}"#)
                .isEmpty)
        #expect(world.ask(reader, #"{"type":"read","table":"t1","from":0,"count":9}"#).isEmpty)
        #expect(world.ask(reader, #"{"type":"hash","table":"t1"}"#).isEmpty)
        #expect(world.ask(joiner, #"{"type":"open","table":"t1","write":false}"#).isEmpty)
        #expect(world.ask(joiner, #"{"type":"who","table":"t1"}"#).isEmpty)
        #expect(world.appends.count == 1)
        // The first append holds only the first turn; the rest is collected meanwhile.
        world.makeDurable()
        #expect(world.news(writer).count == 1)
        #expect(world.news(replier).isEmpty)
        #expect(world.news(reader).count == 1)
        #expect(world.news(joiner).isEmpty)
        #expect(world.appends.count == 1)
        world.makeDurable()
        // Those who only watch may be woken a little later, for company.
        world.pass(seconds: 0.002)
        #expect(world.news(writer).count == 1)
        #expect(world.news(replier).count == 2)
        let read = world.news(reader)
        #expect(read.count == 3)
        #expect(read[0].contains(#""type":"record","table":"t1","seq":3"#))
        #expect(read[1].contains(#""type":"rows""#) && read[1].contains(#""seq":3"#))
        #expect(read[2].contains(#""type":"hash","table":"t1","seq":3"#))
        let joined = world.news(joiner)
        #expect(joined.count == 6)
        #expect(joined[0].contains(#""type":"opened""#) && joined[0].contains(#""seq":3"#))
        #expect(world.appends.isEmpty)
    }

    @Test("at most one append is under way, and each holds whole turns in order")
    func oneAppend() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        world.appendsAtOnce = false
        for number in 1...5 { world.send(writer, insertLine(number)) }
        #expect(world.appends.count == 1)
        #expect(world.appends[0].batches.map(\.first) == [2])
        #expect(world.appends[0].batches.map(\.last) == [2])
        world.makeDurable()
        #expect(world.appends.count == 1)
        #expect(world.appends[0].batches.map(\.first) == [3])
        #expect(world.appends[0].batches.map(\.last) == [6])
        world.makeDurable()
        #expect(world.news(writer).count == 5)
    }

    @Test("an answer comes after the records before it, for who follows")
    func answersInOrder() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        let noop = #"{"type":"op","table":"t1","cseq":3,"body":[{"set":[["s1.1","qty",1]]}]}"#
        let lines = world.ask(
            writer, insertLine(1), insertLine(2), noop, insertLine(4, row: 3),
            #"{"type":"hash","table":"t1","id":1}"#, #"{"type":"ping"}"#)
        let kinds = lines.map { field("type", of: $0) ?? "" }
        #expect(kinds == ["record", "record", "reply", "record", "hash", "pong"])
    }

    @Test("storage_failed: after a failed append nobody is told anything of it")
    func appendFails() throws {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let reader = world.login(token: token)
        _ = world.ask(writer, openLine)
        _ = world.ask(reader, openLine)
        world.appendsAtOnce = false
        world.send(writer, insertLine(1))
        world.send(writer, insertLine(2))
        let ticket = world.appends[0].ticket
        world.appends = []
        let now = world.now
        let error = LogStoreError(kind: .failed, reason: "the disk said EIO")
        world.turn { server, actions in
            server.appendFailed(ticket: ticket, error, at: now, into: &actions)
        }
        for client in [writer, reader] {
            let lines = world.news(client)
            #expect(lines.count == 1)
            #expect(lines[0].contains(#""type":"bye","code":"storage_failed""#))
        }
        #expect(world.closes.suffix(2) == [writer, reader])
        #expect(world.hasStopped)
        #expect(world.appends.isEmpty)
        #expect(world.reports.count == 1 && world.reports[0].contains("EIO"))
        let late = world.connect()
        #expect(world.news(late)[0].contains(#""code":"storage_failed""#))
        guard case .refused = world.administrate(.token(bot: "b", role: "editor")) else {
            Issue.record("administrators must be refused")
            return
        }
        #expect(world.appends.isEmpty)
    }

    @Test("administrators are answered once it is durable")
    func administratorWaits() {
        var world = World()
        world.appendsAtOnce = false
        let now = world.now
        world.turn { server, actions in
            server.requested(
                ticket: 5, .token(bot: "b", role: "editor"), at: now, into: &actions)
        }
        #expect(world.administratorAnswers.isEmpty)
        world.makeDurable()
        #expect(world.administratorAnswers.count == 1)
    }
}
