// How a table is shown, on the wire: in operations and records, in snapshots, and what each person
// says for herself. Both directions and both ways stand here, since each is a few fields.
// What they do is decided in TableModel (ResolveDisplay.swift) and TableServer (Server+Display).
package import TableModel
package import TableValue

private enum ColumnDisplayKey: String, JSONKeySet {
    case column, set
    static let lookup = JSONKeyTable<ColumnDisplayKey>()
}

private enum RowStyleKey: String, JSONKeySet {
    case name, set
    static let lookup = JSONKeyTable<RowStyleKey>()
}

private enum DisplayRequestKey: String, JSONKeySet {
    case type, id, table, column, set
    static let lookup = JSONKeyTable<DisplayRequestKey>()
}

private enum DisplayAnswerKey: String, JSONKeySet {
    case type, id, table, mine
    static let lookup = JSONKeyTable<DisplayAnswerKey>()
}

/// Asks for another look of a table for the user alone.
package struct DisplayRequest: Hashable, Sendable {
    /// The table, by id or name.
    package var table: TableReference
    /// The column that is spoken of; nil for the table.
    package var column: ColumnReference?
    /// The fields, null where one shall say nothing any more; nil for none of them any more.
    package var patch: JSONTree?

    /// Says something of a column, or of the table.
    package init(table: TableReference, column: ColumnReference? = nil, patch: JSONTree?) {
        self.table = table
        self.column = column
        self.patch = patch
    }
}

// MARK: Operations

extension JSONReader {
    mutating func readColumnDisplay() throws(WireError) -> DisplayChange {
        var column: ColumnReference?
        var patch: JSONTree?
        var object = try beginObject(ColumnDisplayKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .column: column = try readColumnReference()
            case .set: patch = try readTree()
            }
        }
        guard let column else { throw missing("column") }
        guard let patch else { throw missing("set") }
        return .column(column, patch)
    }

    mutating func readRowStyle() throws(WireError) -> DisplayChange {
        let (name, tree) = try readStyle()
        return .style(name, tree)
    }

    private mutating func readStyle() throws(WireError) -> (Text, JSONTree?) {
        var name: Text?
        var style: JSONTree?
        var object = try beginObject(RowStyleKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .name: name = try readName()
            case .set: style = try readTree()
            }
        }
        guard let name else { throw missing("name") }
        guard let style else { throw missing("set") }
        return (name, style == .null ? nil : style)
    }

    // MARK: Records

    mutating func readColumnDisplaySet() throws(WireError) -> DisplayOutcome {
        let place = offset
        guard case .column(.id(let column), let tree) = try readColumnDisplay() else {
            throw malformed("expected a column's id, such as c12.3", at: place)
        }
        return .column(
            column,
            try displayed(place) { () throws(DisplayFault) in
                try displayEntries(reading: tree, ofTable: false)
            })
    }

    mutating func readTableDisplaySet() throws(WireError) -> DisplayOutcome {
        .table(try readDisplayEntries(ofTable: true))
    }

    mutating func readRowStyleSet() throws(WireError) -> DisplayOutcome {
        let place = offset
        let (name, tree) = try readStyle()
        guard let tree else { return .style(name, nil) }
        return .style(
            name,
            try displayed(place) { () throws(DisplayFault) in
                try RowStyle(name: name, reading: tree)
            })
    }

    /// Reads fields, null where one says nothing any more.
    package mutating func readDisplayEntries(
        ofTable isOfTable: Bool
    ) throws(WireError) -> [DisplayEntry] {
        let place = offset
        let tree = try readTree()
        return try displayed(place) { () throws(DisplayFault) in
            try displayEntries(reading: tree, ofTable: isOfTable)
        }
    }

    mutating func readDisplaySettings() throws(WireError) -> DisplaySettings {
        let place = offset
        let tree = try readTree()
        return try displayed(place) { () throws(DisplayFault) in
            try DisplaySettings(reading: tree, ofTable: false)
        }
    }

    mutating func readLook() throws(WireError) -> TableLook {
        let place = offset
        let tree = try readTree()
        return try displayed(place) { () throws(DisplayFault) in try TableLook(reading: tree) }
    }

    mutating func readPersonalDisplay() throws(WireError) -> PersonalDisplay {
        let place = offset
        let tree = try readTree()
        return try displayed(place) { () throws(DisplayFault) in
            try PersonalDisplay(reading: tree)
        }
    }

    private func displayed<Read>(
        _ place: Int, _ read: () throws(DisplayFault) -> Read
    ) throws(WireError) -> Read {
        do {
            return try read()
        } catch {
            throw malformed(error.reason, at: place)
        }
    }

    // MARK: Requests

    mutating func readDisplayRequest(_ id: inout RequestID?) throws(WireError) -> DisplayRequest {
        var table: TableReference?
        var column: ColumnReference?
        var tree: JSONTree?
        var object = try beginObject(DisplayRequestKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableReference()
            case .column: column = try readColumnReference()
            case .set: tree = try readTree()
            }
        }
        guard let table else { throw missing("table") }
        guard let tree else { throw missing("set") }
        return DisplayRequest(table: table, column: column, patch: tree == .null ? nil : tree)
    }

    mutating func readDisplayAnswer(_ id: inout RequestID?) throws(WireError) -> ServerMessage {
        var table: TableID?
        var mine: PersonalDisplay?
        var object = try beginObject(DisplayAnswerKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .type: try skipType()
            case .id: id = try readInteger()
            case .table: table = try readTableID()
            case .mine: mine = try readPersonalDisplay()
            }
        }
        guard let table else { throw missing("table") }
        guard let mine else { throw missing("mine") }
        return .display(table, mine: mine)
    }
}

