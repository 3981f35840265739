// What comes from the terminal, as plain values. Bytes become these in InputDecoder.swift.
// What a key means is the application's business.

/// The keys held down with another.
package struct Modifiers: OptionSet, Hashable, Sendable {
    /// One bit for each.
    package let rawValue: UInt8

    /// Wraps bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The shift key.
    package static let shift = Modifiers(rawValue: 1)
    /// The alt or meta key.
    package static let alt = Modifiers(rawValue: 2)
    /// The control key.
    package static let control = Modifiers(rawValue: 4)
}

/// A key, as far as a terminal tells it from others.
package enum Key: Hashable, Sendable {
    /// A printable character as it was typed, space among them; with control or alt, the letter
    /// in lower case.
    case character(Unicode.Scalar)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F12, and further ones where a terminal has them.
    case function(Int)
}

/// A key that was pressed.
package struct KeyPress: Hashable, Sendable {
    /// The key itself.
    package var key: Key
    /// What was held down with it.
    package var modifiers: Modifiers

    /// Joins a key with what was held down.
    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// What a mouse did.
package struct MouseEvent: Hashable, Sendable {
    /// What happened.
    package enum Kind: Hashable, Sendable {
        case pressed(Button)
        /// Moved with a button held down.
        case dragged(Button)
        case released
        /// Moved with none.
        case moved
        case wheelUp, wheelDown, wheelLeft, wheelRight
    }

    /// A button.
    package enum Button: Hashable, Sendable {
        case left, middle, right
    }

    /// What the mouse did.
    package var kind: Kind
    /// Over which cell.
    package var place: Point
    /// What was held down meanwhile.
    package var modifiers: Modifiers

    /// Joins what happened with where.
    package init(_ kind: Kind, at place: Point, _ modifiers: Modifiers = []) {
        self.kind = kind
        self.place = place
        self.modifiers = modifiers
    }
}

/// What comes from the terminal.
package enum InputEvent: Hashable, Sendable {
    case key(KeyPress)
    case mouse(MouseEvent)
    /// A bracketed paste, whole: never keys.
    ///
    /// The bytes are as they came, at most the decoder's limit; `isCut` where there were more.
    case pasted([UInt8], isCut: Bool)
    case focusGained
    case focusLost
    /// The terminal answers a question about itself.
    case replied(TerminalReply)
}

/// An answer of the terminal.
package enum TerminalReply: Hashable, Sendable {
    /// Where the cursor is; answers `CSI 6 n`.
    case cursor(Point)
    /// Primary device attributes; answers `CSI c`, after everything asked before.
    case attributes([Int])
    /// The background's colour; answers `OSC 11 ; ?`.
    case background(UInt8, UInt8, UInt8)
    /// The kitty keyboard flags; answers `CSI ? u`.
    case keyboard(Int)
    /// Anything else that was recognised as an answer and means nothing here.
    case other
}
