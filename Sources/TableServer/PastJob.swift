// One request that needs a table's past: records are read from its log piece by piece and replayed
// a few in each turn, so that nobody else is held up. What is asked for, and how far it is.
// Server+Past.swift drives it.
import TableModel
import TableWire

/// A table as it was, kept for those who read it.
struct HeldPast {
    let room: Int
    let table: Table
    /// When its last record was made; nil where that was not read.
    var timeMilliseconds: Int64?
    var usedAt: Instant
}

/// A request that waits for a table's past.
struct PastJob {
    /// What is done once the table is as it was.
    enum Wish {
        case past
        case read(ReadRequest)
        case history
        case op(ParkedOp)
    }

    /// Where the records come from.
    enum Source {
        /// Nothing is asked for.
        case idle
        case asked(ticket: Int64)
    }

    let connection: ConnectionID
    let id: RequestID?
    let room: Int
    let wish: Wish
    /// The time that is looked for, until its record is known.
    var timeWanted: Int64?
    /// The newest record that was not later, and when it was made.
    var timeFound: (sequence: SequenceNumber, milliseconds: Int64)?
    /// The last record that is looked at.
    var goal: SequenceNumber
    var scan: HistoryScan?
    /// The table as of what was replayed.
    var table: Table
    /// When the last record that was replayed was made.
    var tableTime: Int64?
    /// The last record that was looked at.
    var cursor: SequenceNumber
    var source = Source.idle
    var lines = CatchUp()

    /// True once nothing is left to replay.
    var isDone: Bool { timeWanted == nil && cursor >= goal }

    /// A job that begins with a table as of some record.
    init(
        for connection: ConnectionID, id: RequestID?, room: Int, wish: Wish, from start: Table,
        goal: SequenceNumber
    ) {
        self.connection = connection
        self.id = id
        self.room = room
        self.wish = wish
        self.goal = goal
        table = start
        cursor = start.head
    }

    /// Looks at one line of the log: the record behind `cursor`.
    ///
    /// - Returns: why it cannot go on; nil where it can.
    mutating func take(
        _ line: [UInt8], read: (_ line: [UInt8]) throws(RecoveryError) -> Record
    ) -> String? {
        cursor += 1
        if let wanted = timeWanted {
            if let time = recordTime(line), time <= wanted { timeFound = (cursor, time) }
            return nil
        }
        if let scan, !scan.wants(line) { return nil }
        let record: Record
        do {
            record = try read(line)
        } catch {
            return error.reason
        }
        guard record.sequence == cursor else { return "the log lacks record \(cursor)" }
        tableTime = record.timeMilliseconds
        let isTold = scan.map { record.sequence >= $0.wish.first } ?? false
        let fits = isTold ? scan?.take(record, into: &table) ?? false : table.apply(record)
        return fits ? nil : "record \(cursor) does not fit"
    }
}
