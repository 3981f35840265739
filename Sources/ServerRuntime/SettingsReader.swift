// Reads a configuration file, a `name = value` a line, and writes one. It opens no file; the
// settings themselves are in SettingList.swift.
import TableModel
import TableServer
import TableWire
package import Transport

/// Why a configuration cannot be used.
package struct SettingsError: Error, Sendable, CustomStringConvertible {
    /// The line, from 1; 0 where it is about several.
    package let line: Int
    /// What is wrong, and what would be right.
    package let description: String
}

/// What a configuration file says.
package struct ServerSettings: Sendable {
    /// `data`: the data folder.
    package private(set) var folder: String?
    /// `listen`: where the server listens.
    package private(set) var listen: HostPort?
    /// `advertise`: the address that invites carry.
    package private(set) var advertise: HostPort?
    private var chosen: [(setting: Setting, number: Int)] = []

    /// No settings: the defaults.
    package init() {}

    /// The longest file that is read.
    package static let fileBytesMax = 256 << 10

    /// Reads the text of a file: lines `name = value`, empty lines, and comments after `#` at the
    /// start of a line.
    ///
    /// Complexity: linear in the text.
    ///
    /// - Throws: `SettingsError` for the first line that is none, names no setting, names one
    ///   again, or gives it what it cannot be; and where two settings contradict each other.
    package init(reading text: String) throws(SettingsError) {
        var namesSeen: [String: Int] = [:]
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let content = trim(line)
            if content.isEmpty || content.hasPrefix("#") { continue }
            guard let equals = content.firstIndex(of: "=") else {
                throw SettingsError(line: index + 1, description: "expected name = value")
            }
            let name = String(trim(content[..<equals]))
            if let first = namesSeen[name] {
                throw SettingsError(
                    line: index + 1, description: "\(name) stands on line \(first) already")
            }
            namesSeen[name] = index + 1
            let value = trim(content[content.index(after: equals)...])
            try choose(name, String(value), line: index + 1)
        }
        var probe = ServerConfiguration(folder: "", listen: HostPort(host: "", port: 0))
        apply(to: &probe)
        if let problem = contradiction(in: probe) {
            throw SettingsError(line: 0, description: problem)
        }
    }

    private mutating func choose(
        _ name: String, _ value: String, line: Int
    ) throws(SettingsError) {
        switch name {
        case "data":
            guard !value.isEmpty else {
                throw SettingsError(line: line, description: "data needs the path of a folder")
            }
            folder = value
        case "listen":
            listen = try address(value, name, line: line)
        case "advertise":
            advertise = try address(value, name, line: line)
        default:
            guard let setting = settingsByName[name] else {
                throw SettingsError(
                    line: line,
                    description: "there is no setting of that name; roundtabled config lists all")
            }
            guard let number = Int(value), setting.range.contains(number) else {
                throw SettingsError(
                    line: line,
                    description: "\(name) must be a whole number from \(setting.range.lowerBound)"
                        + " to \(setting.range.upperBound)")
            }
            chosen.append((setting, number))
        }
    }

    private func address(
        _ value: String, _ name: String, line: Int
    ) throws(SettingsError) -> HostPort {
        guard let address = HostPort(value) else {
            throw SettingsError(line: line, description: "\(name) must be HOST:PORT")
        }
        return address
    }

    /// Chooses its numbers in a configuration; folder and address are the caller's to use.
    package func apply(to configuration: inout ServerConfiguration) {
        for (setting, number) in chosen { setting.choose(number, in: &configuration) }
    }
}

/// All settings with their values, as text that a configuration file may have.
package func settingsText(of configuration: ServerConfiguration) -> String {
    var text = ""
    for group in settingGroups {
        text += "\n## \(group.title)\n"
        for setting in group.settings {
            let range = "\(setting.range.lowerBound) to \(setting.range.upperBound)"
            text += "# \(setting.meaning) (\(range))\n"
            text += "\(setting.name) = \(setting.value(in: configuration))\n"
        }
    }
    return String(text.dropFirst())
}

private let settingsByName: [String: Setting] = {
    var byName: [String: Setting] = [:]
    for group in settingGroups { for setting in group.settings { byName[setting.name] = setting } }
    return byName
}()

/// What two settings of a configuration say against each other; nil where nothing does.
private func contradiction(in configuration: ServerConfiguration) -> String? {
    let limits = configuration.limits
    let orders: [(less: Int, String, more: Int, String)] = [
        (limits.windowOps, "window_ops", limits.windowOpsMax, "window_ops_max"),
        (limits.table.cellBytesMax, "cell_bytes_max", limits.wire.lineBytesMax, "line_bytes_max"),
        (limits.ringSegmentBytes, "ring_segment_bytes", limits.ringBytes, "ring_bytes"),
        (limits.ringBytes, "ring_bytes", limits.ringBytesTotalMax, "ring_bytes_total_max"),
    ]
    for (less, lessName, more, moreName) in orders where less > more {
        return "\(lessName) (\(less)) must not be more than \(moreName) (\(more))"
    }
    if limits.botOpsPerSecond > 0, limits.botOpsBurst == 0 {
        return "bot_ops_per_second needs a bot_ops_burst of at least 1"
    }
    return nil
}

/// A piece of a line without the white space at its ends.
private func trim(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
}
