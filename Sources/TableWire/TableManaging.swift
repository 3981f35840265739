// Tables as a whole: the requests that rename, drop and restore one and list dropped ones, and
// what answers them. Both directions and both ways stand here, since each is a few fields.
// What they do is the server's business (Server+Tables.swift).
import TableModel
import TableValue

private enum ListKey: String, JSONKeySet {
    case type, id, deleted
    static let lookup = JSONKeyTable<ListKey>()
}

private enum RenameKey: String, JSONKeySet {
    case type, id, table, name
    case onClash = "on_clash"
    static let lookup = JSONKeyTable<RenameKey>()
}

private enum RestoreKey: String, JSONKeySet {
    case type, id, table
    case onClash = "on_clash"
    static let lookup = JSONKeyTable<RestoreKey>()
}

private enum NamedKey: String, JSONKeySet {
    case type, id, table, name
    static let lookup = JSONKeyTable<NamedKey>()
}

extension JSONReader {
    mutating func readTableList(_ id: inout RequestID?) throws(WireError) -> ClientMessage {
        var isDeleted = false
        var object = try beginObject(ListKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .deleted: isDeleted = try readBool()
            }
        }
        return isDeleted ? .droppedTables : .tables
    }

    mutating func readTableRename(_ id: inout RequestID?) throws(WireError) -> ClientMessage {
        var table: TableReference?
        var name: Text?
        var onClash = NameClash.reject
        var object = try beginObject(RenameKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .name: name = try readName()
            case .onClash: onClash = try readClash()
            }
        }
        guard let table else { throw missing("table") }
        guard let name else { throw missing("name") }
        return .renameTable(table, name: name, onClash: onClash)
    }

    mutating func readTableRestore(_ id: inout RequestID?) throws(WireError) -> ClientMessage {
        var table: TableReference?
        var onClash = NameClash.reject
        var object = try beginObject(RestoreKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .onClash: onClash = try readClash()
            }
        }
        guard let table else { throw missing("table") }
        return .restoreTable(table, onClash: onClash)
    }

    mutating func readRenamed(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        let (table, name) = try readNamedTable(&id)
        return .renamed(table, name: name)
    }

    mutating func readRestored(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        let (table, name) = try readNamedTable(&id)
        return .restored(table, name: name)
    }

    /// Reads a table with its name, as `renamed` and `restored` have them.
    private mutating func readNamedTable(
        _ id: inout RequestID?
    ) throws(WireError) -> (table: TableID, name: Text) {
        var table: TableID?
        var name: Text?
        var object = try beginObject(NamedKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .name: name = try readName()
            }
        }
        guard let table else { throw missing("table") }
        guard let name else { throw missing("name") }
        return (table, name)
    }
}

extension JSONWriter {
    mutating func tableRename(_ table: TableReference, _ name: Text, _ onClash: NameClash) {
        string("table_rename")
        key("table")
        self.table(table)
        key("name")
        text(name)
        clash(onClash)
    }

    mutating func tableRestore(_ table: TableReference, _ onClash: NameClash) {
        string("table_restore")
        key("table")
        self.table(table)
        clash(onClash)
    }

    mutating func namedTable(_ type: StaticString, _ table: TableID, _ name: Text) {
        string(type)
        key("table")
        self.table(table)
        key("name")
        text(name)
    }
}
