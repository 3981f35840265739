// undo, redo: takes operations back, or does again what was taken back.
// What stays because others have gone on from it is for the server to say; Reporting.swift tells
// it. Each call is a session of its own, so the last operation is looked for in all of the user's.
import ClientRuntime
import TableModel
import TableValue
import TableWire

private let undoOptions =
    [
        Option(
            "seq", value: "RECORDS",
            "take back these records, newest first: 118, 118-167 or 1-20,22"),
        Option("force", "also what others have gone on from"),
        jsonOption,
    ] + connectionOptions

extension Command {
    /// Takes back what was done.
    static let undo = Command(
        "undo", "takes back the last thing that you did to a table and have not taken back yet",
        operands: [Operand("TABLE")], options: undoOptions,
        details: """
            Whatever program you did it in. What somebody else has gone on from stays as it is,
            and you are told. Prints the numbers of the record that was taken back and of the
            one that did that. A file that was imported in several pieces is several records,
            which `import` names: undo takes them back with --seq. To take back what another
            user did, be a manager or an owner. Calling it again goes on to what you did before.
            """
    ) { invocation in
        try takeBack(.last(ofUser: true), invocation)
    }

    /// Does again what was taken back.
    static let redo = Command(
        "redo", "does again what the last undo took back",
        operands: [Operand("TABLE")], options: undoOptions,
        details: """
            Whatever program you took it back in. --seq names the records that took something
            back, as undo prints them.
            """
    ) { invocation in
        try takeBack(.lastUndone(ofUser: true), invocation)
    }
}

/// Takes back what --seq names, or else what `last` means, and tells what came of it.
private func takeBack(
    _ last: UndoRequest.Target, _ invocation: Invocation
) throws(CommandFailure) {
    var targets = [last]
    if let word = invocation.value("seq") {
        targets = try RecordNumbers(word).newestFirst.map { .sequence($0) }
    }
    let table = try invocation.openTable(for: .write)
    let output = Output()
    var taken = RecordNumbers()
    var makers = RecordNumbers()
    var failure: CommandFailure?
    for target in targets {
        let request = UndoRequest(target, isForced: invocation.has("force"))
        let op = Op(base: table.opened.sequence, body: [.undo(request)])
        let decision = try table.conversation.perform(op, in: table.id)
        if invocation.has("json") { try output.write(decision.line()) }
        for note in decision.outcome.notes { talk(note.text) }
        if let undid = decision.outcome.undid {
            if let sequence = decision.sequence {
                taken.add(undid)
                makers.add(sequence)
            } else {
                talk("nothing of record \(undid) was left to take back")
            }
        }
        guard let problem = CommandFailure(undoing: decision.outcome) else { continue }
        failure = failure ?? problem
        if decision.outcome.status == .rejected { break }
    }
    table.conversation.end()
    if !invocation.has("json"), !taken.isEmpty {
        try output.line("\(taken) taken back by \(makers)")
    }
    try output.finish()
    if let failure { throw failure }
}

extension CommandFailure {
    /// The failure that the outcome of an undo means; nil where all was taken back, or nothing
    /// was left of it.
    fileprivate init?(undoing outcome: Outcome) {
        let isKept = outcome.notes.contains { note in
            if case .keptNewer = note { true } else { false }
        }
        guard isKept, outcome.rejection == nil else {
            self.init(outcome)
            return
        }
        let what = outcome.status == .noop ? "nothing was taken back" : "only in part taken back"
        self = .refused(
            code: Rejection.Code.keptNewer.rawValue,
            message: "\(what): others have gone on from what it had made")
    }
}
