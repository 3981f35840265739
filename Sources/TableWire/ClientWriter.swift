// Writes a client's messages; the reader of the same is ClientReader.swift.
// Fields at their defaults are left out.
import TableModel
import TableValue

/// Appends a client's message as one line, with its `\n`.
package func write(_ line: ClientLine, to output: inout [UInt8]) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.clientMessage(line.message)
    if let id = line.id {
        writer.key("id")
        writer.integer(id)
    }
    writer.endObject()
    writer.endLine()
    writer.append(to: &output)
}

extension JSONWriter {
    fileprivate mutating func clientMessage(_ message: ClientMessage) {
        switch message {
        case .op(let submitted): submittedOp(submitted)
        case .presence(let table, let row, let column, let isEditing):
            address("presence", table)
            key("row")
            self.row(row)
            key("column")
            self.column(column)
            if isEditing {
                key("editing")
                bool(true)
            }
        case .read(let request): readRequest(request)
        case .past(let request): pastRequest(request)
        case .history(let request): historyRequest(request)
        case .display(let request): displayRequest(request)
        case .hello(let versions, let features, let client): hello(versions, features, client)
        case .login(let credential): login(credential)
        case .create(let name, let columns): create(name, columns)
        case .open(let request): open(request)
        case .close(let table): address("close", table)
        case .hash(let table): address("hash", table)
        case .who(let table): address("who", table)
        case .comments(let request): commentsRequest(request)
        case .users(let users):
            string("users")
            key("users")
            names(users)
        case .ping: string("ping")
        case .tables: string("tables")
        case .droppedTables:
            string("tables")
            key("deleted")
            bool(true)
        case .renameTable(let table, let name, let onClash): tableRename(table, name, onClash)
        case .dropTable(let table): address("table_drop", table)
        case .restoreTable(let table, let onClash): tableRestore(table, onClash)
        case .bye: string("bye")
        }
    }

    private mutating func address(_ type: StaticString, _ table: TableReference) {
        string(type)
        key("table")
        self.table(table)
    }

    private mutating func hello(_ versions: [Int], _ features: [Text], _ client: Text) {
        string("hello")
        key("versions")
        beginArray()
        for version in versions { integer(version) }
        endArray()
        if !features.isEmpty {
            key("features")
            names(features)
        }
        if !client.isEmpty {
            key("client")
            text(client)
        }
    }

    private mutating func login(_ credential: Credential) {
        string("login")
        switch credential {
        case .token(let token):
            key("token")
            text(token)
        case .invite(let invite, let name):
            key("invite")
            text(invite)
            key("name")
            text(name)
        }
    }

    private mutating func create(_ name: Text, _ columns: [NewColumn]) {
        string("create")
        key("table")
        text(name)
        key("columns")
        beginArray()
        for column in columns {
            beginObject()
            key("name")
            text(column.name)
            key("type")
            columnType(column.type)
            rules(column.rules)
            endObject()
        }
        endArray()
    }

    private mutating func open(_ request: OpenRequest) {
        address("open", request.table)
        if !request.write {
            key("write")
            bool(false)
        }
        if !request.follow {
            key("follow")
            bool(false)
        }
        if request.start != .snapshot {
            key("start")
            string("head")
        }
        if let have = request.have {
            key("have")
            beginObject()
            key("lineage")
            text(have.lineage)
            key("seq")
            integer(have.sequence)
            endObject()
        }
        if let resume = request.resume {
            key("resume")
            beginObject()
            key("session")
            session(resume.session)
            key("token")
            text(resume.token)
            key("next")
            integer(resume.next)
            endObject()
        }
        if let window = request.window {
            key("window")
            integer(window)
        }
    }

    private mutating func readRequest(_ request: ReadRequest) {
        address("read", request.table)
        switch request.range {
        case .rows(let rows):
            key("rows")
            self.rows(rows)
        case .positions(let from, let count):
            key("from")
            integer(from)
            key("count")
            integer(count)
        }
        if !request.columns.isEmpty {
            key("columns")
            columns(request.columns)
        }
        if request.versions {
            key("versions")
            bool(true)
        }
        if let at = request.at {
            key("at")
            integer(at)
        }
    }
}

extension JSONWriter {
    /// Writes a list of texts.
    mutating func names(_ names: [Text]) {
        beginArray()
        for name in names { text(name) }
        endArray()
    }

    /// Writes a list of columns by id or name.
    mutating func columns(_ columns: [ColumnReference]) {
        beginArray()
        for column in columns { self.column(column) }
        endArray()
    }

    /// Writes the name of a type.
    mutating func columnType(_ type: ColumnType) {
        switch type {
        case .text: string("text")
        case .int: string("int")
        case .double: string("double")
        case .bool: string("bool")
        case .date: string("date")
        case .datetime: string("datetime")
        case .uuid: string("uuid")
        case .decimal: string("decimal")
        case .choice: string("choice")
        case .list: string("list")
        case .json: string("json")
        }
    }
}
