// The list under a choice cell: found by typing, chosen by keys and by the mouse, and what becomes
// of a text that is no choice; the choices of a new column.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func states(_ first: String = "open") -> Stage {
    Stage("state:choice|open|done|late|on-hold name:text", rows: [[first, "a"], ["done", "b"]])
}

private func chosen(_ seat: Seat) -> String? { seat.app.editor?.choices?.chosen?.text.string }

@Test(
    "FT18: editing a choice opens the list of its choices, at the one it has",
    arguments: ["Enter", "F2"])
func listOpens(key: String) {
    let seat = states().seat(width: 100)
    seat.press(key)
    for (line, text) in [(3, "open"), (4, "done"), (5, "late"), (6, "on-hold")] {
        #expect(seat.line(line).contains(text))
    }
    #expect(chosen(seat) == "open")
    seat.press("Down", "Down")
    #expect(seat.app.editor?.field.text == "late")
    seat.press("Down", "Down", "Down", "Up", "Enter")
    #expect(seat.app.editor == nil)
    #expect(seat.column("state") == ["late", "done"])
    seat.press(key, "Down", "Esc")
    #expect(seat.column("state") == ["late", "done"])
}

@Test("FT18: typing finds a choice in any case; Enter and Tab take it, Space goes to the next")
func typingFindsChoices() {
    let stage = states("∅")
    let seat = stage.seat(width: 100)
    seat.type("LA")
    #expect(chosen(seat) == "late")
    #expect(!seat.line(4).contains("done"))
    seat.press("Enter")
    #expect(seat.column("state") == ["late", "done"])
    seat.press("Enter")
    seat.type("hold")
    seat.press("Tab")
    #expect(seat.column("state") == ["on-hold", "done"])
    #expect(seat.app.editor?.column.name == "name")
    seat.press("Esc", "Left", "Enter", "Backspace")
    #expect(seat.line(3).contains("open"), "all of them again")
    seat.press("Enter")
    #expect(seat.column("state") == ["∅", "done"])
    seat.press("Enter", "Space", "Space", "Enter")
    #expect(seat.column("state") == ["done", "done"])
    seat.press("Enter", "Ctrl-N", "Enter")
    #expect(seat.column("state") == ["∅", "done"])
    // From nothing, nothing is chosen either: what is marked is what Enter takes.
    seat.press("Down", "Backspace")
    #expect(seat.app.editor?.isNull == true)
    #expect(chosen(seat) == nil)
    seat.press("Enter")
    #expect(seat.column("state") == ["∅", "∅"])
    seat.press("Enter")
    seat.type("la")
    seat.press("Ctrl-N")
    #expect(seat.line(4).contains("open"), "all of them again")
}

@Test("a click takes a choice of the list, the wheel goes through it, and neither moves the grid")
func choicesByMouse() {
    let seat = states().seat(width: 100)
    seat.press("Enter")
    let x = GridLayout(of: seat.app, seat.sheet).columns[0].x + 2
    seat.mouse(.wheelDown, x, 4)
    #expect(chosen(seat) == "done")
    seat.click(x, 5)
    #expect(seat.app.editor == nil)
    #expect(seat.app.grid.rowPosition == 0)
    #expect(seat.column("state") == ["late", "done"])
}

@Test("the list stands above its cell at the screen's end, and turns its pages at any size")
func listAtTheEnd() {
    let words = (0..<40).map { "c\($0)" }.joined(separator: "|")
    let stage = Stage("state:choice|\(words)", rows: (0..<30).map { ["c\($0)"] })
    let seat = stage.seat(width: 80, height: 14)
    seat.press("Ctrl-End", "Enter")
    let layout = GridLayout(of: seat.app, seat.sheet)
    let box = ChoiceBox(of: seat.app, in: layout)
    let place = EditorPlace(of: seat.app, in: layout)
    #expect((box?.frame.endY ?? 99) <= place.y)
    for _ in 0..<50 { seat.press("Down") }
    #expect(chosen(seat) == "c39")
    #expect(seat.screen.contains("c39"))
    for size in [(80, 24), (61, 5), (30, 8), (5, 3), (1, 1), (200, 60)] {
        seat.resize(size.0, size.1)
        let box = ChoiceBox(of: seat.app, in: GridLayout(of: seat.app, seat.sheet))
        if let frame = box?.frame {
            #expect(frame.endX <= size.0 && frame.endY <= size.1 && frame.y >= 0)
        }
        _ = seat.screen
    }
    seat.press("PgUp", "Enter")
    #expect(seat.column("state").last == "c31")
}

