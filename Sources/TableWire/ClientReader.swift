// Reads one line from a client into a message; operations are in OpReader.swift.
// docs/protocol.md, "Client to server", is the table of what stands here.
import TableModel
import TableValue

/// Reads one line from a client.
///
/// - Parameters:
///   - line: the line without its `\n`.
///   - limits: how deep it may be and how much it may unfold to.
/// - Returns: the message and its request id.
/// - Throws: `WireError` with the byte at which reading stopped.
package func readClientLine(
    _ line: borrowing RawSpan, limits: WireLimits
) throws(WireError) -> ClientLine {
    try withJSONReader(line, limits: limits) { (reader) throws(WireError) -> ClientLine in
        let type = try reader.findType(ClientType.self)
        var id: RequestID?
        let message = try reader.readClientMessage(type, &id)
        return ClientLine(id: id, message: message)
    }
}

/// The types of messages from a client.
private enum ClientType: String, JSONKeySet {
    case hello, login, ping, tables, create, open, close, op, read, hash, who, users, comments
    case presence, bye, past, history, display
    case renameTable = "table_rename"
    case dropTable = "table_drop"
    case restoreTable = "table_restore"
    static let lookup = JSONKeyTable<ClientType>()
}

private enum PlainKey: String, JSONKeySet {
    case type, id
    static let lookup = JSONKeyTable<PlainKey>()
}

private enum AddressKey: String, JSONKeySet {
    case type, id, table
    static let lookup = JSONKeyTable<AddressKey>()
}

private enum UsersKey: String, JSONKeySet {
    case type, id, users
    static let lookup = JSONKeyTable<UsersKey>()
}

private enum HelloKey: String, JSONKeySet {
    case type, id, versions, features, client
    static let lookup = JSONKeyTable<HelloKey>()
}

private enum LoginKey: String, JSONKeySet {
    case type, id, token, invite, name
    static let lookup = JSONKeyTable<LoginKey>()
}

private enum CreateKey: String, JSONKeySet {
    case type, id, table, columns
    static let lookup = JSONKeyTable<CreateKey>()
}

private enum NewColumnKey: String, JSONKeySet {
    case name, type, rules
    static let lookup = JSONKeyTable<NewColumnKey>()
}

private enum OpenKey: String, JSONKeySet {
    case type, id, table, write, follow, start, have, resume, window
    static let lookup = JSONKeyTable<OpenKey>()
}

private enum HeldKey: String, JSONKeySet {
    case lineage, seq
    static let lookup = JSONKeyTable<HeldKey>()
}

private enum ResumeKey: String, JSONKeySet {
    case session, token, next
    static let lookup = JSONKeyTable<ResumeKey>()
}

private enum ReadKey: String, JSONKeySet {
    case type, id, table, rows, from, count, columns, versions, at
    static let lookup = JSONKeyTable<ReadKey>()
}

private enum PresenceKey: String, JSONKeySet {
    case type, id, table, row, column, editing
    static let lookup = JSONKeyTable<PresenceKey>()
}

extension JSONReader {
    fileprivate mutating func readClientMessage(
        _ type: ClientType, _ id: inout RequestID?
    ) throws(WireError) -> ClientMessage {
        switch type {
        case .op: return .op(try readSubmittedOp(&id))
        case .presence: return try readPresence(&id)
        case .read: return .read(try readReadRequest(&id))
        case .past: return .past(try readPastRequest(&id))
        case .history: return .history(try readHistoryRequest(&id))
        case .display: return .display(try readDisplayRequest(&id))
        case .hello: return try readHello(&id)
        case .login: return .login(try readLogin(&id))
        case .create: return try readCreate(&id)
        case .open: return .open(try readOpen(&id))
        case .close: return .close(try readAddress(&id))
        case .hash: return .hash(try readAddress(&id))
        case .who: return .who(try readAddress(&id))
        case .comments: return .comments(try readCommentsRequest(&id))
        case .users: return .users(try readUsers(&id))
        case .ping:
            try readPlain(&id)
            return .ping
        case .tables: return try readTableList(&id)
        case .renameTable: return try readTableRename(&id)
        case .dropTable: return .dropTable(try readAddress(&id))
        case .restoreTable: return try readTableRestore(&id)
        case .bye:
            try readPlain(&id)
            return .bye
        }
    }

