// What became of operations, and what happened to a table, as plain values for a bot's author.
// They are read from the project's own; nothing here decides. Next: Shared.swift.
import TableModel
import TableValue
import TableWire

/// What became of an operation; docs/protocol.md, "Outcomes", says what each field means.
public struct Outcome: Hashable, Sendable {
    /// Why an operation, or its first refused part, was refused.
    public struct Refusal: Hashable, Sendable {
        /// The stable code, such as `wrong_type`.
        public let code: String
        /// What happened and what to do next, for a person.
        public let message: String
        /// Which edit of the operation, from 0; nil for a precondition.
        public let part: Int?
        /// The row that it is about.
        public let row: RowID?
        /// The id of the column that it is about.
        public let column: String?
        /// The rule of the column that is broken.
        public let rule: String?
        /// Some of the rows that break a rule which was to be set.
        public let offenders: [RowID]
        /// The cell as it is, where a precondition on it did not hold.
        public let current: BotError.Current?
    }

    /// `ok`, `partial`, `noop`, `hidden`, `gone` or `rejected`.
    public let status: String
    /// The record's number; nil where the operation made none.
    public let sequence: Int64?
    /// Parts (cells, rows) that were applied, where some were not; 0 where all were.
    public let applied: Int
    /// Parts that were applied to what is deleted.
    public let hidden: Int
    /// Parts whose rows are gone for good.
    public let gone: Int
    /// Parts that were refused.
    public let refused: Int
    /// The ids of new rows, in the order of the edits that inserted them without ids.
    public let rows: [RowID]
    /// For each upsert, in order, whether it appended its row; `rows` has the row either way.
    public let inserted: [Bool]
    /// The ids of new columns, in the order of the edits.
    public let columns: [String]
    /// The new values of the cells that were computed from what was there, in order.
    public let values: [Value]
    /// The record that was taken back, where the operation was an undo or a redo.
    public let undid: Int64?
    /// How much an undo or a clear left as it is, since somebody else has gone on from it.
    public let keptNewer: Int
    /// How many values written by others since were replaced.
    public let overrode: Int
    /// Of a restore: how many cells, rows and columns are again what they were; 0 otherwise.
    public let restored: Int
    /// How many values were converted to another type.
    public let converted: Int
    /// How many cells were emptied, since what they held has no conversion.
    public let emptied: Int
    /// True for a claim that found no open row.
    public let hasNothingToClaim: Bool
    /// What turned out otherwise than was seen, such as `sibling`; docs/protocol.md lists them.
    public let notes: [String]
    /// The name that was given in place of one that was taken.
    public let renamedTo: String?
    /// Why the whole, or the first refused part, was refused.
    public let rejection: Refusal?

    init(_ outcome: TableModel.Outcome, sequence: SequenceNumber?) {
        status = outcome.status.rawValue
        self.sequence = sequence
        applied = outcome.applied
        hidden = outcome.hidden
        gone = outcome.gone
        refused = outcome.refused
        rows = outcome.rows.map { RowID($0) }
        inserted = outcome.inserted
        columns = outcome.columns.map(\.description)
        values = outcome.values.map { Value($0) }
        undid = outcome.undid
        var told = NotesTold()
        for note in outcome.notes { told.take(note) }
        keptNewer = told.keptNewer
        overrode = told.overrode
        restored = told.restored
        converted = told.converted
        emptied = told.emptied
        hasNothingToClaim = told.words.contains("nothing_to_claim")
        notes = told.words
        renamedTo = told.renamedTo
        rejection = outcome.rejection.map { Refusal($0) }
    }

    /// True where the server refused the operation as a whole.
    public var isRejected: Bool { status == "rejected" }
}

/// The notes of an outcome, counted.
private struct NotesTold {
    var keptNewer = 0
    var overrode = 0
    var restored = 0
    var converted = 0
    var emptied = 0
    var renamedTo: String?
    var words: [String] = []

