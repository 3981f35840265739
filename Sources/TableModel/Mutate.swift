// The only places where a table's storage changes. Each step can write down how to take it
// back (Journal.swift), and marks what the content hash must look at again (HashCache.swift).
import TableValue

extension Table {
    /// Adds new rows as one block right after a slot, or at the start.
    ///
    /// Returns the first slot.
    mutating func appendRows(_ ids: [RowID], after anchor: UInt32?, stamp: Stamp) -> UInt32 {
        if journal.isActive {
            noteAnchored(anchor, by: stamp)
            journal.noteAppend(of: ids, to: rows)
        }
        let first = rows.append(ids, after: anchor, stamp: stamp)
        markBlock(first..<first + UInt32(ids.count))
        return first
    }

    /// Writes a cell; the value must be null or of the column's type.
    @discardableResult
    mutating func setCell(_ slot: UInt32, _ column: Int, _ value: Value, stamp: Stamp) -> Bool {
        if journal.isActive {
            journal.steps.append(
                .cell(
                    slot: slot, column: column, value: cells[column].value(slot),
                    stamp: cells[column].stamps[slot]))
        }
        guard store(slot, column, value) else { return false }
        cells[column].stamps.set(stamp, at: slot)
        markRow(slot)
        return true
    }

    /// Writes a cell of a column whose type was just changed: the way back is that of the column.
    @discardableResult
    mutating func refillCell(
        _ slot: UInt32, _ column: Int, _ value: Value, stamp: Stamp
    ) -> Bool {
        guard store(slot, column, value) else { return false }
        cells[column].stamps.set(stamp, at: slot)
        return true
    }

    /// Fills a cell of a row that begins with it: no stamp of its own, no way back of its own.
    @discardableResult
    mutating func fillCell(_ slot: UInt32, _ column: Int, _ value: Value) -> Bool {
        if case .null = value { return true }
        return store(slot, column, value)
    }

    /// Stores a value: the one place where the cells of a table are changed.
    @discardableResult
    mutating func store(_ slot: UInt32, _ column: Int, _ value: Value) -> Bool {
        guard cells[column].isRuled else { return cells[column].set(slot, value) }
        return storeRuled(slot, column, value)
    }

    /// Hides a row or shows it again where it stands; a stamp of nil is that of its beginning.
    mutating func setRowHidden(_ slot: UInt32, _ hidden: Bool, stamp: Stamp?) {
        if journal.isActive {
            journal.steps.append(
                .hidden(slot: slot, was: !hidden, stamp: rows.presence[slot]))
        }
        if !ruleBook.uniqueColumns.isEmpty, rows.order.isHidden(slot) != hidden {
            noteHidden(slot, hidden)
        }
        rows.order.setHidden(slot, hidden)
        rows.presence.set(stamp, at: slot)
        markRow(slot)
        if !hidden { markSuccessor(of: slot) }
    }

    /// Takes rows out of the order and puts them, contiguous, right after a slot that is not
    /// one of them, or at the start.
    mutating func moveRows(_ slots: [UInt32], after anchor: UInt32?, stamp: Stamp) {
        claims.moving(slots, in: rows.order)
        var origins: [Journal.Origin] = []
        var entries: [UInt32] = []
        entries.reserveCapacity(slots.count)
        for slot in slots {
            if journal.isActive {
                origins.append(
                    Journal.Origin(
                        slot: slot, predecessor: rows.order.predecessor(of: slot),
                        stamp: rows.moved[slot]))
            }
            markSuccessor(of: slot)
            entries.append(rows.order.remove(slot))
        }
        rows.order.insert(block: entries, after: anchor)
        for slot in slots {
            rows.moved.set(stamp, at: slot)
            markRow(slot)
        }
        if let last = slots.last { markSuccessor(of: last) }
        if journal.isActive { journal.steps.append(.moved(origins)) }
    }

    /// Lets live rows take the places that they have among them, in this order.
    mutating func arrangeRows(_ slots: [UInt32], stamp: Stamp) {
        let before = rows.order.arrange(slots)
        if journal.isActive { journal.steps.append(.arranged(before, stamps: rows.moved)) }
        for slot in slots { rows.moved.set(stamp, at: slot) }
        markAll()
    }

