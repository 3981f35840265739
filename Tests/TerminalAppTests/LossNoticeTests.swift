// Who is told of a value that was lost, and who is not: nothing is lost that was not written.
import TableModel
import TableValue
import Testing

@testable import TerminalApp

@Test("C1: others fill in the cells of a row that one inserted: nothing is lost, nothing is said")
func freshRowIsFilled() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Ins")
    seat.type("lime")
    seat.press("Enter", "Right", "Enter")
    let row = seat.rowID(seat.app.grid.rowPosition)
    stage.remote(.setCells([CellEdit(row: row, column: .name("qty"), value: .int(4))]))
    #expect(seat.screen.contains("changed by bob: 4"))
    seat.press("Ctrl-T", "Enter")
    #expect(seat.column("qty")[1] == "4")
    #expect(!seat.said.contains { $0.contains("replaced your value") })
}

@Test("C1: what the editor has told of, and what was taken, is no warning afterwards")
func takenIsNotLost() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.press("Enter", "Enter")
    let set = Intent.setCells([
        CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))
    ])
    stage.remote(set)
    #expect(seat.screen.contains("changed by bob: theirs"))
    seat.press("Ctrl-T", "Enter")
    #expect(seat.column("name")[0] == "theirs")
    #expect(!seat.screen.contains("replaced your value"))
    // It can be had again all the same.
    #expect(seat.app.notices.all.contains { $0.kept?.field.text == "mine" })
}

@Test("C1: where a newer value of one's own is on its way, the one in between is no warning")
func newerIsOnItsWay() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.press("Enter")
    seat.isSwallowing = true
    seat.press("Enter")
    seat.type("mine again")
    seat.press("Enter")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))]))
    seat.isSwallowing = false
    stage.settle()
    #expect(!seat.screen.contains("replaced your value"), "\(seat.screen)")
    #expect(seat.column("name")[0] == "mine again")
    #expect(seat.app.notices.all.contains { $0.kept?.field.text == "mine" })
}

@Test("C1: a value that somebody empties is lost, and told")
func emptiedIsTold() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.press("Enter")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .null)]))
    #expect(seat.screen.contains("bob replaced your value in row 1, name: now nothing (∅)"))
}

@Test("C1: a lost value is put back by one key, as one operation")
func putBack() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.press("Enter")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))]))
    #expect(seat.screen.contains("bob replaced your value in row 1, name: now theirs"))
    let head = seat.head
    seat.press("Alt-P")
    #expect(seat.column("name")[0] == "mine")
    #expect(seat.head == head + 1)
    #expect(!seat.screen.contains("replaced your value"))
    seat.press("Alt-P")
    #expect(seat.said.last == "nothing of yours was replaced or deleted by others")
}

@Test("C1: many values that one record replaces are told once, and come back together")
func manyLost() {
    let rows = (0..<5).map { ["fruit \($0)", "1"] }
    let stage = Stage("name:text qty:int", rows: rows)
    let seat = stage.seat(width: 90, height: 16)
    let count = seat.column("qty").count
    seat.press("Right", "Alt-T")
    seat.type("100")
    seat.press("Enter", "Enter", "y")
    #expect(seat.column("qty") == Array(repeating: "100", count: count))
    stage.remote(.transformColumn(TransformColumn(column: .name("qty"), value: "2")))
    #expect(count > 3)
    let warned = "bob replaced \(count) values of yours, the first in row 1, qty"
    #expect(seat.said.last?.hasPrefix(warned) == true, "\(seat.said)")
    seat.press("F8")
    #expect(seat.screen.contains("b puts back"))
    seat.press("b")
    #expect(seat.column("qty") == Array(repeating: "100", count: count))
}

@Test("C7: a deleted row with one's own values is told, and brought back with them")
func deletedRowPutBack() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Down", "Enter")
    seat.type("mine")
    seat.press("Enter")
    let names = seat.column("name")
    stage.remote(.deleteRows([seat.rowID(1)]))
    #expect(seat.said.contains { $0.hasPrefix("bob deleted 1 row with values of yours") })
    seat.press("Alt-P")
    #expect(seat.column("name") == names)
}

@Test("S6: a deleted column with one's own values is told; a manager brings it back")
func deletedColumnPutBack() {
    let stage = fruitStage()
    let seat = stage.seat(role: "manager", width: 90)
    let editor = stage.seat("eve", width: 90)
    editor.press("Down")
    for guest in [seat, editor] {
        guest.press("Enter")
        guest.type("mine")
        guest.press("Enter")
    }
    let names = seat.column("name")
    stage.remote(.deleteColumn(.name("name")))
    #expect(editor.said.last == "bob deleted column name with values of yours")
    editor.press("Alt-P")
    #expect(editor.column("name").isEmpty)
    #expect(seat.said.last?.contains("brings it back") == true)
    seat.press("Alt-P")
    #expect(editor.column("name") == names)
}
