// What surrounds the cores: a host holds one core and what its surroundings must remember. The
// server's turns are in World+Server.swift, the clients' in World+Clients.swift.
import TableClient
import TableModel
import TableServer
import TableValue
import TableWire

/// One event for the server core, waiting for the next turn.
enum ServerEvent: Hashable {
    case opened(ConnectionID)
    case received(ConnectionID, [UInt8])
    case closed(ConnectionID)
    case appended(ticket: Int64)
    case appendFailed(ticket: Int64)
    case read(ticket: Int64, log: Int64, after: SequenceNumber, byteCountMax: Int)
    case deadline
    case requested(ticket: Int64, AdministratorRequest)
    case stopRequested
}

/// The machine that the server runs on.
struct ServerHost {
    /// nil while it is down.
    var core: Server?
    /// Counts the starts; what belongs to an earlier one is void.
    var boot = 0
    var inbox: [ServerEvent] = []
    var isTurnScheduled = false
    /// The deadline that an event is scheduled for.
    var deadline: Int64?
    /// How far the wall clock is from where it should be, in milliseconds.
    var wallOffset: Int64 = 0
    /// How long it stays down after an orderly stop.
    var downMilliseconds: Int64?
}

/// The machine that one client runs on.
struct ClientHost {
    var core: Client
    /// The table's rights come with this.
    let token: Text
    /// Its user's name.
    var name = ""
    var isStarted = false
    var isEditor = false
    /// Another client went on with the same session.
    var isForked = false
    /// It left in order, for a while.
    var isAway = false
    var isOffline = false
    /// The server took its session away: nothing more comes of it.
    var isOver = false
    var link: Int?
    /// Counts the attempts to connect; an answer to an earlier one is void.
    var attempt = 0
    var deadline: Int64?
    var hasAskedToOpen = false
    var table: TableID?
    var writer: WriteSession?
    var isLive = false
    /// The last operation of its session that it knows to be decided.
    var lastTold: ClientNumber = 0
    /// Who it sees at the table, by name.
    var present: [String] = []
    /// The last record it applied.
    var lastApplied: SequenceNumber = 0
    var hasAskedForHash = false
    var hashAnswer: (sequence: SequenceNumber, hash: [UInt8])?

    /// A client that has not begun.
    init(core: Client, token: Text) {
        self.core = core
        self.token = token
    }
}
