// The changes of a record that concern rows as a whole.
// They are applied without judging, as Apply.swift says; cells and columns are done there.
import TableValue

extension Table {
    /// Cells of new rows, checked: which columns they go to and their values, row after row.
    struct FittedBlock {
        /// For each column of the values its index; nil where its values are passed over.
        var columns: [Int?]
        var values: [Value]
    }

    // MARK: Inserting

    mutating func applyInserted(_ block: RowBlock, stamp: Stamp) -> Bool {
        guard areNewAndDistinct(block.ids), hasRoom(for: block.ids.count),
            let anchor = entry(for: block.place),
            let fitted = fittedBlock(
                rowCount: block.ids.count, columns: block.columns, cells: block.cells,
                skipUnknown: true)
        else { return false }
        return appendBlock(block.ids, fitted, after: anchor, stamp: stamp)
    }

    /// Adds rows with cells that were checked.
    mutating func appendBlock(
        _ ids: [RowID], _ block: FittedBlock, after anchor: UInt32?, stamp: Stamp
    ) -> Bool {
        guard !ids.isEmpty else { return true }
        let first = appendRows(ids, after: anchor, stamp: stamp)
        let width = block.columns.count
        guard !block.values.isEmpty else { return true }
        for (place, index) in block.columns.enumerated() {
            guard let index else { continue }
            var position = place
            for slot in first..<first + UInt32(ids.count) {
                guard fillCell(slot, index, block.values[position]) else { return false }
                position += width
            }
        }
        return true
    }

    /// Cells as values of their columns' types; nil where counts or types do not fit.
    func fittedBlock(
        rowCount: Int, columns: [ColumnID], cells values: [Value], skipUnknown: Bool
    ) -> FittedBlock? {
        let (cellCount, overflow) = rowCount.multipliedReportingOverflow(by: columns.count)
        guard !overflow, values.isEmpty || values.count == cellCount else { return nil }
        var indexes: [Int?] = []
        for column in columns {
            let index = schema.index(of: column)
            guard index != nil || skipUnknown else { return nil }
            guard index == nil || !indexes.contains(index) else { return nil }
            indexes.append(index)
        }
        var block = FittedBlock(columns: indexes, values: values)
        guard !values.isEmpty else { return block }
        for (place, index) in indexes.enumerated() {
            guard let index else { continue }
            let type = cells[index].type
            for position in stride(from: place, to: values.count, by: indexes.count) {
                if values[position].isNull || values[position].type == type, type != .double {
                    continue
                }
                guard let value = fitted(values[position], to: type) else { return nil }
                block.values[position] = value
            }
        }
        return block
    }

    /// True where no id is known and none occurs twice.
    func areNewAndDistinct(_ ids: [RowID]) -> Bool {
        ids.allSatisfy { rows.slot(of: $0) == nil } && areDistinct(ids)
    }

    /// True where no id occurs twice; quick where they ascend, as they mostly do.
    func areDistinct(_ ids: [RowID]) -> Bool {
        var previous: Int64 = -1
        for id in ids {
            guard id.rawValue > previous else { return Set(ids).count == ids.count }
            previous = id.rawValue
        }
        return true
    }

    /// True where the table can hold so many rows more.
    func hasRoom(for count: Int) -> Bool {
        count <= RowStore.slotsMax - rows.ids.count
    }

    // MARK: Places

    /// The entry that a place stands behind: nil inside for the start, nil outside where the
    /// table does not know the row that it names.
    func entry(for place: RowPlace) -> UInt32?? {
        if isComplete, let slot = place.slot, let entry = rows.slot(of: slot) {
            return .some(entry)
        }
        guard let after = place.after else { return .some(nil) }
        guard let entry = rows.slot(of: after) else { return nil }
        return .some(entry)
    }

    // MARK: Hiding, showing, moving

    mutating func applyHidden(_ ids: [RowID], stamp: Stamp) -> Bool {
        for id in ids {
            guard let slot = rows.slot(of: id), !rows.order.isHidden(slot) else { continue }
            setRowHidden(slot, true, stamp: stamp)
        }
        return true
    }

    /// Rows that this replica does not know, or knows to be hidden, are passed over.
    mutating func applyArranged(_ ids: [RowID], stamp: Stamp) -> Bool {
        guard let slots = distinctSlots(ids) else { return false }
        let live = slots.filter { !rows.order.isHidden($0) }
        if live.count > 1 { arrangeRows(live, stamp: stamp) }
        return true
    }

    mutating func applyMoved(_ ids: [RowID], to place: RowPlace, stamp: Stamp) -> Bool {
        guard let slots = distinctSlots(ids), let anchor = entry(for: place) else { return false }
        guard !slots.isEmpty else { return true }
        if let anchor, slots.contains(anchor) { return false }
        moveRows(slots, after: anchor, stamp: stamp)
        return true
    }

    /// The slots of those rows that are known; nil where one occurs twice.
    private func distinctSlots(_ ids: [RowID]) -> [UInt32]? {
        let slots = ids.compactMap { rows.slot(of: $0) }
        guard slots.count < 2 || Set(slots).count == slots.count else { return nil }
        return slots
    }

    mutating func applyShown(_ block: RowBlock, stamp: Stamp) -> Bool {
        guard Set(block.ids).count == block.ids.count, let anchor = entry(for: block.place),
            let fitted = fittedBlock(
                rowCount: block.ids.count, columns: block.columns, cells: block.cells,
                skipUnknown: true)
        else { return false }
        let known = block.ids.map { rows.slot(of: $0) }
        let unknown = zip(block.ids, known).filter { $0.1 == nil }.map(\.0)
        guard hasRoom(for: unknown.count) else { return false }
        for slot in known {
            guard let slot else { continue }
            guard rows.order.isHidden(slot), slot != anchor else { return false }
        }
        if !unknown.isEmpty { _ = appendRows(unknown, after: anchor, stamp: stamp) }
        let slots = block.ids.compactMap { rows.slot(of: $0) }
        moveIfElsewhere(slots, after: anchor, stamp: stamp)
        for slot in slots { setRowHidden(slot, false, stamp: stamp) }
        return setShownCells(slots, fitted, stamp: stamp)
    }

    /// Moves rows right after an entry, unless they stand there already.
    private mutating func moveIfElsewhere(_ slots: [UInt32], after anchor: UInt32?, stamp: Stamp) {
        if !standContiguous(slots, after: anchor) {
            moveRows(slots, after: anchor, stamp: stamp)
        }
    }

    /// True where the rows stand in that order right after the entry.
    func standContiguous(_ slots: [UInt32], after anchor: UInt32?) -> Bool {
        var previous = anchor
        for slot in slots {
            guard rows.order.successor(of: previous) == slot else { return false }
            previous = slot
        }
        return true
    }

    /// Sets the cells of rows that are shown again, leaving those that are so already.
    private mutating func setShownCells(
        _ slots: [UInt32], _ block: FittedBlock, stamp: Stamp
    ) -> Bool {
        guard !block.values.isEmpty else { return true }
        for (row, slot) in slots.enumerated() {
            for (place, index) in block.columns.enumerated() {
                guard let index else { continue }
                let value = block.values[row * block.columns.count + place]
                if cells[index].equals(slot, value) { continue }
                guard setCell(slot, index, value, stamp: stamp) else { return false }
            }
        }
        return true
    }
}
