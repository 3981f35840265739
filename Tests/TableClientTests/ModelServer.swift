// A server in a few lines for tests of the client: one table, one connection, sessions with
// stored answers. It does what docs/protocol.md says and nothing else; the real one is
// Sources/TableServer.
import TableModel
import TableValue
import TableWire
import Testing

/// One table and whoever is connected to it.
final class ModelServer {
    /// A writer's standing.
    struct Session {
        var lastNumber: ClientNumber = 0
        var lines: [ClientNumber: [UInt8]] = [:]
        var replies: [ClientNumber: Reply] = [:]
    }

    var table: Table
    private(set) var log: [Record] = []
    private(set) var sessions: [SessionNumber: Session] = [:]
    private var nextSession: UInt32 = 7
    private let start: SequenceNumber

    private var splitter = LineSplitter(lineBytesMax: 1 << 20)
    private var isFollowed = false
    private var session: SessionNumber?
    private var output: [UInt8] = []
    /// True to send a snapshot even where records would do.
    var prefersSnapshot = false
    /// Operations that it will answer with `rate_limited`, as if they had not come.
    var refusesNext = 0
    private var isRefusing = false

    /// A server with the table of the stage at number 10.
    init() {
        start = 10
        table = Table(columns: stageColumns, head: start)
        let cells = (1...3).flatMap { [Value.text(Text("row \($0)")), .int($0), .null] }
        let isLoaded = table.load(
            rows: [row(1), row(2), row(3)], columns: stageColumns.map(\.id), cells: cells)
        #expect(isLoaded)
    }

    /// What it has to say, then nothing.
    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// A new connection; the old one is gone.
    func connected() {
        splitter = LineSplitter(lineBytesMax: 1 << 20)
        isFollowed = false
        session = nil
        output = []
        isRefusing = false
    }

    /// Bytes of the client.
    func received(_ bytes: [UInt8]) {
        do {
            try unsafe splitter.append(bytes.span.bytes) { line in
                do {
                    let read = try readClientLine(line, limits: WireLimits())
                    take(read, unsafe line.withUnsafeBytes { unsafe [UInt8]($0) })
                } catch {
                    Issue.record("the client sent what cannot be read: \(error)")
                }
                return true
            }
        } catch {
            Issue.record("the client sent a line without end: \(error)")
        }
    }

    /// Somebody else does something.
    func remote(_ intents: Intent...) {
        perform(Op(body: intents), by: other, number: 0, user: "u3")
    }

    // MARK: Inside

    private func say(_ message: ServerMessage, id: RequestID? = nil) {
        write(ServerLine(id: id, message: message), to: &output)
    }

    private func take(_ line: ClientLine, _ bytes: [UInt8]) {
        switch line.message {
        case .hello: say(.welcome(Welcome()), id: line.id)
        case .login:
            say(.loggedIn(user: "u2", name: "Ada", role: "editor", token: nil), id: line.id)
        case .ping: say(.pong, id: line.id)
        case .open(let request): open(request, id: line.id)
        case .op(let submitted): submit(submitted, bytes)
        default: break
        }
    }

    private func open(_ request: OpenRequest, id: RequestID?) {
        var writer: WriteSession?
        if request.write {
            let number = request.resume?.session ?? SessionNumber(truncating: nextSession)
            if request.resume == nil { nextSession += 1 }
            let held = sessions[number, default: Session()]
            sessions[number] = held
            session = number
            writer = WriteSession(
                session: number, token: "token", lastClientNumber: held.lastNumber,
                rowCounter: table.highestRowCounter(of: number),
                columnCounter: table.highestColumnCounter(of: number), window: 4)
        }
        say(
            .opened(
                Opened(
                    table: t1, name: "stage", lineage: "history", sequence: table.head,
                    columns: table.columns, rowCount: table.rowCount, role: "editor",
                    writer: writer)), id: id)
        isFollowed = request.follow
        var passed: SequenceNumber = .max
        if request.follow { passed = follow(from: request.have?.sequence) }
        if let next = request.resume?.next, let writer, next <= writer.lastClientNumber {
            for number in next...writer.lastClientNumber { answerAgain(number, after: passed) }
        }
        if request.follow { say(.live(t1, sequence: table.head)) }
    }

    /// Sends what a follower lacks; returns the number from which it had to be told records.
    private func follow(from held: SequenceNumber?) -> SequenceNumber {
        if let held, !prefersSnapshot {
            for record in log where record.sequence > held { say(.record(t1, record)) }
            return held
        }
        let columns = table.columns
        say(
            .snapshot(
                t1, sequence: table.head, rowCount: table.rowCount, columns: columns))
        var position = 0
        while position < table.rowCount {
            var chunk = Chunk(table: t1, rows: [], columns: columns.map(\.id), cells: [])
            table.forEachRow(from: position, count: 2, columns: chunk.columns) { row, values in
                chunk.rows.append(row)
                chunk.cells += values
                return true
            }
            position += 2
            say(.chunk(chunk))
        }
        say(.snapshotEnd(t1, sequence: table.head))
        return .max
    }

    private func answerAgain(_ number: ClientNumber, after told: SequenceNumber) {
        guard let session, let reply = sessions[session]?.replies[number] else { return }
        // Whose record was in the tail just sent is answered by it.
        if let sequence = reply.sequence, sequence > told { return }
        say(.reply(reply))
    }

    private func submit(_ submitted: SubmittedOp, _ bytes: [UInt8]) {
        guard let session, let standing = sessions[session] else {
            return say(.error(ErrorMessage(.noSession, "no session", table: t1)))
        }
        let number = submitted.clientNumber
        if number <= standing.lastNumber {
            #expect(
                standing.lines[number] == bytes,
                "operation \(number) was sent again with other bytes")
            if let reply = standing.replies[number] { say(.reply(reply)) }
            return
        }
        if refusesNext > 0 {
            refusesNext -= 1
            return say(
                .error(
                    ErrorMessage(
                        .rateLimited, "slow down", table: t1, clientNumber: number,
                        retrySeconds: 0.2)))
        }
        guard number == standing.lastNumber + 1 else {
            return say(
                .error(
                    ErrorMessage(.sequenceGap, "a gap", table: t1, clientNumber: number)))
        }
        sessions[session]?.lastNumber = number
        sessions[session]?.lines[number] = bytes
        perform(submitted.op, by: session, number: number, user: "u2")
    }

    private func perform(
        _ op: Op, by author: SessionNumber, number: ClientNumber, user: Text
    ) {
        var reply = Reply(
            table: t1, clientNumber: number, sequence: nil, outcome: Outcome(status: .ok),
            isExactlyOnce: true)
        do {
            let next = table.head + 1
            let resolution = try table.perform(op, by: author, as: next)
            reply.outcome = resolution.outcome
            if !resolution.changes.isEmpty {
                reply.sequence = next
                let record = Record(
                    sequence: next, session: author, clientNumber: number, user: user,
                    timeMilliseconds: 0, changes: resolution.changes, outcome: resolution.outcome)
                log.append(record)
                if isFollowed { say(.record(t1, record)) }
            }
        } catch {
            reply.outcome = Outcome(status: .rejected)
            reply.outcome.rejection = error
        }
        guard number > 0 else { return }
        sessions[author]?.replies[number] = reply
        if !isFollowed || reply.sequence == nil { say(.reply(reply)) }
    }
}
