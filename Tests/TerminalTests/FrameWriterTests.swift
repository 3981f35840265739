// Whatever two frames hold, what is written between them makes the terminal show the second one.
import Testing

@testable import Terminal

/// A terminal that was asked about its widths, with frames written to it.
private struct Stage {
    var screen: VirtualScreen
    var writer: FrameWriter
    let widths: WidthRules

    /// Asks the terminal, or believes what it is told.
    init(
        size: Size, personality: Personality, believing widths: WidthRules? = nil,
        depth: ColorDepth = .truecolor
    ) {
        screen = VirtualScreen(size: size, personality: personality)
        writer = FrameWriter(depth: depth)
        self.widths = widths ?? probedWidths(&screen)
    }

    /// Shows a frame; the bytes it took.
    @discardableResult
    mutating func show(_ frame: CellBuffer) -> [UInt8] {
        var bytes: [UInt8] = []
        writer.write(frame, into: &bytes)
        screen.apply(bytes)
        return bytes
    }

    func frame(_ lines: String...) -> CellBuffer {
        var frame = CellBuffer(size: screen.size, widths: widths)
        for (y, line) in lines.enumerated() { frame.put(line, x: 0, y: y) }
        return frame
    }
}

/// The rules that a terminal's answers lead to.
func probedWidths(_ screen: inout VirtualScreen) -> WidthRules {
    var probe = TerminalProbe(size: screen.size)
    screen.apply(probe.question)
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    decoder.take(screen.takeAnswers(), into: &events)
    for case .replied(let reply) in events { probe.take(reply) }
    return probe.widths
}

/// A frame like a table: separators at fixed columns, text and nasty clusters between them.
private func randomFrame(_ random: inout Random, size: Size, _ widths: WidthRules) -> CellBuffer {
    var frame = CellBuffer(size: size, widths: widths)
    let styles: [Style] = [
        .plain, Style(foreground: .palette(3), attributes: .bold), Style(background: .rgb(1, 2, 3)),
        Style(attributes: [.reverse, .dim]), Style(foreground: .palette(200)),
    ]
    for y in 0..<size.height where random.below(5) > 0 {
        for x in stride(from: 0, to: size.width, by: 12) {
            frame.put("|", x: x, y: y)
            var text = ""
            for _ in 0..<random.below(5) {
                text += random.bool() ? random.pick(nastyClusters) : "ab "
            }
            frame.put(text, x: x + 1, y: y, style: random.pick(styles), widthMax: 11)
        }
        if random.below(4) == 0 {
            let part = Rectangle(x: random.below(size.width), y: y, width: 7, height: 1)
            frame.restyle(part) { $0.attributes.formSymmetricDifference(.underline) }
        }
        if random.below(4) == 0 {
            frame.put(random.pick(nastyClusters), x: random.below(size.width), y: y)
        }
    }
    if random.bool() { frame.cursor = Point(x: random.below(size.width), y: 1) }
    return frame
}

/// A frame that differs from another in a few places.
private func changed(_ frame: CellBuffer, _ random: inout Random) -> CellBuffer {
    var frame = frame
    for _ in 0..<(1 + random.below(3)) {
        let place = Point(x: random.below(frame.size.width), y: random.below(frame.size.height))
        let part = Rectangle(x: place.x, y: place.y, width: 1 + random.below(3), height: 1)
        switch random.below(4) {
        case 0: frame.put(random.pick(nastyClusters), x: place.x, y: place.y)
        case 1: frame.put("xy", x: place.x, y: place.y)
        case 2: frame.fill(part, Style(background: .palette(5)))
        default: frame.restyle(part) { $0.attributes.formSymmetricDifference(.bold) }
        }
    }
    return frame
}

