// How a file of delimited text is spelled: its delimiter, its quote, whether it has a header.
// A value that DelimitedReader and DelimitedWriter are made from; nothing is guessed here.
package import TableValue

/// The ASCII bytes that files of text are made of.
enum Byte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let point = UInt8(ascii: ".")
    static let colon = UInt8(ascii: ":")
    static let space = UInt8(ascii: " ")
}

/// The spelling of a file of delimited text (RFC 4180 and its relatives).
///
/// Rows end with LF, CRLF or CR, also mixed. A quote inside a quoted field is written twice.
/// Spaces are part of a field. One UTF-8 byte order mark at the start is passed over.
package struct Dialect: Hashable, Sendable {
    /// The byte between fields.
    package let delimiter: UInt8
    /// The byte around fields that contain anything special; nil where quotes are plain text.
    package let quote: UInt8?
    /// True where the first row holds the names of the columns.
    package var hasHeader: Bool

    /// Makes a dialect; nil where delimiter and quote are the same, or either is a line end or
    /// not ASCII.
    package init?(delimiter: UInt8, quote: UInt8?, hasHeader: Bool = true) {
        for byte in [delimiter, quote ?? Byte.quote] {
            if byte == Byte.lineFeed || byte == Byte.carriageReturn || byte >= 0x80 { return nil }
        }
        if delimiter == quote { return nil }
        self.init(checked: delimiter, quote: quote, hasHeader: hasHeader)
    }

    private init(checked delimiter: UInt8, quote: UInt8?, hasHeader: Bool) {
        self.delimiter = delimiter
        self.quote = quote
        self.hasHeader = hasHeader
    }

    /// True where a text can stand for null in a file: it needs no quotes.
    package func canStandForNull(_ text: Text) -> Bool {
        !text.string.utf8.contains { byte in
            byte == delimiter || byte == quote || byte == Byte.lineFeed
                || byte == Byte.carriageReturn
        }
    }

    /// Commas, double quotes, a header.
    package static let csv = Dialect(checked: Byte.comma, quote: Byte.quote, hasHeader: true)
    /// Tabs, double quotes where needed, a header.
    package static let tsv = Dialect(checked: Byte.tab, quote: Byte.quote, hasHeader: true)
}

/// What a file may ask of the memory of who reads it.
package struct FileLimits: Hashable, Sendable {
    /// Bytes of one field, as many as a cell may have.
    package var fieldBytesMax = 256 * 1024
    /// Bytes of one row, delimiters included.
    package var rowBytesMax = 16 * 1024 * 1024
    /// Fields of one row.
    package var columnsMax = 1_024
    /// Bytes of a column's name.
    package var nameBytesMax = 128
    /// Choices of a column, each as long as a name at most.
    package var choicesMax = 1_000

    /// The defaults.
    package init() {}
}
