// A client's copy of a table: what is confirmed, what is pending, and how the two look together.
package import TableModel
package import TableValue

/// An operation that has its client number and waits for its outcome.
package struct PendingOp: Hashable, Sendable {
    package let clientNumber: ClientNumber
    package let op: Op
    /// The line as it was and will be sent, byte for byte.
    package let line: [UInt8]

    /// Joins an operation with its number and its line.
    package init(clientNumber: ClientNumber, op: Op, line: [UInt8]) {
        self.clientNumber = clientNumber
        self.op = op
        self.line = line
    }
}

/// A client's copy of one table: confirmed state plus an overlay of pending operations.
///
/// The confirmed table changes only by records in the order of their numbers. The overlay is
/// computed from the pending operations and never written into it.
package struct Replica: Sendable {
    /// What the server has confirmed.
    package private(set) var confirmed = Table()
    /// What this client did and the server has not answered, oldest first.
    package private(set) var pending: [PendingOp] = []

    /// The number of rows as the user sees them.
    package var rowCount: Int { 0 }

    /// The columns as the user sees them.
    package var columns: [Column] { [] }

    /// The row at a position as the user sees it.
    package func row(at position: Int) -> RowID? { nil }

    /// The position of a row as the user sees it.
    package func position(of row: RowID) -> Int? { nil }

    /// The value of a cell as the user sees it.
    package func value(_ row: RowID, _ column: ColumnID) -> Value? { nil }

    /// True where a pending operation sets or adds to the cell.
    package func isPending(_ row: RowID, _ column: ColumnID) -> Bool { false }
}
