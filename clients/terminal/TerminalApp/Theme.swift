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

    /// The theme of a set of colours; stripes and the cursor's row follow the background.
    private static func colored(_ colors: Colors, _ background: Background) -> Theme {
        var theme = Theme()
        theme.hasColors = true
        theme.faint = Style(foreground: colors.faint)
        theme.title = colors.title
        theme.titleWarning = colors.title
        theme.titleWarning.foreground = colors.titleWarning
        theme.header = colors.header
        theme.header.attributes = .bold
        theme.headerHere = colors.headerHere
        theme.headerHere.attributes = .bold
        theme.gutter = theme.faint
        theme.gutterHere = Style(foreground: colors.gutterHere)
        theme.stripe.background = background.shifted(by: colors.stripeStep)
        theme.cursorRow.background = background.shifted(by: colors.cursorRowStep)
        theme.cursor = colors.cursor
        theme.chosen = colors.chosen
        theme.match = colors.match
        theme.editor = colors.editor
        theme.editorSelection = Colors.pair(.rgb(255, 255, 255), .rgb(40, 90, 180))
        theme.banner = colors.banner
        theme.warning = colors.warning
        theme.box = colors.box
        theme.boxChosen = colors.boxChosen
        theme.people = colors.people.map { Colors.pair(colors.peopleLetters, $0) }
        return theme
    }

    static func dark(_ background: Background) -> Theme { colored(.onDark, background) }

    static func light(_ background: Background) -> Theme { colored(.onLight, background) }
}

/// The colours in which a dark and a light theme differ.
private struct Colors {
    let faint: Color
    let title: Style
    let titleWarning: Color
    let header: Style
    let headerHere: Style
    let gutterHere: Color
    let stripeStep: Int
    let cursorRowStep: Int
    let cursor: Style
    let chosen: Style
    let match: Style
    let editor: Style
    let banner: Style
    let warning: Style
    let box: Style
    let boxChosen: Style
    let people: [Color]
    let peopleLetters: Color

    static func pair(_ foreground: Color, _ background: Color) -> Style {
        Style(foreground: foreground, background: background)
    }

    static let onDark = Colors(
        faint: .rgb(160, 160, 168),
        title: pair(.rgb(222, 228, 240), .rgb(38, 50, 70)),
        titleWarning: .rgb(255, 205, 130),
        header: pair(.rgb(225, 225, 230), .rgb(48, 48, 58)),
        headerHere: pair(.rgb(255, 255, 255), .rgb(72, 84, 110)),
        gutterHere: .rgb(255, 215, 130),
        stripeStep: 9, cursorRowStep: 26,
        cursor: pair(.rgb(0, 0, 0), .rgb(110, 185, 255)),
        chosen: pair(.rgb(240, 244, 250), .rgb(30, 64, 110)),
        match: pair(.rgb(255, 255, 230), .rgb(104, 84, 0)),
        editor: pair(.rgb(0, 0, 0), .rgb(250, 248, 238)),
        banner: pair(.rgb(255, 245, 235), .rgb(120, 52, 0)),
        warning: pair(.rgb(255, 255, 255), .rgb(140, 22, 34)),
        box: pair(.rgb(226, 229, 236), .rgb(36, 40, 50)),
        boxChosen: pair(.rgb(255, 255, 255), .rgb(66, 92, 140)),
        people: [
            .rgb(235, 125, 125), .rgb(120, 205, 125), .rgb(225, 195, 95), .rgb(125, 175, 245),
            .rgb(215, 140, 225), .rgb(105, 210, 210), .rgb(245, 165, 95), .rgb(190, 190, 130),
        ],
        peopleLetters: .rgb(0, 0, 0))

    static let onLight = Colors(
        faint: .rgb(96, 96, 104),
        title: pair(.rgb(255, 255, 255), .rgb(58, 78, 112)),
        titleWarning: .rgb(255, 225, 160),
        header: pair(.rgb(24, 24, 30), .rgb(218, 221, 228)),
        headerHere: pair(.rgb(0, 0, 0), .rgb(178, 194, 222)),
        gutterHere: .rgb(110, 66, 0),
        stripeStep: 8, cursorRowStep: 22,
        cursor: pair(.rgb(255, 255, 255), .rgb(20, 84, 160)),
        chosen: pair(.rgb(0, 0, 0), .rgb(186, 212, 246)),
        match: pair(.rgb(0, 0, 0), .rgb(255, 226, 110)),
        editor: pair(.rgb(0, 0, 0), .rgb(255, 250, 214)),
        banner: pair(.rgb(60, 26, 0), .rgb(255, 216, 168)),
        warning: pair(.rgb(255, 255, 255), .rgb(170, 24, 36)),
        box: pair(.rgb(20, 22, 28), .rgb(236, 239, 245)),
        boxChosen: pair(.rgb(255, 255, 255), .rgb(52, 88, 150)),
        people: [
            .rgb(165, 30, 30), .rgb(18, 105, 30), .rgb(116, 78, 0), .rgb(24, 74, 170),
            .rgb(130, 30, 140), .rgb(0, 94, 100), .rgb(156, 66, 0), .rgb(84, 84, 20),
        ],
        peopleLetters: .rgb(255, 255, 255))
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
