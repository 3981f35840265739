// Rules U1 to U15: what is taken back, and what stays because somebody has gone on from it.
// It decides and changes the table through Mutate.swift; what there is to take back is in
// UndoLog.swift, and columns are taken back in ResolveUndoColumns.swift.
package import TableValue

/// One operation that is being taken back.
struct Undoing {
    /// The record that is taken back.
    let target: Stamp
    /// The record that the undo becomes: what has it was the target's.
    let own: Stamp
    /// What others did since is no reason to keep it.
    let isForced: Bool
    var owners = RegisterOwners()
    /// What was decided about registers that several steps may have written.
    private var decisions: [Register: Bool] = [:]
    /// What comes before others' changes does so once for all of a kind.
    fileprivate var cells: [CellEdit] = []
    /// Cells of columns that were computed when their turn came.
    fileprivate var computed: [(slot: UInt32, column: Int, old: Value)] = []
    fileprivate var shown: [UInt32] = []
    fileprivate var hidden: [RowID] = []

    init(target: Stamp, own: Stamp, isForced: Bool) {
        self.target = target
        self.own = own
        self.isForced = isForced
    }

    /// Who wrote the value of a register, where that is another session after the target.
    mutating func newerOwner(
        of register: Register, writtenBy stamp: Stamp, in table: borrowing Table
    ) -> Stamp? {
        // What the undo itself has just written is nobody else's.
        guard stamp.sequence > target.sequence, stamp.sequence <= table.head,
            stamp.session != target.session
        else { return nil }
        let owner = owners.owner(of: register, writtenBy: stamp, in: table)
        return owner.sequence > target.sequence && owner.session != target.session ? owner : nil
    }

    /// True where a register still has what the target gave it.
    ///
    /// Where several steps have written it, what holds for the last holds for all: `isNew` is
    /// true the first time.
    mutating func owns(
        _ register: Register, writtenBy stamp: Stamp, in table: borrowing Table
    ) -> (Bool, isNew: Bool) {
        if isForced { return (true, false) }
        if let decided = decisions[register] { return (decided, false) }
        let decision =
            stamp.sequence == target.sequence || stamp == own
            || owners.owner(of: register, writtenBy: stamp, in: table)
                == owners.owner(of: register, writtenBy: target, in: table)
        decisions[register] = decision
        return (decision, true)
    }

    /// Notes that a register, which the undo writes, has what somebody else has made of it.
    mutating func leave(_ register: Register) { decisions[register] = false }
}

/// What taking an operation back would do.
package struct UndoNeeds: Hashable, Sendable {
    /// Whose operation it is.
    package let user: Text
    /// Cells get values.
    package fileprivate(set) var changesCells = false
    /// Rows go.
    package fileprivate(set) var deletesRows = false
    /// Deleted rows come back.
    package fileprivate(set) var showsRows = false
    /// Rows go to other places.
    package fileprivate(set) var movesRows = false
    /// Columns come, go or change.
    package fileprivate(set) var changesColumns = false
    /// Comments come, go or change.
    package fileprivate(set) var changesComments = false

    fileprivate init(user: Text) {
        self.user = user
    }
}

extension Table {
    // MARK: The target

    /// Takes an operation back, as far as nobody else has gone on from it.
    mutating func performUndo(
        _ request: UndoRequest, _ progress: inout Progress
    ) throws(Rejection) {
        let sequence = try target(of: request, by: progress.author)
        guard let entry = undoLog[sequence] else {
            throw Rejection(
                .undoExpired,
                "What record \(sequence) replaced is not kept any more; restore from the history.")
        }
        progress.undid = sequence
        var undoing = Undoing(
            target: Stamp(sequence: sequence, session: entry.author.session.rawValue),
            own: progress.stamp, isForced: request.isForced)
        try takeBack(entry, &undoing, &progress)
    }

    /// Takes an operation back, last step first; what is computed of others comes last.
    mutating func takeBack(
        _ entry: UndoEntry, _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        for step in firstWrites(entry).reversed() { try takeBack(step, &undoing, &progress) }
        try finish(&undoing, &progress)
        let computed = undoing.computed
        for cell in computed where !ruleBook.isComputed(cell.column) {
            try takeBackCell(cell.slot, cell.column, cell.old, &undoing, &progress)
        }
        try finish(&undoing, &progress)
    }

    /// The record that a request means.
    package func target(
        of request: UndoRequest, by author: OpAuthor
    ) throws(Rejection) -> SequenceNumber {
        switch request.target {
        case .last(let ofUser):
            if let sequence = undoLog.lastDone(of: author, ofUser: ofUser) { return sequence }
            throw Rejection(.nothingToUndo, "There is nothing left that can be taken back.")
        case .lastUndone(let ofUser):
            if let sequence = undoLog.lastUndone(of: author, ofUser: ofUser) { return sequence }
            throw Rejection(.nothingToUndo, "Nothing was taken back that can be done again.")
        case .sequence(let sequence):
            if sequence >= 1, sequence <= head { return sequence }
            throw Rejection(.nothingToUndo, "There is no record \(sequence).")
        case .clientNumber(let number):
            if let sequence = undoLog.sequence(of: number, by: author) { return sequence }
            throw Rejection(
                .undoExpired,
                "The operation \(number) of this session changed nothing, or what it replaced is "
                    + "not kept any more.")
        }
    }

