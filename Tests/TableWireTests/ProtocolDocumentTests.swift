// docs/protocol.md is the contract: its codes are those of the code, and its examples are read.
import Foundation
import TableModel
import TableValue
import Testing

@testable import TableWire

/// The lines of docs/protocol.md.
private let document: [String] = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let text = try? String(
        contentsOf: package.appending(path: "docs/protocol.md"), encoding: .utf8)
    return (text ?? "").components(separatedBy: "\n")
}()

/// The lines below a heading, up to the next of any level.
private func section(_ heading: String) -> [String] {
    guard let start = document.firstIndex(of: heading) else { return [] }
    return Array(document[(start + 1)...].prefix { !$0.hasPrefix("#") })
}

/// The cells of a table's rows, without the head.
private func tableRows(_ lines: [String]) -> [[String]] {
    lines.filter { $0.hasPrefix("| ") }.dropFirst().map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// The words between backticks.
private func words(_ text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
}

@Suite struct ProtocolDocumentTests {
    @Test("Every code stands in its table once, with what to do, and no other does")
    func codes() {
        for (heading, codes) in [
            ("## Errors", WireCode.allCases.map(\.rawValue)),
            ("### Codes of outcomes", Rejection.Code.allCases.map(\.rawValue)),
        ] {
            let rows = tableRows(section(heading))
            #expect(rows.flatMap { words($0[0]) }.sorted() == codes.sorted(), "\(heading)")
            for row in rows {
                #expect(row.count == 3 && row.allSatisfy { !$0.isEmpty }, "\(heading): \(row)")
            }
        }
    }

    @Test("Every type of message stands in its table once")
    func types() {
        let client = Set(clientMessages.map { type(of: lineText(ClientLine(message: $0))) })
        let server = Set(serverMessages.map { type(of: lineText(ServerLine(message: $0))) })
        let clientRows = tableRows(section("## Client to server")).flatMap { words($0[0]) }
        let serverRows = tableRows(section("## Server to client")).flatMap { words($0[0]) }
        #expect(clientRows.sorted() == client.sorted())
        #expect(serverRows.sorted() == server.sorted())
    }

    /// The type of a line that we wrote, which stands first.
    private func type(of line: String) -> String {
        String(line.dropFirst(#"{"type":""#.count).prefix { $0 != "\"" })
    }

    @Test("The intents and preconditions shown are read")
    func intents() throws {
        let rows = tableRows(section("## Operations"))
        var intents = 0
        var preconditions = 0
        for row in rows {
            guard let example = words(row[1]).first else { continue }
            if row[0].contains(" ") {
                preconditions += 1
                #expect(throws: Never.self, "\(example)") {
                    try readClient(
                        #"{"type":"op","table":"t1","pre":["# + example + #"],"body":[]}"#)
                }
            } else {
                intents += 1
                #expect(throws: Never.self, "\(example)") {
                    try readClient(#"{"type":"op","table":"t1","body":["# + example + "]}")
                }
            }
        }
        #expect(intents == 39)
        #expect(preconditions == 7)
    }

    @Test("The ids shown are ids")
    func ids() {
        for row in tableRows(section("## Ids and values")).prefix(6) {
            let example = words(row[2])[0].filter { $0 != "\"" }
            switch row[0] {
            case "table": #expect(TableID(.init(example)) != nil)
            case "row": #expect(RowID(.init(example)) != nil)
            case "column": #expect(ColumnID(.init(example)) != nil)
            case "run of rows": #expect(example == "s12.1-256")
            default: #expect(["u2", "s12"].contains(example))
            }
        }
    }

    @Test("The invite shown has the parts that it should have")
    func invite() throws {
        let line = try #require(document.first { $0.contains("rt1i_") })
        let text = line.trimmingCharacters(in: .whitespaces)
        // The check is the first four bytes of a SHA-256, which this room does not compute.
        let check: [UInt8] = try Array(
            TableWire.bytes(base32: text.dropFirst(5).prefix { $0 != "@" }.utf8).suffix(4))
        let invite = try InviteText(text, sha256: { _ in check })
        #expect(invite.secret == Array(1...20))
        #expect(invite.pin == Array(33...64))
        #expect(invite.host == "localhost" && invite.port == 7466)
    }
}
