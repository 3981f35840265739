// A bot in ten lines: it logs in, submits one operation without a session, waits for the
// answer and leaves. It has no core of its own; it writes lines and reads lines.
import TableModel
import TableValue
import TableWire

/// One bot's life.
struct RawBot {
    /// Found again in the record of its operation.
    let tag: String
    let link: Int
    private(set) var isDone = false
    /// What it was told; nil until then.
    private(set) var reply: Reply?
    private var collector = LineCollector()

    /// A bot on a link of its own.
    init(tag: String, link: Int) {
        self.tag = tag
        self.link = link
    }

    /// Everything that the bot says, at once.
    static func lines(token: Text, op: SubmittedOp) -> [UInt8] {
        var bytes: [UInt8] = []
        write(
            ClientLine(message: .hello(versions: [1], features: [], client: "bot")), to: &bytes)
        write(ClientLine(message: .login(.token(token))), to: &bytes)
        write(ClientLine(id: 1, message: .op(op)), to: &bytes)
        return bytes
    }

    /// An operation that carries the bot's tag, so that its record can be told from others.
    static func op(
        tag: String, row: RowID?, column: ColumnID, random: inout SeededGenerator
    ) -> Op {
        let value = Value.text(Text(tag))
        guard let row, random.chance(40) else {
            // Strict: without its tag the row could not be told from others.
            let insert = InsertRows(
                rowCount: 1, anchor: row.map(RowAnchor.after) ?? .last, columns: [.id(column)],
                cells: [value])
            return Op(mode: .strict, body: [.insertRows(insert)])
        }
        return Op(body: [.setCells([CellEdit(row: row, column: .id(column), value: value)])])
    }

    /// Bytes that nobody should send.
    static func garbage(_ random: inout SeededGenerator, token: Text?) -> [UInt8] {
        var bytes: [UInt8] = []
        if random.chance(50), let token {
            write(ClientLine(message: .hello(versions: [1], features: [], client: "")), to: &bytes)
            write(ClientLine(message: .login(.token(token))), to: &bytes)
        }
        switch random.below(6) {
        case 0: bytes += (0..<200).map { _ in UInt8(random.below(256)) } + [10]
        case 1: bytes += [UInt8](repeating: UInt8(ascii: "["), count: 3_000) + [10]
        case 2: bytes += [UInt8](repeating: UInt8(ascii: "x"), count: 1_100_000)
        case 3: bytes += Array("{\"type\":\"op\",\"table\":\"t1\",\"body\":[]}\n".utf8)
        case 4: bytes += Array("{\"type\":\"open\",\"type\":\"open\"}\n\n{}\n".utf8)
        default:
            bytes += Array("{\"type\":\"op\",\"table\":\"t1\",\"cseq\":1,\"body\":[]}\n".utf8)
        }
        return bytes
    }

    /// The tag in a record; nil where there is none.
    static func tag(of record: Record) -> String? {
        for change in record.changes {
            var values: [Value] = []
            if case .rowsInserted(let block) = change { values = block.cells }
            if case .cellsSet(let cells) = change { values = cells.map(\.value) }
            for case .text(let text) in values where text.string.hasPrefix("bot ") {
                return text.string
            }
        }
        return nil
    }

    /// Bytes came in.
    mutating func received(_ bytes: [UInt8]) {
        for line in collector.append(bytes) {
            switch try? readServerMessage(line) {
            case .reply(let answer):
                reply = answer
                isDone = true
            case .error, .bye: isDone = true
            default: break
            }
        }
    }

    /// Its connection is gone.
    mutating func disconnected() {
        isDone = true
    }
}
