// Every setting of a server, with what it may be. What each means to a client stands in
// docs/protocol.md, "Limits"; docs/guides/configuration.md lists them for operators. A limit that
// is added gets its line here: a test compares the list with the limits there are.
import TableModel
import TableServer
import TableWire
import Transport

/// Settings that belong together.
package struct SettingGroup: Sendable {
    /// What they are about.
    package let title: String
    /// The settings, in the order in which they are listed.
    package let settings: [Setting]
}

/// All settings, grouped.
package let settingGroups: [SettingGroup] = [
    SettingGroup(title: "What comes in", settings: incomingSettings),
    SettingGroup(title: "What goes out", settings: outgoingSettings),
    SettingGroup(title: "Presence and time", settings: timingSettings),
    SettingGroup(title: "Turns and writing", settings: writingSettings),
    SettingGroup(title: "Sockets", settings: socketsSettings),
]

private let incomingSettings: [Setting] = [
    Setting(
        "line_bytes_max", \.limits.wire.lineBytesMax, range: (16 << 10)...(2 << 20),
        "a line of a client that has logged in"),
    Setting(
        "line_bytes_before_login_max", \.limits.wire.lineBytesBeforeLoginMax,
        range: (1 << 10)...(64 << 10),
        "a line of one that has not"),
    Setting(
        "depth_max", \.limits.wire.depthMax, range: 8...16,
        "how deep objects and lists may stand in one another"),
    Setting(
        "key_bytes_max", \.limits.wire.keyBytesMax, range: 128...1_024,
        "a key of an object"),
    Setting(
        "text_bytes_max", \.limits.wire.textBytesMax, range: (1 << 10)...(1 << 20),
        "a string other than the text of a cell"),
    Setting(
        "number_bytes_max", \.limits.wire.numberBytesMax, range: 32...1_024,
        "a number, in digits"),
    Setting(
        "cell_bytes_max", \.limits.table.cellBytesMax, range: (1 << 10)...(1 << 20),
        "the text of a cell"),
    Setting(
        "row_text_bytes_max", \.limits.table.rowTextBytesMax, range: (1 << 10)...(1 << 20),
        "the texts of a row together, looked at where a larger one than 1 KiB is set"),
    Setting(
        "name_bytes_max", \.limits.table.nameBytesMax, range: 16...128,
        "the name of a table, a column or a person"),
    Setting(
        "columns_max", \.limits.table.columnsMax, range: 1...4_096,
        "columns of a table"),
    Setting(
        "choices_max", \.limits.table.choicesMax, range: 1...10_000,
        "choices of a column"),
    Setting(
        "rules_bytes_max", \.limits.table.rulesBytesMax, range: (1 << 10)...(1 << 20),
        "the rules of all columns of a table"),
    Setting(
        "styles_max", \.limits.table.stylesMax, range: 1...1_000, "row styles of a table"),
    Setting(
        "style_bytes_max", \.limits.table.styleBytesMax, range: 64...16_384,
        "the condition of a row style"),
    Setting(
        "display_fields_max", \.limits.displayFieldsMax, range: 10...20_000,
        "display settings of one user in one table"),
    Setting(
        "made_text_bytes_max", \.limits.table.madeTextBytesMax, range: 64...4_096,
        "the longest text that a rule puts into a cell"),
    Setting(
        "rule_steps_max", \.limits.table.ruleStepsMax, range: 10_000...1_000_000_000,
        "steps of the expressions of rules in one operation"),
    Setting(
        "parts_max", \.limits.table.partsMax, \.limits.wire.partsMax, range: 1...50_000,
        "rows and cells that one operation may touch"),
    Setting(
        "wide_rows_max", \.limits.table.wideRowsMax, range: 1_000...2_000_000,
        "rows that one operation on a whole table may touch"),
    Setting(
        "leases_max", \.limits.table.leasesMax, range: 1...1_000_000,
        "rows of one table that are leased at one time"),
    Setting(
        "comments_max", \.limits.table.commentsMax, range: 100...1_000_000,
        "comments of a table, those that are deleted among them"),
    Setting(
        "comments_answered_max", \.limits.commentsAnsweredMax, range: 10...100_000,
        "comments in one answer, or in one line of a snapshot"),
    Setting(
        "comments_bytes_max", \.limits.table.commentsBytesMax, range: 1_048_576...1_073_741_824,
        "bytes of the texts of all comments of a table"),
    Setting(
        "comment_text_bytes_max", \.limits.table.commentTextBytesMax, range: 100...65_536,
        "bytes of one comment"),
    Setting(
        "undo_ops_max", \.limits.table.undoOpsMax, range: 10...100_000,
        "operations of one session that can be taken back"),
    Setting(
        "undo_bytes_max", \.limits.table.undoBytesMax, range: (1 << 20)...(1 << 34),
        "memory for what operations on one table replaced"),
    Setting(
        "counter_gap_max", \.limits.table.counterGapMax, range: 1_024...1_000_000,
        "how far the ids of a session's new rows may run ahead"),
    Setting(
        "window_ops", \.limits.windowOps, range: 1...1_024,
        "operations in flight in a session"),
    Setting(
        "window_ops_max", \.limits.windowOpsMax, range: 1...16_384,
        "the most that a bot may ask for"),
    Setting(
        "window_bytes", \.limits.windowBytes, range: (16 << 10)...(16 << 20),
        "the same in bytes"),
    Setting(
        "outcome_bytes_max", \.limits.outcomeBytesMax, range: (64 << 10)...(64 << 20),
        "stored answers of one session"),
    Setting(
        "login_seconds", \.limits.loginSeconds, range: 1...600,
        "from the handshake to the login"),
    Setting(
        "reply_bytes_before_login_max", \.limits.replyBytesBeforeLoginMax,
        range: (4 << 10)...(1 << 20),
        "answers that wait for a connection before login"),
    Setting(
        "connections_max", \.limits.connectionsMax, range: 1...1_000_000,
        "connections of all"),
    Setting(
        "connections_per_user_max", \.limits.connectionsPerUserMax, range: 1...100_000,
        "connections of a person"),
    Setting(
        "connections_per_bot_max", \.limits.connectionsPerBotMax, range: 1...100_000,
        "connections of a bot"),
    Setting(
        "open_tables_max", \.limits.openTablesMax, range: 1...65_536,
        "tables that one connection has open"),
    Setting(
        "tables_max", \.limits.tablesMax, range: 1...1_000_000,
        "tables of the server"),
    Setting(
        "sessions_per_table_max", \.limits.sessionsPerTableMax, range: 1...10_000_000,
        "sessions of a table"),
    Setting(
        "sessions_per_user_max", \.limits.sessionsPerUserMax, range: 1...10_000_000,
        "sessions of a user in a table"),
    Setting(
        "invites_max", \.limits.invitesMax, range: 1...1_000_000,
        "invites that are open"),
    Setting(
        "users_max", \.limits.usersMax, range: 1...100_000_000,
        "people and bots"),
    Setting(
        "person_ops_per_second", \.limits.personOpsPerSecond, range: 0...1_000_000,
        "a person's operations without cseq; 0 is no limit"),
    Setting(
        "person_ops_burst", \.limits.personOpsBurst, range: 1...10_000_000,
        "as many of them at once"),
    Setting(
        "person_session_ops_per_second", \.limits.personSessionOpsPerSecond, range: 0...1_000_000,
        "a person's operations with cseq; 0 is no limit"),
    Setting(
        "person_session_ops_burst", \.limits.personSessionOpsBurst, range: 1...10_000_000,
        "as many of them at once"),
    Setting(
        "bot_ops_per_second", \.limits.botOpsPerSecond, range: 0...1_000_000,
        "a bot's operations; 0 is no limit"),
    Setting(
        "bot_ops_burst", \.limits.botOpsBurst, range: 0...10_000_000,
        "as many of them at once; needed with bot_ops_per_second"),
]

