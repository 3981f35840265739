// An open table as a bot's author sees it: read, edit, watch. Each call runs on the bot's thread;
// the replica there shows what is confirmed. How edits are put together is in Edits.swift;
// those that are one call each are in SharedEdits.swift.
import Synchronization
import TableClient
import TableModel
import TableValue
import TableWire

/// An operation on its way; it never changes once it has its number.
public final class Operation: Sendable {
    private struct State {
        var result: Result<Outcome, BotError>?
        var promises: [Promise<Outcome>] = []
    }

    /// Its number in the session.
    public let number: Int64
    private let state = Mutex(State())

    init(number: Int64) {
        self.number = number
    }

    func settle(_ result: Result<Outcome, BotError>) {
        let promises = state.withLock { state in
            state.result = state.result ?? result
            defer { state.promises = [] }
            return state.promises
        }
        for promise in promises { tell(promise, result) }
    }

    func await(_ promise: Promise<Outcome>) {
        let result = state.withLock { state in
            if state.result == nil { state.promises.append(promise) }
            return state.result
        }
        if let result { tell(promise, result) }
    }

    private func tell(_ promise: Promise<Outcome>, _ result: Result<Outcome, BotError>) {
        switch result {
        case .success(let outcome) where outcome.isRejected:
            promise.fail(BotError(rejected: outcome))
        case .success(let outcome): promise.succeed(outcome)
        case .failure(let error): promise.fail(error)
        }
    }
}

/// A table that a bot has open; made by `Bot.open`.
///
/// It stays open for as long as the bot is.
public struct SharedTable: Sendable {
    /// The table's id, such as `t3`.
    public let id: String
    /// The name that it had when it was opened.
    public let name: String
    /// What this bot is here, such as an `editor`.
    public let role: String
    /// The history that the table's numbers belong to.
    public let lineage: String
    /// The session, such as `s12`; nil where the bot may not write.
    public let session: String?
    let bot: Bot
    let table: TableID

    init(_ opened: Opened, _ bot: Bot) {
        id = opened.table.description
        name = opened.name.string
        role = opened.role.string
        lineage = opened.lineage.string
        session = opened.writer?.session.description
        table = opened.table
        self.bot = bot
    }

    private var loop: BotLoop { bot.loop }

    // MARK: Reading

    /// The table as it is here now, to be read at leisure.
    ///
    /// Errors: `requestFailed` where the table is not followed.
    public func snapshot() async throws -> Snapshot {
        try await loop.wait { core, promise in
            guard let held = core.tables[table], let copy = core.replica(of: table) else {
                let failure = core.tables[table]?.failure
                return promise.fail(
                    failure
                        ?? BotError(
                            .requestFailed, "not_open",
                            "the table is not followed, so there is nothing to read here"))
            }
            promise.succeed(Snapshot(copy, lineage: held.opened?.lineage.string ?? lineage))
        }
    }

    /// The columns in order.
    public func columns() async throws -> [Column] { try await snapshot().columns }

    /// How many rows there are.
    public func count() async throws -> Int { try await snapshot().count }

    /// One cell, by row and by the column's name or id; nil where there is none.
    public func cell(_ row: RowID, _ column: String) async throws -> Value? {
        try await snapshot().cell(row, column)
    }

    /// The first row that holds the value in the column.
    ///
    /// Complexity: linear in the rows.
    public func first(where column: String, is value: Value) async throws -> Row? {
        try await snapshot().first(where: column, is: value)
    }

    /// A cell and the number of the record that wrote it, from the server: for `requireVersion`.
    public func version(_ row: RowID, _ column: String) async throws -> (Value, Int64) {
        let page = try await bot.read(id, rows: [row], columns: [column])
        guard let value = page.cells.first?.first, let version = page.versions.first?.first else {
            throw BotError(.requestFailed, "unknown_row", "there is no such row")
        }
        return (value, version)
    }

    /// Waits until the record of a number has come.
    public func wait(forSequence sequence: Int64) async throws {
        _ = try await loop.wait { (core, promise: Promise<Bool>) in
            guard let held = core.tables[table] else { return promise.fail(BotError.closed) }
            if let failure = held.failure { return promise.fail(failure) }
            if held.sequence >= sequence { return promise.succeed(true) }
            held.arrivals.append((sequence, promise))
        }
    }

