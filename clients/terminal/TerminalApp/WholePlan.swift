// What is about to be done to all rows: worked out on a copy of the table, and shown before
// anything is sent. App+Whole.swift asks for it and does it.
import TableModel
import TableValue
import TableWire

/// A sort, a transform or a deletion of all rows that waits for a yes.
struct WholePlan: Hashable, Sendable {
    let intent: Intent
    let purpose: Purpose
    let question: String
    /// More to know before an answer, in lines.
    let details: [String]
    /// What `y` and `n` do.
    let yes: String
    let no: String
}

/// A column to sort by, as a person names it.
struct SortKey: Hashable, Sendable {
    let column: Column
    let isDescending: Bool

    /// The keys as they are typed again: `qty, -"due, at last"`.
    static func text(_ keys: [SortKey]) -> String {
        keys.map { key in
            let name = key.column.name.string
            let isPlain = !name.contains(where: { $0 == "," || $0 == "\"" }) && name.first != "-"
            let quoted = name.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
            return (key.isDescending ? "-" : "") + (isPlain ? name : "\"\(quoted)\"")
        }.joined(separator: ", ")
    }

    /// The keys in words: `qty (largest first), then name`.
    static func words(_ keys: [SortKey], _ name: (Column) -> String) -> String {
        let shown = keys.prefix(3).map { key in
            name(key.column) + (key.isDescending ? " (largest first)" : "")
        }
        let rest = keys.count - shown.count
        return shown.joined(separator: ", then ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Reads what was typed: names with commas between, in quotes where they have commas, with `-`
    /// in front for the largest first.
    ///
    /// Complexity: linear in the text, times the columns.
    static func read(_ text: String, _ columns: [Column]) -> Result<[SortKey], SortFault> {
        var keys: [SortKey] = []
        for word in words(in: text) {
            guard !word.name.isEmpty else {
                return .failure(SortFault(reason: "name the columns, with commas between"))
            }
            guard let column = columns.named(word.name) else {
                return .failure(SortFault(reason: "there is no column \(word.name)"))
            }
            keys.append(SortKey(column: column, isDescending: word.isDescending))
        }
        return .success(keys)
    }

    private static func words(in text: String) -> [(name: String, isDescending: Bool)] {
        var words: [(name: String, isDescending: Bool)] = [("", false)]
        var isQuoted = false
        var wasQuote = false
        var spaces = ""
        for character in text {
            let last = words.count - 1
            if character == "\"" {
                // Two in a row within quotes stand for one.
                if wasQuote { words[last].name.append("\"") }
                wasQuote = isQuoted
                isQuoted.toggle()
                continue
            }
            wasQuote = false
            if isQuoted {
                words[last].name.append(character)
            } else if character == "," {
                words.append(("", false))
                spaces = ""
            } else if character == " " {
                if !words[last].name.isEmpty { spaces.append(character) }
            } else if character == "-", words[last].name.isEmpty, !words[last].isDescending {
                words[last].isDescending = true
            } else {
                words[last].name += spaces + String(character)
                spaces = ""
            }
        }
        return words
    }
}

/// Why what was typed names no columns.
struct SortFault: Error, Hashable, Sendable {
    let reason: String
}

/// What a transform would do.
struct TransformLook {
    /// Cells of the column that would change, in the order of the changes.
    let cells: [CellEdit]
    /// Rows that stay because there is no value for them.
    let leftOut: Int
    /// Why the first of them has none.
    let reason: String?

    init(_ resolution: Resolution, column: ColumnID) {
        var cells: [CellEdit] = []
        for change in resolution.changes {
            switch change {
            case .cellsSet(let set):
                cells += set.filter { $0.column == column }
                    .map { CellEdit(row: $0.row, column: .id(column), value: $0.value) }
            case .cellsFilled(column, let rows, let values):
                cells += zip(rows, values).map {
                    CellEdit(row: $0, column: .id(column), value: $1)
                }
            default: continue
            }
        }
        self.cells = cells
        leftOut = resolution.outcome.refused
        reason = resolution.outcome.rejection?.message
    }
}

extension [Column] {
    /// The column of a name that was typed, in any case; nil for none.
    ///
    /// Complexity: linear in the columns.
    func named(_ name: String) -> Column? {
        let folded = simpleCaseFolded(Text(name))
        return first { simpleCaseFolded($0.name) == folded }
    }
}
