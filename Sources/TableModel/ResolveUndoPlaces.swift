// Rules U7 to U9: rows that an operation moved or sorted go back, where nobody has placed them
// since. ResolveUndo.swift hands the steps over.
import TableValue

extension Table {
    /// Rules U7, U8.
    mutating func takeBackMove(
        _ origins: [Journal.Origin], _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        var ours: [Journal.Origin] = []
        for origin in origins {
            if try takesBackPlace(of: origin.slot, &undoing, &progress) { ours.append(origin) }
        }
        // Neighbours left one after another, so those that name the same row stood behind it.
        var end = ours.count
        while end > 0 {
            var start = end - 1
            while start > 0, ours[start - 1].predecessor == ours[end - 1].predecessor {
                start -= 1
            }
            putBack(ours[start..<end].map(\.slot), after: ours[start].predecessor, &progress)
            end = start
        }
    }

    /// Rule U9: what stands where the sort put it goes back to its old order; rows that came since
    /// stay behind the row that they stand behind.
    mutating func takeBackSort(
        _ before: [UInt32], _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        var ours: [UInt32] = []
        var isOurs = SlotBits()
        for slot in before where !rows.order.isHidden(slot) {
            guard try takesBackPlace(of: slot, &undoing, &progress) else { continue }
            ours.append(slot)
            isOurs.set(slot, true)
        }
        var followers: [UInt32: [UInt32]] = [:]
        var leader: UInt32?
        for slot in rows.order.liveSlots {
            if isOurs[slot] {
                leader = slot
            } else if let leading = leader, rows.created[slot].sequence > undoing.target.sequence {
                followers[leading, default: []].append(slot)
            } else {
                leader = nil
            }
        }
        progress.applied += ours.count
        let wanted = ours.flatMap { [$0] + (followers[$0] ?? []) }
        if wanted.count > 1 { arrange(wanted, from: rows.order.inOrder(wanted), &progress) }
    }

    private func takesBackPlace(
        of slot: UInt32, _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) -> Bool {
        try takesBack(
            .rowPlace(slot), writtenBy: rows.positionStamp(slot), &undoing, &progress)
    }

    private mutating func putBack(
        _ slots: [UInt32], after anchor: UInt32?, _ progress: inout Progress
    ) {
        progress.applied += slots.count
        guard !standContiguous(slots, after: anchor) else { return }
        var leaving = SlotSet()
        for slot in slots { _ = leaving.insert(slot) }
        let place = place(after: anchor, leaving: leaving)
        moveRows(slots, after: anchor, stamp: progress.stamp)
        progress.changes.append(.rowsMoved(slots.map { rows.ids[$0] }, to: place))
    }
}
