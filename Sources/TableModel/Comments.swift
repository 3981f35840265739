// What people and bots say about rows and cells: kept with the table, in its log and snapshots, and
// no part of its content. CommentBook.swift keeps them; ResolveComments.swift says what operations
// do with them.
package import TableValue

/// The id of a comment: the record that made it, and which of those it made, from 1: `m118.1`.
package struct CommentID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The record that made it.
    package let sequence: SequenceNumber
    /// Which of the record's comments, from 1.
    package let ordinal: UInt32

    /// Names a comment.
    package init(sequence: SequenceNumber, ordinal: UInt32) {
        self.sequence = sequence
        self.ordinal = ordinal
    }

    /// In the order in which comments were made.
    package static func < (left: CommentID, right: CommentID) -> Bool {
        (left.sequence, left.ordinal) < (right.sequence, right.ordinal)
    }

    /// The id as the wire and people have it.
    package var description: String { "m\(sequence).\(ordinal)" }
}

/// Who did something to a comment, and when.
package struct CommentStamp: Hashable, Sendable {
    /// The user, as everybody may see it: `u3`.
    package var user: Text
    /// The server's wall clock, milliseconds since 1970; a label only.
    package var timeMilliseconds: Int64

    /// Names both.
    package init(user: Text, timeMilliseconds: Int64) {
        self.user = user
        self.timeMilliseconds = timeMilliseconds
    }
}

/// A comment on a row, or on one of its cells.
package struct TableComment: Hashable, Sendable {
    /// What never changes.
    package let id: CommentID
    /// The row that it is about.
    package let row: RowID
    /// The column of the cell that it is about; nil where it is about the row.
    package let column: ColumnID?
    /// The comment that it answers; nil where it begins a thread.
    package let replyTo: CommentID?
    /// Who made it, and when.
    package let made: CommentStamp
    /// What it says.
    package var text: Text
    /// Who changed what it says last; nil where nobody did.
    package var edited: CommentStamp?
    /// Who said that it is dealt with; nil while it is open.
    package var resolved: CommentStamp?
    /// True where it was taken back; an undo brings it again.
    package var isDeleted: Bool

    /// Makes a comment.
    package init(
        id: CommentID, row: RowID, column: ColumnID? = nil, replyTo: CommentID? = nil,
        made: CommentStamp, text: Text, edited: CommentStamp? = nil,
        resolved: CommentStamp? = nil, isDeleted: Bool = false
    ) {
        self.id = id
        self.row = row
        self.column = column
        self.replyTo = replyTo
        self.made = made
        self.text = text
        self.edited = edited
        self.resolved = resolved
        self.isDeleted = isDeleted
    }

    /// True where it is there and not resolved.
    package var isOpen: Bool { !isDeleted && resolved == nil }
}

/// Which comments are looked for.
package struct CommentFilter: Hashable, Sendable {
    /// Only those of that row and of its cells.
    package var row: RowID?
    /// Only those of cells of that column.
    package var column: ColumnID?
    /// Only those that are not resolved.
    package var isOpenOnly = false
    /// Only those made after that one.
    package var after: CommentID?

    /// Looks for all.
    package init() {}

    /// True for a comment that is there and looked for.
    func keeps(_ comment: TableComment) -> Bool {
        !comment.isDeleted && (row == nil || comment.row == row)
            && (column == nil || comment.column == column)
            && (!isOpenOnly || comment.resolved == nil)
    }
}

extension Table {
    /// The comments of a row that are not deleted, in the order in which they were made.
    ///
    /// Complexity: linear in the row's comments.
    package func comments(of row: RowID) -> [TableComment] {
        var filter = CommentFilter()
        filter.row = row
        return comments(filter)
    }

    /// A comment, also a deleted one; nil where there is none of that id.
    ///
    /// Complexity: logarithmic in the comments.
    package func comment(_ id: CommentID) -> TableComment? { commentBook[id] }

    /// How many comments there are that are not deleted.
    package var commentCount: Int { commentBook.liveCount }

    /// How many of them are not resolved.
    package var openCommentCount: Int { commentBook.openCount }

    /// How many of the comments on a row and its cells are not resolved.
    ///
    /// Complexity: linear in the row's comments.
    package func openCommentCount(of row: RowID) -> Int { commentBook.openCount(of: row) }

    /// True where one of the comments on a cell is not resolved.
    ///
    /// Complexity: linear in the row's comments.
    package func hasOpenComment(_ row: RowID, _ column: ColumnID) -> Bool {
        commentBook.hasOpen(row, column)
    }

    /// Comments that are not deleted, in the order in which they were made.
    ///
    /// Complexity: linear in the comments of the row, or in all that were made after the one of
    /// the filter.
    package func comments(
        _ filter: CommentFilter = CommentFilter(), limit: Int = .max
    ) -> [TableComment] {
        commentBook.comments(filter, limit: limit)
    }

    /// True where the row of a comment, or its column, is deleted now.
    ///
    /// Of a row that a replica never knew it is true as well.
    package func isAboutDeleted(_ comment: TableComment) -> Bool {
        if state(of: comment.row) != .live { return true }
        return comment.column.map { id in
            schema.index(of: id).map { schema.entries[$0].isHidden } ?? true
        }
            ?? false
    }
}
