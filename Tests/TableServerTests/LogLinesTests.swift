// The lines of the logs: what is written is read, and what is not of this format is refused.
import TableLog
import TableModel
import TableValue
import TableWire
import Testing

@testable import TableServer

@Suite struct LogLinesTests {
    static let hash = SecretHash((0..<32).map { UInt8($0) })
    static let session = SessionNumber(truncating: 12)

    static var lines: [LogLine] {
        guard let hash else { return [] }
        return [
            .log(format: 1), .user(id: 3, name: "Zoë \"x\"", role: .editor, isBot: false),
            .user(id: 4, name: "b", role: .appender, isBot: true), .token(user: 3, hash: hash),
            .invite(hash: hash, role: .viewer, uses: 3, expires: 1_796_025_600_000),
            .inviteUsed(hash: hash),
            .table(TableID(rawValue: 7), name: "Flüge", lineage: "abc", by: 3),
            .tableRenamed(TableID(rawValue: 7), name: "flüge 2", by: 4),
            .tableDropped(TableID(rawValue: 7), by: 3),
            .tableRestored(TableID(rawValue: 7), name: "Flüge", by: 3),
            .session(session, user: 3, token: hash, previous: nil, window: 64, time: 5),
            .session(session, user: 3, token: hash, previous: hash, window: 1_024, time: -5),
            .seen(session, time: 9), .ended([session, SessionNumber(truncating: 1)]), .ended([]),
            .decided(
                time: 8,
                [
                    DecidedEntry(
                        session: session, clientNumber: 1, hash: .max, sequence: 121, head: 121),
                    DecidedEntry(
                        session: session, clientNumber: 2, hash: 0, sequence: 0, head: 121),
                ]),
        ]
    }

    @Test("every line is read as it was written")
    func roundTrip() throws {
        #expect(LogLinesTests.lines.count == 16)
        for line in LogLinesTests.lines {
            var bytes: [UInt8] = []
            line.write(to: &bytes)
            #expect(bytes.last == newline)
            #expect(!isRecordLine(bytes, at: 0) && !isReplyLine(bytes, at: 0))
            bytes.removeLast()
            #expect(!bytes.contains(newline))
            let read = try unsafe readLogLine(bytes.span.bytes, limits: WireLimits())
            #expect(read == line)
        }
    }

    @Test(
        "what this version does not know is refused",
        arguments: [
            #"{"type":"usar","user":1}"#, #"{"type":"token","user":1,"hash":"12"}"#,
            #"{"type":"user","user":1,"name":"a","role":"king","bot":false}"#,
            #"{"type":"log","format":1,"more":2}"#, "[]", "",
        ])
    func refuses(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(throws: WireError.self) {
            try unsafe readLogLine(bytes.span.bytes, limits: WireLimits())
        }
    }

    @Test("records and replies are known by how their lines begin")
    func prefixes() {
        let record = Record(
            sequence: 1, session: .server, clientNumber: 0, user: "u1", timeMilliseconds: 0,
            changes: [.rowsHidden([])])
        let id = TableID(rawValue: 1)
        var bytes: [UInt8] = []
        write(ServerLine(message: .record(id, record)), to: &bytes)
        #expect(isRecordLine(bytes, at: 0))
        var reply: [UInt8] = []
        let message = Reply(
            table: id, clientNumber: 1, sequence: nil, outcome: Outcome(status: .noop),
            isExactlyOnce: true)
        write(ServerLine(message: .reply(message)), to: &reply)
        #expect(isReplyLine(reply, at: 0))
        #expect(reply.suffix(2) == [UInt8(ascii: "}"), newline])
    }

    @Test("the plain reply is what the general writer makes of it")
    func plainReply() {
        let id = TableID(rawValue: 7)
        for request in [nil, RequestID(12)] {
            var plain: [UInt8] = []
            writePlainReply(
                table: id, clientNumber: 9, sequence: 1 << 40, id: request, to: &plain)
            let reply = Reply(
                table: id, clientNumber: 9, sequence: 1 << 40, outcome: Outcome(status: .ok),
                isExactlyOnce: true)
            var general: [UInt8] = []
            write(ServerLine(id: request, message: .reply(reply)), to: &general)
            #expect(plain == general)
        }
    }

    @Test("a piece of a log gives the records after a cursor, and nothing else")
    func catchUp() {
        let lines = [
            #"{"type":"session","session":"s1"}"#, #"{"type":"record","seq":5}"#,
            #"{"type":"record","seq":6}"#, #"{"type":"decided","ops":[]}"#,
            #"{"type":"reply","cseq":3}"#,
        ]
        let first = LogBatch(
            log: 1, first: 5, last: 6, bytes: Array(lines.map { $0 + "\n" }.joined().utf8))
        let empty = LogBatch(log: 1, first: 7, last: 6, bytes: Array(#"{"type":"seen"}"#.utf8))
        let second = LogBatch(
            log: 1, first: 7, last: 7, bytes: Array("{\"type\":\"record\",\"seq\":7}\n".utf8))
        var piece = CatchUp()
        let now = Instant(microseconds: 3)
        let holds = piece.hold([first, empty, second], after: 5, at: now)
        #expect(holds)
        #expect(piece.state == .held)
        var output: [UInt8] = []
        let taken = piece.take(atMost: 9, into: &output, byteCountMax: 1, at: now)
        let rest = piece.take(atMost: 9, into: &output, byteCountMax: 999, at: now)
        #expect(taken == 1 && rest == 1)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "{\"type\":\"record\",\"seq\":6}\n{\"type\":\"record\",\"seq\":7}\n")
        #expect(piece.state == CatchUp.State.none)
        let hasGap = !piece.hold([second], after: 5, at: now)
        let isEmpty = !piece.hold([], after: 5, at: now)
        #expect(hasGap && isEmpty)
    }
}
