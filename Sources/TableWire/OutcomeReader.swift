// Reads outcomes: what the author of an operation is told.
// docs/protocol.md, "Outcomes", is the table of what stands here.
package import TableModel
import TableValue

private enum OutcomeKey: String, JSONKeySet {
    case status, applied, hidden, gone, refused, notes, rows, columns, values, comments, inserted,
        undid,
        error, once
    static let lookup = JSONKeyTable<OutcomeKey>()
}

private enum NoteKey: String, JSONKeySet {
    case renamed, overrode, seq, restored, cells, rows, columns, converted, emptied
    case keptNewer = "kept_newer"
    static let lookup = JSONKeyTable<NoteKey>()
}

/// The notes that are one word.
enum NoteName: String {
    case sibling
    case anchorHidden = "anchor_hidden"
    case anchorGone = "anchor_gone"
    case anchorMoved = "anchor_moved"
    case orderChanged = "order_changed"
    case nothingToClaim = "nothing_to_claim"
}

private enum RejectionKey: String, JSONKeySet {
    case code, message, part, row, column, current, rule, rows, seq
    static let lookup = JSONKeyTable<RejectionKey>()
}

private enum CurrentKey: String, JSONKeySet {
    case value, seq, session, user
    static let lookup = JSONKeyTable<CurrentKey>()
}

extension JSONReader {
    /// Reads an outcome.
    package mutating func readOutcome() throws(WireError) -> Outcome {
        var isExactlyOnce = true
        let place = offset
        let outcome = try readOutcome(isExactlyOnce: &isExactlyOnce)
        guard isExactlyOnce else { throw malformed("only a reply has the field once", at: place) }
        return outcome
    }

    /// Reads an outcome that may say that its operation came without a session.
    mutating func readOutcome(isExactlyOnce: inout Bool) throws(WireError) -> Outcome {
        var outcome = Outcome(status: .ok)
        var hasStatus = false
        var object = try beginObject(OutcomeKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .status:
                outcome.status = try readCase(Outcome.Status.self, "a status such as \"ok\"")
                hasStatus = true
            case .applied: outcome.applied = try readCount()
            case .hidden: outcome.hidden = try readCount()
            case .gone: outcome.gone = try readCount()
            case .refused: outcome.refused = try readCount()
            case .notes:
                var list = try beginArray()
                while try list.next(&self) { outcome.notes.append(try readNote()) }
            case .rows: outcome.rows = try readRowsWithinLimit()
            case .columns: outcome.columns = try readColumns()
            case .values:
                var list = try beginArray()
                while try list.next(&self) { outcome.values.append(try readValue()) }
            case .inserted:
                var list = try beginArray()
                while try list.next(&self) { outcome.inserted.append(try readBool()) }
            case .comments: outcome.comments = try readCommentIDs()
            case .undid: outcome.undid = try readSequence()
            case .error: outcome.rejection = try readRejection()
            case .once: isExactlyOnce = try readBool()
            }
        }
        guard hasStatus else { throw missing("status") }
        return outcome
    }

    private mutating func readNote() throws(WireError) -> Note {
        skipSpace()
        guard current == UInt8(ascii: "{") else {
            switch try readCase(NoteName.self, "a note such as \"sibling\"") {
            case .sibling: return .sibling
            case .anchorHidden: return .anchorHidden
            case .anchorGone: return .anchorGone
            case .anchorMoved: return .anchorMoved
            case .orderChanged: return .orderChanged
            case .nothingToClaim: return .nothingToClaim
            }
        }
        var name: Text?
        var count: Int?
        var kept: Int?
        var restored: SequenceNumber?
        var counts = RestoreCounts(to: 0)
        var converted: Int?
        var emptied: Int?
        var sequence: SequenceNumber?
        var object = try beginObject(NoteKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .renamed: name = try readName()
            case .overrode: count = try readCount()
            case .keptNewer: kept = try readCount()
            case .converted: converted = try readCount()
            case .emptied: emptied = try readCount()
            case .seq: sequence = try readSequence()
            case .restored: restored = try readSequence()
            case .cells: counts.cells = try readCount()
            case .rows: counts.rows = try readCount()
            case .columns: counts.columns = try readCount()
            }
        }
        if let restored, name == nil, count == nil, kept == nil, sequence == nil {
            counts.sequence = restored
            return .restored(counts)
        }
        if let converted, name == nil, count == nil, kept == nil, sequence == nil {
            return .converted(count: converted, emptied: emptied ?? 0)
        }
        guard converted == nil, emptied == nil else {
            throw malformed("converted and emptied are a note of their own")
        }
        switch (name, count, kept, sequence) {
        case (let name?, nil, nil, nil): return .renamed(name)
        case (nil, let count?, nil, let sequence?):
            return .overrode(count: count, sequence: sequence)
        case (nil, nil, let kept?, let sequence?):
            return .keptNewer(count: kept, sequence: sequence)
        default: throw malformed("expected a note: renamed, or overrode or kept_newer and seq")
        }
    }

    private mutating func readRejection() throws(WireError) -> Rejection {
        var rejection = Rejection(.malformed, "")
        var hasCode = false
        var object = try beginObject(RejectionKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .code:
                // A code of a newer server is no reason to give up the stream.
                rejection.code = Rejection.Code(rawValue: try readShortName()) ?? .malformed
                hasCode = true
            case .message: rejection.message = try readText().string
            case .part: rejection.part = try readCount()
            case .row: rejection.row = try readRow()
            case .column: rejection.column = try readColumn()
            case .current: rejection.current = try readCurrentCell()
            case .rule: rejection.rule = try readName()
            case .rows: rejection.offenders = try readRows()
            case .seq: rejection.sequence = try readSequence()
            }
        }
        guard hasCode else { throw missing("code") }
        return rejection
    }

    /// Reads a string to be looked up; empty where it has more bytes than any name.
    mutating func readShortName() throws(WireError) -> String {
        let text = try readText()
        return text.byteCount <= KeyWords.byteCountMax ? text.string : ""
    }

    private mutating func readCurrentCell() throws(WireError) -> CurrentCell {
        var value: Value?
        var version: SequenceNumber?
        var session: SessionNumber?
        var user: Text?
        var object = try beginObject(CurrentKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .value: value = try readValue()
            case .seq: version = try readSequence()
            case .session: session = try readSession()
            case .user: user = try readText()
            }
        }
        guard let value else { throw missing("value") }
        guard let version else { throw missing("seq") }
        guard let session else { throw missing("session") }
        return CurrentCell(value: value, version: version, session: session, user: user)
    }
}
