// Undo written a second time, from whole tables instead of steps: the table before an operation is
// kept, and what it changed is found by doing it again. Every value remembers where it came
// from, so that whether somebody has gone on from it is one comparison.
import TableModel
import TableValue

/// One thing that an operation did, and what was there before.
enum UndoStep {
    case cell(ReferenceTable.Place, Value)
    case lease(RowID)
    case inserted([RowID])
    case presence(RowID, wasHidden: Bool)
    /// As they stood.
    case arranged([RowID])
    /// Each with the row that stood before it when it was taken out.
    case moved([(row: RowID, behind: RowID?)])
    case columnAdded(ColumnID)
    case columnPresence(ColumnID, wasHidden: Bool)
    case name(ColumnID, Text)
    case rules(ColumnID, ColumnRules)
    case type(ColumnID)
    case columnPlace(ColumnID, behind: ColumnID?)
    case display(ReferenceLook.Place, ReferenceLook.Said?)
}

extension ReferenceTable {
    /// The registers that a change writes.
    func registers(of change: Change) -> [ReferencePast.Register] {
        switch change {
        case .cellsSet(let cells): cells.map { .cell(Place(row: $0.row, column: $0.column)) }
        case .rowsHidden(let ids): ids.map { .presence($0) }
        case .rowsShown(let block): block.ids.map { .presence($0) }
        case .rowsMoved(let ids, _): ids.map { .place($0) }
        case .columnRenamed(let id, _): [.name(id)]
        case .columnRulesSet(let id, _): [.rules(id)]
        case .columnRetyped(let id, _, let rules):
            columnPlace(id).map { columns[$0].column.rules } == rules
                ? [.type(id)] : [.type(id), .rules(id)]
        case .columnMoved(let id, _): [.columnPlace(id)]
        case .columnHidden(let id): [.columnPresence(id)]
        case .columnShown(let column, _): [.columnPresence(column.id)]
        // What a column that is shown holds anyway is not written.
        case .cellsFilled(let column, let rows, let values):
            changed(column, rows, values).map { .cell(Place(row: $0.row, column: column)) }
        case .rowsArranged(let ids): ids.map { .place($0) }
        case .leaseSet, .leaseEnded, .commentPut: []
        case .displaySet(let change): places(of: change).map { .display($0) }
        case .columnAdded(let column, _):
            [
                .name(column.id), .type(column.id), .rules(column.id), .columnPlace(column.id),
                .columnPresence(column.id),
            ]
        case .rowsInserted(let block):
            block.ids.flatMap { [.presence($0), .place($0)] }
        }
    }

    /// The cells of a fill that hold another value, with what they hold.
    private func changed(
        _ column: ColumnID, _ rows: [RowID], _ values: [Value]
    ) -> [(row: RowID, old: Value)] {
        guard let place = columnPlace(column) else { return [] }
        let type = columns[place].column.type
        return zip(rows, values).compactMap { row, value in
            let old = self.value(row, column)
            return (try? value.converted(to: type)) == old ? nil : (row, old)
        }
    }

