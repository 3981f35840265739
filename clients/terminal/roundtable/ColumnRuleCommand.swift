// column rule, and how a type with its choices is written on the command line. Whether the rules
// suit the column is for the server to say.
import ClientRuntime
import TableClient
import TableModel
import TableValue

/// A column's type with the rules that belong to it, as a word of a command has them.
struct TypeWord {
    let type: ColumnType
    let rules: JSONTree

    /// Reads `int`, or `choice(open|done)`.
    init(_ word: some StringProtocol) throws(CommandFailure) {
        let written = ChoiceWord(word)
        type = try columnType(written.word.string)
        rules = written.rules
        guard written.choices == nil || type == .choice else {
            throw .words("only the type choice has a list in brackets: choice(open|done)")
        }
    }
}

/// The choices of `open|done`.
private func choices(_ list: String) -> JSONTree {
    .list(ChoiceWord.choices(list).map { .text($0) })
}

extension Command {
    /// Changes rules of a column.
    static let columnRule = Command(
        "column rule", "changes what a column asks of its cells",
        operands: [Operand("TABLE"), Operand("COLUMN")],
        options: [
            Option("choices", value: "A|B", "a choice column takes these, and no others"),
            Option("add-choices", value: "A|B", "it takes these too"),
            Option(
                "rules", value: "JSON",
                "rules as in docs/protocol.md: {\"choices\":[\"a\"]}; null takes one away"),
            jsonOption,
        ] + connectionOptions,
        details: "Rules that rows break are refused; the first of them are named."
    ) { invocation in
        var members: [JSONMember] = []
        if let word = invocation.value("rules") {
            do {
                guard case .object(let given) = try readJSONTree(word.utf8.span) else {
                    throw CommandFailure.words("--rules is a JSON object")
                }
                members = given
            } catch let fault as JSONFault {
                throw CommandFailure.words("--rules is no JSON: \(fault.reason)")
            }
        }
        if let list = invocation.value("choices") {
            members.append(JSONMember(key: "choices", value: choices(list)))
        }
        if let list = invocation.value("add-choices") {
            members.append(JSONMember(key: "choices_added", value: choices(list)))
        }
        guard !members.isEmpty, Set(members.map(\.key)).count == members.count else {
            throw CommandFailure.words(
                "column rule needs each rule once: --choices, --add-choices or --rules")
        }
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        try perform(.changeRules(.id(column.id), .object(members)), invocation, in: table)
    }
}
