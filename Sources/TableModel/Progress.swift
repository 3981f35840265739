// What an operation has come to so far: changes, counts of parts, notes, and in the end the
// outcome. It decides what a part that cannot be applied means in each mode.
import TableValue

/// The state of one operation while its intents are performed one after another.
///
/// It is large, so it is handed on and never copied.
struct Progress: ~Copyable {
    let base: SequenceNumber
    let mode: OpMode
    let author: OpAuthor
    let stamp: Stamp
    let circumstances: Circumstances?
    /// The table as it was, for an operation that brings it back.
    let past: Table?
    var restored: RestoreCounts?
    /// False where the author has seen everything, or does not say: then no stamp is news.
    let mayMeetNews: Bool
    /// The intent that is being performed, from 0.
    var part = 0

    var changes: [Change] = []
    var applied = 0
    private(set) var hidden = 0
    private(set) var gone = 0
    private(set) var refused = 0
    private var rejection: Rejection?
    /// Cells that rules filled.
    private var cellsMade = 0

    var foundSibling = false
    var anchorHidden = false
    var anchorGone = false
    var anchorMoved = false
    private var overrodeCount = 0
    private var overrodeSequence: SequenceNumber = 0
    var renamed: [Text] = []
    /// Names that were tried to find free ones.
    var namesTried = 0
    /// Bytes of rules that were written, and rows that were looked at for them.
    private var ruleBytes = 0
    private var rowsScanned = 0
    private var firstRowSet: UInt32?
    private var setsSeveralRows = false
    private var setsMovedRow = false

    /// The record that is taken back.
    var undid: SequenceNumber?
    private var keptCount = 0
    /// Rows that a clear left.
    private var newerCount = 0
    /// Cells that came to be of another type, and those that were emptied for it.
    private var convertedCount = 0
    private var emptiedCount = 0
    private var keptSequence: SequenceNumber = 0

    var rowsGiven: [RowID] = []
    var columnsGiven: [ColumnID] = []
    var commentsGiven: [CommentID] = []
    var values: [Value] = []
    /// No row was open for a claim.
    var foundNothing = false
    /// Whether each upsert appended its row.
    var inserted: [Bool] = []
    /// Bytes of texts that were made of what cells hold.
    private var bytesJoined = 0

    init(
        _ op: Op, author: OpAuthor, sequence: SequenceNumber, circumstances: Circumstances?,
        past: Table? = nil
    ) {
        self.past = past
        self.circumstances = circumstances
        base = op.base
        mayMeetNews = op.base > 0 && op.base < sequence &- 1
        mode = op.mode
        self.author = author
        stamp = Stamp(sequence: sequence, session: author.session.rawValue)
    }

    var session: SessionNumber { author.session }

    // MARK: Rules of columns

    /// Counts rules that are to be written whole into the record.
    mutating func countRules(_ rules: ColumnRules, limits: TableLimits) throws(Rejection) {
        // Each expression is to be read, which takes longer than the others.
        let isExpression = rules.list.check != nil || rules.list.computed != nil
        ruleBytes += rules.byteCount + (isExpression ? 4_096 : 0)
        guard ruleBytes <= limits.rulesBytesMax &* 4 else {
            throw Rejection(
                .tooManyParts, "One operation writes too many rules; send several.")
        }
    }

    /// Counts rows that are to be looked at for a rule: a table once, a small one several times.
    mutating func countScan(of rowCount: Int, limits: TableLimits) throws(Rejection) {
        guard rowsScanned == 0 || rowsScanned + rowCount <= limits.partsMax else {
            throw Rejection(
                .tooManyParts, "One operation asks for too many looks at all rows; send several.")
        }
        rowsScanned += rowCount
    }

    /// Counts cells that a rule fills beside those that the operation names.
    mutating func countMade(_ count: Int, limits: TableLimits) throws(Rejection) {
        cellsMade += count
        guard cellsMade <= limits.partsMax &* 2 else {
            throw Rejection(
                .tooManyParts,
                "The rules of the columns fill too many cells for one operation; send several.")
        }
    }

    /// Counts a text that is made of what a cell holds: a short operation could make many long
    /// ones.
    mutating func countJoined(_ value: Value, limits: TableLimits) throws(Rejection) {
        bytesJoined += value.textHeld?.byteCount ?? 0
        guard bytesJoined <= limits.cellBytesMax &* 16 else {
            throw Rejection(
                .tooManyParts, "One operation makes too much text of what is there; send several.")
        }
    }

    // MARK: Parts that are not simply applied

