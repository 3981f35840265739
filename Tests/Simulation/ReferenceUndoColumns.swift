// Undo of what was done to columns, written a second time. Cells and rows are in
// ReferenceUndo.swift, which hands steps over.
import TableModel
import TableValue

extension ReferenceResolver {
    mutating func takeBackColumn(
        _ step: UndoStep, of operation: ReferencePast.Operation, _ isForced: Bool,
        _ decisions: inout [ReferencePast.Register: Bool]
    ) {
        switch step {
        case .columnAdded(let id): hideColumn(id, operation, isForced)
        case .columnPresence(let id, let wasHidden):
            guard owns(.columnPresence(id), operation, isForced) else { return keep() }
            if wasHidden { hideColumn(id, operation, isForced) } else { showColumn(id) }
        case .name(let id, let old):
            guard owns(.name(id), operation, isForced) else { return keep() }
            performRename(.id(id), old, .suffix)
        case .rules(let id, let old):
            guard owns(.rules(id), operation, isForced) else { return keep() }
            replaceRules(.id(id), old)
        case .type(let id): takeBackType(id, operation, isForced)
        case .columnPlace(let id, let behind):
            let register = ReferencePast.Register.columnPlace(id)
            let isNew = decisions[register] == nil
            let isOurs = decisions[register] ?? owns(register, operation, isForced)
            decisions[register] = isOurs
            guard isOurs else {
                if isNew { keep() }
                return
            }
            performMoveColumn(.id(id), behind.map { .after(.id($0)) } ?? .first)
        default: break
        }
    }

    private mutating func hideColumn(
        _ id: ColumnID, _ operation: ReferencePast.Operation, _ isForced: Bool
    ) {
        guard let place = table.columnPlace(id), !table.columns[place].isHidden else { return }
        let isUsed = table.cells.contains { entry in
            guard entry.key.column == id, entry.value.value != .null else { return false }
            if table.past.writers[.cell(entry.key)] != nil {
                return isOthers(.cell(entry.key), since: operation)
            }
            // It began with its row.
            return table.created[entry.key.row] ?? 0 > operation.record.sequence
                && table.past.session(table.created[entry.key.row] ?? 0)
                    != operation.record.session
        }
        guard isForced || !isUsed else { return keep() }
        guard !isRead(id) else {
            refused += 1
            return
        }
        table.columns[place].isHidden = true
        applied += 1
        hasChanged = true
    }

    private mutating func showColumn(_ id: ColumnID) {
        guard let place = table.columnPlace(id), table.columns[place].isHidden,
            let name = freeName(table.columns[place].column.name, .suffix, except: id)
        else { return }
        table.columns[place].column.name = name
        table.columns[place].isHidden = false
        applied += 1
        hasChanged = true
        guard isComputed(id) else { return }
        for row in table.liveRows {
            for (column, value) in computed(row, [:], of: nil) { put(row, column, value) }
        }
    }
}
