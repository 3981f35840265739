// Reads one line from a server into a message; records are in RecordReader.swift, answers with
// columns and cells in AnswerReader.swift. docs/protocol.md, "Server to client", has the table.
import TableModel
import TableValue

/// Reads one line from a server.
///
/// Cell values come as the wire spells them; `Table.apply` and `Table.load` are given values of
/// the column's type by `Value.converted(to:)`.
///
/// - Parameters:
///   - line: the line without its `\n`.
///   - limits: how deep it may be and how much it may unfold to.
/// - Returns: the message and the id of the request that it answers.
/// - Throws: `WireError` with the byte at which reading stopped.
package func readServerLine(
    _ line: borrowing RawSpan, limits: WireLimits
) throws(WireError) -> ServerLine {
    try withJSONReader(line, limits: limits) { (reader) throws(WireError) -> ServerLine in
        reader.rowsLeft = limits.recordRowsMax
        let type = try reader.findType(ServerType.self)
        var id: RequestID?
        let message = try reader.readServerMessage(type, &id)
        return ServerLine(id: id, message: message)
    }
}

/// The types of messages from a server.
private enum ServerType: String, JSONKeySet {
    case welcome, pong, tables, created, opened, snapshot, chunk, record, live, reply, rows
    case hash, who, users, presence, closed, error, bye, renamed, dropped, restored, past, history
    case display, comments
    case loggedIn = "logged_in"
    case snapshotEnd = "snapshot_end"
    static let lookup = JSONKeyTable<ServerType>()
}

private enum PlainKey: String, JSONKeySet {
    case type, id
    static let lookup = JSONKeyTable<PlainKey>()
}

private enum AddressKey: String, JSONKeySet {
    case type, id, table
    static let lookup = JSONKeyTable<AddressKey>()
}

private enum PointKey: String, JSONKeySet {
    case type, id, table, seq
    static let lookup = JSONKeyTable<PointKey>()
}

private enum WelcomeKey: String, JSONKeySet {
    case type, id, version, features, server, window, durability
    case lineBytesMax = "line_bytes_max"
    case partsMax = "parts_max"
    case heartbeatSeconds = "heartbeat_seconds"
    static let lookup = JSONKeyTable<WelcomeKey>()
}

private enum LoggedInKey: String, JSONKeySet {
    case type, id, user, name, role, token
    static let lookup = JSONKeyTable<LoggedInKey>()
}

private enum ReplyKey: String, JSONKeySet {
    case type, id, table, cseq, seq, outcome
    static let lookup = JSONKeyTable<ReplyKey>()
}

private enum HashKey: String, JSONKeySet {
    case type, id, table, seq, hash
    static let lookup = JSONKeyTable<HashKey>()
}

private enum WhoKey: String, JSONKeySet {
    case type, id, table, who
    static let lookup = JSONKeyTable<WhoKey>()
}

private enum UsersKey: String, JSONKeySet {
    case type, id, users
    static let lookup = JSONKeyTable<UsersKey>()
}

private enum UserKey: String, JSONKeySet {
    case user, name
    static let lookup = JSONKeyTable<UserKey>()
}

private enum PresentKey: String, JSONKeySet {
    case connection, user, name, row, column, editing
    static let lookup = JSONKeyTable<PresentKey>()
}

private enum ErrorKey: String, JSONKeySet {
    case type, id, code, message, table, cseq, offset
    case retrySeconds = "retry_seconds"
    static let lookup = JSONKeyTable<ErrorKey>()
}

extension JSONReader {
    fileprivate mutating func readServerMessage(
        _ type: ServerType, _ id: inout RequestID?
    ) throws(WireError) -> ServerMessage {
        switch type {
        case .record: return try readRecord(&id)
        case .reply: return .reply(try readReply(&id))
        case .chunk: return .chunk(try readChunk(&id))
        case .welcome: return .welcome(try readWelcome(&id))
        case .loggedIn: return try readLoggedIn(&id)
        case .pong:
            var object = try beginObject(PlainKey.self)
            while let key = try object.next(&self) {
                switch key {
                case .type: try skipType()
                case .id: id = try readInteger()
                }
            }
            return .pong
        case .tables: return .tables(try readTables(&id))
        case .created: return try readCreated(&id)
        case .opened: return .opened(try readOpened(&id))
        case .snapshot: return try readSnapshot(&id)
        case .snapshotEnd:
            let (table, sequence) = try readPoint(&id)
            return .snapshotEnd(table, sequence: sequence)
        case .live:
            let (table, sequence) = try readPoint(&id)
            return .live(table, sequence: sequence)
        case .rows: return .rows(try readRowsAnswer(&id))
        case .past: return .past(try readPastAnswer(&id))
        case .history: return .history(try readHistoryAnswer(&id))
        case .hash: return try readHash(&id)
        case .display: return try readDisplayAnswer(&id)
        case .who:
            let (table, present) = try readPresent(&id)
            return .who(table, present)
        case .comments: return .comments(try readCommentsAnswer(&id))
        case .users: return .users(try readUsers(&id))
        case .presence:
            let (table, present) = try readPresent(&id)
            return .presence(table, present)
        case .closed: return .closed(try readAddress(&id))
        case .renamed: return try readRenamed(&id)
        case .dropped: return .dropped(try readAddress(&id))
        case .restored: return try readRestored(&id)
        case .error: return .error(try readErrorMessage(&id))
        case .bye: return .bye(try readErrorMessage(&id))
        }
    }

