// A table that is still on its way: its first rows are shown, and how much has come.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

/// Somebody who has just sat down, and to whom some thousands of bytes have come.
private func arriving(_ stage: Stage, width: Int = 100) -> Seat {
    var setup = Seat.Setup(width: width, height: 12)
    setup.options.theme = .none
    let seat = Seat(at: stage, token: stage.makeToken("ann", role: "editor"), setup)
    seat.receivedMax = 2_000
    while !seat.screen.contains("row 1"), seat.exchange() {}
    return seat
}

@Test("FT28: the first rows are shown before all have come, with the count and the percent")
func firstRows() {
    let stage = Stage("n:int text:text", rows: (1...20_000).map { [String($0), "row \($0)"] })
    let seat = arriving(stage)
    #expect(seat.sheet == nil, "not all of it is here")
    #expect(seat.app.isLoading)
    #expect(seat.line(0).contains(" of 20,000 rows, "), "\(seat.line(0))")
    #expect(seat.line(0).contains("%"))
    #expect(seat.line(2).contains("row 1"))
    #expect(seat.line(11).contains("row 1 of 20,000"))
    // One can look about, but change nothing.
    seat.press("Down", "Down")
    #expect(seat.app.grid.rowPosition == 2)
    seat.press("Enter")
    #expect(seat.app.editor == nil)
    #expect(seat.said.last?.contains("still on its way") == true)
    seat.press("Ctrl-Del", "Ins", "Ctrl-V")
    #expect(seat.app.layer == nil)
    #expect(seat.app.editor == nil)
    let row = seat.app.grid.row
    seat.receivedMax = .max
    while seat.exchange() {}
    // The cursor is where it was, and the rest works.
    #expect(seat.line(0).contains("● live"))
    #expect(seat.app.grid.row == row)
    #expect(seat.sheet?.rowCount == 20_000)
    seat.press("Enter")
    #expect(seat.app.editor?.row == row)
}

@Test("FT28: every command can be run while the table is on its way")
func commandsWhileArriving() {
    let stage = Stage("n:int text:text", rows: (1...9_000).map { [String($0), "row \($0)"] })
    let seat = arriving(stage)
    let before = seat.app
    for command in AppCommand.allCases {
        guard let keys = command.entry.standardKeys.first else { continue }
        seat.app = before
        seat.press(keys)
        _ = seat.frame
    }
    seat.app = before
    seat.receivedMax = .max
    while seat.exchange() {}
    #expect(seat.column("text").count == 9_000)
}

@Test("a search that began while the table was on its way counts all of it in the end")
func searchWhileArriving() {
    let stage = Stage("n:int text:text", rows: (1...9_000).map { [String($0), "row \($0)"] })
    let seat = arriving(stage)
    seat.press("/")
    seat.type("row")
    seat.press("Enter")
    seat.receivedMax = .max
    while seat.exchange() {}
    stage.pass(milliseconds: 2_000)
    for _ in 0..<20 { seat.send(.ticked) }
    #expect(seat.line(11).contains("of 9,000"), "\(seat.line(11))")
}