private let outgoingSettings: [Setting] = [
    Setting(
        "answer_bytes_max", \.limits.answerBytesMax, range: (16 << 10)...(64 << 20),
        "answers that wait for one connection"),
    Setting(
        "read_rows_max", \.limits.readRowsMax, range: 1...200_000,
        "rows of one answer to read"),
    Setting(
        "user_names_max", \.limits.userNamesMax, range: 1...100_000,
        "names that one answer to users tells"),
    Setting(
        "read_bytes_max", \.limits.readBytesMax, range: (4 << 10)...(4 << 20),
        "about the bytes of one such answer"),
    Setting(
        "chunk_rows_max", \.limits.chunkRowsMax, range: 1...65_536,
        "rows of one piece of a snapshot"),
    Setting(
        "chunk_bytes_max", \.limits.chunkBytesMax, range: (4 << 10)...(4 << 20),
        "about the bytes of one such piece"),
    Setting(
        "snapshot_copies_max", \.limits.snapshotCopiesMax, range: 1...64,
        "copies of one table that snapshots are read from"),
    Setting(
        "snapshot_seconds", \.limits.snapshotSeconds, range: 1...86_400,
        "sending one snapshot"),
    Setting(
        "tail_bytes_min", \.limits.tailBytesMin, range: 0...(1 << 30),
        "a gap up to this is sent as records, not as a snapshot"),
    Setting(
        "slow_consumer_seconds", \.limits.slowConsumerSeconds, range: 1...3_600,
        "nothing read by a client"),
    Setting(
        "leave_seconds", \.limits.leaveSeconds, range: 1...600,
        "fetching a bye"),
    Setting(
        "ring_bytes", \.limits.ringBytes, range: (64 << 10)...(1 << 30),
        "records of one table that are kept ready to send"),
    Setting(
        "ring_bytes_total_max", \.limits.ringBytesTotalMax, range: (64 << 10)...(64 << 30),
        "the same of all tables"),
    Setting(
        "ring_segment_bytes", \.limits.ringSegmentBytes, range: (4 << 10)...(4 << 20),
        "one piece of them in memory"),
    Setting(
        "catch_up_bytes", \.limits.catchUpBytes, range: (4 << 10)...(16 << 20),
        "one piece read from the log for a follower that is behind"),
    Setting(
        "catch_ups_max", \.limits.catchUpsMax, range: 1...10_000,
        "followers that hold such a piece at one time"),
    Setting(
        "catch_up_idle_seconds", \.limits.catchUpIdleSeconds, range: 1...600,
        "how long one may lie untouched while others wait"),
]

