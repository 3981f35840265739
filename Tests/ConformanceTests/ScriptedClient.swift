// The client core under a script: what the server says and what becomes of the connection are
// given, what the client sends and tells is kept to be compared. No sockets, no clock.
import ClientRuntime
import Foundation
import TableModel
import TableValue
import TableWire

@testable import TableClient

/// The line's table, under the id that every script gives it.
let scriptedTable = TableID(rawValue: 1)

/// Always the same dice: no line depends on how long a client waits before it comes back.
private struct FixedRandom: RandomNumberGenerator {
    private var last: UInt64 = 1

    mutating func next() -> UInt64 {
        last = last &* 6_364_136_223_846_793_005 &+ 1
        return last
    }
}

/// A message that the client sends or hears, for a bend to change.
struct Talk {
    var message: [String: Any]
    let isHeard: Bool
    /// Whether the message gets through at all.
    var passes = true
    /// Whether an operation of that number was sent before.
    var isAgain = false
    /// The number of the last record that the client has applied.
    let head: SequenceNumber

    var type: String { message["type"] as? String ?? "" }
}

/// A line that the client sent.
struct SentLine {
    let bytes: [UInt8]
    let members: [String: Any]

    var type: String { members["type"] as? String ?? "" }
}

/// One client that wants the table `stock` open, and all that it has done.
final class ScriptedClient {
    private(set) var client: Client
    private var now = ClientInstant(microseconds: 1_000_000)
    /// Lines sent since the last look.
    private var sent: [SentLine] = []
    private(set) var notices: [ClientNotice] = []
    /// The id of the client's last `open`.
    private(set) var openID: RequestID = 0
    /// What has an answer and was not looked at yet: the number and the status.
    private(set) var decided: [(number: ClientNumber, outcome: Outcome)] = []
    /// The numbers of what was given back to its author without an outcome.
    private(set) var inDoubt: [ClientNumber] = []
    private var submitted: [ClientNumber] = []
    /// The numbers of the operations that were sent.
    private var sentNumbers: Set<ClientNumber> = []
    /// What is wrong with this client.
    private let bend: Bend<Talk>?

    init(bentBy bend: Bend<Talk>? = nil) {
        self.bend = bend
        client = Client(
            configuration: ClientConfiguration(
                credential: .token("rt1b_x"), random: FixedRandom()))
    }

    var isConnected: Bool { client.isConnected }
    var isWaiting: Bool { if case .waiting = client.state { true } else { false } }
    var pending: [ClientNumber] { client.pendingOps(in: scriptedTable).map(\.clientNumber) }

    /// How long the client wants to be left alone.
    var secondsToDeadline: Double? {
        client.deadline.map { Double($0.microseconds - now.microseconds) / 1_000_000 }
    }

    /// The number and the content hash of the confirmed replica.
    func confirmed() -> (sequence: SequenceNumber, hash: String)? {
        client.contentHash(of: scriptedTable, using: ContentSHA256.self)
            .map { ($0.sequence, hexadecimal($0.hash)) }
    }

    // MARK: Events

    func open() throws {
        let request = OpenRequest(table: .name("stock"))
        try act { client, now, actions in client.open(request, at: now, into: &actions) }
    }

    /// A connection stands: the first, or the next when the client has waited long enough.
    func connect() throws {
        try act { client, now, actions in client.start(at: now, into: &actions) }
        if isWaiting { try passToDeadline() }
        guard client.isConnecting else { throw Complaint("the client does not connect") }
        try act { client, now, actions in client.connected(at: now, into: &actions) }
    }

    func cut() throws {
        sent = []
        try act { client, now, actions in
            client.disconnected(reason: "cut", at: now, into: &actions)
        }
    }

    /// Turns the clock to where the client wants to be called.
    func passToDeadline() throws {
        now = max(now, try needed(client.deadline, "the client waits for nothing"))
        try act { client, now, actions in client.tick(at: now, into: &actions) }
    }