    mutating func take(_ note: Note) {
        switch note {
        case .sibling: words.append("sibling")
        case .anchorHidden: words.append("anchor_hidden")
        case .anchorGone: words.append("anchor_gone")
        case .anchorMoved: words.append("anchor_moved")
        case .orderChanged: words.append("order_changed")
        case .nothingToClaim: words.append("nothing_to_claim")
        case .overrode(let count, _):
            words.append("overrode")
            overrode += count
        case .renamed(let name):
            words.append("renamed")
            renamedTo = name.string
        case .keptNewer(let count, _):
            words.append("kept_newer")
            keptNewer += count
        case .restored(let counts):
            words.append("restored")
            restored += counts.cells + counts.rows + counts.columns
        case .converted(let count, let empty):
            words.append("converted")
            converted += count
            emptied += empty
        }
    }
}

extension Outcome.Refusal {
    init(_ rejection: Rejection) {
        code = rejection.code.rawValue
        message = rejection.message
        part = rejection.part
        row = rejection.row.map { RowID($0) }
        column = rejection.column?.description
        rule = rejection.rule?.string
        offenders = rejection.offenders.map { RowID($0) }
        current = rejection.current.map {
            BotError.Current(value: Value($0.value), version: $0.version)
        }
    }
}

/// One record of a table's log: what one operation did, under its number.
public struct Record: Hashable, Sendable {
    /// Its number in the table.
    public let sequence: Int64
    /// The history that the number belongs to; together they say where to go on.
    public let lineage: String
    /// The session that did it, such as `s12`; `s0` for one without a session.
    public let session: String
    /// The user who did it, such as `u3`; `Bot.names` says what users are called.
    public let user: String
    /// When, by the server's clock, in milliseconds since 1970; a label only.
    public let timeMilliseconds: Int64
    /// True where it is an operation of the table that is watched.
    public let isMine: Bool
    /// What happened, in order.
    public let changes: [Change]

    init(_ record: TableModel.Record, lineage: String, isMine: Bool) {
        sequence = record.sequence
        self.lineage = lineage
        session = record.session.description
        user = record.user.string
        timeMilliseconds = record.timeMilliseconds
        self.isMine = isMine
        changes = record.changes.map { Change($0) }
    }

    /// Where to go on behind this record.
    public var position: Position { Position(lineage: lineage, sequence: sequence) }
}

/// A place in a table's history, to go on from later.
public struct Position: Hashable, Sendable {
    /// The history; another one begins where a server was restored from a backup.
    public let lineage: String
    /// The last record that was dealt with.
    public let sequence: Int64

    /// Joins both.
    public init(lineage: String, sequence: Int64) {
        self.lineage = lineage
        self.sequence = sequence
    }
}

/// One thing that happened to a table.
public struct Change: Hashable, Sendable {
    /// Cells with their new values, by row and the column's id.
    public struct Cell: Hashable, Sendable {
        /// The row of the cell.
        public let row: RowID
        /// The id of its column.
        public let column: String
        /// What it holds from now on.
        public let value: Value
    }

    /// The cells that have another value now, also those of rows that were inserted.
    public let cells: [Cell]
    /// The rows that are there from now on, in order.
    public let rowsAdded: [RowID]
    /// The rows that are not there any more.
    public let rowsRemoved: [RowID]
    /// The whole as a JSON object, as docs/protocol.md has it under "Records".
    public let json: String

    init(_ change: TableModel.Change) {
        var cells: [Cell] = []
        var added: [TableModel.RowID] = []
        var removed: [TableModel.RowID] = []
        func take(_ block: RowBlock) {
            added = block.ids
            for (index, row) in block.ids.enumerated() {
                for (place, column) in block.columns.enumerated() {
                    let value = block.cells[index * block.columns.count + place]
                    cells.append(
                        Cell(row: RowID(row), column: column.description, value: Value(value)))
                }
            }
        }
        switch change {
        case .rowsInserted(let block): take(block)
        case .rowsShown(let block): take(block)
        case .rowsHidden(let rows): removed = rows
        case .cellsSet(let edits):
            cells = edits.map {
                Cell(
                    row: RowID($0.row), column: $0.column.description, value: Value($0.value))
            }
        case .cellsFilled(let column, let rows, let values):
            let name = column.description
            cells = zip(rows, values).map {
                Cell(row: RowID($0), column: name, value: Value($1))
            }
        default: break
        }
        self.cells = cells
        rowsAdded = added.map { RowID($0) }
        rowsRemoved = removed.map { RowID($0) }
        var writer = JSONWriter()
        writer.changes([change])
        var bytes: [UInt8] = []
        writer.append(to: &bytes)
        json = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
