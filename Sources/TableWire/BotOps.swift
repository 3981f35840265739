// Reads and writes the intents that bots need most: cells joined with what they hold, and
// upserts. OpReader.swift and OpWriter.swift ask for them.
// docs/protocol.md, "Operations", is the table of what stands here.
import TableModel
import TableValue

private enum ListAddKey: String, JSONKeySet {
    case row, column, value, once
    static let lookup = JSONKeyTable<ListAddKey>()
}

private enum UpsertKey: String, JSONKeySet {
    case key, set, insert
    static let lookup = JSONKeyTable<UpsertKey>()
}

private enum ClaimKey: String, JSONKeySet {
    case set
    case condition = "where"
    case leaseSeconds = "lease_seconds"
    static let lookup = JSONKeyTable<ClaimKey>()
}

private enum LeaseKey: String, JSONKeySet {
    case row, claim, finish
    case leaseSeconds = "lease_seconds"
    static let lookup = JSONKeyTable<LeaseKey>()
}

private enum LeaseSetKey: String, JSONKeySet {
    case row, until
    static let lookup = JSONKeyTable<LeaseSetKey>()
}

extension JSONReader {
    /// Reads `["s12.1","qty",3]`.
    mutating func readCombine(_ combination: CellCombination) throws(WireError) -> Intent {
        .combineCell(CombineCell(combination, try readEdit()))
    }

    /// Reads `{"row":"s12.1","column":"tags","value":"red","once":true}`.
    mutating func readListAdd() throws(WireError) -> Intent {
        var row: RowID?
        var column: ColumnReference?
        var value: Value?
        var isOnce = false
        var object = try beginObject(ListAddKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .row: row = try readRow()
            case .column: column = try readColumnReference()
            case .value: value = try readValue()
            case .once: isOnce = try readBool()
            }
        }
        guard let row else { throw missing("row") }
        guard let column else { throw missing("column") }
        guard let value else { throw missing("value") }
        return .combineCell(
            CombineCell(
                .addToList(isOnce: isOnce), CellEdit(row: row, column: column, value: value)))
    }

    /// Reads `{"key":["sku","A-1"],"set":{"qty":5},"insert":{"place":"B2"}}`.
    mutating func readUpsert() throws(WireError) -> UpsertRow {
        var key: UpsertRow.Cell?
        var cells: [UpsertRow.Cell] = []
        var cellsOfNew: [UpsertRow.Cell] = []
        var object = try beginObject(UpsertKey.self)
        while let name = try object.next(&self) {
            switch name {
            case .key:
                var pair = try beginArray()
                try pair.expectNext(&self)
                let column = try readColumnReference()
                try pair.expectNext(&self)
                key = UpsertRow.Cell(column, try readValue())
                try pair.expectEnd(&self)
            case .set: cells = try readNamedCells()
            case .insert: cellsOfNew = try readNamedCells()
            }
        }
        guard let key else { throw missing("key") }
        return UpsertRow(key: key, cells: cells, cellsOfNew: cellsOfNew)
    }

    /// Reads `{"where":"state = 'open'","set":{"state":"taken"},"lease_seconds":60}`.
    mutating func readClaim() throws(WireError) -> ClaimRow {
        var claim = ClaimRow()
        var object = try beginObject(ClaimKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .condition: claim.condition = try readText()
            case .set: claim.cells = try readNamedCells()
            case .leaseSeconds: claim.leaseSeconds = try readCount()
            }
        }
        return claim
    }

    /// Reads `{"row":"s12.1","claim":118}` with `lease_seconds` or `finish`.
    mutating func readLeaseChange(isRenewal: Bool) throws(WireError) -> LeaseChange {
        var row: RowID?
        var claim: SequenceNumber?
        var seconds: Int?
        var isFinished = false
        let place = offset
        var object = try beginObject(LeaseKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .row: row = try readRow()
            case .claim: claim = try readSequence()
            case .leaseSeconds: seconds = try readCount()
            case .finish: isFinished = try readBool()
            }
        }
        guard let row else { throw missing("row") }
        guard isRenewal else {
            guard seconds == nil else {
                throw malformed("a release has no lease_seconds", at: place)
            }
            return LeaseChange(isFinished ? .finish : .giveBack, row, claim: claim)
        }
        guard let seconds else { throw missing("lease_seconds") }
        guard !isFinished else { throw malformed("a renewal has no finish", at: place) }
        return LeaseChange(.renew(seconds: seconds), row, claim: claim)
    }

    /// Reads `{"row":"s12.1","until":1796025600123}`.
    mutating func readLeaseSet() throws(WireError) -> Change {
        var row: RowID?
        var until: Int64?
        var object = try beginObject(LeaseSetKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .row: row = try readRow()
            case .until: until = try readInteger()
            }
        }
        guard let row else { throw missing("row") }
        guard let until else { throw missing("until") }
        return .leaseSet(row, untilMilliseconds: until)
    }

    /// Reads an object whose keys are columns, by name or id.
    mutating func readNamedCells() throws(WireError) -> [UpsertRow.Cell] {
        var cells: [UpsertRow.Cell] = []
        var object = try beginFreeObject()
        while let name = try object.next(&self) {
            let place = offset
            let column = try columnReference(try checkedName(name, at: place), at: place)
            cells.append(UpsertRow.Cell(column, try readValue()))
        }
        return cells
    }
}

