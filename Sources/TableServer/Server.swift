// The server core: connections, logins, sessions, rooms. Events in, actions out; it reads no
// clock, does no I/O and rolls no dice. One operation's walk: Intake (lines) → Operations
// (performed) → Appending (stored) → Output (handed to every follower's socket).
package import TableLog
package import TableModel
import TableValue
import TableWire

/// What the core needs from outside besides events: functions that are the same every time.
package struct ServerEnvironment: Sendable {
    /// SHA-256 of bytes: 32 bytes.
    ///
    /// Used for tokens.
    package var sha256: @Sendable ([UInt8]) -> [UInt8]
    /// What content hashes are made with: 32 bytes.
    package var contentDigest: any ContentDigest.Type
    /// Where secrets, lineages and jitter come from; seeded in the simulation.
    package var random: any RandomNumberGenerator & Sendable

    /// Joins the functions.
    package init(
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        contentDigest: any ContentDigest.Type,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.sha256 = sha256
        self.contentDigest = contentDigest
        self.random = random
    }
}

/// The server core.
///
/// One value, owned by one thread.
///
/// Operations are performed on a room's table in the turn in which they come, their lines are
/// collected, and `turnEnded` hands them to the store. Nothing that depends on them leaves
/// before `appended` says that they are durable.
package struct Server {
    /// How the server as a whole is doing.
    enum Status {
        case running
        /// An orderly stop, to be over by then.
        case stopping(until: Instant)
        /// The store failed: nothing is written any more.
        case failed(until: Instant)
        case stopped
    }

    /// What it allows.
    package let limits: ServerLimits
    var environment: ServerEnvironment
    var status = Status.running
    /// When the event came that is being handled.
    var now = Now(instant: Instant(microseconds: 0), wallMilliseconds: 0)
    /// When the first event came; nil before.
    var started: Now?
    /// The actions of the event that is being handled.
    var actions: [ServerAction] = []

    // MARK: Who and what there is

    var accounts = Accounts()
    var rooms: [Room] = []
    /// Positions in `rooms`; dropped tables are found by id only.
    var roomsByID: [TableID: Int] = [:]
    var roomsByFoldedName: [Text: Int] = [:]
    /// Positions in `rooms` of dropped tables, in the order in which they were dropped.
    var droppedRooms: [Int] = []
    /// The last batch that says what a table is called or whether it is there.
    var namesBatch: Int64 = 0
    /// True once log 0 has its first line.
    var hasServerLog = false

    var connections: [Connection] = []
    var vacantSlots: [Int] = []
    /// Positions in `connections`.
    var slots: [ConnectionID: Int] = [:]

    // MARK: Intake

    /// The connections whose lines wait, in the order of their turns.
    var backlog: [ConnectionID] = []
    var turnOps = 0
    /// Bytes that came in and answers that were written in this turn.
    var turnBytes = 0
    /// Rows and cells that the turn's operations named.
    var turnParts = 0
    /// When a user who went too fast may go on.
    var throttledUntil: Instant?
    /// True where something is to be done in another turn at once.
    var isTurnDue = false

    // MARK: Appending

    /// The number of the batch that is being collected; its append has the same ticket.
    var batch: Int64 = 1
    /// The last batch that is durable.
    var durableBatch: Int64 = 0
    /// True while batch `batch - 1` is being appended.
    var isAppending = false
    var appendStartedAt = Instant(microseconds: 0)
    /// Until when the batch waits for the next operations of those who were just answered (nil
    /// where it does not), and how many writers it will then be of.
    var gatheringUntil: Instant?
    var gatheredCount = 0
    var serverLines: [UInt8] = []
    /// Rooms with something in the batch that is being collected.
    var changedRooms: [Int] = []
    var pendingBytes = 0
    /// Rooms in the append under way, with the heads they will have.
    var appendingRooms: [(room: Int, head: SequenceNumber)] = []
    /// Connections to wake once the batch, or the append under way, is durable.
    var touched: [ConnectionID] = []
    var appendingTouched: [ConnectionID] = []
    var administratorAnswers: [(batch: Int64, ticket: Int64, answer: AdministratorAnswer)] = []

    // MARK: Hashing

    /// Rooms whose content hash is under way, in the order of their turns.
    var hashingRooms: [Int] = []
    /// What may still be digested in this turn.
    var hashBytesLeft: Int

    // MARK: Looking back

    /// Requests that need a table's past, in the order in which they came.
    var pastJobs: [PastJob] = []
    /// Tables as they were, the one used last at the end.
    var pasts: [HeldPast] = []
    /// Set while an operation is decided that has waited for the past.
    var pastAtHand: PastAtHand?

    // MARK: Following

    var ringBytesTotal = 0
    /// Rooms whose followers wait for a flush.
    var pacedRooms: [Int] = []
    /// Rooms whose presence may have changed.
    var presenceRooms: [Int] = []
    var catchUpQueue: [CatchUpPlace] = []
    var catchUpsAsked: [(ticket: Int64, place: CatchUpPlace)] = []
    var catchUpsHeld: [CatchUpPlace] = []
    var nextReadTicket: Int64 = 1

    // MARK: Time, leaving

    var nextSweep: Instant?
    /// Rooms with leases, which end by time.
    var leasedRooms: [Int] = []
    var nextExpiry: Instant?
    /// Connections whose last words wait for an append.
    var departing: [ConnectionID] = []
    var isGoodbyeDue = false
    var hasSaidGoodbye = false
    var hasReportedStop = false

    /// An empty server; `recover` comes before any other event.
    package init(limits: ServerLimits, environment: ServerEnvironment) {
        self.limits = limits
        self.environment = environment
        hashBytesLeft = limits.hashBytesPerTurn
    }

    /// Begins an event: its actions are collected behind those that are already there.
    mutating func begin(_ now: Now, _ actions: inout [ServerAction]) {
        swap(&self.actions, &actions)
        self.now = now
        if started == nil { started = now }
    }

    /// Ends an event.
    mutating func end(_ actions: inout [ServerAction]) {
        swap(&self.actions, &actions)
    }

    /// Adds an action.
    mutating func emit(_ action: ServerAction) {
        actions.append(action)
    }

    /// The wall clock as it was at the start plus the time that has passed since: a jump of the
    /// clock does not move it.
    var steadyMilliseconds: Int64 {
        guard let started else { return now.wallMilliseconds }
        let elapsed = (now.instant.microseconds - started.instant.microseconds) / 1_000
        return started.wallMilliseconds &+ elapsed
    }

    /// True where nobody has joined yet: bots do not count.
    package var isWithoutPeople: Bool { !accounts.hasPeople }

    /// Whether it takes operations.
    var isRunning: Bool {
        if case .running = status { true } else { false }
    }
}

