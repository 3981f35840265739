// One table that the client wants open: where it stands with the server, what waits to be
// sent, and its replica. It lives on over reconnects.
import TableModel
import TableValue
import TableWire

/// One table that the client wants open.
struct OpenTable {
    /// Where the table stands on the present connection.
    enum Phase: Equatable {
        /// To be opened as soon as there is a login.
        case wanted
        /// `open` is sent and not answered.
        case opening(RequestID)
        /// Open; records may come.
        case open
        /// Given up for good.
        case failed
    }

    /// A snapshot on its way.
    struct Loading {
        var table: Table
        var rowCount: Int

        /// The cells of the next block with values of their columns' types; nil where it does
        /// not fit.
        func cells(of chunk: Chunk) -> [Value]? {
            guard table.rowCount + chunk.rows.count <= rowCount else { return nil }
            return convertedCells(of: chunk, for: table)
        }
    }

    /// What others see of this client's place in the table.
    struct Cursor {
        var row: RowID?
        var column: ColumnID?
        /// True while the cell there is being edited.
        var isEditing = false
        /// True where others have not been told.
        var isChanged = false
        var sentAt: ClientInstant?
    }

    /// As the user asked.
    let request: OpenRequest
    var phase = Phase.wanted
    var id: TableID?
    /// The history that `sequence` belongs to; nil before the first `opened`.
    var lineage: Text?
    /// The last record that was received.
    var sequence: SequenceNumber = 0
    var writer: WriteSession?
    var outbox = Outbox()
    /// nil where no rows are kept.
    var replica: Replica?
    /// True once `replica` holds the table, until it must be loaded anew.
    var isLoaded = false
    /// True once `replica` holds a state of the table, be it an old one.
    var wasLoaded = false
    var loading: Loading?
    /// True once the user was told that the table has caught up; the server says so again and
    /// again.
    var isLive = false
    /// What `opened` said, while the user is not told because the replica is not loaded.
    var untold: Opened?
    /// Nothing is sent before that time: the server asked for it.
    var pausedUntil: ClientInstant?
    var cursor = Cursor()
    /// Times that the table had to be loaded anew, or its operations sent anew, for no good
    /// reason; and what went right since.
    var faults = 0
    var stepsSinceFault = 0

    /// A table that is not open yet.
    init(_ request: OpenRequest) {
        self.request = request
        let keepsRows = request.follow && request.start == .snapshot
        replica = keepsRows ? Replica() : nil
        if let resume = request.resume {
            // A session of an earlier run: its counters come with `opened`.
            writer = WriteSession(
                session: resume.session, token: resume.token, lastClientNumber: 0, rowCounter: 0,
                columnCounter: 0, window: 1)
            outbox = Outbox(after: max(resume.next, 1) - 1)
            replica?.begin(session: resume.session)
        }
        if let have = request.have, request.start == .head, request.follow {
            lineage = have.lineage
            sequence = have.sequence
        }
    }

    /// The table as requests name it: by id once that is known, since names may change.
    var reference: TableReference { id.map { .id($0) } ?? request.table }

    /// The name for people.
    var label: String {
        switch reference {
        case .id(let id): id.description
        case .name(let name): "\"\(name)\""
        }
    }

    /// True where what is asked of the server depends on the table's history.
    var holdsHistory: Bool { lineage != nil || writer != nil }

    /// True where operations can be given.
    var takesOps: Bool { writer != nil && id != nil && phase != .failed }

    /// The request that opens the table, going on from what is held.
    func makeOpenRequest(window: Int) -> OpenRequest {
        var open = request
        open.table = reference
        open.window = request.window ?? window
        open.have = nil
        open.resume = nil
        if let lineage, request.follow, replica == nil || isLoaded {
            open.have = OpenRequest.Held(lineage: lineage, sequence: sequence)
        }
        if let writer {
            open.resume = OpenRequest.Resume(
                session: writer.session, token: writer.token, next: outbox.firstUndecided)
        }
        return open
    }

    /// The connection is lost.
    mutating func connectionLost() {
        if phase != .failed { phase = .wanted }
        outbox.connectionLost()
        loading = nil
        isLive = false
        untold = nil
        pausedUntil = nil
        cursor.isChanged = cursor.row != nil || cursor.column != nil
        cursor.sentAt = nil
    }

    /// Gives up what belongs to a history that is no more.
    ///
    /// - Returns: the operations that were pending.
    mutating func setAside() -> [Op] {
        let pending = outbox.pending.map(\.op)
        outbox = Outbox()
        writer = nil
        lineage = nil
        sequence = 0
        isLoaded = false
        wasLoaded = false
        loading = nil
        replica?.reset()
        return pending
    }
}

