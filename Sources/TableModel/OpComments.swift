// The parts of operations on comments. Op.swift has the others; ResolveComments.swift says what
// comes of these.
package import TableValue

/// The parts of a new comment.
package struct MakeComment: Hashable, Sendable {
    /// The row that it is about.
    package var row: RowID
    /// The column of the cell that it is about; nil where it is about the row.
    package var column: ColumnReference?
    /// What it says.
    package var text: Text
    /// The comment on the same row that it answers.
    package var replyTo: CommentID?

    /// Makes a comment.
    package init(
        row: RowID, column: ColumnReference? = nil, text: Text, replyTo: CommentID? = nil
    ) {
        self.row = row
        self.column = column
        self.text = text
        self.replyTo = replyTo
    }
}

/// One thing to do to a comment.
package enum CommentIntent: Hashable, Sendable {
    case make(MakeComment)
    /// Changes what it says; of its author, or of a manager or owner.
    case edit(CommentID, text: Text)
    /// Says that it is dealt with, or that it is not.
    case resolve(CommentID, isResolved: Bool)
    /// Takes it back; of its author, or of a manager or owner.
    case delete(CommentID)
}
