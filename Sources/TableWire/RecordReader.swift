// Reads records and their changes. docs/protocol.md, "Records", is the table of what stands here.
// Next: OutcomeReader.swift.
package import TableModel
import TableValue

private enum RecordKey: String, JSONKeySet {
    case type, id, table, seq, session, cseq, user, time, changes, outcome
    static let lookup = JSONKeyTable<RecordKey>()
}

private enum ChangeKey: String, JSONKeySet {
    case insert, set, fill, delete, show, move, arrange, lease, comment
    case leaseEnd = "lease_end"
    case columnAdd = "column_add"
    case columnRename = "column_rename"
    case columnRules = "column_rules"
    case columnDisplay = "column_display"
    case tableDisplay = "table_display"
    case rowStyle = "row_style"
    case columnRetype = "column_retype"
    case columnMove = "column_move"
    case columnDelete = "column_delete"
    case columnShow = "column_show"
    static let lookup = JSONKeyTable<ChangeKey>()
}

private enum BlockKey: String, JSONKeySet {
    case rows, after, slot, columns, cells
    static let lookup = JSONKeyTable<BlockKey>()
}

private enum FillKey: String, JSONKeySet {
    case column, rows, values
    static let lookup = JSONKeyTable<FillKey>()
}

private enum PlaceKey: String, JSONKeySet {
    case rows, after, slot
    static let lookup = JSONKeyTable<PlaceKey>()
}

private enum ColumnKey: String, JSONKeySet {
    case id, name, type, rules, display
    static let lookup = JSONKeyTable<ColumnKey>()
}

private enum ColumnAddedKey: String, JSONKeySet {
    case id, name, type, rules, display, after, slot
    static let lookup = JSONKeyTable<ColumnAddedKey>()
}

private enum ColumnRenamedKey: String, JSONKeySet {
    case column, name
    static let lookup = JSONKeyTable<ColumnRenamedKey>()
}

private enum ColumnRulesKey: String, JSONKeySet {
    case column, rules
    static let lookup = JSONKeyTable<ColumnRulesKey>()
}

private enum ColumnRetypedKey: String, JSONKeySet {
    case column, type, rules
    static let lookup = JSONKeyTable<ColumnRetypedKey>()
}

private enum ColumnMovedKey: String, JSONKeySet {
    case column, after, slot
    static let lookup = JSONKeyTable<ColumnMovedKey>()
}