extension JSONWriter {
    /// Writes a cell that is joined with a value.
    mutating func combine(_ combine: CombineCell) {
        let edit = combine.edit
        switch combine.combination {
        case .minimum: key("minimum")
        case .maximum: key("maximum")
        case .appendText: key("append_text")
        case .removeFromList: key("list_remove")
        case .addToList(let isOnce):
            key("list_add")
            beginObject()
            key("row")
            row(edit.row)
            key("column")
            column(edit.column)
            key("value")
            value(edit.value)
            if isOnce {
                key("once")
                bool(true)
            }
            endObject()
            return
        }
        cell(edit.row, edit.column, edit.value)
    }

    /// Writes an upsert.
    mutating func upsert(_ upsert: UpsertRow) {
        key("upsert")
        beginObject()
        key("key")
        beginArray()
        column(upsert.key.column)
        value(upsert.key.value)
        endArray()
        if !upsert.cells.isEmpty {
            key("set")
            namedCells(upsert.cells)
        }
        if !upsert.cellsOfNew.isEmpty {
            key("insert")
            namedCells(upsert.cellsOfNew)
        }
        endObject()
    }

    /// Writes a claim.
    mutating func claim(_ claim: ClaimRow) {
        key("claim")
        beginObject()
        if let condition = claim.condition {
            key("where")
            text(condition)
        }
        if !claim.cells.isEmpty {
            key("set")
            namedCells(claim.cells)
        }
        if let seconds = claim.leaseSeconds {
            key("lease_seconds")
            integer(seconds)
        }
        endObject()
    }

    /// Writes what shall become of a lease.
    mutating func leaseChange(_ change: LeaseChange) {
        if case .renew = change.kind { key("renew") } else { key("release") }
        beginObject()
        key("row")
        row(change.row)
        if let claim = change.claim {
            key("claim")
            integer(claim)
        }
        switch change.kind {
        case .renew(let seconds):
            key("lease_seconds")
            integer(seconds)
        case .finish:
            key("finish")
            bool(true)
        case .giveBack: break
        }
        endObject()
    }

    /// Writes that a row is given to somebody.
    mutating func leaseSet(_ row: RowID, until milliseconds: Int64) {
        key("lease")
        beginObject()
        key("row")
        self.row(row)
        key("until")
        integer(milliseconds)
        endObject()
    }

    /// Writes an object whose keys are columns.
    mutating func namedCells(_ cells: [UpsertRow.Cell]) {
        beginObject()
        for cell in cells {
            switch cell.column {
            case .id(let id): freeKey(Text(id.description))
            case .name(let name): freeKey(name)
            }
            value(cell.value)
        }
        endObject()
    }
}
