// What someone wants who works through a table: the next row, and what becomes of it afterwards.
// Performing it is in ResolveClaim.swift and ResolveLease.swift.
package import TableValue

/// The parts of a claim.
package struct ClaimRow: Hashable, Sendable {
    /// Which rows may be given, as docs/expressions.md has it; nil for those whose cells that shall
    /// be set are all empty.
    package var condition: Text?
    /// What is set in the row that is given.
    package var cells: [UpsertRow.Cell]
    /// For how long nobody else gets it; nil for no lease.
    package var leaseSeconds: Int?

    /// Makes a claim.
    package init(
        where condition: Text? = nil, setting cells: [UpsertRow.Cell] = [],
        leaseSeconds: Int? = nil
    ) {
        self.condition = condition
        self.cells = cells
        self.leaseSeconds = leaseSeconds
    }
}

/// What shall become of a lease.
package struct LeaseChange: Hashable, Sendable {
    /// What a lease's holder can do with it.
    package enum Kind: Hashable, Sendable {
        /// It lasts that many seconds from now.
        case renew(seconds: Int)
        /// The claim is taken back.
        case giveBack
        /// The lease ends, the cells stay.
        case finish
    }

    /// What.
    package var kind: Kind
    /// The leased row.
    package var row: RowID
    /// The record of the claim; nil for the session's own.
    package var claim: SequenceNumber?

    /// Names a lease and what shall become of it.
    package init(_ kind: Kind, _ row: RowID, claim: SequenceNumber? = nil) {
        self.kind = kind
        self.row = row
        self.claim = claim
    }
}
