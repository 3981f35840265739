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
    /// True where no value but text can need quotes for what it contains.
    private let onlyTextIsSpecial: Bool
    private let isForTerminal: Bool

    /// Begins a table; a dialect without a quote is written with double quotes.
    package init(_ dialect: Dialect, columns: [TypedColumn], options: OutputOptions) {
        self.columns = columns
        delimiter = dialect.delimiter
        quote = dialect.quote ?? Byte.quote
        hasHeader = dialect.hasHeader && options.hasHeader
        let nullText = dialect.canStandForNull(options.nullText) ? options.nullText : ""
        self.nullText = Array(nullText.string.utf8)
        onlyTextIsSpecial = !(dialect.delimiter.isOfValues || quote.isOfValues)
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
        if value.isNull {
            output.append(contentsOf: nullText)
        } else if let text = value.textHeld {
            if isForTerminal {
                output.append(contentsOf: visible(text).utf8)
            } else {
                text.write(to: &output)
            }
            quoteField(from: start, in: &output)
        } else {
            value.writeText(to: &output)
            if !onlyTextIsSpecial || !nullText.isEmpty { quoteField(from: start, in: &output) }
        }
    }

    /// Puts quotes around the bytes from `start` on where they need them.
    private func quoteField(from start: Int, in output: inout [UInt8]) {
        guard let quotes = quotesToDouble(output.span.extracting(start...)) else { return }
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

    /// How many quotes a field contains; nil where it needs no quotes around it.
    private func quotesToDouble(_ field: Span<UInt8>) -> Int? {
        var quotes = 0
        var isSpecial = false
        for index in field.indices {
            let byte = field[index]
            if byte == quote { quotes &+= 1 }
            isSpecial =
                isSpecial || byte == delimiter || byte == Byte.lineFeed
                || byte == Byte.carriageReturn
        }
        if isSpecial || quotes > 0 || isNullText(field) { return quotes }
        let beginsWithMark =
            field.count > 2 && field[0] == 0xEF && field[1] == 0xBB && field[2] == 0xBF
        return beginsWithMark ? 0 : nil
    }

    /// True where a field would be read as null: it is empty or the text for null.
    private func isNullText(_ field: Span<UInt8>) -> Bool {
        if field.isEmpty { return true }
        guard field.count == nullText.count else { return false }
        for index in field.indices where field[index] != nullText[index] { return false }
        return true
    }
}

extension UInt8 {
    /// True for the bytes that values of other types than text are written with.
    fileprivate var isOfValues: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
