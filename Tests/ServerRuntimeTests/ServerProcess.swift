// A real roundtabled as a process of its own, in a folder that goes with the test.
import Foundation
import Glibc
import Testing
import Transport

/// Why the test's stage could not be set.
struct StageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What a program left behind when it ended.
struct Ended {
    /// The exit code; negative for a signal.
    let code: Int32
    let output: String
    let errors: String
}

/// A data folder, and the server that runs on it.
final class ServerProcess: Reachable {
    let folder: String
    private let dataName: String
    private(set) var address = HostPort(host: "127.0.0.1", port: 0)
    private(set) var pin: [UInt8] = []
    private var process: Process?
    private var runCount = 0

    init(dataName: String = "data") throws {
        self.dataName = dataName
        folder = NSTemporaryDirectory() + "roundtable-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit {
        killHard()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var data: String { "\(folder)/\(dataName)" }
    var processIdentifier: Int32 { process?.processIdentifier ?? 0 }

    /// Starts the server and waits until it accepts connections; again on the port it had.
    ///
    /// - Parameters:
    ///   - limit: what the shell's `ulimit` is told first, such as `-n 40`.
    ///   - settings: what its configuration file says; nil gives it none.
    /// - Throws: `StageError` where it does not start.
    func start(limit: String? = nil, settings: String? = nil) throws {
        let ready = folder + "/ready"
        try? FileManager.default.removeItem(atPath: ready)
        var words = [
            "serve", "--data", data, "--listen", address.description, "--ready-file", ready,
        ]
        if let settings { words += ["--config", try write(settings: settings)] }
        let process = try launch(words, limit: limit)
        self.process = process
        try wait(until: "the server is ready") {
            guard process.isRunning else { throw StageError("the server ended: \(errors)") }
            return FileManager.default.fileExists(atPath: ready)
        }
        let content = try Data(contentsOf: URL(filePath: ready))
        let object = try JSONSerialization.jsonObject(with: content) as? [String: Any]
        address = try #require((object?["address"] as? String).flatMap { HostPort($0) })
        let digits = Array(try #require(object?["pin"] as? String))
        pin = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<min($0 + 2, digits.count)]), radix: 16)
        }
        #expect(object?["pid"] as? Int == Int(process.processIdentifier))
    }

    /// Writes a configuration file, and says where.
    func write(settings: String) throws -> String {
        let path = folder + "/settings"
        try settings.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Starts the server without waiting for anything.
    func begin() throws {
        process = try launch(
            ["serve", "--data", data, "--listen", address.description], limit: nil)
    }

    /// What the server that was started last has written.
    var output: String { text("out\(serverRun)") }
    var errors: String { text("err\(serverRun)") }

    private var serverRun = 0

    /// Runs a command of the program to its end.
    func run(_ words: [String]) throws -> Ended {
        let process = try launch(words, limit: nil, isServer: false)
        let run = runCount
        process.waitUntilExit()
        return Ended(
            code: code(of: process), output: text("out\(run)"), errors: text("err\(run)"))
    }

    /// Sends a signal to the server.
    func signal(_ number: Int32) {
        guard let process, process.isRunning else { return }
        kill(process.processIdentifier, number)
    }

    /// Waits for the end of the server.
    func waitForEnd() throws -> Ended {
        let process = try #require(process)
        process.waitUntilExit()
        self.process = nil
        return Ended(code: code(of: process), output: output, errors: errors)
    }

    /// Ends the server without a warning.
    func killHard() {
        guard let process, process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// A token of a new bot.
    func token(_ bot: String = "bot", role: String = "owner") throws -> String {
        let ended = try run(["token", "--data", data, "--bot", bot, "--role", role])
        #expect(ended.code == 0, "\(ended.errors)")
        return ended.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func launch(
        _ words: [String], limit: String?, isServer: Bool = true
    ) throws -> Process {
        runCount += 1
        if isServer { serverRun = runCount }
        let process = Process()
        let binary = ServerProcess.binaries + "/roundtabled"
        if let limit {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments =
                ["-c", "trap '' XFSZ; ulimit \(limit); exec \"$0\" \"$@\"", binary] + words
        } else {
            process.executableURL = URL(filePath: binary)
            process.arguments = words
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try handle("out\(runCount)")
        process.standardError = try handle("err\(runCount)")
        try process.run()
        return process
    }

    private func handle(_ name: String) throws -> FileHandle {
        let path = "\(folder)/\(name)"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return try #require(FileHandle(forWritingAtPath: path))
    }

    private func text(_ name: String) -> String {
        let content = FileManager.default.contents(atPath: "\(folder)/\(name)")
        return content.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func code(of process: Process) -> Int32 {
        process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
    }

    /// Where the programs were built: beside the tests.
    private static let binaries: String = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests ?? CommandLine.arguments[0]).deletingLastPathComponent().path()
    }()
}

/// Waits for something outside that tells nobody; gives up after a minute.
func wait(until what: String, _ condition: () throws -> Bool) throws {
    let limit = Date(timeIntervalSinceNow: 60)
    while try !condition() {
        guard Date() < limit else { throw StageError("waited in vain until \(what)") }
        usleep(2_000)  // poll: the condition is outside and tells nobody
    }
}
