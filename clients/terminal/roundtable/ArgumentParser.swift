// Sorts the words of a command line into a command, its operands and its options.
// It knows only what the table of commands says, and opens nothing.

/// What a command line asks for.
enum Request: Sendable {
    case run(Command, Invocation)
    /// Help for one command, or for the program where it is nil.
    case help(Command?)
}

/// Reads command lines against a table of commands.
struct ArgumentParser: Sendable {
    let commands: [Command]

    /// Finds the command that `arguments` (without the program's name) ask for.
    func parse(_ arguments: [String]) throws(CommandFailure) -> Request {
        guard let first = arguments.first else {
            throw .words("which command? `roundtable help` lists them")
        }
        if first == "--help" || first == "-h" { return .help(nil) }
        if first == "--version" { return try parse(["version"]) }
        if first == "help" { return .help(try commandToExplain(Array(arguments.dropFirst()))) }
        let (command, rest) = try find(arguments)
        return try parse(rest, for: command)
    }

    /// The command that the first word, or the first two, name, and the words after it.
    private func find(
        _ arguments: [String]
    ) throws(CommandFailure) -> (Command, ArraySlice<String>) {
        let first = arguments[0]
        if arguments.count >= 2 {
            let pair = first + " " + arguments[1]
            if let command = commands.first(where: { $0.name == pair }) {
                return (command, arguments.dropFirst(2))
            }
        }
        if let command = commands.first(where: { $0.name == first }) {
            return (command, arguments.dropFirst())
        }
        let family = commands.filter { $0.name.hasPrefix(first + " ") }.map(\.name)
        if !family.isEmpty {
            throw .words("`\(first)` needs one of: \(family.joined(separator: ", "))")
        }
        throw .words("there is no command `\(first)`; `roundtable help` lists them")
    }

    private func commandToExplain(_ words: [String]) throws(CommandFailure) -> Command? {
        guard !words.isEmpty else { return nil }
        if words == ["--help"] || words == ["-h"] { return try find(["help"]).0 }
        let (command, rest) = try find(words)
        guard rest.isEmpty else { throw .words("help takes the name of one command") }
        return command
    }

    private func parse(
        _ words: ArraySlice<String>, for command: Command
    ) throws(CommandFailure) -> Request {
        var invocation = Invocation()
        var operands: [String] = []
        var index = words.startIndex
        var onlyOperands = false
        while index < words.endIndex {
            let word = words[index]
            index += 1
            guard !onlyOperands, isOption(word) else {
                operands.append(word)
                continue
            }
            if word == "--" {
                onlyOperands = true
                continue
            }
            if word == "--help" || word == "-h" { return .help(command) }
            let next = index < words.endIndex ? words[index] : nil
            if try take(word, next: next, for: command, into: &invocation) { index += 1 }
        }
        invocation.words = try assign(operands, for: command)
        return .run(command, invocation)
    }

    /// True for `--name`, `--name=value`, `--` and `-h`; a minus with anything else behind it is
    /// an operand, so that negative numbers need no care.
    private func isOption(_ word: String) -> Bool {
        word == "-h" || word.hasPrefix("--")
    }

    /// Notes an option; true where it took the next word as its value.
    private func take(
        _ word: String, next: String?, for command: Command, into invocation: inout Invocation
    ) throws(CommandFailure) -> Bool {
        let body = word.dropFirst(2)
        let equals = body.firstIndex(of: "=")
        let name = String(body[..<(equals ?? body.endIndex)])
        guard let option = command.options.first(where: { $0.name == name }) else {
            throw .words(
                "`\(command.name)` has no option --\(name); put -- before a word that begins so")
        }
        guard option.isRepeatable || invocation.options[name] == nil else {
            throw .words("--\(name) may be given once")
        }
        guard let valueName = option.value else {
            guard equals == nil else { throw .words("--\(name) takes no value") }
            invocation.options[name] = [""]
            return false
        }
        if let equals {
            let value = String(body[body.index(after: equals)...])
            invocation.options[name, default: []].append(value)
            return false
        }
        guard let next else { throw .words("--\(name) needs a value: --\(name) \(valueName)") }
        invocation.options[name, default: []].append(next)
        return true
    }

    private func assign(
        _ words: [String], for command: Command
    ) throws(CommandFailure) -> [String: [String]] {
        var assigned: [String: [String]] = [:]
        var rest = words[...]
        for operand in command.operands {
            switch operand.arity {
            case .one:
                guard let word = rest.popFirst() else {
                    throw .words("\(operand.name) is missing: \(command.usage)")
                }
                assigned[operand.name] = [word]
            case .optional:
                if let word = rest.popFirst() { assigned[operand.name] = [word] }
            case .oneOrMore, .zeroOrMore:
                if rest.isEmpty, case .oneOrMore = operand.arity {
                    throw .words("\(operand.name) is missing: \(command.usage)")
                }
                assigned[operand.name] = Array(rest)
                rest = []
            }
        }
        guard rest.isEmpty else {
            throw .words("too many words: \(command.usage)")
        }
        return assigned
    }
}
