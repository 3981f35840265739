// The server's limits, each a named number with its unit and its default.
// What a client is told beyond each of them is in docs/protocol.md, "Limits".
package import TableModel
package import TableWire

/// The limits of a server, each with its default; see docs/protocol.md, "Limits".
package struct ServerLimits: Hashable, Sendable {
    package var wire = WireLimits()
    package var table = TableLimits()

    // MARK: What comes in

    /// Operations in flight for one session, and the most a bot may ask for.
    package var windowOps = 64
    package var windowOpsMax = 1_024
    package var windowBytes = 256 << 10
    package var loginSeconds = 10
    package var replyBytesBeforeLoginMax = 16 << 10
    package var connectionsMax = 20_000
    package var connectionsPerUserMax = 16
    package var connectionsPerBotMax = 64
    /// Tables that one connection has open.
    package var openTablesMax = 256
    package var tablesMax = 4_096
    package var sessionsPerTableMax = 100_000
    package var sessionsPerUserMax = 10_000
    package var invitesMax = 10_000
    package var usersMax = 1_000_000
    /// A person's operations outside a session: beyond it `rate_limited`.
    ///
    /// 0 is no limit.
    package var personOpsPerSecond = 30
    package var personOpsBurst = 200
    /// A person's operations in sessions: beyond it the server reads them later.
    ///
    /// 0 is no limit.
    package var personSessionOpsPerSecond = 2_000
    package var personSessionOpsBurst = 20_000
    /// The same for a bot; no limit by default.
    package var botOpsPerSecond = 0
    package var botOpsBurst = 0
    /// One turn: its operations, the rows and cells that they name, and the bytes of lines and of
    /// their answers.
    ///
    /// More waits for the next turn, so that nobody holds the server for long.
    package var turnOpsMax = 4_096
    package var turnPartsMax = 50_000
    package var turnBytesMax = 4 << 20
    /// Bytes of content hashes made in one turn: a large table takes many turns.
    package var hashBytesPerTurn = 128 << 10
    /// Lines of one connection that are served before it is another's turn.
    package var linesPerTurnPart = 64
    /// What may wait for the append under way to end; beyond it no operation is taken.
    package var pendingBytesMax = 4 << 20
    /// How long, and how much, a batch waits for the operations of those who were just answered.
    package var gatherMicrosecondsMax = 1_000
    package var gatheredBytesMax = 32 << 10

    // MARK: What goes out

    /// Answers that wait for one connection; beyond it nothing more is read from it.
    package var answerBytesMax = 512 << 10
    package var readRowsMax = 10_000
    package var readBytesMax = 512 << 10
    /// The records of one table, and of all tables, kept ready to send, encoded.
    package var ringBytes = 8 << 20
    package var ringBytesTotalMax = 256 << 20
    package var ringSegmentBytes = 64 << 10
    /// One batch of a log; an append holds as many as it takes.
    package var logBatchBytes = 128 << 10
    /// One piece read from the log for a follower that fell off the ring.
    package var catchUpBytes = 256 << 10
    /// Followers that hold such a piece at one time; others wait for their turn.
    package var catchUpsMax = 64
    /// How long a piece may lie untouched while others wait.
    package var catchUpIdleSeconds = 2
    package var chunkRowsMax = 1_024
    package var chunkBytesMax = 256 << 10
    /// Different copies of one table that snapshots are read from at one time.
    package var snapshotCopiesMax = 2
    /// How long one snapshot may take to send.
    package var snapshotSeconds = 600
    /// A gap in records is sent up to this size, or a quarter of the snapshot if that is more.
    package var tailBytesMin = 1 << 20
    package var slowConsumerSeconds = 30
    /// How long a connection that was told `bye` may take to fetch it.
    package var leaveSeconds = 5
    /// What one follower adds to the time between two flushes of a table, and the most of it.
    package var flushMicrosecondsPerFollower = 20
    package var flushMicrosecondsMax = 2_000

    // MARK: Presence, time

    package var presencePerSecond = 10
    /// All lists of presence of one table in a second: more are sent less often.
    package var presenceBytesPerSecondMax = 4 << 20
    package var presenceEntriesMax = 1_000
    /// Names that one answer to `users` tells.
    package var userNamesMax = 1_000
    /// How often connections are looked after: deadlines and heartbeats are as exact as that.
    package var sweepSeconds = 1
    package var heartbeatSeconds = 15
    package var presenceTimeoutSeconds = 45
    package var stopSeconds = 10
    /// Clients that are told to come back are spread over that many seconds.
    package var retrySecondsMax = 5
    package var sessionDays = 30
    /// No session expires before the server has run this long.
    package var sessionGraceSeconds = 3_600
    /// Stored answers of one session; beyond it the oldest are forgotten.
    package var outcomeBytesMax = 1 << 20

    /// The defaults.
    package init() {}
}
