// watch, hash, who: what happens in a table, what it comes to, and who is there.
// They change nothing. Conversation.swift keeps the connection.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire
import Transport

extension Command {
    /// Follows a table's records.
    static let watch = Command(
        "watch", "prints the records of a table as lines of JSON, as they come",
        operands: [Operand("TABLE")],
        options: [
            Option("since", value: "SEQ", "begin with the record after that one"),
            Option("exit-after", value: "N", "end after N records"),
        ] + connectionOptions,
        details: """
            Records are as docs/protocol.md describes them, with the `name` of their `user`
            besides. A broken connection is resumed where it broke; to resume in a later run,
            give the last `seq` that was printed to --since. A line of type `renamed` says that
            the table has another name; the command goes on.
            """
    ) { invocation in
        let target = try TableTarget(invocation.word("TABLE"))
        let since = try invocation.number("since", minimum: 0).map { SequenceNumber($0) }
        let limit = try invocation.number("exit-after", minimum: 1) ?? .max
        var request = OpenRequest(table: target.table)
        request.write = false
        request.start = .head
        if let since { request.have = try held(since, invocation) }
        let conversation = try invocation.converse(with: target.server, patience: .endless)
        let opened = try conversation.open(request)
        var watcher = Watcher(
            table: opened.table, conversation: conversation, after: since ?? opened.sequence)
        try watcher.printRecords(limit)
        conversation.end()
    }

    /// Prints the content hash.
    static let hash = Command(
        "hash", "prints the number of the last record and the hash of the whole content",
        operands: [Operand("TABLE")],
        options: [
            Option("server", "let the server compute it, instead of fetching the whole table"),
            jsonOption,
        ] + connectionOptions,
        details:
            "At the same number the hash is the same on every client; docs/protocol.md defines it."
    ) { invocation in
        let isByServer = invocation.has("server")
        let table = try invocation.openTable(for: isByServer ? .look : .copy)
        let (sequence, hash) = try isByServer ? table.hashByServer() : table.hashByReplica()
        table.conversation.end()
        let output = Output()
        if invocation.has("json") {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("seq")
            writer.integer(sequence)
            writer.key("hash")
            writer.text(hexadecimal(hash))
            writer.endObject()
            writer.endLine()
            try output.write(writer.bytes)
        } else {
            try output.line("\(sequence) \(hexadecimal(hash))")
        }
        try output.finish()
    }

    /// Lists who is at a table.
    static let who = Command(
        "who", "lists who has a table open, at which cell they are, and who edits it",
        operands: [Operand("TABLE")], options: [jsonOption] + connectionOptions
    ) { invocation in
        // Asked before the table is opened, so that this command is not among those who are there.
        let target = try TableTarget(invocation.word("TABLE"))
        let conversation = try invocation.converse(with: target.server)
        guard case .who(let id, let people) = try conversation.ask(.who(target.table)) else {
            throw CommandFailure.unexpectedAnswer
        }
        let table = TableAtHand(
            conversation: conversation, opened: try conversation.open(.looking(at: .id(id))))
        conversation.end()
        let output = Output()
        for person in people {
            if invocation.has("json") {
                try output.write(person.line)
                continue
            }
            var line = "\(TerminalSafe.line(person.name.string)) (\(person.user))"
            if let row = person.row {
                line += " at row \(row)"
                if let column = person.column {
                    line += ", column \(TerminalSafe.line(table.names(of: [column])[0].string))"
                }
                if person.isEditing { line += ", editing" }
            }
            try output.line(line)
        }
        try output.finish()
    }
}

/// What a watcher that has seen records up to `since` holds: the table's lineage is asked for
/// first, by a conversation of its own.
private func held(
    _ since: SequenceNumber, _ invocation: Invocation
) throws(CommandFailure) -> OpenRequest.Held {
    let table = try invocation.openTable(for: .look, patience: .endless)
    table.conversation.end()
    guard since <= table.opened.sequence else {
        throw .words("the table has come to record \(table.opened.sequence) only")
    }
    return OpenRequest.Held(lineage: table.opened.lineage, sequence: since)
}

extension TableAtHand {
    fileprivate func hashByServer() throws(CommandFailure) -> (SequenceNumber, [UInt8]) {
        guard case .hash(_, let sequence, let hash) = try conversation.ask(.hash(.id(id))) else {
            throw .unexpectedAnswer
        }
        return (sequence, hash)
    }

    fileprivate func hashByReplica() throws(CommandFailure) -> (SequenceNumber, [UInt8]) {
        try conversation.waitUntilLive(id)
        let found = conversation.driver.perform { (client, _, _) in
            client.contentHash(of: id, using: ContentSHA256.self)
        }
        guard let found else { throw .unexpectedAnswer }
        return (found.sequence, found.hash)
    }
}

extension Presence {
    /// The entry as a line of JSON.
    fileprivate var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("connection")
        writer.integer(connection)
        writer.key("user")
        writer.text(user)
        writer.key("name")
        writer.text(name)
        if let row {
            writer.key("row")
            writer.row(row)
        }
        if let column {
            writer.key("column")
            writer.column(column)
        }
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
