// The contract of a log: what a store must do, and nothing of how. The twin in memory is in
// MemoryLogStore.swift; the acceptance suite that every store passes is Tests/StoreTests.
package import TableModel

/// One log in a store; 0 is the server's own (users, invites, tables), the others are tables'.
package typealias LogID = Int64

/// What one turn adds to one log: encoded lines that the store does not look into.
package struct LogBatch: Hashable, Sendable {
    /// The log that it belongs to: 0 is the server's own.
    package var log: LogID
    /// The numbers of the first and last record in `bytes`; `last == first - 1` where there are
    /// only lines without a number (refusals, sessions).
    package var first: SequenceNumber
    /// The number of its last record; `first` - 1 where it has none.
    package var last: SequenceNumber
    /// Whole lines, each with its `\n`.
    package var bytes: [UInt8]

    /// Makes a batch.
    package init(log: LogID, first: SequenceNumber, last: SequenceNumber, bytes: [UInt8]) {
        self.log = log
        self.first = first
        self.last = last
        self.bytes = bytes
    }
}

/// Why a store could not do what was asked.
package struct LogStoreError: Error, Hashable, Sendable {
    /// The kinds a caller treats differently.
    package enum Kind: String, Hashable, Sendable {
        /// Another server has the folder.
        case inUse
        /// No space; nothing was stored.
        case full
        /// The outcome is unknown or the medium failed: stop writing.
        case failed
        /// What was read is damaged.
        case damaged
        /// The file is of a newer format.
        case unknownFormat
    }

    /// What the caller can do about it.
    package let kind: Kind
    /// What happened, to which file or log, and what to do next.
    package let reason: String

    /// Names what happened.
    package init(kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

/// An append-only log of batches for many tables.
///
/// Calls block; a store lives on its own thread.
package protocol LogStore {
    /// Stores all batches in one transaction; durable when it returns.
    ///
    /// On an error nothing of it is visible after a restart, unless the kind is `failed`: then all
    /// or nothing is.
    ///
    /// Each batch's `first` must be one more than the log's last record.
    mutating func append(_ batches: [LogBatch]) throws(LogStoreError)

    /// The logs that hold at least one batch, in order of id, with the last record's number.
    func logs() throws(LogStoreError) -> [(log: LogID, last: SequenceNumber)]

    /// Batches of a log in order, starting with the one that holds record `after + 1`, until
    /// `byteCountMax` bytes are exceeded (at least one batch where there is one).
    func read(
        _ log: LogID, after: SequenceNumber, byteCountMax: Int
    ) throws(LogStoreError) -> [LogBatch]

    /// Visits every batch of a log from the beginning, also those without a record.
    func forEachBatch(
        _ log: LogID, _ body: (LogBatch) throws(LogStoreError) -> Void
    ) throws(LogStoreError)

    /// Ends the use of the store; checkpoints where it can.
    mutating func close()
}
