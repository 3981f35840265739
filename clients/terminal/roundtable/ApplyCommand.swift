// apply: lines of operations in, one line for each outcome out, many operations in flight.
// A line's form is ApplyLine.swift's business; what comes of it is decided by the server alone.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire
import Transport

extension Command {
    /// Performs operations from a stream.
    static let apply = Command(
        "apply", "performs operations, one JSON object a line; prints one outcome line for each",
        operands: [Operand("TABLE"), Operand("FILE", .optional)],
        options: [
            Option("window", value: "N", "how many operations may be in flight (default 64)")
        ] + connectionOptions,
        details: """
            Without FILE, or with `-`, lines come from standard input. A line is
              {"body":[INTENT,…],"mode":"best"|"strict","pre":[…],"tag":…}
            with intents and preconditions as docs/protocol.md describes them; all but
            `body` may be left out. An insert or append may name its rows:
            {"append":{…},"as":"x"}, or a list of names for several; from then on "$x"
            stands for that row wherever a row can stand.

            For each line comes {"tag":…,"outcome":{…},"seq":…,"rows":[…]}, in the order of
            the lines: `seq` where a record was made, `rows` the ids of the rows it inserted
            without naming ids. Operations survive broken connections and a restart of the
            server, and are applied once. A line that is no operation is answered by an
            outcome with the reason, and the others go on. The exit code is 1 where a line
            was no operation or was rejected. Where the command has to give up, each line
            that is not decided is answered by the status "unknown".
            """
    ) { invocation in
        let window = try invocation.number("window", minimum: 1) ?? 64
        let table = try invocation.openTable(for: .write, patience: .long, window: window)
        let file = invocation.optionalWord("FILE")
        let lines = try InputLines(
            path: file == "-" ? nil : file, on: table.conversation.driver.loop,
            lineBytesMax: WireLimits().lineBytesMax)
        let run = ApplyRun(table: table, lines: lines, window: window)
        try run.run()
        table.conversation.end()
        if let reason = lines.failureReason { throw CommandFailure.local(reason) }
        if run.hasFaults { throw CommandFailure.alreadyTold }
    }
}

/// One run of `apply`.
final class ApplyRun {
    /// A line that was read and whose outcome has not been printed.
    private struct Entry {
        var tag: [UInt8]?
        var rows: [RowID] = []
        /// The line to print; nil while the operation is not decided.
        var answer: [UInt8]?
    }

    private let table: TableAtHand
    private let lines: InputLines
    private let window: Int
    private let output = Output()
    private let limits = WireLimits()
    private var names: [Text: RowID] = [:]
    /// Lines in order, from the number `firstEntry` on.
    private var entries: [Entry] = []
    private var firstEntry = 0
    /// Which entry an operation that is in flight belongs to.
    private var flying: [ClientNumber: Int] = [:]
    /// Entries whose operation the core found too large to send, oldest first.
    private var tooLarge: [Int] = []
    private var lineNumber = 0

    /// True once a line was no operation, or its operation was rejected.
    private(set) var hasFaults = false

    /// Makes a run that has not begun.
    init(table: TableAtHand, lines: InputLines, window: Int) {
        self.table = table
        self.lines = lines
        self.window = window
    }

    /// Reads to the end of the input, and prints an answer for every line.
    func run() throws(CommandFailure) {
        do throws(CommandFailure) {
            while true {
                let hasRoom = try submitLines()
                try printAnswers()
                if lines.isFinished, entries.isEmpty { break }
                let notice = try table.conversation.next {
                    self.output.isWaiting || hasRoom && self.lines.hasNews
                }
                if let notice { take(notice) } else { try output.flush() }
            }
            try output.finish()
        } catch {
            giveUp(error)
            throw error
        }
    }

    // MARK: In

    /// Submits lines until the window is full or no line is there.
    ///
    /// - Returns: true where there is room for more.
    private func submitLines() throws(CommandFailure) -> Bool {
        // Lines that need no operation must not pile up either.
        while flying.count + tooLarge.count < window, entries.count < 4 * window {
            guard let line = lines.next() else { return true }
            lineNumber += 1
            switch line {
            case .tooLong:
                answer(
                    ApplyLineError(
                        code: WireCode.tooLarge.rawValue,
                        message: "the line has more than \(limits.lineBytesMax) bytes"), to: nil)
            case .bytes(let bytes):
                if bytes.allSatisfy({ $0 <= 0x20 }) { continue }
                try submit(bytes)
            }
        }
        return false
    }

