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
    #expect(
        notices.first
            == .overwritten(
                t1, row: row(1), column: amount, mine: .int(5), theirs: .int(6), by: "u3",
                sequence: 12))
    #expect(notices.count == 2, "nobody is told of what was not hers")
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
        !notices.contains { if case .overwritten = $0 { true } else { false } }, "\(notices)")
}

/// The values that somebody was told to have lost.
private func losses(_ play: Play) -> [Value] {
    play.takeNotices().compactMap {
        if case .overwritten(_, _, _, let mine, _, _, _, _) = $0 { mine } else { nil }
    }
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
