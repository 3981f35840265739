// Values as words of a command line: what text stands for which value of a column.
// Files have rules of their own, in TableFiles; here a word is one value, as it was typed.
import TableModel
import TableValue
import TableWire

/// A row as the command line names it.
enum RowWord: Hashable, Sendable {
    case id(RowID)
    /// The row that is now at a position, from 0.
    case position(Int)

    /// Reads `s12.4071`, or `#N` with 1 for the first row.
    init(_ word: String) throws(CommandFailure) {
        if word.hasPrefix("#") {
            guard let number = Int(word.dropFirst()), number >= 1 else {
                throw .words("`\(word)` is no position; #1 is the first row")
            }
            self = .position(number - 1)
        } else if let row = RowID(Text(word)) {
            self = .id(row)
        } else {
            throw .words("`\(word)` is no row: give an id such as s12.4071, or #N")
        }
    }
}

/// One `COLUMN=VALUE` (the text of a value) or `COLUMN:=JSON` (a value as the wire writes it).
struct CellWord: Hashable, Sendable {
    /// How the value is given.
    enum Form: Hashable, Sendable {
        case text(Text)
        case value(Value)
    }

    let column: Text
    let form: Form

    /// Reads the word; the first `=` ends the column's name.
    init(_ word: String) throws(CommandFailure) {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
            throw .words("`\(word)` is not COLUMN=VALUE")
        }
        let text = Text(String(word[word.index(after: equals)...]))
        let name = word[..<equals]
        guard name.hasSuffix(":"), name.count > 1 else {
            column = Text(String(name))
            form = .text(text)
            return
        }
        column = Text(String(name.dropLast()))
        do {
            form = .value(try readCell(text))
        } catch {
            throw .words("\(name)= needs null, true, false, a number or a \"text\"")
        }
    }

    /// The value as one of the column's type.
    func value(for column: Column) throws(CommandFailure) -> Value {
        switch form {
        case .text(let text): return try column.value(of: text)
        case .value(let value):
            do {
                return try value.converted(to: column.type)
            } catch {
                throw .wrongType(column, error)
            }
        }
    }
}

/// Reads one cell's value as the wire writes it.
private func readCell(_ text: Text) throws(WireError) -> Value {
    try unsafe withJSONReader(Array(text.string.utf8).span.bytes, limits: WireLimits()) {
        (reader) throws(WireError) -> Value in
        try reader.readValue()
    }
}

extension Column {
    /// The value that a text stands for in this column.
    ///
    /// Empty text is the empty text in a text column and no value elsewhere: null is said in words
    /// of its own.
    func value(of text: Text) throws(CommandFailure) -> Value {
        do {
            return try Value(text, as: type)
        } catch {
            if text.isEmpty {
                throw .refused(
                    code: Rejection.Code.wrongType.rawValue,
                    message: "column \(name) is \(type.rawValue), and an empty text is none; "
                        + "for an empty cell say \(name):=null or --null")
            }
            throw .wrongType(self, error)
        }
    }
}

extension [Column] {
    /// The column of that id or name.
    func column(_ word: Text) throws(CommandFailure) -> Column {
        if let id = ColumnID(word), let column = first(where: { $0.id == id }) { return column }
        if let column = first(where: { $0.name == word }) { return column }
        let folded = simpleCaseFolded(word)
        if let column = first(where: { simpleCaseFolded($0.name) == folded }) { return column }
        throw .refused(
            code: Rejection.Code.unknownColumn.rawValue,
            message: "there is no column \(word); the columns are "
                + map(\.name.string).joined(separator: ", "))
    }
}

extension CommandFailure {
    /// A text that does not fit its column.
    static func wrongType(_ column: Column, _ error: ValueError) -> CommandFailure {
        .refused(
            code: Rejection.Code.wrongType.rawValue,
            message: "column \(column.name) is \(column.type.rawValue): \(error.reason)")
    }
}
