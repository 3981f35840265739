// join, ls, new: servers and the tables on them.
// What is remembered of a server is kept by ClientRuntime (KnownServers.swift).
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire
import Transport

extension Command {
    /// Redeems an invite.
    static let join = Command(
        "join", "redeems an invite and remembers the server, which becomes the default one",
        operands: [Operand("INVITE")],
        options: [
            Option("name", value: "NAME", "how others see you (default: your login name)"),
            jsonOption,
        ] + connectionOptions,
        details: """
            The invite is the line that the server or a colleague printed; `-` reads it from
            standard input. It carries the fingerprint of the server's key: a server that
            shows another one is refused, now and later.
            """
    ) { invocation in
        let invite = try readInvite(invocation.word("INVITE"))
        let name = invocation.value("name") ?? ClientHome.environment("USER") ?? "somebody"
        let server = HostPort(host: invite.host, port: invite.port)
        let conversation = try Conversation(
            server: server, pin: invite.pin,
            credential: .invite(Text(base32(invite.secret)), name: Text(name)), patience: .short,
            invocation: invocation)
        let known = try conversation.wait {
            (notice) throws(CommandFailure) -> KnownServer? in
            guard case .loggedIn(let user, let name, _, let token) = notice else { return nil }
            guard let token else { throw .unexpectedAnswer }
            return KnownServer(
                address: server, pin: Text(hexadecimal(invite.pin)), user: user, name: name,
                token: token)
        }
        try remember(known)
        conversation.end()
        talk("joined \(server) as \(known.name) (\(known.user))")
        guard invocation.has("json") else { return }
        let output = Output()
        try output.write(known.line)
        try output.finish()
    }

    /// Lists tables.
    static let list = Command(
        "ls", "lists the tables of a server",
        operands: [Operand("HOST:PORT", .optional)],
        options: [
            Option("deleted", "the dropped ones instead, with their ids, for `roundtable undrop`"),
            jsonOption,
        ] + connectionOptions
    ) { invocation in
        let address = try invocation.optionalWord("HOST:PORT").map {
            (word) throws(CommandFailure) -> HostPort in
            guard let address = HostPort(word) else { throw .words("`\(word)` is not HOST:PORT") }
            return address
        }
        let conversation = try invocation.converse(with: address)
        let isDeleted = invocation.has("deleted")
        let question = isDeleted ? ClientMessage.droppedTables : .tables
        guard case .tables(let tables) = try conversation.ask(question) else {
            throw CommandFailure.unexpectedAnswer
        }
        conversation.end()
        let output = Output()
        let nameWidth = tables.map(\.name.string.count).max() ?? 0
        for table in tables {
            if invocation.has("json") {
                try output.write(table.line)
            } else {
                let padding = String(repeating: " ", count: nameWidth - table.name.string.count)
                let name = TerminalSafe.line(table.name.string)
                try output.line(
                    (isDeleted ? "\(table.table)  " : "")
                        + "\(name)\(padding)  \(counted(table.rowCount, "row")), "
                        + counted(table.columnCount, "column"))
            }
        }
        try output.finish()
    }

    /// Makes a table.
    static let new = Command(
        "new", "makes a table; prints its id",
        operands: [Operand("TABLE")],
        options: [
            Option("columns", value: "NAME:TYPE,…", "the columns in order (default: none yet)"),
            jsonOption,
        ] + connectionOptions,
        details: """
            TYPE is one of \(typeNames): --columns 'name:text,qty:int'.
            choice comes with its choices: --columns 'state:choice(open|done)'.
            More columns are added by `roundtable column add`.
            """
    ) { invocation in
        let columns = try invocation.value("columns").map(newColumns) ?? []
        let target = try TableTarget(invocation.word("TABLE"))
        let conversation = try invocation.converse(with: target.server)
        let opened = try conversation.makeTable(target, columns: columns)
        conversation.end()
        let output = Output()
        if invocation.has("json") {
            try output.write(opened.line)
        } else {
            try output.line(opened.table.description)
        }
        try output.finish()
    }
}

