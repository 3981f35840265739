// Rows into CSV and TSV that DelimitedReader reads back to the same values.
// Null is an empty field, empty text a pair of quotes. Rows end with LF.
package import TableValue

/// Writes rows of values as delimited text.
///
/// A field is quoted where it contains the delimiter, a quote, CR or LF, where it is empty text,
/// where it is the text that stands for null, and where it begins with a byte order mark.
package struct DelimitedWriter: Sendable {
    private let columns: [TypedColumn]
    private let delimiter: UInt8
    private let quote: UInt8
    private let hasHeader: Bool
    private let nullText: [UInt8]
    private let isForTerminal: Bool

    /// Begins a table; a dialect without a quote is written with double quotes.
    package init(_ dialect: Dialect, columns: [TypedColumn], options: OutputOptions) {
        self.columns = columns
        delimiter = dialect.delimiter
        quote = dialect.quote ?? Byte.quote
        hasHeader = dialect.hasHeader && options.hasHeader
        let nullText = dialect.canStandForNull(options.nullText) ? options.nullText : ""
        self.nullText = Array(nullText.string.utf8)
        isForTerminal = options.isForTerminal
    }

    /// Writes the header, if there is to be one.
    package func begin(_ output: inout [UInt8]) {
        guard hasHeader && !columns.isEmpty else { return }
        for (index, column) in columns.enumerated() {
            if index > 0 { output.append(delimiter) }
            appendField(.text(column.name), to: &output)
        }
        output.append(Byte.lineFeed)
    }

    /// Writes a row, one value a column.
    package func append(_ values: [Value], to output: inout [UInt8]) {
        guard !columns.isEmpty else { return }
        for index in columns.indices {
            if index > 0 { output.append(delimiter) }
            appendField(index < values.count ? values[index] : .null, to: &output)
        }
        output.append(Byte.lineFeed)
    }

    private func appendField(_ value: Value, to output: inout [UInt8]) {
        let start = output.count
        switch value {
        case .null:
            output.append(contentsOf: nullText)
            return
        case .text(let text) where isForTerminal:
            output.append(contentsOf: visible(text).utf8)
        default:
            value.writeText(to: &output)
        }
        quoteField(from: start, in: &output)
    }

    /// Puts quotes around the bytes from `start` on where they need them.
    private func quoteField(from start: Int, in output: inout [UInt8]) {
        var quotes = 0
        var isSpecial = false
        for index in start..<output.count {
            let byte = output[index]
            if byte == quote { quotes += 1 }
            isSpecial =
                isSpecial || byte == delimiter || byte == Byte.lineFeed
                || byte == Byte.carriageReturn
        }
        let field = output[start...]
        guard
            isSpecial || quotes > 0 || field.elementsEqual(nullText) || field.isEmpty
                || field.starts(with: [0xEF, 0xBB, 0xBF])
        else { return }
        let count = output.count - start
        output.append(contentsOf: repeatElement(quote, count: quotes + 2))
        // Moved from the end, so that nothing is overwritten before it was moved.
        var target = output.count - 2
        for index in stride(from: start + count - 1, through: start, by: -1) {
            let byte = output[index]
            output[target] = byte
            target -= 1
            if byte == quote {
                output[target] = quote
                target -= 1
            }
        }
        output[start] = quote
    }
}
