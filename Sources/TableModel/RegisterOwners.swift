// Who a register's value comes from, where operations that took others back lie between.
// ResolveUndo.swift asks: a value is taken back only from the operation that it came from.

/// Finds the operation that a register's value came from; remembers where it has looked.
struct RegisterOwners {
    /// For operations of many steps, where each register is.
    private var indexes: [SequenceNumber: [Register: Stamp]] = [:]

    private static var fewSteps: Int { 16 }

    /// Who first wrote the value that a register has: the writer, or where that took something
    /// back, who had written what it brought back.
    mutating func owner(of register: Register, writtenBy stamp: Stamp, in table: borrowing Table)
        -> Stamp
    {
        var owner = stamp
        while let entry = table.undoLog[owner.sequence], let target = entry.target {
            // An undo of a change of type writes all cells of the column again, also those that
            // others had gone on from.
            if entry.retypes(register),
                let replaced = previous(of: register, before: owner.sequence, in: table),
                replaced.sequence > target, replaced.sequence < owner.sequence
            {
                owner = replaced
                continue
            }
            guard let earlier = previous(of: register, before: target, in: table),
                earlier.sequence < target
            else { break }
            owner = earlier
        }
        return owner
    }

    /// Who had written a register before an operation did; nil where it did not.
    private mutating func previous(
        of register: Register, before sequence: SequenceNumber, in table: borrowing Table
    ) -> Stamp? {
        guard let entry = table.undoLog[sequence] else { return nil }
        if entry.registerCount <= Self.fewSteps {
            return table.replaced(by: entry, only: register).first?.stamp
        }
        if indexes[sequence] == nil {
            var index: [Register: Stamp] = [:]
            for (register, stamp) in table.replaced(by: entry) where index[register] == nil {
                index[register] = stamp
            }
            indexes[sequence] = index
        }
        return indexes[sequence]?[register]
    }
}

extension UndoEntry {
    /// True where it changed the type of the column of a cell.
    fileprivate func retypes(_ register: Register) -> Bool {
        guard case .cell(_, let column) = register else { return false }
        return steps.contains { if case .column(column, .type, _) = $0 { true } else { false } }
    }
}

extension Table {
    /// The registers that an operation wrote, in order, with who had written them before.
    fileprivate func replaced(
        by entry: UndoEntry, only wanted: Register? = nil
    ) -> [(register: Register, stamp: Stamp)] {
        var replaced: [(register: Register, stamp: Stamp)] = []
        func note(_ register: Register, _ stamp: Stamp) {
            if wanted == nil || wanted == register { replaced.append((register, stamp)) }
        }
        func noteRetyped(_ index: Int, _ past: Journal.PastColumn) {
            if past.changesRules { note(.columnRules(index), past.rulesStamp) }
            if case .cell(let slot, index) = wanted {
                note(
                    .cell(slot: slot, column: index), past.store.stamps[slot] ?? rows.created[slot])
            } else if wanted == nil {
                for slot in past.store.usedSlots(below: UInt32(rows.ids.count)) {
                    let stamp = past.store.stamps[slot] ?? rows.created[slot]
                    note(.cell(slot: slot, column: index), stamp)
                }
            }
        }
        for step in entry.steps {
            switch step {
            case .cell(let slot, let column, _, let stamp):
                note(.cell(slot: slot, column: column), stamp ?? rows.created[slot])
            case .hidden(let slot, _, let stamp):
                note(.rowPresence(slot), stamp ?? rows.created[slot])
            case .moved(let origins):
                for origin in origins {
                    note(.rowPlace(origin.slot), origin.stamp ?? rows.created[origin.slot])
                }
            case .arranged(let slots, let stamps):
                for slot in slots { note(.rowPlace(slot), stamps[slot] ?? rows.created[slot]) }
            case .column(let index, let property, let stamp):
                note(property.register(of: index), stamp)
                if case .type(let past) = property { noteRetyped(index, past) }
            case .display(let past, let stamp): note(past.register, stamp)
            case .comment(let id, _, let stamp):
                note(.comment(id), stamp)
            case .appended, .anchored, .lease, .schema: break
            }
        }
        return replaced
    }
}
