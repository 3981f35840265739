// Ids, and lists of rows, columns and cells, as JSON. How text and numbers are put together is in
// JSONWriter.swift; reading them back is in IdentifierReader.swift.
package import TableModel
package import TableValue

extension JSONWriter {
    /// Writes a row's id.
    package mutating func row(_ row: RowID) {
        quoted { $0.appendRow(row) }
    }

    /// Writes a row's id or null.
    package mutating func row(_ row: RowID?) {
        if let row { self.row(row) } else { null() }
    }

    /// Writes rows as a list in which consecutive ids are runs.
    package mutating func rows(_ rows: [RowID]) {
        beginArray()
        var index = 0
        while index < rows.count {
            let first = rows[index]
            var last = first
            index &+= 1
            while index < rows.count, rows[index].rawValue == last.rawValue &+ 1,
                rows[index].session == first.session
            {
                last = rows[index]
                index &+= 1
            }
            quoted { writer in
                writer.appendRow(first)
                if last != first {
                    writer.append(UInt8(ascii: "-"))
                    writer.appendDigits(UInt64(last.counter))
                }
            }
        }
        endArray()
    }

    /// Writes a column's id.
    package mutating func column(_ column: ColumnID) {
        quoted { writer in
            writer.append(UInt8(ascii: "c"))
            writer.appendDigits(UInt64(column.session.rawValue))
            writer.append(UInt8(ascii: "."))
            writer.appendDigits(UInt64(column.counter))
        }
    }

    /// Writes a column's id or null.
    package mutating func column(_ column: ColumnID?) {
        if let column { self.column(column) } else { null() }
    }

    /// Writes a column as an operation names it.
    package mutating func column(_ column: ColumnReference) {
        switch column {
        case .id(let id): self.column(id)
        case .name(let name): text(name)
        }
    }

    /// Writes the ids of columns as a list.
    package mutating func columns(_ columns: [ColumnID]) {
        beginArray()
        for column in columns { self.column(column) }
        endArray()
    }

    /// Writes a session's number.
    package mutating func session(_ session: SessionNumber) {
        quoted { writer in
            writer.append(UInt8(ascii: "s"))
            writer.appendDigits(UInt64(session.rawValue))
        }
    }

    /// Writes a table's id.
    package mutating func table(_ table: TableID) {
        quoted { writer in
            writer.append(UInt8(ascii: "t"))
            writer.appendInteger(table.rawValue)
        }
    }

    /// Writes a table as a request names it.
    package mutating func table(_ table: TableReference) {
        switch table {
        case .id(let id): self.table(id)
        case .name(let name): text(name)
        }
    }

    /// Writes cells as one list a row, `width` values each.
    package mutating func cells(_ cells: [Value], width: Int, rowCount: Int) {
        beginArray()
        var index = 0
        for _ in 0..<rowCount {
            beginArray()
            for _ in 0..<width where index < cells.count {
                value(cells[index])
                index &+= 1
            }
            endArray()
        }
        endArray()
    }

    @inline(__always)
    private mutating func quoted(_ body: (inout JSONWriter) -> Void) {
        separate()
        append(UInt8(ascii: "\""))
        body(&self)
        append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private mutating func appendRow(_ row: RowID) {
        append(UInt8(ascii: "s"))
        appendDigits(UInt64(row.session.rawValue))
        append(UInt8(ascii: "."))
        appendDigits(UInt64(row.counter))
    }
}
