// Clients that say anything at any time: no line may end the process, disturb another
// connection, leave before it is durable, or leave a follower with a gap.
import TableModel
import TableWire
import Testing

@testable import TableServer

@Suite struct ServerHostilityTests {
    /// Lines of every kind, some with mistakes of meaning.
    static func line(_ random: inout SeededGenerator) -> String {
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        func number() -> String {
            pick(["0", "1", "2", "3", "7", "-1", "9223372036854775807", "-9223372036854775808"])
        }
        let table = pick(["t1", "t1", "t1", "stock", "t2", "t99", "other"])
        let row = pick(["s1.1", "s1.2-9", "s2.1", "s0.1", "s3.1", "s2147483647.4294967295"])
        let column = pick(["item", "qty", "c0.1", "c0.2", "c9.9", "none"])
        let value = pick(["1", "null", "\"x\"", "1.5", "true", "9223372036854775807", "\"9\""])
        let intent = pick([
            #"{"append":{"qty":1}}"#, #"{"append":{}}"#,
            #"{"set":[["\#(row)","\#(column)",\#(value)]]}"#,
            #"{"add":["\#(row)","\#(column)",\#(value)]}"#, #"{"delete":["\#(row)"]}"#,
            #"{"insert":{"rows":["\#(row)"],"columns":["\#(column)"],"cells":[[\#(value)]]}}"#,
            #"{"insert":{"count":3}}"#, #"{"move":{"rows":["\#(row)"],"at":{"after":"\#(row)"}}}"#,
            #"{"column_add":{"name":"\#(column)","type":"int","on_clash":"suffix"}}"#,
            #"{"column_delete":"\#(column)"}"#,
            #"{"column_move":{"column":"\#(column)","at":"first"}}"#,
        ])
        return pick([
            #"{"type":"op","table":"\#(table)","body":[\#(intent)],"id":\#(number())}"#,
            #"{"type":"op","table":"\#(table)","cseq":\#(number()),"body":[\#(intent)]}"#,
            #"{"type":"op","table":"\#(table)","base":\#(number()),"mode":"strict","body":["#
                + "\(intent),\(intent)]}",
            #"{"type":"open","table":"\#(table)","window":\#(number())}"#,
            #"{"type":"open","table":"\#(table)","follow":false}"#,
            #"{"type":"open","table":"\#(table)","start":"head","write":false}"#,
            #"{"type":"open","table":"\#(table)","have":{"lineage":"x","seq":\#(number())}}"#,
            #"{"type":"open","table":"\#(table)","resume":{"session":"s1","token":"x","#
                + #""next":\#(number())}}"#,
            #"{"type":"close","table":"\#(table)"}"#, #"{"type":"tables"}"#,
            #"{"type":"read","table":"\#(table)","from":\#(number()),"count":\#(number())}"#,
            #"{"type":"read","table":"\#(table)","rows":["\#(row)"],"columns":["\#(column)"],"#
                + #""versions":true}"#,
            #"{"type":"hash","table":"\#(table)"}"#, #"{"type":"who","table":"\#(table)"}"#,
            #"{"type":"presence","table":"\#(table)","row":"s1.1","column":null}"#,
            #"{"type":"create","table":"\#(pick(["a", "b", "stock", " "]))","columns":[]}"#,
            #"{"type":"ping"}"#, #"{"type":"hello"}"#, #"{"type":"bye"}"#, "nonsense",
        ])
    }

    /// The records that a connection was sent, which must have no gap and no repeat.
    static func check(_ lines: [String], _ last: inout Int?, seed: UInt64) {
        for line in lines {
            let bytes = Array(line.utf8)
            guard let read = try? unsafe readServerLine(bytes.span.bytes, limits: WireLimits())
            else {
                Issue.record("seed \(seed): not a message: \(line)")
                continue
            }
            switch read.message {
            case .opened, .closed: last = nil
            case .snapshotEnd(let table, let sequence) where table.rawValue == 1:
                last = Int(sequence)
            case .live(let table, let sequence) where table.rawValue == 1:
                if let last { #expect(last == Int(sequence), "seed \(seed)") }
                last = Int(sequence)
            case .record(let table, let record) where table.rawValue == 1:
                if let last { #expect(Int(record.sequence) == last + 1, "seed \(seed)") }
                last = Int(record.sequence)
            default: break
            }
        }
    }

    @Test(
        "GP1, GP2, GX2: whatever is said, others have their records without a gap",
        arguments: 1...12)
    func anything(_ seed: UInt64) throws {
        var limits = ServerLimits()
        limits.ringBytes = 1_500
        limits.ringSegmentBytes = 400
        limits.catchUpBytes = 600
        limits.logBatchBytes = 500
        limits.chunkRowsMax = 3
        limits.turnOpsMax = 7
        limits.linesPerTurnPart = 3
        limits.answerBytesMax = 3_000
        var random = SeededGenerator(state: seed)
        var (world, token) = stockWorld(limits: limits)
        world.outputBytesMax = 200
        var clients: [ConnectionID] = []
        var lasts: [ConnectionID: Int?] = [:]
        let witness = world.login(token: token)
        lasts[witness] = .some(nil)
        ServerHostilityTests.check(
            world.ask(witness, #"{"type":"open","table":"t1","write":false}"#),
            &lasts[witness, default: nil],
            seed: seed)
        for _ in 0..<300 {
            if clients.count < 4 {
                let client = world.login(token: token)
                lasts[client] = .some(nil)
                clients.append(client)
            }
            let client = clients.randomElement(using: &random) ?? witness
            var lines = ""
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                lines += ServerHostilityTests.line(&random) + "\n"
            }
            world.appendsAtOnce = Bool.random(using: &random)
            world.send(client, bytes: Array(lines.utf8))
            if Bool.random(using: &random) { world.makeDurable() }
            if Int.random(in: 0..<6, using: &random) == 0 {
                if world.stuck.remove(client) == nil {
                    world.stuck.insert(client)
                } else {
                    world.drain(client)
                }
            }
            if Int.random(in: 0..<25, using: &random) == 0 { world.disconnect(client) }
            world.pass(seconds: Double.random(in: 0...0.3, using: &random))
            for id in [witness] + clients {
                ServerHostilityTests.check(
                    world.lines(id), &lasts[id, default: nil], seed: seed)
            }
            clients.removeAll { world.server.slots[$0] == nil }
            world.send(witness, #"{"type":"ping"}"#)
        }
        #expect(world.server.slots[witness] != nil)
        while !world.appends.isEmpty { world.makeDurable() }
        world.appendsAtOnce = true
        world.pass(seconds: 1)
        ServerHostilityTests.check(
            world.lines(witness), &lasts[witness, default: nil], seed: seed)
        #expect(lasts[witness] == .some(Int(world.server.rooms[0].table.head)), "seed \(seed)")
        let hash = world.ask(witness, #"{"type":"hash","table":"t1"}"#)
        try world.restart()
        let again = world.login(token: token)
        #expect(world.ask(again, #"{"type":"hash","table":"t1"}"#) == hash, "seed \(seed)")
    }
}
