// C1: who is told of a value that somebody else replaced, and who is not.
import TableModel
import TableValue
import TableWire
import Testing

@testable import TableClient

@Test("C1: who wrote a value is told when somebody else replaces it")
func overwritten() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    _ = play.takeActions()
    play.hears(record(12, setCell(row(1), amount, .int(6)), setCell(row(2), amount, .int(7))))
    let notices = play.takeNotices()
    var losses = Losses(by: "u3", sequence: 12)
    losses.cells = [LostCell(row: row(1), column: amount, mine: .int(5), theirs: .int(6))]
    losses.cellCount = 1
    #expect(notices.first == .lost(t1, losses), "nobody is told of what was not hers")
    #expect(notices.count == 2)
    play.hears(record(13, setCell(row(1), amount, .int(8))))
    #expect(play.takeNotices().count == 1, "nor of what is not hers any more")
}

@Test("C1: an equal value, and the client's own later one, replace nothing")
func notOverwritten() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.submit(edit(row(1), amount, .int(6)))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    play.hears(record(12, mine: 2, setCell(row(1), amount, .int(6))))
    play.hears(record(13, setCell(row(1), amount, .int(6))))
    let notices = play.takeNotices()
    #expect(
        !notices.contains { if case .lost = $0 { true } else { false } }, "\(notices)")
}

/// The values that somebody was told to have lost.
private func losses(_ play: Play) -> [Value] {
    told(play).flatMap { $0.cells.map(\.mine) }
}

private func told(_ play: Play) -> [Losses] {
    play.takeNotices().compactMap { if case .lost(_, let losses) = $0 { losses } else { nil } }
}

@Test("C1: the empty cells of a row that one inserted are no loss when others fill them")
func emptyCellsAreNoLoss() {
    let play = Play.live()
    let new = row(1, of: mine)
    play.submit(
        .insertRows(
            InsertRows(
                ids: [new], rowCount: 1, anchor: .first, columns: [.id(name)],
                cells: [.text("lime")])))
    let block = RowBlock(
        ids: [new], place: RowPlace(after: nil), columns: [name], cells: [.text("lime")])
    play.hears(record(11, mine: 1, .rowsInserted(block)))
    _ = play.takeActions()
    play.hears(record(12, setCell(new, amount, .int(6))))
    #expect(losses(play).isEmpty)
    play.hears(record(13, setCell(new, name, .text("kiwi"))))
    #expect(losses(play) == [.text("lime")])
}

@Test("C1: a value that is replaced by none at all is lost, and told")
func emptiedIsLost() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    _ = play.takeActions()
    play.hears(record(12, setCell(row(1), amount, .null)))
    #expect(losses(play) == [.int(5)])
}

@Test("C1: a value that an operation on the whole column replaces is lost, and told")
func filledIsLost() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    _ = play.takeActions()
    play.hears(
        record(12, .cellsFilled(amount, rows: [row(1), row(2)], values: [.int(6), .int(7)])))
    #expect(losses(play) == [.int(5)])
}

@Test("S11: of a change of type only what was emptied is lost")
func retypedIsNoLoss() {
    let play = Play.live()
    play.submit(edit(row(1), name, .text("7")), edit(row(2), name, .text("soon")))
    play.hears(
        record(
            11, mine: 1, setCell(row(1), name, .text("7")), setCell(row(2), name, .text("soon"))))
    _ = play.takeActions()
    play.hears(
        record(
            12, .columnRetyped(name, .int, ColumnRules()),
            .cellsFilled(name, rows: [row(1), row(2)], values: [.int(7), .null])))
    #expect(losses(play) == [.text("soon")])
}

@Test("S6: who wrote into a row or a column is told when somebody deletes it, nobody else is")
func deletedIsTold() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    _ = play.takeActions()
    play.hears(record(12, .rowsHidden([row(2)])))
    #expect(told(play).isEmpty)
    play.hears(record(13, .columnHidden(name)))
    #expect(told(play).isEmpty)
    play.hears(record(14, .columnHidden(amount)))
    #expect(told(play).map(\.columns) == [[amount]])
    play.hears(record(15, .rowsHidden([row(1)])))
    #expect(told(play).isEmpty, "what it held is out of sight already")
}

@Test("C7: a deleted row with one's values is named with the record before which it was there")
func deletedRowIsTold() {
    let play = Play.live()
    play.submit(edit(row(1), amount, .int(5)))
    play.hears(record(11, mine: 1, setCell(row(1), amount, .int(5))))
    _ = play.takeActions()
    play.hears(record(12, .rowsHidden([row(1), row(2)])))
    let losses = told(play)
    #expect(losses.map(\.rows) == [[row(1)]])
    #expect(losses.map(\.rowCount) == [1])
    #expect(losses.map(\.sequence) == [12])
}
