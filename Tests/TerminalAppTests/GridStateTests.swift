// Which columns are in sight after columns were added, moved, dragged, deleted, hidden and the
// screen was made small and large again: none is hidden at the left while there is room.
import TableModel
import TableValue
import Terminal
import TestSupport
import Testing

@testable import TerminalApp

private func wide(_ count: Int = 20) -> Stage {
    let names = (0..<count).map { "column\($0):int" }.joined(separator: " ")
    return Stage(names, rows: (0..<3).map { row in (0..<count).map { String(row * 100 + $0) } })
}

private func names(_ seat: Seat) -> [String] {
    GridLayout(of: seat.app, seat.sheet).columns.map(\.column.name.string)
}

/// No column is out of sight at the left while it would fit.
func hidesNoColumnInVain(_ seat: Seat) -> Bool {
    let layout = GridLayout(of: seat.app, seat.sheet)
    guard !layout.isCompact, let sheet = seat.sheet else { return true }
    let scrolling = layout.columns.dropFirst(layout.frozenCount)
    guard let first = scrolling.first else { return layout.columns.count == sheet.columns.count }
    guard first.position > layout.frozenCount, let last = scrolling.last,
        let before = sheet.column(at: first.position - 1)
    else { return true }
    let isWhole = !last.isCut && last.position == sheet.columns.count - 1
    let end = last.x + last.width + seat.app.widths(of: before, sheet) + 1
    return !isWhole || end > layout.size.width
}

@Test("FT5: a column added or moved before the first in sight leaves the view at the first")
func columnsBeforeTheFirst() {
    let stage = wide(4)
    let seat = stage.seat(role: "owner", width: 70)
    #expect(names(seat) == ["column0", "column1", "column2", "column3"])
    stage.remote(.addColumn(AddColumn(name: "new", type: .int, anchor: .first)))
    #expect(names(seat) == ["new", "column0", "column1", "column2", "column3"])
    stage.remote(.moveColumn(.id(seat.columnID(3)), to: .first))
    #expect(names(seat) == ["column2", "new", "column0", "column1", "column3"])
    seat.press("Home", "Alt-Shift-Right", "Alt-Shift-Right")
    #expect(names(seat) == ["new", "column0", "column2", "column1", "column3"])
    seat.press("Alt-Shift-Left", "Alt-Shift-Left")
    #expect(names(seat) == ["column2", "new", "column0", "column1", "column3"])
    #expect(seat.app.grid.column == seat.columnID(0))
}

@Test("FT5: the first column's header dragged to another place leaves the view at the first")
func dragFirstHeader() {
    let seat = wide(4).seat(role: "owner", width: 70)
    let columns = GridLayout(of: seat.app, seat.sheet).columns
    seat.mouse(.pressed(.left), columns[0].x + 1, 1)
    seat.mouse(.dragged(.left), columns[3].x + 1, 1)
    seat.mouse(.released, columns[3].x + 1, 1)
    #expect(names(seat) == ["column1", "column2", "column3", "column0"])
    seat.mouse(.pressed(.left), columns[3].x + 1, 1)
    seat.mouse(.dragged(.left), columns[0].x + 1, 1)
    seat.mouse(.released, columns[0].x + 1, 1)
    #expect(names(seat) == ["column0", "column1", "column2", "column3"])
}

@Test("FT5: the first column in sight that is moved away does not take the view with it")
func movedLeftColumn() {
    let stage = wide()
    let seat = stage.seat(role: "owner", width: 70)
    for _ in 0..<10 { seat.press("Right") }
    let left = seat.app.grid.leftPosition
    #expect(left > 1)
    let before = names(seat)
    stage.remote(.moveColumn(.id(seat.columnID(left)), to: .last))
    #expect(seat.app.grid.leftPosition == left)
    #expect(names(seat).dropLast() == before.dropFirst())
    seat.press("Home")
    #expect(seat.app.grid.leftPosition == 0)
}