    /// Remembers that somebody put rows behind another's row, which were not simply the last.
    ///
    /// Rule U4. The record does not say what was the anchor, so it is told by the place.
    private mutating func noteAnchored(_ anchor: UInt32?, by stamp: Stamp) {
        guard let anchor, rows.created[anchor].session != stamp.session,
            rows.order.successor(of: anchor) != nil
        else { return }
        journal.steps.append(.anchored(slot: anchor, was: rows.anchored[anchor]))
        rows.anchored.set(stamp, at: anchor)
    }

    // MARK: Comments

    /// Puts a comment in the place of the one of its id; false where it does not fit.
    mutating func putComment(_ comment: TableComment, stamp: Stamp) -> Bool {
        let was = commentBook[comment.id]
        let before = commentBook.stamp(of: comment.id) ?? Stamp(sequence: 0, session: 0)
        guard commentBook.put(comment, stamp: stamp) else { return false }
        if journal.isActive { journal.steps.append(.comment(comment.id, was, stamp: before)) }
        return true
    }

    // MARK: Columns

    /// Adds a column right after another, or first; false where its id is known already.
    mutating func addColumn(_ column: Column, after predecessor: Int?, stamp: Stamp) -> Bool {
        noteSchema()
        let index = schema.entries.count
        guard schema.add(column, after: predecessor, stamp: stamp) else { return false }
        note(.added, of: index, stamp)
        cells.append(ColumnStore(type: column.type))
        if !column.rules.isEmpty { refreshRules(of: cells.count - 1) }
        schemaHead = stamp.sequence
        markAll()
        return true
    }

    mutating func renameColumn(_ index: Int, to name: Text, stamp: Stamp) {
        noteSchema()
        note(.name(schema.entries[index].column.name), of: index, schema.stamps[index].name)
        schema.rename(index, to: name)
        schema.stamps[index].name = stamp
        schemaHead = stamp.sequence
    }

    mutating func setColumnRules(_ index: Int, _ rules: ColumnRules, stamp: Stamp) {
        noteSchema()
        note(.rules(schema.entries[index].column.rules), of: index, schema.stamps[index].rules)
        schema.setRules(index, rules)
        refreshRules(of: index)
        schema.stamps[index].rules = stamp
        schemaHead = stamp.sequence
    }

    /// Gives a column another type, its rules along with it, and no values yet.
    mutating func setColumnType(
        _ index: Int, _ type: ColumnType, _ rules: ColumnRules, stamp: Stamp
    ) {
        noteSchema()
        let old = schema.entries[index].column.rules
        let past = Journal.PastColumn(
            store: cells[index], rules: old, rulesStamp: schema.stamps[index].rules,
            changesRules: rules != old)
        note(.type(past), of: index, schema.stamps[index].type)
        cells[index] = ColumnStore(type: type)
        schema.setType(index, type, rules, stamp: stamp)
        // Only what is not as it was is the author's.
        if rules != old { schema.stamps[index].rules = stamp }
        schema.stamps[index].type = stamp
        refreshRules(of: index)
        schemaHead = stamp.sequence
        markAll()
    }

    mutating func moveColumn(_ index: Int, after predecessor: Int?, stamp: Stamp) {
        noteSchema()
        note(
            .place(predecessor: schema.predecessor(of: index)), of: index,
            schema.stamps[index].place)
        schema.move(index, after: predecessor)
        schema.stamps[index].place = stamp
        schemaHead = stamp.sequence
        markAll()
    }

    mutating func setColumnHidden(_ index: Int, _ hidden: Bool, stamp: Stamp) {
        noteSchema()
        note(.hidden(was: !hidden), of: index, schema.stamps[index].presence)
        schema.setHidden(index, hidden)
        schema.stamps[index].presence = stamp
        schemaHead = stamp.sequence
        markAll()
    }

    mutating func noteSchema() {
        guard journal.isActive else { return }
        journal.steps.append(.schema(schema, ruleBook, head: schemaHead))
    }

    private mutating func note(_ property: Journal.Property, of index: Int, _ stamp: Stamp) {
        guard journal.isActive else { return }
        journal.steps.append(.column(index: index, property, stamp: stamp))
    }
}
