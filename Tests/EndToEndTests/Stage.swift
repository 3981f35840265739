// A server with people at it, as the tests speak of them.
import Foundation
import Testing

/// A server that runs in a workplace, and can be killed and started again on its data.
final class Stage {
    let workplace: Workplace
    private var server: RunningProgram?
    private(set) var port = 0

    /// Starts a server on a port of the system's choice.
    init() throws {
        workplace = try Workplace()
        try startServer()
    }

    /// Starts the server, again on the port that it had.
    func startServer() throws {
        let ready = workplace.file("ready")
        try? FileManager.default.removeItem(atPath: ready)
        let server = try workplace.start(
            "roundtabled",
            [
                "serve", "--data", workplace.file("data"), "--listen", "127.0.0.1:\(port)",
                "--ready-file", ready,
            ])
        self.server = server
        try wait(until: "the server is ready") {
            if !server.process.isRunning {
                throw WorkplaceError("the server ended: \(server.errors)")
            }
            return FileManager.default.contents(atPath: ready)?.last == UInt8(ascii: "\n")
        }
        let content = try Data(contentsOf: URL(fileURLWithPath: ready))
        let object = try JSONSerialization.jsonObject(with: content) as? [String: Any]
        let address = try #require(object?["address"] as? String)
        port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
    }

    /// Ends the server the hard way.
    func killServer() {
        server?.killHard()
        server = nil
    }

    /// Asks the server to end in order.
    func stopServer() throws -> Finished {
        let server = try #require(server)
        server.process.terminate()
        self.server = nil
        return server.finish()
    }

    /// An invite from the running server.
    func invite(role: String = "owner") throws -> String {
        let finished = try workplace.start(
            "roundtabled", ["invite", "--data", workplace.file("data"), "--role", role]
        ).finish()
        #expect(finished.code == 0, "\(finished.errors)")
        let words = finished.output.split(whereSeparator: \.isWhitespace)
        return String(try #require(words.first { $0.hasPrefix("rt1i_") }))
    }

    /// A person who has joined.
    func person(_ name: String, role: String = "owner") throws -> Person {
        let invite = try invite(role: role)
        let person = Person(name: name, workplace: workplace)
        try person.must("join", invite, "--name", name)
        return person
    }
}

/// A person at a command line.
struct Person {
    let name: String
    let workplace: Workplace

    /// Starts a command.
    func start(_ arguments: [String], input: String? = nil) throws -> RunningProgram {
        try workplace.start("roundtable", arguments, home: name, input: input)
    }

    /// Knows the server of a port at another address too, such as a proxy's.
    func learn(address: String, like port: Int) throws {
        let path = "\(name)/servers.json"
        let known = try #require(workplace.contents(of: path))
        let entry = try #require(known.firstMatch(of: /\{"address":[^}]*\}/)).output
        let copy = entry.replacing("127.0.0.1:\(port)", with: address)
        try workplace.write(known.replacing(entry, with: "\(entry),\(copy)"), to: path)
    }

    /// Runs a command to its end.
    func run(_ arguments: String..., input: String? = nil) throws -> Finished {
        try start(arguments, input: input).finish()
    }

    /// Runs a command that has to succeed, and gives its output without the last line's end.
    @discardableResult
    func must(
        _ arguments: String..., input: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let finished = try start(arguments, input: input).finish()
        #expect(
            finished.code == 0, "\(arguments.joined(separator: " ")): \(finished.errors)",
            sourceLocation: sourceLocation)
        return String(
            finished.output.hasSuffix("\n") ? finished.output.dropLast() : finished.output[...])
    }
}
