// The way back from changes that everybody has: undo as new changes. Invariant I8.
// (The way back inside one operation is Journal.swift.)
import TableValue

extension Table {
    /// What would take `changes` back, computed before they are applied.
    ///
    /// Invariant I8.
    ///
    /// Applied right after them it restores what everybody sees; rows and columns that were
    /// added become hidden.
    ///
    /// Complexity: that of applying the changes, and of copying the chunks that they touch.
    package func inverse(of changes: [Change]) -> [Change] {
        var after = self
        var steps: [[Change]] = []
        for change in changes {
            steps.append(after.inverse(of: change))
            _ = after.apply(change, stamp: Stamp(sequence: head &+ 1, session: 0))
        }
        return steps.reversed().flatMap { $0 }
    }

    private func inverse(of change: Change) -> [Change] {
        switch change {
        case .rowsInserted(let block), .rowsShown(let block):
            block.ids.isEmpty ? [] : [.rowsHidden(block.ids)]
        case .cellsSet(let edits):
            inverse(ofSetting: edits)
        case .rowsHidden(let ids):
            inverse(ofHiding: ids)
        case .rowsMoved(let ids, _):
            runs(of: ids.compactMap { rows.slot(of: $0) }).map { run in
                .rowsMoved(run.slots.map { rows.ids[$0] }, to: run.place)
            }
        case .columnAdded(let column, _):
            schema.index(of: column.id) == nil ? [.columnHidden(column.id)] : []
        case .columnRenamed(let id, _):
            column(id).map { [.columnRenamed(id, name: $0.name)] } ?? []
        case .columnRulesSet(let id, _):
            column(id).map { [.columnRulesSet(id, $0.rules)] } ?? []
        case .columnMoved(let id, _):
            schema.index(of: id).map { [.columnMoved(id, to: place(ofColumn: $0))] } ?? []
        case .columnHidden(let id):
            inverse(ofHiding: id)
        case .columnShown(let id, _):
            schema.index(of: id) == nil ? [] : [.columnHidden(id)]
        }
    }

    private func inverse(ofSetting edits: [CellChange]) -> [Change] {
        let old = edits.reversed().compactMap { edit in
            value(edit.row, edit.column).map {
                CellChange(row: edit.row, column: edit.column, value: $0)
            }
        }
        return old.isEmpty ? [] : [.cellsSet(old)]
    }

    private func inverse(ofHiding ids: [RowID]) -> [Change] {
        let live = ids.compactMap { rows.slot(of: $0) }.filter { !rows.order.isHidden($0) }
        let columns = schema.entries.map(\.column.id)
        return runs(of: live).map { run in
            var values: [Value] = []
            values.reserveCapacity(run.slots.count * columns.count)
            for slot in run.slots {
                for column in cells.indices { values.append(cells[column].value(slot)) }
            }
            return .rowsShown(
                RowBlock(
                    ids: run.slots.map { rows.ids[$0] }, place: run.place, columns: columns,
                    cells: values))
        }
    }

    private func inverse(ofHiding column: ColumnID) -> [Change] {
        guard let index = schema.index(of: column), !schema.entries[index].isHidden else {
            return []
        }
        return [.columnShown(column, at: place(ofColumn: index))]
    }

    private func place(ofColumn index: Int) -> ColumnPlace {
        schema.place(behind: schema.predecessor(of: index))
    }

    /// Rows that stand together now, with the place where they stand.
    private struct Run {
        var slots: [UInt32]
        var place: RowPlace
        var liveCountBefore: Int
    }

    /// The rows as runs of neighbours in the order of the table.
    ///
    /// Put back in this order, each run finds the row that stood before it where it was.
    private func runs(of slots: [UInt32]) -> [Run] {
        let members = Set(slots)
        var runs: [Run] = []
        var seen: Set<UInt32> = []
        for slot in slots where seen.insert(slot).inserted {
            let before = rows.order.predecessor(of: slot)
            if let before, members.contains(before) { continue }
            var run = [slot]
            var last = slot
            while let next = rows.order.successor(of: last), members.contains(next) {
                run.append(next)
                last = next
            }
            runs.append(
                Run(
                    slots: run, place: place(behind: before),
                    liveCountBefore: rows.order.liveCountBefore(slot)))
        }
        return runs.sorted { $0.liveCountBefore < $1.liveCountBefore }
    }

    private func place(behind entry: UInt32?) -> RowPlace {
        guard let entry else { return RowPlace(after: nil) }
        guard rows.order.isHidden(entry) else { return RowPlace(after: rows.ids[entry]) }
        let live = rows.order.livePredecessor(of: entry)
        return RowPlace(after: live.map { rows.ids[$0] }, slot: rows.ids[entry])
    }
}
