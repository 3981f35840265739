// What differs between the plain table and another one, or a replica, in what anybody can see.
// What a table is stands in ReferenceTable.swift.
import TableModel
import TableValue

extension ReferenceTable {
    /// What is different in what anybody can see or get back; nil where nothing is.
    ///
    /// Cells are compared that either wrote as record `sequence`: both were the same before.
    func difference(
        from other: ReferenceTable, writtenBy sequence: SequenceNumber
    ) -> String? {
        if liveRows != other.liveRows {
            return "rows are \(list(other.liveRows)), not \(list(liveRows))"
        }
        let hidden = Set(rows.filter(\.isHidden).map(\.id))
        guard hidden == Set(other.rows.filter(\.isHidden).map(\.id)) else {
            return "other rows are hidden"
        }
        if leases.mapValues(\.claim) != other.leases.mapValues(\.claim) {
            return "other rows are leased"
        }
        if liveColumns != other.liveColumns {
            return "columns are \(other.liveColumns), not \(liveColumns)"
        }
        if look != other.look { return "it is shown as \(other.look), not as \(look)" }
        for writer in [self, other] {
            for (place, cell) in writer.cells where cell.version == sequence {
                let mine = value(place.row, place.column)
                let theirs = other.value(place.row, place.column)
                if mine != theirs {
                    return "cell \(place.row) \(place.column) is \(theirs), not \(mine)"
                }
            }
        }
        return nil
    }

    /// What is different in a replica's confirmed table; nil where nothing is.
    func difference(from table: Table) -> String? {
        guard table.head == head else { return "number is \(table.head), not \(head)" }
        guard table.columns == liveColumns else {
            return "columns are \(table.columns), not \(liveColumns)"
        }
        guard ReferenceLook(table.look) == look else {
            return "it is shown as \(table.look), not as \(look)"
        }
        let expected = liveRows
        guard table.rowCount == expected.count else {
            return "rows are \(table.rowCount), not \(expected.count)"
        }
        let columnIDs = liveColumns.map(\.id)
        var position = 0
        var difference: String?
        table.forEachRow(from: 0, count: expected.count, columns: columnIDs) { row, values in
            if row != expected[position] {
                difference = "row \(position) is \(row), not \(expected[position])"
            } else if values != columnIDs.map({ value(row, $0) }) {
                difference = "cells of \(row) are \(values), not as in the log"
            } else if table.row(at: position) != row || table.position(of: row) != position {
                difference = "row \(row) is not found at its position \(position)"
            }
            position += 1
            return difference == nil
        }
        return difference ?? (position == expected.count ? nil : "rows are missing in a visit")
    }

    private func list(_ ids: [RowID]) -> String {
        ids.map(\.description).joined(separator: " ")
    }
}
