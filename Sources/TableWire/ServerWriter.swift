// Writes a server's messages; the readers of the same are ServerReader.swift and
// AnswerReader.swift. Records are in RecordWriter.swift.
import TableModel
import TableValue

/// Appends a server's message as one line, with its `\n`.
package func write(_ line: ServerLine, to output: inout [UInt8]) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.serverMessage(line.message)
    if let id = line.id {
        writer.key("id")
        writer.integer(id)
    }
    writer.endObject()
    writer.endLine()
    writer.append(to: &output)
}

/// Appends a block of a snapshot as one line, with its `\n`: what `write` makes of the same
/// message, without making the message.
package func writeChunkLine(_ chunk: Chunk, to output: inout [UInt8]) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.chunk(chunk)
    writer.endObject()
    writer.endLine()
    writer.append(to: &output)
}

extension JSONWriter {
    fileprivate mutating func serverMessage(_ message: ServerMessage) {
        switch message {
        case .record(let table, let record): self.record(record, table: table)
        case .reply(let reply): self.reply(reply)
        case .chunk(let chunk): self.chunk(chunk)
        case .welcome(let welcome): self.welcome(welcome)
        case .loggedIn(let user, let name, let role, let token):
            loggedIn(user: user, name: name, role: role, token: token)
        case .pong: string("pong")
        case .tables(let tables): summaries(tables)
        case .created(let table, let columns):
            address("created", table)
            key("columns")
            schema(columns)
        case .opened(let opened): self.opened(opened)
        case .snapshot(let table, let sequence, let rowCount, let columns, let look):
            point("snapshot", table, sequence)
            key("rows")
            integer(rowCount)
            key("columns")
            schema(columns)
            self.look(look)
        case .snapshotEnd(let table, let sequence): point("snapshot_end", table, sequence)
        case .live(let table, let sequence): point("live", table, sequence)
        case .rows(let answer): rowsAnswer(answer)
        case .past(let answer): pastAnswer(answer)
        case .history(let answer): historyAnswer(answer)
        case .hash(let table, let sequence, let hash):
            point("hash", table, sequence)
            key("hash")
            hexadecimal(hash)
        case .display(let table, let mine): displayAnswer(table, mine)
        case .who(let table, let present):
            address("who", table)
            self.present(present)
        case .comments(let answer): commentsAnswer(answer)
        case .users(let users):
            string("users")
            key("users")
            beginArray()
            for user in users {
                beginObject()
                key("user")
                text(user.user)
                key("name")
                text(user.name)
                endObject()
            }
            endArray()
        case .presence(let table, let present):
            address("presence", table)
            self.present(present)
        case .closed(let table): address("closed", table)
        case .renamed(let table, let name): namedTable("renamed", table, name)
        case .dropped(let table): address("dropped", table)
        case .restored(let table, let name): namedTable("restored", table, name)
        case .error(let error): errorMessage("error", error)
        case .bye(let error): errorMessage("bye", error)
        }
    }

    private mutating func address(_ type: StaticString, _ table: TableID) {
        string(type)
        key("table")
        self.table(table)
    }

    private mutating func point(
        _ type: StaticString, _ table: TableID, _ sequence: SequenceNumber
    ) {
        address(type, table)
        key("seq")
        integer(sequence)
    }

    private mutating func welcome(_ welcome: Welcome) {
        string("welcome")
        key("version")
        integer(welcome.version)
        key("features")
        names(welcome.features)
        key("server")
        text(welcome.server)
        key("line_bytes_max")
        integer(welcome.lineBytesMax)
        key("parts_max")
        integer(welcome.partsMax)
        key("window")
        integer(welcome.window)
        key("heartbeat_seconds")
        integer(welcome.heartbeatSeconds)
        key("durability")
        text(welcome.durability)
    }

    private mutating func loggedIn(user: Text, name: Text, role: Text, token: Text?) {
        string("logged_in")
        key("user")
        text(user)
        key("name")
        text(name)
        key("role")
        text(role)
        if let token {
            key("token")
            text(token)
        }
    }

