// The colours of every part of the screen, in four themes. Where nothing is known of the
// terminal's background its own colours are kept; a test holds the pairs of the light and the
// dark theme to a contrast that can be read.
import Terminal

/// The colours of every part of the screen.
struct Theme: Hashable, Sendable {
    /// A background that the terminal has told of.
    struct Background: Hashable, Sendable {
        let red: UInt8
        let green: UInt8
        let blue: UInt8

        var isDark: Bool { Int(red) * 3 + Int(green) * 6 + Int(blue) < 1_280 }

        /// A colour that is a little further from black or from white.
        func shifted(by step: Int) -> Color {
            let signed = isDark ? step : -step
            func shift(_ part: UInt8) -> UInt8 { UInt8(max(0, min(255, Int(part) + signed))) }
            return .rgb(shift(red), shift(green), shift(blue))
        }
    }

    var text = Style.plain
    var faint = Style(attributes: .dim)
    var title = Style(attributes: .reverse)
    var titleWarning = Style(attributes: [.reverse, .bold])
    var header = Style(attributes: [.bold, .underline])
    var headerHere = Style(attributes: [.bold, .reverse])
    var gutter = Style(attributes: .dim)
    var gutterHere = Style(attributes: .bold)
    var stripe = Style.plain
    var cursorRow = Style.plain
    var cursor = Style(attributes: .reverse)
    var chosen = Style(attributes: [.bold, .underline])
    var match = Style(attributes: [.bold, .underline])
    var editor = Style(attributes: .underline)
    var editorSelection = Style(attributes: .reverse)
    var banner = Style(attributes: [.bold, .reverse])
    var warning = Style(attributes: [.bold, .reverse])
    var box = Style.plain
    var boxChosen = Style(attributes: .reverse)
    /// For the people at the table, as a background with letters on it.
    var people = [Style](
        repeating: Style(attributes: .reverse), count: People.colorCount)
    /// False where nothing is told by colour, so that signs must tell it.
    var hasColors = false

    /// Attributes alone.
    static let none = Theme()

    /// The colours for a choice, by what the terminal has told.
    static func chosen(_ choice: ThemeChoice, _ background: Background?) -> Theme {
        switch choice {
        case .none: return .none
        case .dark: return dark(background ?? Background(red: 18, green: 18, blue: 18))
        case .light: return light(background ?? Background(red: 255, green: 255, blue: 255))
        case .automatic:
            guard let background else { return careful }
            return background.isDark ? dark(background) : light(background)
        }
    }

    /// The palette of the user's own, on whatever background.
    private static let careful: Theme = {
        var theme = Theme()
        theme.hasColors = true
        theme.chosen = Style(foreground: .palette(15), background: .palette(4))
        theme.match = Style(foreground: .palette(0), background: .palette(3))
        theme.editor = Style(attributes: [.underline, .bold])
        theme.banner = Style(foreground: .palette(0), background: .palette(3))
        theme.warning = Style(foreground: .palette(15), background: .palette(1), attributes: .bold)
        theme.people = [1, 2, 3, 4, 5, 6, 8, 12].map {
            Style(
                foreground: $0 == 2 || $0 == 3 || $0 == 6 ? .palette(0) : .palette(15),
                background: .palette($0))
        }
        return theme
    }()

    private static func style(_ foreground: Color, on background: Color = .standard) -> Style {
        Style(foreground: foreground, background: background)
    }

