// The examples of the documents, run as they stand: what a reader types works, and what is shown
// is what comes.
import Foundation
import Testing

/// The lines of a document's indented blocks under a heading.
private func examples(in document: String, under heading: String) throws -> [String] {
    let text = try String(
        contentsOfFile: "\(Workplace.project)/\(document)", encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: "## " + heading), "\(document): \(heading)")
    return lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        .filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
}

/// Whether a line is what a document shows, in which `…` stands for what was left out.
private func matches(_ line: String, _ shown: String) -> Bool {
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

@Test(
    "The commands that README.md and docs/start.md show run as they stand",
    arguments: [
        ("README.md", ["By hand"], 5),
        ("docs/start.md", ["3. Join, and bring a table", "5. Edit together"], 10),
    ])
func shownCommands(document: String, headings: [String], countMin: Int) throws {
    let stage = try Stage()
    let invite = try stage.invite()
    var count = 0
    // The id that the document shows, and the one that came.
    var printed: (shown: String, found: String)?
    for heading in headings {
        for line in try examples(in: document, under: heading) {
            guard line.hasPrefix("roundtable "), !line.contains("roundtable open") else { continue }
            var command = line.replacing(#/ {2,}#.*$/#, with: "").replacing(#/ &$/#, with: "")
                .replacing("rt1i_…", with: invite)
            if command.hasPrefix("roundtable join"), !command.contains("--name") {
                command += " --name Ann"
            }
            if command.hasPrefix("roundtable watch") { command += " --since 0 --exit-after 1" }
            if let printed { command = command.replacing(printed.shown, with: printed.found) }
            let finished = try stage.workplace.startTool(
                ["sh", "-c", "cd '\(Workplace.project)' && \(command)"], home: "ann", input: nil
            ).finish()
            #expect(finished.code == 0, "\(command): \(finished.errors)")
            if let shown = line.firstMatch(of: /such as (s[0-9]+\.[0-9]+)/)?.output.1 {
                printed = (
                    String(shown),
                    finished.output.trimmingCharacters(in: .whitespacesAndNewlines)
                )
            }
            count += 1
        }
    }
    #expect(count >= countMin, "\(document): only \(count) commands were found")
}
