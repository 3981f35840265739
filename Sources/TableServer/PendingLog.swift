// What a table's log gains until the next append: batches of whole lines, and the operations
// that were decided, whose line closes the last batch.
import TableLog
import TableModel
import TableWire

/// The lines of one log that wait to be appended.
struct PendingLog {
    private let log: LogID
    private var finished: [LogBatch] = []
    private var bytes: [UInt8] = []
    /// The length of the batch before, which this one will be like.
    private var lastByteCount = 0
    private var first: SequenceNumber
    private var last: SequenceNumber
    private var entries: [DecidedEntry] = []
    private var replies: [UInt8] = []

    /// Nothing, behind a record.
    init(log: LogID, after last: SequenceNumber) {
        self.log = log
        self.last = last
        first = last + 1
    }

    /// True where there is nothing to append.
    var isEmpty: Bool { finished.isEmpty && bytes.isEmpty && entries.isEmpty }

    /// Adds the line of the record after the last one, to the log and to the ring that
    /// followers read: it is encoded once.
    ///
    /// - Returns: the length of the line.
    mutating func add(
        _ record: Record, of table: TableID, ring: inout Ring, batchBytesMax: Int
    ) -> Int {
        if bytes.count >= batchBytesMax { finish() }
        if bytes.isEmpty { bytes.reserveCapacity(lastByteCount) }
        let start = bytes.count
        writeRecordLine(record, table: table, to: &bytes)
        last += 1
        ring.append(bytes, in: start..<bytes.count)
        return bytes.count - start
    }

    /// Adds a line without a number.
    mutating func add(_ line: LogLine) {
        line.write(to: &bytes)
    }

    /// Adds a decided operation.
    ///
    /// The `reply` of one without a record is stored too; that of one with a record can be made
    /// from it.
    mutating func add(_ entry: DecidedEntry, reply: [UInt8]) {
        entries.append(entry)
        if entry.sequence == 0 { replies.append(contentsOf: reply) }
    }

    /// Ends the batch that is being filled.
    private mutating func finish() {
        guard !bytes.isEmpty else { return }
        lastByteCount = bytes.count
        finished.append(LogBatch(log: log, first: first, last: last, bytes: bytes))
        bytes = []
        first = last + 1
    }

    /// Moves everything into `batches`.
    mutating func take(into batches: inout [LogBatch], timeMilliseconds: Int64) {
        if !entries.isEmpty {
            LogLine.decided(time: timeMilliseconds, entries).write(to: &bytes)
            bytes.append(contentsOf: replies)
            entries.removeAll(keepingCapacity: true)
            replies = []
        }
        finish()
        batches.append(contentsOf: finished)
        finished = []
    }
}
