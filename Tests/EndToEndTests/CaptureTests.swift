// The screens that docs/start.md shows are what the terminal client draws, cell for cell. With
// ROUNDTABLE_CAPTURES=write they are written into the document instead.
import Foundation
import Testing

/// The captures of a document: compared with screens, or replaced by them.
private struct Captures {
    let document: String
    let isWriting = ProcessInfo.processInfo.environment["ROUNDTABLE_CAPTURES"] == "write"
    private(set) var seen: Set<String> = []

    init(_ document: String) { self.document = document }

    /// The screen's lines as a document shows them.
    private func lines(of screen: Screen) throws -> [String] {
        try screen.lines.map { $0.replacing(/\s+$/, with: "") }
    }

    /// Compares the capture of that name with the screen, once it shows all of some texts.
    mutating func compare(_ name: String, _ screen: Screen, shows texts: String...) throws {
        seen.insert(name)
        try screen.wait(until: "\(texts) are shown") { text in texts.allSatisfy(text.contains) }
        let mark = "capture: \(name)"
        let block = try #require(
            try shownBlocks(in: document).first { $0.mark == mark }, "no \(mark) in \(document)")
        if isWriting { return try write(block.lines, under: mark, screen) }
        try screen.wait(until: "the screen is as \(document) shows it under “\(mark)”") { _ in
            var lines = try lines(of: screen)
            while lines.last == "" { lines.removeLast() }
            return lines == block.lines
        }
    }

    private func write(_ old: [String], under mark: String, _ screen: Screen) throws {
        var last: [String] = []
        var count = 0
        try screen.wait(until: "the screen rests") { _ in
            let lines = try lines(of: screen)
            count = lines == last ? count + 1 : 0
            last = lines
            return count == 50
        }
        while last.last == "" { last.removeLast() }
        func block(_ lines: [String]) -> String {
            "<!-- \(mark) -->\n\n"
                + lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
        }
        let path = Workplace.project + "/" + document
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(block(old)))
        try text.replacing(block(old), with: block(last))
            .write(toFile: path, atomically: true, encoding: .utf8)
    }
}

@Test("The screens that docs/start.md shows are those of the terminal client")
func startCaptures() throws {
    var captures = Captures("docs/start.md")
    let stage = try Stage()
    let ann = try stage.person("Ann")
    try ann.must("import", Workplace.project + "/examples/airports.csv", "airports")
    _ = try stage.person("Ben", role: "editor")
    func open(_ home: String) throws -> Screen {
        try Screen(in: stage.workplace, home: home, ["open", "airports"], columns: 84, lines: 10)
    }
    let left = try open("Ann")
    try captures.compare("opening", left, shows: "● live", "Lansdowne", "F1 help")

    let right = try open("Ben")
    try right.wait(for: "A Ann")
    try left.wait(for: "B Ben")
    try right.press("Down", "Down", "Right", "Enter")
    try right.type("Ben was here")
    try captures.compare("editing", right, shows: "04G A", "Ben was here")

    try left.press("Down", "Down", "Right", "Enter")
    try left.type("Schaumburg, Illinois")
    try left.press("Enter")
    try captures.compare("conflict", right, shows: "changed by Ann", "Ben was here")

    try right.press("Escape")
    try right.wait(for: "Schaumburg, Illinois")
    try right.resize(columns: 84, lines: 20)
    try right.press("F1")
    try captures.compare("help", right, shows: "Moving", "previous cell")
    let shown = try shownBlocks(in: "docs/start.md").compactMap(\.mark)
    #expect(Set(shown) == Set(captures.seen.map { "capture: \($0)" }))
}
