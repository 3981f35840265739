// The bytes of a file that is read more than once, also where it is a pipe. Knows no format.
// ImportCommand.swift reads through it twice.
import ClientRuntime

/// A file that can be read as often as needed: a pipe is kept in a file without a name.
struct ImportFile: ~Copyable {
    private let path: String
    private let source: LocalFile
    /// Where a pipe's bytes are kept; nil for a file that can be read again.
    private let kept: LocalFile?
    private var hasRead = false

    private static let pieceBytes = 256 << 10

    /// Opens a file, or standard input where the path is `-`.
    init(_ path: String) throws(CommandFailure) {
        let opened = try openInput(path)
        kept = try makeKeeper(for: opened)
        source = opened
        self.path = path == "-" ? "standard input" : path
    }

    /// Calls `body` with each piece, from the first.
    mutating func forEachPiece(
        _ body: (Span<UInt8>) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        var piece: [UInt8] = []
        let isAgain = hasRead
        hasRead = true
        if isAgain, !rewind() { throw .local("\(path) cannot be read a second time") }
        while true {
            do {
                try read(&piece, again: isAgain)
            } catch {
                throw .local(error.reason)
            }
            guard !piece.isEmpty else { return }
            try body(piece.span)
        }
    }

    private func rewind() -> Bool {
        switch kept {
        case .some(let file): file.rewind()
        case .none: source.rewind()
        }
    }

    private func read(_ piece: inout [UInt8], again isAgain: Bool) throws(LocalFileError) {
        switch kept {
        case .some(let file) where isAgain: try file.read(upTo: Self.pieceBytes, into: &piece)
        case .some(let file):
            try source.read(upTo: Self.pieceBytes, into: &piece)
            try file.write(piece)
        case .none: try source.read(upTo: Self.pieceBytes, into: &piece)
        }
    }
}

/// A file that keeps what comes from a pipe; nil where the source can be read again.
private func makeKeeper(for source: borrowing LocalFile) throws(CommandFailure) -> LocalFile? {
    if source.rewind() { return nil }
    do {
        return try LocalFile.temporary()
    } catch {
        throw .local(error.reason)
    }
}
