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
