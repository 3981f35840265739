// Every message survives its own line, wherever its fields stand.
import TableModel
import TableValue
import Testing

@testable import TableWire

@Suite struct MessageTests {
    @Test("Every message of a client is read back as it was written", arguments: clientMessages)
    func clientRoundTrip(_ message: ClientMessage) throws {
        for id: RequestID? in [nil, 0, 7, .min, .max] {
            let line = ClientLine(id: id, message: message)
            #expect(try readClient(lineText(line)) == line)
        }
    }

    @Test("Every message of a server is read back as it was written", arguments: serverMessages)
    func serverRoundTrip(_ message: ServerMessage) throws {
        for id: RequestID? in [nil, 7] {
            let line = ServerLine(id: id, message: message)
            #expect(try readServer(lineText(line)) == line)
        }
    }

    @Test("Values come back as what they were", arguments: plainValues)
    func valueRoundTrip(_ value: Value) throws {
        let change = Change.cellsSet([
            CellChange(row: row(1, 1), column: column(1, 1), value: value)
        ])
        var record = sampleRecord
        record.changes = [change]
        let message = ServerMessage.record(TableID(rawValue: 1), record)
        let line = ServerLine(message: message)
        #expect(try readServer(lineText(line)) == line)
    }
}