    /// The author submits the operation of a message `op`.
    func submit(_ body: Any) throws {
        let message: [String: Any] = [
            "type": "op", "table": "t1", "cseq": 1, "mode": "best", "body": body,
        ]
        guard case .op(let op) = try clientMessage(message) else { return }
        try act { client, now, actions in
            let number = client.submit(op.op, to: scriptedTable, at: now, into: &actions)
            submitted.append(try needed(number, "the operation was not taken"))
        }
    }

    func request(_ message: ClientMessage) throws -> RequestID {
        try act { client, now, actions in client.request(message, at: now, into: &actions) }
    }

    /// The server sends a message; `"id":"$open"` answers the last `open`.
    func hears(_ message: [String: Any]) throws {
        var message = message
        if message["id"] as? String == "$open" { message["id"] = openID }
        if let bend {
            var talk = Talk(message: message, isHeard: true, head: confirmed()?.sequence ?? 0)
            bend.bend(&talk)
            guard talk.passes else { return }
            message = talk.message
        }
        let line = try bytes(of: message) + [UInt8(ascii: "\n")]
        try act { client, now, actions in
            unsafe client.received(line.span.bytes, at: now, into: &actions)
        }
    }

    // MARK: Looks

    /// What was sent since the last look.
    ///
    /// A `login` that came with its `hello` is kept for the next look unless it is wanted.
    func takeSent(withLogin isLoginWanted: Bool = true) -> [SentLine] {
        let kept = isLoginWanted || sent.last?.type != "login" ? [] : sent.suffix(1)
        defer { sent = Array(kept) }
        return sent.dropLast(kept.count)
    }

    func forgetDecided() { decided = [] }

    // MARK: Inside

    private func act<Result>(
        _ event: (inout Client, ClientInstant, inout [ClientAction]) throws -> Result
    ) throws -> Result {
        var actions: [ClientAction] = []
        let result = try event(&client, now, &actions)
        for action in actions {
            switch action {
            case .connect, .disconnect: break
            case .send(let bytes): try keep(bytes)
            case .notify(let notice): keep(notice)
            }
        }
        return result
    }

    private func keep(_ bytes: [UInt8]) throws {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let line = SentLine(bytes: Array(line), members: try object(of: Array(line)))
            if line.type == "open" {
                openID = try needed(line.members["id"] as? RequestID, "`open` has no id")
            }
            if let line = try bent(line) { sent.append(line) }
        }
    }

    /// The line as it leaves the client; nil where it does not.
    private func bent(_ line: SentLine) throws -> SentLine? {
        let number = line.members["cseq"] as? ClientNumber
        defer { if let number { sentNumbers.insert(number) } }
        guard let bend else { return line }
        var talk = Talk(
            message: line.members, isHeard: false,
            isAgain: number.map(sentNumbers.contains) ?? false, head: confirmed()?.sequence ?? 0)
        bend.bend(&talk)
        guard talk.passes else { return nil }
        guard !areEqual(talk.message, line.members) else { return line }
        return SentLine(bytes: try bytes(of: talk.message), members: talk.message)
    }

    private func keep(_ notice: ClientNotice) {
        notices.append(notice)
        switch notice {
        case .decided(_, let number, _, let outcome):
            submitted.removeAll { $0 == number }
            decided.append((number, outcome))
        case .doubted(_, let number):
            submitted.removeAll { $0 == number }
            inDoubt.append(number)
        case .failed:
            // What is pending in a table that failed can be read, and is not sent again.
            inDoubt += pending
        case .lineageChanged(_, let ops):
            // All that had no outcome is set aside, in order.
            if ops.count == submitted.count { inDoubt += submitted }
        default: break
        }
    }
}

/// A message from a client, read as the server reads it.
func clientMessage(_ object: [String: Any]) throws -> ClientMessage {
    let line = try bytes(of: object)
    return try unsafe readClientLine(line.span.bytes, limits: WireLimits()).message
}
