// The overlay of pending operations that change structure: a copy of the confirmed table on which
// they are performed as the server would. Exact, because it is the server's own verb.
import TableModel
import TableValue

/// A confirmed table with pending operations performed on it, and what each came to.
struct ShadowTable: Sendable {
    /// What the server is expected to make of one operation.
    private struct Prediction: Sendable {
        /// The number its record will have if nobody else comes first; nil where none is made.
        let sequence: SequenceNumber?
        let changes: [Change]
        let cellCount: Int
    }

    /// The table as the user sees it.
    private(set) var table: Table
    private let session: SessionNumber
    private var predictions = Queue<Prediction>()
    /// The last operation that touches a cell; an older number than the first pending one is a
    /// cell that is no longer pending.
    private var touched: [CellKey: ClientNumber] = [:]
    private var droppedCells = 0

    /// A shadow without operations.
    init(of table: Table, session: SessionNumber) {
        self.table = table
        self.session = session
    }

    /// Performs an operation behind the others.
    ///
    /// Where it would be refused, nothing shows.
    ///
    /// Complexity: that of `Table.perform`, and a copy of each block of storage that it is the
    /// first to change.
    mutating func perform(_ pending: PendingOp) {
        let next = table.head &+ 1
        guard let resolution = try? table.perform(pending.op, by: session, as: next) else {
            predictions.append(Prediction(sequence: nil, changes: [], cellCount: 0))
            return
        }
        var cellCount = 0
        forEachCell(of: pending.op) { key in
            touched[key] = pending.clientNumber
            cellCount += 1
        }
        let sequence = resolution.changes.isEmpty ? nil : next
        predictions.append(
            Prediction(sequence: sequence, changes: resolution.changes, cellCount: cellCount))
    }

    /// True where a pending operation, the first having that number, sets or adds to the cell.
    func contains(_ key: CellKey, firstPending: ClientNumber) -> Bool {
        touched[key].map { $0 >= firstPending } ?? false
    }

    /// True where the record of the first operation is just what was expected: the table shown
    /// stays as it is.
    ///
    /// Places behind hidden rows are never taken as expected: a replica of a snapshot does not
    /// know all hidden rows, so that applying the record may leave them in another order.
    func expects(_ record: Record) -> Bool {
        guard let first = predictions.first, first.sequence == record.sequence else { return false }
        return first.changes == record.changes
            && !record.changes.contains { $0.place?.slot != nil }
    }

    /// True where the first operation was expected to make no record.
    var expectsNothing: Bool { predictions.first.map { $0.sequence == nil } ?? false }

    /// The first operation is decided as expected.
    mutating func dropFirst(nextPending: ClientNumber) {
        droppedCells += predictions.first?.cellCount ?? 0
        predictions.removeFirst()
        guard droppedCells > 4_096, droppedCells > touched.count / 2 else { return }
        touched = touched.filter { $0.value >= nextPending }
        droppedCells = 0
    }

    private func forEachCell(of op: Op, _ body: (CellKey) -> Void) {
        for intent in op.body {
            switch intent {
            case .setCells(let edits):
                for edit in edits {
                    guard let column = table.column(edit.column) else { continue }
                    body(CellKey(row: edit.row, column: column.id))
                }
            case .addNumber(let row, let reference, _):
                guard let column = table.column(reference) else { continue }
                body(CellKey(row: row, column: column.id))
            case .combineCell(let combine):
                guard let column = table.column(combine.edit.column) else { continue }
                body(CellKey(row: combine.edit.row, column: column.id))
            default: continue
            }
        }
    }
}

extension Change {
    /// Where rows come to stand; nil where the change is about something else.
    fileprivate var place: RowPlace? {
        switch self {
        case .rowsInserted(let block), .rowsShown(let block): block.place
        case .rowsMoved(_, let place): place
        default: nil
        }
    }
}
