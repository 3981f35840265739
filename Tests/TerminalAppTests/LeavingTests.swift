// Leaving an editor and the program: nothing that was typed is lost unasked, and nothing that
// somebody else wrote is replaced unasked.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func write(_ text: Text, _ row: RowID, _ column: ColumnID) -> Intent {
    .setCells([CellEdit(row: row, column: .id(column), value: .text(text))])
}

@Test("quitting takes the text in the editor along, or stays where it cannot be taken")
func quitTakesText() {
    let stage = fruitStage()
    let seat = stage.seat()
    let other = stage.seat("eve")
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Ctrl-Q")
    #expect(seat.screen.contains("text in the editor is not committed"))
    seat.press("w")
    #expect(seat.takeActions().contains(.quit))
    #expect(other.column("name")[0] == "kiwi")
}

@Test("waiting for the server before quitting does not lose the text in the editor")
func waitAndQuitTakesText() {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    let other = stage.seat("eve")
    seat.cut()
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Enter", "Down", "Enter")
    seat.type("plum")
    seat.press("Ctrl-Q")
    #expect(seat.screen.contains("1 change is not confirmed yet, the text in the editor not"))
    seat.press("w")
    #expect(!seat.takeActions().contains(.quit))
    #expect(seat.app.unsentCount == 2)
    seat.mend()
    #expect(seat.takeActions().contains(.quit))
    #expect(other.column("name") == ["kiwi", "plum", "fig"])
}

@Test("a text that cannot be taken keeps the program here, and so do a key, a click and a paste")
func stays() {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    seat.cut()
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Enter", "Right", "Enter")
    seat.type("many")
    seat.press("Ctrl-Q", "w")
    #expect(!seat.app.quitsWhenSent)
    #expect(seat.app.editor?.field.text == "many")
    #expect(seat.said.contains { $0.hasPrefix("still here") })
    seat.press("Esc")
    for stay in [{ seat.press("Down") }, { seat.click(8, 3) }, { seat.paste("x") }] {
        seat.press("Esc", "Ctrl-Q", "w")
        #expect(seat.app.quitsWhenSent)
        stay()
        #expect(!seat.app.quitsWhenSent)
    }
    seat.mend()
    #expect(!seat.takeActions().contains(.quit))
}

@Test(
    "FT19: Tab, a click elsewhere and quitting replace nobody's value unasked",
    arguments: ["Tab", "Shift-Tab", "click", "quit"])
func leavingInConflict(way: String) {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    seat.press("Down", "Enter")
    seat.type("plum")
    stage.remote(write("lime", seat.rowID(1), seat.columnID(0)))
    switch way {
    case "click": seat.click(8, 4)
    case "quit": seat.press("Ctrl-Q", "w")
    default: seat.press(way)
    }
    #expect(seat.app.editor?.field.text == "plum")
    #expect(seat.screen.contains("first say whose value counts"))
    #expect(seat.screen.contains("changed by bob: lime"))
    #expect(seat.column("name")[1] == "lime")
    #expect(!seat.takeActions().contains(.quit))
    seat.press("Enter")
    #expect(seat.column("name")[1] == "plum")
}

@Test("FT19: a text that was not touched gives way to what somebody wrote")
func untouchedInConflict() {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    let other = stage.seat("eve")
    seat.press("Down", "Enter")
    stage.remote(write("lime", seat.rowID(1), seat.columnID(0)))
    let before = other.noticeCount
    seat.click(8, 4)
    #expect(seat.app.editor == nil)
    #expect(seat.app.grid.rowPosition == 2)
    seat.press("Up", "Enter")
    stage.remote(write("lemon", seat.rowID(1), seat.columnID(0)))
    seat.press("Tab")
    #expect(seat.app.editor?.column.name == "qty")
    #expect(seat.column("name")[1] == "lemon")
    #expect(other.noticeCount == before + 1, "nothing was sent")
}

@Test("FT19: a click elsewhere does not make a deleted row again")
func leavingDeletedRow() {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    seat.press("Down", "Enter")
    seat.type("plum")
    stage.remote(.deleteRows([seat.rowID(1)]))
    seat.click(8, 2)
    #expect(seat.app.editor?.field.text == "plum")
    #expect(seat.column("name") == ["apple", "fig"])
    seat.press("Enter")
    #expect(seat.column("name") == ["apple", "plum", "fig"])
}

@Test("FT19: a row is made again without the columns that were deleted since")
func rowAgainWithoutColumns() {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    seat.press("Down", "Enter")
    seat.type("plum")
    stage.remote(.deleteRows([seat.rowID(1)]))
    stage.remote(.deleteColumn(.id(seat.columnID(1))))
    seat.press("Enter")
    #expect(seat.column("name") == ["apple", "plum", "fig"])
    stage.pass(milliseconds: 300)
    #expect(!seat.said.contains { $0.contains("did not come through") })
}

@Test("a column that was deleted while one was asked about it is named as gone")
func questionOfDeletedColumn() {
    let stage = fruitStage()
    let seat = stage.seat(role: "owner", width: 100)
    seat.press("Right", "Alt-K")
    stage.remote(.deleteColumn(.id(seat.columnID(1))))
    seat.press("y")
    #expect(seat.said.last == "column qty is gone already")
    #expect(seat.column("name").count == 3)
    seat.press("Alt-E")
    stage.remote(.deleteColumn(.id(seat.columnID(0))))
    seat.type("x")
    seat.press("Enter")
    #expect(seat.screen.contains("the column was deleted meanwhile"))
}

@Test("waiting to quit ends here where the awaited change came to nothing, and keeps the text")
func waitCameToNothing() {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    seat.cut()
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Enter", "Ctrl-Q", "w")
    #expect(seat.app.quitsWhenSent)
    stage.remote(.deleteRows([seat.rowID(0)]))
    seat.mend()
    #expect(seat.app.unsentCount == 0)
    #expect(!seat.takeActions().contains(.quit))
    #expect(seat.screen.contains("went into a row or column that was deleted"), "\(seat.screen)")
    #expect(seat.said.last?.hasPrefix("still here") == true)
    #expect(seat.app.notices.all.contains { $0.kept?.field.text == "kiwi" })
    // Who knows now may go.
    seat.press("Ctrl-Q")
    #expect(seat.takeActions().contains(.quit))
    #expect(seat.app.farewell == nil)
}

@Test("what is lost behind the last confirmation is said after the screen is gone, without content")
func lostBehindTheWait() throws {
    let stage = fruitStage()
    let seat = stage.seat(width: 100)
    seat.isSwallowing = true
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Enter", "Ctrl-Q", "w")
    seat.isSwallowing = false
    stage.settle()
    #expect(seat.takeActions().contains(.quit))
    #expect(seat.app.farewell == nil)
    stage.remote(write("lime", seat.rowID(0), seat.columnID(0)))
    let words = try #require(seat.app.farewell)
    #expect(words.contains("not everything in table stock came through"))
    #expect(!words.contains("lime") && !words.contains("kiwi"))
}
