// One connection's way through one table: a snapshot, a piece of the log where it is far behind,
// then a cursor over the ring. It holds no queue of records.
import TableLog
import TableModel
import TableValue
import TableWire

/// Where a follower stands.
struct Follow {
    /// What it is sent next.
    enum Stage {
        /// Nothing before its `opened` has been handed out.
        case waiting
        case snapshot
        case records
    }

    var stage = Stage.waiting
    /// The last record handed out, or contained in the snapshot.
    var cursor: SequenceNumber
    var snapshot: SnapshotReader?
    var catchUp = CatchUp()
    /// True once `live` was sent.
    var isLive = false
    /// The version of the presence list handed out last.
    var presenceVersion: Int64 = 0
}

/// A piece of a table's log for a follower that is behind the ring.
struct CatchUp {
    /// How the piece comes.
    enum State {
        case none
        /// Waits for its turn among all that are behind.
        case wanted
        /// The log is being read.
        case asked
        /// Lines are here.
        case held
    }

    var state = State.none
    private var lines: [UInt8] = []
    private var offset = 0
    private(set) var touchedAt = Instant(microseconds: 0)

    /// Takes the records after `cursor` out of what was read.
    ///
    /// - Returns: false where the record after `cursor` is not among them.
    mutating func hold(_ batches: [LogBatch], after cursor: SequenceNumber, at now: Instant) -> Bool
    {
        lines = []
        offset = 0
        var expected = cursor + 1
        for batch in batches where batch.last >= expected && batch.first <= batch.last {
            var sequence = batch.first
            forEachLine(of: batch.bytes) { range in
                guard isRecordLine(batch.bytes, at: range.lowerBound) else { return }
                if sequence == expected {
                    lines.append(contentsOf: batch.bytes[range])
                    expected += 1
                }
                sequence += 1
            }
        }
        state = lines.isEmpty ? .none : .held
        touchedAt = now
        return !lines.isEmpty
    }

    /// Moves whole lines into `output` until it holds about `byteCountMax` bytes.
    ///
    /// - Returns: how many.
    mutating func take(
        atMost count: Int64, into output: inout [UInt8], byteCountMax: Int, at now: Instant
    ) -> Int64 {
        var taken: Int64 = 0
        var end = offset
        while taken < count, end < lines.count, output.count + end - offset < byteCountMax {
            while lines[end] != newline { end += 1 }
            end += 1
            taken += 1
        }
        output.append(contentsOf: lines[offset..<end])
        offset = end
        touchedAt = now
        if offset == lines.count { drop() }
        return taken
    }

    /// Gives the piece up.
    mutating func drop() {
        lines = []
        offset = 0
        state = .none
    }
}

/// The end of each line.
let newline = UInt8(ascii: "\n")

/// How the line of a record begins.
private let recordPrefix = Array(#"{"type":"record""#.utf8)
private let replyPrefix = Array(#"{"type":"reply""#.utf8)

/// True where a record's line begins there.
func isRecordLine(_ bytes: [UInt8], at start: Int) -> Bool {
    has(recordPrefix, bytes, at: start)
}

/// True where a reply's line begins there.
func isReplyLine(_ bytes: [UInt8], at start: Int) -> Bool {
    has(replyPrefix, bytes, at: start)
}

private func has(_ prefix: [UInt8], _ bytes: [UInt8], at start: Int) -> Bool {
    guard bytes.count - start > prefix.count else { return false }
    for index in prefix.indices where bytes[start + index] != prefix[index] { return false }
    return true
}

/// Calls `body` with the range of each line, its end included; the last may lack it.
func forEachLine(of bytes: [UInt8], _ body: (Range<Int>) -> Void) {
    var start = 0
    while start < bytes.count {
        let end = bytes[start...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
        body(start..<end)
        start = end
    }
}

/// A copy of a table that snapshots are read from, shared by those who read it.
struct SnapshotPin {
    let table: Table
    var sequence: SequenceNumber { table.head }
}

/// Reads a pinned copy of a table as the lines of a snapshot, one block at a time.
struct SnapshotReader {
    private let table: Table
    private let columns: [Column]
    private var position = 0
    private var isBegun = false
    /// The comments that are still to be told; nil before the first are.
    private var comments: [TableComment]?
    let startedAt: Instant

    /// Reads a pinned copy from its beginning.
    init(of pin: SnapshotPin, at now: Instant) {
        table = pin.table
        columns = table.columns
        startedAt = now
    }

    /// The number that the snapshot stands at.
    var sequence: SequenceNumber { table.head }

    /// Appends the next line of the snapshot.
    ///
    /// - Returns: true once that was the last.
    mutating func takeLine(
        of id: TableID, into output: inout [UInt8], limits: ServerLimits
    ) -> Bool {
        guard isBegun else {
            isBegun = true
            let message = ServerMessage.snapshot(
                id, sequence: table.head, rowCount: table.rowCount, columns: columns,
                look: table.look)
            write(ServerLine(message: message), to: &output)
            return false
        }
        guard position < table.rowCount else {
            if let comments = nextComments(limits: limits) {
                let answer = CommentsAnswer(
                    table: id, sequence: table.head, comments: comments)
                write(ServerLine(message: .comments(answer)), to: &output)
                return false
            }
            let message = ServerMessage.snapshotEnd(id, sequence: table.head)
            write(ServerLine(message: message), to: &output)
            return true
        }
        let chunk = nextChunk(of: id, limits: limits)
        position += max(chunk.rows.count, 1)
        writeChunkLine(chunk, to: &output)
        return false
    }

    /// The next comments; nil where all are told.
    private mutating func nextComments(limits: ServerLimits) -> [TableComment]? {
        var left = comments ?? table.comments()
        guard !left.isEmpty else { return nil }
        var byteCount = 0
        var count = 0
        while count < min(left.count, limits.commentsAnsweredMax),
            count == 0 || byteCount < limits.chunkBytesMax
        {
            byteCount += left[count].text.byteCount + 160
            count += 1
        }
        let taken = Array(left.prefix(count))
        left.removeFirst(count)
        comments = left
        return taken
    }

    /// The rows at the position, as many as one block may have.
    private func nextChunk(of id: TableID, limits: ServerLimits) -> Chunk {
        let ids = columns.map(\.id)
        var chunk = Chunk(table: id, rows: [], columns: ids, cells: [])
        var byteCount = 0
        table.forEachRow(from: position, count: limits.chunkRowsMax, columns: ids) { row, values in
            chunk.rows.append(row)
            chunk.cells.append(contentsOf: values)
            for value in values { byteCount += estimatedByteCount(of: value) }
            return byteCount < limits.chunkBytesMax
        }
        return chunk
    }
}
