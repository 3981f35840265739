// What a command is: its name, its words, its options and what it does. Help and parsing are
// both made from this, so that they cannot disagree. The commands are in CommandTable.swift.

/// A word that a command expects at a place.
struct Operand: Sendable {
    /// How often the word may come.
    enum Arity: Sendable {
        case one, optional, oneOrMore, zeroOrMore
    }

    let name: String
    let arity: Arity

    init(_ name: String, _ arity: Arity = .one) {
        self.name = name
        self.arity = arity
    }

    /// The operand as a usage line shows it.
    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)…"
        case .zeroOrMore: "[\(name) …]"
        }
    }
}

/// An option that a command understands, written `--name` or `--name VALUE`.
struct Option: Sendable {
    let name: String
    /// What the value is called in help; nil for an option without one.
    let value: String?
    let help: String
    let isRepeatable: Bool

    init(_ name: String, value: String? = nil, isRepeatable: Bool = false, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
        self.isRepeatable = isRepeatable
    }

    /// The option as help shows it.
    var usage: String {
        if let value { "--\(name) \(value)" } else { "--\(name)" }
    }
}

/// One command of the program.
struct Command: Sendable {
    /// One word, or two for a command of a family: `column add`.
    let name: String
    /// One line that completes "this command …".
    let summary: String
    let operands: [Operand]
    let options: [Option]
    /// Further lines of help.
    let details: String
    /// Performs the command with its words and options.
    let run: @Sendable (Invocation) throws -> Void

    init(
        _ name: String, _ summary: String, operands: [Operand] = [], options: [Option] = [],
        details: String = "", run: @escaping @Sendable (Invocation) throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.details = details
        self.run = run
    }

    /// The line that shows how the command is written.
    var usage: String {
        var words = ["roundtable", name]
        words += operands.map(\.usage)
        words += options.map { "[\($0.usage)]" + ($0.isRepeatable ? "…" : "") }
        return words.joined(separator: " ")
    }
}

/// A command as it was called: its words and options, already checked against its table entry.
struct Invocation: Sendable {
    /// The words for each operand, by its name.
    var words: [String: [String]] = [:]
    /// The values of each option that was given, by its name; one empty value for an option
    /// without any.
    var options: [String: [String]] = [:]

    /// The word of an operand that must be there; empty where the table does not name it.
    func word(_ operand: String) -> String {
        words[operand]?.first ?? ""
    }

    /// The word of an operand that may be absent.
    func optionalWord(_ operand: String) -> String? {
        words[operand]?.first
    }

    /// All words of an operand.
    func allWords(_ operand: String) -> [String] {
        words[operand] ?? []
    }

    /// True where the option was given.
    func has(_ option: String) -> Bool {
        options[option] != nil
    }

    /// The option's value where it was given.
    func value(_ option: String) -> String? {
        options[option]?.last
    }

    /// All values of a repeatable option.
    func values(_ option: String) -> [String] {
        options[option] ?? []
    }

    /// The option's value as a number of at least `minimum`.
    func number(_ option: String, minimum: Int) throws(CommandFailure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), number >= minimum else {
            throw .words("--\(option) needs a whole number of at least \(minimum)")
        }
        return number
    }
}
