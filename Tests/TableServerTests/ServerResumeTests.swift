// Coming back: from a number by ring or log, by snapshot, with a session, after a restart.
import TableModel
import TableWire
import Testing

@testable import TableServer

/// Opens with what a client holds.
func resumeLine(
    lineage: String, sequence: Int, session: String? = nil, token: String = "", next: Int = 1,
    more: String = ""
) -> String {
    var line = #"{"type":"open","table":"t1","have":{"lineage":"\#(lineage)","seq":\#(sequence)}"#
    if let session {
        line += #","resume":{"session":"\#(session)","token":"\#(token)","next":\#(next)}"#
    }
    return line + more + "}"
}

/// Opens to go on with a session, holding nothing.
func resumeOnly(session: String, token: String, next: Int = 1) -> String {
    let session = #""session":"\#(session)","token":"\#(token)","next":\#(next)"#
    return #"{"type":"open","table":"t1","resume":{\#(session)}}"#
}

@Suite struct ServerResumeTests {
    /// The numbers of the records among lines.
    func numbers(_ lines: [String]) -> [Int] {
        lines.compactMap { line in
            guard line.hasPrefix(#"{"type":"record","table":"t1","seq":"#) else { return nil }
            return Int(line.dropFirst(36).prefix { $0.isNumber })
        }
    }

    /// A table with records 1 to 21 and its lineage.
    func filled(
        limits: ServerLimits = ServerLimits()
    ) -> (World, token: String, lineage: String, first: [String]) {
        var (world, token) = stockWorld(limits: limits)
        let writer = world.login(token: token)
        let opened = world.ask(writer, openLine)
        for number in 1...20 { _ = world.ask(writer, insertLine(number)) }
        world.disconnect(writer)
        return (world, token, field("lineage", of: opened[0]) ?? "", opened)
    }

    @Test("GX2: from a number, exactly the records after it, then live", arguments: [0, 1, 13, 21])
    func tail(_ sequence: Int) {
        var (world, token, lineage, _) = filled()
        let client = world.login(token: token)
        let lines = world.ask(client, resumeLine(lineage: lineage, sequence: sequence))
        #expect(numbers(lines) == Array((sequence + 1)..<22))
        #expect(lines.first?.contains(#""type":"opened""#) == true)
        #expect(lines.last == #"{"type":"live","table":"t1","seq":21}"#)
        #expect(lines.count == 2 + 21 - sequence)
    }

    @Test("GX2: what the ring has forgotten comes from the log, in bounded pieces")
    func tailFromLog() {
        var limits = ServerLimits()
        limits.ringBytes = 600
        limits.ringSegmentBytes = 300
        limits.logBatchBytes = 200
        limits.catchUpBytes = 400
        var (world, token, lineage, _) = filled(limits: limits)
        world.outputBytesMax = 300
        let client = world.login(token: token)
        let lines = world.ask(client, resumeLine(lineage: lineage, sequence: 2))
        #expect(numbers(lines) == Array(3..<22))
        #expect(lines.last == #"{"type":"live","table":"t1","seq":21}"#)
    }

    @Test("GX2: many behind the ring take turns, and live records go on meanwhile")
    func manyFromLog() {
        var limits = ServerLimits()
        limits.ringBytes = 600
        limits.ringSegmentBytes = 300
        limits.catchUpsMax = 2
        limits.catchUpBytes = 300
        var (world, token, lineage, _) = filled(limits: limits)
        let clients = (0..<9).map { _ in world.login(token: token) }
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        for (index, client) in clients.enumerated() {
            world.send(client, resumeLine(lineage: lineage, sequence: index))
            world.send(writer, insertLine(index + 1, session: "s\(index + 2)"))
        }
        _ = world.news(writer)
        for (index, client) in clients.enumerated() {
            let records = numbers(world.news(client))
            #expect(
                records == Array((index + 1)..<(22 + 9)).filter { $0 < 22 }
                    + records.filter { $0 >= 22 })
        }
    }

