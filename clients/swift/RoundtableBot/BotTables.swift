// The tables of a server: listed, made, opened, copied and watched. How anything is asked is in
// Bot.swift; what can be done to an open one in Shared.swift.
import TableModel
import TableValue
import TableWire

extension Bot {
    /// The tables that there are, or those that were dropped and can be restored.
    public func tables(dropped: Bool = false) async throws -> [TableInfo] {
        let message: ClientMessage = dropped ? .droppedTables : .tables
        guard case .tables(let tables) = try await ask(message) else { throw Self.unexpected }
        return tables.map {
            TableInfo(
                id: $0.table.description, name: $0.name.string, rows: $0.rowCount,
                columns: $0.columnCount, sequence: $0.sequence)
        }
    }

    /// Makes a table with columns of types, in that order; returns its id.
    ///
    /// Errors: `requestFailed` with `table_exists`; `inDoubt` where the connection breaks first.
    @discardableResult
    public func create(
        _ name: String, columns: KeyValuePairs<String, String>
    ) async throws -> String {
        var made: [NewColumn] = []
        for (column, type) in columns {
            made.append(NewColumn(name: Text(column), type: try columnType(type)))
        }
        let message = ClientMessage.create(name: Text(name), columns: made)
        guard case .created(let id, _) = try await ask(message, mayRepeat: false) else {
            throw Self.unexpected
        }
        return id.description
    }

    /// Gives a table another name; returns the one it has then.
    @discardableResult
    public func rename(
        _ table: String, to name: String, suffix: Bool = false
    ) async throws -> String {
        let message = ClientMessage.renameTable(
            reference(table: table), name: Text(name), onClash: suffix ? .suffix : .reject)
        guard case .renamed(_, let name) = try await ask(message) else { throw Self.unexpected }
        return name.string
    }

    /// Drops a table; returns its id, by which `restore` brings it back.
    @discardableResult
    public func drop(_ table: String) async throws -> String {
        let message = ClientMessage.dropTable(reference(table: table))
        guard case .dropped(let id) = try await ask(message, mayRepeat: false) else {
            throw Self.unexpected
        }
        return id.description
    }

    /// Brings a dropped table back, by id or the last dropped of a name; returns its name.
    @discardableResult
    public func restore(_ table: String, suffix: Bool = false) async throws -> String {
        let message = ClientMessage.restoreTable(
            reference(table: table), onClash: suffix ? .suffix : .reject)
        guard case .restored(_, let name) = try await ask(message, mayRepeat: false) else {
            throw Self.unexpected
        }
        return name.string
    }

    /// Opens a table by name or id, and waits until a copy of it is here that follows.
    ///
    /// Without `follow` there is no copy, only edits. Errors: `requestFailed`.
    public func open(
        _ table: String, write: Bool = true, follow: Bool = true
    ) async throws -> SharedTable {
        var request = OpenRequest(table: reference(table: table))
        request.write = write
        request.follow = follow
        let wanted = request
        let opened = try await loop.wait { core, promise in core.open(wanted, promise) }
        return SharedTable(opened, self)
    }

    /// A table as of one number, without keeping it open.
    public func snapshot(of table: String) async throws -> Snapshot {
        let other = try Bot(login, loop.timeoutSeconds)
        defer { other.close() }
        return try await other.open(table, write: false).snapshot()
    }

    /// The records of a table: behind the place of a cursor or `after`, else from now on.
    ///
    /// It has a connection of its own and keeps no copy. A watch that is slow makes the server
    /// wait, and goes on where it stood. Values are as the wire has them: a date is a text.
    ///
    /// - Parameters:
    ///   - table: by name or id.
    ///   - after: the last place that was dealt with; a cursor that has a place wins.
    ///   - cursor: where to begin, and where to keep how far the watch has come.
    ///   - quietSeconds: ends the watch when nothing came for so long; nil for never.
    /// - Returns: the records from the next number on.
    /// - Throws: `BotError`: `sessionLost` with `lineage_changed` where the history is another.
    public func watch(
        _ table: String, after: Position? = nil, cursor: Cursor? = nil,
        quietSeconds: Double? = nil
    ) async throws -> Watch {
        var request = OpenRequest(table: reference(table: table))
        request.write = false
        request.start = .head
        if let place = try cursor?.load() ?? after {
            request.have = OpenRequest.Held(
                lineage: Text(place.lineage), sequence: place.sequence)
        }
        let wanted = request
        let other = try BotLoop(login, timeoutSeconds: loop.timeoutSeconds)
        let buffer = WatchBuffer(isAlone: true)
        let opened = try await other.wait { core, promise in
            core.open(wanted, watcher: buffer, promise)
        }
        if let cursor, wanted.have == nil {
            // From here on nothing is left out, even where the bot ends before the first record.
            try cursor.save(
                Position(lineage: opened.lineage.string, sequence: opened.sequence))
        }
        return Watch(WatchHandle(other, buffer), cursor: cursor, quietSeconds: quietSeconds)
    }
}
