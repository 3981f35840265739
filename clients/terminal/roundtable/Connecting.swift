// How commands find their server and table: known servers, the one that was named, and the table
// on it.
import ClientRuntime
import TableClient
import TableFiles
import TableModel
import TableValue
import TableWire
import Transport

/// The options of every command that talks to a server.
let connectionOptions = [
    Option(
        "wait", value: "SECONDS",
        "how long to go on trying where the server cannot be reached")
]

/// A table that a command has opened.
struct TableAtHand {
    let conversation: Conversation
    let opened: Opened

    var id: TableID { opened.table }
    var columns: [Column] { opened.columns }
}

/// How a command wants its table.
enum TableUse {
    /// Its columns, to read single cells or ask questions.
    case look
    /// To change it, without its rows.
    case write
    /// All its rows, as of one moment.
    case copy
}

extension Invocation {
    /// Starts a conversation with a server that was joined.
    func converse(
        with address: HostPort?, patience: Patience = .short, window: Int = 64
    ) throws(CommandFailure) -> Conversation {
        let known: KnownServers
        do {
            known = try KnownServers.load(from: ClientHome.folder())
        } catch {
            throw .local(error.reason)
        }
        guard let server = known.server(at: address) else {
            throw .words(
                address.map { "\($0) was not joined; ask there for an invite" }
                    ?? "no server was joined yet: roundtable join INVITE")
        }
        guard let pin = bytes(hexadecimal: server.pin) else {
            throw .local("the fingerprint kept for \(server.address) is damaged; join again")
        }
        return try Conversation(
            server: server.address, pin: pin, credential: .token(server.token),
            patience: patience, invocation: self, window: window)
    }

    /// Opens the table that the operand TABLE names.
    func openTable(
        for use: TableUse, patience: Patience = .short, window: Int = 64
    ) throws(CommandFailure) -> TableAtHand {
        let target = try TableTarget(word("TABLE"))
        let conversation = try converse(
            with: target.server, patience: patience, window: window)
        var request = OpenRequest.looking(at: target.table)
        request.write = use == .write
        if use == .copy {
            request.follow = true
            request.start = .snapshot
        }
        let opened = try conversation.open(request)
        return TableAtHand(conversation: conversation, opened: opened)
    }
}

extension OpenRequest {
    /// Opens a table for its columns, and to ask about it.
    static func looking(at table: TableReference) -> OpenRequest {
        var request = OpenRequest(table: table)
        request.write = false
        request.follow = false
        request.start = .head
        return request
    }
}

extension TableAtHand {
    /// The column that a word names.
    func column(_ word: String) throws(CommandFailure) -> Column {
        try columns.column(Text(word))
    }

    /// The ids of the rows that words name, all as of one moment for each position.
    func rows(_ words: [String]) throws(CommandFailure) -> [RowID] {
        var rows: [RowID] = []
        for word in words { rows.append(try row(word)) }
        return rows
    }

    /// The id of the row that a word names.
    func row(_ word: String) throws(CommandFailure) -> RowID {
        switch try RowWord(word) {
        case .id(let row): return row
        case .position(let position):
            let answer = try read(.positions(from: position, count: 1), columns: [columns.first])
            guard let row = answer.rows.first else {
                throw .refused(
                    code: Rejection.Code.unknownRow.rawValue,
                    message: "there is no row \(word); the table has "
                        + counted(answer.total, "row"))
            }
            return row
        }
    }

    /// Reads cells; all columns where `columns` names none.
    func read(
        _ range: ReadRange, columns: [Column?] = [], versions: Bool = false
    ) throws(CommandFailure) -> RowsAnswer {
        let request = ReadRequest(
            table: .id(id), range: range, columns: columns.compactMap { $0.map { .id($0.id) } },
            versions: versions)
        guard case .rows(let answer) = try conversation.ask(.read(request)) else {
            throw .unexpectedAnswer
        }
        return answer
    }
}

extension CommandFailure {
    /// The server answered a question with something else.
    static let unexpectedAnswer = CommandFailure.refused(
        code: WireCode.internalError.rawValue, message: "the server answered something else")
}

/// The bytes of hexadecimal digits; nil where the text is something else.
func bytes(hexadecimal text: Text) -> [UInt8]? {
    let digits = text.string.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = digits[index], let low = digits[index + 1] else { return nil }
        bytes.append(UInt8(high << 4 | low))
    }
    return bytes
}
