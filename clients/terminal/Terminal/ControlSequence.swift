// What the sequences of a terminal mean: keys, mouse, focus and answers, as xterm, the Linux
// console, rxvt and kitty spell them. Pure tables; how sequences are cut out of the stream is in
// InputDecoder.swift.

/// One control sequence (CSI), complete.
struct ControlSequence {
    /// `<`, `=`, `>` or `?` in front; nil for none.
    private var mark: UInt8?
    /// The parameters; of parts with colons the first two, in `parts`.
    private var numbers: [Int] = []
    /// The second part of each parameter; nil where there is none.
    private var parts: [Int?] = []
    private var hasIntermediates = false
    private let final: UInt8

    /// Greater than any number that means something.
    private static let numberMax = 1 << 24

    /// Reads the bytes between the introducer and the final one.
    init(_ content: [UInt8], final: UInt8) {
        self.final = final
        var rest = content[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            mark = first
            rest = rest.dropFirst()
        }
        let parameters = rest.prefix { (0x30...0x3F).contains($0) }
        hasIntermediates = parameters.count < rest.count
        guard !parameters.isEmpty else { return }
        for parameter in parameters.split(separator: 0x3B, omittingEmptySubsequences: false) {
            let pieces = parameter.split(separator: 0x3A, omittingEmptySubsequences: false)
                .map(ControlSequence.number)
            numbers.append(pieces.first ?? 0)
            parts.append(pieces.count > 1 ? pieces[1] : nil)
        }
    }

    private static func number(_ digits: some Sequence<UInt8>) -> Int {
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return numberMax }
            number = min(number * 10 + Int(digit) - 0x30, numberMax)
        }
        return number
    }

    private func number(_ index: Int) -> Int {
        index < numbers.count ? numbers[index] : 0
    }

    /// True for the start of a bracketed paste.
    var isPasteStart: Bool { mark == nil && final == 0x7E && numbers == [200] }

    /// True for a mouse report of the kind that has three bytes behind it.
    var isOldMouse: Bool { mark == nil && final == 0x4D && numbers.isEmpty && !hasIntermediates }

    /// What the sequence means; nil where it means nothing here.
    var event: InputEvent? {
        switch (mark, final) {
        case (0x3C, 0x4D), (0x3C, 0x6D): mouse.map(InputEvent.mouse)
        case (nil, 0x49) where numbers.isEmpty: .focusGained
        case (nil, 0x4F) where numbers.isEmpty: .focusLost
        case (nil, 0x52) where isCursorReply:
            .replied(.cursor(Point(x: number(1) - 1, y: number(0) - 1)))
        case (0x3F, 0x63): .replied(.attributes(numbers))
        case (0x3F, 0x75): .replied(.keyboard(number(0)))
        case (_, 0x63), (_, 0x79), (0x3F, 0x6E), (nil, 0x6E), (nil, 0x74), (0x3F, 0x52),
            (0x3E, 0x6D):
            .replied(.other)
        case (nil, _) where !hasIntermediates: key.map(InputEvent.key)
        default: nil
        }
    }

    /// An answer with a first line could as well be F3 with something held down; whoever asks has
    /// the cursor on another line.
    private var isCursorReply: Bool {
        guard numbers.count == 2, number(0) > 0, number(1) > 0 else { return false }
        return number(0) > 1 || number(1) > 16
    }

    private var key: KeyPress? {
        if final == 0x75 { return kittyKey }
        if final == 0x7E, numbers.count >= 3, number(0) == 27 {
            return typedKey(number(2), held(number(1)))
        }
        // Three in kitty's second part: the key was let go.
        if parts.count > 1, parts[1] == 3 { return nil }
        guard numbers.count <= 2, let modifiers = held(number(1)) else { return nil }
        if final == 0x7E { return numberedKey(number(0)).map { KeyPress($0, modifiers) } }
        guard number(0) <= 1 else { return nil }
        if final == 0x5A { return KeyPress(.tab, modifiers.union(.shift)) }
        return letteredKey(final).map { KeyPress($0, modifiers) }
    }

    private var kittyKey: KeyPress? {
        guard !numbers.isEmpty, parts.count < 2 || parts[1] != 3 else { return nil }
        return typedKey(number(0), held(number(1)))
    }

    private var mouse: MouseEvent? {
        guard numbers.count == 3, number(1) > 0, number(2) > 0, number(0) < 128,
            number(1) < 1 << 16, number(2) < 1 << 16
        else { return nil }
        let code = number(0)
        var modifiers: Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let place = Point(x: number(1) - 1, y: number(2) - 1)
        guard let kind = mouseKind(code) else { return nil }
        return MouseEvent(kind, at: place, modifiers)
    }

    private func mouseKind(_ code: Int) -> MouseEvent.Kind? {
        if code & 64 != 0 {
            let wheel: [MouseEvent.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
            return final == 0x4D ? wheel[code & 3] : nil
        }
        let buttons: [MouseEvent.Button] = [.left, .middle, .right]
        if code & 32 != 0 { return code & 3 == 3 ? .moved : .dragged(buttons[code & 3]) }
        if final == 0x6D || code & 3 == 3 { return .released }
        return .pressed(buttons[code & 3])
    }
}