private let timingSettings: [Setting] = [
    Setting(
        "presence_per_second", \.limits.presencePerSecond, range: 1...100,
        "lists of who is here, a second"),
    Setting(
        "presence_bytes_per_second_max", \.limits.presenceBytesPerSecondMax,
        range: (1 << 10)...(1 << 30),
        "the same in bytes to all followers of a table"),
    Setting(
        "presence_entries_max", \.limits.presenceEntriesMax, range: 1...10_000,
        "people and bots in one such list"),
    Setting(
        "heartbeat_seconds", \.limits.heartbeatSeconds, range: 1...30,
        "how often the server says something"),
    Setting(
        "presence_timeout_seconds", \.limits.presenceTimeoutSeconds, range: 5...3_600,
        "after how long in silence a client is no longer shown"),
    Setting(
        "sweep_seconds", \.limits.sweepSeconds, range: 1...60,
        "how exact deadlines and heartbeats are"),
    Setting(
        "stop_seconds", \.limits.stopSeconds, range: 1...600,
        "how long an orderly stop may take, but for the sockets' last second"),
    Setting(
        "retry_seconds_max", \.limits.retrySecondsMax, range: 1...3_600,
        "over how long clients that are told to come back are spread"),
    Setting(
        "session_days", \.limits.sessionDays, range: 1...3_650,
        "a session without a connection ends"),
    Setting(
        "session_grace_seconds", \.limits.sessionGraceSeconds, range: 0...604_800,
        "no session ends earlier after a start"),
]

