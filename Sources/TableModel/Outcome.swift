// What the author of an operation is told, and why an operation is refused.
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

    package var status: Status
    /// Parts (cells, rows) applied, applied to something hidden, gone, and refused.
    package var applied = 0
    package var hidden = 0
    package var gone = 0
    package var refused = 0
    /// What turned out otherwise than its author saw.
    package var notes: [Note] = []
    /// The ids that the server gave, in the order of the intents that asked for them.
    package var rows: [RowID] = []
    package var columns: [ColumnID] = []
    /// The new values of the cells that were added to, in order.
    package var values: [Value] = []
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
    /// Rows were moved since the author looked. Rule C14.
    case orderChanged
}

/// Why an operation, or a part of it, was refused; nothing of it was applied.
package struct Rejection: Error, Hashable, Sendable {
    /// The stable code of the wire; docs/protocol.md says what to do about each.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case wrongType = "wrong_type"
        case unknownColumn = "unknown_column"
        case unknownRow = "unknown_row"
        case rowHidden = "row_hidden"
        case columnHidden = "column_hidden"
        case nameTaken = "name_taken"
        case badName = "bad_name"
        case typeDiffers = "type_differs"
        case preconditionFailed = "precondition_failed"
        case badRowID = "bad_row_id"
        case badColumnID = "bad_column_id"
        case outOfRange = "out_of_range"
        case cellTooLarge = "cell_too_large"
        case tooManyParts = "too_many_parts"
        case tooManyColumns = "too_many_columns"
        case malformed = "malformed"
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
    package var row: RowID? {
        get { facts.row }
        set { facts.row = newValue }
    }
    package var column: ColumnID? {
        get { facts.column }
        set { facts.column = newValue }
    }
    /// The cell as it is, where a precondition on it failed.
    package var current: CurrentCell? {
        get { facts.current }
        set { facts.current = newValue }
    }

    /// Makes a rejection.
    package init(
        _ code: Code, _ message: String, part: Int? = nil, row: RowID? = nil,
        column: ColumnID? = nil, current: CurrentCell? = nil
    ) {
        box = .facts(
            Facts(
                code: code, message: message, part: part, row: row, column: column,
                current: current))
    }
}

/// A cell with who wrote it: the record's number and the session.
package struct CurrentCell: Hashable, Sendable {
    package var value: Value
    package var version: SequenceNumber
    package var session: SessionNumber

    /// Makes a cell.
    package init(value: Value, version: SequenceNumber, session: SessionNumber) {
        self.value = value
        self.version = version
        self.session = session
    }
}

/// What performing an operation came to.
package struct Resolution: Hashable, Sendable {
    /// What happened; empty for a no-op, which takes no number.
    package var changes: [Change]
    package var outcome: Outcome

    /// Makes a resolution.
    package init(changes: [Change], outcome: Outcome) {
        self.changes = changes
        self.outcome = outcome
    }
}
