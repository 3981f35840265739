// Golden frames: a table, keys, and the frame that must come of it, text and attributes. Below a
// line of the screen stands, where anything is marked, a line of marks: `r` reverse, `b` bold,
// `u` underlined, `i` slanted, `d` dim, `R` reverse and bold, `U` underlined and bold, `B` bold and
// reverse of the header's cursor; `.` none of these. `_` is the terminal's cursor.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

/// The frame as text, with marks, from a line on.
private func dump(_ frame: CellBuffer, from first: Int) -> String {
    var lines: [String] = []
    for y in first..<frame.size.height {
        var text = ""
        var marks = ""
        for x in 0..<frame.size.width {
            text += frame[x, y].text
            let isCursor = frame.cursor == Point(x: x, y: y)
            marks += isCursor ? "_" : mark(frame[x, y].style.attributes)
        }
        lines.append("|" + trimmed(text, " "))
        let rest = trimmed(marks, ".")
        if !rest.isEmpty { lines.append(":" + rest) }
    }
    return lines.joined(separator: "\n")
}

private func mark(_ attributes: Attributes) -> String {
    switch attributes {
    case []: "."
    case .reverse: "r"
    case .bold: "b"
    case .underline: "u"
    case .dim: "d"
    case [.reverse, .bold]: "R"
    case [.underline, .bold]: "U"
    case [.italic, .underline]: "i"
    case [.italic, .underline, .reverse]: "I"
    case [.dim, .reverse]: "D"
    default: "?"
    }
}

private func trimmed(_ text: String, _ character: Character) -> String {
    var text = text
    while text.last == character { text.removeLast() }
    return text
}

private func fruit() -> Stage {
    Stage(
        "name:text qty:int ok:bool",
        rows: [
            ["apple", "12", "true"], ["", "∅", "false"], ["a fig that is too long", "-7", "∅"],
        ])
}

/// Somebody in front of the fruit.
private func fruitSeat(width: Int = 60, height: Int = 8) -> Seat {
    fruit().seat(width: width, height: height)
}

/// Fails with both frames where they differ; the first line, which is much the same everywhere,
/// counts only where `withTitle` says so.
private func expect(
    _ seat: Seat, withTitle: Bool = false, _ frame: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let shown = dump(seat.frame, from: withTitle ? 0 : 1)
    #expect(
        shown == frame, "expected:\n\(frame)\ngot:\n\(shown)", sourceLocation: sourceLocation)
}

@Test("FT1 FT3: the grid as it opens")
func gridFrame() {
    let seat = fruitSeat()
    expect(
        seat, withTitle: true,
        """
        | stock  ● live  saved                                B bob
        :rRRRRRrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr
        |   #  name                   │ qty│ok  │
        :UUUUUURRRRRRRRRRRRRRRRRRRRRRRUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU
        |   1 ▌apple                  │  12│[x] │
        :...b.drrrrrrrrrrrrrrrrrrrrrrrd....d....d
        |   2 │""                     │   ∅│[ ] │
        :...d.dddddddddddddddddddddddddddddd....d
        |   3 │a fig that is too long │  -7│∅   │
        :...d.d.......................d....dddddd
        |
        |name  apple                                             s0.1
        :ddddd...................................................dddd
        |row 1 of 3 · name (text)                             F1 help
        :dddddddddddddddddddddddd.............................ddddddd
        """)
}

@Test("FT14: the editor with its text selected")
func editorFrame() {
    let seat = fruitSeat()
    seat.press("Down", "Down", "Enter")
    expect(
        seat,
        """
        |   #  name                   │ qty│ok  │
        :UUUUUURRRRRRRRRRRRRRRRRRRRRRRUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU
        |   1 │apple                  │  12│[x] │
        :...d.d.......................d....d....d
        |   2 │""                     │   ∅│[ ] │
        :...d.dddddddddddddddddddddddddddddd....d
        |   3 ▌a fig that is too long │  -7│∅   │
        :...b.drrrrrrrrrrrrrrrrrrrrrr_d....dddddd
        |
        |Enter takes · Esc restores · Tab next · Ctrl-N null · Alt-E…
        :dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd
        |row 3 of 3 · name (text)                             F1 help
        :dddddddddddddddddddddddd.............................ddddddd
        """)
}

