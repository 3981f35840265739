// Records: what happened is made so here too. Nothing is judged; what names an unknown row or
// column is passed over, and what cannot be right is answered with false, never with a trap.
import TableValue

extension Table {
    /// Applies a record; never refuses.
    ///
    /// Parts about rows or columns that this replica does not know are passed over. Values may be
    /// in the loose spelling of the wire.
    ///
    /// - Returns: false where the record does not follow `head` or did not fit in a way that no
    ///   right log leads to; the replica should then be loaded anew.
    @discardableResult
    package mutating func apply(_ record: Record) -> Bool {
        guard record.sequence == head &+ 1 else { return false }
        let stamp = Stamp(sequence: record.sequence, session: record.session.rawValue)
        journal.isActive = keepsUndo
        leases.applying = record.author
        for change in record.changes {
            guard apply(change, stamp: stamp) else {
                journal = Journal()
                return false
            }
        }
        head = record.sequence
        keepUndo(
            by: record.author, target: record.outcome.undid,
            keepsEachWrite: record.outcome.isRestore)
        return true
    }

    /// Applies one change.
    mutating func apply(_ change: Change, stamp: Stamp) -> Bool {
        switch change {
        case .rowsInserted(let block): return applyInserted(block, stamp: stamp)
        case .cellsSet(let edits): return applySet(edits, stamp: stamp)
        case .cellsFilled(let column, let rows, let values):
            return applyFilled(column, rows, values, stamp: stamp)
        case .rowsHidden(let ids): return applyHidden(ids, stamp: stamp)
        case .rowsShown(let block): return applyShown(block, stamp: stamp)
        case .rowsMoved(let ids, let place): return applyMoved(ids, to: place, stamp: stamp)
        case .rowsArranged(let ids): return applyArranged(ids, stamp: stamp)
        case .leaseSet(let row, let milliseconds):
            return applyLease(row, until: milliseconds, stamp: stamp)
        case .leaseEnded(let row): return applyLeaseEnd(row)
        case .displaySet(let change):
            applyDisplay(change, stamp: stamp)
            return true
        case .commentPut(let comment): return applyComment(comment, stamp: stamp)
        case .columnAdded, .columnRenamed, .columnRulesSet, .columnRetyped, .columnMoved,
            .columnHidden, .columnShown:
            return applyColumns(change, stamp: stamp)
        }
    }

    // MARK: Cells

    private mutating func applySet(_ edits: [CellChange], stamp: Stamp) -> Bool {
        for edit in edits {
            guard let slot = rows.slot(of: edit.row), let index = schema.index(of: edit.column)
            else { continue }
            guard let value = fitted(edit.value, to: cells[index].type),
                setCell(slot, index, value, stamp: stamp)
            else { return false }
        }
        return true
    }

    private mutating func applyFilled(
        _ column: ColumnID, _ ids: [RowID], _ values: [Value], stamp: Stamp
    ) -> Bool {
        guard ids.count == values.count else { return false }
        guard let index = schema.index(of: column) else { return true }
        let type = cells[index].type
        let isRetyped = journal.hasRetyped(index)
        for (id, value) in zip(ids, values) {
            guard let slot = rows.slot(of: id) else { continue }
            guard let value = fitted(value, to: type) else { return false }
            if isRetyped {
                guard refillCell(slot, index, value, stamp: stamp) else { return false }
                continue
            }
            // What comes with a column that is shown again is mostly there.
            if cells[index].equals(slot, value) { continue }
            guard setCell(slot, index, value, stamp: stamp) else { return false }
        }
        return true
    }

    // MARK: Comments

    private mutating func applyComment(_ comment: TableComment, stamp: Stamp) -> Bool {
        putComment(comment, stamp: stamp)
    }

    // MARK: Columns

    private mutating func applyColumns(_ change: Change, stamp: Stamp) -> Bool {
        switch change {
        case .columnAdded(let column, let place):
            guard let predecessor = predecessor(at: place) else { return false }
            return addColumn(column, after: predecessor, stamp: stamp)
        case .columnRenamed(let id, let name):
            guard let index = schema.index(of: id) else { return true }
            renameColumn(index, to: name, stamp: stamp)
            return true
        case .columnRulesSet(let id, let rules):
            guard let index = schema.index(of: id) else { return true }
            setColumnRules(index, rules, stamp: stamp)
            return true
        case .columnRetyped(let id, let type, let rules):
            guard let index = schema.index(of: id) else { return true }
            setColumnType(index, type, rules, stamp: stamp)
            return true
        case .columnMoved(let id, let place):
            guard let index = schema.index(of: id) else { return true }
            guard let predecessor = predecessor(at: place), predecessor != index else {
                return false
            }
            moveColumn(index, after: predecessor, stamp: stamp)
            return true
        case .columnHidden(let id):
            guard let index = schema.index(of: id) else { return true }
            setColumnHidden(index, true, stamp: stamp)
            return true
        case .columnShown(let column, let place):
            guard let predecessor = predecessor(at: place) else { return false }
            guard let index = schema.index(of: column.id) else {
                return addColumn(column, after: predecessor, stamp: stamp)
            }
            guard predecessor != index, cells[index].type == column.type else { return false }
            if schema.predecessor(of: index) != predecessor {
                moveColumn(index, after: predecessor, stamp: stamp)
            }
            setColumnHidden(index, false, stamp: stamp)
            return true
        default:
            return false
        }
    }

    private func predecessor(at place: ColumnPlace) -> Int?? {
        schema.predecessor(at: place, isComplete: isComplete)
    }
}
