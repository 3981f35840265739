// The commands, in the order in which help lists them. One command, one entry.
// What a command does stands in the file of its family; its words are read by ArgumentParser.swift.
import ClientRuntime

/// The version of this program.
let programVersion = "0.1.0"

extension Command {
    /// Every command of the program.
    static let all: [Command] = [
        join, list, new, rename, copy, drop, undrop, importFile, export, open, show,
        get, set, add, minimum, maximum, appendText, listAdd, listRemove,
        insert, append, upsert, duplicate, delete, move, appendTable,
        sort, transform, clear, truncate,
        columnAdd, columnRename, columnRetype, columnDuplicate, columnSet, columnMove, columnRule,
        columnDelete,
        claim, renew, release,
        commentAdd, commentList, commentEdit, commentResolve, commentReopen, commentDelete,
        undo, redo, history, diff, restore,
        apply, watch, hash, who,
        version, help,
    ]

    private static let version = Command("version", "prints the version") { _ in
        let output = Output()
        try output.line("roundtable \(programVersion)")
        try output.finish()
    }

    /// Only for the list: the parser answers this one itself.
    private static let help = Command(
        "help", "prints this list, or all about one command",
        operands: [Operand("COMMAND", .zeroOrMore)]
    ) { _ in }
}
