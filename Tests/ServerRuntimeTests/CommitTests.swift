// One append, and so one fsync, for all that comes while another is under way: a server in this
// process, over a store that counts and that can be held up.
import Foundation
import ServerRuntime
import Synchronization
import TableLog
import TableModel
import Testing
import Transport

/// Counts the appends of a store, and lets one wait.
private final class AppendCounter: Sendable {
    private let counts = Mutex<[Int]>([])
    /// The next append waits for a letter here.
    let gate: Mailbox<Void>
    private let isHeld = Mutex(false)

    init() throws {
        gate = try Mailbox()
    }

    /// How many batches each append had.
    var appends: [Int] { counts.withLock { $0 } }

    func holdNext() { isHeld.withLock { $0 = true } }

    func count(_ batches: [LogBatch]) {
        counts.withLock { $0.append(batches.count) }
        let waits = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if waits { _ = gate.wait() }
    }
}

/// A store in memory that counts its appends.
private struct CountingStore: LogStore {
    let counter: AppendCounter
    var store = MemoryLogStore()

    mutating func append(_ batches: [LogBatch]) throws(LogStoreError) {
        counter.count(batches)
        try store.append(batches)
    }

    func logs() throws(LogStoreError) -> [(log: LogID, last: SequenceNumber)] { try store.logs() }

    func read(
        _ log: LogID, after: SequenceNumber, byteCountMax: Int
    ) throws(LogStoreError) -> [LogBatch] {
        try store.read(log, after: after, byteCountMax: byteCountMax)
    }

    func forEachBatch(
        _ log: LogID, _ body: (LogBatch) throws(LogStoreError) -> Void
    ) throws(LogStoreError) {
        try store.forEachBatch(log, body)
    }

    mutating func close() { store.close() }
}

@Suite("Commits")
struct CommitTests {
    @Test("One fsync a turn: what comes while the store works is one append")
    func oneAppend() throws {
        let counter = try AppendCounter()
        let server = try ServerThread { CountingStore(counter: counter) }
        let owner = try LineClient(to: server, token: server.token)
        try owner.expect(
            "created",
            after: #"{"type":"create","table":"t","columns":[{"name":"n","type":"int"}]}"#)
        try owner.expect("created", after: #"{"type":"create","table":"u"}"#)
        let watcher = try LineClient(to: server, token: server.token)
        let follow = #"{"type":"open","table":"u","write":false,"start":"head"}"#
        try watcher.expect("opened", after: follow)
        let writers = try (0..<4).map { _ in
            let writer = try LineClient(to: server, token: server.token)
            try writer.expect("opened", after: #"{"type":"open","table":"t","follow":false}"#)
            writer.send(follow)
            return writer
        }
        let before = counter.appends.count
        // A test that fails must not leave the store waiting.
        defer { counter.gate.post(()) }
        counter.holdNext()
        owner.send(#"{"type":"op","table":"t","body":[{"insert":{"count":1}}]}"#)
        owner.flush()
        try wait(until: "the first append is under way") { counter.appends.count == before + 1 }
        for writer in writers {
            for number in 1...30 {
                writer.send(
                    #"{"type":"op","table":"t","cseq":\#(number),"body":[{"insert":{"count":1}}]}"#)
            }
            writer.send(#"{"type":"op","id":31,"table":"u","body":[{"insert":{"count":1}}]}"#)
            // Everybody sees where the writer is once the server has read all that came before.
            writer.send(#"{"type":"presence","table":"u","row":"s0.1"}"#)
            writer.flush()
        }
        func areAllSeen(_ message: [String: Any]) -> Bool {
            let places = (message["who"] as? [[String: Any]] ?? []).filter { $0["row"] is String }
            return places.count == writers.count
        }
        while let message = watcher.next(), !areAllSeen(message) {}
        #expect(counter.appends.count == before + 1, "the store was asked while it worked")
        counter.gate.post(())
        for writer in writers {
            var replyCount = 0
            while replyCount < 31 {
                let message = try #require(writer.next())
                if message["type"] as? String == "reply" { replyCount += 1 }
            }
        }
        let appends = counter.appends
        #expect(appends.count == before + 2, "\(appends)")
        // Both tables' batches are in the one append.
        #expect(try #require(appends.last) >= 2)
    }
}
