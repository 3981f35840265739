// Rules R1 to R17: where inserted and moved rows come to stand, and what a deletion does.
// It decides and changes the table through Mutate.swift; the order itself is RowOrder.swift's.
import TableValue

extension Table {
    /// A place found for an anchor.
    private struct Spot {
        /// The entry, live or hidden, right after which rows shall stand; nil for the start.
        var entry: UInt32?
        /// The same as a record says it.
        var place: RowPlace
    }

    // MARK: Anchors

    /// Finds the place that an anchor means now, as if the rows in `leaving` were not there.
    private func spot(
        for anchor: RowAnchor, leaving: SlotSet, _ progress: inout Progress
    ) -> Spot {
        var entry: UInt32?
        switch anchor {
        case .first:
            entry = nil
        case .last:
            entry = rows.order.last
        case .after(let row):
            if let slot = rows.slot(of: row) {
                entry = slot
                if !leaving.contains(slot) { noteAnchor(slot, &progress) }
            } else {
                entry = rows.order.last
                progress.anchorGone = true
            }
        }
        while let slot = entry, leaving.contains(slot) {
            entry = rows.order.predecessor(of: slot)
        }
        return Spot(entry: entry, place: place(after: entry, leaving: leaving))
    }

    private func noteAnchor(_ slot: UInt32, _ progress: inout Progress) {
        if rows.order.isHidden(slot) { progress.anchorHidden = true }
        guard progress.mayMeetNews else { return }
        if let stamp = rows.moved[slot], stamp.isNews(to: progress.session, since: progress.base) {
            progress.anchorMoved = true
        }
    }

    /// How a record names the place right after an entry: by the nearest live row that stays,
    /// and by the entry itself where it is hidden.
    func place(after entry: UInt32?, leaving: SlotSet) -> RowPlace {
        guard let entry else { return RowPlace(after: nil) }
        guard rows.order.isHidden(entry) else { return RowPlace(after: rows.ids[entry]) }
        var live = rows.order.livePredecessor(of: entry)
        while let slot = live, leaving.contains(slot) {
            live = rows.order.livePredecessor(of: slot)
        }
        return RowPlace(after: live.map { rows.ids[$0] }, slot: rows.ids[entry])
    }

    // MARK: Inserting

    mutating func performInsert(
        _ insertion: InsertRows, _ progress: inout Progress
    ) throws(Rejection) {
        guard insertion.rowCount > 0 else { return }
        let ids = try idsOfNewRows(insertion, by: progress.session)
        let tally = progress.tally
        var block: FittedBlock
        do {
            block = try acceptedBlock(insertion, ids, &progress)
            if !ruleBook.isEmpty { try complete(&block, ids, &progress) }
            if ruleBook.hasRowRules {
                try settle(&block, rowCount: ids.count, insertion.ids, &progress)
            }
        } catch {
            progress.tally = tally
            throw error
        }
        let spot = spot(for: insertion.anchor, leaving: SlotSet(), &progress)
        noteSibling(after: spot.entry, &progress)
        if insertion.ids.isEmpty { progress.rowsGiven.append(contentsOf: ids) }
        progress.applied += ids.count
        var columns: [ColumnID] = []
        if !block.values.isEmpty {
            columns = block.columns.compactMap { $0.map { schema.entries[$0].column.id } }
        }
        _ = appendBlock(ids, block, after: spot.entry, stamp: progress.stamp)
        progress.changes.append(
            .rowsInserted(
                RowBlock(ids: ids, place: spot.place, columns: columns, cells: block.values)))
    }

    /// The ids of the new rows: those of the author where they are right, else the server's.
    private func idsOfNewRows(
        _ insertion: InsertRows, by session: SessionNumber
    ) throws(Rejection) -> [RowID] {
        guard hasRoom(for: insertion.rowCount) else {
            throw Rejection(.outOfRange, "The table cannot hold so many rows more.")
        }
        if insertion.ids.isEmpty {
            let highest = rows.index.highestCounter(of: .server)
            guard insertion.rowCount <= Int(UInt32.max - highest) else {
                throw Rejection(.outOfRange, "The server has no row ids left in this table.")
            }
            return (1...UInt32(insertion.rowCount)).map {
                RowID(session: .server, counter: highest + $0)
            }
        }
        let highest = rows.index.highestCounter(of: session)
        let (sum, overflow) = highest.addingReportingOverflow(limits.counterGapMax)
        let counterMax = overflow ? UInt32.max : sum
        for id in insertion.ids {
            guard session != .server, id.session == session, id.counter > 0,
                id.counter <= counterMax, id.counter > highest || rows.slot(of: id) == nil
            else { throw badRowID(id, session, highest) }
        }
        guard areDistinct(insertion.ids) else {
            throw Rejection(.badRowID, "A row id stands twice in one insertion.")
        }
        return insertion.ids
    }

    private func badRowID(_ id: RowID, _ session: SessionNumber, _ highest: UInt32) -> Rejection {
        let rule =
            session == .server
            ? "without a session leave out row ids; the server gives them."
            : "new rows are \(session).N with N unused, from 1, and at most "
                + "\(limits.counterGapMax) above \(highest)."
        return Rejection(.badRowID, "The row id \(id) cannot be used: " + rule, row: id)
    }

