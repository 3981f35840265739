// One SQLite connection and its statements, as thin as can be: C's names, typed errors.
// It knows nothing of logs; SQLiteStore.swift does.
import CSQLite
import TableLog

/// One open database file.
///
/// Confined to the thread that uses it; safe because the handle is private, opened in `init` and
/// closed in `deinit`.
@safe final class SQLiteDatabase {
    private let handle: OpaquePointer
    /// Where SQLite's hook notes how long the write-ahead log is.
    private let logLength: UnsafeMutablePointer<CInt>
    /// So long is the write-ahead log's file at least.
    private var logBytesReserved: Int64 = 0
    let path: String

    /// Opens or creates a file, for this process alone.
    ///
    /// The corresponding C function is `sqlite3_open_v2`.
    init(path: String) throws(LogStoreError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SQLiteDatabase.error(code, path: path, message: "cannot be opened")
        }
        unsafe self.handle = unsafe handle
        self.path = path
        unsafe logLength = .allocate(capacity: 1)
        unsafe logLength.initialize(to: 0)
        unsafe sqlite3_extended_result_codes(handle, 1)
        // The hook takes the place of SQLite's own, which would checkpoint by itself.
        unsafe sqlite3_wal_hook(
            handle,
            { place, _, _, pages in
                unsafe place?.assumingMemoryBound(to: CInt.self).pointee = pages
                return SQLITE_OK
            }, logLength)
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
        unsafe logLength.deallocate()
    }

    /// How many pages the write-ahead log held after the last commit; 0 before the first.
    var logPageCount: Int { Int(unsafe logLength.pointee) }

    /// Makes the write-ahead log's file so long that a commit need not lengthen it: a flush of a
    /// file that has grown costs the system twice one that has not.
    ///
    /// What is added are zeros behind everything that SQLite has written, which it takes for the
    /// end of the log. Nothing is lost where this fails: the next commit says what is wrong.
    ///
    /// The corresponding C function is `sqlite3_file_control`, which lends SQLite's own file.
    func reserveLog(byteCount: Int64) {
        guard byteCount > logBytesReserved, logPageCount > 0 else { return }
        logBytesReserved = byteCount
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe withUnsafeMutablePointer(to: &file) { place in
            unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, place)
        }
        guard code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods
        else { return }
        var size: sqlite3_int64 = 0
        guard unsafe methods.pointee.xFileSize?(file, &size) == SQLITE_OK else { return }
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        while size < byteCount {
            let count = min(Int64(zeros.count), byteCount - size)
            let written = unsafe zeros.withUnsafeBytes { bytes in
                unsafe methods.pointee.xWrite?(file, bytes.baseAddress, CInt(count), size)
            }
            guard written == SQLITE_OK else { return }
            size += count
        }
    }

    /// Runs statements that answer nothing.
    ///
    /// The corresponding C function is `sqlite3_exec`.
    func execute(_ sql: String) throws(LogStoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// The first column of the first row, as a number; 0 where there is no row.
    func number(_ sql: String) throws(LogStoreError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.int64(0) : 0
    }

    /// Compiles a statement.
    ///
    /// The corresponding C function is `sqlite3_prepare_v3`.
    func prepare(_ sql: String) throws(LogStoreError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code) }
        return unsafe SQLiteStatement(statement, of: self)
    }

    /// The database's own account of what went wrong last.
    func error(_ code: CInt) -> LogStoreError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return SQLiteDatabase.error(code, path: path, message: message)
    }

    private static func error(_ code: CInt, path: String, message: String) -> LogStoreError {
        let primary = code & 0xFF
        let text = "\(path): \(message) (SQLite \(code))"
        return switch primary {
        case SQLITE_BUSY, SQLITE_LOCKED:
            LogStoreError(
                kind: .inUse,
                reason: "\(path) is in use by another process; stop it or choose another --data")
        case SQLITE_FULL:
            LogStoreError(kind: .full, reason: text + "; free some space")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            LogStoreError(kind: .damaged, reason: text + "; restore a backup")
        default:
            LogStoreError(kind: .failed, reason: text)
        }
    }
}

/// One compiled statement.
///
/// It keeps its database open; safe because the handle is private and finalized in `deinit`, before
/// the database it keeps.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: SQLiteDatabase

    fileprivate init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
        unsafe self.handle = unsafe handle
        self.database = database
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Binds a number to the parameter of that index, from 1.
    func bind(_ value: Int64, at index: CInt) throws(LogStoreError) {
        let code = unsafe sqlite3_bind_int64(handle, index, value)
        guard code == SQLITE_OK else { throw database.error(code) }
    }

    /// Binds bytes and runs the statement to its end, then forgets them.
    func run(binding bytes: [UInt8], at index: CInt) throws(LogStoreError) {
        let code = unsafe bytes.withUnsafeBytes { buffer -> CInt in
            let bound = unsafe shim_sqlite3_bind_blob_static(
                handle, index, buffer.baseAddress, UInt64(buffer.count))
            guard bound == SQLITE_OK else { return bound }
            let stepped = unsafe sqlite3_step(handle)
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
            return stepped
        }
        guard code == SQLITE_DONE else { throw database.error(code) }
    }

    /// Goes to the next row; false where there is none.
    func step() throws(LogStoreError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.error(code)
        }
    }

    /// Makes the statement ready to run again.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    /// The number in a column, from 0, of the current row.
    func int64(_ column: CInt) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    /// The bytes in a column, from 0, of the current row.
    func bytes(_ column: CInt) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
