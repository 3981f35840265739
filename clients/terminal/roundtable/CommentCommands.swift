// comment add, list, edit, resolve, reopen, delete: what people and bots say about rows and cells.
// Each but list is one operation; the outcome is told by Reporting.swift. A comment's text is
// somebody else's: on the terminal it never passes as it is.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

extension Command {
    /// Makes a comment.
    static let commentAdd = Command(
        "comment add", "says something about a row or a cell; prints the comment's id",
        operands: [Operand("TABLE"), Operand("ROW"), Operand("TEXT")],
        options: [
            Option("column", value: "COLUMN", "about the row's cell in that column"),
            Option("reply-to", value: "COMMENT", "answer that comment on the same row"),
            jsonOption,
        ] + connectionOptions
    ) { invocation in
        let answered = try invocation.value("reply-to").map { word throws(CommandFailure) in
            try commentID(word)
        }
        let table = try invocation.openTable(for: .write)
        var making = MakeComment(
            row: try table.row(invocation.word("ROW")), text: Text(invocation.word("TEXT")),
            replyTo: answered)
        if let word = invocation.value("column") {
            making.column = .id(try table.column(word).id)
        }
        try perform(.make(making), invocation, in: table)
    }

    /// Lists comments.
    static let commentList = Command(
        "comment list", "lists the comments on a table, a row or a cell, oldest first",
        operands: [Operand("TABLE")],
        options: [
            Option("row", value: "ROW", "on this row and its cells alone"),
            Option("column", value: "COLUMN", "on cells of this column alone"),
            Option("open", "only those that are not resolved"),
            jsonOption,
        ] + connectionOptions,
        details: """
            For each comment its id, the row and the column, who and when, and how it stands;
            below it what it says. Comments on rows and columns that were deleted are listed
            too, and say so. With --json each is a line as docs/protocol.md has it, with
            "hidden" where its row or column is deleted.
            """
    ) { invocation in
        let table = try invocation.openTable(for: .look)
        var request = CommentsRequest(table: .id(table.id))
        request.row = try invocation.value("row").map { word throws(CommandFailure) in
            try table.row(word)
        }
        request.column = invocation.value("column").map { word in
            ColumnID(Text(word)).map { .id($0) } ?? .name(Text(word))
        }
        request.isOpenOnly = invocation.has("open")
        let output = Output()
        var printer = CommentPrinter(table: table, output: output)
        while true {
            guard case .comments(let page) = try table.conversation.ask(.comments(request)) else {
                throw CommandFailure.unexpectedAnswer
            }
            let hidden = Set(page.hidden)
            for comment in page.comments {
                let isHidden = hidden.contains(comment.id)
                if invocation.has("json") {
                    try output.write(comment.line(isHidden: isHidden))
                } else {
                    try printer.print(comment, isHidden: isHidden)
                }
            }
            guard let next = page.next else { break }
            request.after = next
        }
        table.conversation.end()
        try output.finish()
    }

    /// Changes what a comment says.
    static let commentEdit = Command(
        "comment edit", "changes what one's own comment says",
        operands: [Operand("TABLE"), Operand("COMMENT"), Operand("TEXT")],
        options: [jsonOption] + connectionOptions
    ) { invocation in
        let text = Text(invocation.word("TEXT"))
        try change(invocation) { .edit($0, text: text) }
    }

    /// Says that a comment is dealt with.
    static let commentResolve = Command(
        "comment resolve", "says that a comment is dealt with",
        operands: [Operand("TABLE"), Operand("COMMENT")],
        options: [jsonOption] + connectionOptions
    ) { invocation in
        try change(invocation) { .resolve($0, isResolved: true) }
    }

    /// Says that a comment is not dealt with.
    static let commentReopen = Command(
        "comment reopen", "says that a comment is not dealt with after all",
        operands: [Operand("TABLE"), Operand("COMMENT")],
        options: [jsonOption] + connectionOptions
    ) { invocation in
        try change(invocation) { .resolve($0, isResolved: false) }
    }

    /// Takes a comment back.
    static let commentDelete = Command(
        "comment delete", "takes one's own comment back; undo brings it again",
        operands: [Operand("TABLE"), Operand("COMMENT")],
        options: [jsonOption] + connectionOptions
    ) { invocation in
        try change(invocation) { .delete($0) }
    }
}

private func commentID(_ word: String) throws(CommandFailure) -> CommentID {
    guard let id = CommentID(Text(word)) else {
        throw .words("COMMENT is a comment's id, such as m118.1: `comment list` tells them")
    }
    return id
}

private func change(
    _ invocation: Invocation, _ intent: (CommentID) -> CommentIntent
) throws(CommandFailure) {
    let id = try commentID(invocation.word("COMMENT"))
    try perform(intent(id), invocation, in: try invocation.openTable(for: .write))
}

private func perform(
    _ intent: CommentIntent, _ invocation: Invocation, in table: TableAtHand
) throws(CommandFailure) {
    let op = Op(base: table.opened.sequence, mode: .strict, body: [.comment(intent)])
    let decision = try table.conversation.perform(op, in: table.id)
    table.conversation.end()
    try invocation.report(decision, text: decision.outcome.comments.map(\.description))
}

/// Prints comments for people, with the names of users, which it asks for once each.
private struct CommentPrinter {
    let table: TableAtHand
    let output: Output
    private var names: UserNames

    init(table: TableAtHand, output: Output) {
        self.table = table
        self.output = output
        names = UserNames(table.conversation)
    }

    mutating func print(_ comment: TableComment, isHidden: Bool) throws(CommandFailure) {
        var line = "\(comment.id)  \(comment.row)"
        if let column = comment.column { line += " \(table.names(of: [column])[0].string)" }
        if isHidden { line += " (deleted)" }
        line += "  \(try words(of: comment.made))"
        if let other = comment.replyTo { line += "  answers \(other)" }
        if let edited = comment.edited { line += "  changed \(try words(of: edited))" }
        line +=
            try comment.resolved.map { stamp throws(CommandFailure) in
                "  resolved \(try words(of: stamp))"
            } ?? "  open"
        try output.line(TerminalSafe.line(line))
        for part in comment.text.string.split(separator: "\n", omittingEmptySubsequences: false) {
            try output.line("    " + TerminalSafe.line(String(part)))
        }
    }

    private mutating func words(of stamp: CommentStamp) throws(CommandFailure) -> String {
        "\(try names.name(of: stamp.user)) (\(stamp.user)) \(timeText(stamp.timeMilliseconds))"
    }
}

extension TableComment {
    /// The comment as a line of JSON.
    fileprivate func line(isHidden: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.comment(self, isHidden: isHidden)
        writer.endLine()
        return writer.bytes
    }
}
