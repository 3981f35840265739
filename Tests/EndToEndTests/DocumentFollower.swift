// Somebody who does what a document says, line by line, at a server of its own. What a reader has
// to fill in is filled in; a line that is no command is an error, so that none is left out.
import Foundation
import Testing

/// A reader of a document who types its commands.
final class DocumentFollower {
    private let stage: Stage
    /// The invite that was printed last.
    private var invite: String
    /// The id that the document shows, and the one that came.
    private var printed: (shown: String, found: String)?
    /// What the server said that was started as the document says.
    private var said = ""
    /// How many commands were run.
    private(set) var runCount = 0

    init() throws {
        stage = try Stage()
        invite = try stage.invite()
    }

    private var place: Workplace { stage.workplace }

    /// Does what a line of a block says.
    func follow(_ line: String) throws {
        let command = line.replacing(#/ {2,}#.*$/#, with: "").replacing(#/ &$/#, with: "")
        let name = command.split(separator: " ").first.map(String.init) ?? ""
        switch name {
        case "tools/install-packages", "swift":
            // What builds the project has run before any test; that it is this is seen to here.
            let run = try String(contentsOfFile: Workplace.project + "/.ci/run", encoding: .utf8)
            #expect(run.contains("\n" + command), ".ci/run does not do: \(command)")
        case "export":
            #expect(command == #"export PATH="$PWD/.build/release:$PATH""#)
        case "roundtabled" where command == name:
            try startServer()
        case "to":
            let shown = line.replacing("7466", with: "…")
            let found = said.split(separator: "\n").contains { matches(String($0), shown) }
            #expect(found, "\(said)")
        case "roundtable" where command.hasPrefix("roundtable open "):
            // A terminal's matter: CaptureTests.swift opens it.
            break
        case "roundtable", "roundtabled", "printf",
            _ where name.contains("="):
            try run(command, shown: line)
        default:
            Issue.record("what is this line of a document? \(line)")
        }
    }

    /// Runs a program in Python that a document shows.
    func runPython(_ lines: [String]) throws {
        let text = lines.joined(separator: "\n").replacing("rover.json", with: rover)
            .replacing(".watch()", with: ".watch(timeout=0)")
        let finished = try place.startPython(["-c", text]).finish()
        #expect(finished.code == 0, "\(finished.errors)")
        runCount += 1
    }

    private var rover: String { place.file("rover.json") }

    /// The first start of a server, in a home where nothing is yet.
    private func startServer() throws {
        let server = try place.startTool(
            [
                "sh", "-c",
                "unset XDG_DATA_HOME; HOME='\(place.file("first"))' "
                    + "exec roundtabled --listen 127.0.0.1:0",
            ], home: nil, input: nil)
        defer { server.killHard() }
        try wait(until: "the server has printed an invite") {
            guard server.process.isRunning else { throw WorkplaceError(server.errors) }
            said = server.output + server.errors
            return said.contains("rt1i_") && said.hasSuffix("\n")
        }
        runCount += 1
    }

    private func run(_ command: String, shown line: String) throws {
        var command = command.replacing("rt1i_…", with: invite)
            .replacing("rover.json", with: rover)
            .replacing("ROUNDTABLE_HOME=/tmp/ben", with: "ROUNDTABLE_HOME='\(place.file("ben"))'")
        if command.hasPrefix("roundtabled") { command += " --data '\(place.file("data"))'" }
        if command.hasPrefix("roundtable join"), !command.contains("--name") {
            command += " --name Ann"
        }
        // What goes on for ever goes on for a while.
        if command.hasPrefix("roundtable watch") { command += " --since 0 --exit-after 1" }
        if command.contains("surveyor.py") { command += " 20 0.001" }
        if let printed { command = command.replacing(printed.shown, with: printed.found) }
        let finished = try place.startTool(
            ["sh", "-c", "cd '\(Workplace.project)' && \(command)"], home: "ann", input: nil
        ).finish()
        #expect(finished.code == 0, "\(command): \(finished.errors)")
        let output = finished.output.trimmingCharacters(in: .whitespacesAndNewlines)
        if let shown = line.firstMatch(of: /such as (s[0-9]+\.[0-9]+)/)?.output.1 {
            printed = (String(shown), output)
        }
        if let found = output.firstMatch(of: /rt1i_\S+/) { invite = String(found.output) }
        runCount += 1
    }
}
