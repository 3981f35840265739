// The log in one SQLite file: one row a turn and log, one transaction and one fsync a turn.
// One connection writes and checkpoints, and keeps every other process out.
import CSQLite
package import TableLog
package import TableModel

/// A log store in one file.
///
/// Owned by one thread; every call blocks.
///
/// What an acknowledgement rests on: write-ahead logging with `synchronous=FULL`, so a commit
/// returns after its frames were flushed. `locking_mode=EXCLUSIVE` keeps out every other
/// connection, which also keeps clear of the fault by which, before SQLite 3.51.3, a checkpoint
/// racing with another connection's commit could lose it.
package final class SQLiteStore: LogStore {
    /// The version of the file's layout, kept in `user_version`.
    private static let formatVersion: Int64 = 1
    private static let pageBytes = 8_192
    /// Pages of write-ahead log after which it is copied into the database.
    private static let checkpointPages = 1_024
    /// The write-ahead log's file has room for as many from the beginning, each with its header
    /// of 24 bytes, and for those of one more turn.
    private static let reservedLogBytes = Int64(checkpointPages + 64) * Int64(pageBytes + 24) + 32

    private let database: SQLiteDatabase
    private let insert: SQLiteStatement
    private let select: SQLiteStatement
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let rollback: SQLiteStatement
    private var lastOfLog: [LogID: SequenceNumber] = [:]

    /// Opens or makes the file.
    ///
    /// - Parameter path: the file; its folder must be there.
    /// - Throws: `inUse` where another process has it, `unknownFormat` where a newer program
    ///   wrote it, `damaged` where it is no such file.
    package init(path: String) throws(LogStoreError) {
        database = try SQLiteDatabase(path: path)
        try SQLiteStore.prepare(database)
        insert = try database.prepare(
            "INSERT INTO batch (log, first, last, checksum, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")
        select = try database.prepare(
            """
            SELECT first, last, checksum, bytes FROM batch
            WHERE log = ?1 AND last >= ?2 ORDER BY last, position
            """)
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
        rollback = try database.prepare("ROLLBACK")
        for (log, last) in try logs() {
            lastOfLog[log] = last
        }
    }

    /// The version of SQLite that is linked, and whether the write-ahead log's fault is in it.
    package static var libraryVersion: (text: String, hasResetFault: Bool) {
        let text = unsafe String(cString: sqlite3_libversion())
        return (text, hasResetFault(Int(sqlite3_libversion_number())))
    }

    /// Whether a version, as SQLite numbers it (3040001 is 3.40.1), has the fault by which a
    /// write-ahead log that is reset while another connection commits can lose that commit:
    /// 3.7.0 to 3.51.2, mended also in 3.44.6 and 3.50.7.
    package static func hasResetFault(_ number: Int) -> Bool {
        let isMended =
            number >= 3_051_003 || (3_044_006..<3_045_000).contains(number)
            || (3_050_007..<3_051_000).contains(number)
        return number >= 3_007_000 && !isMended
    }

    private static func prepare(_ database: SQLiteDatabase) throws(LogStoreError) {
        try database.execute("PRAGMA locking_mode=EXCLUSIVE")
        // Only an empty file takes the page size; larger pages hold more of a turn each.
        try database.execute("PRAGMA page_size=\(pageBytes)")
        try database.execute("PRAGMA journal_mode=WAL")
        try database.execute("PRAGMA synchronous=FULL")
        // What is written is hardly ever read again, so a few warm pages are better than many.
        try database.execute("PRAGMA cache_size=-2048")
        let version = try database.number("PRAGMA user_version")
        guard version <= formatVersion else {
            throw LogStoreError(
                kind: .unknownFormat,
                reason: "\(database.path) has format \(version), this program knows "
                    + "\(formatVersion); run the newer program that wrote it")
        }
        try database.execute(
            """
            BEGIN EXCLUSIVE;
            CREATE TABLE IF NOT EXISTS batch (
                position INTEGER PRIMARY KEY, log INTEGER NOT NULL, first INTEGER NOT NULL,
                last INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
            CREATE UNIQUE INDEX IF NOT EXISTS batch_by_log ON batch (log, last, position);
            PRAGMA user_version=\(formatVersion);
            COMMIT;
            """)
    }

    /// Stores batches; see `LogStore.append`.
    package func append(_ batches: [LogBatch]) throws(LogStoreError) {
        var last = lastOfLog
        for batch in batches {
            try checkOrder(of: batch, after: last[batch.log] ?? 0)
            last[batch.log] = batch.last
        }
        database.reserveLog(byteCount: SQLiteStore.reservedLogBytes)
        try run(begin)
        do throws(LogStoreError) {
            for batch in batches { try store(batch) }
            try run(commit)
        } catch {
            rollback.reset()
            _ = try? rollback.step()
            rollback.reset()
            throw error
        }
        lastOfLog = last
        try checkpointIfLong()
    }

    private func store(_ batch: LogBatch) throws(LogStoreError) {
        try insert.bind(batch.log, at: 1)
        try insert.bind(batch.first, at: 2)
        try insert.bind(batch.last, at: 3)
        try insert.bind(checksum(of: batch), at: 4)
        try insert.run(binding: batch.bytes, at: 5)
    }

    private func run(_ statement: SQLiteStatement) throws(LogStoreError) {
        defer { statement.reset() }
        _ = try statement.step()
    }

    /// Copies the write-ahead log into the database when it is long, so that it is written over
    /// from its start instead of growing.
    ///
    /// A failure here loses nothing: the log still has all. Where the disk is full, the next
    /// commit says so; any other failure says that the medium fails, and is never tried again.
    private func checkpointIfLong() throws(LogStoreError) {
        guard database.logPageCount > SQLiteStore.checkpointPages else { return }
        do throws(LogStoreError) {
            try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        } catch {
            // The batch itself is stored, so no other kind than `failed` would be true.
            guard error.kind != .full else { return }
            throw LogStoreError(kind: .failed, reason: error.reason)
        }
    }

    /// The logs that hold something; see `LogStore.logs`.
    package func logs() throws(LogStoreError) -> [(log: LogID, last: SequenceNumber)] {
        let statement = try database.prepare(
            "SELECT log, max(last) FROM batch GROUP BY log ORDER BY log")
        var found: [(log: LogID, last: SequenceNumber)] = []
        while try statement.step() {
            found.append((statement.int64(0), statement.int64(1)))
        }
        return found
    }

    /// Batches after a record; see `LogStore.read`.
    package func read(
        _ log: LogID, after: SequenceNumber, byteCountMax: Int
    ) throws(LogStoreError) -> [LogBatch] {
        var found: [LogBatch] = []
        var byteCount = 0
        try forEach(log, lastAtLeast: after + 1) { batch throws(LogStoreError) in
            found.append(batch)
            byteCount += batch.bytes.count
            return byteCount < byteCountMax
        }
        return found
    }

    /// Visits every batch of a log; see `LogStore.forEachBatch`.
    package func forEachBatch(
        _ log: LogID, _ body: (LogBatch) throws(LogStoreError) -> Void
    ) throws(LogStoreError) {
        try forEach(log, lastAtLeast: 0) { batch throws(LogStoreError) in
            try body(batch)
            return true
        }
    }

    private func forEach(
        _ log: LogID, lastAtLeast last: SequenceNumber,
        _ body: (LogBatch) throws(LogStoreError) -> Bool
    ) throws(LogStoreError) {
        defer { select.reset() }
        try select.bind(log, at: 1)
        try select.bind(last, at: 2)
        while try select.step() {
            let batch = LogBatch(
                log: log, first: select.int64(0), last: select.int64(1), bytes: select.bytes(3))
            guard checksum(of: batch) == select.int64(2) else {
                throw LogStoreError(
                    kind: .damaged,
                    reason: "\(database.path): log \(log), records \(batch.first) to "
                        + "\(batch.last) are damaged; restore a backup")
            }
            guard try body(batch) else { return }
        }
    }

    private func checksum(of batch: LogBatch) -> Int64 {
        var seed = UInt64(bitPattern: batch.log)
        for number in [batch.first, batch.last] {
            seed = seed &* 0x1000_0000_01B3 ^ UInt64(bitPattern: number)
        }
        return unsafe Int64(bitPattern: checksum64(batch.bytes.span.bytes, seed: seed))
    }

    /// Ends the use of the store; see `LogStore.close`.
    package func close() {
        try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
