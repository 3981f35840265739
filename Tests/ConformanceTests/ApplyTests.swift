// clients/conformance/apply.jsonl: a snapshot and records make a table, or cannot be of it.
import TableModel
import TableWire
import Testing

@Test("apply: a snapshot and records make the table", arguments: ConformanceLine.all("apply"))
func applyLine(_ line: ConformanceLine) throws {
    var table = Table()
    var isApplied = true
    let messages = try line.objects("messages")
    for (number, object) in messages.enumerated() {
        #expect(isApplied, "given up before message \(number)")
        do {
            switch try serverMessage(object) {
            case .snapshot(_, let sequence, _, let columns):
                table = Table(columns: columns, head: sequence)
            case .chunk(let chunk):
                isApplied = table.load(
                    rows: chunk.rows, columns: chunk.columns, cells: chunk.cells)
            case .record(_, let record):
                isApplied = table.apply(record)
            default: break
            }
        } catch is WireError {
            isApplied = false
        }
    }
    if line.members["reload"] as? Bool == true {
        #expect(!isApplied)
    } else {
        #expect(isApplied)
        try expect(&table, is: try #require(line.members["result"] as? [String: Any]))
    }
}
