// copy: a new table with the columns, rules, rows and values that another has at one number. It
// is made here, by reading a snapshot and inserting: nobody else waits for it, since each of its
// operations is as small as any import's. The name appears once everything is there.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire

extension Command {
    /// Copies a table.
    static let copy = Command(
        "copy", "makes a table with the columns, rules and rows of another; prints its id",
        operands: [Operand("TABLE"), Operand("NEW")],
        options: [jsonOption] + connectionOptions,
        details: """
            The copy is of one moment; what is changed meanwhile is not in it. It is made under
            the name `NEW (copying)`, which becomes NEW once it is whole, and is dropped where
            that fails. Ids of rows and columns are new, history and sessions begin anew, and
            deleted rows are left out. For owners and managers.
            """
    ) { invocation in
        let target = try TableTarget(invocation.word("TABLE"))
        let name = Text(invocation.word("NEW"))
        let source = try invocation.openTable(for: .copy, patience: .long)
        let id = source.id
        try source.conversation.waitUntilLive(id)
        let replica = source.conversation.driver.perform { client, _, _ in client.replica(of: id) }
        guard let content = replica?.confirmed else { throw CommandFailure.unexpectedAnswer }
        source.conversation.end()
        let conversation = try invocation.converse(with: target.server, patience: .long)
        let made = try conversation.copy(content, as: name)
        conversation.end()
        talk(
            "copied \(counted(content.rowCount, "row")), "
                + "\(counted(content.columns.count, "column")) as of record \(content.head)")
        try invocation.tell(made, name: name, text: made.description)
    }
}

extension Conversation {
    /// Makes a table with the content of another, under a name that it has once it is whole.
    fileprivate func copy(_ content: Table, as name: Text) throws(CommandFailure) -> TableID {
        guard case .tables(let tables) = try ask(.tables) else { throw .unexpectedAnswer }
        guard !tables.contains(where: { simpleCaseFolded($0.name) == simpleCaseFolded(name) })
        else {
            throw .refused(
                code: WireCode.tableExists.rawValue, message: "there is a table of that name")
        }
        // The rules follow at once: an expression may name a column that comes later.
        let columns = content.columns.map { NewColumn(name: $0.name, type: $0.type) }
        let provisional = extendedName(
            name, by: " (copying)", bytesMax: TableLimits().nameBytesMax)
        let made = try makeTable(TableTarget(provisional.string), columns: columns)
        do throws(CommandFailure) {
            try fill(made, with: content)
            let answer = try ask(
                .renameTable(.id(made.table), name: name, onClash: .reject))
            guard case .renamed = answer else { throw .unexpectedAnswer }
            return made.table
        } catch {
            // Where this fails too, the table stays under the name that says what it is.
            _ = try? ask(.dropTable(.id(made.table)), attempts: 1)
            throw error
        }
    }

    private func fill(_ made: MadeTable, with content: Table) throws(CommandFailure) {
        var request = OpenRequest.looking(at: .id(made.table))
        request.write = true
        let table = TableAtHand(conversation: self, opened: try open(request))
        try setRules(of: table, made.columns.map(\.id), like: content.columns)
        // What is computed the server writes itself, the same from the same cells.
        let given = zip(content.columns, made.columns).filter { !$0.0.rules.isComputed }
        var sender = RowSender(table: table, columns: given.map(\.1.id))
        var progress = Progress(of: content.rowCount, on: driver.loop)
        var failure: CommandFailure?
        content.forEachRow(from: 0, count: .max, columns: given.map(\.0.id)) { _, values in
            do throws(CommandFailure) {
                try sender.add(values)
                progress.show(sender.storedCount)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        try sender.finish()
        progress.end()
    }

    private func setRules(
        of table: TableAtHand, _ ids: [ColumnID], like columns: [Column]
    ) throws(CommandFailure) {
        var renamed: [String: String] = [:]
        for (column, id) in zip(columns, ids) { renamed[column.id.description] = id.description }
        var body: [Intent] = []
        for (column, id) in zip(columns, ids) {
            guard case .object(let members) = column.rules.tree, !members.isEmpty else { continue }
            let translated = members.map { member in
                guard case .text(let text) = member.value,
                    member.key == "check" || member.key == "computed"
                else { return member }
                return JSONMember(
                    key: member.key, value: .text(Text(renaming(renamed, in: text.string))))
            }
            body.append(.changeRules(.id(id), .object(translated)))
        }
        guard !body.isEmpty else { return }
        let decision = try perform(Op(mode: .strict, body: body), in: table.id)
        if let failure = CommandFailure(decision.outcome) { throw failure }
    }
}

/// An expression in which columns, which it names by their ids in double quotes, have other ids.
///
/// What stands in single quotes is a text, and stays.
func renaming(_ ids: [String: String], in expression: String) -> String {
    var result = ""
    var rest = expression.unicodeScalars[...]
    while let first = rest.first {
        guard first == "'" || first == "\"" else {
            result.unicodeScalars.append(first)
            rest.removeFirst()
            continue
        }
        // A doubled quote stands within.
        var end = rest.index(after: rest.startIndex)
        while let quote = rest[end...].firstIndex(of: first) {
            end = rest.index(after: quote)
            guard end < rest.endIndex, rest[end] == first else { break }
            end = rest.index(after: end)
        }
        let word = String(rest[..<end])
        let id = first == "\"" ? ids[String(word.dropFirst().dropLast())] : nil
        result += id.map { "\"\($0)\"" } ?? word
        rest = rest[end...]
    }
    return result
}
