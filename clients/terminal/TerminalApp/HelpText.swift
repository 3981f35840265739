// The help page and the guide's table of keys, made from the list of commands.
// A command that is not in CommandList.swift is not explained, and the other way round.

/// One line of the help page.
enum HelpLine: Hashable, Sendable {
    case group(CommandGroup)
    case command(AppCommand)
    case note(String)
}

/// The help page.
enum HelpText {
    /// Every command once, under its group.
    static let lines: [HelpLine] =
        CommandGroup.allCases.flatMap { group in
            [HelpLine.group(group)]
                + CommandEntry.all.filter { $0.group == group }.map { .command($0.command) }
        } + notes.map(HelpLine.note)

    private static let notes = [
        "",
        "In the editor: Enter takes the text, Esc drops it, Tab and Shift-Tab take it and",
        "edit the next cell; Ctrl-N makes the cell null, Alt-Enter breaks the line. Dates",
        "and numbers step with Up and Down, choices are found by typing. Where somebody else",
        "changes the cell meanwhile, Enter keeps your text, Ctrl-T takes theirs, Esc drops",
        "yours. F8 lists the messages there too.",
        "",
        "With the mouse: a click selects, a click on a cell of that row edits it; drag cells,",
        "row numbers, column names and column edges; right click for the menu. Hold Shift",
        "(Option on macOS) to select text as the terminal does.",
    ]

    /// The keys of a command, for people.
    static func keys(_ command: AppCommand, _ preset: KeyPreset) -> String {
        command.entry.keys(in: preset).joined(separator: "  ")
    }

    /// The guide's tables of commands and keys, as Markdown.
    static var guide: String {
        var text = ""
        for group in CommandGroup.allCases {
            text += text.isEmpty ? "" : "\n"
            text += "### \(group.rawValue)\n\n"
            text += "| command | keys (default) | keys (vim) | what it does |\n|---|---|---|---|\n"
            for entry in CommandEntry.all where entry.group == group {
                let standard = entry.standardKeys.map(quoted).joined(separator: " ")
                let vim = entry.vimKeys.map(quoted).joined(separator: " ")
                text += "| \(entry.command.name) | \(standard) | \(vim) | \(entry.help) |\n"
            }
        }
        return text
    }

    private static func quoted(_ keys: String) -> String { "`\(keys)`" }
}
