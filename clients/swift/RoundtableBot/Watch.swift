// The records of a table as an asynchronous sequence, and the cursor that says where to go on.
// Records come from the bot's thread into a buffer with a bound; nothing here asks the server.
// Next: Bot.watch (Bot.swift) and SharedTable.watch (Shared.swift).
import ClientRuntime
import Synchronization
import TableValue

/// The records of a table, one by one in the order of their numbers, without a gap.
///
///     for try await record in try await bot.watch("stock", cursor: cursor) { … }
///
/// With a cursor, a record counts as dealt with once the next one is asked for: after a crash it
/// may be given again, and none is left out.
public struct Watch: AsyncSequence {
    /// One record after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let watch: Watch
        private var last: Record?
        private var unsaved = 0

        fileprivate init(_ watch: Watch) {
            self.watch = watch
        }

        /// The next record; nil after the quiet seconds that the watch was given.
        ///
        /// Errors: `sessionLost` where the history is another one by now.
        public mutating func next() async throws -> Record? {
            let buffer = watch.handle.buffer
            if let last {
                unsaved += 1
                // Saving costs a write to the disk: not for each of many that are here already.
                if buffer.isEmpty || unsaved >= Watch.unsavedMax { try save(last) }
            }
            let record = try await buffer.next(
                on: watch.handle.loop, quietSeconds: watch.quietSeconds)
            if record == nil, unsaved > 0, let last { try save(last) }
            if record != nil { last = record }
            return record
        }

        private mutating func save(_ record: Record) throws {
            try watch.cursor?.save(record.position)
            unsaved = 0
        }
    }

    /// The most records that a crash makes come again.
    private static let unsavedMax = 256

    fileprivate let handle: WatchHandle
    private let cursor: Cursor?
    private let quietSeconds: Double?

    init(_ handle: WatchHandle, cursor: Cursor?, quietSeconds: Double?) {
        self.handle = handle
        self.cursor = cursor
        self.quietSeconds = quietSeconds
    }

    /// Begins to take records; use one iterator only.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// Ends the watch when nobody holds it any more.
final class WatchHandle: Sendable {
    let loop: BotLoop
    let buffer: WatchBuffer

    init(_ loop: BotLoop, _ buffer: WatchBuffer) {
        self.loop = loop
        self.buffer = buffer
    }

    deinit {
        buffer.end(BotError.closed)
    }
}

/// Records that have come and were not taken.
final class WatchBuffer: Sendable {
    private struct State {
        var records: [Record] = []
        var taken = 0
        var waiter: Promise<Record>?
        var failure: BotError?

        var count: Int { records.count - taken }
    }

    private let state = Mutex(State())
    /// True where the connection is this watch's alone: then nothing is read while it is full.
    private let isAlone: Bool

    private static let countMax = 100_000
    private static let countMaxAlone = 1_024

    init(isAlone: Bool) {
        self.isAlone = isAlone
    }

    var isFull: Bool { isAlone && state.withLock { $0.count >= Self.countMaxAlone } }

    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    var isOver: Bool { state.withLock { $0.failure != nil } }

    func append(_ record: Record) {
        let waiter = state.withLock { state -> Promise<Record>? in
            guard state.failure == nil else { return nil }
            if let waiter = state.waiter, !waiter.isKept {
                state.waiter = nil
                return waiter
            }
            if !isAlone, state.count >= Self.countMax {
                state.failure = BotError(
                    .sessionLost, "slow_consumer",
                    "the watch is too far behind; look at the table and begin anew")
            } else {
                state.records.append(record)
            }
            return nil
        }
        waiter?.succeed(record)
    }

    func end(_ error: BotError) {
        let waiter = state.withLock { state in
            state.failure = state.failure ?? error
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.fail(error)
    }

    /// The next record, once there is one; nil after so many quiet seconds.
    func next(on loop: BotLoop, quietSeconds: Double?) async throws -> Record? {
        let wasFull = isFull
        if let record = try take() {
            // The thread reads on once it is told.
            if wasFull { loop.post { _ in } }
            return record
        }
        do {
            return try await loop.wait(seconds: quietSeconds) { [self] _, promise in
                give(to: promise)
            }
        } catch let error as BotError where quietSeconds != nil {
            guard error.kind == .outOfTime || error.kind == .unreachable, !isOver else {
                throw error
            }
            return nil
        }
    }

    private func take() throws -> Record? {
        try state.withLock { state in
            guard state.count > 0 else {
                if let failure = state.failure { throw failure }
                return nil
            }
            let record = state.records[state.taken]
            state.taken += 1
            if state.taken == state.records.count || state.taken >= 512 {
                state.records.removeFirst(state.taken)
                state.taken = 0
            }
            return record
        }
    }

    private func give(to promise: Promise<Record>) {
        do {
            if let record = try take() { return promise.succeed(record) }
        } catch {
            return promise.fail(error)
        }
        state.withLock { $0.waiter = promise }
    }
}

/// A named place in a table's history, kept in a file, so that a bot that was killed goes on.
///
/// The file is {"lineage", "seq"}, replaced in one step; the Python library reads the same.
public struct Cursor: Sendable {
    /// Where it is kept.
    public let path: String

    /// A cursor of a name in a folder, which must be there.
    ///
    /// Errors: `invalidText` where the name cannot be one of a file.
    public init(named name: String, in folder: String) throws(BotError) {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            throw BotError(.invalidText, "bad_name", "a cursor's name is one of a file")
        }
        path = "\(folder)/\(name).cursor"
    }

    /// The place that was saved last; nil where none was.
    ///
    /// Errors: `invalidText` where the file cannot be read.
    public func load() throws(BotError) -> Position? {
        let damaged = BotError(.invalidText, "malformed", "\(path) is damaged; remove it")
        let bytes: [UInt8]?
        do {
            bytes = try LocalFiles.contents(of: path, byteCountMax: 4_096)
        } catch {
            throw BotError(.invalidText, "malformed", error.reason)
        }
        guard let bytes else { return nil }
        guard let members = try? readMembers(bytes), case .text(let lineage)? = members["lineage"],
            case .int(let sequence)? = members["seq"]
        else { throw damaged }
        return Position(lineage: lineage.string, sequence: sequence)
    }

    /// Saves a place: what came up to there is dealt with.
    public func save(_ position: Position) throws(BotError) {
        let tree = JSONTree.object([
            JSONMember(key: "lineage", value: .text(Text(position.lineage))),
            JSONMember(key: "seq", value: .int(position.sequence)),
        ])
        try replaceFile(path, with: tree)
    }

    /// Forgets the place.
    public func remove() {
        LocalFiles.remove(path)
    }
}

/// The members of a JSON object.
func readMembers(_ bytes: [UInt8]) throws -> [String: JSONTree] {
    guard case .object(let members) = try readJSONTree(bytes.span) else { return [:] }
    return Dictionary(members.map { ($0.key.string, $0.value) }) { first, _ in first }
}

/// Replaces a file that its owner alone may read.
func replaceFile(_ path: String, with tree: JSONTree) throws(BotError) {
    do {
        let text = CanonicalJSON(tree).text.string + "\n"
        try LocalFiles.replace(path, with: Array(text.utf8))
    } catch {
        throw BotError(.invalidText, "storage_failed", error.reason)
    }
}