    /// What has been counted so far.
    struct Tally {
        fileprivate var applied: Int
        fileprivate var hidden: Int
        fileprivate var gone: Int
        fileprivate var refused: Int
        fileprivate var rejection: Rejection?
    }

    /// The counts, to be set back to where an intent turns out to be refused as a whole.
    var tally: Tally {
        get {
            Tally(
                applied: applied, hidden: hidden, gone: gone, refused: refused,
                rejection: rejection)
        }
        set {
            applied = newValue.applied
            hidden = newValue.hidden
            gone = newValue.gone
            refused = newValue.refused
            rejection = newValue.rejection
        }
    }

    /// Why something was refused since; nil where nothing was.
    func firstRefusal(since tally: Tally) -> Rejection? {
        refused > tally.refused ? rejection : nil
    }

    /// Takes back the count of a part that was about to be applied.
    mutating func uncount(isHidden: Bool) {
        if isHidden { hidden -= 1 } else { applied -= 1 }
    }

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

    /// Remembers that an undo leaves something as somebody else has made it since.
    mutating func keep(_ stamp: Stamp) throws(Rejection) {
        if mode == .strict {
            throw Rejection(
                .keptNewer,
                "Record \(stamp.sequence) has gone on from it; take back what can be, in mode "
                    + "best, or all of it by force.")
        }
        keptCount += 1
        keptSequence = max(keptSequence, stamp.sequence)
    }

    /// Remembers that a clear leaves a row that its author did not know.
    mutating func leaveNewer(_ stamp: Stamp) {
        newerCount += 1
        keptSequence = max(keptSequence, stamp.sequence)
    }

    /// Counts cells that came to be of another type, and such as were emptied for it.
    mutating func noteConverted(_ count: Int, emptied: Int = 0) {
        convertedCount += count
        emptiedCount += emptied
    }

    // MARK: The end

    /// What the whole came to; throws where every part was refused.
    consuming func resolution() throws(Rejection) -> Resolution {
        if changes.isEmpty, applied == 0, hidden == 0, let rejection { throw rejection }
        let status = status
        let isPartial = status == .partial
        return Resolution(
            changes: changes,
            outcome: Outcome(
                status: status, counts: isPartial ? (applied, hidden, gone, refused) : (0, 0, 0, 0),
                notes: notes, rows: rowsGiven, columns: columnsGiven, values: values,
                comments: commentsGiven,
                inserted: inserted, undid: undid, rejection: isPartial ? rejection : nil))
    }

    private var status: Outcome.Status {
        if changes.isEmpty {
            if gone + refused == 0 { return .noop }
            return applied + hidden + refused == 0 ? .gone : .partial
        }
        if gone + refused + keptCount > 0 || (hidden > 0 && applied > 0) { return .partial }
        return hidden > 0 ? .hidden : .ok
    }

    private var notes: [Note] {
        var notes: [Note] = []
        if foundSibling { notes.append(.sibling) }
        if anchorHidden { notes.append(.anchorHidden) }
        if anchorGone { notes.append(.anchorGone) }
        if anchorMoved { notes.append(.anchorMoved) }
        if overrodeCount > 0 {
            notes.append(.overrode(count: overrodeCount, sequence: overrodeSequence))
        }
        for name in renamed { notes.append(.renamed(name)) }
        if foundNothing { notes.append(.nothingToClaim) }
        if setsSeveralRows && setsMovedRow { notes.append(.orderChanged) }
        if keptCount + newerCount > 0 {
            notes.append(.keptNewer(count: keptCount + newerCount, sequence: keptSequence))
        }
        if let restored { notes.append(.restored(restored)) }
        if convertedCount + emptiedCount > 0 {
            notes.append(.converted(count: convertedCount, emptied: emptiedCount))
        }
        return notes
    }
}

extension Outcome {
    /// Makes a whole outcome at once: outcomes are large, and filling one in steps copies it.
    fileprivate init(
        status: Status, counts: (applied: Int, hidden: Int, gone: Int, refused: Int),
        notes: [Note], rows: [RowID], columns: [ColumnID], values: [Value],
        comments: [CommentID], inserted: [Bool], undid: SequenceNumber?, rejection: Rejection?
    ) {
        self.status = status
        applied = counts.applied
        hidden = counts.hidden
        gone = counts.gone
        refused = counts.refused
        self.notes = notes
        self.rows = rows
        self.columns = columns
        self.values = values
        self.comments = comments
        self.inserted = inserted
        self.undid = undid
        self.rejection = rejection
    }
}
