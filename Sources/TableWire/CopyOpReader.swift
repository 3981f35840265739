// Reads the intents that change a column as a whole or copy what is there.
// OpReader.swift asks for them; docs/protocol.md, "Operations", is the table of what stands here.
import TableModel
import TableValue

private enum ColumnRetypeKey: String, JSONKeySet {
    case column, type, rules, unconvertible
    static let lookup = JSONKeyTable<ColumnRetypeKey>()
}

private enum ColumnDuplicateKey: String, JSONKeySet {
    case column, id, name, at
    case onClash = "on_clash"
    static let lookup = JSONKeyTable<ColumnDuplicateKey>()
}

private enum ColumnSetKey: String, JSONKeySet {
    case column, values, rows
    case newRows = "new_rows"
    static let lookup = JSONKeyTable<ColumnSetKey>()
}

private enum DuplicateKey: String, JSONKeySet {
    case rows, ids, at
    static let lookup = JSONKeyTable<DuplicateKey>()
}

private enum AppendTableKey: String, JSONKeySet {
    case from, lenient
    static let lookup = JSONKeyTable<AppendTableKey>()
}

extension JSONReader {
    /// Reads `{"column":"c0.1","type":"int","rules":{…},"unconvertible":"empty"}`.
    mutating func readColumnRetype() throws(WireError) -> RetypeColumn {
        var column: ColumnReference?
        var type: ColumnType?
        var rules = JSONTree.object([])
        var unconvertible = RetypeColumn.Unconvertible.reject
        var object = try beginObject(ColumnRetypeKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .type: type = try readColumnType()
            case .rules: rules = try readTree()
            case .unconvertible:
                unconvertible = try readCase(
                    RetypeColumn.Unconvertible.self, "\"reject\" or \"empty\"")
            }
        }
        guard let column else { throw missing("column") }
        guard let type else { throw missing("type") }
        return RetypeColumn(
            column: column, type: type, rules: rules, unconvertible: unconvertible)
    }

    /// Reads `{"column":"c0.1","id":"c12.4","name":"copy","at":"last"}`.
    mutating func readColumnDuplicate() throws(WireError) -> DuplicateColumn {
        var column: ColumnReference?
        var duplicate = DuplicateColumn(column: .name(""))
        var object = try beginObject(ColumnDuplicateKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .id: duplicate.id = try readColumn()
            case .name: duplicate.name = try readName()
            case .at: duplicate.anchor = try readColumnAnchor()
            case .onClash: duplicate.onClash = try readClash()
            }
        }
        guard let column else { throw missing("column") }
        duplicate.column = column
        return duplicate
    }

    /// Reads `{"column":"c0.1","values":[1,2],"rows":["s1.1"],"new_rows":["s12.1"]}`.
    mutating func readColumnSet() throws(WireError) -> SetColumn {
        var column: ColumnReference?
        var values: [Value]?
        var rows: [RowID]?
        var newRows: [RowID] = []
        var object = try beginObject(ColumnSetKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .values:
                var read: [Value] = []
                var list = try beginArray()
                while try list.next(&self) { read.append(try readValue()) }
                values = read
            case .rows: rows = try readRows()
            case .newRows: newRows = try readRows()
            }
        }
        guard let column else { throw missing("column") }
        guard let values else { throw missing("values") }
        return SetColumn(column: column, values: values, rows: rows, newRows: newRows)
    }

    /// Reads `{"rows":["s1.1"],"ids":["s12.1"],"at":"last"}`.
    mutating func readDuplicate() throws(WireError) -> DuplicateRows {
        var rows: [RowID]?
        var ids: [RowID] = []
        var anchor: RowAnchor?
        var object = try beginObject(DuplicateKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .rows: rows = try readRows()
            case .ids: ids = try readRows()
            case .at: anchor = try readRowAnchor()
            }
        }
        guard let rows else { throw missing("rows") }
        return DuplicateRows(rows: rows, ids: ids, anchor: anchor)
    }

    /// Reads `{"from":"stock","lenient":true}`.
    mutating func readAppendTable() throws(WireError) -> AppendTable {
        var source: Text?
        var isLenient = false
        var object = try beginObject(AppendTableKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .from: source = try readName()
            case .lenient: isLenient = try readBool()
            }
        }
        guard let source else { throw missing("from") }
        return AppendTable(source: source, isLenient: isLenient)
    }
}
