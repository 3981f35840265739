// The rows without their cells: ids, order, beginnings and positions, kept in step.
// Only Mutate.swift changes it.

/// The rows of a table by slot, a number given to each row in the order of arrival.
struct RowStore: Sendable {
    /// Slots above this cannot be told from hidden ones.
    static var slotsMax: Int { 1 << 30 }

    private(set) var ids = RowIDs()
    private(set) var index = RowIndex()
    var order = RowOrder()
    private(set) var created = CreationStamps()
    /// The stamps of positions that were written after the row began.
    var moved = StampMap()
    /// Who last hid a row or showed it again.
    var presence = StampMap()
    /// Who last put rows behind a row of another session; kept where undo is.
    var anchored = StampMap()

    /// The slot of a row; nil where it was never seen.
    func slot(of row: RowID) -> UInt32? { index.slot(of: row) }

    /// Who last wrote the position of a row.
    func positionStamp(_ slot: UInt32) -> Stamp { moved[slot] ?? created[slot] }

    /// Adds new rows as one block right after a slot or at the start.
    mutating func append(_ rows: [RowID], after anchor: UInt32?, stamp: Stamp) -> UInt32 {
        let first = order.addSlots(rows.count)
        created.append(stamp, slots: rows.count)
        var slot = first
        for row in rows {
            ids.append(row)
            index.insert(row, slot: slot)
            slot += 1
        }
        if rows.count == 1 {
            order.insert(first, after: anchor)
        } else {
            order.insert(block: Array(first..<slot), after: anchor)
        }
        return first
    }

    /// Takes back the rows added last.
    mutating func removeLast(_ count: Int) {
        for _ in 0..<count {
            let slot = UInt32(ids.count - 1)
            order.remove(slot)
            order.removeLastSlot()
            index.remove(ids[slot])
            ids.removeLast()
            created.removeLast()
            moved.set(nil, at: slot)
            presence.set(nil, at: slot)
            anchored.set(nil, at: slot)
        }
    }

    /// Sets back a session's highest counter, after its latest rows were taken back.
    mutating func setHighestCounter(of session: SessionNumber, to counter: UInt32) {
        index.setHighestCounter(of: session, to: counter)
    }
}
