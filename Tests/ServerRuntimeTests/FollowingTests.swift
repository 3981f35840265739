// A follower that reads a table's log, because the ring has forgotten what it needs. The server
// runs in this process, so that its limits can be chosen; what it says is TableServerTests' matter.
import Foundation
import ServerRuntime
import TableLog
import TableServer
import Testing
import Transport

/// A server with a store in memory, on a thread of its own.
private final class ServerThread: Reachable {
    let address: HostPort
    let pin: [UInt8]
    /// The token of a bot who owns everything.
    let token: String
    private let folder: String
    private let orders: Mailbox<Void>
    private let thread: WorkerThread

    private struct Report: Sendable {
        var address = HostPort(host: "127.0.0.1", port: 0)
        var pin: [UInt8] = []
        var token = ""
        var failure: String?
    }

    init(limits: ServerLimits) throws {
        let folder = NSTemporaryDirectory() + "roundtable-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let orders = try Mailbox<Void>()
        let reports = try Mailbox<Report>()
        thread = try WorkerThread(name: "server") {
            var report = Report()
            do throws(ServerStartError) {
                var configuration = ServerConfiguration(folder: folder, listen: report.address)
                configuration.limits = limits
                configuration.reporter.level = .error
                let runtime = try ServerRuntime(configuration: configuration) { MemoryLogStore() }
                if case .token(let token) = runtime.perform(.token(bot: "bot", role: "owner")) {
                    report.token = token
                }
                report.address = try runtime.listen()
                report.pin = runtime.pin
                reports.post(report)
                let reader = orders.attach(to: runtime.loop) { [unowned runtime] _ in
                    runtime.stop()
                }
                withExtendedLifetime(reader) { _ = runtime.run(watchesSignals: false) }
            } catch {
                report.failure = error.description
                reports.post(report)
            }
        }
        let report = try #require(reports.wait().first)
        if let failure = report.failure { throw StageError(failure) }
        address = report.address
        pin = report.pin
        token = report.token
        self.folder = folder
        self.orders = orders
    }

    deinit {
        orders.post(())
        thread.join()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

@Suite("Following")
struct FollowingTests {
    @Test("A follower behind the ring gets piece after piece of the log and waits for no timer")
    func piecesFollowOneAnother() throws {
        var limits = ServerLimits()
        // The ring keeps one record, and a piece of the log is what one turn stored.
        limits.ringSegmentBytes = 1
        limits.ringBytes = 1
        limits.catchUpBytes = 1
        // No timer would come to the aid of a piece that nobody asked for.
        limits.sweepSeconds = 3_600
        let server = try ServerThread(limits: limits)
        let recordCount = 20

        let writer = try LineClient(to: server, token: server.token)
        try writer.expect(
            "created",
            after: #"{"type":"create","table":"log","columns":[{"name":"n","type":"int"}]}"#)
        let opened = try writer.expect("opened", after: #"{"type":"open","table":"log"}"#)
        let lineage = try #require(opened["lineage"] as? String)
        writer.close()
        let appender = try LineClient(to: server, token: server.token)
        for number in 2...recordCount {
            try appender.expect(
                "reply",
                after: #"{"type":"op","table":"log","body":[{"append":{"n":\#(number)}}]}"#)
        }
        appender.close()

        let follower = try LineClient(to: server, token: server.token)
        let held = #"{"lineage":"\#(lineage)","seq":0}"#
        try follower.expect(
            "opened", after: #"{"type":"open","table":"log","write":false,"have":\#(held)}"#)
        for sequence in 1...recordCount {
            let record = try follower.expect("record")
            #expect(record["seq"] as? Int == sequence)
        }
        try follower.expect("live")
    }
}
