// How things look: values that are not text, hostile texts, colours that can be read, finding.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

@Test("FT3: numbers stand on the right; null, an empty text and false look different")
func values() {
    let seat = Stage(
        "name:text qty:int ok:bool",
        rows: [["a", "12345", "false"], ["", "7", "true"], ["∅", "∅", "∅"]]
    ).seat()
    #expect(seat.line(2).contains("12345│[ ]"))
    #expect(seat.line(3).contains("    7│[x]"))
    #expect(seat.line(3).contains("\"\""))
    #expect(seat.line(4).filter { $0 == "∅" }.count == 3)
}

@Test("FT3: an over-long text ends in an ellipsis, and the whole is in the pane")
func longText() {
    let text = (0..<300).map { "word\($0)" }.joined(separator: " ")
    let seat = Stage("name:text qty:int", rows: [[text, "1"]]).seat(height: 14)
    #expect(seat.line(2).contains("…"))
    #expect(!seat.screen.contains("word299"))
    seat.press("F4")
    #expect(seat.screen.contains("word10 "))
    seat.press("End")
    #expect(seat.screen.contains("word299"))
    seat.press("Tab")
    #expect(seat.screen.contains("▸ name: word0"))
    #expect(seat.screen.contains("qty: 1"))
    seat.press("Esc")
    #expect(seat.app.layer == nil)
}

@Test(
    "FT4: control characters in cells, names and messages are signs on the screen, never sent",
    arguments: [
        "\u{1B}]0;title\u{7}", "\u{1B}]52;c;aGk=\u{7}", "\u{1B}[2J\u{1B}[H", "\u{9B}31m", "\u{0}",
        "a\r\nb\tc", "\u{1B}P+q\u{1B}\\", "\u{202E}evil", "\u{1B}c", "e\u{301}\u{301}",
        "👨‍👩‍👧", "\u{200B}", "\u{FEFF}", "\u{7F}",
    ])
func hostileText(text: String) {
    let stage = Stage("name:text qty:int", rows: [["x", "1"], ["y", "2"]])
    let seat = stage.seat()
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text(Text(text)))]))
    seat.press("Enter", "Esc", "F3", "F4")
    for press in [[], ["Esc"], ["F6"], ["Esc", "Enter"], ["Esc", "Ctrl-F"]] {
        for key in press { seat.press(key) }
        let frame = seat.frame
        for y in 0..<frame.size.height {
            for x in 0..<frame.size.width {
                for scalar in frame[x, y].text.unicodeScalars {
                    let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    #expect(!isControl, "U+\(String(scalar.value, radix: 16)) at \(x), \(y)")
                }
            }
        }
    }
    seat.press("Esc")
    // The separators stay in one column.
    let bar = seat.frame
    let places = [2, 3].map { y in
        (10..<bar.size.width).first { bar[$0, y].text == "│" }
    }
    #expect(places[0] == places[1])
}

// MARK: Colours

private func luminance(_ color: Color, _ standard: Double) -> Double {
    guard case .rgb(let red, let green, let blue) = color else { return standard }
    func part(_ value: UInt8) -> Double {
        let share = Double(value) / 255
        // The curve of sRGB, by squares: near enough, and without a library of mathematics.
        return share * share * (0.8 * share.squareRoot() + 0.2)
    }
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

@Test("FT2: text of the light and the dark theme can be read on its background")
func contrast() {
    let themes: [(Theme, foreground: Double, background: Double)] = [
        (Theme.dark(Theme.Background(red: 18, green: 18, blue: 18)), 0.8, 0.006),
        (Theme.dark(Theme.Background(red: 0, green: 0, blue: 0)), 0.8, 0),
        (Theme.light(Theme.Background(red: 255, green: 255, blue: 255)), 0.01, 1),
        (Theme.light(Theme.Background(red: 250, green: 244, blue: 225)), 0.01, 0.9),
    ]
    for (theme, foreground, background) in themes {
        var styles: [(String, Style)] = [
            ("faint", theme.faint), ("title", theme.title), ("warning title", theme.titleWarning),
            ("header", theme.header), ("header here", theme.headerHere), ("gutter", theme.gutter),
            ("gutter here", theme.gutterHere), ("stripe", theme.stripe),
            ("cursor row", theme.cursorRow), ("cursor", theme.cursor), ("chosen", theme.chosen),
            ("match", theme.match), ("editor", theme.editor),
            ("editor selection", theme.editorSelection), ("banner", theme.banner),
            ("warning", theme.warning), ("box", theme.box), ("box chosen", theme.boxChosen),
        ]
        styles += theme.people.enumerated().map { ("person \($0.offset)", $0.element) }
        for (name, style) in styles {
            let letters = luminance(style.foreground, foreground)
            let ground = luminance(style.background, background)
            let ratio = (max(letters, ground) + 0.05) / (min(letters, ground) + 0.05)
            #expect(ratio >= 4.5, "\(name): \(ratio)")
        }
    }
}

@Test("FT2: the theme follows what the terminal says of its background, and can be switched")
func themes() {
    let seat = Stage("name:text", rows: [["a"]]).seat { $0.options.theme = .automatic }
    func style() -> Style { seat.frame[8, 0].style }
    let unknown = style()
    seat.send(.input(.replied(.background(250, 250, 250))))
    let light = style()
    seat.send(.input(.replied(.background(10, 10, 20))))
    let dark = style()
    #expect(Set([unknown, light, dark]).count == 3)
    let none = Stage("name:text", rows: [["a"]]).seat()
    let frame = none.frame
    for y in 0..<frame.size.height {
        for x in 0..<frame.size.width {
            #expect(frame[x, y].style.foreground == .standard)
            #expect(frame[x, y].style.background == .standard)
        }
    }
    // Without colour the cursor is seen all the same.
    #expect(frame[6, 2].style.attributes.contains(.reverse))
    #expect(none.line(2).contains("▌"))
}

// MARK: Finding

@Test("FT11: find goes to the next and the one before, in any case and any type, and around")
func finding() {
    let seat = Stage(
        "name:text qty:int",
        rows: [["Apple", "1"], ["pear", "42"], ["APPLE pie", "3"], ["Äpfel", "4"]]
    ).seat()
    seat.press("Ctrl-F")
    seat.type("apple")
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 2)
    seat.press("F3")
    #expect(seat.app.grid.rowPosition == 0)
    seat.press("Shift-F3")
    #expect(seat.app.grid.rowPosition == 2)
    seat.press("/")
    seat.type("42")
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 1)
    #expect(seat.app.grid.columnPosition == 1)
    seat.press("/")
    seat.type("äpf")
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 3)
    seat.press("/")
    seat.type("nowhere")
    seat.press("Enter")
    #expect(seat.said.last == "not found in 4 rows")
    #expect(seat.app.grid.rowPosition == 3)
}

@Test("FT11: a search through many rows goes in slices, with the clock, and can be given up")
func findingInSlices() {
    let stage = Stage("n:int m:int", rows: (1...24_000).map { [String($0), "0"] })
    let seat = stage.seat()
    seat.press("/")
    seat.type("23999")
    seat.press("Enter")
    #expect(seat.app.search?.isRunning == true)
    #expect(seat.app.deadline == seat.now)
    #expect(seat.screen.contains("%"))
    seat.send(.ticked)
    seat.send(.ticked)
    seat.send(.ticked)
    #expect(seat.app.grid.rowPosition == 23_998)
    seat.press("/")
    seat.type("nowhere")
    seat.press("Enter", "Esc")
    #expect(seat.app.search == nil)
}
