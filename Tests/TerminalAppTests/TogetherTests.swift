// Two terminals on one table, and the owner beside them: presence, changes of others, a line
// that is cut, values that are lost.
import TableClient
import TableModel
import TableValue
import TableWire
import Terminal
import Testing

@testable import TerminalApp

@Test("FT23: two terminals see each other's edits and cursors, with letter and name")
func twoTerminals() {
    let stage = fruitStage()
    let ann = stage.seat("ann")
    let eve = stage.seat("eve")
    eve.press("Down", "Right")
    stage.pass(milliseconds: 300)
    #expect(ann.line(0).contains("E eve"))
    let place = ann.line(3)
    #expect(place.contains("E"), "\(place)")
    ann.press("Enter")
    ann.type("kiwi")
    ann.press("Enter")
    #expect(eve.column("name")[0] == "kiwi")
    eve.press("Enter")
    eve.type("8")
    eve.press("Enter")
    #expect(ann.column("qty")[1] == "8")
    ann.press("Down", "Right")
    #expect(ann.line(11).contains("eve is here"))
    // Whoever leaves is gone from the line.
    eve.cut()
    stage.pass(milliseconds: 300)
    #expect(!ann.line(0).contains("eve"))
}

@Test("FT23: another's letter stands beside a value, never over it", arguments: [true, false])
func letterBesideValue(isWide: Bool) {
    let stage = Stage("tz:int alt:int", rows: [["-6", "801"], ["∅", "123456"]])
    let seat = stage.seat(width: isWide ? 60 : 14)
    for (row, column, text) in [(0, 0, "-6"), (0, 1, "801"), (1, 1, "123456"), (1, 0, "∅")] {
        seat.press("Ctrl-Home", "Home")
        if column == 1 { seat.press("Right") }
        stage.remoteCursor(seat.rowID(row), seat.columnID(column))
        let line = seat.line(isWide ? 2 + row : 2 + 2 * row)
        #expect(line.contains(text), "\(line)")
        #expect(line.contains("B"), "\(line)")
        #expect(!isWide || line.contains("\(text)B"), "\(line)")
    }
}

@Test("FT23: who edits a cell is seen to: at the cell, in the list, and by who edits it too")
func editingIsSeen() {
    let stage = fruitStage()
    let ann = stage.seat("ann", width: 100)
    let eve = stage.seat("eve")
    eve.press("Down", "Enter")
    stage.pass(milliseconds: 300)
    #expect(ann.line(3).contains("✎E"), "\(ann.line(3))")
    ann.press("Alt-U")
    #expect(ann.screen.contains("editing row 2, name"))
    ann.press("Esc", "Down")
    #expect(ann.line(11).contains("eve is editing this"))
    ann.press("Enter")
    #expect(ann.screen.contains("eve is editing this too · Enter takes"))
    ann.press("Esc")
    eve.press("Esc")
    stage.pass(milliseconds: 300)
    #expect(!ann.screen.contains("✎"))
    #expect(ann.line(11).contains("eve is here"))
}

@Test("FT23: the pencil stands beside the value, or in the letter's place, never over it")
func pencilBesideValue() {
    let stage = Stage("alt:int", rows: [["801"], ["123456"]])
    let seat = stage.seat()
    for (row, wanted) in [(0, "✎"), (1, "123456✎")] {
        stage.remoteCursor(seat.rowID(row), seat.columnID(0), isEditing: true)
        let line = seat.line(2 + row)
        #expect(line.contains(wanted) && line.contains(row == 0 ? "801B" : "123456"), "\(line)")
    }
}

@Test("FT23: everybody sees the same colour for the same person")
func sameColors() {
    let stage = fruitStage()
    let seats = ["ann", "eve", "joe"].map { stage.seat($0) }
    stage.pass(milliseconds: 300)
    var colors: [String: Set<Int>] = [:]
    for seat in seats {
        for person in seat.app.people.others {
            colors[person.name, default: []].insert(person.color)
        }
    }
    #expect(colors.count == 4)
    #expect(colors.values.allSatisfy { $0.count == 1 })
    #expect(Set(colors.values).count == 4)
}