extension JSONReader {
    /// Reads a `record` message.
    mutating func readRecord(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        var table: TableID?
        var sequence: SequenceNumber?
        var session: SessionNumber?
        var hasChanges = false
        var record = Record(
            sequence: 0, session: .server, clientNumber: 0, user: "", timeMilliseconds: 0,
            changes: [])
        var object = try beginObject(RecordKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: sequence = try readSequence()
            case .session: session = try readSession()
            case .cseq: record.clientNumber = try readClientNumber()
            case .user: record.user = try readName()
            case .time: record.timeMilliseconds = try readInteger()
            case .changes:
                record.changes = try readChanges()
                hasChanges = true
            case .outcome: record.outcome = try readOutcome()
            }
        }
        guard let table else { throw missing("table") }
        guard let sequence else { throw missing("seq") }
        guard let session else { throw missing("session") }
        guard hasChanges else { throw missing("changes") }
        record.sequence = sequence
        record.session = session
        return .record(table, record)
    }

    /// Reads a list of changes.
    package mutating func readChanges() throws(WireError) -> [Change] {
        var changes: [Change] = []
        var list = try beginArray()
        while try list.next(&self) { changes.append(try readChange()) }
        return changes
    }

    private mutating func readChange() throws(WireError) -> Change {
        try readSingle(ChangeKey.self) { (reader, key) throws(WireError) -> Change in
            switch key {
            case .set: return .cellsSet(try reader.readCellChanges())
            case .fill: return try reader.readFill()
            case .insert: return .rowsInserted(try reader.readBlock())
            case .delete: return .rowsHidden(try reader.readRowsWithinLimit())
            case .show: return .rowsShown(try reader.readBlock())
            case .move: return try reader.readRowsMoved()
            case .arrange: return .rowsArranged(try reader.readRowsWithinLimit())
            case .lease: return try reader.readLeaseSet()
            case .leaseEnd: return .leaseEnded(try reader.readRow())
            case .comment: return .commentPut(try reader.readComment())
            case .columnAdd:
                let (column, place) = try reader.readPlacedColumn()
                return .columnAdded(column, at: place)
            case .columnRename: return try reader.readColumnRenamed()
            case .columnRules: return try reader.readColumnRules()
            case .columnDisplay: return .displaySet(try reader.readColumnDisplaySet())
            case .tableDisplay: return .displaySet(try reader.readTableDisplaySet())
            case .rowStyle: return .displaySet(try reader.readRowStyleSet())
            case .columnRetype: return try reader.readColumnRetyped()
            case .columnMove:
                let (column, place) = try reader.readColumnMoved()
                return .columnMoved(column, to: place)
            case .columnDelete: return .columnHidden(try reader.readColumn())
            case .columnShow:
                let (column, place) = try reader.readPlacedColumn()
                return .columnShown(column, at: place)
            }
        }
    }

    private mutating func readCellChanges() throws(WireError) -> [CellChange] {
        var changes: [CellChange] = []
        var list = try beginArray()
        while try list.next(&self) {
            var triple = try beginArray()
            try triple.expectNext(&self)
            let row = try readRow()
            try triple.expectNext(&self)
            let column = try readColumn()
            try triple.expectNext(&self)
            let value = try readValue()
            try triple.expectEnd(&self)
            changes.append(CellChange(row: row, column: column, value: value))
        }
        return changes
    }

    private mutating func readFill() throws(WireError) -> Change {
        var column: ColumnID?
        var rows: [RowID]?
        var values: [Value]?
        let place = offset
        var object = try beginObject(FillKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumn()
            case .rows: rows = try readRowsWithinLimit()
            case .values:
                var read: [Value] = []
                var list = try beginArray()
                while try list.next(&self) { read.append(try readValue()) }
                values = read
            }
        }
        guard let column else { throw missing("column") }
        guard let rows else { throw missing("rows") }
        guard let values else { throw missing("values") }
        guard rows.count == values.count else {
            throw malformed("a fill has not as many values as rows", at: place)
        }
        return .cellsFilled(column, rows: rows, values: values)
    }

    private mutating func readBlock() throws(WireError) -> RowBlock {
        var block = RowBlock(ids: [], place: RowPlace(after: nil), columns: [], cells: [])
        var cells = Cells()
        var hasRows = false
        var hasPlace = false
        let place = offset
        var object = try beginObject(BlockKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .rows:
                block.ids = try readRowsWithinLimit()
                hasRows = true
            case .after:
                block.place.after = try readRowOrNull()
                hasPlace = true
            case .slot: block.place.slot = try readRow()
            case .columns: block.columns = try readColumns()
            case .cells: cells = try readCells()
            }
        }
        guard hasRows else { throw missing("rows") }
        guard hasPlace else { throw missing("after") }
        block.cells = try cells.values(
            rowCount: block.ids.count, width: block.columns.count, at: place, self)
        return block
    }

    private mutating func readRowsMoved() throws(WireError) -> Change {
        var rows: [RowID]?
        var place = RowPlace(after: nil)
        var hasPlace = false
        var object = try beginObject(PlaceKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .rows: rows = try readRowsWithinLimit()
            case .after:
                place.after = try readRowOrNull()
                hasPlace = true
            case .slot: place.slot = try readRow()
            }
        }
        guard let rows else { throw missing("rows") }
        guard hasPlace else { throw missing("after") }
        return .rowsMoved(rows, to: place)
    }
}

