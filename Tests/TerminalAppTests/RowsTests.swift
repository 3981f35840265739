// Rows and columns: inserted, duplicated, deleted, moved, named.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func letters() -> Stage {
    Stage("name:text qty:int", rows: ["a", "b", "c", "d", "e"].map { [$0, "1"] })
}

@Test("FT12: rows are inserted below and above, and edited at once")
func insertRows() {
    let seat = letters().seat()
    seat.press("Down", "Ins")
    seat.type("x")
    seat.press("Enter", "Alt-Ins")
    seat.type("y")
    seat.press("Enter")
    #expect(seat.column("name") == ["a", "b", "y", "x", "c", "d", "e"])
    #expect(seat.app.grid.rowPosition == 2)
}

@Test("FT12: rows are duplicated with their values")
func duplicateRows() {
    let seat = letters().seat()
    seat.press("Space", "Space", "Ctrl-D")
    #expect(seat.column("name") == ["a", "b", "a", "b", "c", "d", "e"])
    #expect(seat.column("qty") == Array(repeating: "1", count: 7))
}

@Test("one row is deleted at once, several ask once")
func deleteRows() {
    let seat = letters().seat()
    seat.press("Ctrl-Del")
    #expect(seat.column("name") == ["b", "c", "d", "e"])
    seat.press("Space", "Space", "Ctrl-Del")
    #expect(seat.screen.contains("Delete 2 rows for everybody?"))
    #expect(seat.column("name").count == 4)
    seat.press("n")
    #expect(seat.column("name").count == 4)
    seat.press("Ctrl-Del", "y")
    #expect(seat.column("name") == ["d", "e"])
    let vim = letters().seat { $0.options.keys = .vim }
    vim.press("d", "Esc")
    #expect(vim.column("name").count == 5)
    vim.press("dd")
    #expect(vim.column("name") == ["b", "c", "d", "e"])
}

@Test("FT20: rows move by keys, one or many, and arrive together")
func moveRows() {
    let seat = letters().seat()
    seat.press("Down", "Alt-Down")
    #expect(seat.column("name") == ["a", "c", "b", "d", "e"])
    #expect(seat.app.grid.rowPosition == 2)
    seat.press("Alt-Up", "Alt-Up")
    #expect(seat.column("name") == ["b", "a", "c", "d", "e"])
    seat.press("Alt-Up")
    #expect(seat.said.last == "the first row cannot move up")
    seat.press("Space", "Down", "Space", "Alt-Down")
    #expect(seat.column("name") == ["a", "d", "b", "c", "e"])
}

@Test("FT20: chosen rows move to wherever the cursor is")
func moveHere() {
    let seat = letters().seat()
    seat.press("Space", "Space", "Ctrl-End", "Alt-V")
    #expect(seat.column("name") == ["c", "d", "e", "a", "b"])
    seat.press("Esc", "Alt-V")
    #expect(seat.said.last?.contains("choose rows first") == true)
}

@Test("FT20: rows and columns move by dragging")
func dragRows() {
    let seat = letters().seat(role: "owner")
    seat.mouse(.pressed(.left), 2, 2)
    seat.mouse(.dragged(.left), 2, 4)
    #expect(seat.screen.contains("let go to move to row 3"))
    seat.mouse(.released, 2, 4)
    #expect(seat.column("name") == ["b", "c", "a", "d", "e"])
    let layout = GridLayout(of: seat.app, seat.sheet)
    seat.mouse(.pressed(.left), layout.columns[1].x, 1)
    seat.mouse(.dragged(.left), layout.columns[0].x, 1)
    seat.mouse(.released, layout.columns[0].x, 1)
    #expect(seat.sheet?.columns.map(\.name.string) == ["qty", "name"])
}

@Test("FT12: columns are added, renamed, moved and deleted by prompts")
func columns() {
    let seat = letters().seat(role: "owner")
    seat.press("Alt-N")
    seat.type("due")
    seat.press("Tab", "Tab", "Tab", "Tab", "Enter")
    #expect(seat.sheet?.columns.map(\.name.string) == ["name", "due", "qty"])
    #expect(seat.sheet?.columns[1].type == .date)
    seat.press("Right", "Alt-E")
    seat.type("NAME")
    seat.press("Enter")
    #expect(seat.screen.contains("another column has this name"))
    seat.press("Ctrl-U")
    seat.type("when")
    seat.press("Enter")
    #expect(seat.sheet?.columns.map(\.name.string) == ["name", "when", "qty"])
    seat.press("Alt-Shift-Right")
    #expect(seat.sheet?.columns.map(\.name.string) == ["name", "qty", "when"])
    seat.press("Alt-K")
    #expect(seat.screen.contains("Delete column when"))
    seat.press("y")
    #expect(seat.sheet?.columns.map(\.name.string) == ["name", "qty"])
}

