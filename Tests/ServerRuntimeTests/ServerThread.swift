// A server in the test's own process, so that its limits and its store can be chosen.
// ServerProcess.swift has the other kind, a program of its own.
import Foundation
import ServerRuntime
import TableLog
import TableServer
import Testing
import Transport

/// A server on a thread of its own, with a store in memory unless another is given.
final class ServerThread: Reachable {
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

    convenience init(limits: ServerLimits) throws {
        try self.init(limits: limits) { MemoryLogStore() }
    }

    init<Store: LogStore & SendableMetatype>(
        limits: ServerLimits = ServerLimits(), openStore: @escaping @Sendable () -> Store
    ) throws {
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
                let runtime = try ServerRuntime(configuration: configuration) { openStore() }
                if case .token(let token) = runtime.perform(.token(bot: "bot", role: "owner")) {
                    report.token = token
                }
                report.address = try runtime.listen()
                report.pin = runtime.pin
                reports.post(report)
                let reader = orders.attach(to: runtime.loop) { [unowned runtime] _ in
                    runtime.stop()
                }
                withExtendedLifetime(reader) { _ = runtime.run() }
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