@Test("FT18: an invalid text with its reason")
func invalidFrame() {
    let seat = fruitSeat()
    seat.press("Right", "Enter")
    seat.type("1x")
    seat.press("Enter")
    expect(
        seat,
        """
        |   #  name                   │ qty│ok  │
        :UUUUUUUUUUUUUUUUUUUUUUUUUUUUUURRRRUUUUUUUUUUUUUUUUUUUUUUUUUU
        |   1 ▌apple                  │1x  │[x] │
        :...b.d.......................duu_ud....d
        |   2 │""                     │   ∅│[ ] │
        :...d.dddddddddddddddddddddddddddddd....d
        |   3 │a fig that is too long │  -7│∅   │
        :...d.d.......................d....dddddd
        |
        |
        |not taken: an int is a whole number like 42 or -7
        :RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR
        """)
}

@Test("FT19: a conflict in the editor")
func conflictFrame() {
    let stage = fruit()
    let seat = stage.seat(width: 84, height: 8)
    seat.press("Enter")
    seat.type("mine")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))]))
    expect(
        seat,
        """
        |   #  name                   │ qty│ok  │
        :UUUUUURRRRRRRRRRRRRRRRRRRRRRRUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU
        |*  1 ▌mine                   │  12│[x] │
        :b..b.duuuu_uuuuuuuuuuuuuuuuuud....d....d
        |   2 │""                     │   ∅│[ ] │
        :...d.dddddddddddddddddddddddddddddd....d
        |   3 │a fig that is too long │  -7│∅   │
        :...d.d.......................d....dddddd
        |
        |
        |changed by bob: theirs — Enter keeps mine · Ctrl-T takes theirs · Esc drops mine
        :RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR
        """)
}

@Test("FT24: cut off, with a queued edit and somebody else's cursor")
func offlineFrame() {
    let stage = fruit()
    let seat = stage.seat(width: 60, height: 8)
    stage.remoteCursor(seat.rowID(1), seat.columnID(0))
    seat.cut()
    seat.press("Right")
    seat.type("5")
    seat.press("Enter")
    stage.pass(milliseconds: 2_000)
    expect(
        seat, withTitle: true,
        """
        | stock  ◌ offline 2s  1 queued                       B bob
        :rRRRRRrrRRRRRRRRRRRRrrRRRRRRRRrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr
        |   #  name                   │ qty│ok  │
        :UUUUUUUUUUUUUUUUUUUUUUUUUUUUUURRRRUUUUUUUUUUUUUUUUUUUUUUUUUU
        |   1 ▌apple                  │   5│[x] │
        :...b.d.......................dIIIId....d
        |   2 │""                     B   ∅│[ ] │
        :...d.d???????????????????????rddddd....d
        |   3 │a fig that is too long │  -7│∅   │
        :...d.d.......................d....dddddd
        |
        |qty  5                                                  s0.1
        :dddd....................................................dddd
        |row 1 of 3 · qty (int)                               F1 help
        :dddddddddddddddddddddd...............................ddddddd
        """)
}

@Test("FT9: chosen rows and a block of cells")
func chosenFrame() {
    let seat = fruitSeat()
    seat.press("Space", "Shift-Down", "Shift-Right")
    expect(
        seat,
        """
        |   #  name                   │ qty│ok  │
        :UUUUUUUUUUUUUUUUUUUUUUUUUUUUUURRRRUUUUUUUUUUUUUUUUUUUUUUUUUU
        |+  1 │apple                  │  12│[x] │
        :b..d.dUUUUUUUUUUUUUUUUUUUUUUUdUUUUdUUUUdUUUUUUUUUUUUUUUUUUUU
        |   2 │""                     │   ∅│[ ] │
        :...d.d???????????????????????d????d....d
        |   3 ▌a fig that is too long │  -7│∅   │
        :...b.dUUUUUUUUUUUUUUUUUUUUUUUd????dddddd
        |
        |qty  -7                                                 s0.3
        :dddd....................................................dddd
        |row 3 of 3 · qty (int) · 1 row chosen · 2×2 cells    F1 help
        :ddddddddddddddddddddddddddddddddddddddddddddddddd....ddddddd
        """)
}

