// Help, made from the table of commands.
// It has no sentence of its own about a command, so that none can be out of date.

/// Writes help for the program and for each command.
enum Help {
    /// What `roundtable help` prints.
    static func overview(of commands: [Command]) -> String {
        var text = """
            roundtable: shared typed tables from the command line

            usage: roundtable COMMAND …

            """
        let width = commands.map(\.name.count).max() ?? 0
        for command in commands {
            let padding = String(repeating: " ", count: width - command.name.count)
            text += "\n  \(command.name)\(padding)  \(command.summary)"
        }
        text += """


            TABLE is a table's name on the default server, or HOST:PORT/TABLE.
            ROW is a row id such as s12.4071, or #N for the row now at position N (1 is the first).
            COLUMN is a column's name, or its id such as c12.3.

            Exit codes: 0 done, 1 refused, 2 the words are wrong, 3 the server cannot be reached.
            `roundtable help COMMAND` says more about one command.

            """
        return text
    }

    /// What `roundtable help COMMAND` prints.
    static func page(for command: Command) -> String {
        var text = "\(command.usage)\n\n\(command.summary)\n"
        if !command.details.isEmpty { text += "\n\(command.details)\n" }
        guard !command.options.isEmpty else { return text }
        text += "\nOptions:\n"
        let width = command.options.map(\.usage.count).max() ?? 0
        for option in command.options {
            let padding = String(repeating: " ", count: width - option.usage.count)
            text += "  \(option.usage)\(padding)  \(option.help)\n"
        }
        return text
    }
}
