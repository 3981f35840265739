// rename, drop, undrop: tables as a whole. Each is one question to the server.
// Making and listing tables is in ServerCommands.swift.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

private let suffixOption = Option(
    "suffix", "where the name is taken, use the next free one (\"stock 2\") instead of failing")

extension Command {
    /// Renames a table.
    static let rename = Command(
        "rename", "gives a table another name; prints the name",
        operands: [Operand("TABLE"), Operand("NAME")],
        options: [suffixOption, jsonOption] + connectionOptions,
        details: """
            Whoever has the table open goes on, and sees the new name. Names that differ in
            upper and lower case alone are the same name. For owners and managers.
            """
    ) { invocation in
        let target = try TableTarget(invocation.word("TABLE"))
        let conversation = try invocation.converse(with: target.server)
        // To give it the same name again changes nothing, so it may be asked twice.
        let answer = try conversation.ask(
            .renameTable(
                target.table, name: Text(invocation.word("NAME")),
                onClash: invocation.has("suffix") ? .suffix : .reject))
        guard case .renamed(let table, let name) = answer else {
            throw CommandFailure.unexpectedAnswer
        }
        conversation.end()
        try invocation.tell(table, name: name, text: TerminalSafe.line(name.string))
    }

    /// Drops a table.
    static let drop = Command(
        "drop", "takes a table away from everybody; prints its id",
        operands: [Operand("TABLE")],
        options: [Option("yes", "do not ask first"), jsonOption] + connectionOptions,
        details: """
            Whoever has the table open is told that it was deleted. Its name is free again.
            Nothing of it is erased: `roundtable ls --deleted` lists it, and `roundtable undrop`
            with its id brings it back with all it had. For owners and managers.
            """
    ) { invocation in
        let target = try TableTarget(invocation.word("TABLE"))
        if !invocation.has("yes") { try confirmDrop(of: target) }
        let conversation = try invocation.converse(with: target.server)
        // Once: where the connection breaks, the table of that name may be another one by then.
        let answer = try conversation.ask(.dropTable(target.table), attempts: 1)
        guard case .dropped(let table) = answer else { throw CommandFailure.unexpectedAnswer }
        conversation.end()
        try invocation.tell(table, name: nil, text: table.description)
    }

    /// Brings a dropped table back.
    static let undrop = Command(
        "undrop", "brings a dropped table back; prints its name",
        operands: [Operand("TABLE")],
        options: [suffixOption, jsonOption] + connectionOptions,
        details: """
            TABLE is an id as `roundtable ls --deleted` lists it, or a name: then it is the table
            of that name which was dropped last. It comes back with its rows, columns and
            history. For owners and managers.
            """
    ) { invocation in
        let target = try TableTarget(invocation.word("TABLE"))
        let conversation = try invocation.converse(with: target.server)
        let answer = try conversation.ask(
            .restoreTable(target.table, onClash: invocation.has("suffix") ? .suffix : .reject),
            attempts: 1)
        guard case .restored(let table, let name) = answer else {
            throw CommandFailure.unexpectedAnswer
        }
        conversation.end()
        try invocation.tell(table, name: name, text: TerminalSafe.line(name.string))
    }
}

/// Asks a person; where nobody can be asked, the word must stand on the command line.
private func confirmDrop(of target: TableTarget) throws(CommandFailure) {
    let input = LocalFile.standardInput()
    guard input.isTerminal else {
        throw .words("to drop a table without being asked, say --yes")
    }
    talk("drop \(TerminalSafe.line(target.text)) for everybody? y or n:")
    var bytes: [UInt8] = []
    do {
        try input.read(upTo: 1 << 10, into: &bytes)
    } catch {
        throw .local(error.reason)
    }
    guard let first = bytes.first, first == UInt8(ascii: "y") || first == UInt8(ascii: "Y") else {
        throw .local("nothing was dropped")
    }
}

extension Invocation {
    /// Prints a table, as text or as a line of JSON.
    func tell(
        _ table: TableID, name: Text?, text: String
    ) throws(CommandFailure) {
        let output = Output()
        if has("json") {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("table")
            writer.table(table)
            if let name {
                writer.key("name")
                writer.text(name)
            }
            writer.endObject()
            writer.endLine()
            try output.write(writer.bytes)
        } else {
            try output.line(text)
        }
        try output.finish()
    }
}
