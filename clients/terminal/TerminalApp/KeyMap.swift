// Keys to commands: reads how people write keys (`Ctrl-G`, `dd`), and finds the command of a
// sequence in either set. The keys themselves stand in CommandList.swift.
import Terminal

/// What a sequence of keys comes to.
enum KeyMatch: Hashable, Sendable {
    case command(AppCommand)
    /// The beginning of one.
    case begun
    case none
}

/// One set of keys.
struct KeyMap: Sendable {
    private let commands: [[KeyPress]: AppCommand]
    private let beginnings: Set<[KeyPress]>

    init(_ preset: KeyPreset) {
        var commands: [[KeyPress]: AppCommand] = [:]
        var beginnings: Set<[KeyPress]> = []
        for entry in CommandEntry.all {
            for text in entry.keys(in: preset) {
                guard let keys = KeyMap.keys(in: text) else { continue }
                commands[keys] = entry.command
                for length in 1..<max(1, keys.count) {
                    beginnings.insert(Array(keys.prefix(length)))
                }
            }
        }
        self.commands = commands
        self.beginnings = beginnings
    }

    /// What the keys come to.
    func match(_ keys: [KeyPress]) -> KeyMatch {
        if let command = commands[keys] { return .command(command) }
        return beginnings.contains(keys) ? .begun : .none
    }

    static func of(_ preset: KeyPreset) -> KeyMap { preset == .vim ? vim : standard }
    private static let standard = KeyMap(.standard)
    private static let vim = KeyMap(.vim)

    // MARK: How keys are written

    /// The keys that a text names; nil where it names none.
    static func keys(in text: String) -> [KeyPress]? {
        if let press = key(in: text) { return [press] }
        let presses = text.map { key(in: String($0)) }
        return presses.contains(nil) || presses.isEmpty ? nil : presses.compactMap { $0 }
    }

    private static func key(in text: String) -> KeyPress? {
        var rest = text[...]
        var modifiers: Modifiers = []
        let prefixes: [(String, Modifiers)] = [
            ("Ctrl-", .control), ("Alt-", .alt), ("Shift-", .shift),
        ]
        while let (prefix, modifier) = prefixes.first(where: { rest.hasPrefix($0.0) }) {
            rest = rest.dropFirst(prefix.count)
            modifiers.insert(modifier)
        }
        if let key = named.first(where: { $0.name == rest })?.key {
            return KeyPress(key, modifiers)
        }
        if rest.first == "F", let number = Int(rest.dropFirst()) {
            return KeyPress(.function(number), modifiers)
        }
        guard rest.unicodeScalars.count == 1, let scalar = rest.unicodeScalars.first else {
            return nil
        }
        let isLower = modifiers.contains(.control) || modifiers.contains(.alt)
        let letter = isLower ? scalar.properties.lowercaseMapping.unicodeScalars.first : scalar
        return KeyPress(.character(letter ?? scalar), modifiers)
    }

    /// How a key is written.
    static func label(_ press: KeyPress) -> String {
        var label = ""
        if press.modifiers.contains(.control) { label += "Ctrl-" }
        if press.modifiers.contains(.alt) { label += "Alt-" }
        if press.modifiers.contains(.shift) { label += "Shift-" }
        switch press.key {
        case .character(" "): return label + "Space"
        case .character(let scalar):
            let letter = String(Character(scalar))
            return label + (press.modifiers.isEmpty ? letter : letter.uppercased())
        case .function(let number): return label + "F\(number)"
        default: return label + (named.first { $0.key == press.key }?.name ?? "?")
        }
    }

    private static let named: [(name: String, key: Key)] = [
        ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home),
        ("End", .end), ("PgUp", .pageUp), ("PgDn", .pageDown), ("Enter", .enter), ("Tab", .tab),
        ("Esc", .escape), ("Space", .character(" ")), ("Del", .delete), ("Ins", .insert),
        ("Backspace", .backspace),
    ]
}
