// The table: the verbs and reads that every other room uses. Storage is in the files beside it.
package import TableValue

/// What a table knows of a row id.
package enum RowState: Hashable, Sendable {
    case live, hidden, unknown
}

/// Computes a 32-byte digest of bytes given piece by piece (SHA-256 in the product).
package protocol ContentDigest {
    /// Starts an empty digest.
    init()
    /// Adds bytes.
    mutating func update(_ bytes: borrowing RawSpan)
    /// Ends the digest: 32 bytes.
    mutating func finish() -> [UInt8]
}

/// One shared table: typed columns, rows in order, and the verbs perform and apply.
///
/// A copy is cheap and stays as it was: storage is in chunks that are shared until written.
package struct Table: Sendable {
    /// The limits that operations are held to.
    package var limits = TableLimits()
    /// The number of the last record applied.
    package private(set) var head: SequenceNumber = 0

    /// An empty table without columns.
    package init() {}

    /// The live columns in order.
    package var columns: [Column] { [] }

    /// The column of that id, live or hidden.
    package func column(_ id: ColumnID) -> Column? { nil }

    /// The live column whose folded name equals that of `name`.
    package func column(named name: Text) -> Column? { nil }

    /// The number of live rows.
    package var rowCount: Int { 0 }

    /// The live row at a position from 0.
    ///
    /// Complexity: logarithmic in the rows.
    package func row(at position: Int) -> RowID? { nil }

    /// The position of a live row, from 0.
    ///
    /// Complexity: logarithmic in the rows.
    package func position(of row: RowID) -> Int? { nil }

    /// What the table knows of a row id.
    package func state(of row: RowID) -> RowState { .unknown }

    /// The highest counter of that session among all rows ever seen; 0 where none.
    package func highestRowCounter(of session: SessionNumber) -> UInt32 { 0 }

    /// The highest counter of that session among all columns ever seen; 0 where none.
    package func highestColumnCounter(of session: SessionNumber) -> UInt32 { 0 }

    /// A cell's value, also of a hidden row or column; nil where either is unknown.
    package func value(_ row: RowID, _ column: ColumnID) -> Value? { nil }

    /// A cell's value with the number and session that wrote it; nil where unknown.
    package func cell(_ row: RowID, _ column: ColumnID) -> CurrentCell? { nil }

    /// Visits live rows in order from a position, with their values in the order of `columns`;
    /// stops after `count` rows or when `body` returns false.
    ///
    /// Complexity: logarithmic in the rows, then linear in what is visited.
    package func forEachRow(
        from position: Int, count: Int, columns: [ColumnID],
        _ body: (_ row: RowID, _ values: [Value]) -> Bool
    ) {}

    /// Performs an operation: resolves each intent against the table as the intents before it
    /// left it, and applies what it came to. The table is unchanged where this throws, and
    /// where the resolution has no changes.
    ///
    /// - Parameters:
    ///   - op: what is wanted.
    ///   - session: its author, who may only make ids of that session.
    ///   - sequence: the number the record will have if there are changes: `head + 1`.
    /// - Returns: what happened, to be put in the record of that number, and the outcome.
    /// - Throws: `Rejection`, with the table as it was.
    package mutating func perform(
        _ op: Op, by session: SessionNumber, as sequence: SequenceNumber
    ) throws(Rejection) -> Resolution {
        throw Rejection(.malformed, "not yet")
    }

    /// Applies a record; never refuses. Parts about rows or columns that this replica does not
    /// know are passed over.
    ///
    /// - Returns: false where the record does not follow `head` or did not fit in a way that no
    ///   right log leads to; the replica should then be loaded anew.
    @discardableResult
    package mutating func apply(_ record: Record) -> Bool { false }

    /// What would take `changes` back, computed before they are applied. Invariant I8.
    package func inverse(of changes: [Change]) -> [Change] { [] }

    /// Starts a table from a snapshot: its columns in order, no rows, at a number.
    package init(columns: [Column], head: SequenceNumber) {}

    /// Appends rows of a snapshot at the end.
    ///
    /// - Returns: false where an id is already there or the counts do not fit.
    package mutating func load(rows: [RowID], columns: [ColumnID], cells: [Value]) -> Bool {
        false
    }

    /// The content hash of docs/protocol.md: 32 bytes over schema and live rows in order.
    ///
    /// Complexity: linear in what changed since the last call, and in the rows for the first.
    package mutating func contentHash<Digest: ContentDigest>(using digest: Digest.Type) -> [UInt8]
    { [] }
}
