// Rule T15: what is brought back as it was. The past table comes with the operation; what differs
// from it is decided here, against the table as it is when the operation's turn comes, and becomes
// ordinary changes. A whole table is brought back in RestoreTable.swift.
import TableValue

/// What is to be brought back.
package struct RestoreRequest: Hashable, Sendable {
    /// When it was so.
    package var moment: PastMoment
    /// These rows alone; nil for all.
    package var rows: [RowID]?
    /// Cells of these columns alone; nil for all, and for the rows and columns themselves.
    package var columns: [ColumnReference]?

    /// Makes a request, for the whole table where neither rows nor columns are named.
    package init(
        to moment: PastMoment, rows: [RowID]? = nil, columns: [ColumnReference]? = nil
    ) {
        self.moment = moment
        self.rows = rows
        self.columns = columns
    }

    /// True where all of the table is meant: its columns, its rows and their order too.
    package var isWhole: Bool { rows == nil && columns == nil }
}

/// What bringing back came to.
package struct RestoreCounts: Hashable, Sendable {
    /// The record after which the table was so.
    package var sequence: SequenceNumber
    /// Cells that hold again what they held.
    package var cells = 0
    /// Rows that came back, went, or stand where they stood.
    package var rows = 0
    /// Columns that came back, went or changed.
    package var columns = 0

    /// Counts nothing yet.
    package init(to sequence: SequenceNumber) {
        self.sequence = sequence
    }
}

extension Table {
    /// Brings back what was.
    mutating func performRestore(
        _ request: RestoreRequest, _ progress: inout Progress
    ) throws(Rejection) {
        guard let past = progress.past else {
            throw Rejection(
                .unknownRecord,
                "There is no such moment in the table's past; its history tells which there are.")
        }
        try checkWidth(max(rowCount, past.rowCount))
        var counts = RestoreCounts(to: past.head)
        if request.isWhole {
            try restoreAll(to: past, &counts, &progress)
        } else {
            try restorePart(request, to: past, &counts, &progress)
        }
        progress.restored = counts
    }

    // MARK: Rows and cells

    private mutating func restorePart(
        _ request: RestoreRequest, to past: Table, _ counts: inout RestoreCounts,
        _ progress: inout Progress
    ) throws(Rejection) {
        let columns = try columnsToRestore(request.columns, past)
        var ids: [RowID] = []
        if let named = request.rows {
            var seen: Set<RowID> = []
            ids = named.filter { seen.insert($0).inserted }
        } else {
            past.forEachRow(from: 0, count: past.rowCount, columns: []) { row, _ in
                ids.append(row)
                return true
            }
        }
        if request.columns == nil { try restorePresence(of: ids, past, &counts, &progress) }
        let edits = try editsRestoring(ids, columns, isNamed: request.rows != nil, past, &progress)
        let before = progress.applied
        try setMany(edits, &progress)
        counts.cells += progress.applied - before
    }

    /// The columns whose cells come back: those that are there now and were there then.
    private func columnsToRestore(
        _ references: [ColumnReference]?, _ past: Table
    ) throws(Rejection) -> [Int] {
        guard let references else {
            return schema.liveOrder.filter { index in
                let column = schema.entries[index].column
                return past.schema.index(of: column.id).map {
                    past.schema.entries[$0].column.type == column.type
                } == true && !ruleBook.isComputed(index)
            }
        }
        var columns: [Int] = []
        for reference in references {
            guard let index = schema.index(of: reference) else { throw unknownColumn(reference) }
            let column = schema.entries[index].column
            guard let then = past.schema.index(of: column.id) else {
                throw Rejection(
                    .unknownColumn, "The column \(column.id) was not there then.",
                    column: column.id)
            }
            guard past.schema.entries[then].column.type == column.type else {
                throw Rejection(
                    .typeDiffers,
                    "The column held \(past.schema.entries[then].column.type.rawValue) then.",
                    column: column.id)
            }
            if !columns.contains(index) { columns.append(index) }
        }
        return columns
    }

    /// The cells of rows that differ from what they held.
    private func editsRestoring(
        _ ids: [RowID], _ columns: [Int], isNamed: Bool, _ past: Table,
        _ progress: inout Progress
    ) throws(Rejection) -> [CellEdit] {
        var edits: [CellEdit] = []
        for id in ids {
            guard let slot = rows.slot(of: id) else {
                try progress.miss(id)
                continue
            }
            guard let then = past.rows.slot(of: id), !past.rows.order.isHidden(then),
                isNamed || !rows.order.isHidden(slot)
            else { continue }
            for index in columns {
                let column = schema.entries[index].column.id
                guard let old = past.schema.index(of: column) else { continue }
                let value = past.cells[old].value(then)
                if cells[index].equals(slot, value) { continue }
                edits.append(CellEdit(row: id, column: .id(column), value: value))
            }
        }
        return edits
    }

    /// Shows rows that were there, and hides those that were not.
    private mutating func restorePresence(
        of ids: [RowID], _ past: Table, _ counts: inout RestoreCounts, _ progress: inout Progress
    ) throws(Rejection) {
        var hidden: [RowID] = []
        var shown: [UInt32] = []
        for id in ids {
            guard let slot = rows.slot(of: id) else { continue }
            let wasLive = past.state(of: id) == .live
            guard wasLive == rows.order.isHidden(slot) else { continue }
            if wasLive {
                if try show(slot, &progress) { shown.append(slot) }
            } else {
                setRowHidden(slot, true, stamp: progress.stamp)
                hidden.append(id)
                progress.applied += 1
            }
        }
        counts.rows += hidden.count + shown.count
        if !hidden.isEmpty { progress.changes.append(.rowsHidden(hidden)) }
        if !shown.isEmpty { tellShown(shown, &progress) }
    }
}

extension Outcome {
    /// True where the operation brought back what was.
    package var isRestore: Bool {
        notes.contains { note in
            if case .restored = note { true } else { false }
        }
    }
}
