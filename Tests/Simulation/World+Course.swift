// A world's course: the server starts, everybody gets a secret, the first client makes the
// table, all open it; then the plan is played; then faults end and all must come to agree.
import TableClient
import TableModel
import TableServer
import TableValue
import TableWire

extension World {
    /// The clients that are there from the start, those that join late, and one more that
    /// joins when all is calm.
    private var clientCount: Int { Int(options[.clients] + options[.lateClients]) + 1 }

    /// The server starts, and an administrator asks for a secret for each client.
    mutating func begin() throws(Violation) {
        try startServer()
        for client in 0..<clientCount {
            let role = World.isEditor(client) ? "editor" : "manager"
            receive(
                .requested(
                    ticket: Int64(client), .token(bot: "client\(client)", role: role)))
        }
        queue.schedule(.inspection, at: now + 20_000)
    }

    /// One client may edit rows and no columns.
    static func isEditor(_ client: Int) -> Bool { client == 2 }

    /// The administrator got an answer.
    mutating func administratorAnswered(
        _ ticket: Int64, _ answer: AdministratorAnswer
    ) throws(Violation) {
        guard case .token(let token) = answer else {
            throw Violation("the administrator was answered \(answer)")
        }
        tokens[Int(ticket)] = Text(token)
        guard tokens.count == clientCount else { return }
        for client in 0..<clientCount {
            guard let token = tokens[client] else { continue }
            clients.append(makeClient(token: token))
            clients[client].name = "client\(client)"
            clients[client].isEditor = World.isEditor(client)
        }
        try join(0)
    }

    /// A client logged in: the first makes the table, the others open it.
    mutating func loggedIn(_ client: Int) throws(Violation) {
        if client == 0, table == nil {
            let columns = [
                NewColumn(name: "Name", type: .text), NewColumn(name: "Qty", type: .int),
                NewColumn(name: "Price", type: .double), NewColumn(name: "Done", type: .bool),
                NewColumn(name: "Day", type: .date),
            ]
            _ = clients[0].core.request(
                .create(name: "shared", columns: columns), at: clientNow, into: &clientActions)
        } else {
            open(client)
        }
        try performClientActions(client)
    }

    private mutating func open(_ client: Int) {
        guard !clients[client].hasAskedToOpen else { return }
        clients[client].hasAskedToOpen = true
        var request = OpenRequest(table: .name("shared"))
        request.window = Int(options[.window])
        clients[client].core.open(request, at: clientNow, into: &clientActions)
    }

    /// A client's request was answered.
    mutating func heardAnswer(_ message: ServerMessage, _ client: Int) throws(Violation) {
        switch message {
        case .created(let id, let columns):
            table = id
            botColumn = columns.first?.id
            columnPool = columns.map(\.id)
            open(client)
            try performClientActions(client)
            for other in 1..<Int(options[.clients]) { try join(other) }
        case .hash(_, let sequence, let hash):
            clients[client].hashAnswer = (sequence, hash)
        case .error(let error):
            clients[client].hasAskedForHash = false
            guard error.code == .internalError else {
                throw Violation("client \(client) was refused: \(error.code) \(error.message)")
            }
        default: break
        }
    }

    // MARK: Looking at how things stand

    /// Looks whether the world may go on to its next phase.
    mutating func inspect() throws(Violation) {
        switch phase {
        case .beginning:
            if table != nil, clients.prefix(Int(options[.clients])).allSatisfy(\.isLive) {
                try play()
            }
        case .playing:
            for client in clients.indices where clients[client].isLive {
                try compareHash(client)
            }
            let last = plan.steps.last?.time ?? 0
            if now > playStart + last + 50_000 { try calmDown() }
        case .calming: try compareIfSettled()
        case .comparing: try finishIfCompared()
        case .finished: return
        }
        let start = phase == .beginning ? 0 : phase == .playing ? now : calmStart
        guard now - start < World.patienceMicroseconds else {
            throw Violation("the world did not come to agree: \(state)")
        }
        let isWaiting = phase == .calming && now - calmStart > 5_000_000
        let wait: Int64 = isWaiting ? 500_000 : phase == .playing ? 200_000 : 50_000
        queue.schedule(.inspection, at: now + wait)
    }

    /// Everybody is there: the first client inserts some rows, and the plan begins.
    private mutating func play() throws(Violation) {
        phase = .playing
        playStart = now
        note("the plan begins")
        for (place, step) in plan.steps.enumerated() {
            queue.schedule(.step(place), at: playStart + step.time)
        }
        let count = Int(options[.rowsAtStart])
        guard count > 0, let table else { return }
        let ids = clients[0].core.makeRowIDs(count, in: table)
        let columns = columnPool.prefix(2)
        let cells = ids.indices.flatMap { place -> [Value] in
            [.text(Text("row \(place)")), .int(Int64(place))]
        }
        let insert = InsertRows(
            ids: ids, rowCount: count, columns: columns.map { .id($0) }, cells: cells)
        try submit(Op(body: [.insertRows(insert)]), by: 0)
    }

    /// Faults end: what is down starts, who is away comes back, who was not there joins.
    private mutating func calmDown() throws(Violation) {
        phase = .calming
        calmStart = now
        note("the world calms down")
        if server.downMilliseconds == nil { try startServer() }
        for client in clients.indices {
            try comeOnline(client)
            readAgain(client)
            try join(client)
        }
        for link in links.indices where links[link].toServer.isEnding {
            queue.schedule(.ended(link: link, atServer: true), at: now + 1_000)
        }
    }

    /// True where every client has all there is and nothing waits.
    private mutating func isSettled() -> Bool {
        guard let table, server.core != nil, disk.underWay == nil else { return false }
        let head = disk.head(of: table.rawValue)
        guard bots.allSatisfy(\.isDone) else { return false }
        let present = clients.indices.filter { !clients[$0].isOver }
            .map { clients[$0].name }.sorted()
        for client in clients.indices where !clients[client].isOver {
            guard clients[client].present == present else { return false }
            guard clients[client].isLive, let replica = clients[client].core.replica(of: table)
            else { return false }
            guard replica.pending.isEmpty, replica.confirmed.head == head else { return false }
        }
        return true
    }

    private mutating func compareIfSettled() throws(Violation) {
        guard isSettled(), let table else { return }
        phase = .comparing
        note("all have come to rest")
        for client in clients.indices where !clients[client].isOver {
            clients[client].hasAskedForHash = true
            _ = clients[client].core.request(
                .hash(.id(table)), at: clientNow, into: &clientActions)
            try performClientActions(client)
        }
    }

    private mutating func finishIfCompared() throws(Violation) {
        guard clients.allSatisfy({ $0.isOver || $0.hashAnswer != nil }) else {
            guard clients.allSatisfy({ $0.isOver || $0.hasAskedForHash }) else {
                phase = .calming
                return
            }
            return
        }
        guard isSettled() else {
            phase = .calming
            for client in clients.indices { clients[client].hashAnswer = nil }
            return
        }
        try compareAll()
        phase = .finished
    }
}
