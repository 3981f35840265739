// The examples of the documents, run as they stand: what a reader types works, and what is shown
// is what comes.
import Foundation
import Testing

/// A run of indented lines in a document.
struct ShownBlock {
    /// The heading that it stands under.
    let heading: String
    /// What a comment before it says it is; nil where there is none.
    let mark: String?
    var lines: [String]
}

/// The indented blocks of a document of the project, in order.
func shownBlocks(in document: String) throws -> [ShownBlock] {
    let text = try String(contentsOfFile: "\(Workplace.project)/\(document)", encoding: .utf8)
    var blocks: [ShownBlock] = []
    var heading = ""
    var mark: String?
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("    ") {
            if !isOpen { blocks.append(ShownBlock(heading: heading, mark: mark, lines: [])) }
            isOpen = true
            blocks[blocks.count - 1].lines.append(String(line.dropFirst(4)))
        } else if line.isEmpty, isOpen {
            blocks[blocks.count - 1].lines.append("")
        } else if !line.isEmpty {
            isOpen = false
            if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
            mark = line.firstMatch(of: /^<!-- (.*) -->$/).map { String($0.output.1) }
        }
    }
    return blocks.map { block in
        var block = block
        while block.lines.last == "" { block.lines.removeLast() }
        return block
    }
}

/// The lines of a document's indented blocks under a heading.
private func examples(in document: String, under heading: String) throws -> [String] {
    let blocks = try shownBlocks(in: document).filter { $0.heading == heading }
    try #require(!blocks.isEmpty, "\(document): \(heading)")
    return blocks.flatMap(\.lines)
}

/// Whether a line is what a document shows, in which `…` stands for what was left out.
func matches(_ line: String, _ shown: String) -> Bool {
    let pieces = shown.split(separator: "…", omittingEmptySubsequences: false).map(String.init)
    guard let first = pieces.first, let last = pieces.last, line.hasPrefix(first) else {
        return false
    }
    if pieces.count == 1 { return line == shown }
    var rest = line.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() {
        guard let range = rest.range(of: piece) else { return false }
        rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
}

@Test("docs/protocol.md, By hand: each line typed into openssl gets the answer that is shown")
func protocolByHand() throws {
    let lines = try examples(in: "docs/protocol.md", under: "By hand")
    let stage = try Stage()
    func token(_ bot: String) throws -> String {
        let finished = try stage.workplace.start(
            "roundtabled",
            ["token", "--bot", bot, "--role", "owner", "--data", stage.workplace.file("data")]
        ).finish()
        #expect(finished.code == 0, "\(finished.errors)")
        return finished.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    // The example is the third user's.
    _ = try token("first")
    _ = try token("second")
    let hand = try token("hand")
    let command = try #require(lines.first { $0.hasPrefix("$ openssl ") })
    let words = command.dropFirst("$ ".count).split(separator: " ").map {
        String($0).replacing("127.0.0.1:7466", with: "127.0.0.1:\(stage.port)")
    }
    let typed = lines.filter { $0.hasPrefix("> ") }.map {
        String($0.dropFirst(2)).replacing("rt1b_…", with: hand)
    }
    let shown = lines.filter { $0.hasPrefix("{") }
    #expect(typed.count == shown.count && typed.count >= 8)
    let finished = try stage.workplace.startTool(
        words, home: nil, input: typed.map { $0 + "\n" }.joined()
    ).finish()
    let answers = finished.output.split(separator: "\n").map(String.init)
    #expect(answers.count == shown.count)
    for (answer, shown) in zip(answers, shown) {
        #expect(matches(answer, shown), "came: \(answer)\nshown: \(shown)")
    }
}

@Test("The commands that README.md shows run as they stand")
func readmeCommands() throws {
    let follower = try DocumentFollower()
    for line in try examples(in: "README.md", under: "By hand") where !line.isEmpty {
        try follower.follow(line)
    }
    #expect(follower.runCount >= 5)
}

@Test("Each command that docs/start.md shows runs as it stands")
func startCommands() throws {
    let follower = try DocumentFollower()
    for block in try shownBlocks(in: "docs/start.md") {
        if block.mark?.hasPrefix("capture: ") == true { continue }
        if block.lines.first == "from roundtable import Bot" {
            try follower.runPython(block.lines)
        } else {
            for line in block.lines where !line.isEmpty { try follower.follow(line) }
        }
    }
    #expect(follower.runCount >= 17)
}