/// Where the screen is not what the frame says; nil for nowhere.
///
/// With `certainOnly` the cells of doubtful clusters may look as they like, and a letter may have
/// got a mark that was meant for the place behind it.
private func difference(
    _ frame: CellBuffer, _ screen: VirtualScreen, certainOnly: Bool = false
) -> String? {
    for y in 0..<frame.size.height {
        var x = 0
        while x < frame.size.width {
            let cell = frame[x, y]
            let end = x + Int(cell.width)
            defer { x = end }
            if cell.width == 0 { return "(\(x), \(y)): a half that belongs to nothing" }
            let shown = (x..<end).map { screen[$0, y] }
            // A terminal may keep the parts of a doubtful cluster in a cell each.
            let text = shown.map(\.text).joined()
            if cell.isDoubtful {
                let isSame =
                    text == cell.text && shown.reduce(0) { $0 + $1.width } == Int(cell.width)
                // Drawn narrower than believed, it leaves no ink of what was there before; the last
                // column alone may hold what a terminal had no room for.
                let own = cell.text.unicodeScalars + [" ", "\u{FFFD}"]
                let isOwn = text.unicodeScalars.allSatisfy(own.contains)
                let isAtMargin = end >= frame.size.width - 1
                if isSame || (certainOnly && (isOwn || isAtMargin)) { continue }
                return "(\(x), \(y)): \(cell) is shown as \(shown)"
            }
            let isSameText =
                certainOnly
                ? Array(text.unicodeScalars).starts(with: Array(cell.text.unicodeScalars))
                : text.unicodeScalars.elementsEqual(cell.text.unicodeScalars)
            let style = shown[0].style
            let isBlank =
                cell.text == " " && text == " " && style.background == cell.style.background
                && cell.style.attributes.isDisjoint(with: [.reverse, .underline])
            if !isSameText || shown[0].width != cell.width || (style != cell.style && !isBlank) {
                return "(\(x), \(y)): \(cell) is shown as \(shown)"
            }
        }
    }
    return nil
}

