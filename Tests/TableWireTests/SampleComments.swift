// Comments in all their forms, and what is asked of them. Samples.swift has the other messages.
import TableModel
import TableValue
import TableWire

let sampleComments = [
    TableComment(
        id: CommentID(sequence: 118, ordinal: 1), row: row(12, 1),
        made: CommentStamp(user: "u1", timeMilliseconds: 1_796_025_600_123), text: "why?"),
    TableComment(
        id: CommentID(sequence: 118, ordinal: 2), row: row(12, 1), column: column(1, 2),
        replyTo: CommentID(sequence: 118, ordinal: 1),
        made: CommentStamp(user: "u2", timeMilliseconds: 0), text: "\n\"\u{1b}[31m",
        edited: CommentStamp(user: "u3", timeMilliseconds: 5),
        resolved: CommentStamp(user: "u22", timeMilliseconds: 1), isDeleted: true),
]

let sampleCommentIntents: [Intent] = [
    .comment(.make(MakeComment(row: row(12, 1), text: "why?"))),
    .comment(
        .make(
            MakeComment(
                row: row(12, 1), column: .name("a\"b"), text: "é\n",
                replyTo: CommentID(sequence: 118, ordinal: 2)))),
    .comment(.edit(CommentID(sequence: 118, ordinal: 1), text: "how?")),
    .comment(.resolve(CommentID(sequence: 118, ordinal: 1), isResolved: true)),
    .comment(.resolve(CommentID(sequence: 118, ordinal: 1), isResolved: false)),
    .comment(.delete(CommentID(sequence: (1 << 53) - 1, ordinal: .max))),
]

let sampleCommentsRequest: CommentsRequest = {
    var request = CommentsRequest(table: .id(TableID(rawValue: 1)))
    request.row = row(12, 1)
    request.column = .name("qty")
    request.isOpenOnly = true
    request.after = CommentID(sequence: 118, ordinal: 1)
    request.limit = 10
    return request
}()

let sampleHistoryComments = [
    HistoryComment(
        comment: CommentID(sequence: 118, ordinal: 1), row: row(12, 1), event: .made,
        text: "why?"),
    HistoryComment(
        comment: CommentID(sequence: 118, ordinal: 1), row: row(12, 1), column: column(1, 2),
        event: .deleted),
]