extension JSONWriter {
    mutating func displayIntent(_ change: DisplayChange) {
        switch change {
        case .column(let column, let patch):
            key("column_display")
            beginObject()
            key("column")
            self.column(column)
            key("set")
            tree(patch)
            endObject()
        case .table(let patch):
            key("table_display")
            tree(patch)
        case .style(let name, let style): rowStyle(name, style)
        }
    }

    mutating func displayChange(_ change: DisplayOutcome) {
        switch change {
        case .column(let column, let entries):
            key("column_display")
            beginObject()
            key("column")
            self.column(column)
            key("set")
            tree(displayTree(entries))
            endObject()
        case .table(let entries):
            key("table_display")
            tree(displayTree(entries))
        case .style(let name, let style): rowStyle(name, style?.tree)
        }
    }

    private mutating func rowStyle(_ name: Text, _ style: JSONTree?) {
        key("row_style")
        beginObject()
        key("name")
        text(name)
        key("set")
        tree(style ?? .null)
        endObject()
    }

    /// Writes how a column is shown, where anything is said of it.
    mutating func display(_ settings: DisplaySettings) {
        guard !settings.isEmpty else { return }
        key("display")
        tree(settings.tree)
    }

    /// Writes how a table is shown as a whole, where anything is said of it.
    mutating func look(_ look: TableLook) {
        guard !look.isEmpty else { return }
        key("display")
        tree(look.tree)
    }

    /// Writes what a person says for herself, where she says anything.
    mutating func personal(_ mine: PersonalDisplay) {
        guard !mine.isEmpty else { return }
        key("mine")
        tree(mine.tree)
    }

    mutating func displayAnswer(_ table: TableID, _ mine: PersonalDisplay) {
        string("display")
        key("table")
        self.table(table)
        key("mine")
        tree(mine.tree)
    }

    mutating func displayRequest(_ request: DisplayRequest) {
        string("display")
        key("table")
        table(request.table)
        if let column = request.column {
            key("column")
            self.column(column)
        }
        key("set")
        tree(request.patch ?? .null)
    }
}
