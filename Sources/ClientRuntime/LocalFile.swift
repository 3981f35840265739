// Files of this machine by the system's own calls: whole small files in and out, and an input
// that is read piece by piece. Knows nothing of tables or formats.
import Glibc

/// Why a file could not be read or written.
package struct LocalFileError: Error, Hashable, Sendable {
    /// What happened, to which file, and what to do next.
    package let reason: String

    /// Names what happened.
    package init(_ reason: String) {
        self.reason = reason
    }

    /// Names what happened to a file, with the system's reason.
    init(_ doing: String, _ path: String, code: Int32) {
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        reason = "\(doing) \(path): \(text)"
    }
}

/// An open file descriptor, closed when it goes away.
package struct LocalFile: ~Copyable {
    /// The descriptor, for `poll` and `fstat`.
    package let descriptor: Int32
    /// How errors name the file.
    package let path: String
    private let isOwned: Bool

    private init(descriptor: Int32, path: String, isOwned: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { _ = close(descriptor) }
    }

    /// Standard input; never closed.
    package static func standardInput() -> LocalFile {
        LocalFile(descriptor: STDIN_FILENO, path: "standard input", isOwned: false)
    }

    /// Standard output; never closed.
    package static func standardOutput() -> LocalFile {
        LocalFile(descriptor: STDOUT_FILENO, path: "standard output", isOwned: false)
    }

    /// Standard error; never closed.
    package static func standardError() -> LocalFile {
        LocalFile(descriptor: STDERR_FILENO, path: "standard error", isOwned: false)
    }

    /// Opens a file for reading.
    ///
    /// The corresponding C function is `open`.
    package static func reading(_ path: String) throws(LocalFileError) -> LocalFile {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LocalFileError("cannot open", path, code: errno) }
        return LocalFile(descriptor: descriptor, path: path, isOwned: true)
    }

    /// Opens a file for writing, emptied, with those access bits where it is new.
    package static func writing(
        _ path: String, mode: UInt32 = 0o644
    ) throws(LocalFileError) -> LocalFile {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open(path, flags, mode)
        guard descriptor >= 0 else { throw LocalFileError("cannot write", path, code: errno) }
        return LocalFile(descriptor: descriptor, path: path, isOwned: true)
    }

    /// Makes a file without a name for this process alone; it is gone when it is closed.
    package static func temporary() throws(LocalFileError) -> LocalFile {
        let folder = ClientHome.environment("TMPDIR") ?? "/tmp"
        // `mkstemp` puts other letters in the place of these.
        let letters = String(repeating: "X", count: 6)
        var template = Array("\(folder)/roundtable-\(letters)".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw LocalFileError("cannot make a temporary file in", folder, code: errno)
        }
        _ = unsafe unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return LocalFile(descriptor: descriptor, path: "a file in \(folder)", isOwned: true)
    }

    /// True where the descriptor is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The columns of the terminal that the descriptor is; nil where it is none or does not tell.
    package var terminalWidth: Int? {
        var size = winsize()
        guard isTerminal, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0,
            size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }

    /// The file's size in bytes where it is an ordinary file; nil for pipes and terminals.
    package var byteCount: Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        let isOrdinary = status.st_mode & S_IFMT == S_IFREG
        return isOrdinary ? Int(status.st_size) : nil
    }

    /// Goes back to the first byte; false where the input is a pipe.
    package func rewind() -> Bool {
        lseek(descriptor, 0, SEEK_SET) == 0
    }

    /// Reads the next piece into `buffer`, replacing what it held; empty at the end.
    package func read(
        upTo byteCount: Int, into buffer: inout [UInt8]
    ) throws(LocalFileError) {
        var code: Int32 = 0
        buffer = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
            var result = -1
            repeat {
                result = unsafe Glibc.read(descriptor, target.baseAddress, byteCount)
            } while result < 0 && errno == EINTR
            if result < 0 { code = errno }
            count = max(0, result)
        }
        if code != 0 { throw LocalFileError("cannot read", path, code: code) }
    }

    /// Writes all bytes, in as many calls as it takes.
    package func write(_ bytes: [UInt8]) throws(LocalFileError) {
        var code: Int32 = 0
        unsafe bytes.withUnsafeBytes { source in
            var offset = 0
            while offset < source.count {
                let rest = unsafe source.baseAddress?.advanced(by: offset)
                let written = unsafe Glibc.write(descriptor, rest, source.count - offset)
                if written < 0 {
                    if errno == EINTR { continue }
                    code = errno
                    return
                }
                offset += written
            }
        }
        if code != 0 { throw LocalFileError("cannot write", path, code: code) }
    }

    /// Waits until the bytes are on the disk.
    ///
    /// The corresponding C function is `fsync`.
    package func synchronize() throws(LocalFileError) {
        guard fsync(descriptor) == 0 else { throw LocalFileError("cannot save", path, code: errno) }
    }

    /// Waits for the only lock on the file, which lasts until the file is closed.
    func lock() throws(LocalFileError) {
        var result: Int32 = -1
        repeat {
            result = flock(descriptor, LOCK_EX)
        } while result != 0 && errno == EINTR
        guard result == 0 else { throw LocalFileError("cannot lock", path, code: errno) }
    }
}
