// What is wrong with a request or a connection: the message and its stable codes.
// What a client does about each code stands in docs/protocol.md, "Error codes".
package import TableModel

/// What is wrong with a request or a connection, as it is sent.
package struct ErrorMessage: Hashable, Sendable {
    /// What went wrong, as a stable code.
    package var code: WireCode
    /// The same in words, without any content of cells.
    package var message: String
    /// The table that it is about.
    package var table: TableID?
    /// The operation that it is about.
    package var clientNumber: ClientNumber?
    /// The byte of the line at which reading stopped.
    package var offset: Int?
    /// How long to wait before trying again.
    package var retrySeconds: Double?

    /// Makes an error.
    package init(
        _ code: WireCode, _ message: String, table: TableID? = nil,
        clientNumber: ClientNumber? = nil, offset: Int? = nil, retrySeconds: Double? = nil
    ) {
        self.code = code
        self.message = message
        self.table = table
        self.clientNumber = clientNumber
        self.offset = offset
        self.retrySeconds = retrySeconds
    }
}

/// The stable codes of `error` and `bye`; docs/protocol.md says what to do about each.
package enum WireCode: String, Hashable, Sendable, CaseIterable {
    case malformed
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case noCommonVersion = "no_common_version"
    case notAuthenticated = "not_authenticated"
    case loginFailed = "login_failed"
    case loginTimeout = "login_timeout"
    case forbidden
    case unknownTable = "unknown_table"
    case tableDeleted = "table_deleted"
    case tableExists = "table_exists"
    case tooManyTables = "too_many_tables"
    case unknownColumn = "unknown_column"
    case unknownRecord = "unknown_record"
    case badName = "bad_name"
    case badRule = "bad_rule"
    case badDisplay = "bad_display"
    case tooManySettings = "too_many_settings"
    case tooManyColumns = "too_many_columns"
    case notOpen = "not_open"
    case alreadyOpen = "already_open"
    case noSession = "no_session"
    case sequenceGap = "sequence_gap"
    case clientNumberReused = "cseq_reused"
    case sessionForked = "session_forked"
    case sessionExpired = "session_expired"
    case lineageChanged = "lineage_changed"
    case rateLimited = "rate_limited"
    case tooManyConnections = "too_many_connections"
    case slowConsumer = "slow_consumer"
    case goingAway = "going_away"
    case storageFailed = "storage_failed"
    case internalError = "internal_error"
}
