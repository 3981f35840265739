// Reads comments: what operations ask of them, and what they are.
// docs/protocol.md, "Comments", is the table of what stands here; CommentWriter.swift writes them.
package import TableModel
package import TableValue

private enum MakeKey: String, JSONKeySet {
    case row, column, text, to
    static let lookup = JSONKeyTable<MakeKey>()
}

private enum ChangeKey: String, JSONKeySet {
    case comment, text, resolved
    static let lookup = JSONKeyTable<ChangeKey>()
}

private enum CommentKey: String, JSONKeySet {
    case id, row, column, to, user, time, text, edited, resolved, deleted
    static let lookup = JSONKeyTable<CommentKey>()
}

private enum CommentsKey: String, JSONKeySet {
    case type, id, table, row, column, open, after, limit, seq, comments, hidden, next
    static let lookup = JSONKeyTable<CommentsKey>()
}

private enum StampKey: String, JSONKeySet {
    case user, time
    static let lookup = JSONKeyTable<StampKey>()
}

extension CommentID {
    /// Reads `m118.1`; nil for anything else.
    package init?(_ text: Text) {
        let parts = text.string.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard text.string.first == "m", parts.count == 2,
            let sequence = SequenceNumber(parts[0]), let ordinal = UInt32(parts[1]),
            sequence > 0, sequence < 1 << 53, ordinal > 0
        else { return nil }
        self.init(sequence: sequence, ordinal: ordinal)
        // One spelling: no signs, no zeros in front.
        guard description == text.string else { return nil }
    }
}

extension JSONReader {
    /// Reads a comment's id.
    mutating func readCommentID() throws(WireError) -> CommentID {
        skipSpace()
        let place = offset
        guard let id = CommentID(try readName()) else {
            throw malformed("expected a comment's id, such as m118.1", at: place)
        }
        return id
    }

    /// Reads a list of comments' ids.
    mutating func readCommentIDs() throws(WireError) -> [CommentID] {
        var ids: [CommentID] = []
        var list = try beginArray()
        while try list.next(&self) { ids.append(try readCommentID()) }
        return ids
    }

    /// Reads `{"row":"s1.1","column":"qty","text":"why?","to":"m118.1"}`.
    mutating func readMakeComment() throws(WireError) -> CommentIntent {
        var row: RowID?
        var text: Text?
        var column: ColumnReference?
        var replyTo: CommentID?
        var object = try beginObject(MakeKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .row: row = try readRow()
            case .column: column = try readColumnReference()
            case .text: text = try readText()
            case .to: replyTo = try readCommentID()
            }
        }
        guard let row else { throw missing("row") }
        guard let text else { throw missing("text") }
        return .make(MakeComment(row: row, column: column, text: text, replyTo: replyTo))
    }

    /// Reads `{"comment":"m118.1","text":"…"}`.
    mutating func readEditComment() throws(WireError) -> CommentIntent {
        let change = try readCommentChange()
        guard let text = change.text else { throw missing("text") }
        return .edit(change.id, text: text)
    }

    /// Reads `{"comment":"m118.1","resolved":true}`.
    mutating func readResolveComment() throws(WireError) -> CommentIntent {
        let change = try readCommentChange()
        return .resolve(change.id, isResolved: change.isResolved ?? true)
    }

    private mutating func readCommentChange() throws(WireError) -> (
        id: CommentID, text: Text?, isResolved: Bool?
    ) {
        var id: CommentID?
        var text: Text?
        var isResolved: Bool?
        var object = try beginObject(ChangeKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .comment: id = try readCommentID()
            case .text: text = try readText()
            case .resolved: isResolved = try readBool()
            }
        }
        guard let id else { throw missing("comment") }
        return (id, text, isResolved)
    }

    /// Reads a list of comments as they are.
    package mutating func readComments() throws(WireError) -> [TableComment] {
        var comments: [TableComment] = []
        var list = try beginArray()
        while try list.next(&self) { comments.append(try readComment()) }
        return comments
    }

    /// Reads a comment as it is.
    mutating func readComment() throws(WireError) -> TableComment {
        var id: CommentID?
        var row: RowID?
        var column: ColumnID?
        var replyTo: CommentID?
        var made = CommentStamp(user: "", timeMilliseconds: 0)
        var text: Text?
        var edited: CommentStamp?
        var resolved: CommentStamp?
        var isDeleted = false
        var object = try beginObject(CommentKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .id: id = try readCommentID()
            case .row: row = try readRow()
            case .column: column = try readColumn()
            case .to: replyTo = try readCommentID()
            case .user: made.user = try readName()
            case .time: made.timeMilliseconds = try readInteger()
            case .text: text = try readText()
            case .edited: edited = try readCommentStamp()
            case .resolved: resolved = try readCommentStamp()
            case .deleted: isDeleted = try readBool()
            }
        }
        guard let id else { throw missing("id") }
        guard let row else { throw missing("row") }
        guard let text else { throw missing("text") }
        return TableComment(
            id: id, row: row, column: column, replyTo: replyTo, made: made, text: text,
            edited: edited, resolved: resolved, isDeleted: isDeleted)
    }

    private mutating func readCommentStamp() throws(WireError) -> CommentStamp {
        var stamp = CommentStamp(user: "", timeMilliseconds: 0)
        var object = try beginObject(StampKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .user: stamp.user = try readName()
            case .time: stamp.timeMilliseconds = try readInteger()
            }
        }
        return stamp
    }

    /// Reads a `comments` request.
    mutating func readCommentsRequest(
        _ id: inout RequestID?
    ) throws(WireError) -> CommentsRequest {
        var table: TableReference?
        var request = CommentsRequest(table: .name(""))
        var object = try beginObject(CommentsKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .row: request.row = try readRow()
            case .column: request.column = try readColumnReference()
            case .open: request.isOpenOnly = try readBool()
            case .after: request.after = try readCommentID()
            case .limit: request.limit = try readCount()
            case .seq, .comments, .hidden, .next: throw malformed("a request has no such field")
            }
        }
        guard let table else { throw missing("table") }
        request.table = table
        return request
    }

    /// Reads a `comments` message of the server.
    mutating func readCommentsAnswer(
        _ id: inout RequestID?
    ) throws(WireError) -> CommentsAnswer {
        var table: TableID?
        var sequence: SequenceNumber?
        var comments: [TableComment]?
        var hidden: [CommentID] = []
        var next: CommentID?
        var object = try beginObject(CommentsKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: sequence = try readSequence()
            case .comments: comments = try readComments()
            case .hidden: hidden = try readCommentIDs()
            case .next: next = try readCommentID()
            case .row, .column, .open, .after, .limit:
                throw malformed("an answer has no such field")
            }
        }
        guard let table else { throw missing("table") }
        guard let sequence else { throw missing("seq") }
        guard let comments else { throw missing("comments") }
        return CommentsAnswer(
            table: table, sequence: sequence, comments: comments, hidden: hidden, next: next)
    }
}
