// Values as the wire spells them, turned into values of their columns' types before a table is
// given them. Nothing is guessed: what does not fit makes the whole useless.
import TableModel
import TableValue
import TableWire

/// The types of the columns that a record or a block of rows speaks of.
private struct ColumnTypes {
    let table: Table
    /// The types of columns that the record itself adds or changes.
    var changed: [(column: ColumnID, type: ColumnType)] = []

    /// nil where the column is unknown: the table will pass it over.
    func type(of id: ColumnID) -> ColumnType? {
        changed.last { $0.column == id }?.type ?? table.column(id)?.type
    }
}

/// The record with values of their columns' types; nil where one does not fit.
func converted(_ record: Record, for table: Table) -> Record? {
    var types = ColumnTypes(table: table)
    var record = record
    for index in record.changes.indices {
        switch record.changes[index] {
        case .columnAdded(let column, _):
            types.changed.append((column.id, column.type))
        case .columnRetyped(let id, let type, _):
            if types.type(of: id) != nil { types.changed.append((id, type)) }
        case .cellsSet(let edits):
            guard !edits.allSatisfy({ isOfType($0.value, types.type(of: $0.column)) }) else {
                continue
            }
            guard let fitting = converted(edits, types) else { return nil }
            record.changes[index] = .cellsSet(fitting)
        case .rowsInserted(var block):
            guard convert(&block.cells, block.columns.map { types.type(of: $0) }) else {
                return nil
            }
            record.changes[index] = .rowsInserted(block)
        case .rowsShown(var block):
            guard convert(&block.cells, block.columns.map { types.type(of: $0) }) else {
                return nil
            }
            record.changes[index] = .rowsShown(block)
        default: continue
        }
    }
    return record
}

/// The cells of a snapshot's block with values of their columns' types; nil where one does not
/// fit.
func convertedCells(of chunk: Chunk, for table: Table) -> [Value]? {
    var cells = chunk.cells
    let types = ColumnTypes(table: table)
    return convert(&cells, chunk.columns.map { types.type(of: $0) }) ? cells : nil
}

private func converted(_ edits: [CellChange], _ types: ColumnTypes) -> [CellChange]? {
    var fitting = edits
    for index in fitting.indices {
        guard let type = types.type(of: fitting[index].column) else { continue }
        guard let value = try? fitting[index].value.converted(to: type) else { return nil }
        fitting[index].value = value
    }
    return fitting
}

private func convert(_ cells: inout [Value], _ types: [ColumnType?]) -> Bool {
    guard !types.isEmpty, cells.count % types.count == 0 else { return cells.isEmpty }
    var position = 0
    for index in cells.indices {
        let type = types[position]
        position = position + 1 == types.count ? 0 : position + 1
        guard let type, !isOfType(cells[index], type) else { continue }
        guard let value = try? cells[index].converted(to: type) else { return false }
        cells[index] = value
    }
    return true
}

private func isOfType(_ value: Value, _ type: ColumnType?) -> Bool {
    guard let type, let own = value.type else { return true }
    return own == type
}
