// What a history tells of comments, read and written. HistoryReader.swift and HistoryWriter.swift
// have the rest of an entry.
import TableModel
import TableValue

private enum EventKey: String, JSONKeySet {
    case comment, row, column, what, text
    static let lookup = JSONKeyTable<EventKey>()
}

extension JSONReader {
    /// Reads what happened to comments.
    mutating func readHistoryComments() throws(WireError) -> [HistoryComment] {
        var comments: [HistoryComment] = []
        var list = try beginArray()
        while try list.next(&self) { comments.append(try readHistoryComment()) }
        return comments
    }

    private mutating func readHistoryComment() throws(WireError) -> HistoryComment {
        var comment: CommentID?
        var row: RowID?
        var column: ColumnID?
        var event: HistoryComment.Event?
        var text: Text?
        var object = try beginObject(EventKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .comment: comment = try readCommentID()
            case .row: row = try readRow()
            case .column: column = try readColumn()
            case .what:
                event = try readCase(
                    HistoryComment.Event.self, "what happened to a comment: made, edited, …")
            case .text: text = try readText()
            }
        }
        guard let comment else { throw missing("comment") }
        guard let row else { throw missing("row") }
        guard let event else { throw missing("what") }
        return HistoryComment(
            comment: comment, row: row, column: column, event: event, text: text)
    }
}

extension JSONWriter {
    /// Writes what happened to comments, with its key; nothing where nothing did.
    mutating func historyComments(_ comments: [HistoryComment]) {
        guard !comments.isEmpty else { return }
        key("comments")
        beginArray()
        for told in comments {
            beginObject()
            key("comment")
            comment(told.comment)
            key("row")
            row(told.row)
            if let id = told.column {
                key("column")
                column(id)
            }
            key("what")
            text(told.event.rawValue)
            if let words = told.text {
                key("text")
                text(words)
            }
            endObject()
        }
        endArray()
    }
}
