// A program at a terminal of its own: what a person's keyboard and screen are to it, with the
// times at which bytes came. It understands nothing of what is shown.
import Foundation

/// A program that runs on a pseudoterminal.
final class Pseudoterminal {
    let pid: pid_t
    private let descriptor: Int32
    /// Everything that the program has written.
    private(set) var output: [UInt8] = []

    /// Starts a program in a session of its own, with the terminal as its input and output.
    ///
    /// - Parameters:
    ///   - program: the path of the program.
    ///   - arguments: what it is given.
    ///   - environment: what it finds, and nothing else.
    ///   - columns: the terminal's width in cells.
    ///   - lines: the terminal's height in cells.
    /// - Throws: `BenchError` where the system refuses.
    init(
        _ program: String, _ arguments: [String], environment: [String: String],
        columns: UInt16 = 100, lines: UInt16 = 30
    ) throws {
        // What posix_openpt, grantpt, unlockpt and ptsname do on Linux; Swift's Glibc hides them.
        descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard descriptor >= 0, unsafe ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
            unsafe ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw BenchError("no pseudoterminal could be made") }
        let name = "/dev/pts/\(number)"
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else {
            throw BenchError("the terminal's size could not be set")
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes its own.
        unsafe posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var settings = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe settings.indices { unsafe free(settings[index]) }
        }
        var child: pid_t = 0
        let result = unsafe posix_spawn(
            &child, program, &actions, &attributes, &words, &settings)
        guard result == 0 else { throw BenchError("\(program) could not be started: \(result)") }
        pid = child
    }

    /// Microseconds of the monotonic clock.
    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Types bytes.
    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
            throw BenchError("the program no longer reads its terminal")
        }
    }

    /// Takes the bytes that came up to a number of milliseconds from now.
    ///
    /// - Returns: how many came; nil where the program has closed its terminal.
    func takeBytes(waiting milliseconds: Int32) -> Int? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe Glibc.poll(&poll, 1, milliseconds) > 0 else { return 0 }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        output += buffer[..<count]
        return count
    }

    /// Waits until the output from `start` on holds some text.
    ///
    /// - Returns: the time at which it was there.
    func wait(for text: String, from start: Int = 0, seconds: Double = 30) throws -> Int64 {
        let wanted = Array(text.utf8)
        let limit = Pseudoterminal.now + Int64(seconds * 1_000_000)
        var searched = start
        while true {
            if holds(wanted, from: searched) { return Pseudoterminal.now }
            searched = max(start, output.count - wanted.count)
            guard Pseudoterminal.now < limit, takeBytes(waiting: 100) != nil else {
                let tail = String(decoding: output.suffix(2_000), as: UTF8.self)
                throw BenchError("“\(text)” never came; the last output: \(tail.debugDescription)")
            }
        }
    }

    private func holds(_ wanted: [UInt8], from start: Int) -> Bool {
        guard output.count >= start + wanted.count else { return false }
        return (start...(output.count - wanted.count)).contains {
            output[$0...].starts(with: wanted)
        }
    }

    /// Takes bytes until none came for `quietMilliseconds`.
    ///
    /// - Returns: how many came, and when the first and the last did.
    func settle(
        quietMilliseconds: Int32
    ) throws -> (bytes: Int, first: Int64, last: Int64) {
        var bytes = 0
        var first: Int64 = 0
        var last: Int64 = 0
        while true {
            let wait = bytes == 0 ? 2_000 : quietMilliseconds
            guard let count = takeBytes(waiting: wait) else {
                throw BenchError("the program ended")
            }
            if count == 0 { return (bytes, first, last) }
            last = Pseudoterminal.now
            if bytes == 0 { first = last }
            bytes += count
        }
    }

    /// Ends the program and waits for it.
    func stop() {
        kill(pid, SIGTERM)
        while takeBytes(waiting: 100) != nil, waitpid(pid, nil, WNOHANG) == 0 {}
        close(descriptor)
        _ = waitpid(pid, nil, 0)
    }
}
