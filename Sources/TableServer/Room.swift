// The server's side of one table: the table itself, its log's tail, who follows it, its
// sessions. Operations are performed here; who may, and who is told, is decided in the
// extensions of `Server`.
import TableLog
import TableModel
import TableValue
import TableWire

/// One table in the server.
struct Room {
    let id: TableID
    var name: Text
    /// True from when it was dropped until it is restored.
    var isDropped = false
    /// Random; names the history of the table.
    let lineage: Text
    var table: Table
    /// The last record that is durable; nothing beyond is shown to anybody.
    var durableHead: SequenceNumber = 0
    var ring: Ring
    var sessions = SessionTable()
    var pending: PendingLog
    /// The append that holds its latest line.
    var changedBatch: Int64 = 0
    /// What recovery remembers from line to line.
    var recovery = RecoveryState()
    /// The bytes of all its records, for the size of an average one.
    var recordBytes: Int64 = 0

    /// The copies that snapshots are being read from, oldest first.
    ///
    /// Each costs what was written since it was made, so there are few of them: who comes when
    /// there are as many as there may be reads the newest, and the records after it.
    var pins: [SnapshotPin] = []
    /// The content hash that is being made, and who waits for the next: one of a later record.
    var hashing: RoomHashing?
    var hashAskers: [HashAsker] = []
    /// The slots of the connections that follow it, in the order in which they came.
    var followers: [Int] = []
    var pacer = FlushPacer()
    var presence = PresenceBoard()
    /// How it is shown to single users, by the numbers of their accounts; never iterated.
    var personal: [Int64: PersonalDisplay] = [:]

    /// An empty table.
    init(id: TableID, name: Text, lineage: Text, limits: ServerLimits) {
        self.id = id
        self.name = name
        self.lineage = lineage
        table = Table()
        table.limits = limits.table
        table.keepsUndo = true
        ring = Ring(after: 0, segmentBytes: limits.ringSegmentBytes)
        pending = PendingLog(log: id.rawValue, after: 0)
    }

    /// Its log.
    var log: LogID { id.rawValue }

    /// Takes a record that `table` has already performed into log and ring.
    mutating func add(_ record: Record, limits: ServerLimits) {
        let byteCount = pending.add(
            record, of: id, ring: &ring, batchBytesMax: limits.logBatchBytes)
        recordBytes += Int64(byteCount)
        ring.trim(to: limits.ringBytes)
    }

    /// About how many bytes the records after `cursor` have.
    func gapByteCount(after cursor: SequenceNumber) -> Int {
        if let exact = ring.byteCount(after: cursor) { return exact }
        let head = max(table.head, 1)
        let average = Double(recordBytes) / Double(head)
        return Int(average * Double(table.head - cursor))
    }

    /// About how many bytes a snapshot has.
    var snapshotByteCount: Int {
        // An id in a run costs nothing; a typical cell with its comma has about eight bytes.
        table.rowCount * (table.columns.count * 8 + 2)
    }

    /// True where records after `cursor` cost less than a snapshot.
    func prefersRecords(after cursor: SequenceNumber, limits: ServerLimits) -> Bool {
        gapByteCount(after: cursor) <= max(limits.tailBytesMin, snapshotByteCount / 4)
    }
}

/// About how many bytes a value has on the wire.
func estimatedByteCount(of value: Value) -> Int {
    switch value {
    case .null, .bool: 5
    case .int: 8
    case .double: 12
    case .text(let text), .choice(let text): text.byteCount + 3
    case .list(let json), .json(let json): json.text.byteCount + 1
    case .decimal: 18
    case .date: 13
    case .datetime: 28
    case .uuid: 39
    }
}
