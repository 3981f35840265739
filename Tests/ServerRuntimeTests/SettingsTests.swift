// The configuration file: what it may say, what it is refused for, and that a server keeps to it.
import Foundation
import ServerRuntime
import TableModel
import TableServer
import TableWire
import Testing
import Transport

private func defaults() -> ServerConfiguration {
    ServerConfiguration(folder: "", listen: HostPort(host: "", port: 0))
}

private var allSettings: [Setting] { settingGroups.flatMap(\.settings) }

/// `lineBytesMax` as the settings spell it.
private func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
}

@Suite("Settings")
struct SettingsTests {
    @Test("Each limit has a setting of its name, which changes that limit")
    func everyLimit() {
        let mirrors = [
            Mirror(reflecting: ServerLimits()), Mirror(reflecting: TableLimits()),
            Mirror(reflecting: WireLimits()), Mirror(reflecting: ListenerLimits()),
        ]
        let names = mirrors.flatMap { $0.children.compactMap(\.label) }.map(snakeCase)
        // Groups of limits, and what a client reads with.
        let excepted: Set<String> = ["wire", "table", "server_line_bytes_max", "record_rows_max"]
        #expect(Set(allSettings.map(\.name)) == Set(names).subtracting(excepted))
        #expect(Set(allSettings.map(\.name)).count == allSettings.count)
        for setting in allSettings {
            let standard = setting.value(in: defaults())
            #expect(setting.range.contains(standard), "\(setting.name)")
            for number in [setting.range.lowerBound, setting.range.upperBound] {
                var configuration = defaults()
                setting.choose(number, in: &configuration)
                #expect(setting.value(in: configuration) == number, "\(setting.name)")
                for other in allSettings where other.name != setting.name {
                    #expect(
                        other.value(in: configuration) == other.value(in: defaults()),
                        "\(setting.name) changes \(other.name)")
                }
            }
        }
    }

    @Test("A file is read with its comments, spaces and line ends, and beats the defaults")
    func reading() throws {
        let settings = try ServerSettings(
            reading: "# mine\r\n\r\n  window_ops=8\r\nparts_max =  10  \nlisten = [::1]:7000\n"
                + "data = /srv/my tables\nadvertise = tables.example:443")
        #expect(settings.listen == HostPort(host: "::1", port: 7_000))
        #expect(settings.folder == "/srv/my tables")
        #expect(settings.advertise == HostPort(host: "tables.example", port: 443))
        var configuration = defaults()
        settings.apply(to: &configuration)
        #expect(configuration.limits.windowOps == 8)
        #expect(configuration.limits.table.partsMax == 10)
        #expect(configuration.limits.wire.partsMax == 10)
        #expect(configuration.limits.stopSeconds == defaults().limits.stopSeconds)
    }

    @Test(
        "A line that is wrong is named, with what would be right",
        arguments: [
            ("\nwindow\n", 2, "name = value"), ("windows_ops = 1", 1, "no setting"),
            ("window_ops = 0", 1, "1 to 1024"), ("window_ops = many", 1, "whole number"),
            ("window_ops = 99999999999999999999", 1, "whole number"),
            ("window_ops =", 1, "whole number"), ("listen = here", 1, "HOST:PORT"),
            ("data =", 1, "folder"), ("window_ops = 1\n\nwindow_ops = 1", 3, "line 1"),
            ("window_ops = 100\nwindow_ops_max = 50", 0, "window_ops_max"),
            ("bot_ops_per_second = 5", 0, "bot_ops_burst"),
        ])
    func wrong(text: String, line: Int, words: String) {
        let error = #expect(throws: SettingsError.self) { try ServerSettings(reading: text) }
        #expect(error?.line == line)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("The program ends with 2 for a wrong file, naming file and line")
    func wrongFile() throws {
        let server = try ServerProcess()
        let file = try server.write(settings: "# x\nline_bytes_max = 3\n")
        for words in [["serve", "--data", server.data], ["config"], ["token", "--bot", "b"]] {
            let ended = try server.run(words + ["--config", file])
            #expect(ended.code == 2)
            #expect(ended.errors.contains("\(file):2: line_bytes_max"), "\(ended.errors)")
            #expect(ended.output.isEmpty)
        }
        let missing = try server.run(["serve", "--config", server.folder + "/none"])
        #expect(missing.code == 2)
    }

    @Test("What `roundtabled config` prints is a configuration file that changes nothing")
    func listing() throws {
        let server = try ServerProcess()
        let printed = try server.run(["config"])
        #expect(printed.code == 0)
        for setting in allSettings {
            #expect(
                printed.output.contains(
                    "\n\(setting.name) = \(setting.value(in: defaults()))\n"), "\(setting.name)")
        }
        var configuration = defaults()
        try ServerSettings(reading: printed.output).apply(to: &configuration)
        #expect(configuration.limits == defaults().limits)
        #expect(configuration.listenerLimits == defaults().listenerLimits)
        let file = try server.write(settings: "window_ops = 7\n")
        let changed = try server.run(["config", "--config", file])
        #expect(changed.output.contains("\nwindow_ops = 7\n"))
    }

    @Test("docs/guides/configuration.md lists every setting with its default and range")
    func document() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "docs/guides/configuration.md"), encoding: .utf8)
        for setting in allSettings {
            let standard = setting.value(in: defaults())
            let row =
                "| `\(setting.name)` | \(standard) | \(setting.range.lowerBound) – "
                + "\(setting.range.upperBound) | \(setting.meaning) |"
            #expect(text.contains(row), "missing: \(row)")
        }
    }

    @Test("A server keeps to its settings, over TLS, and says in welcome what clients should know")
    func served() throws {
        let server = try ServerProcess()
        try server.start(
            settings: """
                data = \(server.folder)/not-this-one
                line_bytes_max = 300000
                window_ops = 8
                parts_max = 3
                heartbeat_seconds = 2
                columns_max = 2
                """)
        #expect(FileManager.default.fileExists(atPath: server.data + "/log.sqlite"))
        let token = try server.token()
        let client = try LineClient(to: server)
        let welcome = try client.expect("welcome", after: #"{"type":"hello"}"#)
        #expect(welcome["line_bytes_max"] as? Int == 300_000)
        #expect(welcome["window"] as? Int == 8)
        #expect(welcome["parts_max"] as? Int == 3)
        #expect(welcome["heartbeat_seconds"] as? Int == 2)
        try client.expect("logged_in", after: #"{"type":"login","token":"\#(token)"}"#)
        try client.expect(
            "created",
            after: #"{"type":"create","table":"t","columns":[{"name":"c","type":"int"}]}"#)
        func code(_ body: String) throws -> String? {
            let reply = try client.expect(
                "reply", after: #"{"type":"op","table":"t","body":[\#(body)]}"#)
            let outcome = reply["outcome"] as? [String: Any]
            return (outcome?["error"] as? [String: Any])?["code"] as? String
        }
        #expect(try code(#"{"insert":{"count":3}}"#) == nil)
        #expect(try code(#"{"insert":{"count":4}}"#) == "too_many_parts")
        #expect(try code(#"{"column_add":{"name":"d","type":"int"}}"#) == nil)
        #expect(try code(#"{"column_add":{"name":"e","type":"int"}}"#) == "too_many_columns")
        client.send(String(repeating: " ", count: 300_001))
        #expect(client.next()?["code"] as? String == "too_large")
    }

    @Test("Limits that are lowered leave what is stored as it is")
    func lowered() throws {
        let server = try ServerProcess()
        try server.start()
        let token = try server.token()
        let create = #"""
            {"type":"create","table":"t","columns":\#
            [{"name":"a","type":"text"},{"name":"b","type":"int"}]}
            """#
        var client = try LineClient(to: server, token: token)
        try client.expect("created", after: create)
        let text = String(repeating: "x", count: 100_000)
        try client.expect(
            "reply",
            after: #"{"type":"op","table":"t","body":[{"append":{"a":"\#(text)","b":1}}]}"#)
        server.killHard()
        try server.start(
            settings: """
                cell_bytes_max = 1024
                line_bytes_max = 16384
                columns_max = 1
                tables_max = 1
                key_bytes_max = 128
                number_bytes_max = 32
                depth_max = 8
                """)
        client = try LineClient(to: server, token: token)
        let rows = try client.expect("rows", after: #"{"type":"read","table":"t","count":5}"#)
        let cells = try #require(rows["cells"] as? [[Any]])
        #expect(cells.first?.first as? String == text)
        let refused = try client.expect(
            "reply",
            after: #"{"type":"op","table":"t","body":[{"append":{"a":"\#(text.prefix(2_000))"}}]}"#)
        let outcome = refused["outcome"] as? [String: Any]
        #expect((outcome?["error"] as? [String: Any])?["code"] as? String == "cell_too_large")
    }
}
