// The server's limits, each a named number with its unit and its default.
// What a client is told beyond each of them is in docs/protocol.md, "Limits".
package import TableModel
package import TableWire

/// The limits of a server, each with its default; see docs/protocol.md, "Limits".
package struct ServerLimits: Hashable, Sendable {
    /// What is read from a line.
    package var wire = WireLimits()
    /// What one table may hold.
    package var table = TableLimits()

    // MARK: What comes in

    /// Operations in flight for one session, and the most a bot may ask for.
    package var windowOps = 64
    /// The most operations in flight that a bot may ask for.
    package var windowOpsMax = 1_024
    /// Bytes of operations in flight of one connection.
    package var windowBytes = 256 << 10
    /// From the handshake to the login.
    package var loginSeconds = 10
    /// Answers that wait for a connection that has not logged in.
    package var replyBytesBeforeLoginMax = 16 << 10
    /// Connections of everybody together.
    package var connectionsMax = 20_000
    /// Connections of one person.
    package var connectionsPerUserMax = 16
    /// Connections of one bot.
    package var connectionsPerBotMax = 64
    /// Tables that one connection has open.
    package var openTablesMax = 256
    /// Tables of the server.
    package var tablesMax = 4_096
    /// Sessions of one table; for one more the one that has been away the longest ends.
    package var sessionsPerTableMax = 100_000
    /// Sessions of one user in one table.
    package var sessionsPerUserMax = 10_000
    /// Display settings of one user in one table.
    package var displayFieldsMax = 2_000
    /// Invites that are open.
    package var invitesMax = 10_000
    /// People and bots together.
    package var usersMax = 1_000_000
    /// A person's operations outside a session: beyond it `rate_limited`.
    ///
    /// 0 is no limit.
    package var personOpsPerSecond = 30
    /// As many of them at once.
    package var personOpsBurst = 200
    /// A person's operations in sessions: beyond it the server reads them later.
    ///
    /// 0 is no limit.
    package var personSessionOpsPerSecond = 2_000
    /// As many of them at once.
    package var personSessionOpsBurst = 20_000
    /// The same for a bot; no limit by default.
    package var botOpsPerSecond = 0
    /// As many of them at once.
    package var botOpsBurst = 0
    /// One turn: its operations, the rows and cells that they name, and the bytes of lines and of
    /// their answers.
    ///
    /// More waits for the next turn, so that nobody holds the server for long.
    package var turnOpsMax = 4_096
    /// Rows and cells that the operations of a turn name.
    package var turnPartsMax = 50_000
    /// The same in bytes.
    package var turnBytesMax = 4 << 20
    /// Bytes of content hashes made in one turn: a large table takes many turns.
    package var hashBytesPerTurn = 128 << 10
    /// Bytes of records replayed in one turn to make a table as it was, or to read its history.
    package var pastBytesPerTurn = 128 << 10
    /// Requests for the past that are worked on at one time; others wait for their turn.
    package var pastJobsMax = 2
    /// Tables as they were that are kept for those who read them.
    package var pastsHeldMax = 4
    /// How long such a table is kept that nobody reads.
    package var pastIdleSeconds = 60
    /// Lines of one connection that are served before it is another's turn.
    package var linesPerTurnPart = 64
    /// What may wait for the append under way to end; beyond it no operation is taken.
    package var pendingBytesMax = 4 << 20
    /// How long, and how much, a batch waits for the operations of those who were just answered.
    package var gatherMicrosecondsMax = 1_000
    /// A batch of this size waits for nobody.
    package var gatheredBytesMax = 32 << 10

    // MARK: What goes out

    /// Answers that wait for one connection; beyond it nothing more is read from it.
    package var answerBytesMax = 512 << 10
    /// Rows of one answer to `read`.
    package var readRowsMax = 10_000
    /// About the bytes of one such answer.
    package var readBytesMax = 512 << 10
    /// Records of one answer to `history`.
    package var historyEntriesMax = 500
    /// Cells, rows and columns that one of them lists; the rest is counted.
    package var historyPartsMax = 100
    /// About the bytes of one such answer.
    package var historyBytesMax = 512 << 10
    /// The records of one table, and of all tables, kept ready to send, encoded.
    package var ringBytes = 8 << 20
    /// The same of all tables together.
    package var ringBytesTotalMax = 256 << 20
    /// One piece of a ring.
    package var ringSegmentBytes = 64 << 10
    /// One batch of a log; an append holds as many as it takes.
    package var logBatchBytes = 128 << 10
    /// One piece read from the log for a follower that fell off the ring.
    package var catchUpBytes = 256 << 10
    /// Followers that hold such a piece at one time; others wait for their turn.
    package var catchUpsMax = 64
    /// How long a piece may lie untouched while others wait.
    package var catchUpIdleSeconds = 2
    /// Rows of one piece of a snapshot.
    package var chunkRowsMax = 1_024
    /// About the bytes of one such piece.
    package var chunkBytesMax = 256 << 10
    /// Different copies of one table that snapshots are read from at one time.
    package var snapshotCopiesMax = 2
    /// How long one snapshot may take to send.
    package var snapshotSeconds = 600
    /// A gap in records is sent up to this size, or a quarter of the snapshot if that is more.
    package var tailBytesMin = 1 << 20
    /// How long a connection may take nothing of what it is owed.
    package var slowConsumerSeconds = 30
    /// How long a connection that was told `bye` may take to fetch it.
    package var leaveSeconds = 5
    /// What one follower adds to the time between two flushes of a table, and the most of it.
    package var flushMicrosecondsPerFollower = 20
    /// The most time between two flushes of a table.
    package var flushMicrosecondsMax = 2_000

    // MARK: Presence, time

    /// Lists of who is here that one connection is sent in a second.
    package var presencePerSecond = 10
    /// All lists of presence of one table in a second: more are sent less often.
    package var presenceBytesPerSecondMax = 4 << 20
    /// People and bots in one such list.
    package var presenceEntriesMax = 1_000
    /// Comments that one answer, or one line of a snapshot, has.
    package var commentsAnsweredMax = 1_000
    /// Names that one answer to `users` tells.
    package var userNamesMax = 1_000
    /// How often connections are looked after: deadlines and heartbeats are as exact as that.
    package var sweepSeconds = 1
    /// How often every connection hears something.
    package var heartbeatSeconds = 15
    /// After how long in silence a client is no longer shown.
    package var presenceTimeoutSeconds = 45
    /// How long an orderly stop may take.
    package var stopSeconds = 10
    /// Clients that are told to come back are spread over that many seconds.
    package var retrySecondsMax = 5
    /// How long a session lives without a connection.
    package var sessionDays = 30
    /// No session expires before the server has run this long.
    package var sessionGraceSeconds = 3_600
    /// Stored answers of one session; beyond it the oldest are forgotten.
    package var outcomeBytesMax = 1 << 20

    /// The defaults.
    package init() {}
}
