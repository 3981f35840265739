// Why a file cannot be read as a table: what is wrong, and in which line.
// The words never contain what stands in a cell; names of columns they may.
package import TableValue

/// What is wrong with a file, and where.
package struct FileError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Problem: Hashable, Sendable {
        /// A quoted field has no end; the place is where it begins.
        case unterminatedQuote
        /// A quote stands inside a field that does not begin with one.
        case quoteInPlainField
        /// Something else than a delimiter or a line end follows a closing quote.
        case textAfterQuote
        /// The bytes of a field are not UTF-8.
        case notUTF8
        /// The file begins like one in UTF-16.
        case utf16
        /// The file is empty where a header was to come.
        case missingHeader
        /// A row has another number of fields than the header or the first row.
        case wrongFieldCount(expected: Int, found: Int)
        /// A field is longer than a cell may be.
        case fieldTooLong(bytesMax: Int)
        /// A row is longer than the limit.
        case rowTooLong(bytesMax: Int)
        /// A row has more fields than a table may have columns.
        case tooManyColumns(max: Int)
        /// A field does not fit the type that was asked for its column.
        case unfit(column: Text, ValueError)
        /// A type was given for a column that the file does not have.
        case unknownColumn(Text)
        /// A type was given twice for one column.
        case columnGivenTwice(Text)
        /// The file is no JSON, or JSON that is no rows; the words say what was expected.
        case notJSON(String)
        /// A text is longer than a cell may be.
        case cellTooLong(column: Text, bytesMax: Int)
        /// A value of a JSON file does not go together with those above it in its column.
        case mixedKinds(column: Text)
        /// A value is none of the choices that its column has.
        case noChoice(column: Text)
        /// A value of a column whose values are to be its choices is empty or too long for one.
        case badChoice(column: Text, bytesMax: Int)
        /// A column whose values are to be its choices has too many of them.
        case tooManyChoices(column: Text, max: Int)
        /// A list of columns and types cannot be read.
        case badTypeList(String)
    }

    /// What is wrong.
    package let problem: Problem
    /// The line of the file, from 1; nil where it is about no line.
    ///
    /// Line ends inside quotes count.
    package let line: Int?
    /// The number of the field in its row, from 1; nil where it is about no field.
    package let field: Int?
    /// The byte in the line, from 1; nil where it is about no byte.
    package let byte: Int?

    /// Names the problem and its place.
    package init(_ problem: Problem, line: Int? = nil, field: Int? = nil, byte: Int? = nil) {
        self.problem = problem
        self.line = line
        self.field = field
        self.byte = byte
    }
}

extension FileError: CustomStringConvertible {
    /// The place, what is wrong, and what to do.
    package var description: String {
        var place: [String] = []
        if let line { place.append("line \(line)") }
        if let field { place.append("field \(field)") }
        if let byte { place.append("byte \(byte)") }
        let words = problem.words
        return place.isEmpty ? words : place.joined(separator: ", ") + ": " + words
    }
}

extension FileError.Problem {
    /// What is wrong and what to do, for a person.
    fileprivate var words: String {
        switch self {
        case .unterminatedQuote:
            "a quoted field begins here and has no closing quote"
        case .quoteInPlainField:
            "a quote inside a field that is not quoted; quote the whole field and double the "
                + "quote, or say that the file has no quotes"
        case .textAfterQuote:
            "text after a closing quote; double a quote that belongs to the text"
        case .notUTF8:
            "the bytes are not UTF-8; convert the file to UTF-8"
        case .utf16:
            "the file looks like UTF-16; convert it to UTF-8"
        case .missingHeader:
            "the file is empty; it has no header"
        case .wrongFieldCount(let expected, let found):
            "\(counted(found, "field")) where \(expected) were expected"
        case .fieldTooLong(let bytesMax):
            "a field of more than \(bytesMax) bytes; is a closing quote missing?"
        case .rowTooLong(let bytesMax):
            "a row of more than \(bytesMax) bytes"
        case .tooManyColumns(let max):
            "more than \(max) fields in a row"
        case .unfit(let column, let error):
            "column \(visible(column)) is to be \(error.type.rawValue), but \(error.reason)"
        case .unknownColumn(let name):
            "there is no column \(visible(name))"
        case .columnGivenTwice(let name):
            "column \(visible(name)) is named twice"
        case .notJSON(let reason):
            reason
        case .cellTooLong(let column, let bytesMax):
            "a text of more than \(bytesMax) bytes in column \(visible(column))"
        case .mixedKinds(let column):
            "a value of column \(visible(column)) is of another kind than those before it; "
                + "say which type the column is to have, or make them alike"
        case .noChoice(let column):
            "a value of column \(visible(column)) is none of its choices; take one of them, "
                + "or add it to them first"
        case .badChoice(let column, let bytesMax):
            "a value of column \(visible(column)) cannot be a choice, which has 1 to \(bytesMax) "
                + "bytes; make the column text"
        case .tooManyChoices(let column, let max):
            "column \(visible(column)) has more than \(max) different values, and a column may "
                + "have \(max) choices; make it text"
        case .badTypeList(let reason):
            reason
        }
    }
}

/// A count with its noun: `1 row`, `2 rows`.
package func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