extension OpenTable {
    /// True where a request means this table.
    func names(_ reference: TableReference) -> Bool {
        if reference == request.table { return true }
        if case .id(let other) = reference { return other == id }
        return false
    }

    /// Takes over operations of an earlier run of the session in `request.resume`.
    ///
    /// - Returns: false where they cannot be: without a session, or with gaps in their numbers.
    mutating func restore(_ pending: [PendingOp]) -> Bool {
        guard !pending.isEmpty else { return true }
        guard writer != nil, let restored = Outbox(restoring: pending) else { return false }
        outbox = restored
        for op in pending {
            replica?.add(op)
            for intent in op.op.body { count(intent) }
        }
        return true
    }

    /// Takes note of ids that a pending operation of an earlier run uses.
    private mutating func count(_ intent: Intent) {
        guard var writer else { return }
        switch intent {
        case .insertRows(let insert):
            for id in insert.ids where id.session == writer.session {
                writer.rowCounter = max(writer.rowCounter, id.counter)
            }
        case .addColumn(let add):
            guard let id = add.id, id.session == writer.session else { return }
            writer.columnCounter = max(writer.columnCounter, id.counter)
        default: return
        }
        self.writer = writer
    }

    /// Takes what the server says of the session, on the first open or a later one.
    ///
    /// - Returns: false where it is not the session that this client goes on with.
    mutating func take(_ granted: WriteSession?) -> Bool {
        guard var granted else {
            writer = nil
            return outbox.count == 0
        }
        guard (0...Int64(1) << 53).contains(granted.lastClientNumber) else { return false }
        if let held = writer {
            guard held.session == granted.session else { return false }
            granted.rowCounter = max(held.rowCounter, granted.rowCounter)
            granted.columnCounter = max(held.columnCounter, granted.columnCounter)
        } else {
            replica?.begin(session: granted.session)
        }
        granted.window = max(granted.window, 1)
        writer = granted
        return outbox.resumed(after: granted.lastClientNumber)
    }

    /// Adds a block of rows to the snapshot on its way.
    ///
    /// - Returns: false where it does not fit.
    mutating func load(_ chunk: Chunk) -> Bool {
        // The table must not be held twice while it grows: it would be copied.
        guard let cells = loading?.cells(of: chunk) else { return false }
        return loading?.table.load(rows: chunk.rows, columns: chunk.columns, cells: cells) ?? false
    }

    /// The snapshot is complete: it is the confirmed table from now on.
    mutating func finish(_ loading: Loading) {
        // What the server had decided when the table was opened is in the snapshot, or made no
        // record; shown again over it, it would count twice.
        let decidedThrough = writer?.lastClientNumber ?? 0
        replica?.load(loading.table, decidedThrough: decidedThrough)
        sequence = loading.table.head
        isLoaded = true
        wasLoaded = true
        self.loading = nil
    }

    /// The record with values of their columns' types; nil where they do not fit.
    func converted(_ record: Record) -> Record? {
        guard let replica else { return record }
        return TableClient.converted(record, for: replica.confirmed)
    }

    /// Something went as it should: after many such steps, old faults are forgotten.
    mutating func stepped() {
        guard faults > 0 else { return }
        stepsSinceFault += 1
        if stepsSinceFault >= OpenTable.stepsToForgetFaults { faults = 0 }
    }

    /// Row ids never used before; empty where there is no session, no number left, or more are
    /// wanted than make sense.
    mutating func makeRowIDs(_ count: Int) -> [RowID] {
        guard let writer, count > 0, count <= OpenTable.idsAtOnceMax,
            let more = UInt32(exactly: count)
        else { return [] }
        let (last, isTooMany) = writer.rowCounter.addingReportingOverflow(more)
        guard !isTooMany else { return [] }
        let first = writer.rowCounter + 1
        self.writer?.rowCounter = last
        return (first...last).map { RowID(session: writer.session, counter: $0) }
    }

    /// A column id never used before; nil where there is no session, or no number left.
    mutating func makeColumnID() -> ColumnID? {
        guard let writer, writer.columnCounter < .max else { return nil }
        self.writer?.columnCounter = writer.columnCounter + 1
        return ColumnID(session: writer.session, counter: writer.columnCounter + 1)
    }

    private static let stepsToForgetFaults = 1_000
    private static let idsAtOnceMax = 1_000_000
}
