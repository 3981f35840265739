// The server's commands: their words, options and help come from this one table.
// It does nothing: what each command does is in Commands.swift.
import Foundation
import ServerRuntime
import Transport

/// Why the words of a command make no sense.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// One option of a command.
struct OptionDescription {
    let name: String
    /// What stands for its value in the help; nil for a switch.
    let value: String?
    let meaning: String
}

/// What the program can do.
enum Command: String, CaseIterable {
    case serve, invite, token, config, version

    var summary: String {
        switch self {
        case .serve: "serve the tables of a data folder (what no command means)"
        case .invite: "print an invite for one person, beside a running server or without one"
        case .token: "print a token for a bot, beside a running server or without one"
        case .config: "print every setting with its value, as a configuration file"
        case .version: "print the program's version"
        }
    }

    var options: [OptionDescription] {
        let data = OptionDescription(
            name: "--data", value: "DIR",
            meaning: "the data folder; default $XDG_DATA_HOME/roundtable")
        let config = OptionDescription(
            name: "--config", value: "FILE",
            meaning: "settings, a name = value a line; roundtabled config lists all")
        let role = OptionDescription(
            name: "--role", value: "ROLE",
            meaning: "owner, manager, editor (default), commenter, viewer, appender or auditor")
        switch self {
        case .serve:
            return [
                data, config,
                OptionDescription(
                    name: "--listen", value: "HOST:PORT",
                    meaning: "where to listen; default 127.0.0.1:7466, port 0 picks one"),
                OptionDescription(
                    name: "--advertise", value: "HOST:PORT",
                    meaning: "the address that invites carry; default the one it listens on"),
                OptionDescription(
                    name: "--ready-file", value: "FILE",
                    meaning: "written once it accepts connections: {\"address\",\"pin\",\"pid\"}"),
            ]
        case .invite:
            return [
                data, config, role,
                OptionDescription(
                    name: "--uses", value: "N", meaning: "how many people it lets in; default 1"),
                OptionDescription(
                    name: "--expires", value: "TIME",
                    meaning: "30m, 24h (default), 7d, or never"),
            ]
        case .token:
            return [
                data, config,
                OptionDescription(
                    name: "--bot", value: "NAME", meaning: "the bot's name; required"),
                role,
                OptionDescription(
                    name: "--file", value: "FILE",
                    meaning: "write {\"address\",\"pin\",\"token\"} there, for its owner alone"),
            ]
        case .config:
            return [config]
        case .version:
            return []
        }
    }

    var help: String {
        var text = "usage: roundtabled \(rawValue)"
        for option in options {
            text += " [\(option.name)\(option.value.map { " " + $0 } ?? "")]"
        }
        text += "\n\n\(summary)\n"
        if !options.isEmpty { text += "\n" }
        for option in options {
            let left = option.name + (option.value.map { " " + $0 } ?? "")
            text +=
                "  \(left.padding(toLength: 24, withPad: " ", startingAt: 0))\(option.meaning)\n"
        }
        return text
    }

    static var overview: String {
        var text =
            "usage: roundtabled [COMMAND] [OPTION …]\n\n"
            + "Roundtable's server: shared typed tables over TLS. With no command and no option\n"
            + "it serves on 127.0.0.1:7466; the first run makes all it needs, and until somebody\n"
            + "has joined each start prints an invite for the owner, good for 24 hours.\n\n"
        for command in allCases {
            let name = command.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
            text += "  \(name)\(command.summary)\n"
        }
        return text + "\n`roundtabled COMMAND --help` lists a command's options. "
            + "SIGTERM stops it in order,\nSIGHUP loads the TLS identity again.\n"
    }
}

/// The options of one call.
struct Options {
    private var values: [String: String] = [:]
    private(set) var wantsHelp = false

    /// Reads `--name value` and `--name=value`.
    ///
    /// - Parameters:
    ///   - words: what stood behind the command.
    ///   - command: whose options are known.
    /// - Throws: `UsageError` for an option that is not known or lacks its value.
    init(_ words: [String], of command: Command) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--help" || word == "-h" {
                wantsHelp = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard command.options.contains(where: { $0.name == parts.first }) else {
                throw UsageError("unknown option \(word)")
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError("\(word) needs a value")
            }
            values[parts[0]] = value
        }
    }

    /// An option's value; nil where it was not given.
    subscript(name: String) -> String? { values[name] }

    /// What the configuration file says; nothing where none is named.
    ///
    /// - Throws: `UsageError` naming the file, and the line that cannot be used.
    func settings() throws(UsageError) -> ServerSettings {
        guard let file = values["--config"] else { return ServerSettings() }
        guard let handle = FileHandle(forReadingAtPath: file),
            let data = try? handle.read(upToCount: ServerSettings.fileBytesMax + 1) ?? Data()
        else { throw UsageError("\(file): cannot be read") }
        guard data.count <= ServerSettings.fileBytesMax else {
            throw UsageError("\(file): is longer than \(ServerSettings.fileBytesMax) bytes")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw UsageError("\(file): is not UTF-8 text")
        }
        do throws(SettingsError) {
            return try ServerSettings(reading: text)
        } catch {
            let place = error.line > 0 ? "\(file):\(error.line)" : file
            throw UsageError("\(place): \(error)")
        }
    }

    /// The data folder, as an absolute path: of the option, else of the settings.
    func dataFolder(_ settings: ServerSettings) -> String {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "/var/lib"
        let base =
            environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? home + "/.local/share"
        let path = values["--data"] ?? settings.folder ?? base + "/roundtable"
        return URL(filePath: path).standardizedFileURL.path()
            .replacing(/\/+$/, with: "").removingPercentEncoding ?? path
    }

    /// An address option.
    ///
    /// - Throws: `UsageError` where it is no HOST:PORT.
    func address(_ name: String, default text: String) throws(UsageError) -> HostPort {
        let given = values[name] ?? text
        guard let address = HostPort(given) else {
            throw UsageError("\(name) \(given) is not HOST:PORT")
        }
        return address
    }

    /// A positive whole number.
    ///
    /// - Throws: `UsageError` where it is none.
    func count(_ name: String, default number: Int) throws(UsageError) -> Int {
        guard let text = values[name] else { return number }
        guard let number = Int(text), number > 0 else {
            throw UsageError("\(name) \(text) is not a positive number")
        }
        return number
    }

    /// A span of time in seconds; 0 for `never`.
    ///
    /// - Throws: `UsageError` where it is none.
    func seconds(_ name: String, default text: String) throws(UsageError) -> Int64 {
        let given = values[name] ?? text
        if given == "never" { return 0 }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let last = given.last, let unit = units[last],
            let number = Int64(given.dropLast()), number > 0, number <= 100_000
        else { throw UsageError("\(name) \(given) is not a time such as 30m, 24h, 7d or never") }
        return number * unit
    }
}
