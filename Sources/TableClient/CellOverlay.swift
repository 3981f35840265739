// The overlay of pending operations that only set cells and add to them: nothing is copied, and
// a record of somebody else costs nothing. What changes structure is in ShadowTable.swift.
import TableModel
import TableValue

/// The name of one cell.
struct CellKey: Hashable, Sendable {
    var row: RowID
    var column: ColumnID
}

extension Op {
    /// True where the operation only sets cells and adds to them, each part by itself.
    func isPlain(partsMax: Int) -> Bool {
        guard mode == .best, preconditions.isEmpty else { return false }
        var parts = 0
        for intent in body {
            switch intent {
            case .setCells(let edits): parts += edits.count
            case .addNumber, .combineCell: parts += 1
            default: return false
            }
        }
        return parts <= partsMax
    }
}

extension Table {
    /// The column that a reference names: by id also a hidden one, by name a live one.
    func column(_ reference: ColumnReference) -> Column? {
        switch reference {
        case .id(let id): column(id)
        case .name(let name): column(named: name)
        }
    }
}

extension Outbox {
    /// The cells that undecided operations without conditions set to values.
    ///
    /// Complexity: linear in the parts of those operations.
    func cellsSet(over table: Table) -> Set<CellKey> {
        var cells: Set<CellKey> = []
        for pending in pending where pending.op.preconditions.isEmpty {
            for case .setCells(let edits) in pending.op.body {
                for edit in edits {
                    guard let column = table.column(edit.column) else { continue }
                    cells.insert(CellKey(row: edit.row, column: column.id))
                }
            }
        }
        return cells
    }
}

/// What plain pending operations do to cells, over a confirmed table.
///
/// Must be made anew when columns of the confirmed table change: names, ids and types were
/// looked up in them.
struct CellOverlay: Sendable {
    private enum Effect: Sendable {
        case set(Value)
        case add(Value)
        case combine(CellCombination, Value)
    }

    private struct Step: Sendable {
        let number: ClientNumber
        let effect: Effect
    }

    private var steps: [CellKey: [Step]] = [:]

    /// Adds an operation behind the others.
    ///
    /// Complexity: linear in its parts.
    mutating func add(_ pending: PendingOp, over table: Table) {
        CellOverlay.forEachPart(of: pending.op, over: table) { key, effect in
            steps[key, default: []].append(Step(number: pending.clientNumber, effect: effect))
        }
    }

    /// Removes an operation that was added.
    ///
    /// Complexity: linear in its parts.
    mutating func remove(_ pending: PendingOp, over table: Table) {
        CellOverlay.forEachPart(of: pending.op, over: table) { key, _ in
            steps[key]?.removeAll { $0.number == pending.clientNumber }
            if steps[key]?.isEmpty == true { steps[key] = nil }
        }
    }

    /// True where an operation touches the cell.
    func contains(_ key: CellKey) -> Bool { steps[key] != nil }

    /// The cell as the operations leave it.
    func value(_ key: CellKey, over table: Table) -> Value? {
        guard var value = table.value(key.row, key.column) else { return nil }
        guard let steps = steps[key], let column = table.column(key.column) else {
            return value
        }
        for step in steps {
            switch step.effect {
            case .set(let new): value = new
            case .add(let amount): value = (try? column.sum(of: value, amount).get()) ?? value
            case .combine(let combination, let offered):
                let made = column.combined(value, combination, offered)
                value = (try? made.get()) ?? value
            }
        }
        return value
    }

    /// Calls `body` with each part that the server will not refuse for its form.
    private static func forEachPart(
        of op: Op, over table: Table, _ body: (CellKey, Effect) -> Void
    ) {
        for intent in op.body {
            switch intent {
            case .setCells(let edits):
                for edit in edits {
                    guard let column = table.column(edit.column),
                        let value = try? column.accepted(edit.value, limits: table.limits).get()
                    else { continue }
                    body(CellKey(row: edit.row, column: column.id), .set(value))
                }
            case .addNumber(let row, let reference, let amount):
                guard let column = table.column(reference),
                    case .success = column.sum(of: .null, amount)
                else { continue }
                body(CellKey(row: row, column: column.id), .add(amount))
            case .combineCell(let combine):
                let edit = combine.edit
                guard let column = table.column(edit.column),
                    case .success = column.combined(.null, combine.combination, edit.value)
                else { continue }
                body(
                    CellKey(row: edit.row, column: column.id),
                    .combine(combine.combination, edit.value))
            default: continue
            }
        }
    }
}
