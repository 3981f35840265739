// The past from the keyboard: what happened to a cell, a row, a column, the table; and bringing it
// back by one operation, which one undo takes back.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func fruits() -> Stage {
    Stage("name:text qty:int", rows: [["pear", "3"], ["fig", "1"], ["apple", "5"]])
}

/// Sets a cell as bob.
private func set(_ stage: Stage, _ row: RowID, _ column: Text, _ value: Value) {
    stage.remote(.setCells([CellEdit(row: row, column: .name(column), value: value)]))
}

@Test("FC12: the history of a cell says who, when, and from what to what")
func cellHistory() {
    let stage = fruits()
    let seat = stage.seat(width: 110, height: 20)
    set(stage, seat.rowID(0), "qty", .int(7))
    set(stage, seat.rowID(0), "qty", .null)
    seat.press("Right", "Alt-H")
    #expect(seat.screen.contains("history of qty, row 1 · Tab: its row"))
    #expect(seat.screen.contains("bob: 7 → ∅"))
    #expect(seat.screen.contains("bob: 3 → 7"))
    #expect(seat.screen.contains("2026-11-30T"))
    seat.press("Esc")
    #expect(seat.app.layer == nil)
}

@Test("FC12: a cell becomes what it was after a record by Enter, and one undo takes it back")
func cellRestored() {
    let stage = fruits()
    let seat = stage.seat(width: 110, height: 20)
    set(stage, seat.rowID(0), "qty", .int(7))
    set(stage, seat.rowID(0), "qty", .null)
    seat.press("Right", "Alt-H", "Down", "Enter")
    #expect(seat.screen.contains("Make this cell what it was after record"))
    seat.press("y")
    #expect(seat.column("qty") == ["7", "1", "5"])
    seat.press("Ctrl-Z")
    #expect(seat.column("qty") == ["∅", "1", "5"])
    seat.press("Alt-H", "End", "b", "n")
    #expect(seat.column("qty") == ["∅", "1", "5"])
}

@Test("FC12: Tab shows the row's, the column's and the table's history; u undoes one record")
func widerHistory() {
    let stage = fruits()
    let seat = stage.seat(width: 110, height: 20)
    seat.press("Enter")
    seat.type("plum")
    seat.press("Enter")
    stage.remote(.deleteRows([seat.rowID(2)]))
    seat.press("Up", "Alt-H", "Tab")
    #expect(seat.screen.contains("history of row"))
    #expect(seat.screen.contains("name pear → plum"))
    seat.press("Tab")
    #expect(seat.screen.contains("history of name"))
    seat.press("Tab")
    #expect(seat.screen.contains("history of the table"))
    #expect(seat.screen.contains("bob: 1 row deleted"))
    #expect(seat.screen.contains("you elsewhere: name pear → plum"))
    seat.press("Down", "u")
    #expect(seat.column("name") == ["pear", "fig"])
}

@Test("FC12: the table as it was at a record comes back after a yes")
func tableRestored() {
    let stage = fruits()
    let seat = stage.seat(width: 110, height: 20)
    let before = seat.column("name")
    let head = seat.head
    stage.remote(.truncate)
    #expect(seat.column("name").isEmpty)
    seat.run(.restoreTable)
    seat.type("tomorrow")
    seat.press("Enter")
    #expect(seat.screen.contains("give a record's number"))
    seat.press("Ctrl-U")
    for _ in 0..<10 { seat.press("Backspace") }
    seat.type("\(head)")
    seat.press("Enter")
    #expect(seat.screen.contains("Make the whole table what it was after record \(head)?"))
    seat.press("y")
    #expect(seat.column("name") == before)
}

@Test("FC12: a history of many records comes as the list is gone through")
func longHistory() {
    let stage = fruits()
    let seat = stage.seat(width: 110, height: 20)
    for number in 0..<120 { set(stage, seat.rowID(0), "qty", .int(Int64(number))) }
    seat.press("Right", "Alt-H")
    #expect(seat.historyCount == HistoryList.pageCount)
    seat.press("End")
    #expect(seat.historyCount == 2 * HistoryList.pageCount)
    seat.press("End", "End", "End")
    // The row's own insertion and that of the column are the first of all.
    #expect(seat.historyCount == 122)
    #expect(seat.screen.contains("column qty added"))
}

@Test("without a connection the history is refused with the reason")
func noHistoryAway() {
    let seat = fruits().seat(width: 110, height: 20)
    seat.cut()
    seat.press("Alt-H")
    #expect(seat.app.layer == nil)
    #expect(seat.said.last == "the history is with the server; there is no connection")
}
