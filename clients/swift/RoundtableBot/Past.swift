// What a table was, and what happened to it, as the server tells: moments of the past, pages of
// then, and the history record by record. Nothing is changed here; `Edits.restore` does that.
// How anything is asked is in Bot.swift.
import TableModel
import TableValue
import TableWire

/// A moment of a table's past.
public enum Moment: Hashable, Sendable {
    /// After the record of that number.
    case sequence(Int64)
    /// After the newest record that is not later: milliseconds since 1970.
    case time(milliseconds: Int64)

    var held: PastMoment {
        switch self {
        case .sequence(let number): .sequence(number)
        case .time(let milliseconds): .time(milliseconds)
        }
    }
}

/// What a table was.
public struct Past: Sendable {
    /// The number of the record after which it was so.
    public let sequence: Int64
    /// When that was, in milliseconds since 1970; nil where it is not known any more.
    public let timeMilliseconds: Int64?
    /// How many rows there were.
    public let count: Int
    /// The columns of then, in order.
    public let columns: [Column]
}

/// What one record did; docs/protocol.md, "The past", says what each field means.
public struct HistoryEntry: Hashable, Sendable {
    /// A cell with what it held before and after.
    public struct Cell: Hashable, Sendable {
        /// Its row.
        public let row: RowID
        /// The id of its column.
        public let column: String
        /// What it held before.
        public let from: Value
        /// What it held after.
        public let to: Value
    }

    /// What happened to a column as a whole.
    public struct ColumnEvent: Hashable, Sendable {
        /// The id of the column.
        public let column: String
        /// `added`, `deleted`, `shown`, `renamed`, `retyped`, `moved` or `rules`.
        public let what: String
        /// The name or type before; nil where it was neither.
        public let from: String?
        /// The name or type after; nil where it was neither.
        public let to: String?
    }

    /// How much a record changed, also where not all of it is listed.
    public struct Counts: Hashable, Sendable {
        /// Cells that hold something else.
        public let cells: Int
        /// Rows that came.
        public let inserted: Int
        /// Rows that went.
        public let deleted: Int
        /// Deleted rows that came back.
        public let shown: Int
        /// Rows that were moved or sorted.
        public let moved: Int
        /// Things that happened to columns.
        public let columns: Int
    }

    /// The number of the record.
    public let sequence: Int64
    /// When, by the server's clock: milliseconds since 1970.
    public let timeMilliseconds: Int64
    /// Who, such as `u2`.
    public let user: String
    /// The session whose operation it was.
    public let session: String
    /// The operation's number in it; 0 where it came without.
    public let number: Int64
    /// What it did, in one word, such as `insert`.
    public let kind: String
    /// The record that it took back.
    public let undid: Int64?
    /// How much it changed.
    public let counts: Counts
    /// The first of the cells.
    public let cells: [Cell]
    /// The first of the rows that came.
    public let inserted: [RowID]
    /// The first of the rows that went.
    public let deleted: [RowID]
    /// The first of the deleted rows that came back.
    public let shown: [RowID]
    /// The first of the rows that were moved or sorted.
    public let moved: [RowID]
    /// The first of what happened to columns.
    public let columns: [ColumnEvent]

    init(_ entry: TableWire.HistoryEntry) {
        sequence = entry.sequence
        timeMilliseconds = entry.timeMilliseconds
        user = entry.user.string
        session = entry.session.description
        number = entry.clientNumber
        kind = entry.kind.rawValue
        undid = entry.undid
        counts = Counts(
            cells: entry.counts.cells, inserted: entry.counts.inserted,
            deleted: entry.counts.deleted, shown: entry.counts.shown, moved: entry.counts.moved,
            columns: entry.counts.columns)
        cells = entry.cells.map {
            Cell(
                row: RowID($0.row), column: $0.column.description, from: Value($0.from),
                to: Value($0.to))
        }
        inserted = entry.inserted.map { RowID($0) }
        deleted = entry.deleted.map { RowID($0) }
        shown = entry.shown.map { RowID($0) }
        moved = entry.moved.map { RowID($0) }
        columns = entry.columns.map {
            ColumnEvent(
                column: $0.column.description, what: $0.event.rawValue, from: $0.from?.string,
                to: $0.to?.string)
        }
    }
}

/// What happened, the newest first, asked for piece by piece as it is read.
public struct History: AsyncSequence, Sendable {
    /// One record after another, towards the table's making.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let bot: Bot
        fileprivate var request: HistoryRequest?
        private var entries: ArraySlice<HistoryEntry> = []

        fileprivate init(_ bot: Bot, _ request: HistoryRequest) {
            self.bot = bot
            self.request = request
        }

        /// What the next older record did; nil where there is none.
        public mutating func next() async throws -> HistoryEntry? {
            while entries.isEmpty, var asked = request {
                guard case .history(let page) = try await bot.ask(.history(asked)) else {
                    throw Bot.unexpected
                }
                entries = page.entries.map { HistoryEntry($0) }[...]
                asked.before = page.next
                let isMore = page.next.map { $0 > 1 } ?? false
                request = isMore && !entries.isEmpty ? asked : nil
            }
            return entries.popFirst()
        }
    }

    let bot: Bot
    let request: HistoryRequest

    /// Begins with the newest.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bot, request) }
}

extension Bot {
    /// What a table was at a moment; `read` with its number as `at` gives the rows.
    ///
    /// Errors: `requestFailed` with `unknown_record` where there was no such moment.
    public func past(of table: String, at moment: Moment) async throws -> Past {
        let message = ClientMessage.past(
            PastRequest(table: reference(table: table), moment: moment.held))
        guard case .past(let answer) = try await ask(message) else { throw Self.unexpected }
        return Past(
            sequence: answer.sequence, timeMilliseconds: answer.timeMilliseconds,
            count: answer.rowCount, columns: answer.columns.map { Column($0) })
    }

    /// What happened to a table, to a row, to a column or to a cell, the newest first.
    ///
    /// Only what happened before the record `before`, where that is given.
    public func history(
        of table: String, row: RowID? = nil, column: String? = nil, before: Int64? = nil
    ) -> History {
        var request = HistoryRequest(table: reference(table: table))
        request.row = row?.held
        request.column = column.map { reference($0) }
        request.before = before
        return History(bot: self, request: request)
    }
}
