// What `watch` prints: the records of a table with the names of their authors, in order.
// A record waits until the server has said what its author is called; nobody is asked for twice.
import ClientRuntime
import TableClient
import TableModel
import TableValue
import TableWire

/// Follows one table and prints its records.
struct Watcher {
    private let table: TableID
    private let conversation: Conversation
    private let output = Output()
    /// The number of the last record that has come.
    private var last: SequenceNumber
    /// Records that wait for the name of an author.
    private var waiting: [Record] = []
    /// What users are called, by their ids; nil for those of whom the server knows no name.
    private var names: [Text: Text?] = [:]
    /// The question that has no answer yet, and whom it is about.
    private var question: (id: RequestID, users: [Text])?

    /// Begins behind the record of a number.
    init(table: TableID, conversation: Conversation, after last: SequenceNumber) {
        self.table = table
        self.conversation = conversation
        self.last = last
    }

    /// Prints records as they come, until there were `limit` of them.
    mutating func printRecords(_ limit: Int) throws(CommandFailure) {
        var count = 0
        while count < limit {
            guard let notice = try conversation.next(orUntil: { output.isWaiting }) else {
                try output.flush()
                continue
            }
            try take(notice)
            let known = waiting.prefix(limit - count).prefix { names[$0.user] != nil }
            for record in known {
                try output.write(line(of: record, by: names[record.user] ?? nil))
            }
            count += known.count
            waiting.removeFirst(known.count)
            askForNames()
        }
        try output.finish()
    }

    private mutating func take(_ notice: ClientNotice) throws(CommandFailure) {
        switch notice {
        case .applied(table, let record, _) where record.sequence > last:
            if record.sequence > last + 1 {
                talk("records \(last + 1) to \(record.sequence - 1) are no longer kept")
            }
            last = record.sequence
            waiting.append(record)
        case .renamed(_, let name):
            try output.write(lineOfRename(to: name))
        case .answered(let id, let answer) where id == question?.id:
            let users = question?.users ?? []
            question = nil
            switch answer {
            case .users(let known):
                // Whoever is not named has no name.
                for user in users { names[user] = .some(nil) }
                for user in known { names[user.user] = user.name }
            case .error(let error) where error.code == .internalError: break  // asked again
            default: for user in users { names[user] = .some(nil) }
            }
        default: break
        }
    }

    /// The message that says so, as the server sends it.
    private func lineOfRename(to name: Text) -> [UInt8] {
        var line: [UInt8] = []
        write(ServerLine(message: .renamed(table, name: name)), to: &line)
        return line
    }

    private mutating func askForNames() {
        guard question == nil else { return }
        var users: [Text] = []
        for record in waiting where names[record.user] == nil && !users.contains(record.user) {
            users.append(record.user)
            if users.count == Self.usersPerQuestionMax { break }
        }
        guard !users.isEmpty else { return }
        let id = conversation.driver.perform { $0.request(.users(users), at: $1, into: &$2) }
        question = (id, users)
    }

    /// As few as keep the search above cheap, well below what the server answers at once.
    private static let usersPerQuestionMax = 100

    /// A record as a line of JSON, with the name of its author.
    private func line(of record: Record, by name: Text?) -> [UInt8] {
        var line: [UInt8] = []
        writeRecordLine(record, table: table, to: &line)
        guard let name, line.suffix(2) == [UInt8(ascii: "}"), UInt8(ascii: "\n")] else {
            return line
        }
        line.removeLast(2)
        var writer = JSONWriter()
        writer.text(name)
        return line + ",\"name\":".utf8 + writer.bytes + "}\n".utf8
    }
}