@Test("FT23: who is out of sight is counted below or above, and can be gone to")
func offScreen() {
    let stage = Stage("n:int", rows: (1...100).map { [String($0)] })
    let seat = stage.seat(width: 80)
    stage.remoteCursor(seat.rowID(90), seat.columnID(0))
    #expect(seat.line(11).contains("↓1"))
    seat.press("Alt-U")
    #expect(seat.screen.contains("row 91"))
    seat.press("Enter")
    #expect(seat.app.grid.rowPosition == 90)
    seat.press("Ctrl-End")
    stage.remoteCursor(seat.rowID(2), seat.columnID(0))
    #expect(seat.line(11).contains("↑1"))
}

@Test("FT23: a cell that somebody else changed flashes, then goes out")
func flash() {
    let stage = fruitStage()
    let seat = stage.seat()
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(1), column: .name("qty"), value: .int(9))]))
    #expect(seat.app.flashes.user(seat.rowID(1), seat.columnID(1)) != nil)
    #expect(seat.line(3).hasPrefix("*"))
    #expect(seat.app.deadline != nil)
    stage.pass(milliseconds: 1_000)
    #expect(seat.app.flashes.isEmpty)
    #expect(!seat.line(3).hasPrefix("*"))
}

@Test("FT23: a change of many cells lights up the rows' numbers alone, within bounds")
func flashOfMany() {
    let stage = Stage("n:int", rows: (1...2_000).map { [String($0)] })
    let seat = stage.seat()
    let edits = (0..<2_000).map {
        CellEdit(row: seat.rowID($0), column: .name("n"), value: .int(0))
    }
    stage.remote(.setCells(edits))
    #expect(seat.app.flashes.user(seat.rowID(0), seat.columnID(0)) == nil)
    #expect(seat.app.flashes.user(seat.rowID(0), nil) != nil)
    #expect(seat.app.flashes.user(seat.rowID(1_999), nil) == nil)
}

@Test("FT24: cut off, edits are queued and counted; back again, all arrive once")
func offline() {
    let stage = fruitStage()
    let seat = stage.seat()
    let other = stage.seat("eve")
    #expect(seat.line(0).contains("● live  saved"))
    seat.cut()
    stage.pass(milliseconds: 3_000)
    #expect(seat.line(0).contains("offline 3s"))
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Enter", "Ins")
    seat.type("lime")
    seat.press("Enter", "Right", "Enter")
    seat.type("4")
    #expect(seat.line(0).contains("3 queued"))
    let grid = seat.app.grid
    seat.mend()
    #expect(seat.line(0).contains("● live  saved"))
    // Cursor, view and the open editor are where they were.
    #expect(seat.app.grid == grid)
    #expect(seat.app.editor?.field.text == "4")
    seat.press("Enter")
    #expect(other.column("name") == ["kiwi", "lime", "pear", "fig"])
    #expect(other.column("qty") == ["12", "4", "7", "∅"])
}

@Test("FT24: a line that swallows bytes is seen in seconds, and so is its end")
func swallowed() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    stage.pass(milliseconds: 5_000)
    seat.isSwallowing = true
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Enter")
    stage.pass(milliseconds: 2_000)
    #expect(seat.line(0).contains("● live  1 unsent"), "\(seat.line(0))")
    stage.pass(milliseconds: 1_500)
    #expect(seat.line(0).contains("◌ no answer for 3s  1 unsent"), "\(seat.line(0))")
    stage.pass(milliseconds: 4_000)
    #expect(seat.line(0).contains("◌ no answer for 7s"), "\(seat.line(0))")
    seat.isSwallowing = false
    stage.pass(milliseconds: 1_000)
    #expect(seat.line(0).contains("● live  saved"), "\(seat.line(0))")
}