    private func submit(_ bytes: [UInt8]) throws(CommandFailure) {
        var line = ApplyLine()
        let pending: ApplyLine.Operation
        do throws(ApplyLineError) {
            try line.read(bytes, limits: limits)
            let operation = try line.operation(known: names, limits: limits) { count in
                table.conversation.driver.perform { client, _, _ in
                    client.makeRowIDs(count, in: table.id)
                }
            }
            names.merge(operation.names) { _, newer in newer }
            pending = operation
        } catch {
            answer(error, to: line.tag)
            return
        }
        try send(pending, tag: line.tag)
    }

    private func send(
        _ operation: ApplyLine.Operation, tag: [UInt8]?
    ) throws(CommandFailure) {
        var op = operation.op
        op.base = table.opened.sequence
        let position = firstEntry + entries.count
        entries.append(Entry(tag: tag, rows: operation.rows))
        let number = try table.conversation.submit(op, to: table.id)
        if number > 0 {
            flying[number] = position
        } else {
            tooLarge.append(position)
        }
    }

    // MARK: Out

    private func take(_ notice: ClientNotice) {
        guard case .decided(table.id, let number, let sequence, let outcome) = notice else {
            return
        }
        let position = number > 0 ? flying.removeValue(forKey: number) : tooLarge.popFirst()
        guard let position, entries.indices.contains(position - firstEntry) else { return }
        if outcome.status == .rejected { hasFaults = true }
        let entry = entries[position - firstEntry]
        entries[position - firstEntry].answer = answerLine(tag: entry.tag) { writer in
            writer.key("outcome")
            writer.outcome(outcome)
            if let sequence {
                writer.key("seq")
                writer.integer(sequence)
            }
            if !entry.rows.isEmpty {
                writer.key("rows")
                writer.rows(entry.rows)
            }
        }
    }

    private func printAnswers() throws(CommandFailure) {
        let count = entries.firstIndex { $0.answer == nil } ?? entries.count
        for entry in entries[..<count] {
            if let answer = entry.answer { try output.write(answer) }
        }
        entries.removeFirst(count)
        firstEntry += count
    }

    /// Notes the answer to a line that is no operation.
    private func answer(_ error: ApplyLineError, to tag: [UInt8]?) {
        hasFaults = true
        let number = lineNumber
        let answer = answerLine(tag: tag) { writer in
            writer.key("outcome")
            writer.beginObject()
            writer.key("status")
            writer.string("rejected")
            writer.key("error")
            writer.beginObject()
            writer.key("code")
            writer.text(error.code)
            writer.key("message")
            writer.text(error.message)
            if let offset = error.offset {
                writer.key("offset")
                writer.integer(offset)
            }
            writer.endObject()
            writer.endObject()
            writer.key("line")
            writer.integer(number)
        }
        entries.append(Entry(tag: tag, answer: answer))
    }

    /// Answers what is not decided, and will not be.
    private func giveUp(_ failure: CommandFailure) {
        for index in entries.indices where entries[index].answer == nil {
            entries[index].answer = answerLine(tag: entries[index].tag) { writer in
                writer.key("outcome")
                writer.beginObject()
                writer.key("status")
                writer.string("unknown")
                writer.endObject()
            }
        }
        // Where standard output is what failed, there is nobody to tell.
        try? printAnswers()
        try? output.finish()
    }

    private func answerLine(tag: [UInt8]?, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var bytes = Array("{".utf8)
        if let tag { bytes += Array("\"tag\":".utf8) + tag + Array(",".utf8) }
        var writer = JSONWriter()
        body(&writer)
        return bytes + writer.bytes + Array("}\n".utf8)
    }
}

extension Array {
    /// Takes the first element; nil where there is none.
    fileprivate mutating func popFirst() -> Element? {
        isEmpty ? nil : removeFirst()
    }
}
