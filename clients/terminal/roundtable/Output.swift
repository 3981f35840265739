// Where words go: data to standard output or a file, talk to standard error. What is shown on a
// terminal is made safe first.
import ClientRuntime

/// Data on its way to a file or standard output, gathered into large writes.
final class Output {
    private let file: LocalFile
    /// True where a person looks at it.
    let isTerminal: Bool
    /// The columns of the terminal; nil where it is none, or does not tell.
    let terminalWidth: Int?
    private var filter = TerminalSafe()
    private var buffer: [UInt8] = []

    /// The bytes that are gathered before they are written.
    private static let bufferBytesMax = 64 << 10

    /// Writes to a file that the caller has opened.
    init(_ file: consuming LocalFile) {
        isTerminal = file.isTerminal
        terminalWidth = file.terminalWidth
        self.file = file
    }

    /// Writes to standard output.
    convenience init() {
        self.init(LocalFile.standardOutput())
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        if isTerminal {
            filter.append(bytes, to: &buffer)
        } else {
            buffer += bytes
        }
        if buffer.count >= Self.bufferBytesMax { try flush() }
    }

    /// Appends a text as a line.
    func line(_ text: String) throws(CommandFailure) {
        try write(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    /// True while something has been gathered and not written.
    var isWaiting: Bool { !buffer.isEmpty }

    /// Writes what has been gathered.
    func flush() throws(CommandFailure) {
        guard !buffer.isEmpty else { return }
        do {
            try file.write(buffer)
        } catch {
            throw .local(error.reason)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes what has been gathered and waits until it is on the disk, where it is a file.
    func finish() throws(CommandFailure) {
        try flush()
    }
}

/// Says something on standard error, as one line, with nothing in it that steers a terminal.
func talk(_ text: String) {
    let line = TerminalSafe.line(text) + "\n"
    // Where standard error is gone there is nobody left to tell.
    try? LocalFile.standardError().write(Array(line.utf8))
}
