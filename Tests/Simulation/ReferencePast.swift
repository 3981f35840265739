// What the plain table remembers for undo: each operation with the table before it, where every
// value came from, and the stacks of the sessions. ReferenceUndo.swift asks it.
import TableModel
import TableValue

/// What the reference knows for undo.
struct ReferencePast {
    /// Something with one value at a time.
    enum Register: Hashable {
        case cell(ReferenceTable.Place)
        case presence(RowID)
        case place(RowID)
        case name(ColumnID)
        case type(ColumnID)
        case rules(ColumnID)
        case columnPlace(ColumnID)
        case columnPresence(ColumnID)
        case display(ReferenceLook.Place)
    }

    /// The operation that a value was written by, and the one that it came from: another, where
    /// the first took something back.
    struct Writer: Hashable {
        var sequence: SequenceNumber
        var origin: SequenceNumber
    }

    struct Operation {
        /// Without a past of its own.
        let before: ReferenceTable
        let writersBefore: [Register: Writer]
        var writersAfter: [Register: Writer] = [:]
        let record: Record
    }

    struct Owner: Hashable {
        let session: SessionNumber
        let user: Text
    }

    struct Stack {
        var done: [SequenceNumber] = []
        var undone: [SequenceNumber] = []
    }

    var writers: [Register: Writer] = [:]
    var operations: [SequenceNumber: Operation] = [:]
    var stacks: [Owner: Stack] = [:]
    var owners: [SequenceNumber: Owner] = [:]
    /// The session that last inserted behind another session's row which was not the last.
    var anchored: [RowID: SequenceNumber] = [:]

    func session(_ sequence: SequenceNumber) -> SessionNumber? {
        operations[sequence]?.record.session
    }

    /// What undos without a name would take back, one after another.
    func stack(of session: SessionNumber, isRedo: Bool) -> [SequenceNumber] {
        // A session belongs to one user; without one there is a stack for each.
        let stack = stacks.first { $0.key.session == session && session != .server }?.value
        return ((isRedo ? stack?.undone : stack?.done) ?? []).reversed()
    }

    mutating func note(_ record: Record) {
        var owner = Owner(session: record.session, user: record.user)
        let target = record.outcome.undid
        if let target, let home = owners[target], home.user == owner.user { owner = home }
        owners[record.sequence] = owner
        var stack = stacks[owner] ?? Stack()
        if let target, stack.done.contains(target) {
            stack.done.removeAll { $0 == target }
            stack.undone.append(record.sequence)
        } else if let target, stack.undone.contains(target) {
            stack.undone.removeAll { $0 == target }
            stack.done.append(record.sequence)
        } else {
            stack.done.append(record.sequence)
            stack.undone = []
        }
        stacks[owner] = stack
    }

    /// An undo found nothing left of its target.
    mutating func spend(_ target: SequenceNumber) {
        guard let owner = owners[target] else { return }
        stacks[owner]?.done.removeAll { $0 == target }
        stacks[owner]?.undone.removeAll { $0 == target }
    }
}
