// A table out of a snapshot: columns, a number, then rows in chunks.
// No hidden rows, no history: what comes after it are records, applied by Apply.swift.
package import TableValue

extension Table {
    /// Starts a table from a snapshot: its columns in order, no rows, at a number.
    ///
    /// Of columns with the same id the first counts.
    package init(columns: [Column], head: SequenceNumber) {
        self.init()
        var last: Int?
        for column in columns {
            if addColumn(column, after: last, stamp: Stamp(sequence: 0, session: 0)) {
                last = cells.count - 1
            }
        }
        // Rules may read columns that come after their own.
        for index in cells.indices { refreshExpressions(of: index) }
        self.head = head
        isComplete = head == 0
    }

    /// Adds comments of a snapshot.
    ///
    /// - Returns: false where they are not in the order in which they were made, behind those that
    ///   came before.
    package mutating func load(_ comments: [TableComment]) -> Bool {
        for comment in comments {
            guard commentBook[comment.id] == nil,
                commentBook.put(comment, stamp: Stamp(sequence: 0, session: 0))
            else { return false }
        }
        return true
    }

    /// Appends rows of a snapshot at the end.
    ///
    /// Values may be in the loose spelling of the wire.
    ///
    /// - Returns: false, with nothing loaded, where an id is already there or the counts do not
    ///   fit or a value is not of its column's type or a column is unknown.
    package mutating func load(rows ids: [RowID], columns: [ColumnID], cells: [Value]) -> Bool {
        guard areNewAndDistinct(ids), hasRoom(for: ids.count) else { return false }
        guard
            let block = fittedBlock(
                rowCount: ids.count, columns: columns, cells: cells, skipUnknown: false)
        else { return false }
        return appendBlock(
            ids, block, after: rows.order.last, stamp: Stamp(sequence: 0, session: 0))
    }
}
