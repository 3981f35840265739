// One run of the program: from words to an exit code.
// It knows no command; those are in CommandTable.swift.

/// Runs the command that the words ask for, says what went wrong, and gives the exit code.
func runProgram(_ words: [String]) -> Int32 {
    do {
        switch try ArgumentParser(commands: Command.all).parse(words) {
        case .help(let command):
            let output = Output()
            let text = command.map(Help.page) ?? Help.overview(of: Command.all)
            try output.write(Array(text.utf8))
            try output.finish()
        case .run(let command, let invocation):
            try command.run(invocation)
        }
        return 0
    } catch let failure as CommandFailure {
        if let text = failure.text { talk("roundtable: \(text)") }
        return failure.exitCode
    } catch {
        talk("roundtable: \(error)")
        return 1
    }
}
