// Writes the intents that change a column as a whole or copy what is there.
// The reader of the same is CopyOpReader.swift; OpWriter.swift asks for them.
import TableModel
import TableValue

extension JSONWriter {
    /// Writes one of these intents; of others nothing.
    mutating func copyIntent(_ intent: Intent) {
        switch intent {
        case .retypeColumn(let retyping): columnRetype(retyping)
        case .duplicateColumn(let duplication): columnDuplicate(duplication)
        case .setColumn(let setting): columnSet(setting)
        case .duplicateRows(let duplication): duplicate(duplication)
        case .appendTable(let appending):
            key("append_table")
            beginObject()
            key("from")
            text(appending.source)
            if appending.isLenient {
                key("lenient")
                bool(true)
            }
            endObject()
        default: break
        }
    }

    private mutating func columnRetype(_ retyping: RetypeColumn) {
        key("column_retype")
        beginObject()
        key("column")
        column(retyping.column)
        key("type")
        columnType(retyping.type)
        rules(retyping.rules)
        if retyping.unconvertible != .reject {
            key("unconvertible")
            string("empty")
        }
        endObject()
    }

    private mutating func columnDuplicate(_ duplication: DuplicateColumn) {
        key("column_duplicate")
        beginObject()
        key("column")
        column(duplication.column)
        if let id = duplication.id {
            key("id")
            column(id)
        }
        if let name = duplication.name {
            key("name")
            text(name)
        }
        if let anchor = duplication.anchor {
            key("at")
            self.anchor(anchor)
        }
        clash(duplication.onClash)
        endObject()
    }

    private mutating func columnSet(_ setting: SetColumn) {
        key("column_set")
        beginObject()
        key("column")
        column(setting.column)
        key("values")
        beginArray()
        for value in setting.values { self.value(value) }
        endArray()
        if let rows = setting.rows {
            key("rows")
            self.rows(rows)
        }
        if !setting.newRows.isEmpty {
            key("new_rows")
            rows(setting.newRows)
        }
        endObject()
    }

    private mutating func duplicate(_ duplication: DuplicateRows) {
        key("duplicate")
        beginObject()
        key("rows")
        rows(duplication.rows)
        if !duplication.ids.isEmpty {
            key("ids")
            rows(duplication.ids)
        }
        if let anchor = duplication.anchor {
            key("at")
            self.anchor(anchor)
        }
        endObject()
    }
}
