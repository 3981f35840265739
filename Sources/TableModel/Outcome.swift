// What the author of an operation is told, and why an operation is refused.
// It never holds the content of cells but for `current`. Perform.swift is where it comes from.
package import TableValue

/// What became of an operation.
package struct Outcome: Hashable, Sendable {
    /// The short answer.
    package enum Status: String, Hashable, Sendable {
        /// Applied.
        case ok
        /// Some parts applied, others hidden, gone or refused.
        case partial
        /// Nothing to change: the table already was so. No number is taken.
        case noop
        /// Applied, but only to rows or columns that are deleted.
        case hidden
        /// The targets never existed or are gone for good. No number is taken.
        case gone
        /// Refused; `rejection` says why. No number is taken.
        case rejected
    }

    /// What it came to as a whole.
    package var status: Status
    /// Parts (cells, rows) applied, applied to something hidden, gone, and refused.
    package var applied = 0
    /// Parts that were applied to what is deleted.
    package var hidden = 0
    /// Parts whose rows never existed or are gone for good.
    package var gone = 0
    /// Parts that were refused.
    package var refused = 0
    /// What turned out otherwise than its author saw.
    package var notes: [Note] = []
    /// The ids that the server gave, in the order of the intents that asked for them.
    package var rows: [RowID] = []
    /// The columns that the server gave ids to, in the order of the intents.
    package var columns: [ColumnID] = []
    /// The comments that were made, in the order of the intents.
    package var comments: [CommentID] = []
    /// The new values of the cells that were added to or joined with something, in order.
    package var values: [Value] = []
    /// For each upsert, in order, whether it appended its row; `rows` names the row either way.
    package var inserted: [Bool] = []
    /// The record that was taken back; nil where the operation was no undo.
    package var undid: SequenceNumber?
    /// Why the whole, or the first refused part, was refused.
    package var rejection: Rejection?

    /// Makes an outcome with no counts and no notes.
    package init(status: Status) {
        self.status = status
    }
}

/// What turned out otherwise than an operation's author saw.
package enum Note: Hashable, Sendable {
    /// Others inserted at the same place since; the new rows stand first. Rule R1.
    case sibling
    /// The anchor row is hidden; its slot was used. Rules R4, R13.
    case anchorHidden
    /// The anchor row is gone for good; the end of the table was used. Rule R5.
    case anchorGone
    /// The anchor row has moved since; the rows followed it. Rule R11.
    case anchorMoved
    /// Cells or positions written by others since were replaced: how many, and one of the
    /// records that had written them. Rules C1, C10, R8.
    case overrode(count: Int, sequence: SequenceNumber)
    /// The name was taken; this one was used. Rules S1, S3.
    case renamed(Text)
    /// No row is open for the claim. Rule C18.
    case nothingToClaim
    /// Rows were moved since the author looked. Rule C14.
    case orderChanged
    /// Values, rows, places or columns that an undo left as they are, because somebody else has
    /// gone on from them; or rows that a clear left, because its author did not know them: how
    /// many, and one of the records that made them. Rules T9, U2, U4, U7.
    case keptNewer(count: Int, sequence: SequenceNumber)
    /// What bringing back came to. Rule T15.
    case restored(RestoreCounts)
    /// Cells that came to be of another type, and cells that were emptied since it cannot hold
    /// what they held. Rules S9, S11, U11.
    case converted(count: Int, emptied: Int)
}

