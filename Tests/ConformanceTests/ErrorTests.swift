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
    let client = ScriptedClient()
    /// The request that is answered, if any.
    private(set) var request: RequestID?
    /// The bytes of the pending operation, if any.
    private(set) var operation: [UInt8]?

    private static let columns = [
        ["id": "c0.1", "name": "n", "type": "text"], ["id": "c0.2", "name": "q", "type": "int"],
    ]

    init(_ line: ConformanceLine) throws {
        let name = try #require(line.members["setting"] as? String)
        try client.open()
        try client.connect()
        if name != "hello" { try client.hears(["type": "welcome", "version": 1]) }
        if ["hello", "login"].contains(name) { return }
        try logIn()
        if name == "open" { return }
        try hearOpened()
        _ = client.takeSent()
        if name == "request" {
            let sent = try #require(line.members["sent"] as? [String: Any])
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

@Test("errors: what the client does about a code", arguments: ConformanceLine.all("errors"))
func errorLine(_ line: ConformanceLine) throws {
    let setting = try Setting(line)
    let client = setting.client
    try setting.hear(line)
    let retrySeconds = line.members["retry_seconds"] as? Double
    // A code that nobody knows counts as another.
    let isOutcome = line.members["as"] as? String == "outcome"
    let code = line.name == "brand_new" ? isOutcome ? "malformed" : "internal_error" : line.name
    switch line.members["then"] as? String {
    case "raise" where isOutcome:
        #expect(client.decided.map(\.number) == [1])
        #expect(client.decided.first?.outcome.rejection?.code.rawValue == code)
        #expect(client.isConnected && client.pending.isEmpty)
    case "raise":
        #expect(setting.told?.code.rawValue == code)
        #expect(client.isConnected)
    case "wait":
        #expect(setting.told?.code.rawValue == code)
        #expect(setting.told?.retrySeconds == retrySeconds)
        #expect(client.isConnected)
    case "resend":
        #expect(try client.isWaiting || setting.sendsAgain(after: retrySeconds))
        #expect(client.pending == [1])
    case "reconnect":
        #expect(try #require(setting.waitSeconds) >= retrySeconds ?? 0)
        #expect(client.pending == (setting.operation == nil ? [] : [1]))
    case "review":
        #expect(client.inDoubt == [1])
        #expect(!client.takeSent().contains { $0.type == "op" })
    case "give_up":
        #expect(setting.told?.code.rawValue == code)
        #expect(!client.isConnected && !client.isWaiting)
    default: Issue.record("unknown: \(line.text)")
    }
}
