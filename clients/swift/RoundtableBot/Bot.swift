// A bot: it logs in, asks, opens tables and watches them. Everything happens on a thread of its
// own, which comes back by itself when the connection breaks. Next: BotLoop.swift, Shared.swift.
import ClientRuntime
import TableModel
import TableValue
import TableWire
import Transport

/// One table of a server.
public struct TableInfo: Hashable, Sendable {
    /// Its id, such as `t3`.
    public let id: String
    /// What people call it.
    public let name: String
    /// How many rows it has.
    public let rows: Int
    /// How many columns it has.
    public let columns: Int
    /// The number of its last record.
    public let sequence: Int64
}

/// A bot at one server, which any task may use; it leaves when nobody holds it any more.
public final class Bot: Sendable {
    /// Where the server is: `HOST:PORT`.
    public let address: String
    /// The SHA-256 of the server's public key, in hexadecimal.
    public let pin: String
    let loop: BotLoop
    let login: Login

    /// How often a question is asked whose connection breaks before the answer.
    private static let attemptsMax = 50

    /// A bot with a token, for the server at an address whose key has that pin.
    ///
    /// It connects at once, and nothing is said to a server with another key. `timeoutSeconds` is
    /// how long a call waits, also for a server that is away. Errors: `invalidText`.
    public convenience init(
        address: String, token: String, pin: String, timeoutSeconds: Double = 60
    ) throws(BotError) {
        guard let server = HostPort(address) else {
            throw BotError(.invalidText, "malformed", "the address is no HOST:PORT")
        }
        let read: TokenText
        do {
            read = try TokenText(token)
        } catch {
            throw BotError(.invalidText, "malformed", error.description)
        }
        let login = Login(
            server: server, pin: try readPin(pin), credential: .token(Text(read.text)))
        try self.init(login, timeoutSeconds)
    }

    init(_ login: Login, _ timeoutSeconds: Double) throws(BotError) {
        self.login = login
        address = login.server.description
        pin = hexadecimal(login.pin)
        loop = try BotLoop(login, timeoutSeconds: timeoutSeconds)
    }

    /// A bot from a file with {"address","pin","token"}, such as `roundtabled token --file` makes.
    public static func load(
        _ path: String, timeoutSeconds: Double = 60
    ) throws(BotError) -> Bot {
        let bytes: [UInt8]?
        do {
            bytes = try LocalFiles.contents(of: path, byteCountMax: 64 << 10)
        } catch {
            throw BotError(.invalidText, "malformed", error.reason)
        }
        guard let members = try? readMembers(bytes ?? []),
            case .text(let address)? = members["address"], case .text(let pin)? = members["pin"],
            case .text(let token)? = members["token"]
        else {
            throw BotError(.invalidText, "malformed", "\(path) lacks address, pin or token")
        }
        return try Bot(
            address: address.string, token: token.string, pin: pin.string,
            timeoutSeconds: timeoutSeconds)
    }

    /// Redeems an invite, which works once; the credentials go into a file for `load`.
    public static func join(
        _ invite: String, name: String, save path: String, timeoutSeconds: Double = 60
    ) async throws -> Bot {
        let read: InviteText
        do {
            read = try InviteText(invite, sha256: sha256)
        } catch {
            throw BotError(.invalidText, "malformed", error.description)
        }
        let login = Login(
            server: HostPort(host: read.host, port: read.port), pin: read.pin,
            credential: .invite(Text(base32(read.secret)), name: Text(name)))
        let joining = try BotLoop(login, timeoutSeconds: timeoutSeconds)
        try await joining.wait { core, promise in core.logIn(promise) }
        let token: String? = try await joining.wait { $1.succeed($0.user?.token) }
        guard let token else {
            throw BotError(.requestFailed, "internal_error", "the server gave no token")
        }
        let tree = JSONTree.object([
            JSONMember(key: "address", value: .text(Text(login.server.description))),
            JSONMember(key: "pin", value: .text(Text(hexadecimal(read.pin)))),
            JSONMember(key: "token", value: .text(Text(token))),
        ])
        try replaceFile(path, with: tree)
        return try load(path, timeoutSeconds: timeoutSeconds)
    }

    /// Logs in now rather than at the first call; returns the name that others see.
    @discardableResult
    public func connect() async throws -> String {
        try await loop.wait { core, promise in core.logIn(promise) }
        return try await loop.wait { $1.succeed($0.user?.name ?? "") }
    }

    /// Says goodbye; what waits is told.
    ///
    /// Nothing can be asked afterwards.
    public func close() {
        loop.post { $0.end() }
    }

    // MARK: Asking

    func ask(_ message: ClientMessage, mayRepeat: Bool = true) async throws -> ServerMessage {
        let attempts = mayRepeat ? Self.attemptsMax : 1
        while true {
            do {
                return try await loop.wait { core, promise in
                    core.ask(message, attempts: attempts, promise)
                }
            } catch let error as BotError where error.code == "rate_limited" {
                await pause(seconds: error.retrySeconds ?? 1)
                try Task.checkCancellation()
            }
        }
    }

