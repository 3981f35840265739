// What must hold of a table's storage at any time: invariants I3, I5 and I7, and that every
// part that is kept twice agrees with its twin.
import TableValue

@testable import TableModel

extension Table {
    /// The first thing that is wrong with the storage; nil where all is well.
    func invariantProblem() -> String? {
        rows.order.problem() ?? rowProblem() ?? schemaProblem()
    }

    private func rowProblem() -> String? {
        let count = rows.ids.count
        guard rows.order.slotCount == count, rows.created.count == count else {
            return "slots: \(count) ids, \(rows.order.slotCount) in order, "
                + "\(rows.created.count) created"
        }
        for slot in 0..<UInt32(count) {
            let id = rows.ids[slot]
            guard rows.slot(of: id) == slot else { return "\(id) is not found at slot \(slot)" }
            guard rows.index.highestCounter(of: id.session) >= id.counter else {
                return "\(id) is above the highest counter of its session"
            }
        }
        for (position, id) in liveRows.enumerated() where self.position(of: id) != position {
            return "\(id) is at \(position) but says \(String(describing: self.position(of: id)))"
        }
        return nil
    }

    private func schemaProblem() -> String? {
        guard cells.count == schema.entries.count, schema.order.count == cells.count,
            Set(schema.order).count == cells.count
        else { return "columns: \(cells.count) stores, \(schema.order.count) in order" }
        for (index, entry) in schema.entries.enumerated() {
            guard schema.index(of: entry.column.id) == index, cells[index].type == entry.column.type
            else { return "column \(entry.column.id) is not found" }
        }
        if let problem = ruleProblem() { return problem }
        return journal.isActive || !journal.steps.isEmpty ? "the journal is still active" : nil
    }
}

extension Table {
    /// What is wrong with what the rules have made ready.
    private func ruleProblem() -> String? {
        for (index, entry) in schema.entries.enumerated() {
            let list = entry.column.rules.list
            guard ruleBook.rules(index) ?? ColumnRules() == entry.column.rules,
                ruleBook.isUnique(index) == list.isUnique,
                cells[index].isRuled == ruleBook.concerns(index)
            else { return "the rules of \(entry.column.id) are not those in the book" }
            guard list.isUnique else { continue }
            var count = 0
            for slot in 0..<UInt32(rows.ids.count) where !rows.order.isHidden(slot) {
                let value = cells[index].value(slot)
                if value.isNull { continue }
                count += 1
                guard ruleBook.unique[index]?.first(value.worth, where: { $0 == slot }) == slot
                else { return "\(rows.ids[slot]) is not found by its value" }
            }
            guard ruleBook.unique[index]?.count == count else {
                return "\(count) rows have a value that must differ, others are noted"
            }
        }
        return nil
    }
}

extension RowOrder {
    /// The first thing that is wrong with the tree; nil where all is well.
    func problem() -> String? {
        var seen = 0
        var live = 0
        func check(_ node: UInt32, _ level: Int, _ parent: UInt32) -> String? {
            if level == 0 { return checkLeaf(node, parent) }
            let branch = branches[node]
            guard branch.parent == parent else { return "branch \(node) has another parent" }
            guard !branch.children.isEmpty, branch.children.count <= Self.branchChildrenMax,
                branch.children.count == branch.liveCounts.count
            else { return "branch \(node) has \(branch.children.count) children" }
            for (child, count) in zip(branch.children, branch.liveCounts) {
                let before = live
                if let problem = check(child, level - 1, node) { return problem }
                guard live - before == Int(count) else {
                    return "branch \(node) counts \(count) below \(child), there are "
                        + "\(live - before)"
                }
            }
            return nil
        }
        func checkLeaf(_ node: UInt32, _ parent: UInt32) -> String? {
            let leaf = leaves[node]
            guard leaf.parent == parent else { return "leaf \(node) has another parent" }
            guard leaf.entries.count <= Self.leafEntriesMax, !leaf.entries.isEmpty || height == 0
            else { return "leaf \(node) has \(leaf.entries.count) entries" }
            let leafLive = leaf.entries.filter { $0 < Self.hiddenBit }.count
            guard leafLive == Int(leaf.liveCount) else { return "leaf \(node) counts wrongly" }
            for entry in leaf.entries {
                guard isHidden(entry & ~Self.hiddenBit) == (entry >= Self.hiddenBit) else {
                    return "entry \(entry) is not as hidden as its bit"
                }
                let slot = entry & ~Self.hiddenBit
                guard leafOfSlot[slot] == node | (entry & Self.hiddenBit) else {
                    return "slot \(slot) names leaf \(leafOfSlot[slot]), stands in \(node)"
                }
            }
            seen += leaf.entries.count
            live += leafLive
            return nil
        }
        if let problem = check(root, height, Self.none) { return problem }
        guard seen == slotCount else { return "\(seen) of \(slotCount) slots are in the order" }
        return live == liveCount ? nil : "\(live) live rows, counted \(liveCount)"
    }
}
