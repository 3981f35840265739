// Writes comments: what operations ask of them, and what they are.
// The reader of the same is CommentReader.swift.
package import TableModel
import TableValue

extension JSONWriter {
    /// Writes a comment's id.
    mutating func comment(_ id: CommentID) { text(id.description) }

    /// Writes a list of comments' ids.
    mutating func comments(_ ids: [CommentID]) {
        beginArray()
        for id in ids { comment(id) }
        endArray()
    }

    /// Writes what an operation asks of a comment, with its key.
    mutating func commentIntent(_ intent: CommentIntent) {
        switch intent {
        case .make(let making):
            key("comment")
            beginObject()
            key("row")
            row(making.row)
            if let reference = making.column {
                key("column")
                column(reference)
            }
            key("text")
            text(making.text)
            if let other = making.replyTo {
                key("to")
                comment(other)
            }
            endObject()
        case .edit(let id, let words):
            key("comment_edit")
            beginObject()
            key("comment")
            comment(id)
            key("text")
            text(words)
            endObject()
        case .resolve(let id, let isResolved):
            key("comment_resolve")
            beginObject()
            key("comment")
            comment(id)
            if !isResolved {
                key("resolved")
                bool(false)
            }
            endObject()
        case .delete(let id):
            key("comment_delete")
            comment(id)
        }
    }

    /// Writes comments as they are.
    package mutating func comments(_ comments: [TableComment]) {
        beginArray()
        for comment in comments { self.comment(comment) }
        endArray()
    }

    /// Writes a comment as it is; `isHidden` says that its row or column is deleted.
    package mutating func comment(_ comment: TableComment, isHidden: Bool = false) {
        beginObject()
        key("id")
        self.comment(comment.id)
        key("row")
        row(comment.row)
        if let id = comment.column {
            key("column")
            column(id)
        }
        if let other = comment.replyTo {
            key("to")
            self.comment(other)
        }
        stampFields(comment.made)
        key("text")
        text(comment.text)
        if let edited = comment.edited {
            key("edited")
            stamp(edited)
        }
        if let resolved = comment.resolved {
            key("resolved")
            stamp(resolved)
        }
        if comment.isDeleted {
            key("deleted")
            bool(true)
        }
        if isHidden {
            key("hidden")
            bool(true)
        }
        endObject()
    }

    private mutating func stamp(_ stamp: CommentStamp) {
        beginObject()
        stampFields(stamp)
        endObject()
    }

    private mutating func stampFields(_ stamp: CommentStamp) {
        key("user")
        text(stamp.user)
        key("time")
        integer(stamp.timeMilliseconds)
    }

    /// Writes a `comments` request.
    mutating func commentsRequest(_ request: CommentsRequest) {
        string("comments")
        key("table")
        table(request.table)
        if let id = request.row {
            key("row")
            row(id)
        }
        if let reference = request.column {
            key("column")
            column(reference)
        }
        if request.isOpenOnly {
            key("open")
            bool(true)
        }
        if let after = request.after {
            key("after")
            comment(after)
        }
        if let limit = request.limit {
            key("limit")
            integer(limit)
        }
    }

    /// Writes a `comments` message of the server.
    mutating func commentsAnswer(_ answer: CommentsAnswer) {
        string("comments")
        key("table")
        table(answer.table)
        key("seq")
        integer(answer.sequence)
        key("comments")
        comments(answer.comments)
        if !answer.hidden.isEmpty {
            key("hidden")
            comments(answer.hidden)
        }
        if let next = answer.next {
            key("next")
            comment(next)
        }
    }
}
