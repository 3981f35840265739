// Reads what a server stored in a table's log, as far as the judge needs it: records, and which
// operation was decided how. It is written apart from the server's own reader, so that a fault
// in that one shows.
import TableLog
import TableModel
import TableWire

/// One line of a table's log.
enum StoredLine {
    /// A record, and its line.
    case record(Record, [UInt8])
    /// The answer to one operation that differs from a plain record.
    case reply(Reply)
    /// Operations decided in the batch: session, client number, and the record or 0.
    case decided([DecidedOperation])
    /// Sessions and the like.
    case other
}

/// One operation as a `decided` line names it.
struct DecidedOperation: Hashable {
    let session: SessionNumber
    let clientNumber: ClientNumber
    /// 0 where it made no record.
    let sequence: SequenceNumber
    /// The table's number when it was decided.
    let head: SequenceNumber
}

/// Why a line of a log cannot be read.
struct StoredLineError: Error {
    let reason: String
}

/// Reads every line of a batch.
func readStoredLines(_ batch: LogBatch) throws(StoredLineError) -> [StoredLine] {
    guard batch.bytes.last == UInt8(ascii: "\n") else {
        throw StoredLineError(reason: "a batch does not end with a line's end")
    }
    var lines: [StoredLine] = []
    for line in linesOf(batch.bytes) { lines.append(try readStoredLine(line)) }
    return lines
}

private func readStoredLine(_ bytes: [UInt8]) throws(StoredLineError) -> StoredLine {
    if isLine(bytes, "decided") { return .decided(try readDecided(bytes)) }
    guard isLine(bytes, "record") || isLine(bytes, "reply") else { return .other }
    do {
        switch try readServerMessage(bytes) {
        case .record(_, let record): return .record(record, bytes)
        case .reply(let reply): return .reply(reply)
        default: return .other
        }
    } catch {
        throw StoredLineError(reason: "a stored line cannot be read: \(error.reason)")
    }
}

/// Reads the lists of a `decided` line: `["s12",7,…,121,…]`, each with a session, a client
/// number, a hash, a record's number and the head.
func readDecided(_ bytes: [UInt8]) throws(StoredLineError) -> [DecidedOperation] {
    var operations: [DecidedOperation] = []
    let text = String(decoding: bytes, as: UTF8.self)
    for list in text.split(separator: "[").dropFirst() {
        let words = list.prefix { $0 != "]" }.split(separator: ",")
        guard !words.isEmpty else { continue }
        guard words.count == 5, let number = UInt32(words[0].dropFirst(2).dropLast()),
            let session = SessionNumber(rawValue: number), let clientNumber = Int64(words[1]),
            let sequence = Int64(words[3]), let head = Int64(words[4])
        else { throw StoredLineError(reason: "a decided line has another form") }
        operations.append(
            DecidedOperation(
                session: session, clientNumber: clientNumber, sequence: sequence, head: head))
    }
    return operations
}
