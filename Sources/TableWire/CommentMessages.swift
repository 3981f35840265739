// What is asked about comments and what is answered. CommentReader.swift and CommentWriter.swift
// are their wire forms.
package import TableModel

/// A request for comments.
package struct CommentsRequest: Hashable, Sendable {
    /// The table, by id or name.
    package var table: TableReference
    /// Only those of that row and of its cells.
    package var row: RowID?
    /// Only those of cells of that column, by id or name.
    package var column: ColumnReference?
    /// Only those that are not resolved.
    package var isOpenOnly = false
    /// Only those made after that one.
    package var after: CommentID?
    /// No more than so many; nil for as many as the server gives at once.
    package var limit: Int?

    /// Asks for all comments of a table.
    package init(table: TableReference) {
        self.table = table
    }
}

/// Some comments, in the order in which they were made: an answer, or part of a snapshot.
package struct CommentsAnswer: Hashable, Sendable {
    /// The table.
    package var table: TableID
    /// The last record that they take in.
    package var sequence: SequenceNumber
    /// The comments.
    package var comments: [TableComment]
    /// Those of them whose row or column is deleted now; empty in a snapshot.
    package var hidden: [CommentID]
    /// Where there are more: the last of these, after which to ask.
    package var next: CommentID?

    /// Makes an answer.
    package init(
        table: TableID, sequence: SequenceNumber, comments: [TableComment],
        hidden: [CommentID] = [], next: CommentID? = nil
    ) {
        self.table = table
        self.sequence = sequence
        self.comments = comments
        self.hidden = hidden
        self.next = next
    }
}
