// A client's copy of a table: what is confirmed, what is pending, and how the two look together.
// The confirmed table changes only by records and snapshots. How pending operations look is
// computed in CellOverlay.swift and ShadowTable.swift.
package import TableModel
package import TableValue

/// What has come so far of a table that is being loaded.
package struct Arrival: Sendable {
    /// The rows that have come, in order from the first; to be read only.
    package let replica: Replica
    /// How many there will be.
    package let announcedRowCount: Int
}

/// An operation that has its client number and waits for its outcome.
package struct PendingOp: Hashable, Sendable {
    /// Its number in the session.
    package let clientNumber: ClientNumber
    /// What its author wants.
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
/// The overlay is never written into the confirmed table. It has two forms:
///
/// - While all pending operations only set cells or add to them, a map of those cells; records
///   of others leave it alone unless they change columns.
/// - Otherwise a copy of the confirmed table on which all pending operations are performed.
///   Copying is cheap, performing costs what it costs the server. It is made anew by `refresh`
///   after others' records, once however many came; while the server's answers are what was
///   expected it stays.
///
/// Reads then cost what they cost in a `Table`, at any size. They are right after `refresh`.
package struct Replica: Sendable {
    /// What the server has confirmed.
    package private(set) var confirmed = Table()
    private var queue = Queue<PendingOp>()
    /// How many of them are not plain.
    private var structuralCount = 0
    /// The session whose operations are pending.
    private var session = SessionNumber.server
    private var cells: CellOverlay?
    private var shadow: ShadowTable?

    /// An empty copy.
    package init() {}

    /// A copy of what has come of a table, to be looked at.
    init(showing table: Table) {
        confirmed = table
    }

    // MARK: Reads

    /// What this client did and the server has not answered, oldest first.
    ///
    /// Complexity: linear in their number.
    package var pending: [PendingOp] { queue.all }

    /// The number of rows as the user sees them.
    package var rowCount: Int { shadow?.table.rowCount ?? confirmed.rowCount }

    /// The columns as the user sees them.
    package var columns: [Column] { shadow?.table.columns ?? confirmed.columns }

    /// What the table says of how it is shown as a whole, as the user sees it.
    package var look: TableLook { shadow?.table.look ?? confirmed.look }

    /// The row at a position as the user sees it.
    ///
    /// Complexity: logarithmic in the rows.
    package func row(at position: Int) -> RowID? {
        if let shadow { shadow.table.row(at: position) } else { confirmed.row(at: position) }
    }

    /// The position of a row as the user sees it.
    ///
    /// Complexity: logarithmic in the rows.
    package func position(of row: RowID) -> Int? {
        if let shadow { shadow.table.position(of: row) } else { confirmed.position(of: row) }
    }

    /// The value of a cell as the user sees it; nil where row or column is unknown.
    package func value(_ row: RowID, _ column: ColumnID) -> Value? {
        if let shadow { return shadow.table.value(row, column) }
        guard let cells else { return confirmed.value(row, column) }
        return cells.value(CellKey(row: row, column: column), over: confirmed)
    }

    /// True where a pending operation sets or adds to the cell, or inserts its row.
    package func isPending(_ row: RowID, _ column: ColumnID) -> Bool {
        let key = CellKey(row: row, column: column)
        if let cells { return cells.contains(key) }
        guard let shadow, let first = queue.first else { return false }
        if shadow.contains(key, firstPending: first.clientNumber) { return true }
        return confirmed.state(of: row) == .unknown && shadow.table.state(of: row) == .live
    }

    /// How many comments are not resolved.
    package var openCommentCount: Int {
        shadow?.table.openCommentCount ?? confirmed.openCommentCount
    }

    /// How many of the comments on a row and its cells are not resolved.
    ///
    /// Complexity: linear in the row's comments.
    package func openCommentCount(of row: RowID) -> Int {
        shadow?.table.openCommentCount(of: row) ?? confirmed.openCommentCount(of: row)
    }

    /// True where one of the comments on a cell is not resolved.
    ///
    /// Complexity: linear in the row's comments.
    package func hasOpenComment(_ row: RowID, _ column: ColumnID) -> Bool {
        shadow?.table.hasOpenComment(row, column) ?? confirmed.hasOpenComment(row, column)
    }

    /// Comments that are not deleted, in the order in which they were made.
    ///
    /// Complexity: linear in those that are looked at.
    package func comments(_ filter: CommentFilter) -> [TableComment] {
        shadow?.table.comments(filter) ?? confirmed.comments(filter)
    }

    /// What an operation would come to in the table as the user sees it, which stays as it is.
    ///
    /// Complexity: that of `Table.perform`, and of a copy of what it would change.
    ///
    /// - Parameters:
    ///   - op: what is wanted.
    ///   - circumstances: who and when, for expressions that ask for it.
    /// - Returns: what would happen.
    /// - Throws: `Rejection` where it would be refused.
    package func tried(
        _ op: Op, in circumstances: Circumstances? = nil
    ) throws(Rejection) -> Resolution {
        var table = confirmed
        if let shadow {
            table = shadow.table
        } else if !queue.isEmpty {
            var made = ShadowTable(of: confirmed, session: session)
            for position in 0..<queue.count { made.perform(queue[position]) }
            table = made.table
        }
        return try table.perform(op, by: session, as: table.head &+ 1, in: circumstances)
    }

    // MARK: Events

    /// Brings the overlay up to date.
    ///
    /// Complexity: constant where nothing changed it since; otherwise linear in the parts of the
    /// pending operations.
    package mutating func refresh() {
        guard !queue.isEmpty, cells == nil, shadow == nil else { return }
        if structuralCount == 0 {
            var made = CellOverlay()
            for position in 0..<queue.count { made.add(queue[position], over: confirmed) }
            cells = made
        } else {
            var made = ShadowTable(of: confirmed, session: session)
            for position in 0..<queue.count { made.perform(queue[position]) }
            shadow = made
        }
    }

    /// Names the session whose operations will be pending; there are none yet.
    mutating func begin(session: SessionNumber) {
        self.session = session
        dropOverlay()
    }

    /// Adds an operation behind the others.
    mutating func add(_ pending: PendingOp) {
        let isFirst = queue.isEmpty
        queue.append(pending)
        if pending.op.isPlain(partsMax: confirmed.limits.partsMax) {
            if isFirst { cells = CellOverlay() }
            cells?.add(pending, over: confirmed)
        } else {
            structuralCount += 1
            cells = nil
        }
        shadow?.perform(pending)
    }

    /// Removes an operation that made no record.
    mutating func drop(_ number: ClientNumber) {
        guard let position = position(of: number) else { return }
        if position == 0, shadow?.expectsNothing == true {
            dropFirstAsExpected()
        } else {
            remove(at: position)
        }
    }

    /// Applies a record whose values have their columns' types; where it is the author's own,
    /// its operation is no longer pending.
    ///
    /// - Returns: false where the record does not fit: the copy must be loaded anew.
    mutating func apply(_ record: Record) -> Bool {
        guard record.sequence == confirmed.head &+ 1 else { return false }
        let own = record.session == session ? position(of: record.clientNumber) : nil
        if own == 0, shadow?.expects(record) == true {
            dropFirstAsExpected()
        } else {
            if let own { remove(at: own) }
            // What the confirmed table changes must not be shared with a shadow that is
            // no longer right: it would be copied.
            shadow = nil
            if cells != nil, record.changes.contains(where: \.isAboutColumns) { cells = nil }
        }
        return confirmed.apply(record)
    }

    /// Starts again from a snapshot; what is pending stays, but for operations that were decided
    /// when it was made.
    mutating func load(_ table: Table, decidedThrough: ClientNumber) {
        confirmed = table
        while let first = queue.first, first.clientNumber <= decidedThrough { remove(at: 0) }
        dropOverlay()
    }

    /// Forgets everything.
    mutating func reset() {
        self = Replica()
    }

    /// The content hash of the confirmed table.
    mutating func contentHash<Digest: ContentDigest>(using digest: Digest.Type) -> [UInt8] {
        confirmed.contentHash(using: digest)
    }

    // MARK: Inside

    private func position(of number: ClientNumber) -> Int? {
        let position = queue.partition { $0.clientNumber >= number }
        guard position < queue.count, queue[position].clientNumber == number else { return nil }
        return position
    }

    private mutating func dropFirstAsExpected() {
        guard let first = queue.first else { return }
        if !isPlain(first) { structuralCount -= 1 }
        queue.removeFirst()
        if let next = queue.first, structuralCount > 0 {
            shadow?.dropFirst(nextPending: next.clientNumber)
        } else {
            dropOverlay()
        }
    }

    private mutating func remove(at position: Int) {
        let removed = queue[position]
        queue.remove(at: position)
        shadow = nil
        if isPlain(removed) {
            cells?.remove(removed, over: confirmed)
        } else {
            structuralCount -= 1
        }
        if queue.isEmpty { dropOverlay() }
    }

    private mutating func dropOverlay() {
        cells = nil
        shadow = nil
    }

    private func isPlain(_ pending: PendingOp) -> Bool {
        pending.op.isPlain(partsMax: confirmed.limits.partsMax)
    }
}

extension Change {
    /// True where the change may alter what a column's name, id or type stands for.
    fileprivate var isAboutColumns: Bool {
        switch self {
        case .columnAdded, .columnRenamed, .columnRulesSet, .columnRetyped, .columnMoved,
            .columnHidden, .columnShown:
            true
        case .rowsInserted, .cellsSet, .cellsFilled, .rowsHidden, .rowsShown, .rowsMoved,
            .rowsArranged, .leaseSet, .leaseEnded, .displaySet, .commentPut:
            false
        }
    }
}
