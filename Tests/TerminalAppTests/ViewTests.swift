// How one sees the columns on one's own screen: widths by type, frozen and hidden columns; and
// what is offered to whom.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func wide() -> Stage {
    let names = (0..<20).map { "column\($0):int" }.joined(separator: " ")
    return Stage(names, rows: (0..<3).map { row in (0..<20).map { String(row * 100 + $0) } })
}

private func names(_ seat: Seat) -> [String] {
    GridLayout(of: seat.app, seat.sheet).columns.map(\.column.name.string)
}

@Test("FT5: a column without values is as wide as values of its type will be")
func widthsByType() {
    let stage = Stage("a:text", rows: [["x"]])
    let seat = stage.seat(role: "owner", width: 200)
    for type in ColumnType.allCases {
        stage.remote(.addColumn(AddColumn(name: Text("n\(type.sign)"), type: type)))
    }
    let layout = GridLayout(of: seat.app, seat.sheet)
    let widths = layout.columns.dropFirst().map { ($0.column.type, $0.width) }
    for (type, width) in widths { #expect(width > type.widthLeast, "\(type): \(width)") }
    #expect(widths.count == ColumnType.allCases.count)
    seat.resize(64, 12)
    seat.press("Alt-=", "Alt-G")
    seat.type("nuuid")
    seat.press("Enter")
    #expect(GridLayout(of: seat.app, seat.sheet).columns.contains { $0.width == 37 })
}

@Test("FT1: frozen columns stay while others scroll, and leave room for them")
func freezing() {
    let seat = wide().seat(width: 70)
    seat.press("Right", "Alt-Z")
    #expect(seat.said.last?.hasPrefix("2 columns frozen") == true)
    seat.press("End")
    #expect(names(seat).prefix(2) == ["column0", "column1"])
    #expect(names(seat).contains("column19"))
    #expect(!names(seat).contains("column5"))
    #expect(seat.line(1).contains("┃"))
    #expect(seat.line(2).contains("┃"))
    // Each visible column is drawn where a click finds it.
    let layout = GridLayout(of: seat.app, seat.sheet)
    for column in layout.columns {
        #expect(layout.hit(Point(x: column.x, y: 1)) == .header(column: column.position))
    }
    seat.press("Home", "Right")
    #expect(seat.app.grid.columnPosition == 1)
    for _ in 0..<6 { seat.press("Right") }
    #expect(names(seat).contains("column7"))
    // A screen that is too narrow for them freezes fewer.
    for _ in 0..<5 { seat.press("Right") }
    seat.press("Alt-Z")
    #expect(seat.said.last?.contains("this screen has room for") == true)
    #expect(names(seat).contains("column12"))
    seat.press("Alt-Z")
    #expect(seat.app.grid.frozenCount == 0)
}

@Test("FT1: frozen columns stay frozen when others delete one, or move one among them")
func frozenFollows() {
    let stage = wide()
    let seat = stage.seat(width: 70)
    seat.press("Right", "Alt-Z")
    stage.remote(.deleteColumn(.name("column1")))
    #expect(seat.app.grid.frozenCount == 1)
    seat.press("End")
    #expect(names(seat).first == "column0")
    stage.remote(.moveColumn(.name("column9"), to: .first))
    #expect(seat.app.grid.frozenCount == 2)
    stage.remote(.deleteColumn(.name("column9")))
    stage.remote(.deleteColumn(.name("column0")))
    #expect(seat.app.grid.frozenCount == 0)
}

@Test("FT5: columns are hidden and shown on this screen alone, with a sign where they were")
func hiding() {
    let stage = Stage("a:text b:text c:text", rows: [["x", "y", "z"]])
    let seat = stage.seat(width: 70)
    let other = stage.seat("eve", width: 70)
    seat.press("Right", "Alt-O")
    #expect(names(seat) == ["a", "c"])
    #expect(names(other) == ["a", "b", "c"])
    #expect(seat.line(1).contains("┆"))
    #expect(seat.sheet?.column(at: seat.app.grid.columnPosition)?.name == "c")
    // What is hidden is copied with its row, counted in a form, and can be gone to.
    seat.press("Ctrl-D")
    #expect(other.column("b") == ["y", "y"])
    seat.press("F6")
    #expect(seat.screen.contains("b: y"))
    seat.press("Esc", "Alt-G")
    seat.type("b")
    seat.press("Enter")
    #expect(names(seat) == ["a", "b", "c"])
    #expect(seat.app.grid.columnPosition == 1)
    seat.press("Home", "Alt-O", "Alt-O", "Alt-O")
    #expect(names(seat).count == 1)
    #expect(seat.said.last == "the last column that is shown cannot be hidden")
    let vim = stage.seat("joe", width: 70) { $0.options.keys = .vim }
    vim.press("-")
    #expect(names(vim) == ["b", "c"])
    vim.press("g-")
    #expect(names(vim) == ["a", "b", "c"])
}

@Test("FT5: the list of columns hides and shows by Space, and goes there by Enter")
func listOfColumns() {
    let seat = Stage("a:text b:text c:text", rows: [["x", "y", "z"]]).seat(width: 80, height: 16)
    seat.press("Alt-L", "Down", "Space")
    #expect(seat.screen.contains("[ ] b"))
    #expect(names(seat) == ["a", "c"])
    seat.press("Enter")
    #expect(names(seat) == ["a", "b", "c"])
    #expect(seat.app.grid.columnPosition == 1)
}

@Test("FT5: who edits, renames or deletes a column that is hidden here disturbs nothing")
func hiddenAndOthers() {
    let stage = Stage("a:text b:text", rows: [["x", "y"]])
    let seat = stage.seat(role: "owner", width: 80)
    seat.press("Right", "Alt-O", "Enter")
    #expect(seat.app.editor?.column.name == "a")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("b"), value: .text("new"))]))
    stage.remote(.renameColumn(.name("b"), name: "c", onClash: .reject))
    #expect(seat.app.editor?.interference == nil)
    seat.press("Esc", "Alt-N")
    seat.type("C")
    seat.press("Enter")
    #expect(seat.screen.contains("another column has this name"))
    seat.press("Esc")
    stage.remote(.deleteColumn(.name("a")))
    #expect(seat.screen.contains("all columns are hidden"))
    seat.press("Alt-L", "Enter")
    #expect(names(seat) == ["c"])
}

// MARK: What is offered to whom

@Test("a viewer is offered no edits, in no menu and not in the palette")
func viewerIsOfferedNothing() {
    let stage = Stage("a:text b:text", rows: [["x", "y"]])
    let seat = stage.seat("eve", role: "viewer", width: 90, height: 40)
    let openers: [(Seat) -> Void] = [
        { $0.press("F10") }, { $0.press("Shift-F10") }, { $0.click(8, 2, .right) },
        { $0.click(8, 1, .right) }, { $0.click(8, 20, .right) },
    ]
    for open in openers {
        open(seat)
        guard case .menu(let menu) = seat.app.layer else {
            Issue.record("no menu")
            continue
        }
        #expect(!menu.commands.isEmpty)
        #expect(menu.commands.allSatisfy { !$0.isEdit })
        seat.press("Esc")
    }
    let offered = seat.app.choices(of: Palette(), seat.sheet)
    #expect(!offered.contains(.command(.delete)))
    #expect(offered.contains(.command(.copy)))
}

@Test("an editor may not change columns: that is said at once, and not offered")
func editorsAndColumns() {
    let seat = Stage("a:text b:text", rows: [["x", "y"]]).seat(width: 120, height: 40)
    let reason = "your role (editor) does not allow changes of columns; ask an owner or a manager"
    for keys in ["Alt-N", "Alt-E", "Alt-K", "Alt-Shift-Right"] {
        seat.press(keys)
        #expect(seat.app.layer == nil)
        #expect(seat.said.last == reason)
        #expect(seat.screen.contains(reason))
        seat.press("Esc")
    }
    #expect(seat.app.unsentCount == 0)
    seat.press("F10")
    #expect(seat.screen.contains("column menu"))
    #expect(seat.screen.contains("insert row below"))
    seat.press("Esc", "Shift-F10")
    #expect(!seat.screen.contains("rename column"))
    #expect(seat.screen.contains("hide column"))
    let owner = Stage("a:text").seat(role: "owner", height: 40)
    owner.press("Shift-F10")
    #expect(owner.screen.contains("rename column"))
}

@Test("the menu offers columns, help and quit; a click on the last line opens and closes help")
func menuAndClicks() {
    let stage = Stage("a:text b:text", rows: [["x", "y"]])
    let seat = stage.seat(width: 90, height: 40)
    seat.press("F10")
    for name in ["column menu", "command palette", "help", "quit"] {
        #expect(seat.screen.contains(name))
    }
    seat.press("Esc")
    seat.click(86, 39)
    #expect(seat.screen.contains("help — default keys · Esc closes"))
    seat.click(40, 10)
    #expect(seat.app.layer == nil)
    stage.remoteCursor(seat.rowID(0), seat.columnID(1))
    seat.click(86, 0)
    #expect(seat.screen.contains("who is here"))
    let box = LayerBox(.people(Listing()), in: seat.app.size, app: seat.app, sheet: seat.sheet)
    seat.click(box.inner.x + 1, box.inner.y)
    #expect(seat.app.layer == nil)
    #expect(seat.app.grid.columnPosition == 1)
    seat.press(":")
    #expect(seat.screen.contains("Esc closes"))
}

@Test("the id of the cursor's row is shown, can be copied, and can be gone to")
func rowIDs() {
    let seat = Stage("n:int", rows: (1...50).map { [String($0)] }).seat(width: 80)
    seat.press("Down")
    let id = seat.rowID(1).description
    #expect(seat.line(10).hasSuffix(id))
    seat.press(":")
    seat.type("copy row id")
    seat.press("Enter")
    #expect(seat.takeActions() == [.copy(id)])
    seat.press("Ctrl-G")
    seat.type(seat.rowID(41).description)
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 41)
    seat.press("F6")
    #expect(seat.screen.contains(seat.rowID(41).description))
    seat.press("Esc", "Ctrl-G")
    seat.type("s9.99")
    seat.press("Enter")
    #expect(seat.screen.contains("there is no row s9.99"))
}

@Test("a row that is not there is said to be none, and the cursor stays")
func rowOutOfRange() {
    let seat = Stage("n:int", rows: (1...50).map { [String($0)] }).seat(width: 80)
    seat.press("Ctrl-G")
    seat.type("51")
    seat.press("Enter")
    #expect(seat.screen.contains("there is no row 51; a row is a number from 1 to 50"))
    seat.press("Esc", ":")
    seat.type("900")
    seat.press("Enter")
    #expect(seat.screen.contains("there is no row 900; a row is a number from 1 to 50"))
    #expect(seat.app.grid.rowPosition == 0)
    seat.press("Ctrl-G")
    seat.type("50")
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 49)
}

@Test("Ctrl-Home goes to the first row and the first column")
func controlHome() {
    let seat = wide().seat(width: 70)
    seat.press("Ctrl-End", "End", "Ctrl-Home")
    #expect(seat.app.grid.rowPosition == 0)
    #expect(seat.app.grid.columnPosition == 0)
}
