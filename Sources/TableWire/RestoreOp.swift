// Reads and writes what brings back a moment of a table's past: the intent, and the note that
// tells what it came to. docs/protocol.md, "Restoring", is the table of what stands here.
import TableModel
import TableValue

private enum RestoreKey: String, JSONKeySet {
    case to, time, rows, columns
    static let lookup = JSONKeyTable<RestoreKey>()
}

extension JSONReader {
    /// Reads `{"to":118,"rows":["s1.2"],"columns":["qty"]}`.
    mutating func readRestore() throws(WireError) -> RestoreRequest {
        var sequence: SequenceNumber?
        var time: Int64?
        var request = RestoreRequest(to: .sequence(0))
        var object = try beginObject(RestoreKey.self)
        while let key = try object.next(&self) {
            switch key {
            case .to: sequence = try readSequence()
            case .time: time = try readInteger()
            case .rows: request.rows = try readRows()
            case .columns: request.columns = try readColumnReferences()
            }
        }
        request.moment = try moment(sequence, time)
        return request
    }
}

extension JSONWriter {
    mutating func restore(_ request: RestoreRequest) {
        key("restore")
        beginObject()
        switch request.moment {
        case .sequence(let sequence):
            key("to")
            integer(sequence)
        case .time(let milliseconds):
            key("time")
            integer(milliseconds)
        }
        if let rows = request.rows {
            key("rows")
            self.rows(rows)
        }
        if let columns = request.columns {
            key("columns")
            self.columns(columns)
        }
        endObject()
    }

    /// Writes what bringing back came to, as a note.
    mutating func restored(_ counts: RestoreCounts) {
        beginObject()
        key("restored")
        integer(counts.sequence)
        key("cells")
        integer(counts.cells)
        key("rows")
        integer(counts.rows)
        key("columns")
        integer(counts.columns)
        endObject()
    }
}
