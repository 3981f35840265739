// Writes records and outcomes: the line that the log keeps and every follower is sent.
// Their readers: RecordReader.swift, OutcomeReader.swift.
package import TableModel
import TableValue

/// Appends a record as one line, with its `\n`: what `write` makes of the same message, without
/// making the message.
package func writeRecordLine(_ record: Record, table: TableID, to output: inout [UInt8]) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.record(record, table: table)
    writer.endObject()
    writer.endLine()
    writer.append(to: &output)
}

extension JSONWriter {
    /// Writes a record's type and fields.
    mutating func record(_ record: Record, table: TableID) {
        string("record")
        key("table")
        self.table(table)
        key("seq")
        integer(record.sequence)
        key("session")
        session(record.session)
        if record.clientNumber > 0 {
            key("cseq")
            integer(record.clientNumber)
        }
        key("user")
        text(record.user)
        key("time")
        integer(record.timeMilliseconds)
        key("changes")
        changes(record.changes)
        if !record.outcome.isPlain {
            key("outcome")
            outcome(record.outcome)
        }
    }

    /// Writes a list of changes.
    package mutating func changes(_ changes: [Change]) {
        beginArray()
        for change in changes {
            beginObject()
            self.change(change)
            endObject()
        }
        endArray()
    }

    private mutating func change(_ change: Change) {
        switch change {
        case .cellsSet(let cells):
            key("set")
            beginArray()
            for cell in cells {
                beginArray()
                row(cell.row)
                column(cell.column)
                value(cell.value)
                endArray()
            }
            endArray()
        case .cellsFilled(let column, let rows, let values):
            key("fill")
            beginObject()
            key("column")
            self.column(column)
            key("rows")
            self.rows(rows)
            key("values")
            beginArray()
            for value in values { self.value(value) }
            endArray()
            endObject()
        case .rowsInserted(let block):
            key("insert")
            self.block(block)
        case .rowsShown(let block):
            key("show")
            self.block(block)
        case .rowsHidden(let rows):
            key("delete")
            self.rows(rows)
        case .rowsMoved(let rows, let place):
            key("move")
            beginObject()
            key("rows")
            self.rows(rows)
            self.place(place)
            endObject()
        case .rowsArranged(let rows):
            key("arrange")
            self.rows(rows)
        case .leaseSet(let row, let milliseconds): leaseSet(row, until: milliseconds)
        case .leaseEnded(let row):
            key("lease_end")
            self.row(row)
        case .displaySet(let change): displayChange(change)
        case .columnAdded, .columnRenamed, .columnRulesSet, .columnRetyped, .columnMoved,
            .columnHidden, .columnShown:
            columnChange(change)
        }
    }

    private mutating func columnChange(_ change: Change) {
        switch change {
        case .columnAdded(let column, let place):
            key("column_add")
            beginObject()
            columnFields(column)
            self.place(place)
            endObject()
        case .columnRenamed(let column, let name):
            key("column_rename")
            beginObject()
            key("column")
            self.column(column)
            key("name")
            text(name)
            endObject()
        case .columnRulesSet(let column, let rules):
            key("column_rules")
            beginObject()
            key("column")
            self.column(column)
            key("rules")
            tree(rules.tree)
            endObject()
        case .columnRetyped(let column, let type, let rules):
            key("column_retype")
            beginObject()
            key("column")
            self.column(column)
            key("type")
            columnType(type)
            self.rules(rules.tree)
            endObject()
        case .columnMoved(let column, let place):
            key("column_move")
            columnPlace(column, place)
        case .columnHidden(let column):
            key("column_delete")
            self.column(column)
        case .columnShown(let column, let place):
            key("column_show")
            beginObject()
            columnFields(column)
            self.place(place)
            endObject()
        case .cellsSet, .cellsFilled, .rowsInserted, .rowsShown, .rowsHidden, .rowsMoved,
            .rowsArranged, .leaseSet, .leaseEnded, .displaySet:
            break
        }
    }

    private mutating func block(_ block: RowBlock) {
        beginObject()
        key("rows")
        rows(block.ids)
        place(block.place)
        if !block.columns.isEmpty {
            key("columns")
            columns(block.columns)
            key("cells")
            cells(block.cells, width: block.columns.count, rowCount: block.ids.count)
        }
        endObject()
    }

    private mutating func place(_ place: RowPlace) {
        key("after")
        row(place.after)
        if let slot = place.slot {
            key("slot")
            row(slot)
        }
    }

    private mutating func place(_ place: ColumnPlace) {
        key("after")
        column(place.after)
        if let slot = place.slot {
            key("slot")
            column(slot)
        }
    }

    private mutating func columnPlace(_ column: ColumnID, _ place: ColumnPlace) {
        beginObject()
        key("column")
        self.column(column)
        self.place(place)
        endObject()
    }

    private mutating func columnFields(_ column: Column) {
        key("id")
        self.column(column.id)
        key("name")
        text(column.name)
        key("type")
        columnType(column.type)
        rules(column.rules.tree)
        display(column.display)
    }

    /// Writes rules, which are left out where there are none.
    mutating func rules(_ rules: JSONTree) {
        guard rules != .object([]) else { return }
        key("rules")
        tree(rules)
    }

    /// Writes columns with name and type.
    package mutating func schema(_ columns: [Column]) {
        beginArray()
        for column in columns {
            beginObject()
            columnFields(column)
            endObject()
        }
        endArray()
    }
}

extension Outcome {
    /// True where it says no more than that all went well.
    fileprivate var isPlain: Bool {
        status == .ok && applied == 0 && hidden == 0 && gone == 0 && refused == 0 && notes.isEmpty
            && rows.isEmpty && columns.isEmpty && values.isEmpty && inserted.isEmpty
            && undid == nil && rejection == nil
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
