// A column of another type, a copy of it, another table's rows, and the next row of a queue, from
// the keyboard: what is asked first, what it says, and one undo that takes it back.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func queue() -> Stage {
    Stage("job:text size:text who:text", rows: [["a", "12", "∅"], ["b", "soon", "∅"]])
}

@Test("S11: a change of type shows what would be emptied, and one undo brings it back")
func retypeColumn() {
    let seat = queue().seat(role: "manager", width: 90, height: 20)
    seat.press("Right", "Alt-Y")
    #expect(seat.screen.contains("make size"))
    seat.type("number")
    seat.press("Enter")
    #expect(seat.screen.contains("no such type; there are text, int"))
    for _ in 0..<8 { seat.press("Backspace") }
    seat.type("int")
    seat.press("Enter")
    #expect(seat.screen.contains("Make size int?"))
    #expect(seat.screen.contains("row 2: soon → ∅"))
    #expect(seat.screen.contains("1 value cannot be int: emptied."))
    seat.press("n")
    #expect(seat.column("size") == ["12", "soon"])
    seat.press("Alt-Y")
    seat.type("int")
    seat.press("Enter", "y")
    #expect(seat.column("size") == ["12", "∅"])
    #expect(seat.sheet?.columns[1].type == .int)
    #expect(seat.said.last == "column size changed its type; Ctrl-Z takes it back")
    seat.press("Ctrl-Z")
    #expect(seat.column("size") == ["12", "soon"])
    #expect(seat.sheet?.columns[1].type == .text)
}

@Test("S11: whoever may not change columns is not offered it")
func retypeForbidden() {
    let seat = queue().seat(width: 90, height: 20)
    seat.press("Alt-Y")
    #expect(seat.app.layer == nil)
    #expect(seat.said.last?.contains("your role (editor) does not allow") == true)
}

@Test("FD8: a column is copied with its cells")
func duplicateColumn() {
    let seat = queue().seat(role: "manager", width: 90, height: 20)
    seat.run(.duplicateColumn)
    #expect(seat.column("job 2") == ["a", "b"])
}

@Test("FD10: the rows of another table are appended; one that is not there is refused")
func appendTable() {
    let stage = queue()
    stage.make("more", "job:text", rows: [["c"], ["d"]])
    let seat = stage.seat(width: 90, height: 20)
    seat.run(.appendTable)
    seat.type("more")
    seat.press("Enter")
    #expect(seat.column("job") == ["a", "b", "c", "d"])
    #expect(seat.said.last == "2 rows of more appended; Ctrl-Z takes it back")
    seat.run(.appendTable)
    seat.type("none")
    seat.press("Enter")
    #expect(seat.said.last?.contains("appending table none was refused") == true)
}

@Test("C18: a person claims the next row: the cursor goes there, undo gives it back")
func claimRow() {
    let stage = queue()
    let seat = stage.seat(width: 90, height: 20)
    let other = stage.seat("eve", width: 90, height: 20)
    for (guest, name) in [(seat, "ann"), (other, "eve")] {
        guest.press("Alt-J", "Enter")
        guest.type("who=\(name)")
        guest.press("Enter")
    }
    #expect(seat.column("who") == ["ann", "eve"])
    #expect(other.app.grid.rowPosition == 1)
    #expect(other.said.last == "row 2 is yours; Ctrl-Z gives it back")
    seat.press("Alt-J", "Enter")
    seat.type("who=ann")
    seat.press("Enter")
    #expect(seat.said.last == "no such row is open")
    other.press("Ctrl-Z")
    #expect(seat.column("who") == ["ann", "∅"])
}

@Test("C18: a claim that is no claim is refused before it is sent")
func claimRefused() {
    let seat = queue().seat(width: 90, height: 20)
    seat.press("Alt-J")
    seat.type("none = 1")
    seat.press("Enter")
    #expect(seat.screen.contains("none"))
    for _ in 0..<10 { seat.press("Backspace") }
    seat.press("Enter", "Enter")
    #expect(seat.screen.contains("set something, so that nobody else takes the row"))
    seat.type("what=1")
    seat.press("Enter")
    #expect(seat.screen.contains("there is no column what"))
    #expect(seat.column("who") == ["∅", "∅"])
}
