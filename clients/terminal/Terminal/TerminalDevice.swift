// The terminal itself: the one file of this room that touches it. Opens it, switches it to a
// screen of our own and back, reads and writes without ever waiting. What gives it back when the
// process is killed or crashes is in Sources/CTerminal.
import CTerminal
import Glibc

/// The process's terminal, used from one thread.
///
/// Call `enter`, then write frames and read events until `leave`. After the process was stopped
/// and goes on (SIGCONT), call `enter` again and write a whole frame.
package final class TerminalDevice {
    /// What to watch for input, and for room when `isWritePending`.
    package let descriptor: Int32

    /// What a read gave.
    package enum Input: Hashable, Sendable {
        case bytes([UInt8])
        /// There is none now.
        case none
        /// The terminal is gone.
        case ended
    }

    private let settings: termios
    private let hasMouse: Bool
    private var hasKittyKeyboard = false
    private var pending: [UInt8] = []
    private var sentCount = 0

    /// The most columns and lines that are drawn; further ones stay empty.
    private static let sizeMax = Size(width: 2_000, height: 1_000)
    /// The most bytes that one read takes.
    private static let readBytesMax = 64 << 10

    /// True where standard input and output both are a terminal.
    package static var isAvailable: Bool { isatty(0) == 1 && isatty(1) == 1 }

    /// Opens the process's terminal, and changes nothing about it yet.
    ///
    /// It is opened anew, so that not waiting for it concerns nobody else who has it open.
    package init(capabilities: Capabilities) throws(TerminalRefusal) {
        hasMouse = capabilities.hasMouse
        // A variadic call of C, which the checker of memory cannot see into.
        descriptor = unsafe open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TerminalRefusal(
                description: "the process has no terminal (/dev/tty cannot be opened); "
                    + "use `roundtable show`, `get`, `set` and `watch` instead")
        }
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else {
            close(descriptor)
            throw TerminalRefusal(
                description: "the terminal's settings cannot be read; "
                    + "use `roundtable show`, `get`, `set` and `watch` instead")
        }
        self.settings = settings
    }

    deinit {
        // The descriptor stays open: a signal handler may be about to use it.
        leave()
    }

    /// Takes the terminal: raw input, a screen of our own, mouse, pastes and focus reported.
    ///
    /// Harmless where it is ours already. What was to be written and is not yet is forgotten.
    package func enter() {
        pending.removeAll()
        sentCount = 0
        var raw = settings
        unsafe cfmakeraw(&raw)
        // In the background this stops the process, before anything is drawn.
        while unsafe tcsetattr(descriptor, TCSADRAIN, &raw) != 0, errno == EINTR {}
        var before = settings
        _ = unsafe terminal_take(descriptor, &before)
        var bytes = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[8l\u{1B}[m\u{1B}[2J\u{1B}[?25l"
        if hasMouse { bytes += "\u{1B}[?1002h\u{1B}[?1006h" }
        bytes += "\u{1B}[?2004h\u{1B}[?1004h"
        if hasKittyKeyboard { bytes += "\u{1B}[>1u" }
        write(Array(bytes.utf8))
    }

    /// Asks for keys by kitty's protocol from now on, which tells Esc from the start of a sequence.
    package func useKittyKeyboard() {
        guard !hasKittyKeyboard else { return }
        hasKittyKeyboard = true
        write(Array("\u{1B}[>1u".utf8))
    }

    /// Gives the terminal back as it was; harmless where it is not ours.
    package func leave() {
        pending.removeAll()
        sentCount = 0
        _ = terminal_give_back()
    }

    /// Says what is written to the standard error where a signal or a crash ends the process, once
    /// the terminal is given back; nothing where it is empty.
    ///
    /// - Parameter words: lines of text that a terminal may be given; 2 KiB at most are kept.
    package func setLastWords(_ words: [UInt8]) {
        unsafe words.withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
                unsafe terminal_set_last_words(characters.baseAddress, characters.count)
            }
        }
    }

    /// Gives the terminal back and stops the process, as Ctrl-Z does elsewhere; whoever continues
    /// it sends SIGCONT, on which `enter` is due.
    package func suspend() {
        leave()
        terminal_stop_self()
    }

    /// The terminal's size, as of now; 80 by 24 where it does not say.
    package var size: Size {
        var columns: Int32 = 0
        var lines: Int32 = 0
        guard unsafe terminal_size(descriptor, &columns, &lines) == 0, columns > 0, lines > 0 else {
            return Size(width: 80, height: 24)
        }
        return Size(
            width: min(Int(columns), TerminalDevice.sizeMax.width),
            height: min(Int(lines), TerminalDevice.sizeMax.height))
    }

    /// True while the terminal has not taken all bytes: draw no frame then, call `flush` once the
    /// descriptor can be written to.
    ///
    /// Frames in between are left out, never bytes.
    package var isWritePending: Bool { sentCount < pending.count }

    /// Writes bytes, as many as the terminal takes now; the rest is kept for `flush`.
    package func write(_ bytes: [UInt8]) {
        // Given back behind our back: by a signal that stopped the process.
        guard terminal_is_ours() != 0 else { return }
        pending += bytes
        flush()
    }

    /// Writes on what the terminal did not take before.
    package func flush() {
        guard terminal_is_ours() != 0 else {
            pending.removeAll()
            sentCount = 0
            return
        }
        while sentCount < pending.count {
            let count = unsafe pending.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor, bytes.baseAddress?.advanced(by: sentCount),
                    bytes.count - sentCount)
            }
            if count > 0 {
                sentCount += count
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                return
            } else {
                // Gone; the next read says so.
                break
            }
        }
        pending.removeAll(keepingCapacity: pending.capacity <= 1 << 20)
        sentCount = 0
    }

    /// Reads what is there, without waiting.
    package func read() -> Input {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: TerminalDevice.readBytesMax) {
            buffer, initializedCount in
            repeat {
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            initializedCount = max(0, count)
        }
        if count > 0 { return .bytes(bytes) }
        return count < 0 && errno == EAGAIN ? .none : .ended
    }
}
