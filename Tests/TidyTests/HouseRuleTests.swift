// The house rules as tests: sizes, documentation, names of rules.
import Foundation
import Testing

/// The longest line, file and function, in columns and lines.
private let lineColumnsMax = 100
private let fileLinesMax = 400
private let functionLinesMax = 60

/// How many lines say at the top of a file what its role is, what it never does, and where the
/// next step of the walk is.
private let headerLines = 2...6

@Test("no line is longer than the screen, no file longer than a reader's patience")
func sizes() {
    for file in SourceTree.sources + SourceTree.tests {
        #expect(
            file.lines.count <= fileLinesMax,
            "\(file.path) has \(file.lines.count) lines; split it by subject")
        for (index, line) in file.lines.enumerated() where line.count > lineColumnsMax {
            Issue.record("\(file.path):\(index + 1): \(line.count) columns")
        }
    }
}

@Test("no function is longer than a page")
func functionSizes() {
    for file in SourceTree.sources {
        for (start, length) in functionLengths(in: file.lines) where length > functionLinesMax {
            Issue.record("\(file.path):\(start + 1): a function of \(length) lines")
        }
    }
}

/// Where each function begins, and its length, found by indentation: swift-format keeps the
/// closing brace in the column of its declaration.
private func functionLengths(in lines: [String]) -> [(start: Int, length: Int)] {
    var found: [(Int, Int)] = []
    for (index, line) in lines.enumerated() {
        let trimmed = line.drop { $0 == " " }
        let isFunction =
            trimmed.contains("func ") && !trimmed.hasPrefix("//") || trimmed.contains(" init(")
            || trimmed.hasPrefix("init(")
        guard isFunction else { continue }
        let indentation = String(repeating: " ", count: line.count - trimmed.count)
        guard
            let end = lines[(index + 1)...].prefix(400)
                .firstIndex(where: { $0.hasPrefix(indentation + "}") })
        else { continue }
        let between = lines[(index + 1)..<end]
        // A signature without a body (a protocol's) ends before the next declaration.
        if between.contains(where: {
            $0.hasPrefix(indentation)
                && $0.dropFirst(indentation.count)
                    .hasPrefix("func ")
        }) {
            continue
        }
        found.append((index, end - index + 1))
    }
    return found
}

@Test("every file says what it is for, every package or public declaration is documented")
func documentation() {
    let declarations = [
        "package func", "package mutating func", "package struct", "package enum",
        "package protocol", "package final class", "package init", "package static func",
        "package var", "package let", "package private(set) var", "package static let",
        "package static var", "public init", "public static func", "public static let",
        "public struct", "public enum", "public final class", "public func", "public var",
        "public let", "public mutating func",
    ]
    let explained = ["== (", "< (", "hash(into", "description"]
    for file in SourceTree.sources {
        let header = file.lines.prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
        #expect(
            headerLines.contains(header.count),
            "\(file.path) opens with \(header.count) lines of what it is for and never does")
        for (index, line) in file.lines.enumerated() {
            let trimmed = String(line.drop { $0 == " " })
            guard declarations.contains(where: { trimmed.hasPrefix($0) }) else { continue }
            if explained.contains(where: { trimmed.contains($0) }) { continue }
            var above = index - 1
            while above >= 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("@") {
                above -= 1
            }
            #expect(
                above >= 0 && file.lines[above].drop { $0 == " " }.hasPrefix("///"),
                "\(file.path):\(index + 1): \(trimmed.prefix(60)) is not documented")
        }
    }
}

@Test("every rule of docs/semantics.md is cited by a test")
func everyRuleHasATest() throws {
    let document = try #require(SourceTree.file("docs/semantics.md"))
    let rules = document.lines.compactMap { line -> String? in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard line.hasPrefix("| "), let rule = cells.first,
            rule.wholeMatch(of: /[RCSTUI][0-9]+/) != nil
        else { return nil }
        return rule
    }
    #expect(rules.count >= 98, "the tables of docs/semantics.md could not be read")
    let names = SourceTree.tests.filter { $0.target != "TidyTests" }.flatMap { file in
        // The name may stand on the line below, where the line would be too long.
        file.lines.indices.filter { file.lines[$0].contains("@Test(") }
            .map { file.lines[$0...].prefix(2).joined(separator: " ") }
    }
    for rule in rules {
        let cited = names.contains { name in
            name.matches(of: /[RCSTUI][0-9]+/).contains { $0.output == rule[...] }
        }
        #expect(cited, "no test cites rule \(rule)")
    }
}

@Test("tests and clients wait for conditions, not for time")
func noFixedSleeps() {
    for file in SourceTree.tests + SourceTree.sources where file.target != "TidyTests" {
        for (index, line) in file.lines.enumerated() {
            for word in ["Task.sleep", "Thread.sleep", " sleep(", "usleep("]
            where line.contains(word) && !line.contains("// poll:") {
                Issue.record("\(file.path):\(index + 1): no fixed `\(word)`; wait for a condition")
            }
        }
    }
}
