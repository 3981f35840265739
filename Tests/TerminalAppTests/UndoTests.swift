// Undo and redo in the terminal: what the keys ask the server for, what is said of it, and what
// they do in an open editor.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func fruit() -> Stage {
    Stage("name:text qty:int", rows: [["apple", "3"], ["pear", "4"], ["plum", "5"]])
}

private func setText(_ seat: Seat, _ row: Int, _ column: Int, _ value: Value) -> Intent {
    .setCells([
        CellEdit(row: seat.rowID(row), column: .id(seat.columnID(column)), value: value)
    ])
}

@Test("FD17: Ctrl-Z undoes one change after the other, Ctrl-Y does them again")
func undoAndRedo() {
    let seat = fruit().seat(width: 100)
    seat.press("Enter")
    seat.type("fig")
    seat.press("Enter", "Down", "Del")
    #expect(seat.column("name") == ["fig", "∅", "plum"])
    seat.press("Ctrl-Z")
    #expect(seat.column("name") == ["fig", "pear", "plum"])
    #expect(seat.screen.contains("undone"))
    seat.press("Ctrl-Z")
    #expect(seat.column("name") == ["apple", "pear", "plum"])
    seat.press("Ctrl-Z")
    #expect(seat.said.last?.hasPrefix("nothing to undo") == true)
    seat.press("Ctrl-Y", "Ctrl-Y")
    #expect(seat.column("name") == ["fig", "∅", "plum"])
    #expect(seat.said.last == "done again")
    seat.press("Ctrl-Y")
    #expect(seat.said.last?.hasPrefix("nothing to redo") == true)
}

@Test("FD17: in vim's set u and Ctrl-R do it, also several times; Ctrl-Z suspends there")
func undoInVim() {
    let seat = fruit().seat(width: 100) { $0.options.keys = .vim }
    seat.press("dd", "dd")
    #expect(seat.column("name") == ["plum"])
    seat.press("2", "u")
    #expect(seat.column("name") == ["apple", "pear", "plum"])
    seat.press("Ctrl-R")
    #expect(seat.column("name") == ["pear", "plum"])
    seat.press("Ctrl-Z")
    #expect(seat.takeActions().contains(.suspend))
    #expect(seat.column("name") == ["pear", "plum"])
}

@Test("FD17: rows, moves and columns are undone; suspend is a command of both sets")
func undoOfMore() {
    let seat = fruit().seat(width: 100)
    seat.press("Ctrl-Del", "Alt-Down")
    #expect(seat.column("name") == ["plum", "pear"])
    seat.press("Ctrl-Z", "Ctrl-Z")
    #expect(seat.column("name") == ["apple", "pear", "plum"])
    seat.press("Ctrl-P")
    seat.type("suspend")
    seat.press("Enter")
    #expect(seat.takeActions().contains(.suspend))
    seat.press("Ctrl-P")
    seat.type("redo")
    seat.press("Enter")
    #expect(seat.column("name") == ["pear", "plum"])
}

@Test("U2: what somebody has gone on from stays, and it is said how much and by whom")
func undoKept() {
    let stage = fruit()
    let seat = stage.seat(width: 120)
    seat.press("Shift-Down", "Del")
    stage.remote(setText(seat, 0, 0, .text("theirs")))
    seat.press("Ctrl-Z")
    #expect(seat.column("name") == ["theirs", "pear", "plum"])
    let said = seat.said.last ?? ""
    #expect(said.hasSuffix("has gone on from 1 thing, which stays; the rest is undone"), "\(said)")
    #expect(!said.hasPrefix("somebody"))
    seat.press("Esc", "Esc", "Down", "Del")
    stage.remote(setText(seat, 2, 0, .text("theirs too")))
    seat.press("Ctrl-Z")
    #expect(seat.said.last?.hasSuffix("which stays; nothing undone") == true, "\(seat.said)")
}

@Test("FD17: without a connection it is said that the answer is still to come")
func undoWithoutConnection() {
    let seat = fruit().seat(width: 100)
    seat.press("Del")
    seat.cut()
    seat.press("Ctrl-Z")
    #expect(seat.said.last == "undo: the server has yet to answer; no connection")
    #expect(seat.column("name")[0] == "∅")
    seat.mend()
    #expect(seat.column("name")[0] == "apple")
    #expect(seat.said.contains("undone"))
}

@Test("FD17: who may not change the table undoes nothing")
func undoReadOnly() {
    let seat = fruit().seat(width: 100) { $0.options.isReadOnly = true }
    seat.press("Ctrl-Z")
    #expect(seat.said.last?.hasPrefix("read-only") == true)
}

@Test("FD17: in the editor Ctrl-Z gives back the text before, Ctrl-Y the next; nothing is sent")
func undoInEditor() {
    let seat = fruit().seat(width: 100)
    seat.press("Del")
    seat.press("Down", "Enter", "End")
    seat.type(" and more")
    let text = { seat.app.editor?.field.text }
    #expect(text() == "pear and more")
    seat.press("Ctrl-Z")
    #expect(text() == "pear and ")
    seat.press("Ctrl-Z", "Ctrl-Z", "Ctrl-Z")
    #expect(text() == "pear")
    seat.press("Ctrl-Z")
    #expect(seat.said.last?.hasPrefix("this is the text as it was") == true)
    seat.press("Ctrl-Y", "Ctrl-Y")
    #expect(text() == "pear and")
    seat.paste("!!")
    #expect(text() == "pear and!!")
    seat.press("Ctrl-Y")
    #expect(seat.said.last?.hasPrefix("nothing in this text") == true)
    seat.press("Ctrl-Z", "Ctrl-N", "Ctrl-Z")
    #expect(text() == "pear and")
    #expect(seat.app.editor?.isNull == false)
    seat.press("Enter")
    #expect(seat.column("name") == ["∅", "pear and", "plum"])
    seat.press("Ctrl-Z", "Ctrl-Z")
    #expect(seat.column("name") == ["apple", "pear", "plum"])
}

@Test("FD17: an undo whose answer comes into the open editor of that cell is told there")
func undoUnderEditor() {
    let seat = fruit().seat(width: 100)
    seat.press("Del")
    seat.isSwallowing = true
    seat.press("Ctrl-Z", "Enter")
    seat.type("new")
    seat.isSwallowing = false
    seat.press("Right")
    #expect(seat.app.editor?.interference != nil)
    seat.press("Enter")
    #expect(seat.column("name")[0] == "new")
}

@Test("of long texts only so much is kept that the memory stays small")
func editorPastIsBounded() {
    var past = EditorPast()
    let long = String(repeating: "x", count: 90_000)
    for number in 0..<10 {
        past.note(
            EditorText(field: TextField(long + String(number)), isNull: false),
            isPartOfWord: false)
    }
    var count = 0
    var present = EditorText(field: TextField("now"), isNull: false)
    while let text = past.takeBack(present) {
        present = text
        count += 1
    }
    #expect(count == 3)
    #expect(past.doAgain(present) != nil)
}
