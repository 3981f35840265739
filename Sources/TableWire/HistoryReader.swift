// Reads requests for a table's past and history, and their answers.
// docs/protocol.md, "The past", is the table of what stands here; HistoryWriter.swift writes it.
import TableModel
import TableValue

private enum PastKey: String, JSONKeySet {
    case type, id, table, at, time
    static let lookup = JSONKeyTable<PastKey>()
}

private enum PastAnswerKey: String, JSONKeySet {
    case type, id, table, seq, time, rows, columns
    static let lookup = JSONKeyTable<PastAnswerKey>()
}

private enum HistoryKey: String, JSONKeySet {
    case type, id, table, row, column, before, count
    static let lookup = JSONKeyTable<HistoryKey>()
}

private enum HistoryAnswerKey: String, JSONKeySet {
    case type, id, table, seq, entries, next
    static let lookup = JSONKeyTable<HistoryAnswerKey>()
}

private enum EntryKey: String, JSONKeySet {
    case seq, time, user, session, cseq, kind, undid, counts
    case cells, inserted, deleted, shown, moved, columns, comments
    static let lookup = JSONKeyTable<EntryKey>()
}

private enum CountKey: String, JSONKeySet {
    case cells, inserted, deleted, shown, moved, columns, display, comments
    static let lookup = JSONKeyTable<CountKey>()
}

private enum EventKey: String, JSONKeySet {
    case column, what, from, to
    static let lookup = JSONKeyTable<EventKey>()
}

