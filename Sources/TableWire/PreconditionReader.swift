// Reads preconditions: what must hold when an operation is sequenced.
// docs/protocol.md, "Preconditions", is the table of what stands here; OpReader.swift asks for it.
package import TableModel
import TableValue

private enum PreconditionKey: String, JSONKeySet {
    case cellVersion = "cell_version"
    case cellValue = "cell_value"
    case rowVersion = "row_version"
    case rowLive = "row_live"
    case rowAbsent = "row_absent"
    case tableSequence = "table_seq"
    case schemaSequence = "schema_seq"
    static let lookup = JSONKeyTable<PreconditionKey>()
}

extension JSONReader {
    /// Reads a list of preconditions.
    package mutating func readPreconditions() throws(WireError) -> [Precondition] {
        var preconditions: [Precondition] = []
        var list = try beginArray()
        while try list.next(&self) { preconditions.append(try readPrecondition()) }
        return preconditions
    }

    private mutating func readPrecondition() throws(WireError) -> Precondition {
        try readSingle(PreconditionKey.self) { (reader, key) throws(WireError) -> Precondition in
            switch key {
            case .cellVersion:
                var triple = try reader.beginArray()
                try triple.expectNext(&reader)
                let row = try reader.readRow()
                try triple.expectNext(&reader)
                let column = try reader.readColumnReference()
                try triple.expectNext(&reader)
                let version = try reader.readSequence()
                try triple.expectEnd(&reader)
                return .cellVersion(row: row, column: column, version: version)
            case .cellValue:
                let edit = try reader.readEdit()
                return .cellValue(row: edit.row, column: edit.column, value: edit.value)
            case .rowVersion:
                var pair = try reader.beginArray()
                try pair.expectNext(&reader)
                let row = try reader.readRow()
                try pair.expectNext(&reader)
                let version = try reader.readSequence()
                try pair.expectEnd(&reader)
                return .rowVersion(row: row, version: version)
            case .rowLive: return .rowLive(try reader.readRow())
            case .rowAbsent:
                var pair = try reader.beginArray()
                try pair.expectNext(&reader)
                let column = try reader.readColumnReference()
                try pair.expectNext(&reader)
                let value = try reader.readValue()
                try pair.expectEnd(&reader)
                return .rowAbsent(column: column, value: value)
            case .tableSequence: return .tableSequence(try reader.readSequence())
            case .schemaSequence: return .schemaSequence(try reader.readSequence())
            }
        }
    }
}
