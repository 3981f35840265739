// Moving and scrolling, with a cursor that stays on its row whatever others do.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func numbers(_ count: Int) -> Stage {
    Stage("n:int text:text", rows: (1...count).map { [String($0), "row \($0)"] })
}

@Test("FT1: header and row numbers stay while rows scroll, both ways")
func scrolling() {
    let seat = numbers(100).seat(width: 60, height: 10)
    #expect(seat.line(1).contains("text"))
    #expect(seat.line(2).contains("row 1"))
    seat.press("PgDn")
    #expect(seat.app.grid.rowPosition == 6)
    seat.press("Ctrl-End")
    #expect(seat.app.grid.rowPosition == 99)
    #expect(seat.line(1).contains("text"))
    #expect(seat.line(7).contains("100"))
    seat.press("Ctrl-Home")
    #expect(seat.line(2).contains("row 1"))
}

@Test("FT1: columns scroll so that the cursor's is in sight as a whole")
func scrollingColumns() {
    let names = (0..<30).map { "column\($0):int" }.joined(separator: " ")
    let seat = Stage(names, rows: [(0..<30).map(String.init)]).seat(width: 70)
    seat.press("End")
    #expect(seat.line(1).contains("column29"))
    #expect(seat.frame.size.width == 70)
    seat.press("Home")
    #expect(seat.line(1).contains("column0"))
    for _ in 0..<12 { seat.press("Right") }
    #expect(seat.line(1).contains("column12"))
}

@Test("a cursor keeps its row and its line on the screen when others insert above")
func cursorKeepsItsLine() {
    let stage = numbers(50)
    let seat = stage.seat(height: 12)
    for _ in 0..<20 { seat.press("Down") }
    let row = seat.app.grid.row
    let line = seat.app.grid.rowPosition - seat.app.grid.topPosition
    stage.remote(.insertRows(InsertRows(rowCount: 7, anchor: .first)))
    #expect(seat.app.grid.row == row)
    #expect(seat.app.grid.rowPosition == 27)
    #expect(seat.app.grid.rowPosition - seat.app.grid.topPosition == line)
    stage.remote(.deleteRows([seat.rowID(0), seat.rowID(1)]))
    #expect(seat.app.grid.row == row)
    #expect(seat.app.grid.rowPosition - seat.app.grid.topPosition == line)
}

@Test("a deleted row leaves the cursor where it was, with a word about it")
func cursorOfDeletedRow() {
    let stage = numbers(10)
    let seat = stage.seat()
    seat.press("Down", "Down")
    let next = seat.rowID(3)
    stage.remote(.deleteRows([seat.rowID(2)]))
    #expect(seat.app.grid.row == next)
    #expect(seat.app.grid.rowPosition == 2)
    #expect(seat.said.contains("bob deleted the row under the cursor"))
}

@Test("the wheel scrolls; it moves no cursor and ends no edit")
func wheel() {
    let seat = numbers(100).seat(height: 12)
    seat.press("Enter")
    seat.type("5")
    for _ in 0..<5 { seat.mouse(.wheelDown, 10, 4) }
    #expect(seat.app.grid.topPosition == 15)
    #expect(seat.app.grid.rowPosition == 0)
    #expect(seat.app.editor?.field.text == "5")
    // Out of sight, the editor is on a line at the bottom, and goes on.
    #expect(seat.screen.contains("n: 5"))
    seat.press("Enter")
    #expect(seat.column("n")[0] == "5")
    #expect(seat.app.grid.topPosition == 15)
}

@Test("go to row and column: by number, by name, by what a name begins with")
func goTo() {
    let seat = numbers(100).seat()
    seat.press("Ctrl-G")
    seat.type("42")
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 41)
    seat.press("Ctrl-G")
    seat.type("0")
    seat.press("Enter")
    #expect(seat.screen.contains("a row is a number from 1 to 100"))
    seat.press("Esc", ":")
    seat.type("7")
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 6)
    seat.press("Alt-G")
    seat.type("te")
    seat.press("Enter")
    #expect(seat.app.grid.columnPosition == 1)
    let vim = numbers(100).seat { $0.options.keys = .vim }
    vim.press("1", "2", "G")
    #expect(vim.app.grid.rowPosition == 11)
    vim.press("gg", "5", "j")
    #expect(vim.app.grid.rowPosition == 5)
}

@Test("FT5: widths change by keys, within bounds, however long a key is held")
func widths() {
    let seat = numbers(5).seat()
    seat.press("Right")
    let id = seat.columnID(1)
    let before = seat.app.grid.widths[id] ?? 0
    seat.press(">", ">")
    #expect(seat.app.grid.widths[id] == before + 2)
    for _ in 0..<500 { seat.press("<") }
    #expect(seat.app.grid.widths[id] == GridState.widthMin)
    #expect(seat.said.last?.contains("a column has") == true)
    seat.press("=")
    #expect(seat.app.grid.widths[id] == before)
}