extension JSONReader {
    mutating func readPastRequest(_ id: inout RequestID?) throws(WireError) -> PastRequest {
        var table: TableReference?
        var sequence: SequenceNumber?
        var time: Int64?
        var object = try beginObject(PastKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .at: sequence = try readSequence()
            case .time: time = try readInteger()
            }
        }
        guard let table else { throw missing("table") }
        return PastRequest(table: table, moment: try moment(sequence, time))
    }

    /// The moment that a number or a time names, one of which must be there.
    func moment(_ sequence: SequenceNumber?, _ time: Int64?) throws(WireError) -> PastMoment {
        switch (sequence, time) {
        case (let sequence?, nil): return .sequence(sequence)
        case (nil, let time?): return .time(time)
        default: throw malformed("expected either the number of a record, or a time")
        }
    }

    mutating func readHistoryRequest(_ id: inout RequestID?) throws(WireError) -> HistoryRequest {
        var request = HistoryRequest(table: .name(""))
        var table: TableReference?
        var object = try beginObject(HistoryKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .row: request.row = try readRow()
            case .column: request.column = try readColumnReference()
            case .before: request.before = try readSequence()
            case .count: request.count = try readCount()
            }
        }
        guard let table else { throw missing("table") }
        request.table = table
        return request
    }

    mutating func readPastAnswer(_ id: inout RequestID?) throws(WireError) -> PastAnswer {
        var table: TableID?
        var sequence: SequenceNumber?
        var time: Int64?
        var rowCount: Int?
        var columns: [Column]?
        var object = try beginObject(PastAnswerKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: sequence = try readSequence()
            case .time: time = try readInteger()
            case .rows: rowCount = try readCount()
            case .columns: columns = try readSchema()
            }
        }
        guard let table else { throw missing("table") }
        guard let sequence else { throw missing("seq") }
        guard let rowCount else { throw missing("rows") }
        guard let columns else { throw missing("columns") }
        return PastAnswer(
            table: table, sequence: sequence, timeMilliseconds: time, rowCount: rowCount,
            columns: columns)
    }

    mutating func readHistoryAnswer(_ id: inout RequestID?) throws(WireError) -> HistoryAnswer {
        var table: TableID?
        var sequence: SequenceNumber?
        var entries: [HistoryEntry]?
        var next: SequenceNumber?
        var object = try beginObject(HistoryAnswerKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .seq: sequence = try readSequence()
            case .next: next = try readSequence()
            case .entries:
                var list = try beginArray()
                var read: [HistoryEntry] = []
                while try list.next(&self) { read.append(try readHistoryEntry()) }
                entries = read
            }
        }
        guard let table else { throw missing("table") }
        guard let sequence else { throw missing("seq") }
        guard let entries else { throw missing("entries") }
        return HistoryAnswer(table: table, sequence: sequence, entries: entries, next: next)
    }

    private mutating func readHistoryEntry() throws(WireError) -> HistoryEntry {
        var entry = HistoryEntry(
            sequence: 0, timeMilliseconds: 0, user: "", session: .server, clientNumber: 0,
            kind: .mixed)
        var seen: Set<EntryKey> = []
        var object = try beginObject(EntryKey.self)
        while let key = try object.next(&self) {
            seen.insert(key)
            switch key {
            case .seq: entry.sequence = try readSequence()
            case .time: entry.timeMilliseconds = try readInteger()
            case .user: entry.user = try readName()
            case .session: entry.session = try readSession()
            case .cseq: entry.clientNumber = try readClientNumber()
            // A kind of a newer server is something that happened all the same.
            case .kind: entry.kind = HistoryKind(rawValue: try readShortName()) ?? .mixed
            case .undid: entry.undid = try readSequence()
            case .counts: entry.counts = try readHistoryCounts()
            case .cells: entry.cells = try readHistoryCells()
            case .inserted: entry.inserted = try readRowsWithinLimit()
            case .deleted: entry.deleted = try readRowsWithinLimit()
            case .shown: entry.shown = try readRowsWithinLimit()
            case .moved: entry.moved = try readRowsWithinLimit()
            case .columns: entry.columns = try readHistoryColumns()
            case .comments: entry.comments = try readHistoryComments()
            }
        }
        guard seen.contains(.seq) else { throw missing("seq") }
        guard seen.contains(.time) else { throw missing("time") }
        guard seen.contains(.user) else { throw missing("user") }
        guard seen.contains(.session) else { throw missing("session") }
        guard seen.contains(.kind) else { throw missing("kind") }
        return entry
    }

    private mutating func readHistoryCounts() throws(WireError) -> HistoryCounts {
        var counts = HistoryCounts()
        var object = try beginObject(CountKey.self)
        while let key = try object.next(&self) {
            let count = try readCount()
            switch key {
            case .cells: counts.cells = count
            case .inserted: counts.inserted = count
            case .deleted: counts.deleted = count
            case .shown: counts.shown = count
            case .moved: counts.moved = count
            case .columns: counts.columns = count
            case .display: counts.display = count
            case .comments: counts.comments = count
            }
        }
        return counts
    }

    private mutating func readHistoryCells() throws(WireError) -> [HistoryCell] {
        var cells: [HistoryCell] = []
        var list = try beginArray()
        while try list.next(&self) {
            var cell = try beginArray()
            try cell.expectNext(&self)
            let row = try readRow()
            try cell.expectNext(&self)
            let column = try readColumn()
            try cell.expectNext(&self)
            let from = try readValue()
            try cell.expectNext(&self)
            let to = try readValue()
            try cell.expectEnd(&self)
            cells.append(HistoryCell(row: row, column: column, from: from, to: to))
        }
        return cells
    }

    private mutating func readHistoryColumns() throws(WireError) -> [HistoryColumn] {
        var columns: [HistoryColumn] = []
        var list = try beginArray()
        while try list.next(&self) {
            var column: ColumnID?
            var event: HistoryColumn.Event?
            var from: Text?
            var to: Text?
            var object = try beginObject(EventKey.self)
            while let key = try object.next(&self) {
                switch key {
                case .column: column = try readColumn()
                case .what:
                    event = try readCase(
                        HistoryColumn.Event.self, "what happened to a column: added, deleted, …")
                case .from: from = try readName()
                case .to: to = try readName()
                }
            }
            guard let column else { throw missing("column") }
            guard let event else { throw missing("what") }
            columns.append(HistoryColumn(column: column, event: event, from: from, to: to))
        }
        return columns
    }
}
