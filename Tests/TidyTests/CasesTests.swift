// docs/internals/cases.md: every test that it names is there.
import Foundation
import Testing

/// The names of all tests: those of Swift as `@Test` gives them, those of Python by function.
private func testNames() throws -> Set<String> {
    var names: Set<String> = []
    for file in SourceTree.tests {
        let text = file.lines.joined(separator: "\n")
        for match in text.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/) {
            names.insert(String(match.output.1))
        }
    }
    let folder = SourceTree.root.appending(path: "clients/python/tests")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
        guard name.hasSuffix(".py"), let file = SourceTree.file("clients/python/tests/\(name)")
        else { continue }
        for line in file.lines {
            guard let match = line.firstMatch(of: /^ +def (test_[a-z0-9_]+)\(/) else { continue }
            names.insert(String(match.output.1))
        }
    }
    return names
}

@Test("every test that docs/internals/cases.md names is there, and every case has one or a reason")
func casesAreTested() throws {
    let document = try #require(SourceTree.file("docs/internals/cases.md"))
    let names = try testNames()
    #expect(names.count > 1_000, "the tests' names could not be read")
    var caseCount = 0
    for line in document.lines {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard line.hasPrefix("| "), cells.count == 3,
            cells[0].wholeMatch(of: /[0-9]+b?/) != nil
        else { continue }
        caseCount += 1
        #expect(cells[2].count > 20, "case \(cells[0]) has neither a test nor a reason")
        for match in cells[2].matches(of: /`([^`]*)`/) {
            let name = String(match.output.1)
            #expect(names.contains(name), "case \(cells[0]): there is no test \(name)")
        }
    }
    #expect(caseCount == 99)
}