@Test("FT5: the cursor's column stays in sight when others put columns before it")
func cursorColumnStaysInSight() {
    let stage = wide()
    let seat = stage.seat(width: 70)
    while GridLayout(of: seat.app, seat.sheet).column(at: seat.app.grid.columnPosition + 1)?.isCut
        == false
    { seat.press("Right") }
    let column = seat.app.grid.column
    for number in 0..<4 {
        let name = Text("new\(number)")
        stage.remote(.addColumn(AddColumn(name: name, type: .int, anchor: .first)))
        #expect(seat.app.grid.column == column)
        let shown = GridLayout(of: seat.app, seat.sheet).columns.first { $0.column.id == column }
        #expect(shown?.isCut == false, "after \(number + 1)")
    }
    // A view that was scrolled away from the cursor is left where it is.
    for _ in 0..<8 { seat.mouse(.wheelRight, 20, 4) }
    let first = names(seat).first
    stage.remote(.addColumn(AddColumn(name: "late", type: .int, anchor: .first)))
    #expect(names(seat).first == first)
}

@Test("FT29: a screen made 1×1 and large again shows what it showed")
func smallAndLargeAgain() {
    let stage = Stage(
        (0..<20).map { "column\($0):int" }.joined(separator: " "),
        rows: (0..<40).map { row in (0..<20).map { String(row * 100 + $0) } })
    let seat = stage.seat(width: 100, height: 20)
    for _ in 0..<5 { seat.press("Right", "Down") }
    let before = seat.screen
    seat.resize(1, 1)
    seat.resize(100, 20)
    #expect(seat.screen == before)
    for size in [(1, 1), (40, 20), (100, 2), (1, 20)] {
        seat.resize(size.0, size.1)
        seat.resize(100, 20)
        #expect(seat.app.grid.leftPosition == 0, "\(size)")
    }
    seat.press("End")
    seat.resize(1, 1)
    seat.resize(100, 20)
    #expect(names(seat).last == "column19")
    #expect(hidesNoColumnInVain(seat))
}

@Test("FT5: columns come in from the left where deletion, width or hiding makes room")
func roomIsUsed() {
    let stage = wide()
    let seat = stage.seat(role: "owner", width: 90)
    seat.press("End")
    let count = names(seat).count
    stage.remote(.deleteColumn(.id(seat.columnID(19))))
    stage.remote(.deleteColumn(.id(seat.columnID(15))))
    #expect(names(seat).count >= count)
    #expect(hidesNoColumnInVain(seat))
    seat.press("End", "Alt-O")
    #expect(hidesNoColumnInVain(seat))
    seat.press("End", "<", "<", "<", "<", "<")
    #expect(hidesNoColumnInVain(seat))
    seat.resize(150, 12)
    #expect(hidesNoColumnInVain(seat))
    for _ in 0..<30 { seat.mouse(.wheelRight, 20, 4) }
    #expect(hidesNoColumnInVain(seat))
    #expect(names(seat).last == "column17")
}

@Test(
    "FT5: whatever becomes of columns, none is hidden while there is room for it",
    arguments: Array(1...20) as [UInt64])
func neverInVain(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let stage = wide(3 + random.below(18))
    let seat = stage.seat(role: "owner", width: 60 + random.below(90))
    for step in 0..<60 {
        let count = seat.sheet?.columns.count ?? 0
        let column = seat.columnID(random.below(max(1, count)))
        let other = seat.columnID(random.below(max(1, count)))
        let wasFirst = GridLayout(of: seat.app, seat.sheet).columns.first?.position == 0
        var isOurs = false
        switch random.below(14) {
        case 0: stage.remote(.moveColumn(.id(column), to: .first))
        case 1 where column != other:
            stage.remote(.moveColumn(.id(column), to: .after(.id(other))))
        case 2:
            stage.remote(
                .addColumn(
                    AddColumn(
                        name: "new", type: .int, anchor: random.pick([.first, .last]),
                        onClash: .suffix)))
        case 3 where count > 2: stage.remote(.deleteColumn(.id(column)))
        case 4: seat.resize(1, 1)
        case 5, 6: seat.resize(60 + random.below(90), 12)
        default:
            isOurs = true
            let keys = [
                "Alt-Shift-Left", "Alt-Shift-Right", "Home", "End", "<", ">", "Alt-O", "Alt-Z",
                "Right", "Left", "=",
            ]
            for _ in 0..<4 { seat.press(random.pick(keys)) }
            for _ in 0..<2 { seat.mouse(random.pick([.wheelLeft, .wheelRight]), 20, 4) }
        }
        #expect(hidesNoColumnInVain(seat), "seed \(seed), step \(step)")
        let layout = GridLayout(of: seat.app, seat.sheet)
        if wasFirst, !isOurs, !layout.isCompact, !seat.app.grid.showsColumn {
            #expect(layout.columns.first?.position == 0, "seed \(seed), step \(step)")
        }
    }
}
