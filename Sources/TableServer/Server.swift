// The server core: connections, logins, sessions, rooms. Events in, actions out.
package import TableLog
package import TableModel
package import TableWire

/// The limits of a server, each with its default; see docs/protocol.md, "Limits".
package struct ServerLimits: Hashable, Sendable {
    package var wire = WireLimits()
    package var table = TableLimits()
    /// Operations in flight for one session, and the most a bot may ask for.
    package var windowOps = 64
    package var windowOpsMax = 1_024
    package var windowBytes = 256 << 10
    package var loginSeconds = 10
    package var replyBytesBeforeLoginMax = 16 << 10
    /// The records of one table kept ready to send, encoded.
    package var ringBytes = 8 << 20
    /// One piece read from the log for a follower that fell off the ring.
    package var catchUpBytes = 256 << 10
    package var chunkRowsMax = 1_024
    package var slowConsumerSeconds = 30
    package var presencePerSecond = 10
    package var heartbeatSeconds = 15
    package var presenceTimeoutSeconds = 45
    package var stopSeconds = 10
    package var sessionDays = 30
    package var connectionsMax = 20_000
    package var connectionsPerUserMax = 16
    package var connectionsPerBotMax = 64
    /// One turn of operations: more waits for the next.
    package var turnOpsMax = 4_096

    /// The defaults.
    package init() {}
}

/// What the core needs from outside besides events: functions that are the same every time.
package struct ServerEnvironment: Sendable {
    /// SHA-256 of bytes: 32 bytes. Used for tokens.
    package var sha256: @Sendable ([UInt8]) -> [UInt8]
    /// The content hash of a table: 32 bytes.
    package var contentHash: @Sendable (inout Table) -> [UInt8]
    /// Where secrets, lineages and jitter come from; seeded in the simulation.
    package var random: any RandomNumberGenerator & Sendable

    /// Joins the functions.
    package init(
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        contentHash: @escaping @Sendable (inout Table) -> [UInt8],
        random: any RandomNumberGenerator & Sendable
    ) {
        self.sha256 = sha256
        self.contentHash = contentHash
        self.random = random
    }
}

/// The server core. One value, owned by one thread.
package struct Server {
    package let limits: ServerLimits

    /// An empty server; `recover` comes before any other event.
    package init(limits: ServerLimits, environment: ServerEnvironment) {
        self.limits = limits
    }

    // MARK: Recovery

    /// Takes one stored batch, log 0 first, each log in order.
    ///
    /// - Throws: `RecoveryError` naming the log and number that cannot be read.
    package mutating func recover(_ batch: LogBatch) throws(RecoveryError) {}

    // MARK: Events

    /// A connection has finished its TLS handshake.
    package mutating func opened(
        _ connection: ConnectionID, at now: Now, into actions: inout [ServerAction]
    ) {}

    /// Bytes came in.
    package mutating func received(
        _ bytes: borrowing RawSpan, from connection: ConnectionID, at now: Now,
        into actions: inout [ServerAction]
    ) {}

    /// A connection is gone, whoever ended it.
    package mutating func closed(
        _ connection: ConnectionID, at now: Now, into actions: inout [ServerAction]
    ) {}

    /// All events of a turn have been given: what the turn decided may now be appended.
    package mutating func turnEnded(at now: Now, into actions: inout [ServerAction]) {}

    /// The append of that ticket is durable.
    package mutating func appended(
        ticket: Int64, at now: Now, into actions: inout [ServerAction]
    ) {}

    /// The append of that ticket failed; whether it is stored is unknown.
    package mutating func appendFailed(
        ticket: Int64, _ error: LogStoreError, at now: Now, into actions: inout [ServerAction]
    ) {}

    /// A piece of a log was read.
    package mutating func logRead(
        ticket: Int64, _ result: Result<[LogBatch], LogStoreError>, at now: Now,
        into actions: inout [ServerAction]
    ) {}

    /// The time that `deadline` named has come.
    package mutating func tick(at now: Now, into actions: inout [ServerAction]) {}

    /// An administrator asks beside the protocol.
    package mutating func requested(
        ticket: Int64, _ request: AdministratorRequest, at now: Now,
        into actions: inout [ServerAction]
    ) {}

    /// Stop orderly: no new operations, what is decided is stored, everybody is told.
    package mutating func stopRequested(at now: Now, into actions: inout [ServerAction]) {}

    // MARK: Reads

    /// When `tick` wants to be called next; nil where nothing waits for time.
    package var deadline: Instant? { nil }

    /// Moves what a connection is owed into `buffer` until it holds about `byteCountMax` bytes:
    /// its answers, then records of the tables it follows, then pieces of snapshots. Whole lines.
    /// Nothing appended means that nothing waits; the next `wake` says when something does.
    /// What taking leads to (a log to be read on, reading to be resumed) is due at once: ask
    /// `deadline` after the last call of a turn.
    package mutating func takeOutput(
        for connection: ConnectionID, into buffer: inout [UInt8], byteCountMax: Int, at now: Now
    ) {}
}

/// Why a stored log cannot be used.
package struct RecoveryError: Error, Hashable, Sendable {
    package let log: LogID
    package let sequence: SequenceNumber
    package let reason: String

    /// Names the place and what is wrong.
    package init(log: LogID, sequence: SequenceNumber, reason: String) {
        self.log = log
        self.sequence = sequence
        self.reason = reason
    }
}
