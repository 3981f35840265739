// Reads operations: their intents and anchors; preconditions are in PreconditionReader.swift.
// docs/protocol.md, "Operations", is the table of what stands here.
package import TableModel
import TableValue

private enum OpKey: String, JSONKeySet {
    case type, id, table, cseq, base, mode, pre, body
    case dryRun = "dry_run"
    static let lookup = JSONKeyTable<OpKey>()
}

private enum IntentKey: String, JSONKeySet {
    case insert, append, set, add, minimum, maximum, upsert, claim, renew, release, delete, move,
        sort, transform, clear, truncate, restore, undo, redo
    case appendText = "append_text"
    case listAdd = "list_add"
    case listRemove = "list_remove"
    case duplicate, comment
    case commentEdit = "comment_edit"
    case commentResolve = "comment_resolve"
    case commentDelete = "comment_delete"
    case appendTable = "append_table"
    case columnRetype = "column_retype"
    case columnDuplicate = "column_duplicate"
    case columnSet = "column_set"
    case columnAdd = "column_add"
    case columnRename = "column_rename"
    case columnRules = "column_rules"
    case columnDisplay = "column_display"
    case tableDisplay = "table_display"
    case rowStyle = "row_style"
    case columnMove = "column_move"
    case columnDelete = "column_delete"
    static let lookup = JSONKeyTable<IntentKey>()
}

private enum InsertKey: String, JSONKeySet {
    case rows, count, at, columns, cells
    static let lookup = JSONKeyTable<InsertKey>()
}

private enum MoveKey: String, JSONKeySet {
    case rows, at
    static let lookup = JSONKeyTable<MoveKey>()
}

private enum AfterKey: String, JSONKeySet {
    case after
    static let lookup = JSONKeyTable<AfterKey>()
}

private enum ColumnAddKey: String, JSONKeySet {
    case id, name, type, rules, at
    case onClash = "on_clash"
    case ifAbsent = "if_absent"
    static let lookup = JSONKeyTable<ColumnAddKey>()
}

private enum ColumnRenameKey: String, JSONKeySet {
    case column, name
    case onClash = "on_clash"
    static let lookup = JSONKeyTable<ColumnRenameKey>()
}

private enum ColumnRulesKey: String, JSONKeySet {
    case column, set
    static let lookup = JSONKeyTable<ColumnRulesKey>()
}

private enum ColumnMoveKey: String, JSONKeySet {
    case column, at
    static let lookup = JSONKeyTable<ColumnMoveKey>()
}