@Test("a text that is no choice stays in the editor with the reason; nothing is sent")
func noChoice() {
    let stage = Stage("state:choice|open|done", rows: [["open"]])
    let seat = stage.seat(width: 120)
    seat.press("Enter")
    seat.type("never")
    #expect(seat.screen.contains("no such choice"))
    seat.press("Enter")
    #expect(seat.app.editor?.field.text == "never")
    #expect(seat.screen.contains("none of the column's choices; an owner or a manager can add it"))
    #expect(seat.column("state") == ["open"])
    #expect(seat.screen.contains("saved"))
    // What counts are the choices that the column has now.
    let choices = JSONTree.list([.text("open"), .text("never")])
    let column = seat.columnID(0)
    stage.remote(.changeRules(.id(column), .object([JSONMember(key: "choices", value: choices)])))
    #expect(seat.line(3).contains("never"), "the list is the one that the column has now")
    seat.press("Enter")
    #expect(seat.app.editor == nil)
    #expect(seat.column("state") == ["never"])
}

@Test("who may change columns is asked whether a text that is no choice shall become one")
func newChoice() {
    let stage = Stage("state:choice|open|done", rows: [["open"], ["open"]])
    let seat = stage.seat("ann", role: "manager", width: 120, height: 20)
    let other = stage.seat("eve")
    seat.press("Enter")
    seat.type("never")
    let before = other.noticeCount
    seat.press("Enter")
    #expect(seat.screen.contains("never is none of the choices of state."))
    seat.press("n")
    #expect(seat.app.editor?.field.text == "never")
    #expect(other.noticeCount == before)
    seat.press("Tab")
    seat.press("y")
    #expect(seat.app.editor == nil)
    #expect(other.column("state") == ["never", "open"])
    #expect(other.noticeCount == before + 1, "choice and value are one operation")
    #expect(other.sheet?.columns.first?.rules.choices == ["open", "done", "never"])
    // A part of a choice finds that choice; the line with the plus is the text itself.
    seat.press("Down", "Enter")
    seat.type("nev")
    #expect(chosen(seat) == "never")
    seat.press("Down", "Enter")
    #expect(other.column("state") == ["never", "nev"])
    seat.press("Enter")
    seat.type(String(repeating: "x", count: 129))
    seat.press("Enter")
    #expect(seat.app.editor?.problem?.contains("cannot become one") == true)
}

@Test("the new column's prompt takes its choices in brackets, as the command line does")
func newChoiceColumn() {
    let stage = Stage("a:text", rows: [["x"]])
    let seat = stage.seat(role: "owner", width: 100, height: 20)
    seat.press("Alt-N")
    seat.type("state(open|on hold")
    #expect(seat.screen.contains("new text column"))
    seat.type("| done )")
    #expect(seat.screen.contains("new choice column"))
    seat.press("Enter")
    let column = seat.sheet?.columns.last
    #expect(column?.name == "state")
    #expect(column?.rules.choices == ["open", "on hold", "done"])
    seat.press("Alt-N")
    seat.type("twice(a|b|a)")
    seat.press("Enter")
    #expect(seat.screen.contains("A choice stands twice"))
    #expect(seat.sheet?.columns.count == 2)
    seat.press("Esc", "Alt-N")
    seat.type("weight (kg)")
    seat.press("Enter")
    #expect(seat.sheet?.columns.contains { $0.name == "weight (kg)" && $0.type == .text } == true)
    seat.press("Alt-N")
    while !seat.screen.contains("new choice column") { seat.press("Tab") }
    seat.type("one(only)")
    seat.press("Enter")
    #expect(seat.sheet?.columns.contains { $0.name == "one" && $0.type == .choice } == true)
}
