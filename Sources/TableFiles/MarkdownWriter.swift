// Rows into a table of GitHub's Markdown, for people to paste.
// It is not read back: null is an empty cell, empty text a pair of quotes.
package import TableValue

/// Writes rows as a Markdown table; numbers are aligned to the right.
///
/// What Markdown or HTML would act on is escaped, what a terminal would act on is shown.
package struct MarkdownWriter: Sendable {
    private let columns: [TypedColumn]

    /// Begins a table.
    package init(columns: [TypedColumn]) {
        self.columns = columns
    }

    /// Writes the names of the columns and the line below them.
    package func begin(_ output: inout [UInt8]) {
        guard !columns.isEmpty else { return }
        output.append(contentsOf: "|".utf8)
        for column in columns { output.append(contentsOf: " \(escaped(column.name)) |".utf8) }
        output.append(contentsOf: "\n|".utf8)
        for column in columns {
            output.append(contentsOf: (column.type.isNumeric ? " ---: |" : " --- |").utf8)
        }
        output.append(Byte.lineFeed)
    }

    /// Writes a row, one value a column.
    package func append(_ values: [Value], to output: inout [UInt8]) {
        guard !columns.isEmpty else { return }
        output.append(contentsOf: "|".utf8)
        for index in columns.indices {
            output.append(Byte.space)
            let value = index < values.count ? values[index] : .null
            if let text = value.textHeld {
                output.append(contentsOf: (text.isEmpty ? "\"\"" : escaped(text)).utf8)
            } else {
                value.writeText(to: &output)
            }
            output.append(contentsOf: " |".utf8)
        }
        output.append(Byte.lineFeed)
    }
}

extension ColumnType {
    /// True for the types whose values are aligned to the right.
    var isNumeric: Bool { self == .int || self == .double || self == .decimal }
}

/// A text in which nothing is Markdown or HTML.
private func escaped(_ text: Text) -> String {
    var result = ""
    var previous: Unicode.Scalar?
    let scalars = visible(text).unicodeScalars
    for (position, scalar) in zip(scalars.indices, scalars) {
        switch scalar {
        case "|", "\\", "`", "*", "[", "]", "~": result += "\\"
        // Inside a word an underscore is only an underscore.
        case "_":
            let after = scalars.index(after: position)
            let next = after < scalars.endIndex ? scalars[after] : nil
            if !isWordCharacter(previous) || !isWordCharacter(next) { result += "\\" }
        default: break
        }
        switch scalar {
        case "<": result += "&lt;"
        case "&": result += "&amp;"
        default: result.unicodeScalars.append(scalar)
        }
        previous = scalar
    }
    return result
}

private func isWordCharacter(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return scalar == "_" || scalar.properties.isAlphabetic
        || scalar.properties.numericType != nil
}
