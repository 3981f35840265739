// The network of the seeded world: a link is one connection, two pipes of bytes. Bytes arrive
// late, in other pieces than they were sent in, and stop at any byte where a link is cut.
import TableModel
import TableServer

/// The bytes on their way in one direction.
struct Pipe {
    private struct Piece {
        let due: Int64
        let bytes: [UInt8]
    }

    private var pieces: [Piece] = []
    private var firstPiece = 0
    private var lastDue: Int64 = 0
    /// How many bytes are under way.
    private(set) var byteCount = 0
    /// The receiving end takes nothing for now.
    var isPaused = false
    /// The sending end has closed: the receiving end learns of it after the last byte.
    private(set) var isEnding = false

    /// Puts bytes on their way in up to `pieceCountMax` pieces cut at any byte.
    ///
    /// - Returns: when each piece is due.
    mutating func send(
        _ bytes: [UInt8], at now: Int64, delay: (low: Int64, high: Int64), pieceCountMax: Int,
        random: inout SeededGenerator
    ) -> [Int64] {
        guard !isEnding, !bytes.isEmpty else { return [] }
        var dues: [Int64] = []
        var start = 0
        let pieceCount = 1 + random.below(pieceCountMax)
        for piece in 0..<pieceCount where start < bytes.count {
            let isLast = piece == pieceCount - 1
            let end = isLast ? bytes.count : start + 1 + random.below(bytes.count - start)
            lastDue = max(lastDue, now + random.between(delay.low, delay.high))
            pieces.append(Piece(due: lastDue, bytes: Array(bytes[start..<end])))
            dues.append(lastDue)
            start = end
        }
        byteCount += bytes.count
        return dues
    }

    /// Takes what has arrived by now, as one piece.
    mutating func take(at now: Int64) -> [UInt8] {
        guard !isPaused else { return [] }
        var output: [UInt8] = []
        while firstPiece < pieces.count, pieces[firstPiece].due <= now {
            output.append(contentsOf: pieces[firstPiece].bytes)
            firstPiece += 1
        }
        if firstPiece == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            firstPiece = 0
        }
        byteCount -= output.count
        return output
    }

    /// Loses every byte under way after the first `kept` ones, and takes no more.
    mutating func cut(keeping kept: Int) {
        var left = kept
        var remaining: [Piece] = []
        for piece in pieces[firstPiece...] where left > 0 {
            remaining.append(Piece(due: piece.due, bytes: Array(piece.bytes.prefix(left))))
            left -= piece.bytes.count
        }
        pieces = remaining
        firstPiece = 0
        byteCount = remaining.reduce(0) { $0 + $1.bytes.count }
        isEnding = true
    }

    /// Takes no more bytes; what is under way still arrives.
    mutating func close() {
        isEnding = true
    }

    /// When the last byte under way is due.
    var lastByteDue: Int64 { lastDue }
}

/// Whose connection a link is.
enum LinkOwner: Hashable {
    case client(Int)
    case bot(Int)
}

/// One connection between somebody and one run of the server.
struct Link {
    let owner: LinkOwner
    let connection: ConnectionID
    /// Which run of the server it leads to.
    let boot: Int
    var toServer = Pipe()
    var toClient = Pipe()
    /// False once that end knows that the link is gone, or ended it.
    var isOpenAtServer = true
    var isOpenAtClient = true
    /// The server has output that did not fit yet.
    var wantsOutput = false
    /// The server closes it once its output has left.
    var isClosingAfterOutput = false
    var monitor = StreamMonitor()

    /// Starts a link on which nothing has been sent.
    init(owner: LinkOwner, connection: ConnectionID, boot: Int) {
        self.owner = owner
        self.connection = connection
        self.boot = boot
    }
}