    /// Compares the copy here with the server at the same number; returns the hash.
    ///
    /// Errors: `requestFailed` with `internal_error` where they differ.
    public func verify() async throws -> String {
        for _ in 0..<100 {
            let (sequence, expected) = try await bot.hash(of: id)
            try await wait(forSequence: sequence)
            let copy = try await snapshot()
            guard copy.sequence == sequence else { continue }
            guard copy.contentHash() == expected else {
                throw BotError(
                    .requestFailed, "internal_error", "the copy differs at \(sequence)")
            }
            return expected
        }
        throw BotError(
            .outOfTime, "slow_consumer", "the table changed faster than it was compared")
    }

    // MARK: Editing

    /// Sends an operation and waits for its outcome.
    ///
    /// Errors: `rejected`, `preconditionFailed`, `sessionLost`, `inDoubt`; `outOfTime` and
    /// `unreachable` leave it on its way.
    @discardableResult
    public func commit(_ edits: Edits, mode: Edits.Mode = .strict) async throws -> Outcome {
        try await wait(for: submit(edits, mode: mode))
    }

    /// Puts edits together and sends them as one operation.
    @discardableResult
    public func commit(
        mode: Edits.Mode = .strict, _ make: (inout Edits) throws -> Void
    ) async throws -> Outcome {
        var edits = Edits()
        try make(&edits)
        return try await commit(edits, mode: mode)
    }

    /// Gives an operation to be sent, and does not wait for its outcome; many may be on their way.
    public func submit(_ edits: Edits, mode: Edits.Mode = .strict) async throws -> Operation {
        let op = edits.op(mode: mode)
        return try await loop.wait { core, promise in
            switch core.submit(op, to: table) {
            case .success(let operation): promise.succeed(operation)
            case .failure(let error): promise.fail(error)
            }
        }
    }

    /// Waits for what becomes of an operation.
    @discardableResult
    public func wait(for operation: Operation) async throws -> Outcome {
        try await loop.wait { _, promise in operation.await(promise) }
    }

    /// New ids of rows for `Edits.insert`; never given again.
    public func newRows(_ count: Int) async throws -> [RowID] {
        try await loop.wait { core, promise in
            core.say { client, _, _ in
                let rows = client.makeRowIDs(count, in: table).map { RowID($0) }
                if rows.count == count { return promise.succeed(rows) }
                promise.fail(
                    BotError(
                        .requestFailed, "no_session", "no ids can be made without a session"))
            }
        }
    }
}

// MARK: Following

extension SharedTable {
    /// The records from now on, each after it was applied to the copy here.
    ///
    /// A watch that falls 100,000 records behind ends with an error; `Bot.watch` can be slower.
    public func watch(quietSeconds: Double? = nil) async throws -> Watch {
        let buffer = WatchBuffer(isAlone: false)
        try await bot.loop.wait { (core, promise: Promise<Void>) in
            guard let held = core.tables[table] else { return promise.fail(BotError.closed) }
            if let failure = held.failure { return promise.fail(failure) }
            held.watchers.append(buffer)
            promise.succeed(())
        }
        return Watch(
            WatchHandle(bot.loop, buffer), cursor: nil, quietSeconds: quietSeconds)
    }

    /// Shows others where this bot is at work, and whether it is about to write there.
    public func showCursor(_ row: RowID?, _ column: String?, isEditing: Bool = false) async throws {
        let columns = try await columns()
        let id = columns.first { $0.id == column || $0.name == column }?.held.id
        let table = table
        bot.loop.post { core in
            core.say { client, now, actions in
                client.moveCursor(
                    in: table, row: row?.held, column: id, isEditing: isEditing, at: now,
                    into: &actions)
            }
        }
    }

    /// Who is here now.
    public func who() async throws -> [Visitor] { try await bot.who(at: id) }
}

/// Somebody who has a table open.
public struct Visitor: Hashable, Sendable {
    /// The user's id, such as `u2`.
    public let user: String
    /// What she is called.
    public let name: String
    /// The row where her cursor is.
    public let row: RowID?
    /// The id of the column where her cursor is.
    public let column: String?
    /// True while she edits the cell there.
    public let isEditing: Bool
}
