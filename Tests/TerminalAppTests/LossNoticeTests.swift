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
