// Where in an expression's text something is, for people: bytes, line and column, and the line
// itself with carets under the place. Who reports places is in ExpressionError.swift.
package import TableValue

/// A stretch of an expression's text, counted in bytes from its start.
package struct SourcePlace: Hashable, Sendable {
    /// The first byte.
    package let start: Int32
    /// The byte behind the last one; equal to `start` for a place between two characters.
    package let end: Int32

    /// Names a stretch of bytes; numbers beyond what a text may have are cut to fit.
    package init(_ start: Int, _ end: Int) {
        self.start = Int32(clamping: max(0, start))
        self.end = Int32(clamping: max(start, end, 0))
    }

    /// The stretch from the start of this one to the end of another.
    func through(_ other: SourcePlace) -> SourcePlace {
        SourcePlace(Int(start), Int(other.end))
    }
}

/// A line and a column as people count them: characters, both from 1.
package struct LineAndColumn: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The character in the line, from 1.
    package let column: Int
}

/// The most characters of a line that are shown above the carets.
private let shownColumnsMax = 72

extension SourcePlace {
    /// The line and column of the first byte.
    ///
    /// Complexity: linear in the bytes before it.
    package func lineAndColumn(in source: Text) -> LineAndColumn {
        var line = 1
        var column = 1
        var byte = 0
        for scalar in source.string.unicodeScalars {
            if byte >= Int(start) { break }
            byte += UTF8.width(scalar)
            if scalar == "\n" {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return LineAndColumn(line: line, column: column)
    }

    /// The line of the place and, below it, carets under what is meant; both end without a newline.
    ///
    /// A long line is cut around the place; a control character is shown as a space.
    ///
    /// Complexity: linear in the text.
    package func rendered(in source: Text) -> String {
        let found = lineAndColumn(in: source)
        var shown: [Unicode.Scalar] = []
        var carets = 0
        var line = 1
        var byte = 0
        for scalar in source.string.unicodeScalars {
            if scalar == "\n" {
                line += 1
            } else if line == found.line {
                let isInside = byte >= Int(start) && byte < Int(end)
                if isInside { carets += 1 }
                let isShown = nameCharacter(scalar, behind: shown.last) == .allowed
                shown.append(isShown ? scalar : " ")
            }
            byte += UTF8.width(scalar)
        }
        let first = max(0, min(found.column - 1 - shownColumnsMax / 2, shown.count))
        let window = shown[first...].prefix(shownColumnsMax)
        var text = String(String.UnicodeScalarView(window))
        let indentation = min(found.column - 1 - first, shownColumnsMax)
        text += "\n" + String(repeating: " ", count: max(0, indentation))
        text += String(repeating: "^", count: max(1, min(carets, shownColumnsMax - indentation)))
        return text
    }
}
