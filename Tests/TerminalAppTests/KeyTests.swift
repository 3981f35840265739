// Keys and the wheel where they might do nothing: they do something sensible, or say why not.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func lines() -> Stage {
    Stage("name:text qty:int", rows: (0..<30).map { ["row \($0)", String($0)] })
}

@Test(
    "a key that means nothing in the editor says so; the text stays",
    arguments: [
        ("Ctrl-P", "command palette waits"), ("F10", "menu waits"),
        ("F6", "show row as form waits"), ("Ctrl-R", "Ctrl-R does nothing"),
        ("Ctrl-T", "nobody has changed"), ("F12", "F12 does nothing"),
        ("Ctrl-V", "nothing was copied yet"), ("Ctrl-Y", "nothing in this text was taken back"),
        ("Alt-B", "waits until"),
    ])
func keysInEditor(key: String, said: String) {
    let seat = lines().seat(width: 100)
    seat.press("Enter")
    seat.type("new")
    seat.press(key)
    #expect(seat.said.last?.contains(said) == true, "\(seat.said)")
    #expect(seat.screen.contains(said))
    #expect(seat.app.editor?.field.text == "new")
    #expect(seat.app.layer == nil)
    seat.press("Right", "Enter")
    #expect(seat.column("name")[0] == "new")
}

@Test("messages can be read over the editor, which stays as it is")
func messagesOverEditor() {
    let stage = lines()
    let seat = stage.seat(width: 100)
    seat.press("Enter")
    seat.type("mine")
    stage.remote(
        .setCells([
            CellEdit(row: seat.rowID(0), column: .id(seat.columnID(0)), value: .text("theirs"))
        ]))
    seat.press("Esc", "Down", "Enter")
    seat.type("second")
    seat.press("F8")
    #expect(seat.screen.contains("messages, the newest first"))
    seat.press("Enter")
    #expect(seat.said.last?.contains("another cell is edited") == true)
    #expect(seat.app.editor?.field.text == "second")
    seat.press("Enter")
    #expect(seat.column("name")[1] == "second")
}

@Test("a type of one line says that it breaks none; cut without a selection takes nothing")
func oneLine() {
    let seat = lines().seat(width: 100)
    seat.press("Right", "Enter", "Alt-Enter")
    #expect(seat.said.last == "an int has one line; Enter takes it")
    seat.press("Right", "Ctrl-X")
    #expect(seat.said.last?.hasPrefix("nothing is selected") == true)
    #expect(seat.app.editor?.field.text == "0")
}

@Test("in the grid too, a key without a command says so", arguments: KeyPreset.allCases)
func keysInGrid(keys: KeyPreset) {
    let seat = lines().seat(width: 100) { $0.options.keys = keys }
    seat.press("F12")
    #expect(seat.said.last?.hasPrefix("no command has the key F12") == true)
    seat.press("Ctrl-Z")
    if keys == .standard {
        #expect(seat.said.last?.hasPrefix("nothing to undo") == true)
        #expect(!seat.takeActions().contains(.suspend))
    } else {
        #expect(seat.takeActions().contains(.suspend))
    }
}

@Test("the wheel goes through lists and menus, and stops at their ends")
func wheelOverLists() {
    let seat = lines().seat(width: 100)
    func turn(_ kind: MouseEvent.Kind, _ count: Int) {
        for _ in 0..<count { seat.mouse(kind, 30, 6) }
    }
    seat.press("Ctrl-P")
    turn(.wheelDown, 100)
    #expect(seat.screen.contains("quit"))
    turn(.wheelUp, 100)
    guard case .palette(let palette)? = seat.app.layer else {
        Issue.record("the palette is gone")
        return
    }
    #expect(palette.chosen == 0)
    seat.press("Esc", "F10")
    turn(.wheelDown, 1)
    if case .menu(let menu)? = seat.app.layer { #expect(menu.chosen == 1) }
    turn(.wheelDown, 100)
    if case .menu(let menu)? = seat.app.layer { #expect(menu.chosen == menu.commands.count - 1) }
    seat.press("End", "Home", "Down")
    if case .menu(let menu)? = seat.app.layer { #expect(menu.chosen == 1) }
    seat.press("Esc", "Alt-L")
    turn(.wheelDown, 2)
    if case .columns(let list)? = seat.app.layer { #expect(list.chosen == 1) }
    seat.press("Esc")
    for _ in 0..<10 { seat.press("F12", "F9") }
    seat.press("F8")
    turn(.wheelDown, 2)
    if case .messages(let list)? = seat.app.layer { #expect(list.chosen > 0) }
    #expect(seat.app.grid.topPosition == 0, "what lies beneath does not move")
}

@Test("a page scrolled past its end goes back with the first key")
func pageEnds() {
    let seat = lines().seat(width: 100)
    seat.press("F1", "End")
    let end = seat.screen
    seat.press("PgDn", "PgDn")
    for _ in 0..<9 { seat.mouse(.wheelDown, 30, 6) }
    #expect(seat.screen == end)
    seat.press("Up")
    #expect(seat.screen != end)
    seat.press("Esc", "Enter")
    seat.paste((0..<60).map { "line \($0)" }.joined(separator: "\n"))
    seat.press("Enter", "F4", "End")
    #expect(seat.screen.contains("line 59"))
    let last = seat.screen
    seat.press("Up")
    #expect(seat.screen != last)
}

@Test("Ctrl-C closes a page, after it copied what the page shows; in vim's set it closes it alone")
func controlCInPages() {
    let seat = lines().seat(width: 100)
    seat.press("Down", "F4", "Ctrl-C")
    #expect(seat.app.layer == nil)
    #expect(seat.takeActions() == [.copy("row 1")])
    seat.press("F6", "Ctrl-C")
    #expect(seat.takeActions() == [.copy("row 1\t1")])
    // A block is not what the page shows.
    seat.press("Shift-Down", "F4", "y")
    #expect(seat.takeActions() == [.copy("row 2")])
    #expect(seat.screen.contains("copied"))
    let vim = lines().seat(width: 100) { $0.options.keys = .vim }
    vim.press("F4", "Ctrl-C")
    #expect(vim.app.layer == nil)
    #expect(vim.takeActions() == [])
}

@Test("Ctrl-S says that nothing needs to be saved; the middle button, how it pastes")
func savedAsYouGo() {
    let seat = lines().seat(width: 100)
    seat.press("Ctrl-S")
    #expect(seat.said.last == "everything is saved as you go")
    seat.cut()
    seat.press("Del", "Ctrl-S")
    #expect(seat.said.last == "everything is sent as you go; 1 change on the way")
    seat.click(10, 4, .middle)
    #expect(seat.said.last?.hasPrefix("with Shift held, the middle button pastes") == true)
    // A palette that finds nothing stays, with the text that was typed.
    seat.press("Ctrl-P")
    seat.type("xyzzy")
    seat.press("Enter")
    #expect(seat.screen.contains("no such command"))
}

@Test("Ctrl-Q leaves from under whatever lies over the grid")
func quitFromLayers() {
    for key in ["Ctrl-P", "F1", "F8", "F10", "Ctrl-F", "Alt-L", "F4"] {
        let seat = lines().seat(width: 100)
        seat.press(key, "Ctrl-Q")
        #expect(seat.takeActions() == [.quit], "\(key)")
    }
}
