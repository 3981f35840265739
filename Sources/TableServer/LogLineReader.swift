// Reads the lines that LogLines.swift writes.
// It judges the form of a line alone; what a line means at its place is Recovery.swift's business.
import TableModel
import TableValue
import TableWire

/// The fields of all kinds of lines.
private enum LogKey: String, JSONKeySet {
    case type, format, user, name, role, bot, hash, previous, uses, expires, lineage, session
    case sessions, window, time, ops
    case table, column, set

    static let lookup = JSONKeyTable<LogKey>()
}

/// What the fields of a line hold; `kind` decides which of them are looked at.
private struct LogFields {
    var kind: Text = ""
    var format: Int64 = 0
    var user: Int64 = 0
    var name: Text = ""
    var role: Text = ""
    var isBot = false
    var hash: Text = ""
    var previous: Text = ""
    var uses = 0
    var expires: Int64 = 0
    var table = TableID(rawValue: 0)
    var lineage: Text = ""
    var session = SessionNumber.server
    var sessions: [SessionNumber] = []
    var window = 0
    var time: Int64 = 0
    var entries: [DecidedEntry] = []
    var column: ColumnID?
    var display: [DisplayEntry]?

    /// Reads the whole object.
    init(from reader: inout JSONReader) throws(WireError) {
        var object = try reader.beginObject(LogKey.self)
        while let key = try object.next(&reader) {
            switch key {
            case .type: kind = try reader.readText()
            case .format: format = try reader.readInteger()
            case .user: user = try reader.readInteger()
            case .name: name = try reader.readText()
            case .role: role = try reader.readText()
            case .bot: isBot = try reader.readBool()
            case .hash: hash = try reader.readText()
            case .previous: previous = try reader.readText()
            case .uses: uses = Int(try reader.readInteger(in: 0...1_000_000))
            case .expires: expires = try reader.readInteger()
            case .table: table = try reader.readTableID()
            case .lineage: lineage = try reader.readText()
            case .session: session = try reader.readSession()
            case .sessions: sessions = try LogFields.sessions(from: &reader)
            case .window: window = Int(try reader.readInteger(in: 0...1_000_000))
            case .time: time = try reader.readInteger()
            case .column: column = try reader.readColumn()
            case .set:
                let isNothing = try reader.readNull()
                display = isNothing ? nil : try reader.readDisplayEntries(ofTable: column == nil)
            case .ops: entries = try LogFields.entries(from: &reader)
            }
        }
    }

    private static func sessions(
        from reader: inout JSONReader
    ) throws(WireError) -> [SessionNumber] {
        var numbers: [SessionNumber] = []
        var list = try reader.beginArray()
        while try list.next(&reader) { numbers.append(try reader.readSession()) }
        return numbers
    }

    private static func entries(
        from reader: inout JSONReader
    ) throws(WireError) -> [DecidedEntry] {
        var entries: [DecidedEntry] = []
        var list = try reader.beginArray()
        while try list.next(&reader) { entries.append(try DecidedEntry(from: &reader)) }
        return entries
    }

    /// The hash, which must be one.
    func secretHash(_ reader: borrowing JSONReader) throws(WireError) -> SecretHash {
        guard let hash = SecretHash(hexadecimal: hash) else {
            throw reader.malformed("expected a hash of 64 digits")
        }
        return hash
    }

    /// The role, which must be a known one.
    func knownRole(_ reader: borrowing JSONReader) throws(WireError) -> Role {
        guard let role = Role(rawValue: role.string) else {
            throw reader.malformed("a role that this version does not know")
        }
        return role
    }
}

/// Reads one line of a log that is neither a record nor a reply.
func readLogLine(_ line: borrowing RawSpan, limits: WireLimits) throws(WireError) -> LogLine {
    try withJSONReader(line, limits: limits) { (reader) throws(WireError) -> LogLine in
        let fields = try LogFields(from: &reader)
        switch fields.kind {
        case "log": return .log(format: Int(fields.format))
        case "user":
            return .user(
                id: fields.user, name: fields.name, role: try fields.knownRole(reader),
                isBot: fields.isBot)
        case "token": return .token(user: fields.user, hash: try fields.secretHash(reader))
        case "invite":
            return .invite(
                hash: try fields.secretHash(reader), role: try fields.knownRole(reader),
                uses: fields.uses, expires: fields.expires)
        case "invite_used": return .inviteUsed(hash: try fields.secretHash(reader))
        case "table":
            return .table(
                fields.table, name: fields.name, lineage: fields.lineage, by: fields.user)
        case "table_renamed":
            return .tableRenamed(fields.table, name: fields.name, by: fields.user)
        case "table_dropped": return .tableDropped(fields.table, by: fields.user)
        case "table_restored":
            return .tableRestored(fields.table, name: fields.name, by: fields.user)
        case "session":
            return .session(
                fields.session, user: fields.user, token: try fields.secretHash(reader),
                previous: SecretHash(hexadecimal: fields.previous), window: fields.window,
                time: fields.time)
        case "seen": return .seen(fields.session, time: fields.time)
        case "ended": return .ended(fields.sessions)
        case "display":
            return .personalDisplay(user: fields.user, column: fields.column, fields.display)
        case "decided": return .decided(time: fields.time, fields.entries)
        default: throw reader.malformed("a kind of line that this version does not know", at: 0)
        }
    }
}
