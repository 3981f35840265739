// Lines from a file or a pipe, read by a thread of their own so that waiting for input never
// keeps the connection waiting. At most a few pieces are read ahead.
import ClientRuntime
import Transport

/// What the reading thread sends.
private enum InputPiece: Sendable {
    case bytes([UInt8])
    case failed(LocalFileError)
    case end
}

/// Lines as they come, for the thread of a loop.
final class InputLines {
    private let credits: Mailbox<Int>
    private var reader: MailboxReader?
    private var cutter: LineCutter
    /// Pieces that were taken from the thread and not yet paid for.
    private var owed = 0
    private var failure: LocalFileError?

    private static let pieceBytes = 64 << 10
    private static let piecesAheadMax = 4

    /// Starts to read a file, or standard input where `path` is nil.
    init(path: String?, on loop: EventLoop, lineBytesMax: Int) throws(CommandFailure) {
        cutter = LineCutter(lineBytesMax: lineBytesMax)
        // Opened by the thread alone: a pipe with a name must not be opened twice.
        if let path, !LocalFiles.isReadable(path) {
            throw .words("cannot read \(path); is it there?")
        }
        do throws(TransportError) {
            let inbox = try Mailbox<InputPiece>()
            let credits = try Mailbox<Int>()
            self.credits = credits
            // Nobody waits for the thread: it may hang on a pipe when the program ends.
            _ = try WorkerThread(name: "input") {
                readPieces(of: path, Self.pieceBytes, into: inbox, paidBy: credits)
            }
            credits.post(Self.piecesAheadMax)
            reader = inbox.attach(to: loop) { [unowned self] pieces in
                for piece in pieces { take(piece) }
            }
        } catch {
            throw .local(error.reason)
        }
    }

    private func take(_ piece: InputPiece) {
        switch piece {
        case .bytes(let bytes):
            owed += 1
            cutter.append(bytes)
        case .failed(let error):
            failure = error
            cutter.end()
        case .end: cutter.end()
        }
        hasNews = true
    }

    /// True once something has come since `next` last had no line to give.
    private(set) var hasNews = false

    /// True once every line has been given.
    var isFinished: Bool { cutter.isFinished }

    /// Why the input ended early; nil where it did not.
    var failureReason: String? { failure?.reason }

    /// The next line; nil where it has not come yet, or the end has.
    func next() -> InputLine? {
        if let line = cutter.next() { return line }
        hasNews = false
        if owed > 0 {
            credits.post(owed)
            owed = 0
        }
        return nil
    }
}

/// Reads a file to its end, each piece for one credit.
private func readPieces(
    of path: String?, _ pieceBytes: Int, into inbox: Mailbox<InputPiece>,
    paidBy credits: Mailbox<Int>
) {
    do throws(LocalFileError) {
        let file =
            try path.map { (path) throws(LocalFileError) in try LocalFile.reading(path) }
            ?? LocalFile.standardInput()
        var credit = 0
        while true {
            while credit == 0 { credit = credits.wait().reduce(0, +) }
            var piece: [UInt8] = []
            try file.read(upTo: pieceBytes, into: &piece)
            guard !piece.isEmpty else { break }
            inbox.post(.bytes(piece))
            credit -= 1
        }
        inbox.post(.end)
    } catch {
        inbox.post(.failed(error))
    }
}
