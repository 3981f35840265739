// Writes what became of an operation: how it went, what was noted, what was given, why it was
// refused. The reader of the same is OutcomeReader.swift.
package import TableModel
import TableValue

extension Outcome {
    /// True where it says no more than that all went well.
    var isPlain: Bool {
        status == .ok && applied == 0 && hidden == 0 && gone == 0 && refused == 0 && notes.isEmpty
            && rows.isEmpty && columns.isEmpty && comments.isEmpty && values.isEmpty
            && inserted.isEmpty && undid == nil && rejection == nil
    }
}

extension JSONWriter {
    /// Writes an outcome; `isExactlyOnce` is false for one that may not be asked for again.
    package mutating func outcome(_ outcome: Outcome, isExactlyOnce: Bool = true) {
        beginObject()
        key("status")
        status(outcome.status)
        count("applied", outcome.applied)
        count("hidden", outcome.hidden)
        count("gone", outcome.gone)
        count("refused", outcome.refused)
        if !outcome.notes.isEmpty {
            key("notes")
            beginArray()
            for note in outcome.notes { self.note(note) }
            endArray()
        }
        if !outcome.rows.isEmpty {
            key("rows")
            rows(outcome.rows)
        }
        if !outcome.columns.isEmpty {
            key("columns")
            columns(outcome.columns)
        }
        if !outcome.comments.isEmpty {
            key("comments")
            comments(outcome.comments)
        }
        if !outcome.values.isEmpty {
            key("values")
            beginArray()
            for value in outcome.values { self.value(value) }
            endArray()
        }
        if !outcome.inserted.isEmpty {
            key("inserted")
            beginArray()
            for isNew in outcome.inserted { bool(isNew) }
            endArray()
        }
        if let undid = outcome.undid {
            key("undid")
            integer(undid)
        }
        if let rejection = outcome.rejection {
            key("error")
            self.rejection(rejection)
        }
        if !isExactlyOnce {
            key("once")
            bool(false)
        }
        endObject()
    }

    private mutating func status(_ status: Outcome.Status) {
        switch status {
        case .ok: string("ok")
        case .partial: string("partial")
        case .noop: string("noop")
        case .hidden: string("hidden")
        case .gone: string("gone")
        case .rejected: string("rejected")
        }
    }

    private mutating func count(_ name: StaticString, _ count: Int) {
        guard count != 0 else { return }
        key(name)
        integer(count)
    }

    private mutating func note(_ note: Note) {
        switch note {
        case .sibling: string("sibling")
        case .anchorHidden: string("anchor_hidden")
        case .anchorGone: string("anchor_gone")
        case .anchorMoved: string("anchor_moved")
        case .orderChanged: string("order_changed")
        case .nothingToClaim: string("nothing_to_claim")
        case .renamed(let name):
            beginObject()
            key("renamed")
            text(name)
            endObject()
        case .overrode(let count, let sequence):
            beginObject()
            key("overrode")
            integer(count)
            key("seq")
            integer(sequence)
            endObject()
        case .restored(let counts): restored(counts)
        case .keptNewer(let count, let sequence):
            beginObject()
            key("kept_newer")
            integer(count)
            key("seq")
            integer(sequence)
            endObject()
        case .converted(let count, let emptied):
            beginObject()
            key("converted")
            integer(count)
            if emptied > 0 {
                key("emptied")
                integer(emptied)
            }
            endObject()
        }
    }

    private mutating func rejection(_ rejection: Rejection) {
        beginObject()
        key("code")
        text(rejection.code.rawValue)
        key("message")
        text(rejection.message)
        if let part = rejection.part {
            key("part")
            integer(part)
        }
        if let row = rejection.row {
            key("row")
            self.row(row)
        }
        if let column = rejection.column {
            key("column")
            self.column(column)
        }
        if let rule = rejection.rule {
            key("rule")
            text(rule)
        }
        if !rejection.offenders.isEmpty {
            key("rows")
            rows(rejection.offenders)
        }
        if let sequence = rejection.sequence {
            key("seq")
            integer(sequence)
        }
        if let current = rejection.current {
            key("current")
            beginObject()
            key("value")
            value(current.value)
            key("seq")
            integer(current.version)
            key("session")
            session(current.session)
            if let user = current.user {
                key("user")
                text(user)
            }
            endObject()
        }
        endObject()
    }
}
