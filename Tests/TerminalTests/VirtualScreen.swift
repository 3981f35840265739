// A small terminal for tests: it takes the bytes that are written and holds the grid that results,
// with the width of each doubtful cluster as one kind of terminal or another has it. It judges
// widths character by character, as terminals do, and shares no rule with the code under test but
// the table of wide characters.
import CharacterWidth

@testable import Terminal

/// How a terminal measures what terminals disagree about.
struct Personality: Equatable {
    /// An emoji behind U+200D joins what is before it.
    var joins = true
    var tonesJoin = true
    var flagsJoin = true
    var emojiStyleWidens = true
    var keycapWidens = true
    var textStyleNarrows = false
    var conjunctsJoin = false
    var spacingMark = 1
    var indicator = 1
    var privateUse = 1
    var ambiguous = 1
    var widened = 1
    /// The vowels and final consonants of Hangul.
    var hangulTail = 0
    /// Emoji of Unicode 14, 15, 16, 17; nothing is drawn where it is 0.
    var unknown = [2, 2, 2, 2]

    static let modern = Personality(conjunctsJoin: true, spacingMark: 0, widened: 2)
    static let summing = Personality(
        joins: false, tonesJoin: false, flagsJoin: false, emojiStyleWidens: false,
        keycapWidens: false, unknown: [2, 1, 1, 1])
    static let tmux33 = Personality(
        tonesJoin: false, emojiStyleWidens: false, keycapWidens: false, unknown: [2, 0, 0, 0])
    static let oldLibrary = Personality(
        joins: false, tonesJoin: false, emojiStyleWidens: false, keycapWidens: false,
        hangulTail: 1, unknown: [1, 1, 1, 1])
    static let eastAsian = Personality(
        spacingMark: 0, indicator: 2, privateUse: 2, ambiguous: 2, unknown: [2, 2, 0, 0])
    static let narrowing = Personality(
        emojiStyleWidens: true, keycapWidens: false, textStyleNarrows: true, unknown: [0, 0, 0, 0])

    static let named: [Personality] = [
        .modern, .summing, .tmux33, .oldLibrary, .eastAsian, .narrowing,
    ]

    /// One of all that can be made of the choices.
    static func random(_ random: inout Random) -> Personality {
        Personality(
            joins: random.bool(), tonesJoin: random.bool(), flagsJoin: random.bool(),
            emojiStyleWidens: random.bool(), keycapWidens: random.bool(),
            textStyleNarrows: random.bool(), conjunctsJoin: random.bool(),
            spacingMark: random.below(2), indicator: 1 + random.below(2),
            privateUse: 1 + random.below(2), ambiguous: 1 + random.below(2),
            widened: 1 + random.below(2), hangulTail: random.below(3),
            unknown: (0..<4).map { _ in random.below(3) })
    }
}

/// A cell as the terminal shows it.
struct ScreenCell: Equatable {
    var text = " "
    var style = Style.plain
    /// 0 for the second half of a wide cluster.
    var width = 1
}

/// A terminal.
struct VirtualScreen {
    let size: Size
    let personality: Personality
    private(set) var cells: [ScreenCell]
    private(set) var cursor = Point(x: 0, y: 0)
    private(set) var isCursorShown = true
    /// What the terminal answers.
    private(set) var answers: [UInt8] = []
    /// Strings and sequences that a frame has no use for: titles, the clipboard.
    private(set) var oddities: [String] = []
    /// How often text went on in the next line by itself.
    private(set) var wrapCount = 0
    private(set) var frameDepth = 0

    private var style = Style.plain
    private var wraps = false
    /// Where the last character went; nil once the cursor was moved.
    private var last: Point?
    private var lastScalar: Unicode.Scalar = " "

    init(size: Size, personality: Personality) {
        self.size = size
        self.personality = personality
        cells = Array(repeating: ScreenCell(), count: size.width * size.height)
    }

    subscript(x: Int, y: Int) -> ScreenCell { cells[y * size.width + x] }

