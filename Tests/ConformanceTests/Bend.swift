// Wrong implementations, made on purpose: each bends one rule, and some line must notice. Also the
// rules themselves, as docs/semantics.md, the lines and the list of exceptions have them.
// Bent are BentRows, BentCells, BentColumns, BentWhole, BentUndo, BentRecords and BentTalk;
// RuleTests.swift compares.
import Foundation
import Testing

/// One way in which an implementation can be wrong.
struct Bend<Subject>: Sendable, CustomTestStringConvertible {
    /// The rules that are bent, comma and colon, and how: `R1, R2: rows stand above`.
    let name: String
    /// What the wrong implementation makes of what is asked of it or told to it.
    let bend: @Sendable (inout Subject) -> Void

    init(_ name: String, _ bend: @escaping @Sendable (inout Subject) -> Void) {
        self.name = name
        self.bend = bend
    }

    /// The bent rules; none where what is bent has no name in docs/semantics.md.
    var rules: [String] { rulesNamed(by: name) }
    var testDescription: String { name }
}

/// The rules that stand before the colon of a bend's name.
private func rulesNamed(by name: String) -> [String] {
    guard let colon = name.firstIndex(of: ":") else { return [] }
    let names = name[..<colon].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return names.allSatisfy { $0.wholeMatch(of: #/[A-Z][0-9]+/#) != nil } ? names : []
}

/// Fails where lines that cite a bent rule do not notice; where the bend names none, where no line
/// notices at all.
func expectNoticed<Subject>(
    _ bend: Bend<Subject>, by lines: [ConformanceLine],
    sourceLocation: SourceLocation = #_sourceLocation,
    complaints: (ConformanceLine) -> [String]
) {
    var noticed: Set<String> = []
    var isNoticed = false
    for line in lines where !complaints(line).isEmpty {
        isNoticed = true
        noticed.formUnion(line.rules)
    }
    #expect(isNoticed, "\(bend.name): no line notices", sourceLocation: sourceLocation)
    for rule in bend.rules {
        #expect(
            noticed.contains(rule), "\(bend.name): no line about \(rule) notices",
            sourceLocation: sourceLocation)
    }
}

/// Why a line could not be played to its end.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A value that has to be there for a line to go on.
func needed<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw Complaint(what) }
    return value
}

// MARK: The rules

/// All rules that lines, bends and documents speak of.
enum Rules {
    /// The rules that docs/semantics.md has, each a row of a table.
    static func documented() throws -> Set<String> {
        let text = try String(
            contentsOf: projectFolder.appending(path: "docs/semantics.md"), encoding: .utf8)
        return Set(text.matches(of: #/(?m)^\| ([A-Z]+[0-9]+) \|/#).map { String($0.output.1) })
    }

    /// The rules that have no line, each with the reason.
    static func withoutLines() throws -> [String: String] {
        let data = try Data(
            contentsOf: projectFolder.appending(
                path: "clients/conformance/rules-without-lines.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: String])
    }

    /// The rules that the lines of a group cite.
    static func cited(by group: String) -> Set<String> {
        Set(ConformanceLine.all(group).flatMap(\.rules))
    }
}
