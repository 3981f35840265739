// The lines of the logs that are not records: who there is, which sessions, what was decided.
// Log 0 is the server's own; log N is table N's, in which records stand as they are broadcast.
// Reading and writing them is here; what they mean is in Recovery.swift.
import TableModel
import TableValue
import TableWire

/// The format that this version writes; it refuses to read any other.
let logFormat = 1

/// One line of a log that is neither a record nor a reply.
enum LogLine: Hashable {
    /// The first line of each log.
    case log(format: Int)
    case user(id: Int64, name: Text, role: Role, isBot: Bool)
    /// A secret by which a user logs in.
    case token(user: Int64, hash: SecretHash)
    /// `expires` in milliseconds since 1970; 0 is never.
    case invite(hash: SecretHash, role: Role, uses: Int, expires: Int64)
    case inviteUsed(hash: SecretHash)
    case table(TableID, name: Text, lineage: Text, by: Int64)
    case tableRenamed(TableID, name: Text, by: Int64)
    case tableDropped(TableID, by: Int64)
    case tableRestored(TableID, name: Text, by: Int64)
    /// A session was opened anew or again: from here on `token` is its newest secret, and
    /// `previous` the one that the client came with.
    case session(
        SessionNumber, user: Int64, token: SecretHash, previous: SecretHash?, window: Int,
        time: Int64)
    /// A session was left.
    case seen(SessionNumber, time: Int64)
    /// Sessions were away for too long and are gone.
    case ended([SessionNumber])
    /// What a user says of how the table, or a column, is shown to her alone; nil takes all of it
    /// back.
    case personalDisplay(user: Int64, column: ColumnID?, [DisplayEntry]?)
    /// The operations that a turn decided. The reply lines of those without a record follow.
    case decided(time: Int64, [DecidedEntry])
}

/// One operation in a `decided` line.
struct DecidedEntry: Hashable {
    var session: SessionNumber
    var clientNumber: ClientNumber
    var hash: UInt64
    /// 0 where it made no record.
    var sequence: SequenceNumber
    var head: SequenceNumber
}

extension LogLine {
    /// Appends the line, with its `\n`.
    func write(to output: inout [UInt8]) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("type")
        switch self {
        case .log(let format):
            writer.string("log")
            writer.key("format")
            writer.integer(format)
        case .user, .token, .invite, .inviteUsed, .table:
            writeServerFields(to: &writer)
        case .tableRenamed, .tableDropped, .tableRestored:
            writeTableFacts(to: &writer)
        case .session, .seen, .ended, .decided, .personalDisplay:
            writeTableFields(to: &writer)
        }
        writer.endObject()
        writer.endLine()
        writer.append(to: &output)
    }

    /// The lines of log 0.
    private func writeServerFields(to writer: inout JSONWriter) {
        switch self {
        case .user(let id, let name, let role, let isBot):
            writer.string("user")
            writer.field("user", id)
            writer.field("name", name)
            writer.field("role", Text(role.rawValue))
            writer.key("bot")
            writer.bool(isBot)
        case .token(let user, let hash):
            writer.string("token")
            writer.field("user", user)
            writer.field("hash", hash.hexadecimal)
        case .invite(let hash, let role, let uses, let expires):
            writer.string("invite")
            writer.field("hash", hash.hexadecimal)
            writer.field("role", Text(role.rawValue))
            writer.field("uses", Int64(uses))
            writer.field("expires", expires)
        case .inviteUsed(let hash):
            writer.string("invite_used")
            writer.field("hash", hash.hexadecimal)
        case .table(let id, let name, let lineage, let by):
            writer.string("table")
            writer.key("table")
            writer.table(id)
            writer.field("name", name)
            writer.field("lineage", lineage)
            writer.field("user", by)
        default: break
        }
    }

    /// The lines of log 0 about tables that are there.
    private func writeTableFacts(to writer: inout JSONWriter) {
        switch self {
        case .tableRenamed(let id, let name, let by):
            writer.tableFact("table_renamed", id, name, by: by)
        case .tableDropped(let id, let by):
            writer.tableFact("table_dropped", id, nil, by: by)
        case .tableRestored(let id, let name, let by):
            writer.tableFact("table_restored", id, name, by: by)
        default: break
        }
    }

    /// The lines of a table's log.
    private func writeTableFields(to writer: inout JSONWriter) {
        switch self {
        case .session(let number, let user, let token, let previous, let window, let time):
            writer.string("session")
            writer.key("session")
            writer.session(number)
            writer.field("user", user)
            writer.field("hash", token.hexadecimal)
            if let previous { writer.field("previous", previous.hexadecimal) }
            writer.field("window", Int64(window))
            writer.field("time", time)
        case .seen(let number, let time):
            writer.string("seen")
            writer.key("session")
            writer.session(number)
            writer.field("time", time)
        case .ended(let numbers):
            writer.string("ended")
            writer.key("sessions")
            writer.beginArray()
            for number in numbers { writer.session(number) }
            writer.endArray()
        case .personalDisplay(let user, let column, let entries):
            writer.string("display")
            writer.field("user", user)
            if let column {
                writer.key("column")
                writer.column(column)
            }
            writer.key("set")
            writer.tree(entries.map { displayTree($0) } ?? .null)
        case .decided(let time, let entries):
            writer.string("decided")
            writer.field("time", time)
            writer.key("ops")
            writer.beginArray()
            for entry in entries { entry.write(to: &writer) }
            writer.endArray()
        default: break
        }
    }
}

extension JSONWriter {
    fileprivate mutating func tableFact(
        _ type: StaticString, _ id: TableID, _ name: Text?, by user: Int64
    ) {
        string(type)
        key("table")
        table(id)
        if let name { field("name", name) }
        field("user", user)
    }

    fileprivate mutating func field(_ name: StaticString, _ value: Int64) {
        key(name)
        integer(value)
    }

    fileprivate mutating func field(_ name: StaticString, _ value: Text) {
        key(name)
        text(value)
    }
}

extension DecidedEntry {
    /// Writes `["s12",7,"0123456789abcdef",121,121]`.
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        writer.session(session)
        writer.integer(clientNumber)
        // The hash as the signed number of the same bits: fewer bytes than digits in quotes.
        writer.integer(Int64(bitPattern: hash))
        writer.integer(sequence)
        writer.integer(head)
        writer.endArray()
    }

    /// Reads what `write` wrote.
    init(from reader: inout JSONReader) throws(WireError) {
        var list = try reader.beginArray()
        try list.expectNext(&reader)
        session = try reader.readSession()
        try list.expectNext(&reader)
        clientNumber = try reader.readInteger()
        try list.expectNext(&reader)
        hash = UInt64(bitPattern: try reader.readInteger())
        try list.expectNext(&reader)
        sequence = try reader.readInteger()
        try list.expectNext(&reader)
        head = try reader.readInteger()
        try list.expectEnd(&reader)
    }
}