/// Why an operation, or a part of it, was refused; nothing of it was applied.
package struct Rejection: Error, Hashable, Sendable {
    /// The stable code of the wire; docs/protocol.md says what to do about each.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case wrongType = "wrong_type"
        case unknownColumn = "unknown_column"
        case unknownRow = "unknown_row"
        /// There is no such moment in the table's past.
        case unknownRecord = "unknown_record"
        case rowHidden = "row_hidden"
        case columnHidden = "column_hidden"
        case nameTaken = "name_taken"
        case badName = "bad_name"
        case typeDiffers = "type_differs"
        case preconditionFailed = "precondition_failed"
        case badRowID = "bad_row_id"
        case badColumnID = "bad_column_id"
        case outOfRange = "out_of_range"
        /// A value breaks a rule of its column; `rule` says which.
        case ruleBroken = "rule_broken"
        case badRule = "bad_rule"
        /// A display setting or row style that there is not, or that does not suit the column.
        case badDisplay = "bad_display"
        case tooManyStyles = "too_many_styles"
        /// An upsert by a column whose values need not differ.
        case notUnique = "not_unique"
        /// A claim that would leave its row open to the next one.
        case stillClaimable = "still_claimable"
        /// There is no lease on the row.
        case notLeased = "not_leased"
        /// The lease on the row is somebody else's, or of another claim.
        case leasedToOther = "leased_to_other"
        case cellTooLarge = "cell_too_large"
        case tooManyParts = "too_many_parts"
        case tooManyColumns = "too_many_columns"
        case malformed = "malformed"
        /// An expression that cannot be read, or has no value for a row.
        case badExpression = "bad_expression"
        /// There is no other table of the name that an operation gives.
        case unknownSource = "unknown_source"
        /// There is no comment of the id, or it is on another row.
        case unknownComment = "unknown_comment"
        /// A comment says nothing, or more than one may.
        case badComment = "bad_comment"
        /// The table has as many comments as it may.
        case tooManyComments = "too_many_comments"
        /// Cells hold what the other type cannot. Rule S11.
        case cannotConvert = "cannot_convert"
        /// What the operation replaced is not kept any more. Rule U13.
        case undoExpired = "undo_expired"
        /// A strict undo met what somebody else has gone on from.
        case keptNewer = "kept_newer"
        /// There is no operation to take back, or to do again.
        case nothingToUndo = "nothing_to_undo"
        /// The author's role does not allow it; given by the server before resolving. Rule S16.
        case forbidden = "forbidden"
    }

    /// What it says, in a box: refusals are rare, and what can hold one is copied often.
    private struct Facts: Hashable {
        var code: Code
        var message: String
        var part: Int?
        var row: RowID?
        var column: ColumnID?
        var current: CurrentCell?
        var rule: Text?
        var offenders: [RowID] = []
        var sequence: SequenceNumber?
    }

    private indirect enum Box: Hashable {
        case facts(Facts)
    }

    private var box: Box

    private var facts: Facts {
        get {
            switch box {
            case .facts(let facts): facts
            }
        }
        set { box = .facts(newValue) }
    }

    /// Why, as a stable code.
    package var code: Code {
        get { facts.code }
        set { facts.code = newValue }
    }
    /// What happened and what to do next, for a person; never holds a cell's content.
    package var message: String {
        get { facts.message }
        set { facts.message = newValue }
    }
    /// Which intent of the body, from 0; nil for a precondition.
    package var part: Int? {
        get { facts.part }
        set { facts.part = newValue }
    }
    /// The row that it is about.
    package var row: RowID? {
        get { facts.row }
        set { facts.row = newValue }
    }
    /// The column that it is about.
    package var column: ColumnID? {
        get { facts.column }
        set { facts.column = newValue }
    }
    /// The cell as it is, where a precondition on it failed.
    package var current: CurrentCell? {
        get { facts.current }
        set { facts.current = newValue }
    }

    /// The rule of the column that is broken.
    package var rule: Text? {
        get { facts.rule }
        set { facts.rule = newValue }
    }
    /// Some of the rows that break a rule which was to be set.
    package var offenders: [RowID] {
        get { facts.offenders }
        set { facts.offenders = newValue }
    }
    /// The number that the table, or its columns, have come to, where a precondition on it failed.
    package var sequence: SequenceNumber? {
        get { facts.sequence }
        set { facts.sequence = newValue }
    }

    /// Makes a rejection.
    package init(
        _ code: Code, _ message: String, part: Int? = nil, row: RowID? = nil,
        column: ColumnID? = nil, current: CurrentCell? = nil, rule: Text? = nil
    ) {
        box = .facts(
            Facts(
                code: code, message: message, part: part, row: row, column: column,
                current: current, rule: rule))
    }
}

/// A cell with who wrote it: the record's number and the session.
package struct CurrentCell: Hashable, Sendable {
    /// What it holds.
    package var value: Value
    /// The number of the record that wrote it last.
    package var version: SequenceNumber
    /// The session that wrote it last; `s0` for one without a session.
    package var session: SessionNumber
    /// Who that was, such as `u2`, where the server adds it; a table knows sessions only.
    package var user: Text?

    /// Makes a cell.
    package init(
        value: Value, version: SequenceNumber, session: SessionNumber, user: Text? = nil
    ) {
        self.value = value
        self.version = version
        self.session = session
        self.user = user
    }
}

/// What performing an operation came to.
package struct Resolution: Hashable, Sendable {
    /// What happened; empty for a no-op, which takes no number.
    package var changes: [Change]
    /// What the author is told.
    package var outcome: Outcome

    /// Makes a resolution.
    package init(changes: [Change], outcome: Outcome) {
        self.changes = changes
        self.outcome = outcome
    }
}
