// Rows as runs of neighbours, hidden ones among them: how rows that come back are told.
// ResolveUndo.swift asks for them.
import TableValue

extension Table {
    /// Rows that stand together now.
    struct Run {
        var slots: [UInt32]
        var liveCountBefore: Int
    }

    /// The rows as runs of neighbours in the order of the table.
    func runs(of slots: [UInt32]) -> [Run] {
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
                Run(slots: run, liveCountBefore: rows.order.liveCountBefore(slot)))
        }
        return runs.sorted { $0.liveCountBefore < $1.liveCountBefore }
    }
}