@Test("FT6: the compact form")
func compactFrame() {
    let seat = fruitSeat(width: 36, height: 9)
    expect(
        seat,
        """
        |   #  name  1/3
        :UUUUUURRRRRRRRRRRRRRRRRRRRRRRRRRRRRR
        |   1 ▌apple
        :...b.drrrrrrrrrrrrrrrrrrrrrrrrrrrrrr
        |     │ qty 12 · ok [x] ·
        :.....ddddddddddddddddddddddddddddddd
        |   2 │""
        :...d.ddddddddddddddddddddddddddddddd
        |     │ ok [ ] ·
        :.....ddddddddddddddddddddddddddddddd
        |
        |name  apple                     s0.1
        :ddddd...........................dddd
        |row 1 of 3 · name (text)     F1 help
        :dddddddddddddddddddddddd.....ddddddd
        """)
}

@Test("FT12: a question over the grid")
func questionFrame() {
    let seat = fruitSeat(height: 10)
    seat.press("Ctrl-A", "Ctrl-Del")
    expect(
        seat,
        """
        |┌──────────────────────────────────────────────────────────┐
        |│Delete 3 rows for everybody?                              │
        |│                                                          │
        |│  y  delete                                               │
        |│  n  keep                                                 │
        |│  Esc  back                                               │
        :.dddddddddddddddddddddddddddddddddddddddddddddddddddddddddd
        |└──────────────────────────────────────────────────────────┘
        |name  apple                                             s0.1
        :ddddd...................................................dddd
        |row 1 of 3 · name (text) · 3 rows chosen             F1 help
        :dddddddddddddddddddddddddddddddddddddddd.............ddddddd
        """)
}

@Test("FT21: a paste that is looked at first")
func pasteFrame() {
    let seat = fruitSeat(height: 12)
    seat.paste("dd\t1\rqq\t2")
    expect(
        seat,
        """
        |   #  name                   │ qty│ok  │
        :UUUUUURRRRRRRRRRRRRRRRRRRRRRRUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU
        |┌─ paste 2×2 cells? ───────────────────────────────────────┐
        |│dd │ 1                                                    │
        |│qq │ 2                                                    │
        |│                                                          │
        |│4 cells will be replaced                                  │
        |│Enter pastes, in one step · Esc does not                  │
        :.dddddddddddddddddddddddddddddddddddddddddddddddddddddddddd
        |└──────────────────────────────────────────────────────────┘
        |
        |name  apple                                             s0.1
        :ddddd...................................................dddd
        |row 1 of 3 · name (text)                             F1 help
        :dddddddddddddddddddddddd.............................ddddddd
        """)
}

@Test("FT13: the palette")
func paletteFrame() {
    let seat = fruitSeat(height: 12)
    seat.press(":")
    seat.type("row a")
    expect(
        seat,
        """
        |   #  name                   │ qty│ok  │
        :UUUUUURRRRRRRRRRRRRRRRRRRRRRRUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU
        |┌─ command, row number or column · Esc closes ─────────────┐
        |│row a                                                     │
        :.uuuuu_uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu
        |│insert row above              and edit its first … Alt-Ins│
        :.rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr
        |│show row as form              a line for each column    F6│
        |│                                                          │
        |│                                                          │
        |│                                                          │
        |│                                                          │
        |└──────────────────────────────────────────────────────────┘
        |row 1 of 3 · name (text)                             F1 help
        :dddddddddddddddddddddddd.............................ddddddd
        """)
}

@Test("a table without rows says what to do next")
func emptyFrame() {
    expect(
        Stage("name:text").seat(width: 60, height: 8),
        """
        |   #  name     │
        :UUUUUURRRRRRRRRUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU
        |
        |                        no rows yet
        |                     Ins adds the first
        :.....................dddddddddddddddddd
        |
        |
        |row 0 of 0 · name (text)                             F1 help
        :dddddddddddddddddddddddd.............................ddddddd
        """)
}
