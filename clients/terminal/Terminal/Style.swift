// How a cell of the screen looks: colours and attributes as plain values. What a terminal can
// show of them is decided where they are written out, in FrameWriter.swift.

/// A colour of a cell.
package enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case standard
    /// One of the terminal's 256 palette entries; the first 16 follow the user's theme.
    case palette(UInt8)
    /// Red, green and blue, 0 to 255 each.
    case rgb(UInt8, UInt8, UInt8)
}

/// What a cell's letters look like, apart from their colour.
package struct Attributes: OptionSet, Hashable, Sendable {
    /// One bit for each.
    package let rawValue: UInt8

    /// Wraps bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Heavier letters.
    package static let bold = Attributes(rawValue: 1)
    /// Fainter letters.
    package static let dim = Attributes(rawValue: 2)
    /// Slanted letters.
    package static let italic = Attributes(rawValue: 4)
    /// A line below.
    package static let underline = Attributes(rawValue: 8)
    /// Foreground and background in each other's place.
    package static let reverse = Attributes(rawValue: 16)
    /// A line through the middle.
    package static let strikethrough = Attributes(rawValue: 32)
}

/// Colours and attributes of a cell.
package struct Style: Hashable, Sendable {
    /// The colour of letters.
    package var foreground = Color.standard
    /// The colour behind them.
    package var background = Color.standard
    /// What else is done to letters.
    package var attributes: Attributes = []

    /// Joins colours and attributes.
    package init(
        foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours, no attribute.
    package static let plain = Style()
}