    private mutating func readPlain(_ id: inout RequestID?) throws(WireError) {
        var object = try beginObject(PlainKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            }
        }
    }

    private mutating func readUsers(_ id: inout RequestID?) throws(WireError) -> [Text] {
        var users: [Text]?
        var object = try beginObject(UsersKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .users:
                var list = try beginArray()
                var read: [Text] = []
                while try list.next(&self) { read.append(try readName()) }
                users = read
            }
        }
        guard let users else { throw missing("users") }
        return users
    }

    private mutating func readAddress(_ id: inout RequestID?) throws(WireError) -> TableReference {
        var table: TableReference?
        var object = try beginObject(AddressKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            }
        }
        guard let table else { throw missing("table") }
        return table
    }

    private mutating func readHello(_ id: inout RequestID?) throws(WireError) -> ClientMessage {
        var versions = [1]
        var features: [Text] = []
        var client: Text = ""
        var object = try beginObject(HelloKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .versions:
                versions = []
                var list = try beginArray()
                while try list.next(&self) { versions.append(try readCount()) }
            case .features: features = try readNames()
            case .client: client = try readName()
            }
        }
        return .hello(versions: versions, features: features, client: client)
    }

    private mutating func readLogin(_ id: inout RequestID?) throws(WireError) -> Credential {
        var token: Text?
        var invite: Text?
        var name: Text?
        var object = try beginObject(LoginKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .token: token = try readName()
            case .invite: invite = try readName()
            case .name: name = try readName()
            }
        }
        switch (token, invite, name) {
        case (let token?, nil, nil): return .token(token)
        case (nil, let invite?, let name?): return .invite(invite, name: name)
        default: throw malformed("expected either a token, or an invite and a name")
        }
    }

    private mutating func readCreate(_ id: inout RequestID?) throws(WireError) -> ClientMessage {
        var table: Text?
        var columns: [NewColumn] = []
        var object = try beginObject(CreateKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readName()
            case .columns:
                var list = try beginArray()
                while try list.next(&self) { columns.append(try readNewColumn()) }
            }
        }
        guard let table else { throw missing("table") }
        return .create(name: table, columns: columns)
    }

    private mutating func readNewColumn() throws(WireError) -> NewColumn {
        var name: Text?
        var type: ColumnType?
        var rules = JSONTree.object([])
        var object = try beginObject(NewColumnKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .name: name = try readName()
            case .type: type = try readColumnType()
            case .rules: rules = try readTree()
            }
        }
        guard let name else { throw missing("name") }
        guard let type else { throw missing("type") }
        return NewColumn(name: name, type: type, rules: rules)
    }

    private mutating func readPresence(_ id: inout RequestID?) throws(WireError) -> ClientMessage {
        var table: TableReference?
        var row: RowID?
        var column: ColumnID?
        var isEditing = false
        var object = try beginObject(PresenceKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .row: row = try readRowOrNull()
            case .column: column = try readColumnOrNull()
            case .editing: isEditing = try readBool()
            }
        }
        guard let table else { throw missing("table") }
        return .presence(table, row: row, column: column, isEditing: isEditing)
    }
}

extension JSONReader {
    private mutating func readOpen(_ id: inout RequestID?) throws(WireError) -> OpenRequest {
        var request = OpenRequest(table: .name(""))
        var table: TableReference?
        var object = try beginObject(OpenKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .write: request.write = try readBool()
            case .follow: request.follow = try readBool()
            case .start:
                request.start = try readCase(OpenRequest.Start.self, "\"snapshot\" or \"head\"")
            case .have: request.have = try readHeld()
            case .resume: request.resume = try readResume()
            case .window: request.window = try readCount()
            }
        }
        guard let table else { throw missing("table") }
        request.table = table
        return request
    }

    private mutating func readHeld() throws(WireError) -> OpenRequest.Held {
        var lineage: Text?
        var sequence: SequenceNumber?
        var object = try beginObject(HeldKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .lineage: lineage = try readName()
            case .seq: sequence = try readSequence()
            }
        }
        guard let lineage else { throw missing("lineage") }
        guard let sequence else { throw missing("seq") }
        return OpenRequest.Held(lineage: lineage, sequence: sequence)
    }

    private mutating func readResume() throws(WireError) -> OpenRequest.Resume {
        var session: SessionNumber?
        var token: Text?
        var next: ClientNumber?
        var object = try beginObject(ResumeKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .session: session = try readSession()
            case .token: token = try readName()
            case .next: next = try readClientNumber()
            }
        }
        guard let session else { throw missing("session") }
        guard let token else { throw missing("token") }
        guard let next else { throw missing("next") }
        return OpenRequest.Resume(session: session, token: token, next: next)
    }

    private mutating func readReadRequest(_ id: inout RequestID?) throws(WireError) -> ReadRequest {
        var table: TableReference?
        var rows: [RowID]?
        var from: Int?
        var count: Int?
        var columns: [ColumnReference] = []
        var versions = false
        var at: SequenceNumber?
        var object = try beginObject(ReadKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .rows: rows = try readRowsWithinLimit()
            case .from: from = try readCount()
            case .count: count = try readCount()
            case .columns: columns = try readColumnReferences()
            case .versions: versions = try readBool()
            case .at: at = try readSequence()
            }
        }
        guard let table else { throw missing("table") }
        let range: ReadRange
        switch (rows, from, count) {
        case (let rows?, nil, nil): range = .rows(rows)
        case (nil, let from, let count?): range = .positions(from: from ?? 0, count: count)
        default: throw malformed("expected either rows, or from and count")
        }
        return ReadRequest(
            table: table, range: range, columns: columns, versions: versions, at: at)
    }

    /// Reads rows, of which there must not be too many.
    mutating func readRowsWithinLimit() throws(WireError) -> [RowID] {
        skipSpace()
        let place = offset
        let rows = try readRows()
        if hasTooManyRows { throw tooManyRows(at: place) }
        return rows
    }

    /// The error for more rows than one line may name.
    func tooManyRows(at place: Int) -> WireError {
        WireError(code: .tooLarge, reason: "the line names too many rows", offset: place)
    }

    /// Reads a list of columns by id or name.
    mutating func readColumnReferences() throws(WireError) -> [ColumnReference] {
        var columns: [ColumnReference] = []
        var list = try beginArray()
        while try list.next(&self) { columns.append(try readColumnReference()) }
        return columns
    }

    /// Reads the name of a type of columns.
    mutating func readColumnType() throws(WireError) -> ColumnType {
        try readCase(ColumnType.self, "a type: text, int, double, bool, date, datetime or uuid")
    }
}
