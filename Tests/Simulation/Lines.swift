// Lines as byte arrays: small helpers over the doors of TableWire, for everything here that
// reads along or plays a part.
import TableModel
import TableWire

/// Reads one line of a server, with or without its end.
func readServerMessage(_ line: [UInt8]) throws(WireError) -> ServerMessage {
    var line = line
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    return try unsafe readServerLine(line.span.bytes, limits: WireLimits()).message
}

/// Reads one line of a client, with or without its end.
func readClientMessage(_ line: [UInt8]) throws(WireError) -> ClientLine {
    var line = line
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    return try unsafe readClientLine(line.span.bytes, limits: WireLimits())
}

/// The lines in bytes that end with a line's end, each with its own.
func linesOf(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
}

/// True where a line is a message of that type, as this project's writers spell it.
func isLine(_ line: [UInt8], _ type: StaticString) -> Bool {
    line.starts(with: Array("{\"type\":\"\(type)\"".utf8))
}

/// Cuts arriving bytes into lines, of any length.
struct LineCollector {
    private var unfinished: [UInt8] = []

    /// True where half a line waits for its end.
    var isUnfinished: Bool { !unfinished.isEmpty }

    /// Takes bytes.
    ///
    /// - Returns: the lines that are complete now, without their ends.
    mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        unfinished.append(contentsOf: bytes)
        var lines: [[UInt8]] = []
        var start = 0
        while let end = unfinished[start...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(Array(unfinished[start..<end]))
            start = end + 1
        }
        unfinished.removeFirst(start)
        return lines
    }
}
