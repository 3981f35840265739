// What people and bots have in common at one table: a bot in Python that takes orders, and a real
// table of the public suites. Nothing here checks anything.
import Foundation
import Testing

/// A bot of clients/python that does as it is told, a line at a time.
final class PythonBot {
    private let pipe: NamedPipe
    private let program: RunningProgram
    private var answers = 0

    private static let script = """
        import json, sys
        from roundtable import Bot
        with Bot.load(sys.argv[1]) as bot:
            table = bot.open(sys.argv[2])
            for line in open(sys.argv[3]):
                verb, *words = json.loads(line)
                if verb == "set":
                    table.set(table.at(words[0]), words[1], words[2])
                    print(json.dumps(table.seq), flush=True)
                elif verb == "hash":
                    table.wait_for(words[0])
                    table.verify()
                    print(json.dumps([table.seq, table.content_hash()]), flush=True)
        """

    init(_ stage: Stage, table: String) throws {
        let workplace = stage.workplace
        let made = try workplace.start(
            "roundtabled",
            [
                "token", "--data", workplace.file("data"), "--bot", "robin", "--role", "editor",
                "--file", workplace.file("bot.json"),
            ]
        ).finish()
        #expect(made.code == 0, "\(made.errors)")
        pipe = try NamedPipe(workplace.file("orders"))
        let script = try workplace.write(Self.script, to: "bot.py")
        program = try workplace.startPython(
            [script, workplace.file("bot.json"), table, workplace.file("orders")])
    }

    /// Gives an order and waits for the answer.
    func order(_ words: String) throws -> String {
        try pipe.write(words + "\n")
        answers += 1
        try wait(until: "the bot has done \(words)") {
            guard program.process.isRunning else {
                throw WorkplaceError("the bot ended: \(program.errors)")
            }
            return program.output.split(separator: "\n").count >= answers
        }
        return String(program.output.split(separator: "\n")[answers - 1])
    }
}

/// flights.csv of the public suites.
enum Flights {
    private static let archive: String = {
        let suites =
            ProcessInfo.processInfo.environment["ROUNDTABLE_SUITES"]
            ?? Workplace.project + "/../shared/data"
        return suites + "/real/flights.csv.zip"
    }()

    static let areThere = FileManager.default.fileExists(atPath: archive)

    /// The path of a file with the header and the first rows.
    static func first(_ rowCount: Int, in workplace: Workplace) throws -> String {
        let path = workplace.file("flights.csv")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "unzip -p '\(archive)' | head -n \(rowCount + 1) >'\(path)'"]
        try process.run()
        process.waitUntilExit()
        return path
    }
}
