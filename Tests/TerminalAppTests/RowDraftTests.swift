// New rows where columns are required: their cells are asked for, then the row is inserted whole.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

/// A table whose name and state are required, the name unique.
private func strictStage() -> Stage {
    let stage = Stage(
        "name:text qty:int state:choice|open|done", rows: [["pear", "3", "open"]])
    func rule(_ key: Text) -> JSONTree { .object([JSONMember(key: key, value: .bool(true))]) }
    stage.remote(.changeRules(.name("name"), rule("required")))
    stage.remote(.changeRules(.name("name"), rule("unique")))
    stage.remote(.changeRules(.name("state"), rule("required")))
    return stage
}

@Test("what a new row needs is asked for one after the other, and it comes as one insertion")
func draftedRow() {
    let stage = strictStage()
    let seat = stage.seat(width: 90, height: 16)
    let other = stage.seat("eve")
    seat.press("Ins")
    #expect(seat.screen.contains("new row: name"))
    #expect(seat.screen.contains("1 of 2"))
    seat.press("Enter")
    #expect(seat.screen.contains("name needs a value"))
    seat.type("fig")
    seat.press("Enter")
    #expect(seat.screen.contains("new row: state"))
    #expect(other.column("name") == ["pear"])
    seat.type("x")
    seat.press("Enter")
    #expect(seat.screen.contains("none of the column's choices"))
    seat.press("Ctrl-U")
    seat.type("d")
    seat.press("Enter")
    #expect(seat.app.layer == nil)
    #expect(other.column("name") == ["pear", "fig"])
    #expect(other.column("state") == ["open", "done"])
    // The cursor stands at what is left to fill.
    #expect(seat.app.grid.rowPosition == 1)
    #expect(seat.app.grid.columnPosition == 1)
    seat.press("Ctrl-Z")
    #expect(other.column("name") == ["pear"])
}

@Test("Shift-Tab goes back in a new row with what was typed, and Esc inserts nothing")
func draftGoesBack() {
    let seat = strictStage().seat(width: 90, height: 16)
    seat.press("Ins")
    seat.type("fig")
    seat.press("Tab")
    seat.type("op")
    seat.press("Shift-Tab")
    #expect(seat.screen.contains("fig"))
    seat.press("Enter")
    #expect(seat.screen.contains("op"))
    seat.press("Esc")
    #expect(seat.app.layer == nil)
    #expect(seat.column("name") == ["pear"])
}

@Test("a new row that the server refuses comes back with what was typed and the reason")
func draftRefused() {
    let stage = strictStage()
    let seat = stage.seat(width: 90, height: 16)
    seat.press("Alt-Ins")
    seat.type("pear")
    seat.press("Enter")
    seat.type("open")
    seat.press("Enter")
    #expect(seat.column("name") == ["pear"])
    #expect(seat.screen.contains("new row: name"))
    seat.type("quince")
    seat.press("Enter", "Enter")
    #expect(seat.column("name") == ["quince", "pear"])
}

@Test("without required columns, and where they have defaults, a row is inserted at once")
func noDraft() {
    let stage = Stage("name:text qty:int", rows: [["pear", "3"]])
    stage.remote(
        .changeRules(
            .name("qty"),
            .object([
                JSONMember(key: "required", value: .bool(true)),
                JSONMember(key: "default", value: .int(7)),
            ])))
    let seat = stage.seat()
    seat.press("Ins")
    #expect(seat.app.editor != nil)
    #expect(seat.column("qty") == ["3", "7"])
}