    @Test("another lineage, or a number beyond the head, gets a snapshot with the new lineage")
    func otherLineage() {
        var (world, token, lineage, _) = filled()
        for (held, sequence) in [("other", 3), (lineage, 22), (lineage, -1)] {
            let client = world.login(token: token)
            let lines = world.ask(client, resumeLine(lineage: held, sequence: sequence))
            guard sequence >= 0 else { continue }
            #expect(field("lineage", of: lines[0]) == lineage)
            #expect(field("type", of: lines[1]) == "snapshot")
            #expect(lines[1].contains(#""seq":21,"rows":20"#))
            #expect(field("type", of: lines[lines.count - 2]) == "snapshot_end")
            #expect(numbers(lines).isEmpty)
        }
    }

    @Test("lineage_changed: a session does not go on in another history")
    func sessionOfOtherLineage() {
        var (world, token, lineage, opened) = filled()
        let secret = field("token", of: opened[0]) ?? ""
        for (held, sequence) in [("other", 3), (lineage, 22)] {
            let client = world.login(token: token)
            let line = resumeLine(
                lineage: held, sequence: sequence, session: "s1", token: secret)
            let answer = world.ask(client, line)
            #expect(answer.count == 1 && answer[0].contains(#""code":"lineage_changed""#))
        }
        let client = world.login(token: token)
        let line = resumeLine(lineage: lineage, sequence: 21, session: "s1", token: secret)
        #expect(field("type", of: world.ask(client, line)[0]) == "opened")
    }

