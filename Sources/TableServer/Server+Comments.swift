// Comments: who may change whose, and the answer to who asks for them. What operations do with them
// is the table's; snapshots carry them along (Follow.swift).
import TableModel
import TableValue
import TableWire

extension Server {
    /// Answers with comments of a table.
    mutating func listComments(_ request: CommentsRequest, for slot: Int, id: RequestID?) {
        guard let room = room(request.table, right: .readTable, for: slot, id: id) else { return }
        let table = rooms[room].table
        var filter = CommentFilter()
        filter.row = request.row
        filter.isOpenOnly = request.isOpenOnly
        filter.after = request.after
        if let reference = request.column {
            guard let column = columnEver(reference, in: room) else {
                return refuse(
                    slot,
                    ErrorMessage(
                        .unknownColumn, "there is and was no such column",
                        table: rooms[room].id), id: id)
            }
            filter.column = column
        }
        let most = max(1, min(request.limit ?? .max, limits.commentsAnsweredMax))
        // One more tells whether there are more.
        let found = table.comments(filter, limit: most + 1)
        var byteCount = 0
        var given: [TableComment] = []
        for comment in found.prefix(most) {
            byteCount += comment.text.byteCount + 160
            if byteCount > limits.chunkBytesMax, !given.isEmpty { break }
            given.append(comment)
        }
        let hidden = given.filter { table.isAboutDeleted($0) }.map(\.id)
        let next = given.count < found.count ? given.last?.id : nil
        answer(
            slot,
            .comments(
                CommentsAnswer(
                    table: rooms[room].id, sequence: table.head, comments: given,
                    hidden: hidden, next: next)),
            id: id, asOf: room)
    }

    /// Why an operation may not change somebody else's comment; nil where it does not.
    func refusalOfComments(_ op: Op, in room: Int, by user: Text, for role: Role) -> Rejection? {
        guard !allows(role, .undoOthers) else { return nil }
        for (part, intent) in op.body.enumerated() {
            let id: CommentID
            switch intent {
            case .comment(.edit(let changed, _)): id = changed
            case .comment(.delete(let deleted)): id = deleted
            default: continue
            }
            guard let comment = rooms[room].table.comment(id), comment.made.user != user else {
                continue
            }
            return Rejection(
                .forbidden,
                "the comment is another user's; only its author, a manager or an owner changes it",
                part: part)
        }
        return nil
    }
}
