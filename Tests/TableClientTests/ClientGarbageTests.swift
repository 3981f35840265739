// What comes from a server is outside data: nothing of it may end the process.
import TableModel
import TableValue
import TableWire
import TestSupport
import Testing

@testable import TableClient

@Test("what is no message ends the connection, not the process")
func garbage() {
    for text in ["\n", "{}\n", "[]\n", "nonsense\n", "{\"type\":\"record\"}\n", "\u{FEFF}{}\n"] {
        let play = Play.live()
        play.hears(bytes: Array(text.utf8))
        #expect(play.takeActions().contains(.disconnect), "\(text)")
        play.logInAgain()
    }
}

@Test("a line without end is not kept for ever")
func endlessLine() {
    let play = Play.live { $0.wire.lineBytesMax = 1_000 }
    for _ in 0..<20 where play.client.isConnected {
        play.hears(bytes: [UInt8](repeating: UInt8(ascii: "x"), count: 100))
    }
    #expect(play.takeActions().contains(.disconnect))
    #expect(play.client.splitter.bufferedByteCount <= 1_000)
}

@Test("bytes that come when nobody is connected are passed over")
func bytesWithoutConnection() {
    let play = Play()
    play.hears(.pong)
    play.start()
    play.hears(.pong)
    #expect(play.takeActions() == [.connect])
}

@Test(
    "any message at any time: no crash, and the client can go on",
    arguments: 0..<200 as Range<UInt64>)
func anyMessageAtAnyTime(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let play = Play { $0.columnsMax = 8 }
    play.open(OpenRequest(table: .id(t1)))
    var head = OpenRequest(table: .name("other"))
    head.start = .head
    play.open(head)
    play.start()
    for _ in 0..<80 {
        switch play.client.state {
        case .connecting:
            play.connected()
            if random.below(4) > 0 {
                play.hears(
                    .welcome(Welcome()),
                    .loggedIn(user: "u2", name: "Ada", role: "editor", token: nil))
            }
        case .waiting: play.waitForConnect()
        case .failed: return
        case .idle: play.start()
        case .greeting, .ready:
            if random.below(8) == 0 { play.submit(edit(row(1), amount, .int(1))) }
            let id: RequestID? = random.below(3) == 0 ? RequestID(random.below(12)) : nil
            play.hears(line: ServerLine(id: id, message: anyMessage(&random)))
        }
        _ = play.client.replica(of: t1)?.rowCount
        _ = play.client.deadline
        _ = play.takeActions()
    }
}

private func anyMessage(_ random: inout SeededRandom) -> ServerMessage {
    let table = TableID(rawValue: Int64(random.below(2)) + 1)
    let number = anyNumber(&random)
    switch random.below(16) {
    case 0, 1, 2:
        var answer = opened(sequence: number, last: ClientNumber(random.below(3)))
        answer.table = table
        answer.lineage = ["history", "another"][random.below(2)]
        answer.writer?.lastClientNumber = random.below(4) == 0 ? number : 0
        answer.writer?.rowCounter = UInt32(truncatingIfNeeded: number)
        answer.writer?.window = random.below(3) - 1
        return .opened(answer)
    case 3:
        return .snapshot(
            table, sequence: number, rowCount: random.below(4),
            columns: Array(repeating: stageColumns[0], count: random.below(12)))
    case 4: return .chunk(Chunk(table: table, rows: [row(1)], columns: [name], cells: [.null]))
    case 5: return .snapshotEnd(table, sequence: number)
    case 6, 7, 8:
        return .record(
            table,
            Record(
                sequence: number, session: random.below(2) == 0 ? mine : other,
                clientNumber: ClientNumber(random.below(4)), user: "u3", timeMilliseconds: 0,
                changes: [.rowsMoved([row(1)], to: RowPlace(after: row(9), slot: row(8)))]))
    case 9: return .live(table, sequence: number)
    case 10: return reply(number, .ok, sequence: anyNumber(&random))
    case 11: return .presence(table, [])
    case 12: return .closed(table)
    case 13:
        let code = WireCode.allCases[random.below(WireCode.allCases.count)]
        return .error(
            ErrorMessage(
                code, "x", table: random.below(2) == 0 ? table : nil,
                clientNumber: random.below(2) == 0 ? number : nil,
                retrySeconds: random.below(2) == 0 ? -5 : nil))
    case 14: return .pong
    default: return .welcome(Welcome())
    }
}

private func anyNumber(_ random: inout SeededRandom) -> Int64 {
    switch random.below(6) {
    case 0: Int64.max
    case 1: 0
    case 2: (Int64(1) << 53) + 1
    default: Int64(random.below(4)) + 9
    }
}