    static func dark(_ background: Background) -> Theme {
        var theme = Theme()
        theme.hasColors = true
        theme.faint = style(.rgb(160, 160, 168))
        theme.title = style(.rgb(222, 228, 240), on: .rgb(38, 50, 70))
        theme.titleWarning = style(.rgb(255, 205, 130), on: .rgb(38, 50, 70))
        theme.header = style(.rgb(225, 225, 230), on: .rgb(48, 48, 58))
        theme.header.attributes = .bold
        theme.headerHere = style(.rgb(255, 255, 255), on: .rgb(72, 84, 110))
        theme.headerHere.attributes = .bold
        theme.gutter = style(.rgb(160, 160, 168))
        theme.gutterHere = style(.rgb(255, 215, 130))
        theme.stripe.background = background.shifted(by: 9)
        theme.cursorRow.background = background.shifted(by: 26)
        theme.cursor = style(.rgb(0, 0, 0), on: .rgb(110, 185, 255))
        theme.chosen = style(.rgb(240, 244, 250), on: .rgb(30, 64, 110))
        theme.match = style(.rgb(255, 255, 230), on: .rgb(104, 84, 0))
        theme.editor = style(.rgb(0, 0, 0), on: .rgb(250, 248, 238))
        theme.editorSelection = style(.rgb(255, 255, 255), on: .rgb(40, 90, 180))
        theme.banner = style(.rgb(255, 245, 235), on: .rgb(120, 52, 0))
        theme.warning = style(.rgb(255, 255, 255), on: .rgb(140, 22, 34))
        theme.box = style(.rgb(226, 229, 236), on: .rgb(36, 40, 50))
        theme.boxChosen = style(.rgb(255, 255, 255), on: .rgb(66, 92, 140))
        theme.people = [
            (235, 125, 125), (120, 205, 125), (225, 195, 95), (125, 175, 245), (215, 140, 225),
            (105, 210, 210), (245, 165, 95), (190, 190, 130),
        ].map { style(.rgb(0, 0, 0), on: .rgb($0.0, $0.1, $0.2)) }
        return theme
    }

    static func light(_ background: Background) -> Theme {
        var theme = Theme()
        theme.hasColors = true
        theme.faint = style(.rgb(96, 96, 104))
        theme.title = style(.rgb(255, 255, 255), on: .rgb(58, 78, 112))
        theme.titleWarning = style(.rgb(255, 225, 160), on: .rgb(58, 78, 112))
        theme.header = style(.rgb(24, 24, 30), on: .rgb(218, 221, 228))
        theme.header.attributes = .bold
        theme.headerHere = style(.rgb(0, 0, 0), on: .rgb(178, 194, 222))
        theme.headerHere.attributes = .bold
        theme.gutter = style(.rgb(96, 96, 104))
        theme.gutterHere = style(.rgb(110, 66, 0))
        theme.stripe.background = background.shifted(by: 8)
        theme.cursorRow.background = background.shifted(by: 22)
        theme.cursor = style(.rgb(255, 255, 255), on: .rgb(20, 84, 160))
        theme.chosen = style(.rgb(0, 0, 0), on: .rgb(186, 212, 246))
        theme.match = style(.rgb(0, 0, 0), on: .rgb(255, 226, 110))
        theme.editor = style(.rgb(0, 0, 0), on: .rgb(255, 250, 214))
        theme.editorSelection = style(.rgb(255, 255, 255), on: .rgb(40, 90, 180))
        theme.banner = style(.rgb(60, 26, 0), on: .rgb(255, 216, 168))
        theme.warning = style(.rgb(255, 255, 255), on: .rgb(170, 24, 36))
        theme.box = style(.rgb(20, 22, 28), on: .rgb(236, 239, 245))
        theme.boxChosen = style(.rgb(255, 255, 255), on: .rgb(52, 88, 150))
        theme.people = [
            (165, 30, 30), (18, 105, 30), (116, 78, 0), (24, 74, 170), (130, 30, 140), (0, 94, 100),
            (156, 66, 0), (84, 84, 20),
        ].map { style(.rgb(255, 255, 255), on: .rgb($0.0, $0.1, $0.2)) }
        return theme
    }
}

extension Style {
    /// The style with what another says laid over it.
    func under(_ other: Style) -> Style {
        var style = self
        if other.foreground != .standard { style.foreground = other.foreground }
        if other.background != .standard { style.background = other.background }
        style.attributes.formUnion(other.attributes)
        return style
    }
}
