// How a value looks in the grid: its text, on which side it stands, and whether it is one of
// the values that are not text: nothing, an empty text, a box that is ticked or not.
import TableModel
import TableValue

/// How a value is shown.
struct CellLook: Hashable, Sendable {
    /// What sort of thing is shown.
    enum Kind: Hashable, Sendable {
        case plain
        /// No value at all.
        case null
        /// A text without characters.
        case emptyText
        case box
    }

    let text: String
    let kind: Kind
    let isRight: Bool

    /// How a value looks.
    ///
    /// Complexity: constant for text, which is not copied.
    init(_ value: Value) {
        switch value {
        case .null:
            text = "∅"
            kind = .null
            isRight = false
        case .text(let own):
            text = own.isEmpty ? "\"\"" : own.string
            kind = own.isEmpty ? .emptyText : .plain
            isRight = false
        case .bool(let isTrue):
            text = isTrue ? "[x]" : "[ ]"
            kind = .box
            isRight = false
        case .int, .double, .decimal:
            text = value.canonicalText
            kind = .plain
            isRight = true
        case .choice(let own):
            text = own.string
            kind = .plain
            isRight = false
        case .date, .datetime, .uuid, .list, .json:
            text = value.canonicalText
            kind = .plain
            isRight = false
        }
    }
}

extension Value {
    /// The text that reads back as the value; empty for null.
    var canonicalText: String {
        if case .text(let text) = self { return text.string }
        var bytes: [UInt8] = []
        writeText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ColumnType {
    /// True where the column's values stand on the right.
    var isRight: Bool { self == .int || self == .double || self == .decimal }

    /// Cells that a value of the type takes, for a column that shows none yet.
    var widthLeast: Int {
        switch self {
        case .bool: 3
        case .int: 6
        case .double, .text, .decimal, .choice: 8
        case .list, .json: 12
        case .date: 10
        case .datetime: 25
        case .uuid: 36
        }
    }

    /// The type in a sentence: `a date`, `an int`.
    var nounWithArticle: String { "\(self == .int ? "an" : "a") \(sign)" }

    /// The name of the type in a header: as short as can be.
    var sign: String {
        switch self {
        case .text: "text"
        case .int: "int"
        case .double: "double"
        case .bool: "bool"
        case .date: "date"
        case .datetime: "datetime"
        case .uuid: "uuid"
        case .decimal: "decimal"
        case .choice: "choice"
        case .list: "list"
        case .json: "json"
        }
    }
}
