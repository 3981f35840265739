// What an operation has come to so far: changes, counts of parts, notes, and in the end the
// outcome. It decides what a part that cannot be applied means in each mode.
import TableValue

/// The state of one operation while its intents are performed one after another.
struct Progress {
    let base: SequenceNumber
    let mode: OpMode
    let session: SessionNumber
    let stamp: Stamp
    /// The intent that is being performed, from 0.
    var part = 0

    var changes: [Change] = []
    var applied = 0
    private(set) var hidden = 0
    private(set) var gone = 0
    private(set) var refused = 0
    private var rejection: Rejection?

    var foundSibling = false
    var anchorHidden = false
    var anchorGone = false
    var anchorMoved = false
    private var overrodeCount = 0
    private var overrodeSequence: SequenceNumber = 0
    var renamed: [Text] = []
    private var firstRowSet: UInt32?
    private var setsSeveralRows = false
    private var setsMovedRow = false

    var rowsGiven: [RowID] = []
    var columnsGiven: [ColumnID] = []
    var values: [Value] = []

    init(_ op: Op, session: SessionNumber, sequence: SequenceNumber) {
        base = op.base
        mode = op.mode
        self.session = session
        stamp = Stamp(sequence: sequence, session: session.rawValue)
    }

    // MARK: Parts that are not simply applied

    /// Counts parts that cannot be applied; in strict mode they refuse the whole.
    mutating func refuse(_ reason: Rejection, parts: Int) throws(Rejection) {
        var reason = reason
        reason.part = part
        if mode == .strict { throw reason }
        refused += parts
        if rejection == nil { rejection = reason }
    }

    /// Counts a part about a row that the table does not know.
    mutating func miss(_ row: RowID) throws(Rejection) {
        if mode == .strict {
            throw Rejection(
                .unknownRow, "There is no row \(row); read the table again.", part: part, row: row)
        }
        gone += 1
    }

    /// Counts parts about a deleted row.
    mutating func meetHidden(_ row: RowID, parts: Int = 1) throws(Rejection) {
        if mode == .strict {
            throw Rejection(
                .rowHidden, "The row \(row) has been deleted.", part: part, row: row)
        }
        hidden += parts
    }

    /// Counts parts about a deleted column.
    mutating func meetHidden(_ column: ColumnID, parts: Int = 1) throws(Rejection) {
        if mode == .strict {
            throw Rejection(
                .columnHidden, "The column \(column) has been deleted.", part: part,
                column: column)
        }
        hidden += parts
    }

    // MARK: Notes

    /// Remembers that a register was replaced, if its author could not know.
    mutating func noteOverridden(_ stamp: Stamp?) {
        guard let stamp, stamp.isNews(to: session, since: base) else { return }
        overrodeCount += 1
        overrodeSequence = max(overrodeSequence, stamp.sequence)
    }

    /// Remembers that a cell of the row is set, and who last moved the row.
    ///
    /// Rule C14.
    mutating func noteSet(_ row: UInt32, moved: Stamp?) {
        if let first = firstRowSet, first != row { setsSeveralRows = true }
        if firstRowSet == nil { firstRowSet = row }
        if let moved, moved.isNews(to: session, since: base) { setsMovedRow = true }
    }

    // MARK: The end

    /// What the whole came to; throws where every part was refused.
    consuming func resolution() throws(Rejection) -> Resolution {
        var outcome = Outcome(status: .ok)
        if changes.isEmpty {
            if applied == 0, hidden == 0, let rejection { throw rejection }
            if gone + refused == 0 {
                outcome.status = .noop
            } else {
                outcome.status = applied + hidden + refused == 0 ? .gone : .partial
            }
        } else if gone + refused > 0 || (hidden > 0 && applied > 0) {
            outcome.status = .partial
        } else if hidden > 0 {
            outcome.status = .hidden
        }
        if outcome.status == .partial {
            outcome.applied = applied
            outcome.hidden = hidden
            outcome.gone = gone
            outcome.refused = refused
            outcome.rejection = rejection
        }
        addNotes(to: &outcome)
        outcome.rows = rowsGiven
        outcome.columns = columnsGiven
        outcome.values = values
        return Resolution(changes: changes, outcome: outcome)
    }

    private func addNotes(to outcome: inout Outcome) {
        if foundSibling { outcome.notes.append(.sibling) }
        if anchorHidden { outcome.notes.append(.anchorHidden) }
        if anchorGone { outcome.notes.append(.anchorGone) }
        if anchorMoved { outcome.notes.append(.anchorMoved) }
        if overrodeCount > 0 {
            outcome.notes.append(.overrode(count: overrodeCount, sequence: overrodeSequence))
        }
        for name in renamed { outcome.notes.append(.renamed(name)) }
        if setsSeveralRows && setsMovedRow { outcome.notes.append(.orderChanged) }
    }
}