@Test("FT5: a column grows with its content, not by scrolling, and never against a chosen width")
func widthsFollowContent() {
    let stage = Stage(
        "name:text qty:int",
        rows: (0..<40).map { [$0 == 39 ? "a name that is long" : "short", "1"] })
    let seat = stage.seat(width: 90)
    func width() -> Int { seat.app.grid.widths[seat.columnID(0)] ?? 0 }
    func write(_ text: Text) {
        stage.remote(
            .setCells([
                CellEdit(row: seat.rowID(0), column: .id(seat.columnID(0)), value: .text(text))
            ]))
    }
    let first = width()
    seat.press("Ctrl-End")
    #expect(seat.screen.contains("1│"))
    #expect(width() == first)
    seat.press("Ctrl-Home")
    write("fourteen chars")
    #expect(seat.screen.contains("fourteen chars"))
    let grown = width()
    #expect(grown > first)
    // Not below what is being typed.
    seat.press("Enter")
    write("twenty characters, so")
    _ = seat.screen
    #expect(width() == grown)
    seat.press("Esc")
    #expect(seat.screen.contains("twenty characters, so"))
    seat.press("<", "<")
    let chosen = width()
    write("and even more characters")
    _ = seat.screen
    #expect(width() == chosen)
    seat.press("=")
    #expect(width() > chosen)
}

@Test("FT5: dragging a header's edge by five makes the column five wider")
func dragEdge() {
    let seat = numbers(5).seat()
    let layout = GridLayout(of: seat.app, seat.sheet)
    let edge = layout.columns[1].x + layout.columns[1].width
    let before = seat.app.grid.widths[seat.columnID(1)] ?? 0
    seat.mouse(.pressed(.left), edge, 1)
    seat.mouse(.dragged(.left), edge + 3, 1)
    seat.mouse(.dragged(.left), edge + 5, 1)
    seat.mouse(.released, edge + 5, 1)
    #expect(seat.app.grid.widths[seat.columnID(1)] == before + 5)
    // A release that never comes: the next key ends the drag.
    seat.mouse(.pressed(.left), edge + 5, 1)
    seat.press("Down")
    seat.mouse(.dragged(.left), edge + 9, 1)
    #expect(seat.app.grid.widths[seat.columnID(1)] == before + 5)
}

@Test("FT6: a narrow terminal shows one column a row, with a line of detail")
func compactForm() {
    let seat = numbers(10).seat(width: 40, height: 12)
    #expect(seat.line(1).contains("n  1/2"))
    #expect(seat.line(3).contains("text row 1"))
    seat.press("Right")
    #expect(seat.line(1).contains("text  2/2"))
    #expect(seat.line(2).contains("row 1"))
    #expect(seat.line(3).contains("n 1"))
}

@Test("empty tables say what to do next")
func emptyStates() {
    let seat = Stage("name:text").seat()
    #expect(seat.screen.contains("no rows yet"))
    #expect(seat.screen.contains("Ins adds the first"))
    seat.press("Enter")
    #expect(seat.said.last?.contains("there is no row yet") == true)
    let bare = Stage("").seat()
    #expect(bare.screen.contains("no columns yet"))
    bare.press("Enter")
    #expect(bare.app.editor == nil)
}

@Test("moving the cursor costs the same on a table of any size")
func movingIsCheap() {
    let small = numbers(20).seat()
    let large = numbers(6_000).seat()
    for seat in [small, large] {
        seat.press("Ctrl-End", "Ctrl-Home", "PgDn", "Down")
        let layout = GridLayout(of: seat.app, seat.sheet)
        // Only what is in sight is looked at: as many rows as the screen has lines.
        #expect(layout.visibleRows.count <= seat.app.size.height)
    }
}

@Test("FT9: chosen rows stay chosen by id, and leave with a word when others delete them")
func chosenRows() {
    let stage = numbers(10)
    let seat = stage.seat()
    seat.press("Space", "Space")
    #expect(seat.app.selection.rows == [seat.rowID(0), seat.rowID(1)])
    let chosen = seat.app.selection.rows
    stage.remote(.moveRows([seat.rowID(0)], to: .last))
    stage.remote(.insertRows(InsertRows(rowCount: 2, anchor: .first)))
    #expect(seat.app.selection.rows == chosen)
    stage.remote(.deleteRows([seat.rowID(11)]))
    #expect(seat.app.selection.rows.count == 1)
    #expect(seat.said.last == "bob deleted 1 chosen row")
    seat.press("Ctrl-A")
    #expect(seat.app.selection.rows.count == 11)
    seat.press("Esc")
    #expect(seat.app.selection.isEmpty)
}

@Test("FT9: a range of rows grows and shrinks with the cursor")
func rangeOfRows() {
    let seat = numbers(20).seat { $0.options.keys = .vim }
    seat.press("j", "V", "j", "j", "j")
    #expect(seat.app.selection.rows.count == 4)
    seat.press("k", "k")
    #expect(seat.app.selection.rows.count == 2)
    seat.press("k", "k")
    #expect(seat.app.selection.rows == [seat.rowID(0), seat.rowID(1)])
    seat.press("V", "j", "j", "j")
    #expect(seat.app.selection.rows.count == 2)
}
