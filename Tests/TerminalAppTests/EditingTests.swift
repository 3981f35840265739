// Editing in place: how it begins, what is taken, how it ends.
import TableModel
import TableValue
import Terminal
import TestSupport
import Testing

@testable import TerminalApp

private func fruit() -> Stage {
    Stage(
        "name:text qty:int ok:bool due:date",
        rows: [
            ["apple", "12", "true", "2026-11-30"], ["pear", "7", "false", "∅"],
            ["fig", "∅", "∅", "2026-01-31"],
        ])
}

@Test("FT14: Enter edits with the whole text selected, so that typing replaces it")
func enterSelectsAll() {
    let seat = fruit().seat()
    seat.press("Enter")
    #expect(seat.app.editor?.field.selectedText == "apple")
    seat.type("x")
    #expect(seat.app.editor?.field.text == "x")
    seat.press("Enter")
    #expect(seat.column("name") == ["x", "pear", "fig"])
}

@Test("FT14: the first click selects the row, a click on a cell of that row edits")
func clickSelectsThenEdits() {
    let seat = fruit().seat()
    seat.click(8, 3)
    #expect(seat.app.grid.rowPosition == 1)
    #expect(seat.app.editor == nil)
    seat.click(8, 3)
    #expect(seat.app.editor?.row == seat.rowID(1))
    #expect(seat.app.editor?.field.selectedText == "pear")
}

@Test("FT14: a letter begins to type in the standard set, and is a command in vim's")
func lettersType() {
    let seat = fruit().seat()
    seat.type("k")
    #expect(seat.app.editor?.field.text == "k")
    let vim = fruit().seat { $0.options.keys = .vim }
    vim.type("jj")
    #expect(vim.app.editor == nil)
    #expect(vim.app.grid.rowPosition == 2)
}

@Test("FT15: Enter commits and stays on the row, Esc restores")
func enterAndEscape() {
    let seat = fruit().seat()
    seat.press("Down", "Enter")
    seat.type("quince")
    seat.press("Esc")
    #expect(seat.column("name")[1] == "pear")
    #expect(seat.app.grid.rowPosition == 1)
    seat.press("Enter")
    seat.type("quince")
    seat.press("Enter")
    #expect(seat.column("name")[1] == "quince")
    #expect(seat.app.grid.rowPosition == 1)
    #expect(seat.app.editor == nil)
}

@Test("FT15: Tab and Shift-Tab commit and edit the next cell and the one before")
func tabMovesOn() {
    let seat = fruit().seat()
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Tab")
    #expect(seat.column("name")[0] == "kiwi")
    #expect(seat.app.editor?.field.selectedText == "12")
    seat.type("13")
    seat.press("Shift-Tab")
    #expect(seat.column("qty")[0] == "13")
    #expect(seat.app.editor?.field.selectedText == "kiwi")
    seat.press("Esc")
    // At the end of a row it goes on with the next.
    seat.press("End", "Enter", "Tab")
    #expect(seat.app.grid.rowPosition == 1)
    #expect(seat.app.grid.columnPosition == 0)
    #expect(seat.app.editor?.field.text == "pear")
}

@Test("FT16: a click on another row commits the edit and selects that row")
func clickElsewhereCommits() {
    let seat = fruit().seat()
    seat.press("Enter")
    seat.type("kiwi")
    seat.click(8, 4)
    #expect(seat.column("name")[0] == "kiwi")
    #expect(seat.app.editor == nil)
    #expect(seat.app.grid.rowPosition == 2)
}

@Test("FT16: where the text is invalid, a click elsewhere leaves the editor open with the reason")
func clickElsewhereKeepsInvalid() {
    let seat = fruit().seat()
    seat.press("Right", "Enter")
    seat.type("many")
    seat.click(8, 4)
    #expect(seat.app.editor?.field.text == "many")
    #expect(seat.app.editor?.problem != nil)
    #expect(seat.app.grid.rowPosition == 0)
    #expect(seat.screen.contains("not taken: an int is"))
}

