// The way back: what a strict operation of several intents has done so far, so that a refusal
// in a later intent leaves the table exactly as it was, stamps and counters included.
import TableValue

/// Steps taken since the journal became active, each with what it replaced.
struct Journal: Sendable {
    struct Origin: Sendable {
        var slot: UInt32
        var predecessor: UInt32?
        var stamp: Stamp?
    }

    enum Step: Sendable {
        case appended(count: Int, highest: [(session: SessionNumber, counter: UInt32)])
        case cell(slot: UInt32, column: Int, value: Value, stamp: Stamp?)
        case hidden(slot: UInt32, was: Bool)
        /// In the order in which they were taken out.
        case moved([Origin])
        case schema(Schema, RuleBook, head: SequenceNumber)
    }

    var isActive = false
    /// The numbers of sequences when it became active.
    var numbers: [Int64?] = []
    var steps: [Step] = []

    mutating func noteAppend(of ids: [RowID], to rows: RowStore) {
        var highest: [(session: SessionNumber, counter: UInt32)] = []
        for id in ids where highest.last?.session != id.session {
            highest.append((id.session, rows.index.highestCounter(of: id.session)))
        }
        steps.append(.appended(count: ids.count, highest: highest))
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
        case .appended(let count, let highest):
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
        case .hidden(let slot, let was):
            setRowHidden(slot, was)
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
        }
    }

    private mutating func takeBackMove(_ origins: [Journal.Origin]) {
        var entries: [UInt32: UInt32] = [:]
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