    private func areDistinct(_ indexes: [Int]) -> Bool {
        guard indexes.count > 16 else {
            return indexes.indices.allSatisfy { !indexes[..<$0].contains(indexes[$0]) }
        }
        return Set(indexes).count == indexes.count
    }

    /// The cells of an insertion as they would be stored; those refused are null.
    private mutating func acceptedBlock(
        _ insertion: InsertRows, _ ids: [RowID], _ progress: inout Progress
    ) throws(Rejection) -> FittedBlock {
        guard !insertion.cells.isEmpty else { return FittedBlock(columns: [], values: []) }
        let indexes = insertion.columns.map { schema.index(of: $0) }
        let known = indexes.compactMap { $0 }
        guard areDistinct(known) else {
            throw Rejection(.malformed, "A column stands twice in one insertion.")
        }
        for (place, index) in indexes.enumerated() where index == nil {
            let reason = unknownColumn(insertion.columns[place])
            try progress.refuse(reason, parts: insertion.rowCount)
        }
        var values = insertion.cells
        for (place, index) in indexes.enumerated() {
            guard let index else { continue }
            let accepted = try acceptColumn(
                index, at: place, of: indexes.count, &values,
                insertion.ids.isEmpty ? [] : ids, &progress)
            if schema.entries[index].isHidden {
                try progress.meetHidden(schema.entries[index].column.id, parts: accepted)
            } else {
                progress.applied += accepted
            }
        }
        guard known.count < indexes.count else {
            return FittedBlock(columns: indexes, values: values)
        }
        let kept = values.enumerated().filter { indexes[$0.offset % indexes.count] != nil }
        return FittedBlock(columns: known, values: kept.map(\.element))
    }

    /// Puts the cells of one column of an insertion into the form in which they are stored, or
    /// null where they are refused; gives how many are not.
    ///
    /// - Throws: `Rejection` where one is refused in strict mode, or the column is required.
    private mutating func acceptColumn(
        _ index: Int, at place: Int, of width: Int, _ values: inout [Value], _ ids: [RowID],
        _ progress: inout Progress
    ) throws(Rejection) -> Int {
        let type = cells[index].type
        let isRuled = cells[index].isRuled
        var seen: Set<Value> = []
        var accepted = 0
        for position in stride(from: place, to: values.count, by: width) {
            if !isRuled, isPlain(values[position], type) {
                accepted += 1
                continue
            }
            var result = acceptedAlsoStale(values[position], for: index, &progress)
            if isRuled, case .success(let value) = result, !value.isNull,
                ruleBook.isUnique(index)
            {
                let holder = holder(of: value, index, besides: nil)
                if holder != nil || !seen.insert(value.worth).inserted {
                    result = .failure(takenValue(index, by: holder))
                }
            }
            switch result {
            case .success(let value):
                values[position] = value
                accepted += 1
            case .failure(var reason):
                if reason.code == .ruleBroken, !ids.isEmpty { reason.row = ids[position / width] }
                if isRuled, ruleBook.isRequired(index) { throw reason }
                values[position] = .null
                try progress.refuse(reason, parts: 1)
            }
        }
        return accepted
    }

    /// Rule R1: somebody else's newer row already stands there; the new ones go before it.
    private func noteSibling(after entry: UInt32?, _ progress: inout Progress) {
        guard progress.mayMeetNews else { return }
        var next = rows.order.successor(of: entry)
        while let slot = next, rows.order.isHidden(slot) {
            next = rows.order.successor(of: slot)
        }
        guard let next else { return }
        if rows.created[next].isNews(to: progress.session, since: progress.base) {
            progress.foundSibling = true
        }
    }

    // MARK: Deleting

    mutating func performDelete(_ ids: [RowID], _ progress: inout Progress) throws(Rejection) {
        var slots: [UInt32] = []
        slots.reserveCapacity(ids.count)
        for id in ids {
            guard let slot = rows.slot(of: id) else {
                try progress.miss(id)
                continue
            }
            slots.append(slot)
        }
        progress.applied += slots.count
        var hidden: [RowID] = []
        for slot in slots where !rows.order.isHidden(slot) {
            setRowHidden(slot, true, stamp: progress.stamp)
            hidden.append(rows.ids[slot])
        }
        if !hidden.isEmpty { progress.changes.append(.rowsHidden(hidden)) }
    }

    // MARK: Moving

    mutating func performMove(
        _ ids: [RowID], to anchor: RowAnchor, _ progress: inout Progress
    ) throws(Rejection) {
        var slots: [UInt32] = []
        var leaving = SlotSet()
        for id in ids {
            guard let slot = rows.slot(of: id) else {
                try progress.miss(id)
                continue
            }
            // A row named twice stands where it was named first.
            guard leaving.insert(slot) else { continue }
            slots.append(slot)
            if rows.order.isHidden(slot) {
                try progress.meetHidden(id)
            } else {
                progress.applied += 1
            }
        }
        guard !slots.isEmpty else { return }
        let spot = spot(for: anchor, leaving: leaving, &progress)
        guard !standContiguous(slots, after: spot.entry) else { return }
        if progress.mayMeetNews {
            for slot in slots { progress.noteOverridden(rows.moved[slot]) }
        }
        moveRows(slots, after: spot.entry, stamp: progress.stamp)
        progress.changes.append(.rowsMoved(slots.map { rows.ids[$0] }, to: spot.place))
    }
}
