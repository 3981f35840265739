// The comparison at the end of a history: every client, the server, a server that reads the log
// anew and the reference table hold the same; everything that was submitted has one outcome.
import TableClient
import TableModel
import TableServer
import TableValue
import TableWire

extension World {
    /// Compares everything with everything.
    mutating func compareAll() throws(Violation) {
        guard let table, let known = judge.tables[table.rawValue] else { return }
        let head = disk.head(of: table.rawValue)
        guard known.head == head else {
            throw Violation("the disk ends with \(head), the judge with \(known.head)")
        }
        for client in clients.indices where !clients[client].isOver {
            try compare(client, with: known, table)
        }
        try compareWithReplay(table, head)
        try checkOutcomes(known)
        try checkBots(known)
    }

    private mutating func compare(
        _ client: Int, with known: TableJudge, _ table: TableID
    ) throws(Violation) {
        guard let replica = clients[client].core.replica(of: table) else { return }
        if let difference = known.reference.difference(from: replica.confirmed) {
            throw Violation("client \(client) differs from the log: \(difference)")
        }
        try compareHash(client)
        if let (sequence, hash) = clients[client].hashAnswer {
            try judge.hashed(
                hash, of: table.rawValue, at: sequence, by: "the server's answer")
        }
        let rows = replica.confirmed.rowCount
        guard replica.rowCount == rows, replica.columns == replica.confirmed.columns,
            replica.look == replica.confirmed.look
        else {
            throw Violation("client \(client) shows other rows or columns than it has")
        }
        for position in 0..<rows {
            let row = replica.confirmed.row(at: position)
            guard let row, replica.row(at: position) == row,
                replica.position(of: row) == position
            else { throw Violation("client \(client) shows another row at \(position)") }
            for column in replica.columns {
                guard replica.value(row, column.id) == replica.confirmed.value(row, column.id),
                    !replica.isPending(row, column.id)
                else { throw Violation("client \(client) shows another \(row) \(column.id)") }
            }
        }
    }

    /// A server that knows nothing but the disk has the same content.
    ///
    /// I1, GD6.
    private mutating func compareWithReplay(
        _ table: TableID, _ head: SequenceNumber
    ) throws(Violation) {
        guard let token = tokens[0] else { return }
        var replayed = try makeServer(SeededGenerator(seed: random.next()))
        let now = Now(instant: Instant(microseconds: now), wallMilliseconds: 1_796_000_000_000)
        let connection = ConnectionID(rawValue: 1)
        var lines: [UInt8] = []
        write(ClientLine(message: .hello(versions: [1], features: [], client: "")), to: &lines)
        write(ClientLine(message: .login(.token(token))), to: &lines)
        write(ClientLine(id: 1, message: .hash(.id(table))), to: &lines)
        var actions: [ServerAction] = []
        replayed.opened(connection, at: now, into: &actions)
        unsafe replayed.received(lines.span.bytes, from: connection, at: now, into: &actions)
        replayed.turnEnded(at: now, into: &actions)
        var output: [UInt8] = []
        replayed.takeOutput(for: connection, into: &output, byteCountMax: 1 << 20, at: now)
        for line in linesOf(output) {
            guard case .hash(_, let sequence, let hash)? = try? readServerMessage(line) else {
                continue
            }
            guard sequence == head else {
                throw Violation("a replay of the log ends with \(sequence), not \(head)")
            }
            return try judge.hashed(
                hash, of: table.rawValue, at: sequence, by: "a replay of the log")
        }
        throw Violation(
            "a replay of the log does not tell its hash: "
                + String(decoding: output, as: UTF8.self))
    }

    /// Each operation of a client that is still there was decided and its author told.
    ///
    /// GX1.
    private func checkOutcomes(_ known: TableJudge) throws(Violation) {
        for (key, candidates) in known.submissions.sorted(by: { $0.key < $1.key }) {
            for candidate in candidates where !clients[candidate.author].isOver {
                guard known.decisions[key] != nil else {
                    throw Violation("\(key.session) \(key.clientNumber) was never decided")
                }
                guard clients[candidate.author].lastTold >= key.clientNumber else {
                    throw Violation("nobody was told of \(key.session) \(key.clientNumber)")
                }
            }
        }
    }

    /// What a bot was told is so, and nothing is there that none of them did.
    private func checkBots(_ known: TableJudge) throws(Violation) {
        for bot in bots {
            guard let reply = bot.reply else { continue }
            let stored = known.botOps[bot.tag]?.sequence
            guard stored == reply.sequence else {
                throw Violation(
                    "\(bot.tag) was told \(reply.sequence ?? 0), stored is "
                        + "\(stored ?? 0)")
            }
        }
    }
}

extension OpKey: Comparable {
    static func < (left: OpKey, right: OpKey) -> Bool {
        left.session != right.session
            ? left.session < right.session : left.clientNumber < right.clientNumber
    }
}
