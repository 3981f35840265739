// The reply that most operations get, written without making a message first: a bulk load that
// follows nothing gets one for each operation. A test holds it against the general writer.
import TableModel
import TableWire

/// Appends the `reply` of an operation whose record is all there is to say, with its `\n`.
func writePlainReply(
    table: TableID, clientNumber: ClientNumber, sequence: SequenceNumber, id: RequestID?,
    to output: inout [UInt8]
) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.string("reply")
    writer.key("table")
    writer.table(table)
    writer.key("cseq")
    writer.integer(clientNumber)
    writer.key("seq")
    writer.integer(sequence)
    writer.key("outcome")
    writer.beginObject()
    writer.key("status")
    writer.string("ok")
    writer.endObject()
    if let id {
        writer.key("id")
        writer.integer(id)
    }
    writer.endObject()
    writer.endLine()
    writer.append(to: &output)
}
