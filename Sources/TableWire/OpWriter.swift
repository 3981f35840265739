// Writes operations; the reader of the same is OpReader.swift.
// What was refused while it was read cannot be written again.
package import TableModel
import TableValue

extension JSONWriter {
    /// Writes an operation's type and fields.
    mutating func submittedOp(_ submitted: SubmittedOp) {
        string("op")
        key("table")
        table(submitted.table)
        if submitted.clientNumber > 0 {
            key("cseq")
            integer(submitted.clientNumber)
        }
        if submitted.op.base > 0 {
            key("base")
            integer(submitted.op.base)
        }
        if submitted.op.mode != .best {
            key("mode")
            string("strict")
        }
        if submitted.op.isDryRun {
            key("dry_run")
            bool(true)
        }
        if !submitted.op.preconditions.isEmpty {
            key("pre")
            preconditions(submitted.op.preconditions)
        }
        key("body")
        body(submitted.op.body)
    }

    /// Writes a list of intents.
    package mutating func body(_ body: [Intent]) {
        beginArray()
        for intent in body {
            beginObject()
            self.intent(intent)
            endObject()
        }
        endArray()
    }

    private mutating func intent(_ intent: Intent) {
        switch intent {
        case .setCells(let edits): setCells(edits)
        case .insertRows(let insert): self.insert(insert)
        case .addNumber(let row, let column, let amount):
            key("add")
            cell(row, column, amount)
        case .combineCell(let combine): self.combine(combine)
        case .upsertRow(let upsert): self.upsert(upsert)
        case .claimRow(let claim): self.claim(claim)
        case .changeLease(let change): leaseChange(change)
        case .deleteRows(let rows):
            key("delete")
            self.rows(rows)
        case .moveRows(let rows, let anchor):
            key("move")
            beginObject()
            key("rows")
            self.rows(rows)
            key("at")
            self.anchor(anchor)
            endObject()
        case .addColumn(let add): columnAdd(add)
        case .renameColumn(let column, let name, let onClash):
            key("column_rename")
            beginObject()
            key("column")
            self.column(column)
            key("name")
            text(name)
            clash(onClash)
            endObject()
        case .moveColumn(let column, let anchor):
            key("column_move")
            beginObject()
            key("column")
            self.column(column)
            key("at")
            self.anchor(anchor)
            endObject()
        case .changeRules(let column, let patch):
            key("column_rules")
            beginObject()
            key("column")
            self.column(column)
            key("set")
            tree(patch)
            endObject()
        case .changeDisplay(let change): displayIntent(change)
        case .deleteColumn(let column):
            key("column_delete")
            self.column(column)
        case .comment(let intent): commentIntent(intent)
        case .retypeColumn, .duplicateColumn, .setColumn, .duplicateRows, .appendTable:
            copyIntent(intent)
        case .sortRows, .transformColumn, .clear, .truncate, .undo, .restore:
            wholeIntent(intent)
        }
    }

    private mutating func setCells(_ edits: [CellEdit]) {
        key("set")
        beginArray()
        for edit in edits { cell(edit.row, edit.column, edit.value) }
        endArray()
    }

    private mutating func wholeIntent(_ intent: Intent) {
        switch intent {
        case .sortRows(let sort): self.sort(sort)
        case .transformColumn(let transform):
            key("transform")
            beginObject()
            key("column")
            column(transform.column)
            key("value")
            text(transform.value)
            if let condition = transform.condition {
                key("where")
                text(condition)
            }
            endObject()
        case .clear:
            key("clear")
            bool(true)
        case .truncate:
            key("truncate")
            bool(true)
        case .undo(let request): undo(request)
        case .restore(let request): restore(request)
        default: break
        }
    }

    private mutating func sort(_ sort: SortRows) {
        key("sort")
        beginObject()
        key("by")
        beginArray()
        for key in sort.keys {
            beginArray()
            column(key.column)
            string(key.isDescending ? "down" : "up")
            endArray()
        }
        endArray()
        if let rows = sort.rows {
            key("rows")
            self.rows(rows)
        }
        endObject()
    }

    private mutating func undo(_ request: UndoRequest) {
        if case .lastUndone = request.target { key("redo") } else { key("undo") }
        beginObject()
        switch request.target {
        case .last(let ofUser), .lastUndone(let ofUser):
            if ofUser {
                key("of")
                string("user")
            }
        case .sequence(let sequence):
            key("seq")
            integer(sequence)
        case .clientNumber(let number):
            key("cseq")
            integer(number)
        }
        if request.isForced {
            key("force")
            bool(true)
        }
        endObject()
    }

    /// Writes `[row, column, value]`.
    mutating func cell(_ row: RowID, _ column: ColumnReference, _ value: Value) {
        beginArray()
        self.row(row)
        self.column(column)
        self.value(value)
        endArray()
    }

    private mutating func insert(_ insert: InsertRows) {
        key("insert")
        beginObject()
        if !insert.ids.isEmpty {
            key("rows")
            rows(insert.ids)
        } else if insert.cells.isEmpty {
            key("count")
            integer(insert.rowCount)
        }
        if insert.anchor != .last {
            key("at")
            anchor(insert.anchor)
        }
        if !insert.columns.isEmpty {
            key("columns")
            columns(insert.columns)
        }
        if !insert.cells.isEmpty {
            key("cells")
            cells(insert.cells, width: insert.columns.count, rowCount: insert.rowCount)
        }
        endObject()
    }

    mutating func anchor(_ anchor: RowAnchor) {
        switch anchor {
        case .first: string("first")
        case .last: string("last")
        case .after(let row):
            beginObject()
            key("after")
            self.row(row)
            endObject()
        }
    }

    mutating func anchor(_ anchor: ColumnAnchor) {
        switch anchor {
        case .first: string("first")
        case .last: string("last")
        case .after(let column):
            beginObject()
            key("after")
            self.column(column)
            endObject()
        }
    }

    private mutating func columnAdd(_ add: AddColumn) {
        key("column_add")
        beginObject()
        if let id = add.id {
            key("id")
            column(id)
        }
        key("name")
        text(add.name)
        key("type")
        columnType(add.type)
        rules(add.rules)
        if add.anchor != .last {
            key("at")
            anchor(add.anchor)
        }
        clash(add.onClash)
        if add.ifAbsent {
            key("if_absent")
            bool(true)
        }
        endObject()
    }

    mutating func clash(_ clash: NameClash) {
        guard clash != .reject else { return }
        key("on_clash")
        string("suffix")
    }

    /// Writes a list of preconditions.
    package mutating func preconditions(_ preconditions: [Precondition]) {
        beginArray()
        for precondition in preconditions {
            beginObject()
            self.precondition(precondition)
            endObject()
        }
        endArray()
    }

    private mutating func precondition(_ precondition: Precondition) {
        switch precondition {
        case .cellVersion(let row, let column, let version):
            key("cell_version")
            beginArray()
            self.row(row)
            self.column(column)
            integer(version)
            endArray()
        case .cellValue(let row, let column, let value):
            key("cell_value")
            cell(row, column, value)
        case .rowVersion(let row, let version):
            key("row_version")
            beginArray()
            self.row(row)
            integer(version)
            endArray()
        case .rowLive(let row):
            key("row_live")
            self.row(row)
        case .rowAbsent(let column, let value):
            key("row_absent")
            beginArray()
            self.column(column)
            self.value(value)
            endArray()
        case .tableSequence(let sequence):
            key("table_seq")
            integer(sequence)
        case .schemaSequence(let sequence):
            key("schema_seq")
            integer(sequence)
        }
    }
}
