// Claims and leases, written a second time: every claim looks at all rows from the first one.
// Conditions are in the one form that OpMakerBots.swift draws.
import TableModel
import TableValue

/// A row that is given to somebody for a time.
struct ReferenceLease: Hashable {
    let claim: SequenceNumber
    let session: SessionNumber
    let user: Text
    var until: Int64
}

extension ReferenceResolver {
    /// C18: the first live row that is nobody's and of which the condition is true.
    mutating func performClaim(_ claim: ClaimRow) {
        let named = claim.cells.map { column($0.column) }
        let isWhole = claim.leaseSeconds.map { (1...86_400).contains($0) } ?? !claim.cells.isEmpty
        var condition: ReferenceExpression?
        if let text = claim.condition {
            condition = ReferenceExpression(.text(text), in: table)
            let areInts = condition?.columns.allSatisfy { id in
                table.columnPlace(id).map { table.columns[$0].column.type == .int } ?? false
            }
            guard condition?.isSum == false, areInts == true else {
                refused += 1
                return
            }
        }
        for (cell, column) in zip(claim.cells, named) {
            guard let column, !column.isHidden,
                let typed = try? cell.value.converted(to: column.column.type),
                ReferenceRules(column.column).keep(typed)
            else {
                refused += 1
                return
            }
        }
        let columns = named.compactMap { $0?.column.id }
        guard isWhole, Set(columns).count == columns.count else {
            refused += 1
            return
        }
        func holds(_ row: RowID, in table: ReferenceTable) -> Bool {
            guard let condition else { return columns.allSatisfy { table.value(row, $0) == .null } }
            return !condition.columns.contains { table.value(row, $0) == .null }
                && condition.isKept { table.value(row, $0) }
        }
        let open = table.liveRows.first { table.leases[$0] == nil && holds($0, in: table) }
        guard let row = open else { return }
        let before = self
        performSet(claim.cells.map { CellEdit(row: row, column: $0.column, value: $0.value) })
        if refused > before.refused || claim.leaseSeconds == nil && holds(row, in: table) {
            self = before
            refused += 1
            return
        }
        guard claim.leaseSeconds != nil else { return }
        if claim.cells.isEmpty { applied += 1 }
        hasChanged = true
        // When it ends, the record says.
        table.leases[row] = ReferenceLease(
            claim: sequence, session: session, user: circumstances?.user ?? "", until: 0)
    }

    /// C19: only whoever has the lease.
    mutating func performLeaseChange(_ change: LeaseChange) {
        guard table.rowPlace(change.row) != nil else {
            gone += 1
            return
        }
        guard let lease = table.leases[change.row],
            change.claim.map({ $0 == lease.claim }) ?? (lease.session == session),
            // Of what made no record nobody knows the user; a session is of one.
            circumstances.map({ $0.user == lease.user }) ?? (lease.session == session)
        else {
            refused += 1
            return
        }
        switch change.kind {
        // Until when, the record says.
        case .renew(let seconds):
            guard (1...86_400).contains(seconds) else {
                refused += 1
                return
            }
        case .giveBack:
            if let operation = table.past.operations[lease.claim] {
                takeBack(operation, isForced: false)
            }
            table.leases[change.row] = nil
        case .finish: table.leases[change.row] = nil
        }
        applied += 1
        hasChanged = true
    }

    /// C20: a lease that is over is taken back by the server; nil where there is none.
    static func expiry(
        of row: RowID, on table: ReferenceTable, _ circumstances: Circumstances
    ) -> ExpectedResult? {
        guard table.leases[row] != nil else { return nil }
        var resolver = ReferenceResolver(table: table, circumstances: circumstances)
        resolver.expire(row)
        return ExpectedResult(table: resolver.table, status: resolver.status(.best))
    }

    private mutating func expire(_ row: RowID) {
        guard let lease = table.leases[row] else { return }
        if let operation = table.past.operations[lease.claim] {
            takeBack(operation, isForced: false)
        }
        table.leases[row] = nil
        applied += 1
        hasChanged = true
    }
}
