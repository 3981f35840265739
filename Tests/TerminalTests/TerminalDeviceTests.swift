// However a program ends that has taken the terminal, a shell finds it as it was.
import CTerminal
import Foundation
import Glibc
import Testing

@testable import Terminal

/// A program on a terminal that it has taken, and where its output goes on from there.
private func guest(
    _ manner: String, environment: [String: String] = ["SWIFT_BACKTRACE": "enable=no"]
) throws -> (terminal: Pseudoterminal, start: Int) {
    let terminal = try Pseudoterminal(
        Pseudoterminal.binaries + "/terminal-guest", [manner], environment: environment)
    let ready = "ready \(terminal.pid)."
    try terminal.wait(for: ready)
    let taken = terminal.text().components(separatedBy: ready)[0]
    return (terminal, taken.utf8.count + ready.utf8.count)
}

/// What a program writes that gives its terminal back.
private let restoring: String = {
    var count = 0
    guard let bytes = unsafe terminal_restore_bytes(&count) else { return "" }
    return unsafe String(
        decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}()

/// Echo, whole lines and keys that send signals: what a shell expects.
private func isAsShellExpects(_ flags: [UInt32]) -> Bool {
    flags.count == 4 && flags[3] & UInt32(ECHO | ICANON | ISIG) == UInt32(ECHO | ICANON | ISIG)
        && flags[0] & UInt32(ICRNL) != 0 && flags[1] & UInt32(OPOST) != 0
}

@Suite("Terminal device")
struct TerminalDeviceTests {
    @Test(
        "FT29: every signal that can be caught gives the terminal back and then ends the program",
        arguments: [
            SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
        ])
    func signals(number: Int32) throws {
        let (terminal, start) = try guest("wait")
        #expect(!isAsShellExpects(terminal.flags), "the terminal was taken")
        kill(terminal.pid, number)
        #expect(try terminal.finish() == -number)
        #expect(terminal.text(from: start) == restoring + "a message\r\n")
        #expect(isAsShellExpects(terminal.flags))
    }

    @Test(
        "a signal that ends the program lets it have its last words, once the terminal is back",
        arguments: [SIGTERM, SIGHUP, SIGSEGV])
    func lastWords(number: Int32) throws {
        let (terminal, start) = try guest("words")
        kill(terminal.pid, number)
        #expect(try terminal.finish() == -number)
        #expect(terminal.text(from: start) == restoring + "a message\r\nnot kept\r\n")
        let (orderly, behind) = try guest("words")
        orderly.type("q")
        #expect(try orderly.finish() == 0)
        #expect(!orderly.text(from: behind).contains("not kept"))
    }

    @Test(
        "FT29: a program that fails by itself gives the terminal back",
        arguments: ["trap", "index", "overflow", "abort", "exit"])
    func failures(manner: String) throws {
        let (terminal, start) = try guest(manner)
        let code = try terminal.finish()
        switch manner {
        case "trap", "index": #expect([-SIGILL, -SIGTRAP].contains(code))
        case "overflow": #expect(code == -SIGSEGV)
        case "abort": #expect(code == -SIGABRT)
        default: #expect(code == 3)
        }
        let text = terminal.text(from: start)
        #expect(text.hasPrefix(restoring + "a message\r\n"), "\(text.debugDescription)")
        // The reason is there to be read, on the screen that stays.
        if manner == "index" { #expect(text.contains("Index out of range")) }
        #expect(isAsShellExpects(terminal.flags))
    }

    @Test("FT29: what is switched on when the terminal is taken is switched off when it is given")
    func pairs() throws {
        let (terminal, _) = try guest("wait")
        let taken = terminal.text()
        terminal.type("q")
        #expect(try terminal.finish() == 0)
        let modes = taken.split(separator: "\u{1B}").compactMap { part -> Substring? in
            guard part.hasPrefix("[?"), let end = part.firstIndex(of: "h") else { return nil }
            return part[..<end]
        }
        #expect(modes.count == 5)
        for mode in modes { #expect(restoring.contains("\u{1B}\(mode)l"), "\(mode)") }
        for mode in ["[?7", "[8", "[?25"] {
            #expect(taken.contains("\u{1B}\(mode)l") && restoring.contains("\u{1B}\(mode)h"))
        }
        // Given back once, though leaving and the process's end both see to it.
        #expect(terminal.text().components(separatedBy: restoring).count == 2)
    }

    @Test("FT29: resized and typed into, then suspended by a key and by a signal, it comes back")
    func suspending() throws {
        let shell = try Pseudoterminal(
            "/bin/bash",
            [
                "-c",
                "set -m; \(Pseudoterminal.binaries)/terminal-guest wait; echo stopped; fg; "
                    + "echo stopped twice; fg; echo code $?",
            ])
        try shell.wait(for: "ready ")
        shell.resize(columns: 31, lines: 7)
        shell.type("s\u{1B}[A")
        try shell.wait(for: "size 31x7.key up.")
        var start = shell.output.count
        shell.type("z")
        try shell.wait(for: "again", from: start)
        let first = shell.text(from: start)
        #expect(first.hasPrefix(restoring))
        let words = first.components(separatedBy: "stopped\r\n")
        #expect(words.count == 2 && words[1].contains("\u{1B}[?1049h"))
        start = shell.output.count
        let ready = try #require(shell.text().components(separatedBy: "ready ").last)
        let pid = try #require(pid_t(ready.prefix { $0.isNumber }))
        kill(pid, SIGTSTP)
        try shell.wait(for: "again", from: start)
        #expect(shell.text(from: start).contains("stopped twice"))
        shell.type("q")
        try shell.wait(for: "code 0", from: start)
        _ = try shell.finish()
        #expect(isAsShellExpects(shell.flags))
    }

    @Test("A program without a terminal is refused")
    func refused() throws {
        let terminal = try Pseudoterminal(
            "/bin/bash", ["-c", "\(Pseudoterminal.binaries)/terminal-guest wait | cat"])
        try terminal.wait(for: "refused")
        #expect(try terminal.finish() == 0)
    }
}
