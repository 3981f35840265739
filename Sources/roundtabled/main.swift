// roundtabled: chooses the parts of a server, starts it, stops it, and asks it for invites.
// It decides nothing else; the commands are in Commands.swift.
import Foundation
import SQLiteStore
import ServerRuntime
import TableServer
import TableWire
import Transport

/// The version of this program.
let programVersion = "0.1.0"

/// Nothing that the server makes is for others to read.
umask(0o077)

func complain(_ text: String) {
    FileHandle.standardError.write(Data("roundtabled: \(text)\n".utf8))
}

var words = Array(CommandLine.arguments.dropFirst())
let command: Command
switch words.first {
case nil:
    command = .serve
case let word? where word.hasPrefix("-"):
    if ["--help", "-h"].contains(word) {
        print(Command.overview, terminator: "")
        exit(0)
    }
    if word == "--version" {
        print("roundtabled \(programVersion)")
        exit(0)
    }
    command = .serve
case let word?:
    words.removeFirst()
    if word == "help" {
        print(words.first.flatMap(Command.init)?.help ?? Command.overview, terminator: "")
        exit(0)
    }
    guard let named = Command(rawValue: word) else {
        complain("there is no command \(word); see roundtabled --help")
        exit(2)
    }
    command = named
}

do throws(UsageError) {
    let options = try Options(words, of: command)
    if options.wantsHelp {
        print(command.help, terminator: "")
        exit(0)
    }
    switch command {
    case .serve: exit(try serve(options))
    case .invite: exit(try makeInvite(options))
    case .token: exit(try makeToken(options))
    case .config: exit(try printSettings(options))
    case .version:
        let libraries = "\(cryptographyVersion), SQLite \(SQLiteStore.libraryVersion.text)"
        print("roundtabled \(programVersion) (\(libraries))")
        exit(0)
    }
} catch {
    complain("\(error.description); see roundtabled \(command.rawValue) --help")
    exit(2)
}
