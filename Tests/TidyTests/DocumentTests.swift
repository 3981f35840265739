// The documents: one title each, links that lead somewhere, commands that exist.
import Foundation
import Testing

@Test("every document has one title")
func oneTitle() {
    for document in SourceTree.documents {
        var inCode = false
        var titles = 0
        for line in document.lines {
            if line.hasPrefix("```") { inCode.toggle() }
            if !inCode && line.hasPrefix("# ") { titles += 1 }
        }
        #expect(titles == 1, "\(document.path) has \(titles) titles")
    }
}

@Test("every link between documents resolves")
func linksResolve() {
    for document in SourceTree.documents {
        let folder = URL(filePath: document.path, relativeTo: SourceTree.root)
            .deletingLastPathComponent()
        for line in document.lines {
            for match in line.matches(of: /\]\(([^)#\s]+)(#[^)]*)?\)/) {
                let link = String(match.output.1)
                if link.contains("://") { continue }
                let target = folder.appending(path: link).standardizedFileURL
                #expect(
                    FileManager.default.fileExists(atPath: target.path()),
                    "\(document.path) links to \(link), which is not there")
            }
        }
    }
}

@Test("the project speaks of itself alone")
func noForeignPaths() {
    let names = ["README.md", "test", "demo", ".ci/run", "CHANGELOG.md", "CONTRIBUTING.md"]
    let files =
        SourceTree.sources + SourceTree.tests + SourceTree.documents
        + names.compactMap(SourceTree.file)
    let machinePath = /(^|[\s"'(=])\/(work|farm|root|opt\/swift)\//
    for file in files where file.target != "TidyTests" {
        for (index, line) in file.lines.enumerated() {
            #expect(
                line.firstMatch(of: machinePath) == nil,
                "\(file.path):\(index + 1): a path of one machine")
        }
    }
}

@Test("every document is on the map")
func everyDocumentIsOnTheMap() throws {
    let map = try #require(SourceTree.file("docs/README.md")).lines.joined(separator: "\n")
    for document in SourceTree.documents where document.path.hasPrefix("docs/") {
        let path = document.path.dropFirst("docs/".count)
        if path == "README.md" { continue }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        #expect(
            map.contains("(\(path))") || (!folder.isEmpty && map.contains("(\(folder)/")),
            "docs/README.md does not lead to \(document.path)")
    }
}
