// A row that a bot was given to work on: how it is claimed, kept, finished and given back.
// Each is one operation; the server sees to it that nobody else is given the same row.
// What claims mean is in docs/protocol.md, "Claims". Next: SharedTable.commit (Shared.swift).
import TableModel
import TableValue
import TableWire

/// A row that this bot was given, with its values as the claim left them.
public struct Claim: Sendable {
    /// The row.
    public let row: RowID
    /// The number of the claim's record, which names the lease.
    public let sequence: Int64
    /// Its values by the columns' names.
    public let values: [String: Value]
    /// What the claim came to.
    public let outcome: Outcome
    private let table: SharedTable

    init(
        _ row: RowID, _ sequence: Int64, _ outcome: Outcome, _ columns: [Column],
        _ table: SharedTable
    ) {
        self.row = row
        self.sequence = sequence
        self.outcome = outcome
        self.table = table
        var values: [String: Value] = [:]
        for (id, value) in zip(outcome.columns, outcome.values) {
            guard let column = columns.first(where: { $0.id == id }) else {
                values[id] = value
                continue
            }
            let typed = try? value.held.converted(to: column.held.type)
            values[column.name] = typed.map { Value($0) } ?? value
        }
        self.values = values
    }

    /// The value of a column, by its name; null where there is no such column.
    public subscript(column: String) -> Value { values[column] ?? .null }

    /// Keeps the row for so many seconds from now.
    ///
    /// Errors: `rejected` with `not_leased` where the lease has ended: the row may be another's.
    @discardableResult
    public func renew(seconds: Int) async throws -> Outcome {
        let (row, sequence) = (row, sequence)
        return try await table.commit { $0.renew(row, seconds: seconds, claim: sequence) }
    }

    /// Ends the lease; what the claim set stays.
    ///
    /// `values` are set in the same operation, or nothing is where the lease has ended.
    @discardableResult
    public func finish(_ values: [String: Value] = [:]) async throws -> Outcome {
        let (row, sequence) = (row, sequence)
        return try await table.commit { edits in
            edits.release(row, claim: sequence, isFinished: true)
            if !values.isEmpty { edits.set(row, values) }
        }
    }

    /// Ends the lease and takes the claim back: what it set goes, unless written since.
    @discardableResult
    public func giveBack() async throws -> Outcome {
        let (row, sequence) = (row, sequence)
        return try await table.commit { $0.release(row, claim: sequence) }
    }
}

extension SharedTable {
    /// Takes the next row for which `condition` holds and on which nobody has a lease; nil where
    /// there is none.
    ///
    /// Nobody else is given the same row. `values` are set in the same step. Without a condition
    /// a row is open whose cells that are to be set are all empty. A lease of so many seconds
    /// takes the claim back by itself, unless it is renewed or finished.
    public func claim(
        where condition: String? = nil, set values: [String: Value] = [:],
        leaseSeconds: Int? = nil
    ) async throws -> Claim? {
        let outcome = try await commit {
            $0.claim(where: condition, set: values, leaseSeconds: leaseSeconds)
        }
        guard let row = outcome.rows.first, let sequence = outcome.sequence else { return nil }
        return Claim(row, sequence, outcome, try await knownColumns(), self)
    }

    /// Claims a row with a lease and works on it; false where there was none.
    ///
    /// What `work` returns is set in the row as the lease ends; where it throws, the row is given
    /// back.
    public func work(
        where condition: String? = nil, set values: [String: Value] = [:],
        leaseSeconds: Int = 60, _ work: (Claim) async throws -> [String: Value]
    ) async throws -> Bool {
        let claimed = try await claim(where: condition, set: values, leaseSeconds: leaseSeconds)
        guard let claimed else { return false }
        let done: [String: Value]
        do {
            done = try await work(claimed)
        } catch {
            _ = try? await claimed.giveBack()
            throw error
        }
        try await claimed.finish(done)
        return true
    }

    /// The columns as far as they are known here, also where the table is not followed.
    private func knownColumns() async throws -> [Column] {
        let table = table
        return try await bot.loop.wait { core, promise in
            let held = core.replica(of: table)?.columns ?? core.tables[table]?.opened?.columns
            promise.succeed((held ?? []).map { Column($0) })
        }
    }
}

extension Edits {
    /// Takes the next row that is open; alone in its operation.
    public mutating func claim(
        where condition: String? = nil, set values: [String: Value] = [:],
        leaseSeconds: Int? = nil
    ) {
        let cells = values.sorted { Text($0.key) < Text($1.key) }.map {
            UpsertRow.Cell(reference($0.key), $0.value.held)
        }
        body.append(
            .claimRow(
                ClaimRow(
                    where: condition.map { Text($0) }, setting: cells,
                    leaseSeconds: leaseSeconds)))
    }

    /// Keeps a leased row for so many seconds from now; `claim` is the record of its claim.
    public mutating func renew(_ row: RowID, seconds: Int, claim: Int64? = nil) {
        body.append(.changeLease(LeaseChange(.renew(seconds: seconds), row.held, claim: claim)))
    }

    /// Takes the claim of a leased row back, or where `isFinished` ends the lease alone.
    public mutating func release(_ row: RowID, claim: Int64? = nil, isFinished: Bool = false) {
        body.append(
            .changeLease(LeaseChange(isFinished ? .finish : .giveBack, row.held, claim: claim)))
    }
}
