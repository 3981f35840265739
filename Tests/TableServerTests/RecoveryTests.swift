// Restart: what was appended makes the same server again, answer by answer; what is damaged is
// named.
import TableLog
import TableModel
import TableWire
import Testing

@testable import TableServer

@Suite struct RecoveryTests {
    /// Operations of every kind and outcome by two sessions.
    func busy(limits: ServerLimits = ServerLimits()) -> (World, token: String, [String], [String]) {
        var (world, token) = stockWorld(limits: limits)
        let first = world.login(token: token)
        _ = world.ask(first, #"{"type":"open","table":"stock","follow":false}"#)
        let bodies = [
            #"[{"insert":{"rows":["s1.1-9"],"columns":["item","qty"],"cells":["#
                + (1...9).map { #"["row \#($0)",\#($0)]"# }.joined(separator: ",") + "]}}]",
            #"[{"set":[["s1.2","qty",20]]},{"add":["s1.3","qty",5]}]"#,
            #"[{"move":{"rows":["s1.7-8"],"at":"first"}}]"#, #"[{"delete":["s1.4","s1.5"]}]"#,
            #"[{"set":[["s1.4","qty",4]]}]"#, #"[{"set":[["s1.4","qty",4]]}]"#,
            #"[{"set":[["s1.1","qty","many"]]}]"#,
            #"[{"column_add":{"name":"qty","type":"int","on_clash":"suffix"}}]"#,
            #"[{"column_rename":{"column":"item","name":"thing"}}]"#,
            #"[{"append":{"thing":"last"}}]"#, #"[{"column_delete":"qty 2"}]"#,
        ]
        var lines: [String] = []
        var answers: [String] = []
        for (index, body) in bodies.enumerated() {
            let line = #"{"type":"op","table":"t1","cseq":\#(index + 1),"body":\#(body)}"#
            lines.append(line)
            answers.append(contentsOf: world.ask(first, line))
        }
        let loose = world.login(token: token)
        _ = world.ask(loose, #"{"type":"op","table":"t1","body":[{"append":{"qty":7}}]}"#)
        return (world, token, lines, answers)
    }

    @Test("GD1, GX1: after a restart the same table, the same hash, the same answers to resends")
    func sameAnswers() throws {
        var (world, token, lines, answers) = busy()
        #expect(answers.count == lines.count)
        let asking = world.login(token: token)
        let hash = world.ask(asking, #"{"type":"hash","table":"t1"}"#)
        let rows = world.ask(
            asking, #"{"type":"read","table":"t1","from":0,"count":99,"versions":true}"#)
        let secret = try #require(secretOfSession(in: world))
        for seed in UInt64(2)...4 {
            try world.restart(seed: seed)
            let again = world.login(token: token)
            #expect(world.ask(again, #"{"type":"hash","table":"t1"}"#) == hash)
            #expect(
                world.ask(
                    again, #"{"type":"read","table":"t1","from":0,"count":99,"versions":true}"#)
                    == rows)
        }
        // The secret is only stored as a hash, so another session cannot stand in for it: what
        // the server keeps is compared instead.
        #expect(secretOfSession(in: world) == secret)
        let decided = world.server.rooms[0].sessions[0].decided
        #expect(decided.last == Int64(lines.count))
        for (index, answer) in answers.enumerated() {
            let kept = try #require(decided[Int64(index + 1)])
            #expect(unsafe kept.hash == hash64(Array(lines[index].utf8).span.bytes))
            if !kept.reply.isEmpty {
                #expect(String(decoding: kept.reply.dropLast(), as: UTF8.self) == answer)
            } else {
                #expect(answer.contains(#""outcome":{"status":"ok"}"#))
            }
        }
    }

    func secretOfSession(in world: World) -> SecretHash? {
        let sessions = world.server.rooms[0].sessions
        return sessions.count == 1 ? sessions[0].tokenHash : nil
    }

    @Test("GX1: resends over a connection get the first answers after a restart")
    func resendAfterRestart() throws {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let opened = world.ask(writer, #"{"type":"open","table":"t1","follow":false}"#)
        let secret = field("token", of: opened[0]) ?? ""
        var lines: [String] = []
        for number in 1...30 {
            lines.append(
                number % 3 == 0
                    ? #"{"type":"op","table":"t1","cseq":\#(number),"body":[{"delete":["s8.1"]}]}"#
                    : insertLine(number))
        }
        let answers = lines.flatMap { world.ask(writer, $0) }
        #expect(answers.count == 30)
        try world.restart()
        let again = world.login(token: token)
        let resumed = world.ask(
            again,
            #"{"type":"open","table":"t1","follow":false,"resume":{"session":"s1","token":"#
                + #""\#(secret)","next":11}}"#)
        #expect(Array(resumed.dropFirst()) == Array(answers[10...]))
        #expect(resumed[0].contains(#""last_cseq":30"#))
        for (line, answer) in zip(lines, answers) { #expect(world.ask(again, line) == [answer]) }
        #expect(world.ask(again, insertLine(31)).count == 1)
        // The old secret was replaced at the resumption, before and after another restart.
        try world.restart()
        let stale = world.login(token: token)
        #expect(
            world.ask(stale, resumeOnly(session: "s1", token: secret))[0]
                .contains(#""code":"session_forked""#))
    }

    @Test("the log of a table holds its records exactly as they were broadcast")
    func logIsTheBroadcast() throws {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        _ = world.ask(writer, openLine)
        let records = (1...5).flatMap { world.ask(writer, insertLine($0)) }
        var stored: [String] = []
        try world.store.forEachBatch(1) { batch in
            let lines = batch.bytes.split(separator: newline)
            stored.append(contentsOf: lines.map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(stored.filter { $0.hasPrefix(#"{"type":"record""#) }.dropFirst() == records[...])
        let all = stored.joined()
        #expect(!all.contains(token) && all.contains(#""hash":""#))
    }

    @Test("GX1: an operation that was appended but not answered is not performed again")
    func appendedNotAnswered() throws {
        var (world, token) = stockWorld()
        let writer = world.login(token: token)
        let opened = world.ask(writer, openLine)
        let secret = field("token", of: opened[0]) ?? ""
        world.appendsAtOnce = false
        #expect(world.ask(writer, insertLine(1)).isEmpty)
        try world.store.append(world.appends[0].batches)
        world.appendsAtOnce = true
        try world.restart()
        let again = world.login(token: token)
        let resumed = world.ask(
            again,
            #"{"type":"open","table":"t1","resume":{"session":"s1","token":"\#(secret)","next":1}}"#
        )
        #expect(resumed[0].contains(#""last_cseq":1"#))
        #expect(world.ask(again, insertLine(1))[0].contains(#""seq":2"#))
        #expect(world.server.rooms[0].table.rowCount == 1)
    }

    @Test("many batches in one append, and reply lines behind them, are read back")
    func splitBatches() throws {
        var limits = ServerLimits()
        limits.logBatchBytes = 300
        var (world, _, lines, _) = busy(limits: limits)
        let before = world.server.rooms[0]
        try world.restart()
        #expect(world.server.rooms[0].table.head == before.table.head)
        #expect(world.server.rooms[0].sessions[0].decided.last == Int64(lines.count))
        #expect(world.server.rooms[0].ring.byteCount == before.ring.byteCount)
    }

    @Test("GD5: what does not fit is named with log and number, and never guessed")
    func damage() throws {
        let (world, _, _, _) = busy()
        var batches: [LogBatch] = []
        for (log, _) in try world.store.logs() {
            try world.store.forEachBatch(log) { batches.append($0) }
        }
        let tables = batches.indices.filter { batches[$0].log == 1 }
        #expect(tables.count > 5)
        for index in tables.dropFirst() {
            // A batch is missing, comes twice, or has lost its last line.
            var without = batches
            without.remove(at: index)
            if index != tables.last, batches[index].last >= batches[index].first {
                #expect(throws: RecoveryError.self) { try recover(without) }
            }
            // (A session that is opened twice is opened once.)
            let isDecided = String(decoding: batches[index].bytes, as: UTF8.self).contains(
                "decided")
            var twice = batches
            twice.insert(batches[index], at: index)
            if isDecided { #expect(throws: RecoveryError.self) { try recover(twice) } }
            var cut = batches
            cut[index].bytes.removeLast(2)
            #expect(throws: RecoveryError.self) { try recover(cut) }
        }
        let unknown = LogBatch(log: 9, first: 1, last: 0, bytes: [])
        #expect(throws: RecoveryError(log: 9, sequence: 1, reason: "log 0 knows no such table")) {
            try recover(batches + [unknown])
        }
    }

    private func recover(_ batches: [LogBatch]) throws(RecoveryError) {
        var server = World.makeServer(limits: ServerLimits(), seed: 3)
        for batch in batches { try server.recover(batch) }
    }

    @Test("GO6: another format is refused in words")
    func otherFormat() {
        let line = Array("{\"type\":\"log\",\"format\":2}\n".utf8)
        #expect(
            throws: RecoveryError(
                log: 0, sequence: 0, reason: "format 2 is not the one this version reads (1)")
        ) {
            try recover([LogBatch(log: 0, first: 1, last: 0, bytes: line)])
        }
    }
}
