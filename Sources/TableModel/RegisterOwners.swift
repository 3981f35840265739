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
        while let target = table.undoLog[owner.sequence]?.target,
            let earlier = previous(of: register, before: target, in: table),
            earlier.sequence < target
        {
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

extension Table {
    /// The registers that an operation wrote, in order, with who had written them before.
    fileprivate func replaced(
        by entry: UndoEntry, only wanted: Register? = nil
    ) -> [(register: Register, stamp: Stamp)] {
        var replaced: [(register: Register, stamp: Stamp)] = []
        func note(_ register: Register, _ stamp: Stamp) {
            if wanted == nil || wanted == register { replaced.append((register, stamp)) }
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
            case .appended, .anchored, .schema: break
            }
        }
        return replaced
    }
}