extension JSONReader {
    /// Reads an `op` message.
    mutating func readSubmittedOp(_ id: inout RequestID?) throws(WireError) -> SubmittedOp {
        var table: TableReference?
        var clientNumber: ClientNumber = 0
        var hasBody = false
        var op = Op(body: [])
        var object = try beginObject(OpKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .cseq: clientNumber = try readClientNumber()
            case .base: op.base = try readSequence()
            case .mode: op.mode = try readCase(OpMode.self, "\"best\" or \"strict\"")
            case .pre: op.preconditions = try readPreconditions()
            case .body:
                op.body = try readBody()
                hasBody = true
            case .dryRun: op.isDryRun = try readBool()
            }
        }
        guard !op.isDryRun || clientNumber == 0 else {
            throw malformed("a dry run has no cseq")
        }
        guard let table else { throw missing("table") }
        guard hasBody else { throw missing("body") }
        var submitted = SubmittedOp(table: table, clientNumber: clientNumber, op: op)
        if hasTooManyRows {
            submitted.op.body = []
            submitted.refusal = Rejection(
                .tooManyParts,
                "The operation names more than \(limits.partsMax) rows: send it in pieces.")
        }
        return submitted
    }

    /// Reads a list of intents.
    package mutating func readBody() throws(WireError) -> [Intent] {
        var body: [Intent] = []
        var list = try beginArray()
        while try list.next(&self) { body.append(try readIntent()) }
        return body
    }

    private mutating func readIntent() throws(WireError) -> Intent {
        try readSingle(IntentKey.self) { (reader, key) throws(WireError) -> Intent in
            switch key {
            case .set: return .setCells(try reader.readEdits())
            case .insert: return .insertRows(try reader.readInsert())
            case .append: return .insertRows(try reader.readAppend())
            case .add: return try reader.readAdd()
            case .minimum: return try reader.readCombine(.minimum)
            case .maximum: return try reader.readCombine(.maximum)
            case .appendText: return try reader.readCombine(.appendText)
            case .listRemove: return try reader.readCombine(.removeFromList)
            case .listAdd: return try reader.readListAdd()
            case .upsert: return .upsertRow(try reader.readUpsert())
            case .claim: return .claimRow(try reader.readClaim())
            case .renew: return .changeLease(try reader.readLeaseChange(isRenewal: true))
            case .release: return .changeLease(try reader.readLeaseChange(isRenewal: false))
            case .delete: return .deleteRows(try reader.readRows())
            case .move: return try reader.readMove()
            case .columnAdd: return .addColumn(try reader.readColumnAdd())
            case .columnRename: return try reader.readColumnRename()
            case .columnRules: return try reader.readColumnRules()
            case .columnDisplay: return .changeDisplay(try reader.readColumnDisplay())
            case .tableDisplay: return .changeDisplay(.table(try reader.readTree()))
            case .rowStyle: return .changeDisplay(try reader.readRowStyle())
            case .columnMove: return try reader.readColumnMove()
            case .columnDelete: return .deleteColumn(try reader.readColumnReference())
            case .duplicate: return .duplicateRows(try reader.readDuplicate())
            case .appendTable: return .appendTable(try reader.readAppendTable())
            case .columnRetype: return .retypeColumn(try reader.readColumnRetype())
            case .columnDuplicate: return .duplicateColumn(try reader.readColumnDuplicate())
            case .columnSet: return .setColumn(try reader.readColumnSet())
            case .sort: return .sortRows(try reader.readSort())
            case .transform: return .transformColumn(try reader.readTransform())
            case .clear: return try reader.readFlag(.clear)
            case .truncate: return try reader.readFlag(.truncate)
            case .comment: return .comment(try reader.readMakeComment())
            case .commentEdit: return .comment(try reader.readEditComment())
            case .commentResolve: return .comment(try reader.readResolveComment())
            case .commentDelete: return .comment(.delete(try reader.readCommentID()))
            case .undo: return .undo(try reader.readUndo(isRedo: false))
            case .redo: return .undo(try reader.readUndo(isRedo: true))
            case .restore: return .restore(try reader.readRestore())
            }
        }
    }

    private mutating func readEdits() throws(WireError) -> [CellEdit] {
        var edits: [CellEdit] = []
        var list = try beginArray()
        while try list.next(&self) { edits.append(try readEdit()) }
        return edits
    }

    /// Reads `[row, column, value]`.
    mutating func readEdit() throws(WireError) -> CellEdit {
        var triple = try beginArray()
        try triple.expectNext(&self)
        let row = try readRow()
        try triple.expectNext(&self)
        let column = try readColumnReference()
        try triple.expectNext(&self)
        let value = try readValue()
        try triple.expectEnd(&self)
        return CellEdit(row: row, column: column, value: value)
    }

    private mutating func readAdd() throws(WireError) -> Intent {
        let edit = try readEdit()
        return .addNumber(row: edit.row, column: edit.column, amount: edit.value)
    }

    private mutating func readAppend() throws(WireError) -> InsertRows {
        var insert = InsertRows(rowCount: 1)
        var object = try beginFreeObject()
        while let name = try object.next(&self) {
            let place = offset
            insert.columns.append(try columnReference(try checkedName(name, at: place), at: place))
            insert.cells.append(try readValue())
        }
        takeRows(1)
        return insert
    }

    private mutating func readInsert() throws(WireError) -> InsertRows {
        var ids: [RowID]?
        var count: Int?
        var cells = Cells()
        var insert = InsertRows(rowCount: 0)
        let place = offset
        var object = try beginObject(InsertKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .rows: ids = try readRows()
            case .count: count = try readCount()
            case .at: insert.anchor = try readRowAnchor()
            case .columns: insert.columns = try readColumnReferences()
            case .cells: cells = try readCells()
            }
        }
        insert.ids = ids ?? []
        insert.cells = cells.values
        if ids == nil { takeRows(max(count ?? 0, cells.rowCount)) }
        // The rows beyond the limit were not collected, so the counts say nothing then.
        if hasTooManyRows { return insert }
        insert.rowCount = ids?.count ?? count ?? cells.rowCount
        guard insert.rowCount > 0 else { throw malformed("no rows to insert", at: place) }
        guard count == nil || count == insert.rowCount,
            cells.rowCount == 0 || cells.rowCount == insert.rowCount
        else { throw malformed("rows, count and cells speak of different numbers", at: place) }
        guard cells.rowCount == 0 || cells.width == insert.columns.count else {
            throw malformed("each row of cells needs one value a column", at: place)
        }
        return insert
    }

    /// Counts rows that are announced by number, as `readRows` counts those that are named.
    private mutating func takeRows(_ count: Int) {
        if count <= rowsLeft {
            rowsLeft &-= count
        } else {
            rowsLeft = 0
            hasTooManyRows = true
        }
    }

    mutating func readRowAnchor() throws(WireError) -> RowAnchor {
        skipSpace()
        if current == UInt8(ascii: "{") {
            return .after(
                try readSingle(AfterKey.self) { (reader, _) throws(WireError) in
                    try reader.readRow()
                })
        }
        switch try readCase(EndName.self, "\"first\", \"last\" or {\"after\": row}") {
        case .first: return .first
        case .last: return .last
        }
    }

    mutating func readColumnAnchor() throws(WireError) -> ColumnAnchor {
        skipSpace()
        if current == UInt8(ascii: "{") {
            return .after(
                try readSingle(AfterKey.self) { (reader, _) throws(WireError) in
                    try reader.readColumnReference()
                })
        }
        switch try readCase(EndName.self, "\"first\", \"last\" or {\"after\": column}") {
        case .first: return .first
        case .last: return .last
        }
    }
}