    /// The lines, without blanks at their ends.
    var text: String {
        (0..<size.height).map { y in
            var line = (0..<size.width).map { self[$0, y].text }.joined()
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    mutating func takeAnswers() -> [UInt8] {
        defer { answers = [] }
        return answers
    }

    /// Takes bytes, which must be whole sequences and valid text.
    mutating func apply(_ bytes: [UInt8]) {
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "\u{1B}" else {
                if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                    oddities.append("control \(scalar.value)")
                } else {
                    draw(scalar)
                }
                continue
            }
            switch scalars.popFirst() {
            case "[": control(&scalars)
            case "]", "P", "_", "^", "X": string(&scalars)
            case "\\": break
            case let other: oddities.append("escape \(other.map(String.init) ?? "cut")")
            }
        }
    }

    private mutating func string(_ scalars: inout Substring.UnicodeScalarView) {
        var content = ""
        while let scalar = scalars.popFirst() {
            if scalar == "\u{1B}" { break }
            content.unicodeScalars.append(scalar)
        }
        if scalars.popFirst() != "\\" { oddities.append("a string without end") }
        if content == "11;?" {
            answers += "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\".utf8
        } else {
            oddities.append(content)
        }
    }

    private mutating func control(_ scalars: inout Substring.UnicodeScalarView) {
        var content = ""
        var final: Unicode.Scalar = "\0"
        while let scalar = scalars.popFirst() {
            if (0x40...0x7E).contains(scalar.value) {
                final = scalar
                break
            }
            content.unicodeScalars.append(scalar)
        }
        let numbers = content.split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        func number(_ index: Int) -> Int {
            max(1, index < numbers.count ? numbers[index] : 1)
        }
        switch (final, content) {
        case ("H", _):
            cursor.y = min(number(0), size.height) - 1
            cursor.x = min(number(1), size.width) - 1
            last = nil
        case ("G", _):
            cursor.x = min(number(0), size.width) - 1
            last = nil
        case ("J", "2"): for index in cells.indices { cells[index] = ScreenCell() }
        case ("K", ""):
            for x in cursor.x..<size.width { clear(x, cursor.y) }
        case ("m", _): setStyle(numbers)
        case ("n", "6"):
            let column = min(cursor.x, size.width - 1) + 1
            answers += "\u{1B}[\(cursor.y + 1);\(column)R".utf8
        case ("c", ""): answers += "\u{1B}[?62;4c".utf8
        case ("h", "?25"), ("l", "?25"): isCursorShown = final == "h"
        case ("h", "?2026"): frameDepth += 1
        case ("l", "?2026"): frameDepth -= 1
        case ("h", "?7"), ("l", "?7"): wraps = final == "h"
        case ("u", "?"): break
        default: oddities.append("control \(content)\(final)")
        }
    }

    private mutating func setStyle(_ numbers: [Int]) {
        var rest = numbers[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: style = .plain
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 3: style.attributes.insert(.italic)
            case 4: style.attributes.insert(.underline)
            case 7: style.attributes.insert(.reverse)
            case 9: style.attributes.insert(.strikethrough)
            case 22: style.attributes.subtract([.bold, .dim])
            case 23: style.attributes.remove(.italic)
            case 24: style.attributes.remove(.underline)
            case 27: style.attributes.remove(.reverse)
            case 29: style.attributes.remove(.strikethrough)
            case 30...37: style.foreground = .palette(UInt8(code - 30))
            case 40...47: style.background = .palette(UInt8(code - 40))
            case 90...97: style.foreground = .palette(UInt8(code - 82))
            case 100...107: style.background = .palette(UInt8(code - 92))
            case 38: style.foreground = color(&rest)
            case 48: style.background = color(&rest)
            case 39: style.foreground = .standard
            case 49: style.background = .standard
            default: oddities.append("style \(code)")
            }
        }
    }

    private func color(_ rest: inout ArraySlice<Int>) -> Color {
        if rest.popFirst() == 5 { return .palette(UInt8(rest.popFirst() ?? 0)) }
        let parts = (0..<3).map { _ in UInt8(rest.popFirst() ?? 0) }
        return .rgb(parts[0], parts[1], parts[2])
    }
}