    /// What a role must allow so that the record of that number is taken back, and whose it was;
    /// nil where it is not kept.
    package func undoNeeds(_ sequence: SequenceNumber) -> UndoNeeds? {
        guard let entry = undoLog[sequence] else { return nil }
        var needs = UndoNeeds(user: entry.author.user)
        for step in entry.steps {
            switch step {
            case .cell: needs.changesCells = true
            case .comment: needs.changesComments = true
            case .appended, .hidden(_, true, _): needs.deletesRows = true
            case .hidden(_, false, _): needs.showsRows = true
            case .moved, .arranged: needs.movesRows = true
            case .column, .display: needs.changesColumns = true
            case .anchored, .lease, .schema: break
            }
        }
        return needs
    }

    /// The steps without those that write what an earlier one has written: what was there before
    /// the operation is what the first replaced.
    private func firstWrites(_ entry: UndoEntry) -> [Journal.Step] {
        let steps = entry.steps
        guard steps.count > 1 else { return steps }
        var seen: Set<Register> = []
        var winding: Set<Register> = []
        var kept: [Journal.Step] = []
        for step in steps {
            switch step {
            // What a column held before its type was changed comes back with the type.
            case .cell(_, let column, _, _) where seen.contains(.columnType(column)): break
            case .cell(let slot, let column, let old, _):
                let register = Register.cell(slot: slot, column: column)
                if seen.insert(register).inserted {
                    kept.append(step)
                    // Values that must differ go back the way they came, where they are not back.
                    if ruleBook.isUnique(column), !cells[column].equals(slot, old) {
                        winding.insert(register)
                    }
                } else if winding.contains(register) {
                    kept.append(step)
                }
            case .hidden(let slot, _, _):
                if seen.insert(.rowPresence(slot)).inserted { kept.append(step) }
            case .appended(let first, let count, _):
                for slot in first..<first + UInt32(count) { seen.insert(.rowPresence(slot)) }
                kept.append(step)
            // A place is next to something that may itself have moved on: each step counts.
            case .moved, .arranged, .column(_, .place, _): kept.append(step)
            case .comment(let id, _, _):
                if seen.insert(.comment(id)).inserted { kept.append(step) }
            case .column(let index, let property, _) where entry.keepsEachWrite:
                if case .type = property { seen.insert(.columnType(index)) }
                kept.append(step)
            case .column(let index, let property, _):
                if seen.insert(property.register(of: index)).inserted { kept.append(step) }
            case .display(let past, _):
                if seen.insert(past.register).inserted { kept.append(step) }
            case .lease: kept.append(step)
            case .anchored, .schema: break
            }
        }
        return kept
    }

    private mutating func takeBack(
        _ step: Journal.Step, _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        if !step.joins(undoing) { try finish(&undoing, &progress) }
        switch step {
        case .cell(let slot, let column, let value, _):
            try takeBackCell(slot, column, value, &undoing, &progress)
        case .appended(let first, let count, _):
            for slot in first..<first + UInt32(count) {
                try takeBackInsertion(of: slot, &undoing, &progress)
            }
        case .hidden(let slot, let was, _):
            try takeBackPresence(of: slot, wasHidden: was, &undoing, &progress)
        case .moved(let origins):
            try takeBackMove(origins, &undoing, &progress)
        case .arranged(let slots, _):
            try takeBackSort(slots, &undoing, &progress)
        case .comment(let id, let was, _):
            try takeBackComment(id, was: was, &undoing, &progress)
        case .column(let index, let property, _):
            do {
                try takeBackColumn(index, property, &undoing, &progress)
            } catch {
                try progress.refuse(error, parts: 1)
            }
        case .display(let past, _):
            do {
                try takeBackDisplay(past, &undoing, &progress)
            } catch {
                try progress.refuse(error, parts: 1)
            }
        case .lease(let slot, _):
            if leases[slot]?.claim == undoing.target.sequence { endLease(slot, &progress) }
        case .anchored, .schema: break
        }
    }

    /// Puts what was collected into changes.
    private mutating func finish(
        _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        let cells = undoing.cells
        undoing.cells = []
        if !cells.isEmpty { try setMany(cells, &progress) }
        if !undoing.hidden.isEmpty { progress.changes.append(.rowsHidden(undoing.hidden)) }
        undoing.hidden = []
        let shown = undoing.shown
        undoing.shown = []
        if !shown.isEmpty { tellShown(shown, &progress) }
    }

    /// True where a register goes back: it still has what the target gave it; otherwise it is kept,
    /// and the author told.
    func takesBack(
        _ register: Register, writtenBy stamp: Stamp, _ undoing: inout Undoing,
        _ progress: inout Progress
    ) throws(Rejection) -> Bool {
        let (isOurs, isNew) = undoing.owns(register, writtenBy: stamp, in: self)
        if !isOurs, isNew { try progress.keep(stamp) }
        return isOurs
    }

