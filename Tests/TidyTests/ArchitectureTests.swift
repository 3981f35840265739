// The arrows of docs/architecture.md as tests: who may import whom, and what pure targets
// may not do.
import Foundation
import Testing

/// Targets without I/O, clocks, chance or threads.
private let pureTargets: Set<String> = [
    "TableValue", "TableExpression", "TableModel", "TableWire", "TableFiles", "TableLog",
    "TableServer", "TableClient", "TerminalApp", "CharacterWidth",
]

/// Words that bring the outside into a pure target, with the way to do without.
private let bannedInPureTargets: [(word: String, instead: String)] = [
    ("Date()", "take the time as an argument"),
    ("Clock.now", "take the time as an argument"),
    ("SystemRandomNumberGenerator", "take a generator as a value"),
    (".random(in:", "draw from the generator that was passed in"),
    (".shuffled(", "draw from the generator that was passed in"),
    ("Task {", "events in, actions out"),
    ("await ", "events in, actions out"),
    ("async ", "events in, actions out"),
    ("print(", "answer with an action"),
    ("FileManager", "bytes come in from outside"),
    ("Thread", "a core is owned by one thread and knows of none"),
    ("class ", "a core is a value; what is shared is copied when it is written"),
]

/// Words that end the process on data from outside, or hide a data race.
private let bannedEverywhere: [(word: String, instead: String)] = [
    ("fatalError(", "a typed error"),
    ("try!", "a typed error"),
    ("as!", "as? and a typed error"),
    ("TODO", "an issue"),
    ("FIXME", "an issue"),
    ("XXX", "an issue"),
]

private func code(of line: String) -> Substring {
    if let comment = line.range(of: "//") { return line[..<comment.lowerBound] }
    return line[...]
}

@Test("a target imports only what Package.swift gives it")
func importsFollowTheArrows() throws {
    let package = try #require(SourceTree.file("Package.swift")).lines.joined(separator: "\n")
    for file in SourceTree.sources {
        for line in file.lines where line.contains("import ") && !line.hasPrefix("//") {
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"), at <= 1, at + 1 < words.count else {
                continue
            }
            let name = String(words[at + 1].split(separator: ".")[0])
            if ["Foundation", "Glibc", "Synchronization", "Dispatch"].contains(name) {
                #expect(
                    !pureTargets.contains(file.target),
                    "\(file.path) imports \(name), but \(file.target) is pure")
                continue
            }
            let declaration = declaration(of: file.target, in: package)
            #expect(
                declaration.contains("\"\(name)\""),
                "\(file.path) imports \(name), which Package.swift does not give \(file.target)")
        }
    }
}

/// The text of one target's declaration in Package.swift, up to the next one.
private func declaration(of target: String, in package: String) -> String {
    let starts =
        [
            "room(\"\(target)\"", "room(\n            \"\(target)\"",
            "name: \"\(target)\", dependencies",
        ]
        + ["name: \"\(target)\",\n            dependencies"]
    for start in starts {
        guard let begin = package.range(of: start) else { continue }
        let rest = package[begin.upperBound...]
        let ends = ["room(\"", "tests(\"", ".executableTarget(", ".target(", ".systemLibrary("]
            .compactMap { rest.range(of: $0)?.lowerBound }
        return String(rest[..<(ends.min() ?? rest.endIndex)])
    }
    return ""
}

@Test("pure targets read no clock, roll no dice and do no I/O")
func pureTargetsStayPure() {
    for file in SourceTree.sources where pureTargets.contains(file.target) {
        for (index, line) in file.lines.enumerated() {
            for (word, instead) in bannedInPureTargets where code(of: line).contains(word) {
                Issue.record("\(file.path):\(index + 1): no `\(word)` here; \(instead)")
            }
        }
    }
}

@Test("nothing ends the process on data from outside")
func bannedWords() {
    for file in SourceTree.sources {
        for (index, line) in file.lines.enumerated() {
            for (word, instead) in bannedEverywhere where code(of: line).contains(word) {
                Issue.record("\(file.path):\(index + 1): no `\(word)`; use \(instead)")
            }
        }
    }
}

@Test("an escape from the compiler's checks of threads says why it is safe")
func uncheckedSendableIsExplained() {
    let words = ["@unchecked Sendable", "nonisolated(unsafe)"]
    for file in SourceTree.sources + SourceTree.tests where file.target != "TidyTests" {
        for (index, line) in file.lines.enumerated() {
            guard words.contains(where: { code(of: line).contains($0) }) else { continue }
            let before = file.lines[max(0, index - 6)...index]
            #expect(
                before.contains {
                    $0.contains("//") && $0.localizedCaseInsensitiveContains("safe")
                },
                "\(file.path):\(index + 1): say beside it why this is safe")
        }
    }
}

@Test("cross-target declarations are package, never public")
func nothingIsPublic() {
    for file in SourceTree.sources where file.target != "RoundtableBot" {
        for (index, line) in file.lines.enumerated() {
            let trimmed = code(of: line).drop { $0 == " " }
            #expect(
                !trimmed.hasPrefix("public ") && !trimmed.hasPrefix("open class"),
                "\(file.path):\(index + 1): public API belongs in RoundtableBot alone")
        }
    }
}