    private mutating func readAddress(_ id: inout RequestID?) throws(WireError) -> TableID {
        var table: TableID?
        var object = try beginObject(AddressKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            }
        }
        guard let table else { throw missing("table") }
        return table
    }

    private mutating func readPoint(
        _ id: inout RequestID?
    ) throws(WireError) -> (TableID, SequenceNumber) {
        var table: TableID?
        var sequence: SequenceNumber?
        var object = try beginObject(PointKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: sequence = try readSequence()
            }
        }
        guard let table else { throw missing("table") }
        guard let sequence else { throw missing("seq") }
        return (table, sequence)
    }

    private mutating func readWelcome(_ id: inout RequestID?) throws(WireError) -> Welcome {
        var welcome = Welcome()
        var hasVersion = false
        var object = try beginObject(WelcomeKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .version:
                welcome.version = try readCount()
                hasVersion = true
            case .features: welcome.features = try readNames()
            case .server: welcome.server = try readText()
            case .lineBytesMax: welcome.lineBytesMax = try readCount()
            case .partsMax: welcome.partsMax = try readCount()
            case .window: welcome.window = try readCount()
            case .heartbeatSeconds: welcome.heartbeatSeconds = try readCount()
            case .durability: welcome.durability = try readText()
            }
        }
        guard hasVersion else { throw missing("version") }
        return welcome
    }

    private mutating func readLoggedIn(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        var user: Text?
        var name: Text?
        var role: Text?
        var token: Text?
        var object = try beginObject(LoggedInKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .user: user = try readName()
            case .name: name = try readName()
            case .role: role = try readName()
            case .token: token = try readName()
            }
        }
        guard let user else { throw missing("user") }
        guard let name else { throw missing("name") }
        guard let role else { throw missing("role") }
        return .loggedIn(user: user, name: name, role: role, token: token)
    }

    private mutating func readReply(_ id: inout RequestID?) throws(WireError) -> Reply {
        var table: TableID?
        var clientNumber: ClientNumber = 0
        var sequence: SequenceNumber?
        var outcome: Outcome?
        var isExactlyOnce = true
        var object = try beginObject(ReplyKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .cseq: clientNumber = try readClientNumber()
            case .seq: sequence = try readSequence()
            case .outcome: outcome = try readOutcome(isExactlyOnce: &isExactlyOnce)
            }
        }
        guard let table else { throw missing("table") }
        guard let outcome else { throw missing("outcome") }
        return Reply(
            table: table, clientNumber: clientNumber, sequence: sequence, outcome: outcome,
            isExactlyOnce: isExactlyOnce)
    }
}

extension JSONReader {
    private mutating func readHash(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        var table: TableID?
        var sequence: SequenceNumber?
        var hash: [UInt8]?
        var object = try beginObject(HashKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: sequence = try readSequence()
            case .hash:
                let place = offset
                hash = bytes(hexadecimal: try readText())
                guard hash?.count == 32 else {
                    throw malformed("expected 64 hexadecimal digits", at: place)
                }
            }
        }
        guard let table else { throw missing("table") }
        guard let sequence else { throw missing("seq") }
        guard let hash else { throw missing("hash") }
        return .hash(table, sequence: sequence, hash: hash)
    }

    private mutating func readUsers(_ id: inout RequestID?) throws(WireError) -> [UserName] {
        var users: [UserName]?
        var object = try beginObject(UsersKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .users:
                var list = try beginArray()
                var read: [UserName] = []
                while try list.next(&self) { read.append(try readUser()) }
                users = read
            }
        }
        guard let users else { throw missing("users") }
        return users
    }

    private mutating func readUser() throws(WireError) -> UserName {
        var user: Text?
        var name: Text?
        var object = try beginObject(UserKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .user: user = try readName()
            case .name: name = try readName()
            }
        }
        guard let user else { throw missing("user") }
        guard let name else { throw missing("name") }
        return UserName(user: user, name: name)
    }

    private mutating func readPresent(
        _ id: inout RequestID?
    ) throws(WireError) -> (TableID, [Presence]) {
        var table: TableID?
        var present: [Presence]?
        var object = try beginObject(WhoKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .who:
                var list = try beginArray()
                var read: [Presence] = []
                while try list.next(&self) { read.append(try readPresence()) }
                present = read
            }
        }
        guard let table else { throw missing("table") }
        guard let present else { throw missing("who") }
        return (table, present)
    }

    private mutating func readPresence() throws(WireError) -> Presence {
        var presence = Presence(connection: 0, user: "", name: "")
        var connection: Int64?
        var object = try beginObject(PresentKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .connection: connection = try readInteger()
            case .user: presence.user = try readName()
            case .name: presence.name = try readName()
            case .row: presence.row = try readRowOrNull()
            case .column: presence.column = try readColumnOrNull()
            case .editing: presence.isEditing = try readBool()
            }
        }
        guard let connection else { throw missing("connection") }
        presence.connection = connection
        return presence
    }

    private mutating func readErrorMessage(
        _ id: inout RequestID?
    ) throws(WireError) -> ErrorMessage {
        var error = ErrorMessage(.internalError, "")
        var hasCode = false
        var object = try beginObject(ErrorKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .code:
                // A code of a newer server still ends what this one's `internal_error` ends.
                error.code = WireCode(rawValue: try readShortName()) ?? .internalError
                hasCode = true
            case .message: error.message = try readText().string
            case .table: error.table = try readTableID()
            case .cseq: error.clientNumber = try readClientNumber()
            case .offset: error.offset = try readCount()
            case .retrySeconds: error.retrySeconds = try readDouble()
            }
        }
        guard hasCode else { throw missing("code") }
        return error
    }
}
