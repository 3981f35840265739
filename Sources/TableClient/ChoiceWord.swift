// A word with choices behind it in brackets, `state(open|done)`: how people write the choices of
// a column, on the command line and in the terminal client. Whether they suit the server says.
import TableModel
package import TableValue

/// A word, with a list of choices in brackets behind it or without.
package struct ChoiceWord: Hashable, Sendable {
    /// What stands before the brackets.
    package let word: Text
    /// What stands between them, cut at each `|`, without spaces around; nil without brackets.
    package let choices: [Text]?

    /// Reads `state` or `state(open|done)`.
    ///
    /// Complexity: linear in the text.
    package init(_ text: some StringProtocol) {
        guard let bracket = text.firstIndex(of: "("), text.last == ")" else {
            word = Text(String(text))
            choices = nil
            return
        }
        word = Text(String(trimmed(text[..<bracket])))
        choices = ChoiceWord.choices(text[text.index(after: bracket)...].dropLast())
    }

    /// The choices of `open|done`.
    ///
    /// Complexity: linear in the text.
    package static func choices(_ list: some StringProtocol) -> [Text] {
        list.split(separator: "|").map { Text(String(trimmed($0))) }
    }

    /// The rules that a column of these choices has, as an operation takes them.
    package var rules: JSONTree {
        ColumnRules(choices: choices ?? []).tree
    }
}

/// The text without spaces at its ends.
private func trimmed<Part: StringProtocol>(_ text: Part) -> Part.SubSequence {
    let start = text.firstIndex { $0 != " " } ?? text.endIndex
    let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.endIndex
    return start < end ? text[start..<end] : text[text.endIndex...]
}
