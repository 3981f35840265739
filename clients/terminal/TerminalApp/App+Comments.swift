// Comments: written on the cell under the cursor, listed, answered, resolved. They are operations
// like any other; the marks beside rows and cells follow from the table.
import TableClient
import TableModel
import TableValue
import Terminal

extension App {
    /// False where this user may not comment now; that is said.
    private mutating func mayComment(_ sheet: Sheet?) -> Bool {
        let kept = readOnlyReason
        if kept == App.commentsOnly { readOnlyReason = nil }
        defer { readOnlyReason = kept }
        return mayEdit(sheet)
    }

    /// Why somebody whose role is `commenter` cannot change anything else.
    static let commentsOnly = "your role (commenter) allows comments alone"

    /// Asks what shall be said of the cell under the cursor.
    mutating func askForComment(_ sheet: Sheet?) {
        guard mayComment(sheet), let sheet else { return }
        guard let row = grid.row else { return refuse("there is no row to comment on") }
        let column = sheet.column(at: grid.columnPosition)
        layer = .prompt(Prompt(kind: .comment(row, column, nil)))
    }

    /// Opens the comments: of the row, where it has any that are open, or else of the table.
    mutating func showComments(_ sheet: Sheet?) {
        let isOfRow = grid.row.map { sheet?.openCommentCount(of: $0) ?? 0 > 0 } ?? false
        layer = .comments(
            CommentList(row: grid.row, column: grid.column, isOfTable: !isOfRow))
    }

    /// A comment was typed: makes it; says why not.
    mutating func comment(
        _ text: String, on row: RowID, _ column: Column?, answering other: CommentID?,
        _ turn: inout Turn
    ) -> String? {
        guard !text.trimmingSpaces.isEmpty else { return "write something; Esc closes" }
        guard mayComment(turn.sheet) else { return nil }
        let making = MakeComment(
            row: row, column: column.map { .id($0.id) }, text: Text(text), replyTo: other)
        turn.perform(.comment(.make(making)), for: .comment("the comment"))
        return nil
    }

    /// Another text for a comment was typed.
    mutating func editComment(_ id: CommentID, _ text: String, _ turn: inout Turn) -> String? {
        guard !text.trimmingSpaces.isEmpty else { return "write something; Esc closes" }
        guard mayComment(turn.sheet) else { return nil }
        turn.perform(
            .comment(.edit(id, text: Text(text))), for: .comment("the change of the comment"))
        return nil
    }

    // MARK: The list

    /// Whose comments a list has, and what its keys do.
    func commentsTitle(_ list: CommentList, _ sheet: Sheet?) -> String {
        let row = list.row.flatMap { sheet?.position(of: $0) }.map { "row \(grouped($0 + 1))" }
        let scope = list.isOfTable ? "comments on the table" : "comments on \(row ?? "a row")"
        let other =
            list.isOfTable ? (list.row == nil ? "" : " · Tab: the row") : " · Tab: the table"
        let all = list.showsResolved ? " · a: open ones" : " · a: all"
        return scope + other + all
            + " · Enter: go there · n: answer · r: resolve · e: change · d: delete"
    }

    /// A comment in a line.
    func commentLine(_ comment: TableComment, isOfTable: Bool, _ sheet: Sheet?) -> String {
        var place = ""
        if isOfTable {
            let position = sheet?.position(of: comment.row)
            place = position.map { "row \(grouped($0 + 1)) " } ?? "deleted row "
        }
        if let column = comment.column {
            let isThere = sheet?.column(column) != nil
            place += "\(isThere ? "" : "deleted ")\(glance(columnName(column), widthMax: 16)) "
        }
        let answer = comment.replyTo == nil ? "" : "↳ "
        return "\(answer)\(people.name(of: comment.made.user)) \(place)— "
            + glance(comment.text.string, widthMax: 80)
    }

    /// Does what a key means in the list.
    mutating func takeInComments(_ press: KeyPress, _ list: CommentList, _ turn: inout Turn) {
        var list = list
        let comments = list.comments(turn.sheet)
        var place = list.place(in: comments)
        switch press.key {
        case .tab:
            list.isOfTable = !list.isOfTable || list.row == nil
            layer = .comments(list)
            return
        case .character("a"):
            list.showsResolved.toggle()
            layer = .comments(list)
            return
        default: break
        }
        guard comments.indices.contains(place) else { return }
        let comment = comments[place]
        switch press.key {
        case .enter: goTo(comment, turn.sheet)
        case .character("n"):
            guard mayComment(turn.sheet) else { return }
            let column = comment.column.flatMap { turn.sheet?.column($0) }
            layer = .prompt(Prompt(kind: .comment(comment.row, column, comment.id)))
        case .character("e"):
            guard mayComment(turn.sheet) else { return }
            var prompt = Prompt(kind: .editComment(comment.id))
            prompt.field = TextField(comment.text.string)
            layer = .prompt(prompt)
        case .character("r"):
            guard mayComment(turn.sheet) else { return }
            list.choose(place, in: comments)
            layer = .comments(list)
            let isResolved = comment.resolved == nil
            turn.perform(
                .comment(.resolve(comment.id, isResolved: isResolved)),
                for: .comment(isResolved ? "resolving" : "opening again"))
        case .character("d"):
            guard mayComment(turn.sheet) else { return }
            list.choose(place, in: comments)
            layer = .comments(list)
            turn.perform(
                .comment(.delete(comment.id)), for: .comment("the deletion of the comment"))
        default:
            guard step(press, &place, count: comments.count) else { return }
            list.choose(place, in: comments)
            layer = .comments(list)
        }
    }

    private mutating func goTo(_ comment: TableComment, _ sheet: Sheet?) {
        guard let sheet, let row = sheet.position(of: comment.row) else {
            return refuse("its row is deleted; undo brings it back, with the comment")
        }
        layer = nil
        let column = comment.column.flatMap { sheet.columnPosition(of: $0) }
        goTo(row: row, column: column ?? grid.columnPosition, sheet)
    }

    // MARK: What others say

    /// Says that somebody else commented, or resolved something.
    mutating func told(_ comment: TableComment, in record: Record, _ sheet: Sheet?) {
        people.heard(of: comment.made.user)
        let place = place(of: comment.row, sheet)
        let who = Author.user(record.user)
        if comment.isDeleted { return }
        if comment.id.sequence == record.sequence {
            let text = glance(comment.text.string, widthMax: 60)
            say("commented on \(place): \(text)", by: who)
        } else if comment.resolved?.timeMilliseconds == record.timeMilliseconds {
            say("resolved a comment on \(place)", by: who)
        }
    }

    /// What the last line says of comments at the cursor; nil for nothing.
    func commentText(_ sheet: Sheet) -> String? {
        guard sheet.openCommentCount > 0, let row = grid.row, sheet.openCommentCount(of: row) > 0
        else { return nil }
        var filter = CommentFilter()
        filter.row = row
        filter.isOpenOnly = true
        let here = sheet.comments(filter).filter { $0.column == nil || $0.column == grid.column }
        guard let newest = here.last else { return nil }
        let who = people.name(of: newest.made.user)
        return "\(counted(here.count, "comment")), \(who): "
            + glance(newest.text.string, widthMax: 40)
    }
}