    private func pause(seconds: Double) async {
        _ = try? await loop.wait(seconds: seconds) { (_, _: Promise<Void>) in }
    }

    static let unexpected = BotError(
        .requestFailed, "internal_error", "the server answered something else")

    /// Reads rows by position from the server, without a copy of the table.
    ///
    /// The server may give fewer than asked for: ask on from there. Pages that are read one after
    /// another may be of different numbers, which `sequence` tells; `snapshot` is of one.
    /// With `at`, the number of a record, it reads the table as it was then.
    public func read(
        _ table: String, from: Int = 0, count: Int = 1_000, columns: [String] = [],
        at: Int64? = nil
    ) async throws -> Page {
        try await read(table, .positions(from: from, count: count), columns, at)
    }

    /// Reads rows by id from the server; columns by name or id, all where none is named.
    public func read(
        _ table: String, rows: [RowID], columns: [String] = [], at: Int64? = nil
    ) async throws -> Page {
        try await read(table, .rows(rows.map(\.held)), columns, at)
    }

    private func read(
        _ table: String, _ range: ReadRange, _ columns: [String], _ at: Int64?
    ) async throws -> Page {
        var request = ReadRequest(
            table: reference(table: table), range: range, columns: columns.map { reference($0) },
            versions: true)
        request.at = at
        guard case .rows(let answer) = try await ask(.read(request)) else { throw Self.unexpected }
        let width = answer.columns.count
        func row<Cell>(_ index: Int, of cells: [Cell]) -> [Cell] {
            Array(cells.dropFirst(index * width).prefix(width))
        }
        return Page(
            sequence: answer.sequence, total: answer.total,
            columns: answer.columns.map(\.description), rows: answer.rows.map { RowID($0) },
            cells: answer.rows.indices.map { row($0, of: answer.cells).map { Value($0) } },
            versions: answer.rows.indices.map { row($0, of: answer.versions) })
    }

    /// A table's number and content hash.
    public func hash(of table: String) async throws -> (sequence: Int64, hash: String) {
        let message = ClientMessage.hash(reference(table: table))
        guard case .hash(_, let sequence, let hash) = try await ask(message) else {
            throw Self.unexpected
        }
        return (sequence, hexadecimal(hash))
    }

    /// What users are called, by their ids; those that nobody has are left out.
    public func names(of users: [String]) async throws -> [String: String] {
        guard case .users(let names) = try await ask(.users(users.map { Text($0) })) else {
            throw Self.unexpected
        }
        let pairs = names.map { ($0.user.string, $0.name.string) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Who is at a table now.
    public func who(at table: String) async throws -> [Visitor] {
        guard case .who(_, let who) = try await ask(.who(reference(table: table))) else {
            throw Self.unexpected
        }
        return who.map {
            Visitor(
                user: $0.user.string, name: $0.name.string, row: $0.row.map { RowID($0) },
                column: $0.column?.description, isEditing: $0.isEditing)
        }
    }

    /// What an operation would come to, and what it would be refused for; nothing is changed.
    ///
    /// It costs the server what the operation costs.
    public func preview(
        _ edits: Edits, in table: String, mode: Edits.Mode = .strict
    ) async throws -> Outcome {
        var op = edits.op(mode: mode)
        op.isDryRun = true
        let submitted = SubmittedOp(table: reference(table: table), clientNumber: 0, op: op)
        guard case .reply(let reply) = try await ask(.op(submitted)) else { throw Self.unexpected }
        return Outcome(reply.outcome, sequence: reply.sequence)
    }

    /// Performs one operation without a session.
    ///
    /// Simple, and not exactly once: where the connection breaks before the answer, `inDoubt` is
    /// thrown, and only a look at the table tells whether it was applied.
    @discardableResult
    public func perform(
        _ edits: Edits, in table: String, mode: Edits.Mode = .strict
    ) async throws -> Outcome {
        let submitted = SubmittedOp(
            table: reference(table: table), clientNumber: 0, op: edits.op(mode: mode))
        guard case .reply(let reply) = try await ask(.op(submitted), mayRepeat: false) else {
            throw Self.unexpected
        }
        let outcome = Outcome(reply.outcome, sequence: reply.sequence)
        if outcome.isRejected { throw BotError(rejected: outcome) }
        return outcome
    }
}

/// The bytes of a pin in hexadecimal.
private func readPin(_ text: String) throws(BotError) -> [UInt8] {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count - digits.count % 2, by: 2) {
        if let high = digits[index], let low = digits[index + 1] {
            bytes.append(UInt8(high << 4 | low))
        }
    }
    guard bytes.count == 32, digits.count == 64 else {
        throw BotError(.invalidText, "malformed", "a pin has 64 hexadecimal digits")
    }
    return bytes
}
