// Reads the server's answers that carry columns, rows and cells.
// docs/protocol.md, "Server to client", is the table of what stands here.
import TableModel
import TableValue

private enum TablesKey: String, JSONKeySet {
    case type, id, tables
    static let lookup = JSONKeyTable<TablesKey>()
}

private enum SummaryKey: String, JSONKeySet {
    case table, name, rows, columns, seq
    static let lookup = JSONKeyTable<SummaryKey>()
}

private enum CreatedKey: String, JSONKeySet {
    case type, id, table, columns
    static let lookup = JSONKeyTable<CreatedKey>()
}

private enum OpenedKey: String, JSONKeySet {
    case type, id, table, name, lineage, seq, columns, rows, role, session, token, window
    case display, mine
    case lastClientNumber = "last_cseq"
    case rowCounter = "row_counter"
    case columnCounter = "column_counter"
    static let lookup = JSONKeyTable<OpenedKey>()
}

private enum SnapshotKey: String, JSONKeySet {
    case type, id, table, seq, rows, columns, display
    static let lookup = JSONKeyTable<SnapshotKey>()
}

private enum ChunkKey: String, JSONKeySet {
    case type, id, table, rows, columns, cells
    static let lookup = JSONKeyTable<ChunkKey>()
}

private enum RowsKey: String, JSONKeySet {
    case type, id, table, seq, columns, rows, cells, versions, total
    static let lookup = JSONKeyTable<RowsKey>()
}

extension JSONReader {
    mutating func readTables(_ id: inout RequestID?) throws(WireError) -> [TableSummary] {
        var tables: [TableSummary]?
        var object = try beginObject(TablesKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .tables:
                var list = try beginArray()
                var read: [TableSummary] = []
                while try list.next(&self) { read.append(try readSummary()) }
                tables = read
            }
        }
        guard let tables else { throw missing("tables") }
        return tables
    }

    private mutating func readSummary() throws(WireError) -> TableSummary {
        var table: TableID?
        var name: Text?
        var rowCount = 0
        var columnCount = 0
        var sequence: SequenceNumber = 0
        var object = try beginObject(SummaryKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .table: table = try readTableID()
            case .name: name = try readName()
            case .rows: rowCount = try readCount()
            case .columns: columnCount = try readCount()
            case .seq: sequence = try readSequence()
            }
        }
        guard let table else { throw missing("table") }
        guard let name else { throw missing("name") }
        return TableSummary(
            table: table, name: name, rowCount: rowCount, columnCount: columnCount,
            sequence: sequence)
    }

    mutating func readCreated(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        var table: TableID?
        var columns: [Column] = []
        var object = try beginObject(CreatedKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .columns: columns = try readSchema()
            }
        }
        guard let table else { throw missing("table") }
        return .created(table, columns: columns)
    }

    mutating func readOpened(_ id: inout RequestID?) throws(WireError) -> Opened {
        var table: TableID?
        var session: SessionNumber?
        var token: Text?
        var opened = Opened(
            table: TableID(rawValue: 0), name: "", lineage: "", sequence: 0, columns: [],
            rowCount: 0, role: "", writer: nil)
        var writer = WriteSession(
            session: .server, token: "", lastClientNumber: 0, rowCounter: 0, columnCounter: 0,
            window: 0)
        var object = try beginObject(OpenedKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .name: opened.name = try readName()
            case .lineage: opened.lineage = try readName()
            case .seq: opened.sequence = try readSequence()
            case .columns: opened.columns = try readSchema()
            case .display: opened.look = try readLook()
            case .mine: opened.mine = try readPersonalDisplay()
            case .rows: opened.rowCount = try readCount()
            case .role: opened.role = try readName()
            case .session: session = try readSession()
            case .token: token = try readName()
            case .lastClientNumber: writer.lastClientNumber = try readSequence()
            case .rowCounter: writer.rowCounter = try readCounter()
            case .columnCounter: writer.columnCounter = try readCounter()
            case .window: writer.window = try readCount()
            }
        }
        guard let table else { throw missing("table") }
        opened.table = table
        if let session {
            guard let token else { throw missing("token") }
            opened.writer = WriteSession(
                session: session, token: token, lastClientNumber: writer.lastClientNumber,
                rowCounter: writer.rowCounter, columnCounter: writer.columnCounter,
                window: writer.window)
        }
        return opened
    }

    /// Reads a counter of ids, 0 for none used.
    package mutating func readCounter() throws(WireError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readInteger(in: 0...Int64(UInt32.max)))
    }

    mutating func readSnapshot(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        var table: TableID?
        var sequence: SequenceNumber?
        var rowCount: Int?
        var columns: [Column]?
        var look = TableLook()
        var object = try beginObject(SnapshotKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: sequence = try readSequence()
            case .rows: rowCount = try readCount()
            case .columns: columns = try readSchema()
            case .display: look = try readLook()
            }
        }
        guard let table else { throw missing("table") }
        guard let sequence else { throw missing("seq") }
        guard let rowCount else { throw missing("rows") }
        guard let columns else { throw missing("columns") }
        return .snapshot(
            table, sequence: sequence, rowCount: rowCount, columns: columns, look: look)
    }

    mutating func readChunk(_ id: inout RequestID?) throws(WireError) -> Chunk {
        var table: TableID?
        var rows: [RowID]?
        var columns: [ColumnID] = []
        var cells = Cells()
        let place = offset
        var object = try beginObject(ChunkKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .rows: rows = try readRowsWithinLimit()
            case .columns: columns = try readColumns()
            case .cells: cells = try readCells()
            }
        }
        guard let table else { throw missing("table") }
        guard let rows else { throw missing("rows") }
        let values = try cells.values(
            rowCount: rows.count, width: columns.count, at: place, self)
        return Chunk(table: table, rows: rows, columns: columns, cells: values)
    }

    mutating func readRowsAnswer(_ id: inout RequestID?) throws(WireError) -> RowsAnswer {
        var table: TableID?
        var rows: [RowID]?
        var cells = Cells()
        var versions = Cells()
        var answer = RowsAnswer(
            table: TableID(rawValue: 0), sequence: 0, columns: [], rows: [], cells: [],
            versions: [], total: 0)
        let place = offset
        var object = try beginObject(RowsKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: answer.sequence = try readSequence()
            case .columns: answer.columns = try readColumns()
            case .rows: rows = try readRowsWithinLimit()
            case .cells: cells = try readCells()
            case .versions: versions = try readCells()
            case .total: answer.total = try readCount()
            }
        }
        guard let table else { throw missing("table") }
        guard let rows else { throw missing("rows") }
        answer.table = table
        answer.rows = rows
        let width = answer.columns.count
        answer.cells = try cells.values(rowCount: rows.count, width: width, at: place, self)
        if versions.rowCount > 0 {
            let values = try versions.values(
                rowCount: rows.count, width: width, at: place, self)
            for value in values {
                guard case .int(let version) = value, version >= 0 else {
                    throw malformed("a version is the number of a record", at: place)
                }
                answer.versions.append(version)
            }
        }
        return answer
    }
}
