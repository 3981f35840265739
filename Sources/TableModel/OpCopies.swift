// The parts of operations that change a column as a whole or copy what is there.
// Op.swift has the others; ResolveRetype.swift and ResolveCopies.swift say what comes of these.
package import TableValue

/// The parts of a change of what a column holds.
package struct RetypeColumn: Hashable, Sendable {
    /// What becomes of cells that hold what the other type cannot.
    package enum Unconvertible: String, Hashable, Sendable {
        /// They refuse the change, and some of their rows are named.
        case reject
        /// They become empty, and an undo brings back what they held.
        case empty
    }

    /// The column.
    package var column: ColumnReference
    /// What it shall hold.
    package var type: ColumnType
    /// Changes of its rules along with it, as `ColumnRules.changed(by:)` reads them.
    package var rules: JSONTree
    /// What becomes of cells that hold what the other type cannot.
    package var unconvertible: Unconvertible

    /// Makes a change.
    package init(
        column: ColumnReference, type: ColumnType, rules: JSONTree = .object([]),
        unconvertible: Unconvertible = .reject
    ) {
        self.column = column
        self.type = type
        self.rules = rules
        self.unconvertible = unconvertible
    }
}

/// The parts of a copy of a column.
package struct DuplicateColumn: Hashable, Sendable {
    /// The column that is copied.
    package var column: ColumnReference
    /// The new column's id, made by its author; nil where the server gives it.
    package var id: ColumnID?
    /// What the copy is called; nil for the same with a suffix.
    package var name: Text?
    /// Where it shall stand; nil for right behind the other.
    package var anchor: ColumnAnchor?
    /// What to do where the name is taken.
    package var onClash: NameClash

    /// Makes a copy.
    package init(
        column: ColumnReference, id: ColumnID? = nil, name: Text? = nil,
        anchor: ColumnAnchor? = nil, onClash: NameClash = .reject
    ) {
        self.column = column
        self.id = id
        self.name = name
        self.anchor = anchor
        self.onClash = onClash
    }
}

/// The parts of setting a column of the rows in order.
package struct SetColumn: Hashable, Sendable {
    /// The column.
    package var column: ColumnReference
    /// One value for each row.
    package var values: [Value]
    /// The rows, in the order of the values; nil for the live rows as they stand.
    package var rows: [RowID]?
    /// Ids of the rows that are made where there are more values than rows, by their author;
    /// empty where the server gives them.
    package var newRows: [RowID]

    /// Makes the setting of a column.
    package init(
        column: ColumnReference, values: [Value], rows: [RowID]? = nil, newRows: [RowID] = []
    ) {
        self.column = column
        self.values = values
        self.rows = rows
        self.newRows = newRows
    }
}

/// The parts of copying rows.
package struct DuplicateRows: Hashable, Sendable {
    /// The rows that are copied; the copies stand in this order, one behind the other.
    package var rows: [RowID]
    /// The new rows' ids, made by their author; empty where the server gives them.
    package var ids: [RowID]
    /// Where they shall stand; nil for right behind the last of the others.
    package var anchor: RowAnchor?

    /// Makes copies.
    package init(rows: [RowID], ids: [RowID] = [], anchor: RowAnchor? = nil) {
        self.rows = rows
        self.ids = ids
        self.anchor = anchor
    }
}

/// The parts of appending the rows of another table.
package struct AppendTable: Hashable, Sendable {
    /// The other table, by id or name.
    package var source: Text
    /// Leave out columns that this table does not have, and values that its columns cannot hold,
    /// instead of refusing.
    package var isLenient: Bool
    /// The rows, as the server has found them there; nil as the author sends it.
    package var rows: InsertRows?

    /// Names the other table.
    package init(source: Text, isLenient: Bool = false) {
        self.source = source
        self.isLenient = isLenient
    }
}
