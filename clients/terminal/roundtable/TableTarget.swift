// Which table on which server a command speaks of.
// It asks nobody: whether there is such a table, the server says.
import ClientRuntime
import TableValue
import TableWire
import Transport

/// A table as the command line names it: `TABLE`, or `HOST:PORT/TABLE`.
struct TableTarget: Hashable, Sendable {
    /// nil for the default server.
    let server: HostPort?
    let table: TableReference
    /// The table as it was written.
    let text: String

    init(_ text: String) throws(CommandFailure) {
        var name = text[...]
        var server: HostPort?
        if let slash = text.firstIndex(of: "/"), let address = HostPort(String(text[..<slash])) {
            server = address
            name = text[text.index(after: slash)...]
        }
        guard !name.isEmpty else { throw .words("the table's name is missing in `\(text)`") }
        let reference = Text(String(name))
        self.server = server
        self.text = text
        table = TableID(reference).map { .id($0) } ?? .name(reference)
    }
}
