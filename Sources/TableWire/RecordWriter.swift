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
        case .commentPut(let comment):
            key("comment")
            self.comment(comment)
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
            .rowsArranged, .leaseSet, .leaseEnded, .displaySet, .commentPut:
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