    // MARK: Cells

    /// Rules U1, U2, U10.
    private mutating func takeBackCell(
        _ slot: UInt32, _ column: Int, _ old: Value, _ undoing: inout Undoing,
        _ progress: inout Progress
    ) throws(Rejection) {
        // What is computed follows from what comes back, unless that ends its being computed.
        if ruleBook.isComputed(column) { return undoing.computed.append((slot, column, old)) }
        let stamp = cellStamp(slot, column)
        let register = Register.cell(slot: slot, column: column)
        guard try takesBack(register, writtenBy: stamp, &undoing, &progress) else { return }
        let id = schema.entries[column].column.id
        guard let old = old.recast(to: cells[column].type) else {
            return try progress.refuse(
                Rejection(
                    .cannotConvert,
                    "The column holds \(cells[column].type.rawValue) now; the old value is none.",
                    row: rows.ids[slot], column: id), parts: 1)
        }
        undoing.cells.append(CellEdit(row: rows.ids[slot], column: .id(id), value: old))
    }

    // MARK: Rows there or not

    /// Rules U3, U4.
    private mutating func takeBackInsertion(
        of slot: UInt32, _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        guard !rows.order.isHidden(slot) else { return }
        if let news = othersWork(in: slot, &undoing) { return try progress.keep(news) }
        hide(slot, &undoing, &progress)
    }

    /// What somebody else did with a row since the target brought it; nil where nothing stands.
    private func othersWork(in slot: UInt32, _ undoing: inout Undoing) -> Stamp? {
        guard !undoing.isForced else { return nil }
        for column in cells.indices {
            guard let stamp = cells[column].stamps[slot] else { continue }
            if let owner = undoing.newerOwner(
                of: .cell(slot: slot, column: column), writtenBy: stamp, in: self)
            {
                return owner
            }
        }
        guard let anchored = rows.anchored[slot], anchored.sequence > undoing.target.sequence,
            anchored.session != undoing.target.session
        else { return nil }
        return anchored
    }

    /// Rules U5, U6.
    private mutating func takeBackPresence(
        of slot: UInt32, wasHidden: Bool, _ undoing: inout Undoing, _ progress: inout Progress
    ) throws(Rejection) {
        guard rows.order.isHidden(slot) != wasHidden else { return }
        let stamp = rows.presence[slot] ?? rows.created[slot]
        guard try takesBack(.rowPresence(slot), writtenBy: stamp, &undoing, &progress) else {
            return
        }
        if !wasHidden {
            if try show(slot, &progress) { undoing.shown.append(slot) }
        } else if let news = othersWork(in: slot, &undoing) {
            try progress.keep(news)
        } else {
            hide(slot, &undoing, &progress)
        }
    }

    /// Shows a row that keeps the rules; one that does not is refused.
    ///
    /// - Returns: true where it is live again, and has to be told.
    mutating func show(_ slot: UInt32, _ progress: inout Progress) throws(Rejection) -> Bool {
        let computed: [(index: Int, value: Value)]
        do throws(Rejection) {
            if let problem = problemShowing(slot) { throw problem }
            computed = ruleBook.hasRowRules ? try computedAnew(slot) : []
        } catch {
            try progress.refuse(error, parts: 1)
            return false
        }
        setRowHidden(slot, false, stamp: progress.stamp)
        // Told with the row.
        for cell in computed { _ = makeCell(slot, cell.index, cell.value, progress.stamp) }
        progress.applied += 1
        return true
    }

    private mutating func hide(
        _ slot: UInt32, _ undoing: inout Undoing, _ progress: inout Progress
    ) {
        setRowHidden(slot, true, stamp: progress.stamp)
        undoing.hidden.append(rows.ids[slot])
        progress.applied += 1
    }

    /// Says that rows are live again, where they stand and with what their cells hold.
    func tellShown(_ slots: [UInt32], _ progress: inout Progress) {
        let columns = schema.entries.map(\.column.id)
        for run in runs(of: slots) {
            var values: [Value] = []
            values.reserveCapacity(run.slots.count * columns.count)
            for slot in run.slots {
                for column in cells.indices { values.append(cells[column].value(slot)) }
            }
            // Runs come in the order of the table: those before have been told.
            let before = rows.order.predecessor(of: run.slots[0])
            let place = place(after: before, leaving: SlotSet())
            progress.changes.append(
                .rowsShown(
                    RowBlock(
                        ids: run.slots.map { rows.ids[$0] }, place: place, columns: columns,
                        cells: values)))
        }
    }
}

extension Journal.Step {
    /// True where taking it back goes on with what is being collected.
    fileprivate func joins(_ undoing: Undoing) -> Bool {
        switch self {
        case .cell: undoing.shown.isEmpty && undoing.hidden.isEmpty
        case .hidden(_, let was, _):
            undoing.cells.isEmpty && (was ? undoing.shown.isEmpty : undoing.hidden.isEmpty)
        case .appended: undoing.cells.isEmpty && undoing.shown.isEmpty
        case .moved, .arranged, .column, .display: false
        case .anchored, .lease, .comment, .schema: true
        }
    }
}
