// Finding: which of how many, around the ends, and while the table changes.
import TableModel
import TableValue
import Terminal
import TestSupport
import Testing

@testable import TerminalApp

private func fruit() -> Stage {
    Stage(
        "name:text note:text",
        rows: [["apple", "x"], ["pear", "an apple"], ["fig", "x"], ["Apple pie", "apple"]])
}

@Test("FT11: find says which of how many, and says where it went on at the other end")
func whichOfHowMany() {
    let stage = fruit()
    let seat = stage.seat(width: 90)
    seat.press("Ctrl-F")
    seat.type("apple")
    seat.press("Enter")
    #expect(seat.line(11).contains("find apple 2 of 4"))
    for expected in ["3 of 4", "4 of 4", "1 of 4, on from the top", "2 of 4"] {
        seat.press("F3")
        #expect(seat.line(11).contains(expected), "\(seat.line(11))")
    }
    #expect(!seat.line(11).contains("on from"))
    seat.press("Shift-F3", "Shift-F3")
    #expect(seat.line(11).contains("4 of 4, on from the end"))
    // Beside the cells that hold it, their number alone.
    seat.press("Up")
    #expect(seat.line(11).contains("find apple 4 cells"))
    let vim = stage.seat("eve", width: 90) { $0.options.keys = .vim }
    vim.press("/")
    vim.type("apple")
    vim.press("Enter", "n")
    #expect(vim.line(11).contains("3 of 4"))
    vim.press("N")
    #expect(vim.line(11).contains("2 of 4"))
}

@Test("FT11: the count follows what others and oneself write, insert and delete")
func countFollows() {
    let stage = fruit()
    let seat = stage.seat(width: 90)
    seat.press("/")
    seat.type("apple")
    seat.press("Enter")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("plum"))]))
    #expect(seat.line(11).contains("1 of 3"), "\(seat.line(11))")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(2), column: .name("note"), value: .text("apples"))]))
    #expect(seat.line(11).contains("1 of 4"))
    seat.press("Del")
    #expect(seat.line(11).contains("3 cells"))
    // What moves rows is counted anew, a second later at most.
    stage.remote(.deleteRows([seat.rowID(3)]))
    stage.remote(.insertRows(InsertRows(rowCount: 2, anchor: .first)))
    stage.pass(milliseconds: 1_500)
    seat.press("F3")
    #expect(seat.line(11).contains("1 of 1"), "\(seat.line(11))")
    #expect(seat.app.search?.tally.isComplete == true)
}

@Test("FT11: cells of a large table are counted in slices, with + until all are")
func countInSlices() {
    let stage = Stage("n:int m:int", rows: (1...24_000).map { [String($0), "0"] })
    let seat = stage.seat(width: 90)
    seat.press("/")
    seat.type("1")
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 9)
    #expect(seat.line(11).contains("2 of "), "\(seat.line(11))")
    #expect(seat.line(11).contains("+"))
    #expect(seat.app.deadline == seat.now)
    for _ in 0..<5 { seat.send(.ticked) }
    let expected = (1...24_000).count { String($0).contains("1") }
    #expect(seat.app.search?.tally.count == expected)
    #expect(seat.line(11).contains("2 of \(grouped(expected))"))
    #expect(!seat.line(11).contains("+"))
    seat.press("Esc")
    #expect(seat.app.search == nil)
}

@Test(
    "a tally that follows random edits is the tally of the table", arguments: [1, 2, 3] as [UInt64])
func tallyIsRight(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let stage = Stage("a:text b:text", rows: (0..<60).map { _ in ["x", "y"] })
    let seat = stage.seat(width: 90)
    seat.press("/")
    seat.type("x")
    seat.press("Enter")
    for step in 0..<60 {
        let row = seat.rowID(random.below(60))
        let column = random.pick([Text("a"), "b"])
        let value = random.pick([Value.text("x"), .text("y"), .null])
        stage.remote(.setCells([CellEdit(row: row, column: .name(column), value: value)]))
        let expected = (seat.column("a") + seat.column("b")).count { $0 == "x" }
        #expect(seat.app.search?.tally.count == expected, "seed \(seed), step \(step)")
    }
}
