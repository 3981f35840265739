// Tab-separated text, as tables hand blocks to each other: written for the clipboard, and read
// from a paste. Quotes keep tabs and line breaks within a cell, and tell an empty text from
// nothing.

/// A cell of a pasted block.
struct PastedCell: Hashable, Sendable {
    var text: String
    var isQuoted = false
}

/// A block of cells as text.
enum TabText {
    /// The text of a cell.
    static func cell(_ look: CellLook, text: String) -> String {
        if look.kind == .null { return "" }
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

    /// Lines of cells.
    ///
    /// Line breaks may be LF, CR or both; the last may lack its own. A quote opens a quoted cell
    /// only where its closing quote ends the cell; otherwise it is a character like others.
    ///
    /// Complexity: linear in the text.
    static func parse(_ text: String) -> [[PastedCell]] {
        let scalars = Array(text.unicodeScalars)
        // Where the rest holds no closing quote, none need be looked for again.
        var mayQuote = true
        var rows: [[PastedCell]] = [[]]
        var index = 0
        var endsRow = true
        while index < scalars.count || !endsRow {
            if mayQuote, index < scalars.count, scalars[index] == "\"" {
                let (cell, isUnclosed) = quoted(scalars, &index)
                mayQuote = !isUnclosed
                rows[rows.count - 1].append(cell ?? plain(scalars, &index))
            } else {
                rows[rows.count - 1].append(plain(scalars, &index))
            }
            endsRow = index >= scalars.count || scalars[index] != "\t"
            if endsRow, index < scalars.count {
                let isPair =
                    scalars[index] == "\r" && index + 1 < scalars.count
                    && scalars[index + 1] == "\n"
                index += isPair ? 2 : 1
                if index < scalars.count { rows.append([]) }
            } else if !endsRow {
                index += 1
            }
        }
        return rows
    }

    private static func isEnd(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        guard index < scalars.count else { return true }
        return scalars[index] == "\t" || scalars[index] == "\n" || scalars[index] == "\r"
    }

    private static func plain(_ scalars: [Unicode.Scalar], _ index: inout Int) -> PastedCell {
        var text = String.UnicodeScalarView()
        while !isEnd(scalars, index) {
            text.append(scalars[index])
            index += 1
        }
        return PastedCell(text: String(text))
    }

    /// A quoted cell; nil, and the index where it was, where it is none.
    private static func quoted(
        _ scalars: [Unicode.Scalar], _ index: inout Int
    ) -> (cell: PastedCell?, isUnclosed: Bool) {
        var text = String.UnicodeScalarView()
        var next = index + 1
        while next < scalars.count {
            guard scalars[next] == "\"" else {
                text.append(scalars[next])
                next += 1
                continue
            }
            if next + 1 < scalars.count, scalars[next + 1] == "\"" {
                text.append("\"")
                next += 2
            } else if isEnd(scalars, next + 1) {
                index = next + 1
                return (PastedCell(text: String(text), isQuoted: true), false)
            } else {
                return (nil, false)
            }
        }
        return (nil, true)
    }
}