    /// The steps of an operation, by doing it again.
    fileprivate func steps(of changes: [Change]) -> [UndoStep] {
        var table = self
        var steps: [UndoStep] = []
        for change in changes {
            switch change {
            case .cellsSet(let cells):
                for cell in cells {
                    let place = Place(row: cell.row, column: cell.column)
                    steps.append(.cell(place, table.value(cell.row, cell.column)))
                }
            case .rowsInserted(let block): steps.append(.inserted(block.ids))
            case .rowsHidden(let ids):
                steps += ids.map { .presence($0, wasHidden: false) }
            case .rowsShown(let block):
                steps += block.ids.map { .presence($0, wasHidden: true) }
            case .rowsMoved(let ids, _):
                var order = table.rows.map(\.id)
                var moved: [(row: RowID, behind: RowID?)] = []
                for id in ids {
                    guard let place = order.firstIndex(of: id) else { continue }
                    moved.append((id, place > 0 ? order[place - 1] : nil))
                    order.remove(at: place)
                }
                steps.append(.moved(moved))
            case .columnAdded(let column, _): steps.append(.columnAdded(column.id))
            case .columnRetyped(let id, _, _): steps.append(.type(id))
            case .columnHidden(let id): steps.append(.columnPresence(id, wasHidden: false))
            case .columnShown(let column, _):
                steps.append(.columnPresence(column.id, wasHidden: true))
            case .cellsFilled(let column, let rows, let values):
                for (row, old) in table.changed(column, rows, values) {
                    steps.append(.cell(Place(row: row, column: column), old))
                }
            case .leaseSet(let id, _): steps.append(.lease(id))
            case .leaseEnded, .commentPut: break
            case .displaySet(let change):
                steps += table.places(of: change).map { .display($0, table.said($0)) }
            case .rowsArranged(let ids):
                steps.append(.arranged(table.liveRows.filter { ids.contains($0) }))
            case .columnRenamed(let id, _), .columnRulesSet(let id, _), .columnMoved(let id, _):
                guard let place = table.columnPlace(id) else { continue }
                let column = table.columns[place].column
                if case .columnRenamed = change { steps.append(.name(id, column.name)) }
                if case .columnRulesSet = change { steps.append(.rules(id, column.rules)) }
                guard case .columnMoved = change else { continue }
                let behind = place > 0 ? table.columns[place - 1].column.id : nil
                steps.append(.columnPlace(id, behind: behind))
            }
            // It has been applied before.
            try? table.apply(change, 0)
        }
        return steps
    }
}

extension ReferenceResolver {
    /// U1 to U15.
    mutating func performUndo(
        _ request: UndoRequest, _ mode: OpMode, given undid: SequenceNumber?
    ) {
        let target: SequenceNumber? =
            switch request.target {
            case .last: top(isRedo: false, mode, given: undid)
            case .lastUndone: top(isRedo: true, mode, given: undid)
            case .sequence(let sequence): sequence
            case .clientNumber(let number):
                table.past.operations.values.filter {
                    $0.record.session == session && $0.record.clientNumber == number
                }.map(\.record.sequence).first
            }
        guard let target, let operation = table.past.operations[target] else {
            refused += 1
            return
        }
        takeBack(operation, isForced: request.isForced)
    }

    /// The top of a stack.
    ///
    /// What has been found to leave nothing to take back is not there any
    /// more; the log tells of that later than of records, so it is found out here again.
    private func top(
        isRedo: Bool, _ mode: OpMode, given undid: SequenceNumber?
    ) -> SequenceNumber? {
        table.past.stack(of: session, isRedo: isRedo).first { sequence in
            guard sequence != undid, let operation = table.past.operations[sequence] else {
                return true
            }
            var trial = self
            // The one that found it so was not forced.
            trial.takeBack(operation, isForced: false)
            // A strict one that is refused has not been found to leave nothing.
            return trial.hasChanged || (undid == nil && trial.status(mode) == .rejected)
        }
    }

