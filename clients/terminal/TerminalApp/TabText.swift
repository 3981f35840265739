// Tab-separated text, as tables hand blocks to each other: written for the clipboard, and read
// from a paste by the reader of files. Quotes keep tabs and line breaks within a cell, and tell
// an empty text from nothing.
import TableFiles
import TableValue

/// A cell of a pasted block.
struct PastedCell: Hashable, Sendable {
    var text: String
    var isQuoted = false

    /// True for no value at all.
    var isNull: Bool { text.isEmpty && !isQuoted }

    /// How it looks before it is pasted; a glance, where it is long.
    var glance: String {
        if isNull { return "∅" }
        return text.isEmpty ? "\"\"" : String(text.unicodeScalars.prefix(40))
    }
}

/// What was copied or cut last.
struct Clipboard: Hashable, Sendable {
    /// For the terminal, and for the editor.
    var text: String
    /// The cells, where cells were copied: text alone does not tell all of them apart.
    var cells: [[PastedCell]]?

    /// A text.
    init(_ text: String) {
        self.text = text
    }

    /// A block of cells.
    init(_ cells: [[PastedCell]]) {
        self.cells = cells
        if cells.count == 1, cells[0].count == 1 {
            text = cells[0][0].text
        } else {
            let lines = cells.map { $0.map(TabText.cell).joined(separator: "\t") }
            text = lines.joined(separator: "\n")
            // A last line without any text must have its end, to be one.
            if lines.last?.isEmpty == true { text += "\n" }
        }
    }
}

/// A block of cells as text.
enum TabText {
    /// The text of a cell.
    static func cell(_ cell: PastedCell) -> String {
        let text = cell.text
        if cell.isNull { return "" }
        let needsQuotes =
            text.isEmpty || text.first == "\""
            || text.utf8.contains { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    /// Lines of cells; why there are none where the text cannot be a block.
    ///
    /// The text is read as a file of tab-separated text is. Where its quotes make no sense they
    /// are characters like others.
    ///
    /// Complexity: linear in the text.
    static func parse(_ text: String) throws(FileError) -> [[PastedCell]] {
        do throws(FileError) {
            return try parse(text, .tsv)
        } catch {
            switch error.problem {
            case .unterminatedQuote, .quoteInPlainField, .textAfterQuote:
                guard let plain = Dialect(delimiter: 0x09, quote: nil) else { throw error }
                return try parse(text, plain)
            default: throw error
            }
        }
    }

    private static func parse(
        _ text: String, _ dialect: Dialect
    ) throws(FileError) -> [[PastedCell]] {
        var reader = DelimitedReader(dialect)
        var rows: [[PastedCell]] = []
        let bytes = Array(text.utf8)
        var position = 0
        while try reader.readRow(bytes.span, from: &position) { rows.append(cells(of: reader.row)) }
        if try reader.finish() { rows.append(cells(of: reader.row)) }
        return rows
    }

    private static func cells(of row: FileRow) -> [PastedCell] {
        (0..<row.count).map {
            PastedCell(text: row.text($0).string, isQuoted: row.isQuoted($0))
        }
    }
}
