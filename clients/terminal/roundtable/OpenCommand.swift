// open: the terminal client. It only sets up: the app (TerminalApp) decides what is shown, the
// shell (TerminalShell.swift) joins it with the terminal and the server.
import ClientRuntime
import Glibc
import TableClient
import TableModel
import TableValue
import TableWire
import Terminal
import TerminalApp
import Transport

extension Command {
    /// Opens a table full-screen.
    static let open = Command(
        "open", "shows a table full-screen, to read and edit it together with others",
        operands: [Operand("TABLE")],
        options: [
            Option("read-only", "change nothing"),
            Option("keys", value: "SET", "the keys: default (as in spreadsheets) or vim"),
            Option("theme", value: "NAME", "the colours: auto, light, dark or none"),
            Option("no-mouse", "leave the mouse to the terminal"),
        ] + connectionOptions,
        details: """
            F1 lists the keys, Ctrl-P finds every command by its name, Ctrl-Q quits.
            docs/guides/terminal.md explains the rest. Without a terminal, use show, get,
            set and watch instead. NO_COLOR is respected.
            """
    ) { invocation in
        let target = try TableTarget(invocation.word("TABLE"))
        var options = try invocation.appOptions()
        let capabilities = try invocation.capabilities()
        if capabilities.colorDepth == .none { options.theme = .none }
        let patience = try invocation.seconds("wait") ?? 0
        let conversation = try invocation.converse(with: target.server, patience: .endless)
        var request = OpenRequest(table: target.table)
        request.write = !options.isReadOnly
        let shell: TerminalShell
        do {
            shell = try TerminalShell(
                driver: conversation.driver, table: target.table, options: options,
                capabilities: capabilities, patienceSeconds: patience)
        } catch let refusal as TerminalRefusal {
            throw CommandFailure.local(refusal.description)
        }
        try shell.run(request)
    }
}

extension Invocation {
    /// How the terminal client is wanted.
    func appOptions() throws(CommandFailure) -> AppOptions {
        var options = AppOptions()
        options.isReadOnly = has("read-only")
        if let keys = value("keys") {
            guard let preset = KeyPreset(rawValue: keys) else {
                throw .words("--keys needs one of: \(KeyPreset.allCases.map(\.rawValue).list)")
            }
            options.keys = preset
        }
        if let name = value("theme") {
            guard let theme = ThemeChoice(rawValue: name) else {
                throw .words("--theme needs one of: \(ThemeChoice.allCases.map(\.rawValue).list)")
            }
            options.theme = theme
        }
        return options
    }

    /// What the terminal can do; refuses what is none.
    fileprivate func capabilities() throws(CommandFailure) -> Capabilities {
        let names = [
            "TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "TMUX", "STY", "SSH_TTY",
            "SSH_CONNECTION",
        ]
        var environment: [String: String] = [:]
        for name in names {
            if let value = unsafe getenv(name) {
                unsafe environment[name] = String(cString: value)
            }
        }
        do {
            var capabilities = try Capabilities(
                environment: environment, isTerminal: TerminalDevice.isAvailable)
            if has("no-mouse") { capabilities.hasMouse = false }
            return capabilities
        } catch {
            throw .local(error.description)
        }
    }
}

extension [String] {
    fileprivate var list: String { joined(separator: ", ") }
}
