// What the end-to-end tests stand on: the real programs as processes, each in a folder of its own,
// ended by their ids. Nothing here knows what the programs should do.
import Foundation
import Glibc

/// A folder that goes away with the test, and the processes that were started in it.
final class Workplace {
    let path: String
    private var processes: [Process] = []
    private var runs = 0

    /// Makes the folder.
    init() throws {
        path = NSTemporaryDirectory() + "roundtable-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        for process in processes where process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A path in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file into the folder.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// What a file holds; nil where there is none.
    func contents(of name: String) -> String? {
        FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Starts a program that was built beside the tests.
    func start(
        _ program: String, _ arguments: [String], home: String? = nil, input: String? = nil
    ) throws -> RunningProgram {
        try run(Self.binaries + "/" + program, arguments, home: home, input: input)
    }

    /// Starts Python with the bot library of the project.
    func startPython(_ arguments: [String]) throws -> RunningProgram {
        try run("/usr/bin/env", ["python3", "-B"] + arguments, home: nil, input: nil)
    }

    /// Starts a program of the system, with those that were built beside the tests in its PATH.
    func startTool(_ words: [String], home: String?, input: String?) throws -> RunningProgram {
        let path = "PATH=\(Self.binaries):/usr/local/bin:/usr/bin:/bin"
        return try run("/usr/bin/env", [path] + words, home: home, input: input)
    }

    private func run(
        _ path: String, _ arguments: [String], home: String?, input: String?
    ) throws -> RunningProgram {
        runs += 1
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONPATH"] = Self.project + "/clients/python"
        environment["ROUNDTABLE_HOME"] = home.map(file) ?? file("home")
        environment["NO_COLOR"] = "1"
        process.environment = environment
        let inputPath = try input.map { try write($0, to: "run\(runs).in") } ?? "/dev/null"
        let output = try handle(file("run\(runs).out"))
        let error = try handle(file("run\(runs).err"))
        process.standardInput = FileHandle(forReadingAtPath: inputPath)
        process.standardOutput = output
        process.standardError = error
        try process.run()
        processes.append(process)
        return RunningProgram(
            process: process, outputPath: file("run\(runs).out"),
            errorPath: file("run\(runs).err"))
    }

    private func handle(_ path: String) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw WorkplaceError("cannot write \(path)")
        }
        return handle
    }

    /// The project's root.
    static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Where the programs were built: beside the bundle of the tests.
    static let binaries: String = {
        let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
            .path
    }()
}

/// Why the stage of a test could not be set.
struct WorkplaceError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A program that was started.
struct RunningProgram {
    let process: Process
    let outputPath: String
    let errorPath: String

    /// What it has written so far.
    var output: String { text(outputPath) }
    var errors: String { text(errorPath) }

    /// Waits for its end.
    @discardableResult
    func finish() -> Finished {
        process.waitUntilExit()
        return Finished(
            code: process.terminationReason == .exit
                ? process.terminationStatus : -process.terminationStatus,
            output: output, errors: errors)
    }

    /// Ends it the hard way: `kill -9`.
    func killHard() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private func text(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// A program that has ended: its exit code (negative for a signal) and what it wrote.
struct Finished {
    let code: Int32
    let output: String
    let errors: String

    /// The lines of its output.
    var lines: [Substring] { output.split(separator: "\n") }
}

/// Waits until a condition holds; fails after a time that only a broken program needs.
func wait(until what: String, _ condition: () throws -> Bool) throws {
    let limit = Date(timeIntervalSinceNow: 60)
    while try !condition() {
        guard Date() < limit else { throw WorkplaceError("waited in vain until \(what)") }
        usleep(2_000)  // poll: a file or process of the system, which tells nobody
    }
}

/// A pipe with a name, held open for writing.
final class NamedPipe {
    private var descriptor: Int32

    /// Makes the pipe.
    ///
    /// It is opened for reading as well, so that nobody has to be there yet.
    init(_ path: String) throws {
        guard unsafe mkfifo(path, 0o600) == 0 else { throw WorkplaceError("no pipe at \(path)") }
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw WorkplaceError("no pipe at \(path)") }
    }

    deinit {
        close()
    }

    /// Writes text, which must be short.
    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw WorkplaceError("the pipe takes no more")
        }
    }

    /// True once everything written has been read.
    var isEmpty: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) == 0
    }

    /// Ends the input of whoever reads.
    func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }
}
