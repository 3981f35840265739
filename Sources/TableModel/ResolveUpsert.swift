// Rule C17: the row that has a key is written, or else one is appended, in one step at the
// sequencer, so that of many who upsert one key the first appends and the others write.
// It decides only which of the two; the rest is ResolveCells.swift's and ResolveRows.swift's.
package import TableValue

/// The parts of an upsert.
package struct UpsertRow: Hashable, Sendable {
    /// One cell of the row, named by its column.
    package struct Cell: Hashable, Sendable {
        /// The column of the cell.
        package var column: ColumnReference
        /// The value that the author wants there.
        package var value: Value

        /// Names the column and the value.
        package init(_ column: ColumnReference, _ value: Value) {
            self.column = column
            self.value = value
        }
    }

    /// The column by which the row is known, and what it holds there.
    package var key: Cell
    /// What is set in the row that is there, or that is appended.
    package var cells: [Cell]
    /// What is set besides, where the row is appended.
    package var cellsOfNew: [Cell]

    /// Makes an upsert.
    package init(key: Cell, cells: [Cell] = [], cellsOfNew: [Cell] = []) {
        self.key = key
        self.cells = cells
        self.cellsOfNew = cellsOfNew
    }
}

extension Table {
    /// Writes the live row that has the key, or appends one.
    mutating func performUpsert(
        _ upsert: UpsertRow, _ progress: inout Progress
    ) throws(Rejection) {
        let (index, key) = try keyOfUpsert(upsert)
        let column = schema.entries[index].column.id
        let others = upsert.cells + upsert.cellsOfNew
        var named: Set<Int> = [index]
        for cell in others {
            guard let other = schema.index(of: cell.column) else { continue }
            guard named.insert(other).inserted else {
                throw Rejection(
                    .malformed, "A column stands twice in one upsert.",
                    column: schema.entries[other].column.id)
            }
        }
        if let slot = holder(of: key, index, besides: nil) {
            let row = rows.ids[slot]
            let edits = upsert.cells.map { CellEdit(row: row, column: $0.column, value: $0.value) }
            try performSet(edits, &progress)
            progress.rowsGiven.append(row)
            progress.inserted.append(false)
            return
        }
        let insertion = InsertRows(
            rowCount: 1, columns: [.id(column)] + others.map(\.column),
            cells: [key] + others.map(\.value))
        try performInsert(insertion, &progress)
        progress.inserted.append(true)
    }

    /// The column of the key and the key as it would be stored; a key must be one that a row can
    /// have.
    private mutating func keyOfUpsert(
        _ upsert: UpsertRow
    ) throws(Rejection) -> (index: Int, key: Value) {
        guard let index = schema.index(of: upsert.key.column) else {
            throw unknownColumn(upsert.key.column)
        }
        let entry = schema.entries[index]
        guard !entry.isHidden else {
            throw Rejection(
                .columnHidden, "The column of the key has been deleted.", column: entry.column.id)
        }
        guard ruleBook.isUnique(index) else {
            throw Rejection(
                .notUnique,
                "An upsert needs a column whose values must differ: give it the rule unique.",
                column: entry.column.id)
        }
        guard !upsert.key.value.isNull else {
            throw Rejection(
                .wrongType, "Null is no key: give a value.", column: entry.column.id)
        }
        return (index, try accepted(upsert.key.value, for: index).get())
    }
}