/// A follower that is behind the ring: its connection and room.
struct CatchUpPlace: Equatable {
    let connection: ConnectionID
    let room: Int
}

extension Server {
    // MARK: Events of a connection

    /// A connection has finished its TLS handshake.
    package mutating func opened(
        _ connection: ConnectionID, at now: Now, into actions: inout [ServerAction]
    ) {
        begin(now, &actions)
        defer { end(&actions) }
        guard slots[connection] == nil else { return }
        let slot = addConnection(connection)
        switch status {
        case .running: break
        case .failed: return dismiss(slot, storageFailed, answering: nil)
        case .stopping, .stopped: return dismiss(slot, goingAway(), answering: nil)
        }
        if slots.count > limits.connectionsMax {
            dismiss(
                slot,
                ErrorMessage(
                    .tooManyConnections, "the server has as many connections as it takes",
                    retrySeconds: retrySeconds()), answering: nil)
        }
        if nextSweep == nil { nextSweep = now.instant.adding(seconds: limits.sweepSeconds) }
    }

    /// Bytes came in.
    package mutating func received(
        _ bytes: borrowing RawSpan, from connection: ConnectionID, at now: Now,
        into actions: inout [ServerAction]
    ) {
        begin(now, &actions)
        defer { end(&actions) }
        guard let slot = slots[connection] else { return }
        take(bytes, from: slot)
    }

    /// A connection is gone, whoever ended it.
    package mutating func closed(
        _ connection: ConnectionID, at now: Now, into actions: inout [ServerAction]
    ) {
        begin(now, &actions)
        defer { end(&actions) }
        guard let slot = slots[connection] else { return }
        removeConnection(slot)
    }

    // MARK: Events of a turn

    /// All events of a turn have been given: what the turn decided may now be appended.
    package mutating func turnEnded(at now: Now, into actions: inout [ServerAction]) {
        begin(now, &actions)
        defer { end(&actions) }
        serveBacklog()
        goOnHashing()
        goOnLookingBack()
        askForLogs()
        if !isGathering() { startAppend() }
        goOnStopping()
        turnOps = 0
        turnBytes = 0
        turnParts = 0
        hashBytesLeft = limits.hashBytesPerTurn
    }

    /// The append of that ticket is durable.
    package mutating func appended(
        ticket: Int64, at now: Now, into actions: inout [ServerAction]
    ) {
        begin(now, &actions)
        defer { end(&actions) }
        guard isAppending, ticket == batch - 1, !hasFailed else { return }
        finishAppend()
    }

    /// The append of that ticket failed; whether it is stored is unknown.
    package mutating func appendFailed(
        ticket: Int64, _ error: LogStoreError, at now: Now, into actions: inout [ServerAction]
    ) {
        begin(now, &actions)
        defer { end(&actions) }
        guard isAppending, ticket == batch - 1, !hasFailed else { return }
        fail(error)
    }

    /// A piece of a log was read.
    package mutating func logRead(
        ticket: Int64, _ result: Result<[LogBatch], LogStoreError>, at now: Now,
        into actions: inout [ServerAction]
    ) {
        begin(now, &actions)
        defer { end(&actions) }
        if !pastWasRead(ticket, result) { logWasRead(ticket, result) }
    }

    /// The time that `deadline` named has come.
    package mutating func tick(at now: Now, into actions: inout [ServerAction]) {
        begin(now, &actions)
        defer { end(&actions) }
        timePassed()
    }

    /// An administrator asks beside the protocol.
    package mutating func requested(
        ticket: Int64, _ request: AdministratorRequest, at now: Now,
        into actions: inout [ServerAction]
    ) {
        begin(now, &actions)
        defer { end(&actions) }
        administratorAsked(ticket, request)
    }

    /// Stop orderly: no new operations, what is decided is stored, everybody is told.
    package mutating func stopRequested(at now: Now, into actions: inout [ServerAction]) {
        begin(now, &actions)
        defer { end(&actions) }
        guard isRunning else { return }
        status = .stopping(until: now.instant.adding(seconds: limits.stopSeconds))
        isTurnDue = true
    }
}