/// The keys held down by xterm's number, which is one more than their bits; nil where one is held
/// that makes it another program's key.
private func held(_ number: Int) -> Modifiers? {
    guard number > 0 else { return [] }
    let bits = number - 1
    // Super and hyper.
    guard bits & 24 == 0, bits < 256 else { return nil }
    var modifiers: Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & (2 | 32) != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
}

/// A key by the code of its character, as kitty and xterm's modifyOtherKeys tell it.
private func typedKey(_ code: Int, _ modifiers: Modifiers?) -> KeyPress? {
    guard var modifiers else { return nil }
    switch code {
    case 9: return KeyPress(.tab, modifiers)
    case 13, 57_414: return KeyPress(.enter, modifiers)
    case 27: return KeyPress(.escape, modifiers)
    case 8, 127: return KeyPress(.backspace, modifiers)
    case 57_376...57_398: return KeyPress(.function(code - 57_376 + 13), modifiers)
    case 57_363: return KeyPress(.function(16), modifiers)
    case 57_399...57_416:
        return KeyPress(.character(keypad[code - 57_399]), modifiers)
    case 57_417...57_426: return KeyPress(keypadKeys[code - 57_417], modifiers)
    // Other codes of private use are keys that type nothing.
    case 0..<32, 0xE000...0xF8FF: return nil
    default: break
    }
    guard let scalar = Unicode.Scalar(UInt32(code)), code < 0x7F || code >= 0xA0 else { return nil }
    guard modifiers.isDisjoint(with: [.alt, .control]) else {
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return KeyPress(.character(lower.count == 1 ? lower.first ?? scalar : scalar), modifiers)
    }
    guard modifiers.contains(.shift) else { return KeyPress(.character(scalar), []) }
    modifiers.remove(.shift)
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    return KeyPress(.character(upper.count == 1 ? upper.first ?? scalar : scalar), modifiers)
}

private let keypad: [Unicode.Scalar] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "/", "*", "-", "+",
    // The place of Enter, which is told before.
    " ", "=", ",",
]
private let keypadKeys: [Key] = [
    .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
]

/// A key by the number before `~`.
private func numberedKey(_ number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    // 29 is also the menu key.
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
}

/// A key by the letter that ends its sequence, behind CSI and SS3.
private func letteredKey(_ letter: UInt8) -> Key? {
    switch letter {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    case 0x50...0x53: .function(Int(letter) - 0x4F)
    default: nil
    }
}

/// A key behind `ESC O`, with the digits in between; nil where it means nothing.
func singleShiftKey(_ letter: UInt8, modifiers digits: [UInt8]) -> KeyPress? {
    let number = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    guard let modifiers = held(number) else { return nil }
    if let key = letteredKey(letter) { return KeyPress(key, modifiers) }
    switch letter {
    case 0x4D: return KeyPress(.enter, modifiers)
    case 0x49: return KeyPress(.tab, modifiers)
    case 0x20, 0x58: return KeyPress(.character(letter == 0x58 ? "=" : " "), modifiers)
    // The keypad in its application mode: * + , - . / and the digits.
    case 0x6A...0x79: return KeyPress(.character(Unicode.Scalar(letter - 0x40)), modifiers)
    default: return nil
    }
}

/// A key that comes as one byte below 128.
func controlKey(_ byte: UInt8) -> KeyPress {
    switch byte {
    case 0x00: KeyPress(.character(" "), .control)
    case 0x08, 0x7F: KeyPress(.backspace)
    case 0x09: KeyPress(.tab)
    case 0x0D: KeyPress(.enter)
    case 0x1B: KeyPress(.escape)
    case 0x01...0x1A: KeyPress(.character(Unicode.Scalar(byte + 0x60)), .control)
    case 0x1C...0x1F: KeyPress(.character(Unicode.Scalar(byte + 0x40)), .control)
    default: KeyPress(.character(Unicode.Scalar(byte)))
    }
}

/// What an operating system command from the terminal answers.
func commandReply(_ content: [UInt8]) -> TerminalReply {
    let text = String(decoding: content, as: UTF8.self)
    let words = text.split(separator: ";", maxSplits: 1)
    guard words.count == 2, words[0] == "11", let color = colorComponents(words[1]) else {
        return .other
    }
    return .background(color[0], color[1], color[2])
}

/// Red, green and blue of `rgb:R/G/B` (one to four digits each), `rgba:…` and `#RRGGBB`.
private func colorComponents(_ text: Substring) -> [UInt8]? {
    var parts: [Substring] = []
    if text.hasPrefix("#"), text.utf8.count == 7 {
        let digits = Array(text.dropFirst())
        guard digits.count == 6 else { return nil }
        parts = [0, 2, 4].map { Substring(digits[$0...$0 + 1]) }
    } else if text.hasPrefix("rgb:") || text.hasPrefix("rgba:") {
        parts = text.drop { $0 != ":" }.dropFirst().split(separator: "/")
    }
    guard parts.count >= 3 else { return nil }
    let values = parts.prefix(3).compactMap { part -> UInt8? in
        guard (1...4).contains(part.utf8.count), let value = UInt32(part, radix: 16) else {
            return nil
        }
        let highest = UInt32(1 << (part.utf8.count * 4)) - 1
        return UInt8(clamping: (value * 255 + highest / 2) / highest)
    }
    return values.count == 3 ? values : nil
}
