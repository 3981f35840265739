// What the operations of a table replaced, so that each can be taken back later: rules U1 to U15.
// It is kept in memory, within limits, and made again out of the records when a log is replayed.
// What taking back comes to is decided in ResolveUndo.swift.
import TableValue

/// Something that has one value at a time and remembers who wrote it: a cell, a row's place or
/// whether it is there, or one property of a column.
enum Register: Hashable {
    case cell(slot: UInt32, column: Int)
    case comment(CommentID)
    case rowPlace(UInt32)
    case rowPresence(UInt32)
    case columnName(Int)
    case columnType(Int)
    case columnRules(Int)
    case columnPlace(Int)
    case columnPresence(Int)
    case columnDisplay(Int, DisplayField)
    case tableDisplay(DisplayField)
    case rowStyle(Text)
}

/// What one operation replaced.
struct UndoEntry: Sendable {
    let author: OpAuthor
    /// The record that it took back; nil for one that took back none.
    let target: SequenceNumber?
    let steps: [Journal.Step]
    /// True where a column's property may be written twice and goes back the same way.
    let keepsEachWrite: Bool
    let byteCount: Int
    /// How many registers the steps speak of.
    let registerCount: Int

    /// Bytes of an entry besides its steps.
    private static var fixedByteCount: Int { 128 }

    init(
        author: OpAuthor, target: SequenceNumber?, steps: [Journal.Step],
        keepsEachWrite: Bool = false
    ) {
        self.keepsEachWrite = keepsEachWrite
        self.author = author
        self.target = target
        self.steps = steps
        byteCount = steps.reduce(Self.fixedByteCount) { $0 + $1.byteCount }
        registerCount = steps.reduce(0) { $0 + $1.registerCount }
    }
}

/// Whose operations stand in one stack: those of a session, or those that a user sent without.
private struct StackOwner: Hashable, Sendable {
    let session: SessionNumber
    let user: Text

    init(_ author: OpAuthor) {
        session = author.session
        user = author.user
    }
}

/// The operations of one owner that can be taken back, and those that can be done again.
private struct UndoStack: Sendable {
    /// All its entries that are kept, oldest first.
    var kept: [SequenceNumber] = []
    /// What the next undo takes back is last.
    var done: [SequenceNumber] = []
    /// Operations that took something back; what the next redo takes back is last.
    var undone: [SequenceNumber] = []
    var byteCount = 0

    /// Adds an entry; true where it is a new operation, which takes nothing of the stack back.
    mutating func note(_ sequence: SequenceNumber, takingBack target: SequenceNumber?) -> Bool {
        kept.append(sequence)
        if let target, let place = done.lastIndex(of: target) {
            done.remove(at: place)
            undone.append(sequence)
        } else if let target, let place = undone.lastIndex(of: target) {
            undone.remove(at: place)
            done.append(sequence)
        } else {
            done.append(sequence)
            undone.removeAll()
            return true
        }
        return false
    }

    mutating func forget(_ sequence: SequenceNumber) {
        if let place = done.firstIndex(of: sequence) { done.remove(at: place) }
        if let place = undone.firstIndex(of: sequence) { undone.remove(at: place) }
    }
}

/// The entries of a table with the stacks of those who made them.
struct UndoLog: Sendable {
    private struct Kept: Sendable {
        var entry: UndoEntry
        /// In whose stack it is: what takes a user's own operation back goes where that was.
        var owner: StackOwner
    }

    private var entries: [SequenceNumber: Kept] = [:]
    private var stacks: [StackOwner: UndoStack] = [:]
    /// Owners in the order in which they first came, so that choosing among them is the same
    /// everywhere.
    private var owners: [StackOwner] = []
    /// The last new operation of each user, in whichever session, for what can be done again.
    ///
    /// Never iterated.
    private var newest: [Text: SequenceNumber] = [:]
    private(set) var byteCount = 0

    /// What the record of that number replaced; nil where it is not kept.
    subscript(sequence: SequenceNumber) -> UndoEntry? { entries[sequence]?.entry }

    /// The record that an author's next undo takes back; of all the user's where `ofUser`.
    func lastDone(of author: OpAuthor, ofUser: Bool) -> SequenceNumber? {
        latest(of: author, ofUser: ofUser) { $0.done.last }
    }

    /// The record that an author's next redo takes back, itself an undo.
    func lastUndone(of author: OpAuthor, ofUser: Bool) -> SequenceNumber? {
        let sequence = latest(of: author, ofUser: ofUser) { $0.undone.last }
        guard ofUser, let sequence else { return sequence }
        return sequence > newest[author.user] ?? 0 ? sequence : nil
    }

