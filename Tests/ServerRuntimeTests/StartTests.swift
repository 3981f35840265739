// What happens before a server accepts connections: a start that fails, a replay that is cut
// short, and who is invited.
import Foundation
import Glibc
import ServerRuntime
import TableLog
import TableModel
import TableServer
import TableWire
import Testing
import Transport

/// A store with more to replay than anybody waits for, which counts what was asked of it.
private struct EndlessStore: LogStore {
    let walks: Mailbox<Int>
    let orders: Mailbox<ServerOrder>

    mutating func append(_ batches: [LogBatch]) throws(LogStoreError) {}

    func logs() throws(LogStoreError) -> [(log: LogID, last: SequenceNumber)] {
        Array(repeating: (0, 0), count: 1_000_000)
    }

    func read(
        _ log: LogID, after: SequenceNumber, byteCountMax: Int
    ) throws(LogStoreError) -> [LogBatch] { [] }

    func forEachBatch(
        _ log: LogID, _ body: (LogBatch) throws(LogStoreError) -> Void
    ) throws(LogStoreError) {
        walks.post(1)
        orders.post(.stop)
        try body(LogBatch(log: 0, first: 1, last: 0, bytes: []))
    }

    mutating func close() { walks.post(-1) }
}

@Suite("Starting")
struct StartTests {
    @Test("While nobody has joined each start prints an invite, also after a start that failed")
    func inviteAfterFailedStart() throws {
        let other = try ServerProcess()
        try other.start()
        let server = try ServerProcess()
        let failed = try server.run([
            "serve", "--data", server.data, "--listen", other.address.description,
        ])
        #expect(failed.code == 1)
        #expect(failed.errors.contains(other.address.description))
        try server.start()
        #expect(server.output.contains("rt1i_"))
        // A bot is not a person who could invite others.
        _ = try server.token()
        server.killHard()
        try server.start()
        let words = server.output.split(whereSeparator: \.isWhitespace)
        let invite = try InviteText(
            String(try #require(words.first { $0.hasPrefix("rt1i_") })), sha256: sha256)
        let client = try LineClient(to: server)
        try client.expect("welcome", after: #"{"type":"hello"}"#)
        try client.expect(
            "logged_in",
            after: #"{"type":"login","invite":"\#(base32(invite.secret))","name":"Ada"}"#)
        server.killHard()
        try server.start()
        #expect(!server.output.contains("rt1i_"))
    }

    @Test("GO1: an order to stop ends the replay at its next piece, and the store is closed")
    func stopDuringReplay() throws {
        let walks = try Mailbox<Int>()
        let orders = try Mailbox<ServerOrder>()
        var configuration = ServerConfiguration(
            folder: NSTemporaryDirectory(), listen: HostPort(host: "127.0.0.1", port: 0))
        configuration.reporter.level = .error
        let runtime = try ServerRuntime(configuration: configuration, orders: orders) {
            EndlessStore(walks: walks, orders: orders)
        }
        #expect(runtime.wasStoppedEarly)
        runtime.close()
        let seen = walks.take()
        #expect(seen.last == -1, "the store was not closed")
        #expect(seen.count < 1_000_000)
    }

    @Test("GO1: SIGTERM while a long log is replayed ends with 0, and nothing is missing")
    func signalDuringReplay() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        let client = try LineClient(to: server, token: token)
        try client.expect(
            "created",
            after: #"{"type":"create","table":"t","columns":[{"name":"c","type":"text"}]}"#)
        let text = String(repeating: "x", count: 200_000)
        for _ in 0..<50 {
            try client.expect(
                "reply", after: #"{"type":"op","table":"t","body":[{"append":{"c":"\#(text)"}}]}"#)
        }
        server.killHard()
        try server.begin()
        try wait(until: "the replay is announced") { server.errors.contains("replaying ") }
        server.signal(SIGTERM)
        let ended = try server.waitForEnd()
        #expect(ended.code == 0, "\(ended.errors)")
        try server.start()
        let again = try LineClient(to: server, token: token)
        let rows = try again.expect("rows", after: #"{"type":"read","table":"t","count":1}"#)
        #expect(rows["total"] as? Int == 50)
    }
}