extension JSONReader {
    private mutating func readPlacedColumn() throws(WireError) -> (Column, ColumnPlace) {
        var id: ColumnID?
        var name: Text?
        var type: ColumnType?
        var rules = ColumnRules()
        var display = DisplaySettings()
        var place = ColumnPlace(after: nil)
        var hasPlace = false
        var object = try beginObject(ColumnAddedKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .id: id = try readColumn()
            case .name: name = try readName()
            case .type: type = try readColumnType()
            case .rules: rules = try readRules()
            case .display: display = try readDisplaySettings()
            case .after:
                place.after = try readColumnOrNull()
                hasPlace = true
            case .slot: place.slot = try readColumn()
            }
        }
        guard let id else { throw missing("id") }
        guard let name else { throw missing("name") }
        guard let type else { throw missing("type") }
        guard hasPlace else { throw missing("after") }
        let column = Column(id: id, name: name, type: type, rules: rules, display: display)
        return (column, place)
    }

    private mutating func readColumnRenamed() throws(WireError) -> Change {
        var column: ColumnID?
        var name: Text?
        var object = try beginObject(ColumnRenamedKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumn()
            case .name: name = try readName()
            }
        }
        guard let column else { throw missing("column") }
        guard let name else { throw missing("name") }
        return .columnRenamed(column, name: name)
    }

    private mutating func readColumnRules() throws(WireError) -> Change {
        var column: ColumnID?
        var rules: ColumnRules?
        var object = try beginObject(ColumnRulesKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumn()
            case .rules: rules = try readRules()
            }
        }
        guard let column else { throw missing("column") }
        guard let rules else { throw missing("rules") }
        return .columnRulesSet(column, rules)
    }

    private mutating func readColumnRetyped() throws(WireError) -> Change {
        var column: ColumnID?
        var type: ColumnType?
        var rules = ColumnRules()
        var object = try beginObject(ColumnRetypedKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumn()
            case .type: type = try readColumnType()
            case .rules: rules = try readRules()
            }
        }
        guard let column else { throw missing("column") }
        guard let type else { throw missing("type") }
        return .columnRetyped(column, type, rules)
    }

    private mutating func readColumnMoved() throws(WireError) -> (ColumnID, ColumnPlace) {
        var column: ColumnID?
        var place = ColumnPlace(after: nil)
        var hasPlace = false
        var object = try beginObject(ColumnMovedKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumn()
            case .after:
                place.after = try readColumnOrNull()
                hasPlace = true
            case .slot: place.slot = try readColumn()
            }
        }
        guard let column else { throw missing("column") }
        guard hasPlace else { throw missing("after") }
        return (column, place)
    }

    /// Reads columns with name and type.
    package mutating func readSchema() throws(WireError) -> [Column] {
        var columns: [Column] = []
        var list = try beginArray()
        while try list.next(&self) {
            var id: ColumnID?
            var name: Text?
            var type: ColumnType?
            var rules = ColumnRules()
            var display = DisplaySettings()
            var object = try beginObject(ColumnKey.self)
            while let key = try object.next(&self) {
                switch key {
                case .id: id = try readColumn()
                case .name: name = try readName()
                case .type: type = try readColumnType()
                case .rules: rules = try readRules()
                case .display: display = try readDisplaySettings()
                }
            }
            guard let id else { throw missing("id") }
            guard let name else { throw missing("name") }
            guard let type else { throw missing("type") }
            columns.append(
                Column(id: id, name: name, type: type, rules: rules, display: display))
        }
        return columns
    }
}

extension Cells {
    /// The values, where they are one for each column of each row, or none at all.
    func values(
        rowCount: Int, width: Int, at place: Int, _ reader: borrowing JSONReader
    ) throws(WireError) -> [Value] {
        if self.rowCount == 0, width == 0 { return [] }
        guard self.rowCount == rowCount, self.width == width || rowCount == 0 else {
            throw reader.malformed("cells do not fit the rows and columns", at: place)
        }
        return values
    }
}