// How characters get into cells.
extension VirtualScreen {
    private mutating func draw(_ scalar: Unicode.Scalar) {
        defer { lastScalar = scalar }
        if isJoiner(scalar) || (last != nil && joinsLast(scalar)) { return append(scalar) }
        let width = columns(scalar)
        guard width > 0 else { return }
        if cursor.x + width > size.width {
            if wraps {
                wrapCount += 1
                cursor = Point(x: 0, y: min(cursor.y + 1, size.height - 1))
            } else {
                cursor.x = max(0, size.width - width)
            }
        }
        let place = cursor
        for x in place.x..<min(size.width, place.x + width) { clear(x, place.y) }
        let index = place.y * size.width + place.x
        cells[index] = ScreenCell(text: String(Character(scalar)), style: style, width: width)
        if width == 2, place.x + 1 < size.width {
            cells[index + 1] = ScreenCell(text: "", style: style, width: 0)
        }
        last = place
        cursor.x += width
    }

    /// Blanks a cell, and the other half of what stood there.
    private mutating func clear(_ x: Int, _ y: Int) {
        let index = y * size.width + x
        if cells[index].width == 0, x > 0 {
            cells[index - 1] = ScreenCell(style: cells[index - 1].style)
        }
        if cells[index].width == 2, x + 1 < size.width {
            cells[index + 1] = ScreenCell(style: cells[index + 1].style)
        }
        cells[index] = ScreenCell(style: style)
    }

    /// True for what takes no column of its own wherever it stands.
    private func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        case .spacingMark: personality.spacingMark == 0
        default:
            ((0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FB).contains(scalar.value))
                && personality.hangulTail == 0
        }
    }

    private func joinsLast(_ scalar: Unicode.Scalar) -> Bool {
        if lastScalar == "\u{200D}", personality.joins, scalar.properties.isEmoji { return true }
        if (0x1F3FB...0x1F3FF).contains(scalar.value), personality.tonesJoin {
            return lastScalar.properties.isEmoji
        }
        if isIndicator(scalar), isIndicator(lastScalar), personality.flagsJoin, let last {
            return self[last.x, last.y].text.unicodeScalars.count == 1
        }
        return personality.conjunctsJoin && scalar.value > 0x7F
            && lastScalar.properties.canonicalCombiningClass == .virama
    }

    private func isIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private func columns(_ scalar: Unicode.Scalar) -> Int {
        let code = scalar.value
        if isIndicator(scalar) { return personality.indicator }
        if (0x1160...0x11FF).contains(code) || (0xD7B0...0xD7FB).contains(code) {
            return personality.hangulTail
        }
        if scalar.properties.generalCategory == .privateUse { return personality.privateUse }
        if (0x268A...0x268F).contains(code) { return personality.widened }
        if let age = scalar.properties.age, age.major > 13 {
            let known = personality.unknown[min(3, age.major - 14)]
            return isWide(scalar) ? known : min(1, known)
        }
        if personality.ambiguous == 2, isAmbiguous(scalar) { return 2 }
        return isWide(scalar) ? 2 : 1
    }

    /// Adds to the character before: the last one drawn, or whatever is left of the cursor.
    private mutating func append(_ scalar: Unicode.Scalar) {
        var place = last ?? Point(x: max(0, cursor.x - 1), y: cursor.y)
        if self[place.x, place.y].width == 0, place.x > 0 { place.x -= 1 }
        let index = place.y * size.width + place.x
        cells[index].text.unicodeScalars.append(scalar)
        guard last != nil, let base = cells[index].text.unicodeScalars.first else { return }
        let isFlag = isIndicator(scalar)
        let isKeycap = scalar == "\u{20E3}" && personality.keycapWidens && lastScalar == "\u{FE0F}"
        let isEmoji =
            scalar == "\u{FE0F}" && personality.emojiStyleWidens && base.value > 0x7F
            && base.properties.isEmoji
        if isFlag || isKeycap || isEmoji, cells[index].width == 1, place.x + 1 < size.width {
            clear(place.x + 1, place.y)
            cells[index].width = 2
            cells[index + 1] = ScreenCell(text: "", style: cells[index].style, width: 0)
            cursor.x += 1
        }
        if scalar == "\u{FE0E}", personality.textStyleNarrows, cells[index].width == 2 {
            cells[index].width = 1
            cells[index + 1] = ScreenCell(style: cells[index].style)
            cursor.x -= 1
        }
    }
}