    @Test("a gap that costs more than a snapshot gets a snapshot")
    func snapshotIsCheaper() {
        var limits = ServerLimits()
        limits.tailBytesMin = 500
        var (world, token, lineage, _) = filled(limits: limits)
        let near = world.login(token: token)
        #expect(numbers(world.ask(near, resumeLine(lineage: lineage, sequence: 20))) == [21])
        let far = world.login(token: token)
        let lines = world.ask(far, resumeLine(lineage: lineage, sequence: 2))
        #expect(field("type", of: lines[1]) == "snapshot")
        // Who starts at the head wants records, whatever they cost.
        let watcher = world.login(token: token)
        let line = resumeLine(lineage: lineage, sequence: 2, more: #","start":"head""#)
        #expect(numbers(world.ask(watcher, line)) == Array(3...21))
    }

    @Test("start head: nothing of before, then the next record")
    func startAtHead() {
        var (world, token, _, _) = filled()
        let client = world.login(token: token)
        let lines = world.ask(client, #"{"type":"open","table":"t1","start":"head"}"#)
        #expect(lines.count == 2)
        #expect(lines[1] == #"{"type":"live","table":"t1","seq":21}"#)
        #expect(numbers(world.ask(client, insertLine(1, session: "s2"))) == [22])
    }

    @Test("start head with another history: nothing of before, and `opened` says which it is")
    func startAtHeadOfOther() {
        var (world, token, lineage, opened) = filled()
        let secret = field("token", of: opened[0]) ?? ""
        for (held, sequence) in [("other", 3), (lineage, 22)] {
            let client = world.login(token: token)
            let start = #","start":"head""#
            let lines = world.ask(
                client, resumeLine(lineage: held, sequence: sequence, more: start))
            #expect(lines.count == 2)
            #expect(field("lineage", of: lines[0]) == lineage)
            #expect(lines[0].contains(#""seq":21,"#))
            #expect(lines[1] == #"{"type":"live","table":"t1","seq":21}"#)
            let other = world.login(token: token)
            let line = resumeLine(
                lineage: held, sequence: sequence, session: "s1", token: secret, more: start)
            #expect(world.ask(other, line)[0].contains(#""code":"lineage_changed""#))
        }
    }

    @Test("a snapshot is of one number, however long it takes and whatever comes meanwhile")
    func snapshotIsPinned() {
        var limits = ServerLimits()
        limits.chunkRowsMax = 3
        var (world, token, _, _) = filled(limits: limits)
        let joiner = world.login(token: token)
        let writer = world.login(token: token)
        _ = world.ask(writer, #"{"type":"open","table":"t1","follow":false}"#)
        world.stuck.insert(joiner)
        world.send(joiner, #"{"type":"open","table":"t1","write":false}"#)
        var bytes: [UInt8] = []
        for number in 1...30 {
            _ = world.ask(writer, insertLine(number, session: "s2"))
            world.server.takeOutput(
                for: joiner, into: &bytes, byteCountMax: bytes.count + 1, at: world.now)
        }
        world.stuck.remove(joiner)
        world.drain(joiner)
        let lines =
            bytes.split(separator: newline).map { String(decoding: $0, as: UTF8.self) }
            + world.news(joiner)
        let snapshot = lines.filter { field("type", of: $0) == "chunk" }
        #expect(snapshot.count == 7)
        #expect(!snapshot.contains { $0.contains("s2.") })
        #expect(numbers(lines) == Array(22...51))
    }

    @Test("readers of snapshots who never read share few copies; who comes later misses nothing")
    func snapshotCopiesAreShared() {
        var limits = ServerLimits()
        limits.chunkRowsMax = 3
        limits.snapshotCopiesMax = 2
        var (world, token, _, _) = filled(limits: limits)
        let writer = world.login(token: token)
        _ = world.ask(writer, #"{"type":"open","table":"t1","follow":false}"#)
        let open = #"{"type":"open","table":"t1","write":false}"#
        var joiners: [ConnectionID] = []
        for number in 1...6 {
            let joiner = world.login(token: token)
            world.stuck.insert(joiner)
            world.send(joiner, open)
            joiners.append(joiner)
            _ = world.ask(writer, insertLine(number, session: "s2"))
        }
        #expect(world.server.rooms[0].pins.map(\.sequence) == [21, 22])
        for (index, joiner) in joiners.enumerated() {
            world.stuck.remove(joiner)
            world.drain(joiner)
            let lines = world.news(joiner)
            let first = lines.first { field("type", of: $0) == "snapshot" } ?? ""
            #expect(first.contains(#""seq":\#(index == 0 ? 21 : 22),"#))
            #expect(numbers(lines) == Array((index == 0 ? 22 : 23)...27))
        }
        world.pass(seconds: 3)
        #expect(world.server.rooms[0].pins.isEmpty)
    }

    @Test("W5: a resumed session is told its stored answers, records by the stream")
    func resumedAnswers() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let opened = world.ask(writer, openLine)
        let lineage = field("lineage", of: opened[0]) ?? ""
        let secret = field("token", of: opened[0]) ?? ""
        let noop = #"{"type":"op","table":"t1","cseq":2,"body":[{"set":[["s1.1","qty",1]]}]}"#
        world.stuck.insert(writer)
        world.send(writer, insertLine(1), noop, insertLine(3, row: 2))
        world.disconnect(writer)
        let again = world.login(token: token)
        let lines = world.ask(
            again,
            resumeLine(lineage: lineage, sequence: 1, session: "s1", token: secret, next: 1))
        let kinds = lines.map { field("type", of: $0) ?? "" }
        #expect(kinds == ["opened", "record", "reply", "record", "live"])
        #expect(lines[0].contains(#""last_cseq":3"#))
        #expect(lines[0].contains(#""row_counter":2"#))
        // By snapshot all answers are replies.
        world.disconnect(again)
        let secret2 = field("token", of: lines[0]) ?? ""
        let third = world.login(token: token)
        let byReply = world.ask(
            third,
            resumeOnly(session: "s1", token: secret2, next: 2))
        let replies = byReply.filter { field("type", of: $0) == "reply" }
        #expect(replies.count == 2)
        #expect(replies[0].contains(#""cseq":2"#) && replies[1].contains(#""cseq":3,"seq":3"#))
    }

    @Test("session_forked: an older secret, and the older of two connections")
    func forked() {
        var (world, token) = stockWorld()
        let first = world.login(token: token)
        let opened = world.ask(first, openLine)
        let secret = field("token", of: opened[0]) ?? ""
        let resume =
            #"{"type":"open","table":"t1","resume":{"session":"s1","token":"TOKEN","next":1}}"#
        let second = world.login(token: token)
        let resumed = world.ask(second, resume.replacing("TOKEN", with: secret))
        let newer = field("token", of: resumed[0]) ?? ""
        #expect(newer != secret)
        let bye = world.news(first)
        #expect(bye.count == 1 && bye[0].contains(#""type":"bye","code":"session_forked""#))
        #expect(world.closes.last == first)
        // Not yet used: the answer with the new secret may have been lost.
        let third = world.login(token: token)
        let retried = world.ask(third, resume.replacing("TOKEN", with: secret))
        let newest = field("token", of: retried[0]) ?? ""
        #expect(field("type", of: retried[0]) == "opened")
        #expect(world.news(second).last?.contains("session_forked") == true)
        let stale = world.login(token: token)
        #expect(
            world.ask(stale, resume.replacing("TOKEN", with: newer))[0]
                .contains(#""code":"session_forked""#))
        // Used: from here on the older one is a fork.
        _ = world.ask(third, insertLine(1))
        #expect(
            world.ask(stale, resume.replacing("TOKEN", with: secret))[0]
                .contains(#""code":"session_forked""#))
        #expect(
            field("type", of: world.ask(stale, resume.replacing("TOKEN", with: newest))[0])
                == "opened")
    }

    @Test("GX4: only the same user may go on with a session")
    func otherUser() {
        var (world, token) = stockWorld()
        let first = world.login(token: token)
        let secret = field("token", of: world.ask(first, openLine)[0]) ?? ""
        let (thief, _) = world.person("Eve")
        let answer = world.ask(
            thief, resumeOnly(session: "s1", token: secret))
        #expect(answer.count == 1 && answer[0].contains(#""code":"forbidden""#))
        #expect(world.news(first).isEmpty)
        let unknown = world.ask(
            thief, resumeOnly(session: "s7", token: secret))
        #expect(unknown[0].contains(#""code":"session_expired""#))
    }

    @Test("a session ends after thirty days without contact, and its number is not given again")
    func expires() throws {
        var (world, token) = stockWorld()
        let first = world.login(token: token)
        let opened = world.ask(first, openLine)
        let secret = field("token", of: opened[0]) ?? ""
        world.disconnect(first)
        let keeper = world.connect()
        world.send(keeper, #"{"type":"hello"}"#, #"{"type":"login","token":"\#(token)"}"#)
        // Jumps of the wall clock end nothing.
        world.now.wallMilliseconds += 3_650 * 86_400_000
        world.pass(seconds: 7_300)
        #expect(world.server.rooms[0].sessions.count == 1)
        world.now.wallMilliseconds -= 3_650 * 86_400_000
        // A restart thirty-one days later, and an hour of grace.
        world.now.wallMilliseconds += 31 * 86_400_000
        try world.restart()
        let second = world.login(token: token)
        #expect(world.server.rooms[0].sessions.count == 1)
        world.pass(seconds: 3_700)
        let answer = world.ask(
            second, resumeOnly(session: "s1", token: secret))
        #expect(answer.last?.contains(#""code":"session_expired""#) == true)
        #expect(world.ask(second, openLine)[0].contains(#""session":"s2""#))
        try world.restart()
        #expect(world.server.rooms[0].sessions.count == 1)
    }

    @Test("closing: what was done is answered first, then nothing more comes")
    func closes() {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let other = world.login(token: token)
        _ = world.ask(writer, openLine)
        _ = world.ask(other, openLine)
        let lines = world.ask(
            writer, insertLine(1), #"{"type":"close","table":"t1","id":2}"#,
            #"{"type":"close","table":"t1"}"#, openLine)
        let kinds = lines.map { field("type", of: $0) ?? "" }
        #expect(kinds.prefix(4) == ["record", "closed", "error", "opened"])
        #expect(lines[1] == #"{"type":"closed","table":"t1","id":2}"#)
        #expect(lines[2].contains(#""code":"not_open""#))
        #expect(lines[3].contains(#""session":"s3""#))
        #expect(world.ask(writer, openLine)[0].contains(#""code":"already_open""#))
        _ = world.ask(writer, #"{"type":"close","table":"t1"}"#)
        _ = world.ask(other, insertLine(1, session: "s2"))
        #expect(world.news(writer).isEmpty)
    }
}
