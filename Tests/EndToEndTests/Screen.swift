// A terminal with a program in it, as a person has one: keys are typed, pastes are pasted, and
// what is on the screen is read back. tmux plays the terminal; each test has a server of its own.
import Foundation
import Testing

/// A window of tmux with one program in it.
final class Screen {
    private let socket: String
    private let workplace: Workplace
    /// The process of this terminal's tmux; 0 before it runs.
    private var server: pid_t = 0

    /// Starts `roundtable`, or another of the programs, with arguments in a new terminal, as the
    /// person whose home it is.
    ///
    /// Errors: tmux is not there, or refuses.
    init(
        in workplace: Workplace, home: String, _ arguments: [String], columns: Int = 100,
        lines: Int = 30, environment: [String: String] = [:], program: String = "roundtable"
    ) throws {
        self.workplace = workplace
        socket = workplace.file("tmux-\(home)-\(UUID().uuidString.prefix(8))")
        var settings = ["ROUNDTABLE_HOME": workplace.file(home), "TERM": "screen-256color"]
        settings.merge(environment) { $1 }
        let words =
            ["env"] + settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            + [Workplace.binaries + "/" + program] + arguments
        // The shell outlives the program, so that what is left of the screen can be looked at.
        let command =
            words.map { "'\($0)'" }.joined(separator: " ") + "; echo \"ended with $?\"; exec cat"
        try tmux(
            "-f", "/dev/null", "-u", "new-session", "-d", "-x", "\(columns)", "-y", "\(lines)",
            "sh", "-c", command)
        server = pid_t(try fact("pid")) ?? 0
    }

    deinit {
        // Signals may be blocked where tests run, and tmux inherits that: it would not hear others.
        if server > 0 { kill(server, SIGKILL) }
    }

    /// Runs a command without the descriptors that Foundation lets it inherit.
    ///
    /// The server of tmux, which lives on, would keep the one by which Foundation learns that
    /// the process has ended.
    private static let apart = """
        (for path in /proc/$BASHPID/fd/*; do
            number=${path##*/}
            [ "$number" -le 2 ] || eval "exec $number>&-"
        done
        exec "$@")
        """

    /// Runs tmux and gives what it prints.
    @discardableResult
    func tmux(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", Self.apart, "bash", "tmux", "-S", socket] + arguments
        // No pipe: the server of tmux would hold it open for as long as it lives.
        let output = workplace.file("tmux-output-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: output) }
        guard process.terminationStatus == 0 else {
            throw WorkplaceError("tmux \(arguments.first ?? "") failed; it must be installed")
        }
        let data = FileManager.default.contents(atPath: output) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// Presses keys by tmux's names, such as `Enter`, `C-p`, `Down`.
    func press(_ keys: String...) throws {
        for key in keys { try tmux("send-keys", key) }
    }

    /// Types text as it is.
    func type(_ text: String) throws {
        try tmux("send-keys", "-l", "--", text)
    }

    /// Pastes text as terminals do for programs that ask for it: in brackets.
    func paste(_ text: String) throws {
        try tmux("set-buffer", "--", text)
        try tmux("paste-buffer", "-p", "-r")
    }

    /// Presses a button of the mouse at a cell, counted from 1, and lets go.
    func click(column: Int, line: Int, button: Int = 0) throws {
        try type("\u{1B}[<\(button);\(column);\(line)M")
        try type("\u{1B}[<\(button);\(column);\(line)m")
    }

    /// Sends a signal to the program.
    func signal(_ name: String) throws {
        let shell = try fact("pane_pid")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/pkill")
        process.arguments = ["-\(name)", "-P", shell]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw WorkplaceError("no program runs in the terminal")
        }
    }

    /// Gives the terminal another size.
    func resize(columns: Int, lines: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(lines)")
    }

    /// The screen's lines.
    var lines: [String] {
        get throws {
            try tmux("capture-pane", "-p").split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
        }
    }

    /// The screen as one text.
    var text: String { get throws { try lines.joined(separator: "\n") } }

    /// The screen with its colours, as escape codes.
    var styledText: String { get throws { try tmux("capture-pane", "-p", "-e") } }

    /// A fact about the terminal by tmux's name for it, such as `pane_title`.
    func fact(_ name: String) throws -> String {
        try tmux("display", "-p", "#{\(name)}").trimmingCharacters(in: .newlines)
    }

    /// Waits until the screen shows some text; fails with the screen where it never does.
    func wait(for wanted: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try wait(until: "“\(wanted)” is shown") { $0.contains(wanted) }
    }

    /// Waits until the screen's text meets a condition; fails after a time that only a broken
    /// program needs.
    func wait(
        until what: String, forSeconds patience: Double = 60,
        _ condition: (String) throws -> Bool
    ) throws {
        let limit = Date(timeIntervalSinceNow: patience)
        while true {
            let text = try text
            if try condition(text) { return }
            guard Date() < limit else {
                throw WorkplaceError("waited in vain until \(what). The screen:\n\(text)")
            }
            usleep(10_000)  // poll: the terminal tells nobody when its screen changes
        }
    }
}
