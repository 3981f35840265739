// The limits of one table, which the server sets when it makes or replays it. Applying a record
// asks for none of them: what was accepted once stays.

/// The limits of one table, each with its default.
package struct TableLimits: Hashable, Sendable {
    /// The longest text of a cell.
    package var cellBytesMax = 256 * 1024
    /// The texts of one row together; looked at where one of more than 1 KiB is set.
    ///
    /// So that a row fits in a line of 16 MiB, also where each byte takes six.
    package var rowTextBytesMax = 1_024 * 1_024
    /// The longest name of a column.
    package var nameBytesMax = 128
    /// The most columns, those that are hidden among them.
    package var columnsMax = 1_024
    /// How many choices a column may have.
    package var choicesMax = 1_000
    /// The rules of all columns of a table, in bytes; one operation may write as much four times.
    package var rulesBytesMax = 256 * 1024
    /// The longest text, list or JSON value that a rule puts into a cell: many cells may get one.
    package var madeTextBytesMax = 1_024
    /// Steps that the expressions of rules may take in one operation; a look at all rows may take
    /// more.
    package var ruleStepsMax = 10_000_000
    /// How many row styles a table may have: each is asked of each row that is drawn.
    package var stylesMax = 64
    /// The longest condition of a row style, as somebody writes it.
    package var styleBytesMax = 1_024
    /// Rows and cells that one operation may touch.
    package var partsMax = 50_000
    /// Rows that one operation on a whole table may touch.
    package var wideRowsMax = 1_000_000
    /// Rows of one table that may be leased at a time.
    package var leasesMax = 100_000
    /// How many operations of one session can be taken back.
    package var undoOpsMax = 1_000
    /// What operations replaced, in bytes of memory; beyond it the oldest of the session with the
    /// most cannot be taken back any more.
    package var undoBytesMax = 256 * 1024 * 1024
    /// The longest comment.
    package var commentTextBytesMax = 4_096
    /// The most comments of a table, those that are deleted among them.
    package var commentsMax = 100_000
    /// The texts of all comments of a table.
    package var commentsBytesMax = 16 * 1024 * 1024
    /// How far a session's row counter may run ahead of the highest it has used.
    package var counterGapMax: UInt32 = 65_536

    /// The defaults.
    package init() {}
}