@Test("FT17: the editor never moves the grid, and shows the end of a long text")
func editorDoesNotMoveTheGrid() {
    let seat = fruit().seat()
    let before = seat.screen.split(separator: "\n")
    seat.press("Enter")
    seat.type(String(repeating: "long ", count: 40) + "end")
    let during = seat.screen.split(separator: "\n")
    for y in [0, 1, 3, 4] { #expect(before[y] == during[y]) }
    #expect(during[2].hasPrefix(before[2].prefix(6)))
    #expect(during[2].contains("long end"))
    #expect(seat.frame.cursor != nil)
}

@Test("FT17: caret and selection stay within the text, whatever keys come")
func caretStaysInside() {
    let seat = fruit().seat()
    var random = SeededRandom(seed: 4)
    let keys = [
        "Left", "Right", "Home", "End", "Shift-Left", "Shift-Right", "Shift-Home", "Ctrl-Left",
        "Ctrl-Right", "Backspace", "Del", "Ctrl-W", "Ctrl-U", "Ctrl-K", "Ctrl-A", "Ctrl-N", "x",
        "Ctrl-V", "Alt-Enter",
    ]
    seat.press("Enter")
    for step in 0..<2_000 {
        seat.press(random.pick(keys))
        if random.below(5) == 0 {
            seat.paste(random.pick(["é", "e\u{301}", "👨‍👩‍👧", "a\tb", "🇩🇪"]))
        }
        guard let field = seat.app.editor?.field else {
            Issue.record("the editor closed at step \(step)")
            return
        }
        #expect(field.caret >= 0 && field.caret <= field.characters.count)
        #expect(field.selection.upperBound <= field.characters.count)
        if step % 50 == 0 { _ = seat.frame }
    }
}

@Test("FT18: Enter on a bool toggles it, without an editor")
func boolToggles() {
    let seat = fruit().seat()
    seat.press("Right", "Right", "Enter")
    #expect(seat.column("ok") == ["false", "false", "∅"])
    #expect(seat.app.editor == nil)
    seat.press("Down", "Enter", "Down", "Enter")
    #expect(seat.column("ok") == ["false", "true", "true"])
    seat.press("Del")
    #expect(seat.column("ok") == ["false", "true", "∅"])
}

@Test("FT18: Tab onto a bool does not toggle it; Space does, in the editor")
func tabOntoBool() {
    let seat = fruit().seat()
    seat.press("Right", "Enter", "Tab")
    #expect(seat.column("ok")[0] == "true")
    seat.press("Space", "Enter")
    #expect(seat.column("ok")[0] == "false")
}

@Test(
    "FT18: what does not parse stays in the editor with the reason, and nothing is sent",
    arguments: [("qty", "1.5"), ("qty", "9223372036854775808"), ("due", "30.11.2026")])
func invalidStays(column: String, text: String) {
    let seat = fruit().seat()
    seat.press("Alt-G")
    seat.type(column)
    seat.press("Enter", "Enter")
    seat.type(text)
    seat.press("Enter")
    #expect(seat.app.editor?.field.text == text)
    #expect(seat.app.editor?.problem != nil)
    #expect(seat.app.unsentCount == 0)
    #expect(seat.column(column) == fruit().seat().column(column))
    // The next letter takes the reason away.
    seat.press("Backspace")
    #expect(seat.app.editor?.problem == nil)
}

@Test("FT18: a date steps by days and weeks, over the ends of months")
func dateSteps() {
    let seat = fruit().seat()
    seat.press("End", "Enter", "Up")
    #expect(seat.app.editor?.field.text == "2026-12-01")
    seat.press("PgDn")
    #expect(seat.app.editor?.field.text == "2026-11-24")
    seat.press("Enter")
    #expect(seat.column("due")[0] == "2026-11-24")
    seat.press("Enter")
    seat.type("soon")
    seat.press("Up")
    #expect(seat.app.editor?.problem?.contains("a date is written like 2026-11-30") == true)
}

@Test("null and an empty text are told apart, and both can be reached by keys")
func nullAndEmpty() {
    let seat = fruit().seat()
    seat.press("Enter", "Del", "Enter")
    #expect(seat.column("name")[0] == "")
    #expect(seat.line(2).contains("\"\""))
    seat.press("Enter", "Ctrl-N", "Enter")
    #expect(seat.column("name")[0] == "∅")
    seat.press("Enter", "Enter")
    #expect(seat.column("name")[0] == "∅")
    seat.press("Down", "Del")
    #expect(seat.column("name")[1] == "∅")
    // In a number there is no empty text: nothing typed is nothing.
    seat.press("Right", "Enter", "Backspace", "Enter")
    #expect(seat.column("qty")[1] == "∅")
}

@Test("an edit that changes nothing sends nothing")
func unchangedSendsNothing() {
    let stage = fruit()
    let seat = stage.seat()
    seat.cut()
    seat.press("Enter", "Enter", "Right", "Enter", "Enter")
    #expect(seat.app.unsentCount == 0)
}

@Test("an edit goes to its row, whatever others insert, delete and move meanwhile")
func editFollowsRow() {
    let stage = fruit()
    let seat = stage.seat()
    seat.press("Down", "Enter")
    seat.type("quince")
    let pear = seat.rowID(1)
    stage.remote(.insertRows(InsertRows(rowCount: 3, anchor: .first)))
    stage.remote(.moveRows([pear], to: .last))
    stage.remote(.deleteRows([seat.rowID(0)]))
    #expect(seat.app.editor?.field.text == "quince")
    seat.press("Enter")
    #expect(seat.column("name") == ["∅", "∅", "apple", "fig", "quince"])
}

@Test("FT19: a changed cell under edit: my text stays, their value and name are shown")
func conflictIsShown() {
    let stage = fruit()
    let seat = stage.seat(width: 90)
    func conflict() {
        seat.press("Ctrl-Home", "Home", "Enter")
        seat.type("mine")
        stage.remote(
            .setCells([
                CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))
            ]))
        #expect(seat.app.editor?.field.text == "mine")
        #expect(seat.screen.contains("changed by bob: theirs"))
    }
    conflict()
    seat.press("Enter")
    #expect(seat.column("name")[0] == "mine")
    conflict()
    seat.press("Ctrl-T")
    #expect(seat.app.editor?.field.text == "theirs")
    seat.press("Enter")
    #expect(seat.column("name")[0] == "theirs")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("old"))]))
    conflict()
    seat.press("Esc")
    #expect(seat.column("name")[0] == "theirs")
}

