// Bytes from the terminal become events, byte by byte: however they are cut into reads, the
// events are the same. It knows no clock: whoever reads waits `waitMilliseconds` for more bytes and
// then calls `timedOut`. Sequences nobody knows are swallowed to their end, never typed.
// What the sequences mean is in ControlSequence.swift.

/// Decodes what comes from a terminal.
///
/// An Esc with a key right behind it is two keys, Esc and that key: whoever leaves an editor and
/// moves on at once does not mean Alt. `readsAltFromEscape` says otherwise, and of Enter alone
/// `readsAltEnterFromEscape`, for as long as they are set; Alt
/// with keys that have sequences of their own, such as the arrows, is told always.
package struct InputDecoder: Sendable {
    /// True where Esc and a character right behind it mean the character with Alt.
    package var readsAltFromEscape = false
    /// True where Esc and Enter right behind it mean Alt-Enter, whatever Esc and a letter mean.
    package var readsAltEnterFromEscape = false
    /// How long a lone Esc is waited on; 25 for a terminal at hand, 50 over a network.
    package var escapeMilliseconds = 25

    private let pasteBytesMax: Int
    private var state = State.ground
    /// The sequence under way, without its introducer; what is too much is left out.
    private var content: [UInt8] = []
    /// How many bytes of the sequence were swallowed.
    private var swallowed = 0

    private enum State: Sendable {
        case ground
        /// Within a character of several bytes; how many are to come.
        case character(missing: Int)
        case escape
        case control
        /// Behind `CSI [`, as the Linux console spells F1 to F5.
        case consoleFunction
        /// Behind `ESC O`.
        case single
        /// Within OSC, DCS, SOS, PM or APC, by the byte that introduced it.
        case string(UInt8)
        /// An Esc within such a string.
        case stringEscape(UInt8)
        /// The three bytes of an old mouse report, which is never asked for.
        case oldMouse(missing: Int)
        /// Within a paste; how much of its end is there.
        case paste(matched: Int)
    }

    /// The most bytes that are kept of a control sequence, and of a string.
    private static let controlBytesMax = 64
    private static let stringBytesMax = 1_024
    /// The most bytes of a string that are swallowed.
    private static let swallowedBytesMax = 1 << 20
    /// How long the rest of a sequence is waited on.
    private static let sequenceMilliseconds = 1_000
    private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

    /// Makes a decoder; of a paste the first `pasteBytesMax` bytes are kept.
    package init(pasteBytesMax: Int = 4 << 20) {
        self.pasteBytesMax = pasteBytesMax
    }

    /// Takes bytes as they were read, and appends what they mean.
    ///
    /// Complexity: linear in the bytes.
    package mutating func take(
        _ bytes: some Sequence<UInt8>, into events: inout [InputEvent]
    ) {
        for byte in bytes { take(byte, into: &events) }
    }

    /// How long to wait for more bytes before `timedOut` is to be called; nil where nothing is
    /// waited for.
    ///
    /// A paste is waited for without end: its rest must never be taken for keys.
    package var waitMilliseconds: Int? {
        switch state {
        case .ground, .paste: nil
        case .escape: escapeMilliseconds
        case .control, .single, .string, .stringEscape:
            content.isEmpty && swallowed == 0
                ? escapeMilliseconds : InputDecoder.sequenceMilliseconds
        case .character, .consoleFunction, .oldMouse: InputDecoder.sequenceMilliseconds
        }
    }

    /// True where something is waited for.
    package var isWaiting: Bool { waitMilliseconds != nil }

    /// Gives up waiting: what was an Esc and a key becomes these two, what was the beginning of
    /// a longer sequence is dropped.
    package mutating func timedOut(into events: inout [InputEvent]) {
        let isShort = content.isEmpty && swallowed == 0
        switch state {
        case .ground, .paste: return
        case .escape: append(.escape, to: &events)
        case .control where isShort: escapeAndKey(0x5B, into: &events)
        case .single where isShort: escapeAndKey(0x4F, into: &events)
        case .string(let introducer) where isShort, .stringEscape(let introducer) where isShort:
            escapeAndKey(introducer, into: &events)
            if case .stringEscape = state { append(.escape, to: &events) }
        case .character: append(.character("\u{FFFD}"), to: &events)
        default: break
        }
        begin(.ground)
    }

    private mutating func take(_ byte: UInt8, into events: inout [InputEvent]) {
        switch state {
        case .ground: takeGround(byte, into: &events)
        case .character(let missing): takeCharacter(byte, missing, into: &events)
        case .escape: takeEscape(byte, into: &events)
        case .control: takeControl(byte, into: &events)
        case .single: takeSingle(byte, into: &events)
        case .string, .stringEscape: takeString(byte, into: &events)
        case .paste(let matched): takePaste(byte, matched, into: &events)
        case .consoleFunction:
            begin(.ground)
            if (0x41...0x45).contains(byte) {
                append(.function(Int(byte) - 0x40), to: &events)
            } else if byte < 0x20 {
                takeGround(byte, into: &events)
            }
        case .oldMouse(let missing):
            begin(missing > 1 ? .oldMouse(missing: missing - 1) : .ground)
            if byte == 0x1B { begin(.escape) }
        }
    }

    private mutating func begin(_ next: State) {
        content.removeAll(keepingCapacity: content.capacity <= 1 << 16)
        swallowed = 0
        state = next
    }

    private func append(
        _ key: Key, _ modifiers: Modifiers = [], to events: inout [InputEvent]
    ) {
        events.append(.key(KeyPress(key, modifiers)))
    }

    private mutating func takeGround(_ byte: UInt8, into events: inout [InputEvent]) {
        switch byte {
        case 0x1B: begin(.escape)
        case 0x00...0x1F, 0x7F: events.append(.key(controlKey(byte)))
        case 0x20..<0x7F: append(.character(Unicode.Scalar(byte)), to: &events)
        case 0xC2...0xDF: beginCharacter(byte, missing: 1)
        case 0xE0...0xEF: beginCharacter(byte, missing: 2)
        case 0xF0...0xF4: beginCharacter(byte, missing: 3)
        default: append(.character("\u{FFFD}"), to: &events)
        }
    }

    private mutating func beginCharacter(_ byte: UInt8, missing: Int) {
        begin(.character(missing: missing))
        content.append(byte)
    }

    private mutating func takeCharacter(
        _ byte: UInt8, _ missing: Int, into events: inout [InputEvent]
    ) {
        guard isContinuation(byte) else {
            begin(.ground)
            append(.character("\u{FFFD}"), to: &events)
            return takeGround(byte, into: &events)
        }
        content.append(byte)
        guard missing == 1 else {
            state = .character(missing: missing - 1)
            return
        }
        let scalar = String(decoding: content, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
        begin(.ground)
        // Control characters above U+007F are no keys.
        if scalar.value >= 0xA0 { append(.character(scalar), to: &events) }
    }

    /// True where the byte may follow in the character under way, by table 3-7 of the Unicode
    /// Standard.
    private func isContinuation(_ byte: UInt8) -> Bool {
        guard content.count == 1, let first = content.first else {
            return (0x80...0xBF).contains(byte)
        }
        switch first {
        case 0xE0: return (0xA0...0xBF).contains(byte)
        case 0xED: return (0x80...0x9F).contains(byte)
        case 0xF0: return (0x90...0xBF).contains(byte)
        case 0xF4: return (0x80...0x8F).contains(byte)
        default: return (0x80...0xBF).contains(byte)
        }
    }

    private mutating func takeEscape(_ byte: UInt8, into events: inout [InputEvent]) {
        switch byte {
        case 0x5B: begin(.control)
        case 0x4F: begin(.single)
        case 0x50, 0x58, 0x5D, 0x5E, 0x5F: begin(.string(byte))
        case 0x1B: append(.escape, to: &events)
        default: escapeAndKey(byte, into: &events)
        }
    }

    /// An Esc and the key behind it.
    private mutating func escapeAndKey(_ byte: UInt8, into events: inout [InputEvent]) {
        begin(.ground)
        let isAlt = readsAltFromEscape || (readsAltEnterFromEscape && byte == 0x0D)
        guard isAlt, byte < 0x80 else {
            append(.escape, to: &events)
            return takeGround(byte, into: &events)
        }
        var press = controlKey(byte)
        if case .character(let scalar) = press.key {
            press.key = .character(
                scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
        }
        press.modifiers.insert(.alt)
        events.append(.key(press))
    }

    private mutating func takeControl(_ byte: UInt8, into events: inout [InputEvent]) {
        switch byte {
        case 0x20...0x3F:
            if content.count < InputDecoder.controlBytesMax { content.append(byte) }
            swallowed += 1
            // Longer than any sequence: no terminal sent this.
            if swallowed > InputDecoder.stringBytesMax { begin(.ground) }
        case 0x5B where content.isEmpty: begin(.consoleFunction)
        case 0x40...0x7E:
            let isWhole = swallowed == content.count
            let sequence = ControlSequence(content, final: byte)
            begin(.ground)
            if isWhole { takeWhole(sequence, into: &events) }
        case 0x1B: begin(.escape)
        case 0x18, 0x1A: begin(.ground)
        default:
            begin(.ground)
            takeGround(byte, into: &events)
        }
    }

    private mutating func takeWhole(_ sequence: ControlSequence, into events: inout [InputEvent]) {
        if sequence.isPasteStart {
            begin(.paste(matched: 0))
        } else if sequence.isOldMouse {
            begin(.oldMouse(missing: 3))
        } else if let event = sequence.event {
            events.append(event)
        }
    }

    private mutating func takeSingle(_ byte: UInt8, into events: inout [InputEvent]) {
        switch byte {
        case 0x30...0x39 where content.count < 4: content.append(byte)
        case 0x1B: begin(.escape)
        case 0x20...0x7E:
            let press = singleShiftKey(byte, modifiers: content)
            begin(.ground)
            if let press { events.append(.key(press)) }
        default:
            begin(.ground)
            takeGround(byte, into: &events)
        }
    }

    private mutating func takeString(_ byte: UInt8, into events: inout [InputEvent]) {
        switch state {
        case .stringEscape(let introducer):
            if byte == 0x5C { return endString(introducer, into: &events) }
            // An Esc that ends no string begins something new.
            begin(.escape)
            takeEscape(byte, into: &events)
        case .string(let introducer):
            switch byte {
            case 0x1B: state = .stringEscape(introducer)
            case 0x07 where introducer == 0x5D: endString(introducer, into: &events)
            case 0x18, 0x1A: begin(.ground)
            default:
                swallowed += 1
                if content.count < InputDecoder.stringBytesMax { content.append(byte) }
                if swallowed > InputDecoder.swallowedBytesMax { begin(.ground) }
            }
        default: begin(.ground)
        }
    }

    private mutating func endString(_ introducer: UInt8, into events: inout [InputEvent]) {
        let reply = introducer == 0x5D ? commandReply(content) : .other
        begin(.ground)
        events.append(.replied(reply))
    }

    private mutating func takePaste(
        _ byte: UInt8, _ matched: Int, into events: inout [InputEvent]
    ) {
        let end = InputDecoder.pasteEnd
        if byte == end[matched] {
            guard matched + 1 == end.count else {
                state = .paste(matched: matched + 1)
                return
            }
            let isCut = swallowed > content.count
            events.append(.pasted(content, isCut: isCut))
            return begin(.ground)
        }
        for held in end[..<matched] { keepPasted(held) }
        // The end begins with an Esc and has no other.
        if byte == 0x1B {
            state = .paste(matched: 1)
        } else {
            keepPasted(byte)
            state = .paste(matched: 0)
        }
    }

    private mutating func keepPasted(_ byte: UInt8) {
        swallowed += 1
        if content.count < pasteBytesMax { content.append(byte) }
    }
}