@Suite("Frame writer")
struct FrameWriterTests {
    @Test("FT4: the screen is the frame, on every kind of terminal that was asked")
    func diffProperty() throws {
        for seed in 0..<250 as Range<UInt64> {
            var random = Random(seed: seed)
            let size = Size(width: 12 + random.below(40), height: 2 + random.below(5))
            let personality =
                seed < 60
                ? Personality.named[Int(seed) % Personality.named.count] : .random(&random)
            var stage = Stage(size: size, personality: personality)
            var frame = randomFrame(&random, size: size, stage.widths)
            for step in 0..<8 {
                frame =
                    random.bool()
                    ? changed(frame, &random) : randomFrame(&random, size: size, stage.widths)
                if random.below(5) == 0 { stage.writer.invalidate() }
                stage.show(frame)
                let wrong = difference(frame, stage.screen)
                try #require(wrong == nil, "seed \(seed), step \(step), \(personality): \(wrong!)")
                #expect(stage.screen.isCursorShown == (frame.cursor != nil))
                if let cursor = frame.cursor { #expect(stage.screen.cursor == cursor) }
                #expect(stage.screen.frameDepth == 0)
                #expect(stage.screen.oddities.isEmpty, "seed \(seed): \(stage.screen.oddities)")
            }
        }
    }

    @Test(
        "FT4: where widths are believed wrongly, nothing but the doubtful cluster is out of place")
    func anchoring() throws {
        for seed in 1_000..<1_120 as Range<UInt64> {
            var random = Random(seed: seed)
            let size = Size(width: 12 + random.below(40), height: 2 + random.below(5))
            var believed = WidthRules()
            if random.bool() {
                var other = VirtualScreen(size: size, personality: .random(&random))
                believed = probedWidths(&other)
            }
            var personality = Personality.random(&random)
            // What is drawn most of all, boxes and Greek, is believed to be known.
            personality.ambiguous = believed.cells(.ambiguous)
            var stage = Stage(size: size, personality: personality, believing: believed)
            stage.screen.apply(Array("\u{1B}[?7l".utf8))
            var frame = randomFrame(&random, size: size, believed)
            for step in 0..<8 {
                frame =
                    random.bool()
                    ? changed(frame, &random) : randomFrame(&random, size: size, believed)
                stage.show(frame)
                let wrong = difference(frame, stage.screen, certainOnly: true)
                try #require(wrong == nil, "seed \(seed), step \(step), \(personality): \(wrong!)")
                #expect(stage.screen.wrapCount == 0)
            }
        }
    }

    @Test("A frame that is shown already takes no bytes")
    func sameFrame() {
        var stage = Stage(size: Size(width: 20, height: 3), personality: .modern)
        let frame = stage.frame("one", "two")
        #expect(!stage.show(frame).isEmpty)
        #expect(stage.show(frame).isEmpty)
        stage.writer.invalidate()
        #expect(!stage.show(frame).isEmpty)
    }

    @Test("One write is one frame: synchronized, without a cursor running about")
    func golden() {
        var stage = Stage(size: Size(width: 20, height: 3), personality: .modern)
        var first = stage.frame("one", "two")
        first.cursor = Point(x: 1, y: 2)
        let whole = String(decoding: stage.show(first), as: UTF8.self)
        #expect(
            whole == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[m\u{1B}[2J\u{1B}[Hone\u{1B}[2Htwo"
                + "\u{1B}[3;2H\u{1B}[?25h\u{1B}[?2026l")
        var second = first
        second.put("x", x: 1, y: 1, style: Style(foreground: .palette(1), attributes: .bold))
        second.cursor = nil
        let change = String(decoding: stage.show(second), as: UTF8.self)
        #expect(
            change == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[2;2H\u{1B}[1;31mx\u{1B}[?2026l")
        second.cursor = Point(x: 0, y: 0)
        #expect(stage.show(second) == Array("\u{1B}[H\u{1B}[?25h".utf8))
    }

    @Test("A changed cell costs few bytes, a line that became blank fewer")
    func byteCounts() {
        var stage = Stage(size: Size(width: 100, height: 30), personality: .modern)
        var frame = CellBuffer(size: Size(width: 100, height: 30), widths: stage.widths)
        for y in 0..<30 { frame.put(String(repeating: "abcd ", count: 20), x: 0, y: y) }
        frame.cursor = Point(x: 0, y: 0)
        #expect(stage.show(frame).count < 30 * 110)
        frame.put("X", x: 50, y: 10)
        #expect(stage.show(frame).count <= 50)
        frame.fill(Rectangle(x: 0, y: 20, width: 100, height: 1))
        #expect(stage.show(frame).count <= 48)
        // A cursor bar that moves down by one line: two lines restyled.
        frame.restyle(Rectangle(x: 0, y: 3, width: 100, height: 1)) { $0.attributes = .reverse }
        #expect(stage.show(frame).count <= 160)
        // Text that differs in places near each other is not jumped about in.
        for x in stride(from: 0, to: 100, by: 5) { frame.put("Z", x: x, y: 12) }
        #expect(stage.show(frame).count <= 145)
    }

    @Test("Wide text that gives way to narrow leaves no half behind")
    func wideToNarrow() {
        var stage = Stage(size: Size(width: 8, height: 2), personality: .modern)
        stage.show(stage.frame("\u{6771}\u{4EAC}|", "\u{2764}\u{FE0F}|"))
        stage.show(stage.frame("ab  |", "x |"))
        #expect(stage.screen.text == "ab  |\nx |")
        stage.show(stage.frame("a\u{6771} |", "\u{6771}|"))
        #expect(stage.screen.text == "a\u{6771} |\n\u{6771}|")
    }

    @Test("Hostile text acts on nothing")
    func hostile() {
        let texts = [
            "\u{1B}]0;owned\u{7}", "\u{1B}]52;c;b3duZWQ=\u{7}", "\u{1B}]8;;http://x\u{1B}\\",
            "\u{1B}P+q\u{1B}\\", "\u{1B}c", "\u{9B}2J", "\u{9D}0;x\u{9C}", "\u{1B}]0;no end",
            "\u{202E}abc", "a\u{0}b", "\u{1B}[31mx",
        ]
        for text in texts {
            var stage = Stage(size: Size(width: 40, height: 2), personality: .modern)
            let bytes = stage.show(stage.frame(text, "below"))
            #expect(stage.screen.oddities.isEmpty)
            #expect(!String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{9B}"))
            #expect(stage.screen.text.hasSuffix("\nbelow"))
        }
        var stage = Stage(size: Size(width: 40, height: 1), personality: .modern)
        stage.show(stage.frame("\u{1B}[31mx\ty\r\n"))
        #expect(stage.screen.text == "\u{241B}[31mx\u{2192}y\u{240D}\u{23CE}")
    }

    @Test("Colours become those that the terminal has")
    func depths() {
        let style = Style(foreground: .rgb(250, 10, 5), background: .palette(233))
        let expected: [(ColorDepth, String)] = [
            (.truecolor, "38;2;250;10;5;48;5;233"), (.palette256, "38;5;196;48;5;233"),
            (.sixteen, "91;40"), (.none, ""),
        ]
        for (depth, codes) in expected {
            var stage = Stage(size: Size(width: 2, height: 1), personality: .modern, depth: depth)
            var frame = stage.frame()
            frame.put("x", x: 0, y: 0, style: style)
            let bytes = String(decoding: stage.show(frame), as: UTF8.self)
            #expect(bytes.contains(codes.isEmpty ? "Hx" : "\u{1B}[\(codes)mx"), "\(depth)")
        }
    }

    @Test("FT29: any size, down to nothing")
    func sizes() {
        for (width, height) in [(0, 0), (1, 1), (2, 5), (300, 60), (0, 4), (7, 0)] {
            let size = Size(width: width, height: height)
            var stage = Stage(size: size, personality: .modern, believing: WidthRules())
            let text = "\u{6771}\u{1F468}\u{200D}\u{1F469} text"
            let frame = stage.frame(text, text, text)
            stage.show(frame)
            #expect(difference(frame, stage.screen) == nil)
        }
    }
}