@Test("FT19: a deleted row under edit: the text stays, and Enter makes the row again")
func rowDeletedUnderEdit() {
    let stage = fruit()
    let seat = stage.seat(width: 90)
    seat.press("Down", "Enter")
    seat.type("quince")
    stage.remote(.deleteRows([seat.rowID(1)]))
    #expect(seat.app.editor?.field.text == "quince")
    #expect(seat.screen.contains("row deleted by bob"))
    #expect(seat.column("name") == ["apple", "fig"])
    seat.press("Enter")
    #expect(seat.column("name") == ["apple", "quince", "fig"])
    #expect(seat.column("qty") == ["12", "7", "∅"])
    #expect(seat.app.grid.rowPosition == 1)
}

@Test("FT19: a text dropped over a deleted row or another's value is kept with the messages")
func droppedTextIsKept() {
    let stage = fruit()
    let seat = stage.seat(width: 90)
    seat.press("Down", "Enter")
    seat.type("quince")
    stage.remote(.deleteRows([seat.rowID(1)]))
    seat.press("Esc")
    #expect(seat.app.editor == nil)
    #expect(seat.column("name") == ["apple", "fig"])
    #expect(seat.said.last?.contains("among the messages (F8)") == true)
    seat.press("F8", "Enter")
    #expect(seat.app.clipboard?.text == "quince")
    seat.press("Ctrl-Home", "Enter")
    seat.type("kiwi")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))]))
    seat.press("Esc", "F8", "Enter")
    #expect(seat.app.editor?.field.text == "kiwi")
    // Nothing was typed, so nothing is kept.
    seat.press("Esc", "Enter")
    stage.remote(.deleteRows([seat.rowID(0)]))
    seat.press("Esc")
    #expect(seat.app.notices.all.last?.kept == nil)
}

@Test("FT19: a deleted column under edit: the text stays and can be copied")
func columnDeletedUnderEdit() {
    let stage = fruit()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("quince")
    stage.remote(.deleteColumn(.name("name")))
    seat.press("Enter")
    #expect(seat.app.editor?.field.text == "quince")
    #expect(seat.screen.contains("column deleted by bob"))
    seat.press("Ctrl-A", "Ctrl-C")
    #expect(seat.takeActions() == [.copy("quince")])
    seat.press("Esc")
    #expect(seat.app.editor == nil)
}

@Test("a line break is typed by Alt-Enter, and shown as a sign")
func lineBreaks() {
    let seat = fruit().seat()
    seat.press("Enter")
    seat.type("a")
    seat.press("Alt-Enter")
    seat.type("b")
    seat.press("Enter")
    #expect(seat.column("name")[0] == "a\nb")
    #expect(!seat.line(2).contains("\n"))
}

@Test(
    "FT15: in vim's set too Esc drops what was typed; the editor says so, and it can be had again")
func escapeInVim() {
    let seat = fruit().seat(width: 90) { $0.options.keys = .vim }
    seat.press("i")
    #expect(seat.screen.contains("Esc drops, also in vim's keys"))
    seat.type("quince")
    seat.press("Esc")
    #expect(seat.column("name")[0] == "apple")
    #expect(seat.screen.contains("your text is among the messages (gm)"))
    seat.press("gm", "Enter", "Enter")
    #expect(seat.column("name")[0] == "quince")
    // Where nothing was typed there is nothing to say.
    let count = seat.said.count
    seat.press("i", "Esc")
    #expect(seat.said.count == count)
}
