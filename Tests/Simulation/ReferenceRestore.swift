// Rule T15 written a second time: the table as it was is simply taken, from what undo keeps.
// Cells of columns are set as any operation would; rows and columns come with a whole table alone,
// since that is all that is drawn.
import TableModel
import TableValue

extension ReferenceTable {
    /// The table after a record; nil where there is no such record.
    func asOf(_ sequence: SequenceNumber) -> ReferenceTable? {
        if sequence == head { return self }
        guard sequence >= 1, sequence < head else { return nil }
        return past.operations[sequence + 1]?.before
    }
}

extension ReferenceResolver {
    /// T15.
    mutating func performRestore(_ request: RestoreRequest) {
        guard case .sequence(let sequence) = request.moment, let then = table.asOf(sequence) else {
            refused += 1
            return
        }
        guard let columns = request.columns else { return restoreAll(then) }
        var found: [ColumnID] = []
        for reference in columns {
            guard let column = column(reference)?.column,
                let place = then.columnPlace(column.id),
                then.columns[place].column.type == column.type
            else {
                refused += 1
                return
            }
            if !found.contains(column.id) { found.append(column.id) }
        }
        var edits: [CellEdit] = []
        for row in then.liveRows where table.liveRows.contains(row) {
            for column in found where table.value(row, column) != then.value(row, column) {
                edits.append(
                    CellEdit(row: row, column: .id(column), value: then.value(row, column)))
            }
        }
        performSet(edits)
    }

    private mutating func restoreAll(_ then: ReferenceTable) {
        let before = table
        // How columns are shown stays as it is.
        let columns = then.liveColumns.map { column in
            var column = column
            if let place = table.columnPlace(column.id) {
                column.display = table.columns[place].column.display
            }
            return column
        }
        let rows = then.liveRows
        let retyped = columns.filter { column in
            table.columnPlace(column.id).map { table.columns[$0].column.type } != column.type
        }
        guard !retyped.contains(where: { isReadByHidden($0.id) }) else {
            refused += 1
            return
        }
        for column in retyped {
            for (place, cell) in table.cells where place.column == column.id {
                table.cells[place]?.value = cell.value.recast(to: column.type) ?? .null
                table.cells[place]?.version = sequence
            }
        }
        let others = table.columns.filter { other in
            !columns.contains { $0.id == other.column.id }
        }
        table.columns =
            columns.map { .init(column: $0) }
            + others.map { .init(column: $0.column, isHidden: true) }
        let otherRows = table.rows.filter { !rows.contains($0.id) }
        table.rows =
            rows.map { .init(id: $0) } + otherRows.map { .init(id: $0.id, isHidden: true) }
        for row in rows {
            for column in columns where table.value(row, column.id) != then.value(row, column.id) {
                table.cells[.init(row: row, column: column.id)] = .init(
                    value: then.value(row, column.id), version: sequence)
                hasChanged = true
            }
        }
        if before.liveRows != rows || before.liveColumns != columns { hasChanged = true }
        if hasChanged { applied += 1 }
    }
}
