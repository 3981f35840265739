// The files of clients/conformance as the tests read them: lines of JSON, whose members are turned
// back into the bytes that the project's own readers take. Says nothing about what a line means.
import ClientRuntime
import Foundation
import TableModel
import TableValue
import TableWire
import Testing

/// One line of a file, with where it stands.
struct ConformanceLine: CustomTestStringConvertible {
    /// The line as it stands in the file.
    let text: String
    let place: String

    /// The line's members; empty where it is no object.
    var members: [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        return object as? [String: Any] ?? [:]
    }

    var name: String { members["name"] as? String ?? members["code"] as? String ?? "" }
    /// The rules that the line is about.
    var rules: [String] { members["rules"] as? [String] ?? [] }
    var testDescription: String { "\(place) \(name)" }

    /// The lines of one group; the suite fails where there are none.
    static func all(_ group: String) -> [ConformanceLine] {
        let path = projectFolder.appending(path: "clients/conformance/\(group).jsonl")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").enumerated().map { number, line in
            ConformanceLine(text: String(line), place: "\(group).jsonl:\(number + 1)")
        }
    }

    /// A member that is a list of objects.
    func objects(_ key: String) throws -> [[String: Any]] {
        try needed(members[key] as? [[String: Any]], "the line has no \(key)")
    }
}

/// The project's root.
let projectFolder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// An object of a line as the bytes of a message.
func bytes(of object: [String: Any]) throws -> [UInt8] {
    [UInt8](try JSONSerialization.data(withJSONObject: object))
}

/// Bytes of a message as an object.
func object(of bytes: [UInt8]) throws -> [String: Any] {
    try needed(
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any], "no object")
}

/// A message from the server, read as a client reads it.
func serverMessage(_ object: [String: Any]) throws -> ServerMessage {
    let line = try bytes(of: object)
    return try unsafe readServerLine(line.span.bytes, limits: WireLimits()).message
}

/// True where two values of JSON are written alike, keys in order.
func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    func text(_ value: Any?) -> Data? {
        try? JSONSerialization.data(
            withJSONObject: ["value": value ?? NSNull()], options: .sortedKeys)
    }
    return text(left) == text(right)
}

/// An outcome without the words for people, which conformance does not fix.
func withoutMessage(_ outcome: Any?) -> [String: Any] {
    var outcome = outcome as? [String: Any] ?? ["status": "ok"]
    if var error = outcome["error"] as? [String: Any] {
        error["message"] = nil
        outcome["error"] = error
    }
    return outcome
}

/// The content hash of a table in hexadecimal digits.
func contentHash(of table: inout Table) -> String {
    hexadecimal(table.contentHash(using: ContentSHA256.self))
}

/// Bytes as hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

/// A JSON value as Foundation has it.
private func json(_ tree: JSONTree) -> Any {
    let data = Data(CanonicalJSON(tree).text.string.utf8)
    return (try? JSONSerialization.jsonObject(with: data)) ?? [:]
}

/// In what a table differs from the result that a line expects.
func differences(of table: inout Table, from result: Any?) -> [String] {
    guard let result = result as? [String: Any],
        let columns = result["columns"] as? [[String: Any]]
    else { return ["the line has no result"] }
    var found: [String] = []
    let present = table.columns.map { "\($0.id) \($0.name) \($0.type.rawValue)" }
    let wanted = columns.map { "\($0["id"] ?? "") \($0["name"] ?? "") \($0["type"] ?? "")" }
    if present != wanted { found.append("columns \(present)") }
    for (column, wanted) in zip(table.columns, columns) {
        let shown = json(column.display.tree)
        if !areEqual(shown, wanted["display"] ?? [:]) { found.append("\(column.id) \(shown)") }
    }
    let look = json(table.look.tree)
    if !areEqual(look, result["display"] ?? [:]) { found.append("shown as \(look)") }
    if !areEqual(result["seq"], table.head) { found.append("number \(table.head)") }
    let hash = contentHash(of: &table)
    if !areEqual(result["hash"], hash) { found.append("hash \(hash)") }
    if let wanted = result["comments"] {
        var writer = JSONWriter()
        writer.comments(table.comments())
        let read = try? JSONSerialization.jsonObject(with: Data(writer.bytes))
        if !areEqual(read, wanted) { found.append("comments \(read ?? "none")") }
    }
    return found
}
