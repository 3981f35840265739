// A program at a terminal of its own, for tests: what it writes, what its terminal's settings are,
// how it ends.
import CTerminal
import Foundation
import Glibc

/// Why a program could not be watched.
struct PseudoterminalError: Error, CustomStringConvertible {
    let description: String
}

/// A program that runs on a pseudoterminal.
final class Pseudoterminal {
    let pid: pid_t
    private let descriptor: Int32
    /// Everything that the program has written.
    private(set) var output: [UInt8] = []
    private var status: Int32?

    /// Where programs were built: beside the bundle of the tests.
    static let binaries: String = {
        let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
            .path
    }()

    /// Starts a program as the leader of a session that has the terminal.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        // What posix_openpt, grantpt, unlockpt and ptsname do on Linux; Swift's Glibc hides them.
        descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard descriptor >= 0, unsafe ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
            unsafe ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw PseudoterminalError(description: "no pseudoterminal could be made") }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes its own.
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID
        var variables = environment
        variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe settings.indices { unsafe free(settings[index]) }
        }
        var child: pid_t = 0
        let result = unsafe posix_spawn(&child, program, &actions, &attributes, &words, &settings)
        guard result == 0 else {
            throw PseudoterminalError(description: "\(program) could not be started: \(result)")
        }
        pid = child
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            _ = waitpid(pid, nil, 0)
        }
        close(descriptor)
    }

    /// Types bytes.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(descriptor, bytes, bytes.count)
    }

    /// Sets the size, which the program is told by a signal.
    func resize(columns: UInt16, lines: UInt16) {
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// The settings that decide how a shell would find its terminal.
    var flags: [UInt32] {
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { return [] }
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }

    /// What the output holds, from some byte on.
    func text(from start: Int = 0) -> String {
        String(decoding: output.dropFirst(start), as: UTF8.self)
    }

    /// Waits until the output from `start` on holds a text.
    func wait(for text: String, from start: Int = 0, seconds: Double = 30) throws {
        let limit = Date(timeIntervalSinceNow: seconds)
        while !self.text(from: start).contains(text) {
            guard takeBytes() || Date() < limit else {
                throw PseudoterminalError(
                    description: "“\(text)” never came: \(self.text().debugDescription)")
            }
        }
    }

    /// Waits for the program's end and takes all that it has left; its exit code, or less than
    /// zero for the signal that ended it.
    func finish(seconds: Double = 30) throws -> Int32 {
        let limit = Date(timeIntervalSinceNow: seconds)
        while true {
            _ = takeBytes()
            var result: Int32 = 0
            if unsafe waitpid(pid, &result, WNOHANG) == pid {
                status = result
                while takeBytes() {}
                return result & 0x7F == 0 ? result >> 8 & 0xFF : -(result & 0x7F)
            }
            guard Date() < limit else {
                throw PseudoterminalError(
                    description: "the program does not end: \(text().debugDescription)")
            }
        }
    }

    /// Takes what is there, after a short wait; false where there is nothing.
    private func takeBytes() -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, 20) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return false }
        output += buffer[..<count]
        return true
    }
}