    mutating func takeBack(_ operation: ReferencePast.Operation, isForced: Bool) {
        var seen: Set<ReferencePast.Register> = []
        var first: [UndoStep] = []
        // What is written twice in between goes back the same way.
        let keepsEach = operation.record.outcome.isRestore
        for step in operation.before.steps(of: operation.record.changes) {
            switch step {
            case .inserted(let ids): for id in ids { seen.insert(.presence(id)) }
            case .columnAdded(let id):
                seen.insert(.columnPresence(id))
                seen.formUnion([.name(id), .rules(id)])
            case .moved, .arranged, .columnPlace, .lease: break
            // What it held before its column's type was changed comes back with that.
            case .cell(let place, _) where seen.contains(.type(place.column)): continue
            // Values that must differ go back the way they came.
            case .cell(let place, _):
                let column = column(.id(place.column))?.column
                let isUnique = column.map { ReferenceRules($0).isUnique } ?? false
                if !isUnique, !seen.insert(.cell(place)).inserted { continue }
            case .presence(let id, _): if !seen.insert(.presence(id)).inserted { continue }
            case .columnPresence(let id, _):
                if !seen.insert(.columnPresence(id)).inserted, !keepsEach { continue }
            case .name(let id, _):
                if !seen.insert(.name(id)).inserted, !keepsEach { continue }
            case .rules(let id, _):
                if !seen.insert(.rules(id)).inserted, !keepsEach { continue }
            case .type(let id): if !seen.insert(.type(id)).inserted { continue }
            case .display(let place, _):
                if !seen.insert(.display(place)).inserted { continue }
            }
            first.append(step)
        }
        var decisions: [ReferencePast.Register: Bool] = [:]
        var edits: [CellEdit] = []
        var later: [(ReferenceTable.Place, Value)] = []
        for step in first.reversed() {
            if case .cell(let place, let old) = step {
                if isComputed(place.column) {
                    later.append((place, old))
                    continue
                }
                guard owns(place, operation, isForced, &decisions) else { continue }
                append(old, to: place, &edits)
                continue
            }
            performSet(edits)
            edits = []
            takeBack(step, of: operation, isForced: isForced, &decisions)
        }
        performSet(edits)
        edits = []
        for (place, old) in later where !isComputed(place.column) {
            guard owns(place, operation, isForced, &decisions) else { continue }
            append(old, to: place, &edits)
        }
        performSet(edits)
    }

    /// A value comes back as what its column holds now.
    private mutating func append(
        _ old: Value, to place: ReferenceTable.Place, _ edits: inout [CellEdit]
    ) {
        guard let type = column(.id(place.column))?.column.type, let value = old.recast(to: type)
        else {
            refused += 1
            return
        }
        edits.append(CellEdit(row: place.row, column: .id(place.column), value: value))
    }

    func isComputed(_ column: ColumnID) -> Bool {
        table.columns.contains {
            $0.column.id == column && ReferenceRules($0.column)["computed"] != nil
        }
    }

    private mutating func owns(
        _ place: ReferenceTable.Place, _ operation: ReferencePast.Operation, _ isForced: Bool,
        _ decisions: inout [ReferencePast.Register: Bool]
    ) -> Bool {
        let isNew = decisions[.cell(place)] == nil
        let isOurs = decisions[.cell(place)] ?? owns(.cell(place), operation, isForced)
        decisions[.cell(place)] = isOurs
        if !isOurs, isNew { keep() }
        return isOurs
    }

    /// True where a register still has what the operation gave it.
    func owns(
        _ register: ReferencePast.Register, _ operation: ReferencePast.Operation, _ isForced: Bool
    ) -> Bool {
        isForced || table.past.writers[register]?.sequence == sequence
            || table.past.writers[register]?.origin == operation.writersAfter[register]?.origin
    }