    private mutating func reply(_ reply: Reply) {
        address("reply", reply.table)
        if reply.clientNumber > 0 {
            key("cseq")
            integer(reply.clientNumber)
        }
        if let sequence = reply.sequence {
            key("seq")
            integer(sequence)
        }
        key("outcome")
        outcome(reply.outcome, isExactlyOnce: reply.isExactlyOnce)
    }

    private mutating func summaries(_ tables: [TableSummary]) {
        string("tables")
        key("tables")
        beginArray()
        for table in tables {
            beginObject()
            key("table")
            self.table(table.table)
            key("name")
            text(table.name)
            key("rows")
            integer(table.rowCount)
            key("columns")
            integer(table.columnCount)
            key("seq")
            integer(table.sequence)
            endObject()
        }
        endArray()
    }

    private mutating func opened(_ opened: Opened) {
        address("opened", opened.table)
        key("name")
        text(opened.name)
        key("lineage")
        text(opened.lineage)
        key("seq")
        integer(opened.sequence)
        key("columns")
        schema(opened.columns)
        look(opened.look)
        personal(opened.mine)
        key("rows")
        integer(opened.rowCount)
        key("role")
        text(opened.role)
        guard let writer = opened.writer else { return }
        key("session")
        session(writer.session)
        key("token")
        text(writer.token)
        key("last_cseq")
        integer(writer.lastClientNumber)
        key("row_counter")
        integer(Int64(writer.rowCounter))
        key("column_counter")
        integer(Int64(writer.columnCounter))
        key("window")
        integer(writer.window)
    }
}

extension JSONWriter {
    fileprivate mutating func chunk(_ chunk: Chunk) {
        address("chunk", chunk.table)
        key("rows")
        rows(chunk.rows)
        key("columns")
        columns(chunk.columns)
        guard !chunk.columns.isEmpty else { return }
        key("cells")
        cells(chunk.cells, width: chunk.columns.count, rowCount: chunk.rows.count)
    }

    private mutating func rowsAnswer(_ answer: RowsAnswer) {
        point("rows", answer.table, answer.sequence)
        key("columns")
        columns(answer.columns)
        key("rows")
        rows(answer.rows)
        key("cells")
        cells(answer.cells, width: answer.columns.count, rowCount: answer.rows.count)
        if !answer.versions.isEmpty {
            key("versions")
            beginArray()
            var index = 0
            for _ in answer.rows {
                beginArray()
                for _ in answer.columns where index < answer.versions.count {
                    integer(answer.versions[index])
                    index &+= 1
                }
                endArray()
            }
            endArray()
        }
        key("total")
        integer(answer.total)
    }

    private mutating func present(_ present: [Presence]) {
        key("who")
        beginArray()
        for presence in present {
            beginObject()
            key("connection")
            integer(presence.connection)
            key("user")
            text(presence.user)
            key("name")
            text(presence.name)
            key("row")
            row(presence.row)
            key("column")
            column(presence.column)
            if presence.isEditing {
                key("editing")
                bool(true)
            }
            endObject()
        }
        endArray()
    }

    private mutating func hexadecimal(_ bytes: [UInt8]) {
        var digits = ""
        for byte in bytes {
            digits.unicodeScalars.append(Unicode.Scalar(hexadecimalDigit(byte >> 4)))
            digits.unicodeScalars.append(Unicode.Scalar(hexadecimalDigit(byte & 15)))
        }
        text(digits)
    }

    private mutating func errorMessage(_ type: StaticString, _ error: ErrorMessage) {
        string(type)
        key("code")
        text(error.code.rawValue)
        key("message")
        text(error.message)
        if let table = error.table {
            key("table")
            self.table(table)
        }
        if let clientNumber = error.clientNumber, clientNumber > 0 {
            key("cseq")
            integer(clientNumber)
        }
        if let offset = error.offset {
            key("offset")
            integer(offset)
        }
        if let seconds = error.retrySeconds {
            key("retry_seconds")
            double(seconds)
        }
    }
}