    private func latest(
        of author: OpAuthor, ofUser: Bool, _ last: (UndoStack) -> SequenceNumber?
    ) -> SequenceNumber? {
        guard ofUser else { return stacks[StackOwner(author)].flatMap(last) }
        return owners.filter { $0.user == author.user }
            .compactMap { stacks[$0].flatMap(last) }.max()
    }

    /// The record of a session's operation with a client number.
    func sequence(of number: ClientNumber, by author: OpAuthor) -> SequenceNumber? {
        stacks[StackOwner(author)]?.kept.last { sequence in
            guard let author = entries[sequence]?.entry.author else { return false }
            return author.clientNumber == number
        }
    }

    // MARK: Adding and dropping

    mutating func add(_ entry: UndoEntry, as sequence: SequenceNumber, limits: TableLimits) {
        var owner = StackOwner(entry.author)
        if let target = entry.target.flatMap({ entries[$0] }), target.owner.user == owner.user {
            owner = target.owner
        }
        entries[sequence] = Kept(entry: entry, owner: owner)
        if stacks[owner] == nil {
            stacks[owner] = UndoStack()
            owners.append(owner)
        }
        if stacks[owner]?.note(sequence, takingBack: entry.target) == true {
            newest[owner.user] = sequence
        }
        stacks[owner]?.byteCount += entry.byteCount
        byteCount += entry.byteCount
        if let count = stacks[owner]?.kept.count, count > limits.undoOpsMax {
            // Several at once, because each time the rest moves up.
            drop(max(1, count / 4), of: owner)
        }
        while byteCount > limits.undoBytesMax, let largest = largestOwner {
            // Several at once: finding whose they are is a look at everybody.
            drop(max(1, (stacks[largest]?.kept.count ?? 0) / 4), of: largest)
        }
    }

    /// The target is no longer offered: nothing of it was left to take back.
    ///
    /// Rule U15.
    mutating func spend(_ target: SequenceNumber) {
        guard let owner = entries[target]?.owner else { return }
        stacks[owner]?.forget(target)
    }

    /// Forgets all that a session did.
    mutating func end(_ session: SessionNumber) {
        for owner in owners where owner.session == session {
            drop(.max, of: owner)
            stacks[owner] = nil
        }
        owners.removeAll { $0.session == session }
    }

    /// Whose entries take most room; the first of them where several do.
    private var largestOwner: StackOwner? {
        var largest: (owner: StackOwner, byteCount: Int)?
        for owner in owners {
            let byteCount = stacks[owner]?.byteCount ?? 0
            if byteCount > largest?.byteCount ?? 0 { largest = (owner, byteCount) }
        }
        return largest?.owner
    }

    private mutating func drop(_ count: Int, of owner: StackOwner) {
        guard var stack = stacks[owner] else { return }
        stacks[owner] = nil
        let dropped = stack.kept.prefix(count)
        for sequence in dropped {
            stack.forget(sequence)
            guard let kept = entries.removeValue(forKey: sequence) else { continue }
            stack.byteCount -= kept.entry.byteCount
            byteCount -= kept.entry.byteCount
        }
        stack.kept.removeFirst(dropped.count)
        stacks[owner] = stack
    }
}

extension Journal.Step {
    /// About how many bytes it takes in memory.
    fileprivate var byteCount: Int {
        switch self {
        case .cell(_, _, let value, _): 80 + (value.textHeld?.byteCount ?? 0)
        case .comment(_, let comment, _): 160 + (comment?.text.byteCount ?? 0)
        case .appended, .hidden, .anchored, .lease, .schema: 80
        case .moved(let origins): 80 + origins.count * 40
        case .arranged(let slots, _): 80 + slots.count * 24
        case .column(_, .type(let past), _): 160 + past.store.byteCount
        case .column, .display: 160
        }
    }

    fileprivate var registerCount: Int {
        switch self {
        case .moved(let origins): origins.count
        case .arranged(let slots, _): slots.count
        case .column(_, .type(let past), _): past.store.chunks.count * ColumnStore.chunkSize
        default: 1
        }
    }
}

extension Table {
    /// Keeps what the steps in the journal replaced, under the number of the last record.
    mutating func keepUndo(
        by author: OpAuthor, target: SequenceNumber?, keepsEachWrite: Bool = false
    ) {
        guard journal.isActive else { return }
        leases.takeSteps(journal.steps)
        if keepsUndo {
            undoLog.add(
                UndoEntry(
                    author: author, target: target, steps: journal.steps,
                    keepsEachWrite: keepsEachWrite), as: head, limits: limits)
        }
        journal = Journal()
    }

    /// Notes that an undo found nothing of its target to take back, so that the next goes on to
    /// what was done before.
    ///
    /// Rule U15.
    package mutating func spendUndo(of target: SequenceNumber) { undoLog.spend(target) }

    /// Forgets what a session did, which has ended.
    package mutating func endUndo(of session: SessionNumber) { undoLog.end(session) }
}
