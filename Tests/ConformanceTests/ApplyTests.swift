// clients/conformance/apply.jsonl: a snapshot and records make a table, or cannot be of it.
import TableModel
import TableWire
import Testing

/// Takes the messages of a line, by a replica that has a rule bent where one is given.
///
/// Returns what is otherwise than the line says.
private func complaints(
    of line: ConformanceLine, bentBy bend: Bend<Received>? = nil
) throws -> [String] {
    var table = Table()
    var isApplied = true
    for (number, object) in try line.objects("messages").enumerated() {
        guard isApplied else { return ["given up before message \(number)"] }
        do {
            switch try serverMessage(object) {
            case .snapshot(_, let sequence, _, let columns, let look):
                table = Table(columns: columns, head: sequence)
                table.load(look: look)
            case .chunk(let chunk):
                var received = Received(table: table, cells: chunk.cells)
                bend?.bend(&received)
                isApplied = table.load(
                    rows: chunk.rows, columns: chunk.columns, cells: received.cells)
            case .record(_, let record):
                var received = Received(record: record, table: table)
                bend?.bend(&received)
                table = received.table
                isApplied = table.apply(received.record)
            default: break
            }
        } catch is WireError {
            isApplied = false
        }
    }
    if line.members["reload"] as? Bool == true {
        return isApplied ? ["it was taken"] : []
    }
    return isApplied ? differences(of: &table, from: line.members["result"]) : ["given up"]
}

@Test("apply: a snapshot and records make the table", arguments: ConformanceLine.all("apply"))
func applyLine(_ line: ConformanceLine) throws {
    #expect(try complaints(of: line) == [])
}

@Test("apply: each bent rule fails a line about it", arguments: bentRecords)
func bentReplica(_ bend: Bend<Received>) {
    expectNoticed(bend, by: ConformanceLine.all("apply")) { line in
        (try? complaints(of: line, bentBy: bend)) ?? ["it cannot be played"]
    }
}
