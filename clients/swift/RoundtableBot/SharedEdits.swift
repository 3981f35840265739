// Edits of an open table, one call each: what `commit` does with one edit, for those who want just
// that. What they mean when others act at the same time is in docs/semantics.md.
// Putting several into one operation is in Edits.swift, claims in Claim.swift.

extension SharedTable {
    /// Appends a row; returns its id.
    @discardableResult
    public func append(_ values: [String: Value]) async throws -> RowID {
        let outcome = try await commit { $0.insert([values]) }
        guard let row = outcome.rows.first else { throw BotError(rejected: outcome) }
        return row
    }

    /// Inserts rows as one block; returns their ids.
    @discardableResult
    public func insert(
        _ rows: [[String: Value]], at place: Edits.Place = .last
    ) async throws -> [RowID] {
        try await commit { $0.insert(rows, at: place) }.rows
    }

    /// Sets a cell; with `expecting` only if it still holds that.
    @discardableResult
    public func set(
        _ row: RowID, _ column: String, to value: Value, expecting old: Value? = .none
    ) async throws -> Outcome {
        try await commit { edits in
            if let old { edits.requireValue(row, column, old) }
            edits.set(row, column, value)
        }
    }

    /// Adds to a number, whatever it is by then; returns the sum.
    @discardableResult
    public func add(_ row: RowID, _ column: String, _ amount: Value) async throws -> Value {
        try await made { $0.add(row, column, amount) }
    }

    /// Sets a number or date to the smaller of this and what it is by then; returns that.
    @discardableResult
    public func minimum(_ row: RowID, _ column: String, _ value: Value) async throws -> Value {
        try await made { $0.minimum(row, column, value) }
    }

    /// Sets a number or date to the larger of this and what it is by then; returns that.
    @discardableResult
    public func maximum(_ row: RowID, _ column: String, _ value: Value) async throws -> Value {
        try await made { $0.maximum(row, column, value) }
    }

    /// Puts text behind what the cell holds by then; returns all of it.
    @discardableResult
    public func appendText(_ row: RowID, _ column: String, _ text: String) async throws -> Value {
        try await made { $0.appendText(row, column, text) }
    }

    /// Puts an item at the end of a list, with `once` only a new one; returns the list.
    @discardableResult
    public func addToList(
        _ row: RowID, _ column: String, _ item: Value, once: Bool = false
    ) async throws -> Value {
        try await made { $0.addToList(row, column, item, once: once) }
    }

    /// Takes an item out of a list, wherever it stands in it; returns the list.
    @discardableResult
    public func removeFromList(
        _ row: RowID, _ column: String, _ item: Value
    ) async throws -> Value {
        try await made { $0.removeFromList(row, column, item) }
    }

    /// Sets `values` in the row that has the key in a unique column, or appends one with it, which
    /// gets the values of `new` as well; returns the row and whether it is new.
    @discardableResult
    public func upsert(
        _ column: String, _ key: Value, _ values: [String: Value] = [:],
        new: [String: Value] = [:]
    ) async throws -> (row: RowID, isNew: Bool) {
        let outcome = try await commit { $0.upsert(column, key, values, new: new) }
        guard let row = outcome.rows.first, let isNew = outcome.inserted.first else {
            throw BotError(rejected: outcome)
        }
        return (row, isNew)
    }

    /// Deletes rows; those that are deleted already are no error.
    @discardableResult
    public func delete(_ rows: [RowID]) async throws -> Outcome {
        try await commit(mode: .best) { $0.delete(rows) }
    }

    /// Moves rows, which arrive together in the order given.
    @discardableResult
    public func move(_ rows: [RowID], to place: Edits.Place) async throws -> Outcome {
        try await commit { $0.move(rows, to: place) }
    }

    /// Takes back the last operation of this session, or another one.
    @discardableResult
    public func undo(
        _ target: Edits.UndoTarget = .last, isForced: Bool = false
    ) async throws -> Outcome {
        try await commit(mode: .best) { $0.undo(target, isForced: isForced) }
    }

    /// Does again what the last undo took back.
    @discardableResult
    public func redo(ofUser: Bool = false, isForced: Bool = false) async throws -> Outcome {
        try await commit(mode: .best) { $0.redo(ofUser: ofUser, isForced: isForced) }
    }

    /// Makes the table, or these rows or columns of it, what they were; undo takes it back.
    @discardableResult
    public func restore(
        to moment: Moment, rows: [RowID]? = nil, columns: [String]? = nil
    ) async throws -> Outcome {
        try await commit(mode: .best) { $0.restore(to: moment, rows: rows, columns: columns) }
    }

    /// What an operation would come to, and what it would be refused for; nothing is changed.
    public func preview(
        mode: Edits.Mode = .strict, _ make: (inout Edits) throws -> Void
    ) async throws -> Outcome {
        var edits = Edits()
        try make(&edits)
        return try await bot.preview(edits, in: id, mode: mode)
    }

    private func made(_ make: (inout Edits) -> Void) async throws -> Value {
        try await commit { make(&$0) }.values.first ?? .null
    }
}