    private mutating func takeBack(
        _ step: UndoStep, of operation: ReferencePast.Operation, isForced: Bool,
        _ decisions: inout [ReferencePast.Register: Bool]
    ) {
        switch step {
        case .cell: break
        case .lease(let id):
            if table.leases[id]?.claim == operation.record.sequence {
                table.leases[id] = nil
                hasChanged = true
            }
        case .inserted(let ids): for id in ids { hide(id, operation, isForced) }
        case .presence(let id, let wasHidden):
            guard let place = table.rowPlace(id), table.rows[place].isHidden != wasHidden else {
                return
            }
            guard owns(.presence(id), operation, isForced) else { return keep() }
            if wasHidden { return hide(id, operation, isForced) }
            let isKept = table.columns.allSatisfy { column in
                let (rules, columnID) = (ReferenceRules(column.column), column.column.id)
                let value = table.value(id, columnID)
                return column.isHidden || isComputed(columnID)
                    || (rules.keep(value)
                        && !(rules.isUnique && table.isTaken(value, columnID, besides: id)))
            }
            guard isKept, brokenChecks(id, [:], of: nil).isEmpty else {
                refused += 1
                return
            }
            for (column, value) in computed(id, [:], of: nil) { put(id, column, value) }
            table.rows[place].isHidden = false
            applied += 1
            hasChanged = true
        case .moved(let origins):
            var ours: [(row: RowID, behind: RowID?)] = []
            for origin in origins {
                let register = ReferencePast.Register.place(origin.row)
                let isNew = decisions[register] == nil
                let isOurs = decisions[register] ?? owns(register, operation, isForced)
                decisions[register] = isOurs
                if isOurs { ours.append(origin) } else if isNew { keep() }
            }
            for origin in ours.reversed() { move(origin.row, behind: origin.behind) }
        case .display(let place, let old):
            guard owns(.display(place), operation, isForced) else { return keep() }
            performDisplay(place, old)
        case .arranged(let before):
            takeBackSort(before, of: operation, isForced, &decisions)
        case .columnAdded, .columnPresence, .name, .rules, .type, .columnPlace:
            takeBackColumn(step, of: operation, isForced, &decisions)
        }
    }

    /// U9.
    private mutating func takeBackSort(
        _ before: [RowID], of operation: ReferencePast.Operation, _ isForced: Bool,
        _ decisions: inout [ReferencePast.Register: Bool]
    ) {
        let live = table.liveRows
        var ours: [RowID] = []
        for id in before where live.contains(id) {
            let register = ReferencePast.Register.place(id)
            let isNew = decisions[register] == nil
            let isOurs = decisions[register] ?? owns(register, operation, isForced)
            decisions[register] = isOurs
            if isOurs { ours.append(id) } else if isNew { keep() }
        }
        applied += ours.count
        // Rows that came since stay behind the row that they follow.
        var groups: [[RowID]] = []
        for id in live {
            if ours.contains(id) {
                groups.append([id])
            } else if table.created[id] ?? 0 > operation.record.sequence,
                groups.last?.isEmpty == false
            {
                groups[groups.count - 1].append(id)
            } else {
                groups.append([])
            }
        }
        arrange(ours.flatMap { id in groups.first { $0.first == id } ?? [] })
    }

    mutating func keep() {
        kept += 1
    }

    private mutating func move(_ id: RowID, behind neighbour: RowID?) {
        guard let place = table.rowPlace(id) else { return }
        let before = table.rows
        let row = table.rows.remove(at: place)
        let index = neighbour.flatMap { table.rowPlace($0) }.map { $0 + 1 } ?? 0
        table.rows.insert(row, at: index)
        applied += 1
        hasChanged = hasChanged || before != table.rows
    }

    private mutating func hide(
        _ id: RowID, _ operation: ReferencePast.Operation, _ isForced: Bool
    ) {
        guard let place = table.rowPlace(id), !table.rows[place].isHidden else { return }
        if !isForced {
            let isWritten = table.columns.contains { column in
                isOthers(.cell(.init(row: id, column: column.column.id)), since: operation)
            }
            let anchored = table.past.anchored[id] ?? 0
            let isAnchored =
                anchored > operation.record.sequence
                && table.past.session(anchored) != operation.record.session
            if isWritten || isAnchored { return keep() }
        }
        table.rows[place].isHidden = true
        applied += 1
        hasChanged = true
    }

    /// True where a value was written after an operation by another session, and came from such.
    func isOthers(
        _ register: ReferencePast.Register, since operation: ReferencePast.Operation
    ) -> Bool {
        guard let writer = table.past.writers[register] else { return false }
        return [writer.sequence, writer.origin].allSatisfy { sequence in
            sequence > operation.record.sequence
                && table.past.session(sequence) != operation.record.session
        }
    }
}