/// A table that was made.
struct MadeTable {
    let table: TableID
    let columns: [Column]
}

extension Conversation {
    /// Makes a table.
    ///
    /// Where the connection breaks before the answer, the table is looked for before it is made
    /// again.
    func makeTable(
        _ target: TableTarget, columns: [NewColumn]
    ) throws(CommandFailure) -> MadeTable {
        guard case .name(let name) = target.table else {
            throw .words("`\(target.text)` is the form of an id; give the table a name")
        }
        var hasBroken = false
        while true {
            do {
                return try create(name, columns)
            } catch .refused(code: WireCode.internalError.rawValue, _) where !hasBroken {
                hasBroken = true
            } catch .refused(code: WireCode.tableExists.rawValue, let message) {
                guard hasBroken, let made = try find(name, like: columns) else {
                    throw .refused(code: WireCode.tableExists.rawValue, message: message)
                }
                return made
            }
        }
    }

    private func create(
        _ name: Text, _ columns: [NewColumn]
    ) throws(CommandFailure) -> MadeTable {
        let answer = try ask(.create(name: name, columns: columns), attempts: 1)
        guard case .created(let table, let columns) = answer else { throw .unexpectedAnswer }
        return MadeTable(table: table, columns: columns)
    }

    /// The table of that name where it is as an unanswered `create` would have made it.
    private func find(
        _ name: Text, like columns: [NewColumn]
    ) throws(CommandFailure) -> MadeTable? {
        let opened = try open(.looking(at: .name(name)))
        let isAlike =
            opened.rowCount == 0
            && opened.columns.map { NewColumn(name: $0.name, type: $0.type, rules: $0.rules.tree) }
                == columns
        return isAlike ? MadeTable(table: opened.table, columns: opened.columns) : nil
    }
}

/// Reads `name:text,qty:int`.
func newColumns(_ list: String) throws(CommandFailure) -> [NewColumn] {
    var columns: [NewColumn] = []
    for entry in list.split(separator: ",", omittingEmptySubsequences: false) {
        guard let colon = entry.lastIndex(of: ":"), colon != entry.startIndex else {
            throw .words("`\(entry)` is not NAME:TYPE")
        }
        let word = try TypeWord(entry[entry.index(after: colon)...])
        columns.append(
            NewColumn(
                name: Text(String(entry[..<colon])), type: word.type, rules: word.rules))
    }
    return columns
}

private func readInvite(_ word: String) throws(CommandFailure) -> InviteText {
    var text = word
    if word == "-" {
        var bytes: [UInt8] = []
        do {
            try LocalFile.standardInput().read(upTo: 4 << 10, into: &bytes)
        } catch {
            throw .local(error.reason)
        }
        text = String(decoding: bytes, as: UTF8.self)
    }
    do {
        return try InviteText(text, sha256: sha256)
    } catch {
        throw .words("this is no invite. \(error.description)")
    }
}

private func remember(_ server: KnownServer) throws(CommandFailure) {
    do {
        try KnownServers.update(in: ClientHome.folder()) { $0.remember(server) }
    } catch {
        throw .local(error.reason)
    }
}

extension KnownServer {
    /// What may be shown of it, as a line of JSON: never its token.
    fileprivate var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("address")
        writer.text(address.description)
        writer.key("user")
        writer.text(user)
        writer.key("name")
        writer.text(name)
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}

extension TableSummary {
    /// The summary as a line of JSON.
    fileprivate var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("table")
        writer.table(table)
        writer.key("name")
        writer.text(name)
        writer.key("rows")
        writer.integer(rowCount)
        writer.key("columns")
        writer.integer(columnCount)
        writer.key("seq")
        writer.integer(sequence)
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}

extension MadeTable {
    /// The table as a line of JSON.
    fileprivate var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("table")
        writer.table(table)
        writer.key("columns")
        writer.columns(columns.map(\.id))
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
