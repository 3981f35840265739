// Rule C18: the next row for which a condition holds and that nobody has a lease on is given to
// one author. The search is ClaimMemory.swift's; the cells are set as by any other operation.
import TableExpression
import TableValue

extension Table {
    /// The longest lease.
    static var leaseSecondsMax: Int { 86_400 }

    /// Gives the next row that is open, with its cells set, or notes that there is none.
    mutating func performClaim(
        _ claim: ClaimRow, _ progress: inout Progress
    ) throws(Rejection) {
        guard keepsUndo else {
            throw Rejection(.malformed, "Which row a claim gives, the server knows alone.")
        }
        var columns: [Int] = []
        for cell in claim.cells { columns.append(try columnOfClaim(cell, columns)) }
        let until = try claim.leaseSeconds.map { seconds throws(Rejection) in
            try endOfLease(after: seconds, progress)
        }
        guard !columns.isEmpty || until != nil else {
            throw Rejection(.malformed, "A claim sets a cell or takes a lease.")
        }
        var memory = try memory(of: claim, columns, progress)
        let found = firstOpen(&memory)
        defer { if memory.condition.expression?.usesTime != true { claims.put(memory) } }
        guard let slot = found else {
            progress.foundNothing = true
            return
        }
        let row = rows.ids[slot]
        var condition = memory.condition
        try attempt(&progress) { (table, progress) throws(Rejection) in
            try table.give(slot, claim, until: until, &progress)
            if until == nil, condition.holds(slot, in: table) {
                throw Rejection(
                    .stillClaimable,
                    "What the claim sets leaves the row open to the next one: set what the "
                        + "condition asks for, or take a lease.", row: row)
            }
        }
        progress.rowsGiven.append(row)
        for index in schema.liveOrder {
            progress.columnsGiven.append(schema.entries[index].column.id)
            progress.values.append(cells[index].value(slot))
        }
    }

    private mutating func give(
        _ slot: UInt32, _ claim: ClaimRow, until milliseconds: Int64?, _ progress: inout Progress
    ) throws(Rejection) {
        let row = rows.ids[slot]
        let before = progress.tally
        let edits = claim.cells.map { CellEdit(row: row, column: $0.column, value: $0.value) }
        if !edits.isEmpty { try performSet(edits, &progress) }
        if let rejection = progress.firstRefusal(since: before) { throw rejection }
        guard let milliseconds else { return }
        if edits.isEmpty { progress.applied += 1 }
        setLease(
            slot,
            Lease(
                claim: progress.stamp.sequence, author: progress.author,
                untilMilliseconds: milliseconds))
        progress.changes.append(.leaseSet(row, untilMilliseconds: milliseconds))
    }

    /// The column of a cell that a claim sets, to be looked at before any row is.
    private mutating func columnOfClaim(
        _ cell: UpsertRow.Cell, _ others: [Int]
    ) throws(Rejection) -> Int {
        guard let index = schema.index(of: cell.column) else { throw unknownColumn(cell.column) }
        let entry = schema.entries[index]
        guard !entry.isHidden else {
            throw Rejection(
                .columnHidden, "A column that the claim sets has been deleted.",
                column: entry.column.id)
        }
        guard !others.contains(index) else {
            throw Rejection(
                .malformed, "A column stands twice in one claim.", column: entry.column.id)
        }
        _ = try accepted(cell.value, for: index).get()
        return index
    }

    /// When a lease ends that begins now.
    func endOfLease(
        after seconds: Int, _ progress: borrowing Progress
    ) throws(Rejection) -> Int64 {
        guard (1...Self.leaseSecondsMax).contains(seconds) else {
            throw Rejection(
                .outOfRange, "A lease lasts from 1 to \(Self.leaseSecondsMax) seconds.")
        }
        guard leases.count < limits.leasesMax else {
            throw Rejection(
                .tooManyParts, "The table has \(limits.leasesMax) leases; give some back first.")
        }
        return (progress.circumstances?.leaseMilliseconds ?? 0) + Int64(seconds) * 1_000
    }

    /// What is known of the rows that a claim may be given.
    private mutating func memory(
        of claim: ClaimRow, _ columns: [Int], _ progress: borrowing Progress
    ) throws(Rejection) -> ClaimMemory {
        guard rowCount <= limits.wideRowsMax else {
            throw Rejection(
                .tooManyParts,
                "A claim may look at \(limits.wideRowsMax) rows, here are \(rowCount).")
        }
        // Columns by their indexes cannot be an expression.
        let key = claim.condition ?? Text("\0" + columns.sorted().map { "\($0) " }.joined())
        if let known = claims.take(key, schemaHead: schemaHead) { return known }
        var condition = ClaimCondition(expression: nil, emptyColumns: columns)
        if let text = claim.condition {
            condition.expression = try prepared(text, .filter, progress)
        }
        return ClaimMemory(key: key, schemaHead: schemaHead, condition: condition)
    }
}
