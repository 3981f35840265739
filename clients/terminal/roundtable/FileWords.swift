// What import, export and show understand alike: formats, files, lists of columns.
// The formats themselves are in TableFiles; nothing is sent from here.
import ClientRuntime
import TableFiles
import TableModel
import TableValue

extension Invocation {
    /// The format that `--format` names, or the one that a file's name ends with.
    ///
    /// `standard` is that of standard input and output, of a name without an ending where
    /// `mayLackEnding` says that it will do, and of what is no ordinary file, such as a pipe.
    ///
    /// Errors: the name's ending is that of no format.
    func format(
        of path: String?, default standard: TableFormat, mayLackEnding: Bool = false
    ) throws(CommandFailure) -> TableFormat {
        if let name = value("format") {
            guard let format = TableFormat(rawValue: name) else {
                let names = TableFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw .words("--format is one of \(names)")
            }
            return format
        }
        guard let path, path != "-", LocalFiles.isReplaceable(path) else { return standard }
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            if mayLackEnding { return standard }
            throw .words("the name of the file says no format: \(Self.formatsByEnding)")
        }
        switch name[name.index(after: dot)...].lowercased() {
        case "csv": return .csv
        case "tsv", "tab": return .tsv
        case "json": return .json
        case "ndjson", "jsonl": return .ndjson
        case "md", "markdown": return .markdown
        default: throw .words("no format is known by \(name[dot...]): \(Self.formatsByEnding)")
        }
    }

    /// The endings that are known, and the way out.
    private static let formatsByEnding =
        "end it in .csv, .tsv, .json, .ndjson or .md, or say --format"

    /// The columns that `--columns` names, in its order; all where it is not there.
    func columns(of all: [Column]) throws(CommandFailure) -> [Column] {
        guard let list = value("columns") else { return all }
        var chosen: [Column] = []
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            chosen.append(try all.column(Text(String(word))))
        }
        return chosen
    }
}

extension CommandFailure {
    /// A file that cannot be read as a table.
    static func file(_ path: String, _ error: FileError) -> CommandFailure {
        .local("\(path == "-" ? "standard input" : path): \(error.description)")
    }
}

/// Opens a file for reading; `-` is standard input.
func openInput(_ path: String) throws(CommandFailure) -> LocalFile {
    guard path != "-" else { return LocalFile.standardInput() }
    do {
        return try LocalFile.reading(path)
    } catch {
        throw .words(error.reason)
    }
}

/// Writes a file as a whole: it gets its name only when `body` has written everything.
///
/// What is no ordinary file, such as a pipe, is written directly; `-` is standard output.
func writeFile(
    _ path: String, _ body: (Output) throws(CommandFailure) -> Void
) throws(CommandFailure) {
    if path == "-" { return try body(Output()) }
    let isReplaceable = LocalFiles.isReplaceable(path)
    let draft = isReplaceable ? path + ".part" : path
    do throws(CommandFailure) {
        try body(Output(openOutput(draft)))
    } catch {
        if isReplaceable { LocalFiles.remove(draft) }
        throw error
    }
    guard isReplaceable else { return }
    do throws(LocalFileError) {
        try LocalFiles.rename(draft, to: path)
    } catch {
        throw .local(error.reason)
    }
}

private func openOutput(_ path: String) throws(CommandFailure) -> LocalFile {
    do {
        return try LocalFile.writing(path)
    } catch {
        throw .local(error.reason)
    }
}
