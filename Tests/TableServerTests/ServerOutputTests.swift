// What is handed out and when: slow readers, heartbeats, presence, flushes, the orderly stop.
import TableModel
import TableWire
import Testing

@testable import TableServer

@Suite struct ServerOutputTests {
    @Test("GB1: a reader that takes nothing costs nothing and is told slow_consumer; others go on")
    func slowConsumer() {
        var limits = ServerLimits()
        limits.ringBytes = 20_000
        limits.ringSegmentBytes = 4_000
        var (world, token) = stockWorld(limits: limits)
        let writer = world.login(token: token)
        let slow = world.login(token: token)
        let opened = world.ask(slow, openLine)
        _ = world.ask(writer, openLine)
        world.stuck.insert(slow)
        var number = 0
        for _ in 0..<25 {
            for _ in 0..<20 {
                number += 1
                let mine = world.ask(writer, insertLine(number, session: "s2"))
                #expect(mine.count == 1)
            }
            world.pass(seconds: 1)
            _ = world.ask(writer, #"{"type":"ping"}"#)
        }
        let slot = world.server.slots[slow] ?? 0
        #expect(world.server.connections[slot].answers.isEmpty)
        #expect(world.closes.last != slow)
        world.pass(seconds: 7)
        #expect(world.closes.contains(slow))
        #expect(!world.closes.contains(writer))
        world.stuck.remove(slow)
        // It comes back with what it holds and gets the rest.
        let again = world.login(token: token)
        let lines = world.ask(
            again, resumeLine(lineage: field("lineage", of: opened[0]) ?? "", sequence: 1))
        #expect(lines.filter { $0.hasPrefix(#"{"type":"record""#) }.count == number)
    }

    @Test("a slow reader that takes a little now and then stays, and falls back to the log")
    func slowButAlive() {
        var limits = ServerLimits()
        limits.ringBytes = 2_000
        limits.ringSegmentBytes = 500
        limits.catchUpBytes = 1_000
        var (world, token) = stockWorld(limits: limits)
        let writer = world.login(token: token)
        let slow = world.login(token: token)
        _ = world.ask(slow, openLine)
        _ = world.ask(writer, openLine)
        var records: [String] = []
        for number in 1...100 {
            world.stuck.insert(slow)
            _ = world.ask(writer, insertLine(number, session: "s2"))
            world.pass(seconds: 1)
            guard number % 20 == 0 else { continue }
            world.stuck.remove(slow)
            world.drain(slow)
            world.turn()
            records.append(contentsOf: world.news(slow))
        }
        let numbers = records.compactMap { line -> Int? in
            guard line.hasPrefix(#"{"type":"record""#) else { return nil }
            return Int(line.dropFirst(36).prefix { $0.isNumber })
        }
        #expect(numbers == Array(2...101))
        #expect(!world.closes.contains(slow))
    }

    @Test("a heartbeat after fifteen seconds of silence: live with the head, or pong")
    func heartbeat() {
        var (world, token) = stockWorld()
        let follower = world.login(token: token)
        let other = world.login(token: token)
        _ = world.ask(follower, openLine)
        world.pass(seconds: 14)
        #expect(world.news(follower).isEmpty && world.news(other).isEmpty)
        world.pass(seconds: 3)
        #expect(world.news(follower) == [#"{"type":"live","table":"t1","seq":1}"#])
        #expect(world.news(other) == [#"{"type":"pong"}"#])
        world.pass(seconds: 32)
        #expect(world.news(follower).count == 2)
    }

    @Test("W7: presence is of followers, stamped by the server, sent to all, newest place only")
    func presence() {
        var (world, token) = stockWorld()
        let (ada, _) = world.person("Ada")
        let bot = world.login(token: token)
        _ = world.ask(ada, openLine)
        _ = world.ask(bot, #"{"type":"open","table":"t1","write":false}"#)
        world.pass(seconds: 0.2)
        _ = world.lines(ada)
        _ = world.lines(bot)
        for counter in 1...50 {
            world.send(
                ada, #"{"type":"presence","table":"t1","row":"s1.\#(counter)","column":"c0.1"}"#)
        }
        world.pass(seconds: 0.5)
        let lists = world.lines(bot)
        #expect(lists.count <= 2)
        #expect(
            lists.last
                == #"{"type":"presence","table":"t1","who":[{"connection":2,"user":"u2","name":"#
                + #""Ada","row":"s1.50","column":"c0.1"},{"connection":3,"user":"u1","#
                + #""name":"stocker","row":null,"column":null}]}"#)
        let who = world.ask(bot, #"{"type":"who","table":"t1","id":1}"#)
        #expect(who[0].contains(#""row":"s1.50""#) && who[0].contains(#""id":1"#))
        world.disconnect(ada)
        world.pass(seconds: 0.2)
        let last = world.lines(bot).last ?? ""
        #expect(!last.contains("Ada") && last.contains("stocker"))
    }

    @Test("the deadline is never in the past, also where the first list of a table is due")
    func deadlineIsNotPast() {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        let now = world.now
        var actions: [ServerAction] = []
        let bytes = Array((openLine + "\n").utf8)
        unsafe world.server.received(bytes.span.bytes, from: bot, at: now, into: &actions)
        #expect(world.server.deadline == now.instant)
    }

    @Test("W7: gone after 45 s without a sign, back with the next; a reconnect is a new number")
    func presenceTimesOut() {
        var (world, token) = stockWorld()
        let (ada, device) = world.person("Ada")
        let bot = world.login(token: token)
        _ = world.ask(ada, openLine)
        _ = world.ask(bot, openLine)
        for _ in 0..<5 {
            world.pass(seconds: 10)
            world.send(bot, #"{"type":"ping"}"#)
        }
        #expect(!world.ask(bot, #"{"type":"who","table":"t1"}"#)[0].contains("Ada"))
        world.send(ada, #"{"type":"ping"}"#)
        #expect(world.ask(bot, #"{"type":"who","table":"t1"}"#).last?.contains("Ada") == true)
        world.disconnect(ada)
        let again = world.login(token: device)
        _ = world.ask(again, openLine)
        let who = world.ask(bot, #"{"type":"who","table":"t1"}"#).last ?? ""
        #expect(who.contains(#""connection":\#(again.rawValue),"user":"u2""#))
        #expect(!who.contains(#""connection":\#(ada.rawValue),"#))
    }

    @Test("not_open: presence needs a table that is followed")
    func presenceNeedsOpen() {
        var (world, token) = stockWorld()
        let bot = world.login(token: token)
        let line = #"{"type":"presence","table":"t1","row":null,"column":null}"#
        #expect(world.ask(bot, line)[0].contains(#""code":"not_open""#))
        _ = world.ask(bot, #"{"type":"open","table":"t1","follow":false}"#)
        #expect(world.ask(bot, line)[0].contains(#""code":"not_open""#))
        let auditor = world.login(token: world.botToken("auditor", role: "auditor"))
        _ = world.ask(auditor, openLine)
        #expect(world.ask(auditor, line)[0].contains(#""code":"forbidden""#))
    }

    @Test("followers are woken at once when it is quiet, together when it is not")
    func flushes() {
        var limits = ServerLimits()
        limits.connectionsPerBotMax = 200
        var (world, token) = stockWorld(limits: limits)
        let writer = world.login(token: token)
        _ = world.ask(writer, #"{"type":"open","table":"t1","follow":false}"#)
        let watchers = (0..<100).map { _ in world.login(token: token) }
        for watcher in watchers {
            _ = world.ask(watcher, #"{"type":"open","table":"t1","write":false}"#)
        }
        world.pass(seconds: 1)
        for watcher in watchers { _ = world.lines(watcher) }
        world.wakes = []
        _ = world.ask(writer, insertLine(1))
        #expect(world.wakes.count == 101)
        for watcher in watchers { #expect(world.news(watcher).count == 1) }
        world.wakes = []
        for number in 2...21 {
            _ = world.ask(writer, insertLine(number))
            world.pass(seconds: 0.000_1)
        }
        world.pass(seconds: 0.01)
        #expect(world.wakes.count <= 20 + 200)
        for watcher in watchers { #expect(world.news(watcher).count == 20) }
    }

    @Test("GO1: an orderly stop stores what is decided, answers it, says going_away, then stops")
    func orderlyStop() throws {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let idle = world.login(token: token)
        _ = world.ask(writer, openLine)
        world.appendsAtOnce = false
        world.send(writer, insertLine(1))
        let now = world.now
        world.turn { server, actions in
            unsafe server.received(
                Array((insertLine(2) + "\n").utf8).span.bytes, from: writer, at: now,
                into: &actions)
            server.stopRequested(at: now, into: &actions)
        }
        world.send(writer, insertLine(3))
        #expect(world.closes.isEmpty || !world.closes.contains(writer))
        world.makeDurable()
        world.makeDurable()
        let lines = world.news(writer)
        #expect(lines.count == 3)
        #expect(lines[1].contains(#""cseq":2"#))
        #expect(lines[2].contains(#""type":"bye","code":"going_away""#))
        #expect(lines[2].contains("retry_seconds"))
        #expect(world.news(idle).count == 1)
        #expect(world.hasStopped)
        try world.restart()
        #expect(world.server.rooms[0].table.head == 3)
    }

    @Test("GO1: a stop is over after ten seconds, whoever does not read")
    func stopIsBounded() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        world.appendsAtOnce = false
        world.send(writer, insertLine(1))
        let now = world.now
        world.turn { server, actions in server.stopRequested(at: now, into: &actions) }
        #expect(!world.hasStopped)
        let late = world.connect()
        #expect(world.news(late)[0].contains("going_away"))
        world.pass(seconds: 9)
        #expect(!world.hasStopped)
        world.pass(seconds: 2)
        #expect(world.hasStopped)
        #expect(world.closes.contains(writer))
    }

    @Test("a connection that is told bye and does not fetch it is cut")
    func byeIsBounded() {
        var (world, token) = stockWorld()
        let bad = world.login(token: token)
        let now = world.now
        var actions: [ServerAction] = []
        let bytes = Array("nonsense\n".utf8)
        unsafe world.server.received(bytes.span.bytes, from: bad, at: now, into: &actions)
        #expect(actions == [.wake(bad), .close(bad, afterOutput: true)])
        let later = Now(
            instant: now.instant.adding(seconds: 6), wallMilliseconds: now.wallMilliseconds)
        actions = []
        world.server.tick(at: later, into: &actions)
        #expect(actions.contains(.close(bad, afterOutput: false)))
    }

    @Test("answers that are not fetched stop reading; nothing is dropped")
    func answersAreBounded() {
        var limits = ServerLimits()
        limits.answerBytesMax = 1_000
        var (world, token) = stockWorld(limits: limits)
        let bot = world.login(token: token)
        world.stuck.insert(bot)
        let pings = (1...200).map { #"{"type":"ping","id":\#($0)}"# + "\n" }.joined()
        world.send(bot, bytes: Array(pings.utf8))
        #expect(world.readingStopped == [bot])
        let slot = world.server.slots[bot] ?? 0
        #expect(world.server.connections[slot].answers.byteCount < 1_100)
        world.stuck.remove(bot)
        world.drain(bot)
        world.turn()
        #expect(world.news(bot).count == 200)
        #expect(world.readingStopped.isEmpty)
    }
}
