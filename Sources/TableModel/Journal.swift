// The way back: what an operation has done so far, so that a refusal in a later intent leaves the
// table exactly as it was, stamps and counters included. An undo later works from the same steps
// (UndoLog.swift).
import TableValue

/// Steps taken since the journal became active, each with what it replaced.
struct Journal: Sendable {
    struct Origin: Sendable {
        var slot: UInt32
        var predecessor: UInt32?
        var stamp: Stamp?
    }

    enum Step: Sendable {
        case appended(
            first: UInt32, count: Int, highest: [(session: SessionNumber, counter: UInt32)])
        case cell(slot: UInt32, column: Int, value: Value, stamp: Stamp?)
        case hidden(slot: UInt32, was: Bool, stamp: Stamp?)
        /// Somebody put rows behind another's row; for the way back inside one operation.
        case anchored(slot: UInt32, was: Stamp?)
        /// A row was given to somebody, or is nobody's any more.
        indirect case lease(slot: UInt32, was: Lease?)
        /// In the order in which they were taken out.
        case moved([Origin])
        /// Rows changed places among each other: as they stood, and who had put them there.
        case arranged([UInt32], stamps: StampMap)
        /// All columns before a change of one; for the way back inside one operation.
        case schema(Schema, RuleBook, head: SequenceNumber)
        /// A comment, nil where there was none, and who had written it.
        case comment(CommentID, TableComment?, stamp: Stamp)
        /// What a column had, and who had written it; for an undo later.
        case column(index: Int, Property, stamp: Stamp)
        /// What was said of how the table is shown, and who had said it.
        case display(PastDisplay, stamp: Stamp)
    }

    /// What a column was before a change of its type.
    struct PastColumn: Sendable {
        var store: ColumnStore
        var rules: ColumnRules
        var rulesStamp: Stamp
        /// True where the rules became others along with the type.
        var changesRules: Bool
    }

    /// One property of a column with what it was.
    enum Property: Sendable {
        /// The column was not there yet.
        case added
        case hidden(was: Bool)
        case name(Text)
        case rules(ColumnRules)
        /// The type with the cells of it.
        case type(PastColumn)
        case place(predecessor: Int?)

        func register(of index: Int) -> Register {
            switch self {
            case .added, .hidden: .columnPresence(index)
            case .name: .columnName(index)
            case .rules: .columnRules(index)
            case .type: .columnType(index)
            case .place: .columnPlace(index)
            }
        }
    }

    var isActive = false
    /// The numbers of sequences when it became active.
    var numbers: [Int64?] = []
    var steps: [Step] = []

    /// True where a step changed the type of a column.
    func hasRetyped(_ index: Int) -> Bool {
        steps.contains { if case .column(index, .type, _) = $0 { true } else { false } }
    }

    mutating func noteAppend(of ids: [RowID], to rows: RowStore) {
        var highest: [(session: SessionNumber, counter: UInt32)] = []
        for id in ids where highest.last?.session != id.session {
            highest.append((id.session, rows.index.highestCounter(of: id.session)))
        }
        steps.append(
            .appended(first: UInt32(rows.ids.count), count: ids.count, highest: highest))
    }
}

extension Table {
    /// Writes down from here on how to take back what is done.
    mutating func beginJournal() {
        journal.isActive = true
        journal.numbers = ruleBook.highest
    }

    /// Takes back every step of the journal, last first, and ends it.
    mutating func rollBack() {
        let numbers = journal.numbers
        rollBack(to: 0)
        journal = Journal()
        ruleBook.setBack(numbers)
        leases.forgetFresh()
    }

    /// Takes back the steps after the first ones of the journal, last first.
    mutating func rollBack(to count: Int) {
        let steps = Array(journal.steps[count...])
        journal.steps.removeLast(journal.steps.count - count)
        let wasActive = journal.isActive
        journal.isActive = false
        for step in steps.reversed() { takeBack(step) }
        journal.isActive = wasActive
    }

    private mutating func takeBack(_ step: Journal.Step) {
        switch step {
        case .appended(_, let count, let highest):
            clearCells(ofLast: count)
            for slot in UInt32(rows.ids.count - count)..<UInt32(rows.ids.count) {
                markSuccessor(of: slot)
            }
            rows.removeLast(count)
            // The first note of a session is the oldest, so it is set last.
            for (session, counter) in highest.reversed() {
                rows.setHighestCounter(of: session, to: counter)
            }
        case .cell(let slot, let column, let value, let stamp):
            store(slot, column, value)
            cells[column].stamps.set(stamp, at: slot)
            markRow(slot)
        case .hidden(let slot, let was, let stamp):
            setRowHidden(slot, was, stamp: stamp)
        case .moved(let origins):
            takeBackMove(origins)
        case .schema(let schema, let rules, let head):
            self.schema = schema
            ruleBook = rules
            schemaHead = head
            if cells.count > schema.entries.count {
                cells.removeLast(cells.count - schema.entries.count)
            }
            for index in cells.indices { cells[index].isRuled = ruleBook.concerns(index) }
            markAll()
        case .arranged(let slots, let stamps):
            rows.order.arrange(slots)
            rows.moved = stamps
            markAll()
        case .comment(_, let was?, let stamp): _ = commentBook.put(was, stamp: stamp)
        case .comment(_, nil, _): commentBook.removeLast()
        case .anchored(let slot, let was): rows.anchored.set(was, at: slot)
        case .column(let index, .type(let past), _): cells[index] = past.store
        case .lease(let slot, let was): setLease(slot, was)
        case .column, .display: break
        }
    }

    private mutating func takeBackMove(_ origins: [Journal.Origin]) {
        var entries: [UInt32: UInt32] = [:]
        claims.moving(origins.map(\.slot), in: rows.order)
        for origin in origins {
            markSuccessor(of: origin.slot)
            entries[origin.slot] = rows.order.remove(origin.slot)
        }
        for origin in origins.reversed() {
            rows.order.insert(entries[origin.slot] ?? origin.slot, after: origin.predecessor)
            rows.moved.set(origin.stamp, at: origin.slot)
            markRow(origin.slot)
            markSuccessor(of: origin.slot)
        }
    }

    private mutating func clearCells(ofLast count: Int) {
        let slots = UInt32(rows.ids.count - count)..<UInt32(rows.ids.count)
        for column in cells.indices {
            for slot in slots {
                store(slot, column, .null)
                cells[column].stamps.set(nil, at: slot)
            }
        }
    }
}
