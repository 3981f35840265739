// Random keys, mice, pastes, sizes and records of others, all from one seed: nothing traps at
// any size, and cursor, view, choice and editor always make sense.
import TableModel
import TableValue
import Terminal
import TestSupport
import Testing

@testable import TerminalApp

/// Keys that a storm presses: those of all commands, and letters.
private let keys: [KeyPress] = {
    var keys = CommandEntry.all.flatMap { $0.standardKeys + $0.vimKeys }
        .compactMap(KeyMap.keys(in:)).flatMap { $0 }
    keys += "abyn019 -\"é漢".unicodeScalars.map { KeyPress(.character($0)) }
    // Quitting is done by the shell; the app goes on.
    return keys
}()

private func check(_ seat: Seat, _ note: String) {
    let frame = seat.frame
    let app = seat.app
    if let cursor = frame.cursor {
        #expect(frame.bounds.contains(cursor), "\(note): the terminal's cursor is outside")
    }
    guard let sheet = seat.sheet else { return }
    if let row = app.grid.row {
        #expect(sheet.position(of: row) == app.grid.rowPosition, "\(note): the cursor's row")
    } else {
        #expect(sheet.rowCount == 0, "\(note): no row under the cursor")
    }
    if let column = app.grid.column {
        #expect(
            sheet.columnPosition(of: column) == app.grid.columnPosition, "\(note): the column")
    } else {
        #expect(sheet.columns.isEmpty, "\(note): no column under the cursor")
    }
    #expect(app.grid.topPosition >= 0, "\(note): the view")
    #expect(app.grid.topPosition <= max(0, sheet.rowCount), "\(note): the view")
    #expect(app.drag != nil || hidesNoColumnInVain(seat), "\(note): room for a column")
    if let field = app.editor?.field {
        #expect((0...field.characters.count).contains(field.caret), "\(note): the caret")
        #expect(field.selection.upperBound <= field.characters.count, "\(note): the selection")
    }
    if let box = ChoiceBox(of: app, in: GridLayout(of: app, sheet))?.frame {
        #expect(box.x >= 0 && box.endX <= frame.size.width, "\(note): the list of choices")
        #expect(box.y >= 0 && box.endY <= frame.size.height, "\(note): the list of choices")
    }
    if let block = app.selection.block(app.grid, sheet) {
        #expect(block.rows.upperBound <= sheet.rowCount, "\(note): the block")
        #expect(block.columns.upperBound <= sheet.columns.count, "\(note): the block")
    }
}

private func disturb(_ stage: Stage, _ seat: Seat, _ random: inout SeededRandom) {
    guard let sheet = seat.sheet else { return }
    let row = sheet.row(at: random.below(max(1, sheet.rowCount)))
    let column = sheet.column(at: random.below(max(1, sheet.columns.count)))
    switch random.below(9) {
    case 0: stage.remote(.insertRows(InsertRows(rowCount: 1 + random.below(3), anchor: .first)))
    case 1: if let row { stage.remote(.deleteRows([row])) }
    case 2: if let row { stage.remote(.moveRows([row], to: random.pick([.first, .last]))) }
    case 3, 4:
        guard let row, let column, column.type == .text else { return }
        let text = random.pick(["x", "", "漢字", "a\u{1B}[31m", "\u{202E}b"])
        stage.remote(
            .setCells([CellEdit(row: row, column: .id(column.id), value: .text(Text(text)))]))
    case 5:
        guard sheet.columns.count < 12 else { return }
        stage.remote(
            .addColumn(
                AddColumn(
                    name: "c", type: random.pick(ColumnType.allCases), onClash: .suffix)))
    case 6: if let column, sheet.columns.count > 1 { stage.remote(.deleteColumn(.id(column.id))) }
    case 7: if let column { stage.remote(.moveColumn(.id(column.id), to: .first)) }
    default: stage.remoteCursor(row, column?.id)
    }
}

@Test(
    "FT29: a storm of keys, mice, pastes, sizes and records traps nowhere",
    arguments: Array(1...12) as [UInt64])
func storm(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let stage = Stage(
        "name:text state:choice|a|b|yes|漢 qty:int ok:bool due:date",
        rows: (0..<12).map { ["row \($0)", "a", String($0), "true", "2026-11-30"] })
    let seat = stage.seat("ann", role: "owner") {
        $0.options.keys = seed.isMultiple(of: 2) ? .vim : .standard
        $0.options.theme = ThemeChoice.allCases[Int(seed % 4)]
    }
    for step in 0..<250 {
        switch random.below(20) {
        case 0: seat.resize(1 + random.below(120), 1 + random.below(40))
        case 1: seat.resize(1 + random.below(6), 1 + random.below(4))
        case 2: disturb(stage, seat, &random)
        case 3: disturb(stage, seat, &random)
        case 4: seat.paste(random.pick(["a\tb\nc", "dd\rqq", "", "1", "\"x", "r\tb"]))
        case 5...7:
            let kinds: [MouseEvent.Kind] = [
                .pressed(.left), .pressed(.right), .pressed(.middle), .dragged(.left), .released,
                .wheelUp, .wheelDown, .wheelLeft, .wheelRight, .moved,
            ]
            seat.mouse(random.pick(kinds), random.below(130) - 3, random.below(45) - 2)
        case 8: seat.send(.ticked)
        case 9 where random.below(6) == 0:
            seat.cut()
            seat.press("Right")
            seat.mend()
        default: seat.send(.input(.key(random.pick(keys))))
        }
        check(seat, "seed \(seed), step \(step)")
    }
    // At the end nothing hangs: everything is confirmed, and a second look sees the same table.
    stage.pass(milliseconds: 2_000)
    #expect(seat.app.unsentCount == 0, "seed \(seed)")
    let other = stage.seat("eve", role: "owner")
    for name in seat.sheet?.columns.map(\.name.string) ?? [] {
        #expect(seat.column(name) == other.column(name), "seed \(seed)")
    }
}

@Test("FT29: every size from 1×1 on draws, in the grid, in the editor and under every layer")
func everySize() {
    let stage = Stage("name:text qty:int", rows: (0..<5).map { ["row \($0)", "1"] })
    let seat = stage.seat("ann", role: "owner")
    let openers: [[String]] = [
        [], ["Enter"], [":"], ["F1"], ["F10"], ["F4"], ["F6"], ["F8"], ["Alt-U"], ["Ctrl-G"],
        ["Alt-N"], ["Alt-K"],
    ]
    for opener in openers {
        for width in [1, 2, 3, 5, 8, 13, 24, 59, 60, 200] {
            for height in [1, 2, 3, 4, 5, 7, 12, 60] {
                seat.resize(width, height)
                for key in opener { seat.press(key) }
                #expect(seat.frame.size == Size(width: width, height: height))
                if opener == ["Enter"] { #expect(seat.app.editor != nil) }
                seat.press("Esc", "Esc")
            }
        }
    }
    #expect(seat.column("name") == (0..<5).map { "row \($0)" })
}
