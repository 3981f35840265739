// clients/conformance/errors.jsonl: the codes are those of the wire, and the real client core,
// brought into each setting, does about each what the lines say.
import TableModel
import TableWire
import Testing

@testable import TableClient

@Test("errors: the lines name every code, and no other")
func everyCodeHasALine() throws {
    let lines = ConformanceLine.all("errors")
    let asOutcome = lines.filter { $0.members["as"] as? String == "outcome" }.map(\.name)
    let asError = lines.filter { $0.members["as"] as? String != "outcome" }.map(\.name)
    // A client that submits only in open sessions never meets it.
    let needless: Set<String> = ["no_session"]
    let invented: Set<String> = ["brand_new"]
    #expect(
        Set(asError).union(needless) == Set(WireCode.allCases.map(\.rawValue)).union(invented))
    #expect(Set(asOutcome) == Set(Rejection.Code.allCases.map(\.rawValue)).union(invented))
}

/// A client in the setting of a line, and what it asked there.
private struct Setting {
    let client: ScriptedClient
    /// The request that is answered, if any.
    private(set) var request: RequestID?
    /// The bytes of the pending operation, if any.
    private(set) var operation: [UInt8]?

    private static let columns = [
        ["id": "c0.1", "name": "n", "type": "text"], ["id": "c0.2", "name": "q", "type": "int"],
    ]

    init(_ line: ConformanceLine, bentBy bend: Bend<Talk>?) throws {
        client = ScriptedClient(bentBy: bend)
        let name = try needed(line.members["setting"] as? String, "the line has no setting")
        try client.open()
        try client.connect()
        if name != "hello" { try client.hears(["type": "welcome", "version": 1]) }
        if ["hello", "login"].contains(name) { return }
        try logIn()
        if name == "open" { return }
        try hearOpened()
        _ = client.takeSent()
        if name == "request" {
            let sent = try needed(line.members["sent"] as? [String: Any], "nothing was sent")
            request = try client.request(try clientMessage(sent))
            return
        }
        try client.submit([["set": [["s1.1", "c0.2", 2]]]])
        operation = client.takeSent().last?.bytes
        if name == "resume" {
            try client.cut()
            try client.connect()
            try client.hears(["type": "welcome", "version": 1])
            try logIn()
            _ = client.takeSent()
        }
    }

    private func logIn() throws {
        try client.hears(["type": "logged_in", "user": "u1", "name": "b", "role": "owner"])
    }

    private func hearOpened() throws {
        let columns = Setting.columns
        try client.hears([
            "type": "opened", "id": "$open", "table": "t1", "name": "stock", "lineage": "l",
            "seq": 1, "rows": 0, "columns": columns, "role": "owner", "session": "s4",
            "token": "k", "last_cseq": 0, "row_counter": 0, "column_counter": 0, "window": 64,
        ])
        try client.hears([
            "type": "snapshot", "table": "t1", "seq": 1, "rows": 0, "columns": columns,
        ])
        try client.hears(["type": "snapshot_end", "table": "t1", "seq": 1])
        try client.hears(["type": "live", "table": "t1", "seq": 1])
    }

    /// The server says the code.
    func hear(_ line: ConformanceLine) throws {
        var message = line.members.filter { ["code", "retry_seconds"].contains($0.key) }
        message["message"] = "m"
        switch line.members["as"] as? String {
        case "outcome":
            try client.hears([
                "type": "reply", "table": "t1", "cseq": 1,
                "outcome": ["status": "rejected", "error": message],
            ])
        case "error":
            message["type"] = "error"
            if let request {
                message["id"] = request
            } else if line.members["setting"] as? String == "op" {
                message["table"] = "t1"
                message["cseq"] = 1
            } else {
                message["id"] = "$open"
            }
            try client.hears(message)
        default:
            message["type"] = "bye"
            try client.hears(message)
        }
    }

    // MARK: What it came to

    /// The seconds that the client waits before it comes back; nil where it does not.
    var waitSeconds: Double? {
        guard client.isWaiting, case .reconnecting(let seconds, _) = client.notices.last else {
            return nil
        }
        return seconds
    }

    /// The error that the author was told, for the request, the table or the connection.
    var told: ErrorMessage? {
        client.notices.lazy.compactMap { notice in
            switch notice {
            case .answered(let id, .error(let error)) where id == request: error
            case .failed(let error): error
            default: nil
            }
        }.first
    }

    /// True where the operation leaves as it did before, now or after the wait asked for.
    func sendsAgain(after retrySeconds: Double?) throws -> Bool {
        if let retrySeconds {
            guard client.takeSent().isEmpty, client.secondsToDeadline == retrySeconds else {
                return false
            }
            try client.passToDeadline()
        }
        return client.takeSent().map(\.bytes) == [operation]
    }
}

/// What a client does about the code of a line, with a rule bent where one is given.
///
/// Returns what is otherwise than the line says.
private func complaints(
    of line: ConformanceLine, bentBy bend: Bend<Talk>? = nil
) throws -> [String] {
    let setting = try Setting(line, bentBy: bend)
    let client = setting.client
    try setting.hear(line)
    let retrySeconds = line.members["retry_seconds"] as? Double
    // A code that nobody knows counts as another.
    let isOutcome = line.members["as"] as? String == "outcome"
    let code = line.name == "brand_new" ? isOutcome ? "malformed" : "internal_error" : line.name
    var found: [String] = []
    func check(_ holds: Bool, _ what: String) {
        if !holds { found.append(what) }
    }
    switch line.members["then"] as? String {
    case "raise" where isOutcome:
        check(client.decided.map(\.number) == [1], "it is not decided")
        check(client.decided.first?.outcome.rejection?.code.rawValue == code, "another code")
        check(client.isConnected && client.pending.isEmpty, "it does not go on")
    case "raise":
        check(setting.told?.code.rawValue == code, "the author is not told")
        check(client.isConnected, "the connection ends")
    case "wait":
        check(setting.told?.code.rawValue == code, "the author is not told")
        check(setting.told?.retrySeconds == retrySeconds, "nothing is said of the wait")
        check(client.isConnected, "the connection ends")
    case "resend":
        check(try client.isWaiting || setting.sendsAgain(after: retrySeconds), "not sent again")
        check(client.pending == [1], "it is not pending")
    case "reconnect":
        check(setting.waitSeconds.map { $0 >= retrySeconds ?? 0 } == true, "it does not wait")
        check(client.pending == (setting.operation == nil ? [] : [1]), "it is not pending")
    case "review":
        check(client.inDoubt == [1], "it is not in doubt")
        check(!client.takeSent().contains { $0.type == "op" }, "it is sent again")
    case "give_up":
        check(setting.told?.code.rawValue == code, "the author is not told")
        check(!client.isConnected && !client.isWaiting, "it comes back")
    default: throw Complaint("unknown: \(line.text)")
    }
    return found
}

@Test("errors: what the client does about a code", arguments: ConformanceLine.all("errors"))
func errorLine(_ line: ConformanceLine) throws {
    #expect(try complaints(of: line) == [])
}

@Test("errors: what is wrong about codes fails some line", arguments: bentCodes)
func bentCode(_ bend: Bend<Talk>) {
    expectNoticed(bend, by: ConformanceLine.all("errors")) { line in
        (try? complaints(of: line, bentBy: bend)) ?? ["it cannot be played"]
    }
}
