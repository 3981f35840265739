// What the terminal can do, as far as its environment tells. The rest is asked of the terminal
// itself: TerminalProbe.swift.

/// How many colours a terminal shows.
package enum ColorDepth: Int, Hashable, Sendable {
    /// None: attributes alone tell things apart.
    case none
    case sixteen
    case palette256
    case truecolor
}

/// Why a terminal cannot show the full-screen client.
package struct TerminalRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is missing, and what to do instead.
    package let description: String
}

/// What the terminal can do.
package struct Capabilities: Hashable, Sendable {
    /// The colours that may be used; none where the user asked for none.
    package var colorDepth: ColorDepth
    /// False where mouse reports would come as text.
    package var hasMouse = true
    /// True within tmux or screen, which keep the clipboard to themselves unless set up otherwise.
    package var isInsideMultiplexer = false
    /// True where the keys come over a network, so that one key's bytes may come apart.
    package var isRemote = false

    /// Reads the variables `TERM`, `COLORTERM`, `NO_COLOR`, `TERM_PROGRAM`, `TMUX`, `STY` and
    /// `SSH_TTY`.
    ///
    /// Refuses a terminal that cannot place its cursor, and what is no terminal at all.
    package init(
        environment: [String: String], isTerminal: Bool
    ) throws(TerminalRefusal) {
        let instead = "use `roundtable show`, `get`, `set` and `watch` instead"
        guard isTerminal else {
            throw TerminalRefusal(
                description: "standard input and output are no terminal; \(instead)")
        }
        let name = environment["TERM"] ?? ""
        guard !name.isEmpty, name != "dumb", name != "unknown" else {
            throw TerminalRefusal(
                description: "this terminal (TERM=\(printable(name))) cannot place its cursor; "
                    + instead)
        }
        colorDepth = Capabilities.colorDepth(name, environment)
        hasMouse = name != "linux"
        isInsideMultiplexer =
            isSet(environment, "TMUX") || isSet(environment, "STY")
            || name.hasPrefix("screen") || name.hasPrefix("tmux")
        isRemote = isSet(environment, "SSH_TTY") || isSet(environment, "SSH_CONNECTION")
    }

    private static func colorDepth(
        _ name: String, _ environment: [String: String]
    ) -> ColorDepth {
        if isSet(environment, "NO_COLOR") { return .none }
        switch environment["COLORTERM"] ?? "" {
        case "truecolor", "24bit": return .truecolor
        default: break
        }
        switch environment["TERM_PROGRAM"] ?? "" {
        case "iTerm.app", "WezTerm", "vscode", "ghostty": return .truecolor
        case "Apple_Terminal": return .palette256
        default: break
        }
        let known = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"]
        if name.hasSuffix("-direct") || known.contains(where: name.hasPrefix) {
            return .truecolor
        }
        if name.hasSuffix("256color") { return .palette256 }
        if name.hasPrefix("vt") || name.hasSuffix("-mono") || name.hasSuffix("-m") { return .none }
        return .sixteen
    }
}

/// True for a variable with a value; an empty one counts as absent.
private func isSet(_ environment: [String: String], _ name: String) -> Bool {
    environment[name]?.isEmpty == false
}

/// A variable's value as it may be shown.
private func printable(_ value: String) -> String {
    WidthRules().fit(value, widthMax: 32).clusters.map(\.text).joined()
}
