// What records did, told from the table before and after each: one page of a history.
// It replays what it is given; Server+Past.swift reads the records and answers.
import TableModel
import TableValue
import TableWire

/// Collects what the newest records before a number did, as many as a page may hold.
struct HistoryScan {
    /// What is asked for.
    struct Wish {
        var row: RowID?
        /// Nil for all columns.
        var column: ColumnID?
        /// Records before this number.
        var before: SequenceNumber
        var countMax: Int

        /// True where every record is told.
        var isWhole: Bool { row == nil && column == nil }

        /// The first record that has to be told; those before are only replayed.
        var first: SequenceNumber { isWhole ? max(1, before - Int64(countMax)) : 1 }
    }

    let wish: Wish
    private let rowScan: RowScan?
    private let limits: ServerLimits
    /// Oldest first.
    private var entries: [(entry: HistoryEntry, byteCount: Int)] = []
    private var byteCount = 0
    /// True where something older was found and let go.
    private var hasOlder = false

    init(_ wish: Wish, limits: ServerLimits) {
        self.wish = wish
        self.limits = limits
        rowScan = wish.row.map { RowScan(for: $0) }
        hasOlder = wish.first > 1
    }

    /// False where a record cannot matter, so that it need not be read.
    func wants(_ line: [UInt8]) -> Bool { rowScan?.mayConcern(line) ?? true }

    /// Takes the next record, which `table` is made to contain.
    ///
    /// - Returns: false where it does not fit the table.
    mutating func take(_ record: Record, into table: inout Table) -> Bool {
        var replayed = record
        if let row = wish.row {
            replayed = record.narrowed(to: row)
            // Such a table has only the records that may matter, so it counts by itself.
            replayed.sequence = table.head + 1
        }
        let before = table
        guard table.apply(replayed) else { return false }
        var teller = RecordTeller(
            replayed, column: wish.column, partsMax: limits.historyPartsMax,
            bytesMax: max(limits.historyBytesMax / 8, 1_024))
        teller.tell(before, table)
        teller.entry.sequence = record.sequence
        if wish.isWhole || teller.hasSomething { add(teller.entry, teller.byteCount) }
        return true
    }

    private mutating func add(_ entry: HistoryEntry, _ entryByteCount: Int) {
        entries.append((entry, entryByteCount))
        byteCount += entryByteCount
        while entries.count > 1,
            entries.count > wish.countMax || byteCount > limits.historyBytesMax
        {
            byteCount -= entries.removeFirst().byteCount
            hasOlder = true
        }
    }

    /// The page, the newest first.
    func answer(for table: TableID, asOf sequence: SequenceNumber) -> HistoryAnswer {
        HistoryAnswer(
            table: table, sequence: sequence, entries: entries.reversed().map(\.entry),
            next: hasOlder ? entries.first?.entry.sequence : nil)
    }
}
