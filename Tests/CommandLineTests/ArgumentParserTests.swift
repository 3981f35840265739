// From the words of a command line to a command with its operands and options.
import Testing

@testable import roundtable

private func parse(_ words: String...) throws -> (String, Invocation) {
    guard
        case .run(let command, let invocation) = try ArgumentParser(commands: Command.all)
            .parse(words)
    else { throw CommandFailure.words("help was asked for") }
    return (command.name, invocation)
}

@Test("operands and options come in any order")
func orderOfWords() throws {
    let (name, invocation) = try parse("set", "t", "--if-version", "7", "#1", "qty", "-5")
    #expect(name == "set")
    #expect(invocation.word("TABLE") == "t")
    #expect(invocation.word("ROW") == "#1")
    #expect(invocation.word("COLUMN") == "qty")
    #expect(invocation.optionalWord("VALUE") == "-5")
    #expect(try invocation.number("if-version", minimum: 0) == 7)
    #expect(!invocation.has("json"))
}

@Test("an option's value may stand behind an equals sign, also an empty one")
func equalsSign() throws {
    let (_, invocation) = try parse("set", "t", "r", "c", "v", "--if-value=", "--json")
    #expect(invocation.value("if-value") == "")
    #expect(invocation.has("json"))
}

@Test("behind -- every word is an operand")
func onlyOperands() throws {
    let (_, invocation) = try parse("set", "--json", "--", "t", "r", "c", "--json")
    #expect(invocation.optionalWord("VALUE") == "--json")
}

@Test("commands of a family have two words")
func families() throws {
    let (name, invocation) = try parse("column", "add", "t", "Due", "date")
    #expect(name == "column add")
    #expect(invocation.word("TYPE") == "date")
}

@Test(
    "wrong words end with exit code 2 and say what is wrong",
    arguments: [
        ([], "which command"), (["nonsense"], "no command `nonsense`"),
        (["column"], "needs one of"),
        (["column", "paint"], "needs one of"), (["get", "t"], "ROW is missing"),
        (["get", "t", "r", "c", "d"], "too many words"),
        (["get", "t", "r", "--nose"], "no option"),
        (["set", "t", "r", "c", "v", "--if-value"], "needs a value"),
        (["get", "t", "r", "--json=yes"], "takes no value"),
        (["get", "t", "r", "--json", "--json"], "given once"), (["delete", "t"], "ROW is missing"),
    ])
func wrongWords(words: [String], expected: String) {
    let failure = #expect(throws: CommandFailure.self) {
        try ArgumentParser(commands: Command.all).parse(words)
    }
    #expect(failure?.exitCode == 2)
    #expect(failure?.text?.contains(expected) == true, "\(failure?.text ?? "nothing")")
}

@Test("every command explains itself", arguments: Command.all.map(\.name))
func helpOfEach(name: String) throws {
    let words = name.split(separator: " ").map(String.init)
    for request in [words + ["--help"], ["help"] + words] {
        guard name != "help" else { continue }
        guard case .help(let command?) = try ArgumentParser(commands: Command.all).parse(request)
        else {
            Issue.record("\(request) is no help")
            continue
        }
        let page = Help.page(for: command)
        #expect(page.hasPrefix("roundtable \(name)"))
        for option in command.options { #expect(page.contains("--\(option.name)")) }
        for operand in command.operands { #expect(page.contains(operand.name)) }
    }
    #expect(Help.overview(of: Command.all).contains("\n  \(name) "))
}

@Test("no two commands have one name, no two options of a command")
func namesAreUnique() {
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
    for command in Command.all {
        #expect(Set(command.options.map(\.name)).count == command.options.count, "\(command.name)")
    }
}

@Test("a number is a whole number of at least the minimum", arguments: ["", "x", "1.5", "-1", "0"])
func numbers(text: String) {
    var invocation = Invocation()
    invocation.options["n"] = [text]
    #expect(throws: CommandFailure.self) { try invocation.number("n", minimum: 1) }
}
