// Rows on their way into a table: gathered into operations, several of them in flight, each
// applied once whatever becomes of the connection.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire

/// Gathers rows into operations and keeps a few of them in flight.
struct RowSender {
    private let table: TableAtHand
    private let columns: [ColumnReference]
    private var batch = Batch()
    /// The rows of each operation that waits for its answer.
    private var inFlight: [ClientNumber: Int] = [:]
    /// Rows that the server has in its log.
    private(set) var storedCount = 0
    /// The records that hold them.
    private(set) var records = RecordNumbers()

    /// Rows that will make one operation.
    private struct Batch {
        var cells: [Value] = []
        var rowCount = 0
        var byteCount = 0
    }

    /// About the most that one operation carries, well below the limit of a line.
    private static let bytesPerOpMax = 128 << 10
    private static let rowsPerOpMax = 2_000
    /// Rows and cells of one operation, below the limit on its parts.
    private static let partsPerOpMax = 40_000
    /// Operations that wait for their answer.
    private static let opsInFlightMax = 16

    /// Begins to send rows with values for `columns`.
    init(table: TableAtHand, columns: [ColumnID]) {
        self.table = table
        self.columns = columns.map { .id($0) }
    }

    /// Adds a row.
    mutating func add(_ values: [Value]) throws(CommandFailure) {
        let byteCount = values.reduce(2) { $0 + lineByteCount(of: $1) }
        let parts = (batch.rowCount + 1) * (columns.count + 1)
        if batch.byteCount + byteCount > Self.bytesPerOpMax || batch.rowCount >= Self.rowsPerOpMax
            || parts > Self.partsPerOpMax
        {
            try flush()
        }
        batch.cells += values
        batch.rowCount += 1
        batch.byteCount += byteCount
    }

    /// Sends what is left and waits until everything is decided.
    mutating func finish() throws(CommandFailure) {
        try flush()
        while !inFlight.isEmpty { try waitForOne() }
    }

    private mutating func flush() throws(CommandFailure) {
        guard batch.rowCount > 0 else { return }
        while inFlight.count >= Self.opsInFlightMax { try waitForOne() }
        // The core gives the rows their ids, so that a resend is known as one.
        let rows = InsertRows(
            rowCount: batch.rowCount, anchor: .last, columns: columns, cells: batch.cells)
        let op = Op(base: table.opened.sequence, mode: .strict, body: [.insertRows(rows)])
        let number = try table.conversation.submit(op, to: table.id)
        inFlight[number] = batch.rowCount
        batch.cells.removeAll(keepingCapacity: true)
        batch.rowCount = 0
        batch.byteCount = 0
        // A row that is too large for a line has its answer at once.
        if number == 0 { try finish() }
    }

    private mutating func waitForOne() throws(CommandFailure) {
        let table = table
        let decision = try table.conversation.wait {
            (notice) throws(CommandFailure) -> Decision? in
            guard case .decided(table.id, let number, let sequence, let outcome) = notice else {
                return nil
            }
            return Decision(
                table: table.id, clientNumber: number, sequence: sequence, outcome: outcome)
        }
        let rowCount = inFlight.removeValue(forKey: decision.clientNumber) ?? 0
        guard let failure = CommandFailure(decision.outcome) else {
            storedCount += rowCount
            if let sequence = decision.sequence { records.add(sequence) }
            return
        }
        guard case .refused(let code, let message) = failure else { throw failure }
        throw .refused(
            code: code,
            message: "\(message) (in the \(counted(rowCount, "row")) after row \(storedCount), "
                + "which stay)")
    }
}

/// The most bytes that a value takes in a line.
private func lineByteCount(of value: Value) -> Int {
    guard let text = value.textHeld else { return 40 }
    // A control character becomes six bytes, a quote or a backslash two.
    return text.string.utf8.reduce(3) { count, byte in
        if byte < 0x20 { return count + 6 }
        let isEscaped = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        return count + (isEscaped ? 2 : 1)
    }
}