@Test("FT12: the menu of a right click acts on the choice where the click is in it")
func contextMenu() {
    let seat = letters().seat(role: "owner", height: 24)
    seat.press("Space", "Space")
    seat.click(8, 2, .right)
    #expect(seat.app.selection.rows.count == 2)
    #expect(seat.screen.contains("duplicate rows"))
    seat.press("Esc")
    seat.click(8, 6, .right)
    #expect(seat.app.selection.isEmpty)
    #expect(seat.app.grid.rowPosition == 4)
    seat.press("Down", "Down", "Enter")
    #expect(seat.app.editor != nil)
    #expect(seat.column("name").count == 6)
    seat.press("Esc")
    seat.click(8, 1, .right)
    #expect(seat.screen.contains("rename column"))
}

@Test("read-only is said, and edits are refused here with the reason")
func readOnly() {
    let seat = letters().seat("eve", role: "viewer")
    #expect(seat.line(0).contains("read-only"))
    seat.press("Enter", "Ctrl-Del", "Ins")
    seat.paste("x")
    #expect(seat.app.editor == nil)
    #expect(seat.app.layer == nil)
    #expect(seat.column("name") == ["a", "b", "c", "d", "e"])
    #expect(seat.said.last?.hasPrefix("read-only: your role (viewer)") == true)
    let own = letters().seat { $0.options.isReadOnly = true }
    own.press("Del")
    #expect(own.said.last == "read-only: it was opened with --read-only")
}

@Test("a refusal of the server keeps what was typed")
func refusalKeepsText() {
    let stage = letters()
    let seat = stage.seat()
    seat.cut()
    seat.press("Enter")
    seat.type("quince")
    seat.press("Enter")
    #expect(seat.app.unsentCount == 1)
    stage.remote(.deleteRows([seat.rowID(0)]))
    seat.mend()
    #expect(seat.app.unsentCount == 0)
    #expect(seat.said.last?.contains("deleted meanwhile") == true)
    #expect(seat.app.notices.all.last?.kept?.field.text == "quince")
    #expect(seat.screen.contains(" Esc"))
    seat.press("F8", "Enter")
    #expect(seat.app.clipboard?.text == "quince")
}

@Test("a row is inserted with its first cell under edit, and Esc takes it away again untouched")
func insertedRowIsTakenBack() {
    for keys in KeyPreset.allCases {
        let stage = letters()
        let seat = stage.seat { $0.options.keys = keys }
        let other = stage.seat("eve")
        seat.press("Down", "Right", keys == .vim ? "o" : "Ins")
        #expect(other.column("name").count == 6)
        #expect(seat.app.editor?.column.name == "name")
        seat.press("Esc")
        #expect(other.column("name") == ["a", "b", "c", "d", "e"])
        #expect(seat.app.grid.rowPosition == 1)
        #expect(seat.app.grid.columnPosition == 1)
        #expect(seat.said.last == "the new row was taken away again")
        // On the way through its cells it is still untouched.
        seat.press("Alt-Ins", "Tab", "Esc")
        #expect(other.column("name").count == 5)
    }
}

@Test("an inserted row stays where somebody wrote into it, and where Enter took it as it is")
func insertedRowStays() {
    let stage = letters()
    let seat = stage.seat()
    seat.press("Ins")
    seat.type("x")
    seat.press("Tab", "Esc")
    #expect(seat.column("name") == ["a", "x", "b", "c", "d", "e"])
    seat.press("Ins")
    let row = seat.rowID(2)
    stage.remote(.setCells([CellEdit(row: row, column: .name("qty"), value: .int(5))]))
    seat.press("Esc")
    #expect(seat.column("qty") == ["1", "∅", "5", "1", "1", "1", "1"])
    seat.press("Ins", "Enter", "Enter", "Esc")
    #expect(seat.column("name").count == 8)
    // Typed text that is dropped leaves nothing either.
    seat.press("Ins")
    seat.type("y")
    seat.press("Esc")
    #expect(seat.column("name").count == 8)
}