/// The ends of a table, as anchors name them.
private enum EndName: String {
    case first, last
}

extension JSONReader {
    private mutating func readMove() throws(WireError) -> Intent {
        var rows: [RowID]?
        var anchor: RowAnchor?
        var object = try beginObject(MoveKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .rows: rows = try readRows()
            case .at: anchor = try readRowAnchor()
            }
        }
        guard let rows else { throw missing("rows") }
        guard let anchor else { throw missing("at") }
        return .moveRows(rows, to: anchor)
    }

    private mutating func readColumnAdd() throws(WireError) -> AddColumn {
        var add = AddColumn(name: "", type: .text)
        var name: Text?
        var type: ColumnType?
        var object = try beginObject(ColumnAddKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .id: add.id = try readColumn()
            case .name: name = try readName()
            case .type: type = try readColumnType()
            case .rules: add.rules = try readTree()
            case .at: add.anchor = try readColumnAnchor()
            case .onClash: add.onClash = try readClash()
            case .ifAbsent: add.ifAbsent = try readBool()
            }
        }
        guard let name else { throw missing("name") }
        guard let type else { throw missing("type") }
        add.name = name
        add.type = type
        return add
    }

    mutating func readClash() throws(WireError) -> NameClash {
        try readCase(NameClash.self, "\"reject\" or \"suffix\"")
    }

    private mutating func readColumnRename() throws(WireError) -> Intent {
        var column: ColumnReference?
        var name: Text?
        var onClash = NameClash.reject
        var object = try beginObject(ColumnRenameKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .name: name = try readName()
            case .onClash: onClash = try readClash()
            }
        }
        guard let column else { throw missing("column") }
        guard let name else { throw missing("name") }
        return .renameColumn(column, name: name, onClash: onClash)
    }

    private mutating func readColumnRules() throws(WireError) -> Intent {
        var column: ColumnReference?
        var patch: JSONTree?
        var object = try beginObject(ColumnRulesKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .set: patch = try readTree()
            }
        }
        guard let column else { throw missing("column") }
        guard let patch else { throw missing("set") }
        return .changeRules(column, patch)
    }

    private mutating func readColumnMove() throws(WireError) -> Intent {
        var column: ColumnReference?
        var anchor: ColumnAnchor?
        var object = try beginObject(ColumnMoveKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .at: anchor = try readColumnAnchor()
            }
        }
        guard let column else { throw missing("column") }
        guard let anchor else { throw missing("at") }
        return .moveColumn(column, to: anchor)
    }
}
