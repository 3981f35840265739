// The project's own files, read once for all tidy tests.
import Foundation

/// One text file of the project.
struct SourceFile: Sendable {
    /// The path from the project's root.
    let path: String
    let lines: [String]

    /// The name of the target a Swift file belongs to, by its folder.
    var target: String {
        let parts = path.split(separator: "/").map(String.init)
        if parts.first == "Sources" { return parts[1] }
        if parts.starts(with: ["clients", "swift", "examples"]) { return "bot-examples" }
        if parts.first == "clients", parts.count > 3 { return parts[2] }
        return parts.count > 1 ? parts[1] : ""
    }
}

/// The project's tree.
enum SourceTree {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Swift files of the product, without tests.
    static let sources = files(under: ["Sources", "clients"], suffix: ".swift")
    /// Swift files of tests, benchmarks and the simulation.
    static let tests = files(under: ["Tests"], suffix: ".swift")
    /// The project's documents.
    static let documents =
        files(under: ["docs", "clients", "Tests"], suffix: ".md")
        + ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].compactMap(file)

    /// One file of the project; nil where it is not there or is not UTF-8.
    static func file(_ path: String) -> SourceFile? {
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
            return nil
        }
        return SourceFile(path: path, lines: text.components(separatedBy: "\n"))
    }

    private static func files(under folders: [String], suffix: String) -> [SourceFile] {
        folders.flatMap { folder -> [SourceFile] in
            let walker = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
            let names = (walker?.compactMap { $0 as? String } ?? []).sorted()
            return names.filter { $0.hasSuffix(suffix) && !$0.contains(".build") }
                .compactMap { file(folder + "/" + $0) }
        }
    }
}