@Test("FT19: what changed while the line was cut is noticed in the open editor")
func changedWhileOffline() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.cut()
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))]))
    seat.mend()
    #expect(seat.app.editor?.field.text == "mine")
    #expect(seat.screen.contains("changed by"))
}

@Test("the loser of a race is told by whom and by what, until it was seen")
func loserIsTold() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.press("Enter")
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .name("name"), value: .text("theirs"))]))
    #expect(seat.screen.contains("bob replaced your value in row 1, name: now theirs"))
    stage.pass(milliseconds: 60_000)
    #expect(seat.screen.contains("bob replaced your value"))
    seat.press("F8")
    #expect(seat.screen.contains("Enter edits again"))
    seat.press("Enter", "Enter")
    #expect(seat.column("name")[0] == "mine")
}

@Test("quitting asks only where something is unsent, and can wait for it")
func quitting() {
    let stage = fruitStage()
    let seat = stage.seat()
    seat.press("Ctrl-Q")
    #expect(seat.takeActions() == [.quit])
    seat.cut()
    seat.press("Del", "Ctrl-Q")
    #expect(seat.takeActions() == [])
    #expect(seat.screen.contains("1 change is not confirmed yet"))
    seat.press("Esc", "Ctrl-Q", "w")
    #expect(seat.takeActions() == [])
    seat.mend()
    #expect(seat.takeActions().contains(.quit))
}

@Test("Ctrl-C never ends the program, in neither set of keys")
func controlC() {
    let stage = fruitStage()
    for keys in KeyPreset.allCases {
        let seat = stage.seat { $0.options.keys = keys }
        seat.cut()
        seat.press("Del")
        for _ in 0..<5 { seat.press("Ctrl-C") }
        seat.press("Enter", "Ctrl-C", "Ctrl-C", ":", "Ctrl-C")
        #expect(!seat.takeActions().contains(.quit))
        #expect(seat.app.unsentCount == 1)
    }
}

@Test("two people who edit one cell at once end with the same table")
func sameCellAtOnce() {
    let stage = fruitStage()
    let ann = stage.seat("ann")
    let eve = stage.seat("eve")
    ann.cut()
    ann.press("Enter")
    ann.type("from ann")
    ann.press("Enter")
    eve.press("Enter")
    eve.type("from eve")
    eve.press("Enter")
    ann.mend()
    #expect(ann.column("name") == eve.column("name"))
    #expect(ann.column("name")[0] == "from ann")
    #expect(eve.said.contains { $0.contains("ann replaced your value") })
    #expect(ann.said.contains("1 newer value of others replaced by yours"))
}

/// Somebody whose line is cut, and who has written "kiwi" into the first cell since.
private func seatWithUnsentKiwi() -> Seat {
    let seat = fruitStage().seat(width: 90)
    seat.cut()
    seat.press("Enter")
    seat.type("kiwi")
    seat.press("Enter")
    return seat
}

@Test("FT24: where the connection is given up, texts that were not confirmed are kept")
func givenUp() {
    let seat = seatWithUnsentKiwi()
    seat.send(.noticed(.failed(ErrorMessage(.sessionExpired, "the session is gone"))))
    #expect(seat.line(0).contains("given up"))
    #expect(seat.said.contains("given up: the session is gone"))
    #expect(seat.app.notices.all.contains { $0.kept?.field.text == "kiwi" })
    // Nothing can be typed into the void.
    seat.press("Down", "Enter")
    #expect(seat.app.editor == nil)
    #expect(seat.said.last?.contains("nothing can be changed any more") == true)
}

@Test("FT24: where the table was restored from elsewhere, texts that were not in it are kept")
func restoredElsewhere() {
    let seat = seatWithUnsentKiwi()
    let ops = seat.app.table.map { seat.client.pendingOps(in: $0).map(\.op) } ?? []
    if let table = seat.app.table { seat.send(.noticed(.lineageChanged(table, setAside: ops))) }
    #expect(seat.said.last?.contains("1 change of yours did not get into it") == true)
    #expect(seat.app.notices.all.contains { $0.kept?.field.text == "kiwi" })
}
