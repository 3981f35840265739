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

/// The options that each give one rule, and the rules they give.
private let ruleOptions: [(option: String, rule: String, form: RuleForm)] = [
    ("choices", "choices", .choices), ("add-choices", "choices_added", .choices),
    ("min", "min", .value), ("max", "max", .value), ("length-min", "length_min", .number),
    ("length-max", "length_max", .number), ("pattern", "pattern", .text),
    ("required", "required", .flag), ("unique", "unique", .flag), ("default", "default", .value),
    ("default-by", "default_by", .text), ("check", "check", .text),
    ("computed", "computed", .text),
]

/// How the command line spells what a rule says.
private enum RuleForm {
    case choices, value, number, text, flag
}

extension Command {
    /// Changes rules of a column.
    static let columnRule = Command(
        "column rule", "changes what a column asks of its cells",
        operands: [Operand("TABLE"), Operand("COLUMN")],
        options: [
            Option("choices", value: "A|B", "a choice column takes these, and no others"),
            Option("add-choices", value: "A|B", "it takes these too"),
            Option("min", value: "VALUE", "the least number, date or datetime"),
            Option("max", value: "VALUE", "the largest"),
            Option("length-min", value: "N", "the fewest characters of a text, items of a list"),
            Option("length-max", value: "N", "the most"),
            Option("pattern", value: "PATTERN", "the whole text matches it (docs/expressions.md)"),
            Option("required", "no cell is empty"),
            Option("unique", "no two rows have the same value; empty cells do not count"),
            Option("default", value: "VALUE", "what a new row has where nothing is given"),
            Option("default-by", value: "WHAT", "the same: now, author, or sequence (1, 2, 3 …)"),
            Option("check", value: "EXPRESSION", "each row keeps it, such as 'start <= end'"),
            Option("computed", value: "EXPRESSION", "the cells are this: 'price * qty'"),
            Option(
                "without", value: "RULE", isRepeatable: true,
                "takes a rule away, such as min or length_max"),
            Option(
                "rules", value: "JSON",
                "rules as in docs/protocol.md: {\"choices\":[\"a\"]}; null takes one away"),
            jsonOption,
        ] + connectionOptions,
        details: """
            Rules that rows break are refused; the first of them are named. The rules that are
            not named stay as they are. Expressions are those of docs/expressions.md.
            """
    ) { invocation in
        var members = try givenRules(invocation)
        for rule in invocation.values("without") {
            members.append(JSONMember(key: Text(rule), value: .null))
        }
        let given = ruleOptions.filter { invocation.has($0.option) }
        guard !members.isEmpty || !given.isEmpty else {
            throw CommandFailure.words("column rule needs a rule, such as --required or --max 10")
        }
        let table = try invocation.openTable(for: .write)
        let column = try table.column(invocation.word("COLUMN"))
        for (option, rule, form) in given {
            let value = try ruleValue(
                invocation.value(option) ?? "", of: "--" + option, form, for: column.type)
            members.append(JSONMember(key: Text(rule), value: value))
        }
        guard Set(members.map(\.key)).count == members.count else {
            throw CommandFailure.words("column rule takes each rule once")
        }
        try perform(.changeRules(.id(column.id), .object(members)), invocation, in: table)
    }
}

/// The members of `--rules`.
private func givenRules(_ invocation: Invocation) throws(CommandFailure) -> [JSONMember] {
    guard let word = invocation.value("rules") else { return [] }
    guard case .object(let members) = try ruleTree(word, of: "--rules") else {
        throw .words("--rules is a JSON object")
    }
    return members
}

private func ruleTree(_ word: String, of option: String) throws(CommandFailure) -> JSONTree {
    do {
        return try readJSONTree(word.utf8.span)
    } catch {
        throw .words("\(option) is no JSON: \(error.reason)")
    }
}

/// What an option's word says, as the rule has it; whether it suits the column, the server says.
private func ruleValue(
    _ word: String, of option: String, _ form: RuleForm, for type: ColumnType
) throws(CommandFailure) -> JSONTree {
    switch form {
    case .choices: return choices(word)
    case .flag: return .bool(true)
    case .text: return .text(Text(word))
    case .number:
        guard let number = Int64(word) else { throw .words("\(option) is a number") }
        return .int(number)
    case .value:
        switch type {
        case .list, .json: return try ruleTree(word, of: option)
        case .bool where word == "true" || word == "false": return .bool(word == "true")
        default: return .text(Text(word))
        }
    }
}
