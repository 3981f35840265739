// One connection as the core sees it: how far it has come, what it may do next, what it is owed.
// Sockets are unknown here. Its lines are served in Server+Intake.swift.
import TableModel
import TableValue
import TableWire

/// A connection's state.
struct Connection {
    /// How far it has come.
    enum Phase {
        /// The slot is free.
        case vacant
        case hello, login, open
        /// It was told `bye`; nothing more is read from it.
        case leaving
    }

    let id: ConnectionID
    var phase: Phase
    /// The position in `Accounts` once it is logged in; -1 before.
    var account = -1

    // MARK: What comes in

    var splitter: LineSplitter
    /// Bytes that came while it may not be served.
    var held: [UInt8] = []
    /// True where bytes wait that may hold a whole line.
    var hasBacklog = false
    /// True while it stands in the server's list of those.
    var isInBacklog = false
    var isReadingStopped = false
    /// Nothing more is read before that append is durable (the redemption of an invite).
    var stalledUntilBatch: Int64 = 0
    /// Tables that are being closed; nothing more is read before they are.
    var closingCount = 0
    /// True while a content hash is being made for it; nothing more is read before it is answered.
    var isHashing = false
    /// True while a table's past is looked up for it; nothing more is read before that is answered.
    var isLookingBack = false
    var window: Int
    /// Operations and their bytes that are not yet durable: of the batch that is being
    /// collected, and of the append under way.
    var pendingOps = 0
    var pendingBytes = 0
    var appendingOps = 0
    var appendingBytes = 0

    // MARK: What goes out

    var answers = AnswerQueue()
    var tables: [OpenTable] = []
    /// Where the next round over `tables` begins, so that none starves another.
    var nextTable = 0
    /// True from `wake` until `takeOutput` found nothing left.
    var isAwake = false
    var isHeartbeatDue = false
    /// The append that will wake it.
    var touchedBatch: Int64 = 0

    // MARK: Time

    let openedAt: Instant
    var heardAt: Instant
    /// When output was last handed out.
    var sentAt: Instant
    /// When output last began to wait or was handed out.
    var progressAt: Instant
    /// When it is cut, once it is leaving.
    var cutAt: Instant?
    /// True while others are not shown it, since nothing was heard of it for too long.
    var isAbsent = false

    /// A connection that has said nothing yet.
    init(_ id: ConnectionID, phase: Phase = .hello, limits: ServerLimits, at now: Instant) {
        self.id = id
        self.phase = phase
        splitter = LineSplitter(lineBytesMax: limits.wire.lineBytesBeforeLoginMax)
        window = limits.windowOps
        openedAt = now
        heardAt = now
        sentAt = now
        progressAt = now
    }

    /// The position in `tables` of an open table.
    func position(ofRoom room: Int) -> Int? {
        for index in tables.indices where tables[index].room == room { return index }
        return nil
    }

    /// True where operations that are not yet durable fill its window.
    func isWindowFull(limits: ServerLimits) -> Bool {
        pendingOps + appendingOps >= window
            || pendingBytes + appendingBytes >= limits.windowBytes
    }
}

/// A table that a connection has open.
struct OpenTable {
    let room: Int
    /// The position of its session in the room's `SessionTable`; -1 without one.
    var session = -1
    var follow: Follow?
    /// True once `opened` has been handed out.
    var isOpenedSent = false
    /// No record after this one is handed out while a content hash is being made for it.
    var heldAt: SequenceNumber?
    /// True while `closed` waits to be handed out.
    var isClosing = false
}