private let writingSettings: [Setting] = [
    Setting(
        "turn_ops_max", \.limits.turnOpsMax, range: 1...1_000_000,
        "operations of one turn"),
    Setting(
        "turn_bytes_max", \.limits.turnBytesMax, range: (64 << 10)...(256 << 20),
        "the same in bytes"),
    Setting(
        "turn_parts_max", \.limits.turnPartsMax, range: 1...1_000_000,
        "rows and cells that the operations of one turn name"),
    Setting(
        "past_bytes_per_turn", \.limits.pastBytesPerTurn, range: (4 << 10)...(64 << 20),
        "bytes of records replayed for the past in one turn"),
    Setting(
        "past_jobs_max", \.limits.pastJobsMax, range: 1...64,
        "requests for the past that are worked on at one time"),
    Setting(
        "pasts_held_max", \.limits.pastsHeldMax, range: 1...64,
        "tables as they were that are kept for their readers"),
    Setting(
        "past_idle_seconds", \.limits.pastIdleSeconds, range: 1...86_400,
        "how long such a table is kept that nobody reads"),
    Setting(
        "history_entries_max", \.limits.historyEntriesMax, range: 1...10_000,
        "records of one answer to history"),
    Setting(
        "history_parts_max", \.limits.historyPartsMax, range: 1...10_000,
        "cells, rows and columns that each of them lists"),
    Setting(
        "history_bytes_max", \.limits.historyBytesMax, range: (4 << 10)...(4 << 20),
        "bytes of one such answer, about"),
    Setting(
        "hash_bytes_per_turn", \.limits.hashBytesPerTurn, range: (4 << 10)...(64 << 20),
        "bytes of content hashes made in one turn"),
    Setting(
        "lines_per_turn_part", \.limits.linesPerTurnPart, range: 1...65_536,
        "lines of one connection before it is another's turn"),
    Setting(
        "pending_bytes_max", \.limits.pendingBytesMax, range: (64 << 10)...(1 << 30),
        "what may wait for the append under way"),
    Setting(
        "gather_microseconds_max", \.limits.gatherMicrosecondsMax, range: 0...100_000,
        "how long a batch waits for those who were just answered"),
    Setting(
        "gathered_bytes_max", \.limits.gatheredBytesMax, range: 0...(16 << 20),
        "a batch of this size does not wait"),
    Setting(
        "flush_microseconds_per_follower", \.limits.flushMicrosecondsPerFollower, range: 0...10_000,
        "what a follower adds to the time between two flushes"),
    Setting(
        "flush_microseconds_max", \.limits.flushMicrosecondsMax, range: 0...1_000_000,
        "the most of it"),
    Setting(
        "log_batch_bytes", \.limits.logBatchBytes, range: (4 << 10)...(16 << 20),
        "one batch of a log"),
]

private let socketsSettings: [Setting] = [
    Setting(
        "backlog", \.listenerLimits.backlog, range: 1...65_535,
        "connections that the kernel holds until they are accepted"),
    Setting(
        "accepts_per_turn_max", \.listenerLimits.acceptsPerTurnMax, range: 1...10_000,
        "connections accepted in one turn"),
    Setting(
        "handshakes_max", \.listenerLimits.handshakesMax, range: 1...65_536,
        "handshakes in progress"),
    Setting(
        "handshake_milliseconds", \.listenerLimits.handshakeMilliseconds, range: 100...600_000,
        "from accept to the end of the handshake"),
    Setting(
        "first_byte_milliseconds", \.listenerLimits.firstByteMilliseconds, range: 100...600_000,
        "from accept to the first byte"),
    Setting(
        "silence_milliseconds", \.listenerLimits.silenceMilliseconds, range: 1...600_000,
        "when a silent connection may have to make room"),
    Setting(
        "stalled_milliseconds", \.listenerLimits.stalledMilliseconds, range: 1...600_000,
        "when a handshake that does not go on may have to make room"),
    Setting(
        "rest_milliseconds", \.listenerLimits.restMilliseconds, range: 1...60_000,
        "how long accepting rests once descriptors are used up"),
    Setting(
        "unsent_bytes_max", \.listenerLimits.unsentBytesMax, range: (4 << 10)...(16 << 20),
        "bytes that the kernel takes for one connection and has not sent"),
    Setting(
        "send_buffer_bytes", \.listenerLimits.sendBufferBytes, range: (16 << 10)...(64 << 20),
        "bytes that the kernel holds for one connection"),
]
