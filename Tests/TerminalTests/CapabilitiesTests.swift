// What the environment tells of a terminal.
import Testing

@testable import Terminal

private func depth(_ environment: [String: String]) throws -> ColorDepth {
    try Capabilities(environment: environment, isTerminal: true).colorDepth
}

@Suite("Capabilities")
struct CapabilitiesTests {
    @Test("FT2: colours by TERM, COLORTERM, TERM_PROGRAM, and none where none are wanted")
    func colors() throws {
        #expect(try depth(["TERM": "xterm"]) == .sixteen)
        #expect(try depth(["TERM": "xterm-256color"]) == .palette256)
        #expect(try depth(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) == .truecolor)
        #expect(try depth(["TERM": "tmux", "COLORTERM": "24bit"]) == .truecolor)
        #expect(try depth(["TERM": "xterm-kitty"]) == .truecolor)
        #expect(try depth(["TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"]) == .palette256)
        #expect(try depth(["TERM": "vt220"]) == .none)
        #expect(try depth(["TERM": "xterm-256color", "NO_COLOR": "1"]) == .none)
        #expect(try depth(["TERM": "xterm-256color", "NO_COLOR": ""]) == .palette256)
    }

    @Test("A terminal that cannot place its cursor is refused, with a way to do without")
    func refusals() {
        let environments: [([String: String], Bool)] = [
            (["TERM": "dumb"], true), ([:], true), (["TERM": "xterm"], false),
            (["TERM": "unknown"], true), (["TERM": ""], true),
        ]
        for (environment, isTerminal) in environments {
            let refusal = #expect(throws: TerminalRefusal.self) {
                try Capabilities(environment: environment, isTerminal: isTerminal)
            }
            #expect(refusal?.description.contains("roundtable show") == true)
        }
    }

    @Test("The console has no mouse; multiplexers and networks are known")
    func surroundings() throws {
        let console = try Capabilities(environment: ["TERM": "linux"], isTerminal: true)
        #expect(!console.hasMouse && !console.isInsideMultiplexer && !console.isRemote)
        let inner = try Capabilities(
            environment: ["TERM": "xterm", "TMUX": "/tmp/x", "SSH_TTY": "/dev/pts/1"],
            isTerminal: true)
        #expect(inner.hasMouse && inner.isInsideMultiplexer && inner.isRemote)
    }
}
