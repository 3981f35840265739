// Rules T1 to T14 and U9: sorting for good, setting a column by an expression, clearing.
// A is always session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))

private func sort(_ names: Text..., down: Bool = false, rows: [RowID]? = nil) -> Intent {
    .sortRows(
        SortRows(
            by: names.map { SortRows.Key(.name($0), isDescending: down) }, rows: rows))
}

private func transform(_ value: Text, where condition: Text? = nil) -> Intent {
    .transformColumn(
        TransformColumn(column: .name("qty"), value: value, condition: condition))
}

/// Rows whose "qty" are these numbers; nil is an empty cell.
private func world(_ numbers: Int64?...) throws -> World {
    var world = try World(rows: UInt32(numbers.count))
    for (index, number) in numbers.enumerated() {
        try world.act(
            1, set(row(UInt32(index + 1)), column(1), number.map { .int($0) } ?? .null))
    }
    return world
}

private func rows(_ counters: UInt32...) -> [RowID] { counters.map { row($0) } }

@Suite("Operations on all rows")
struct WholeTests {
    @Test("T1 T7: a sort is stable, puts empty cells last both ways, and undo takes it back")
    func sorting() throws {
        var world = try world(3, nil, 1, 3, 2)
        let before = world.rows
        let sorted = try world.act(2, sort("qty"))
        #expect(world.rows == rows(3, 5, 1, 4, 2))
        #expect(sorted.changes == [.rowsArranged(rows(3, 5, 1, 4, 2))])
        try world.act(2, sort("qty", down: true))
        #expect(world.rows == rows(1, 4, 5, 3, 2))
        #expect(try world.act(2, sort("qty", down: true)).status == .noop)
        try world.act(2, undoLast)
        try world.act(2, undoLast)
        #expect(world.rows == before)
    }

    @Test("T1 T3: a sort is of what is there at its turn, by the values there then")
    func atItsTurn() throws {
        var world = try world(1, 2, 3)
        let base = world.now
        try world.act(2, base: base, insert([row(1, 2)], .first))
        try world.act(2, base: base, set(row(1), column(1), .int(9)))
        try world.act(3, base: base, sort("qty"))
        #expect(world.rows == rows(2, 3, 1) + [row(1, 2)])
    }

    @Test("T2 T4: after a sort rows go where they are put, and edits move nothing")
    func afterwards() throws {
        var world = try world(3, 2, 1)
        let base = world.now
        try world.act(2, base: base, sort("qty"))
        let inserted = try world.act(3, base: base, insert([row(1, 3)], .after(row(1))))
        #expect(inserted.notes == [.anchorMoved])
        try world.act(3, base: base, set(row(3), column(1), .int(77)))
        #expect(world.rows == rows(3, 2, 1) + [row(1, 3)])
    }

    @Test("T5 T6: the last to place a row wins, by a move or by a sort")
    func placed() throws {
        var world = try world(3, 2, 1)
        try world.act(2, .moveRows([row(1)], to: .first))
        try world.act(3, sort("qty"))
        #expect(world.rows == rows(3, 2, 1))
        try world.act(2, .moveRows([row(1)], to: .after(row(3))))
        #expect(world.rows == rows(3, 1, 2))
    }

    @Test("T8: chosen rows change places among each other; hidden ones keep theirs")
    func subset() throws {
        var world = try world(5, 4, 3, 2, 1)
        try world.act(2, .deleteRows([row(3)]))
        let sorted = try world.act(3, sort("qty", rows: rows(1, 3, 4, 5)))
        #expect(world.rows == rows(5, 2, 4, 1))
        #expect(world.allRows == rows(5, 2, 3, 4, 1))
        #expect(sorted.outcome.hidden == 1 && sorted.status == .partial)
    }

    @Test("FD13: texts sort without case, by numbers in them; then by their bytes")
    func texts() throws {
        var world = try World(rows: 5)
        for (index, text) in ["Item 10", "item 9", "b", "item 09", "Ä"].enumerated() {
            try world.act(1, set(row(UInt32(index + 1)), column(2), .text(Text(text))))
        }
        try world.act(2, sort("name"))
        #expect(world.rows == rows(3, 4, 2, 1, 5))
    }

    @Test("U9: undo of a sort keeps newer rows behind whom they follow, and what others moved")
    func undoneSort() throws {
        var world = try world(4, 3, 2, 1)
        try world.act(2, sort("qty"))
        try world.act(3, insert([row(1, 3)], .after(row(3))))
        try world.act(3, .moveRows([row(2)], to: .last))
        let undone = try world.act(2, undoLast)
        #expect(undone.status == .partial)
        #expect(world.rows == [row(1), row(3), row(1, 3), row(4), row(2)])
        let redone = try world.act(2, .undo(UndoRequest(.lastUndone(ofUser: false))))
        #expect(redone.status == .partial || redone.status == .ok)
        #expect(world.rows.filter { $0.session == session(1) && $0 != row(2) } == rows(4, 3, 1))
    }

    @Test("FD5: a transform is one operation and one undo; rows without a value are left out")
    func transforms() throws {
        var world = try world(1, nil, 3, 0)
        let base = world.now
        let done = try world.act(2, base: base, transform("qty + 1", where: "qty > 0"))
        #expect(world.values == [.int(2), .null, .int(4), .int(0)])
        #expect(done.status == .ok && world.now == base + 1)
        let partial = try world.act(2, transform("12 % qty"))
        #expect(partial.status == .partial && partial.outcome.refused == 1)
        #expect(partial.outcome.rejection?.code == .badExpression)
        #expect(world.refusal(2, mode: .strict, transform("12 % qty"))?.code == .badExpression)
        #expect(world.refusal(2, transform("qty +"))?.code == .badExpression)
        #expect(world.refusal(2, transform("upper(name)"))?.code == .badExpression)
        try world.act(2, undoLast)
        try world.act(2, undoLast)
        #expect(world.values == [.int(1), .null, .int(3), .int(0)])
    }

    @Test("FD5: much of a column is told as one fill, with neighbours as runs")
    func fills() throws {
        var world = try World(rows: 40)
        let done = try world.act(2, transform("qty + 1"))
        guard case .cellsFilled(column(1), rows: let rows, values: let values)? = done.changes.first
        else {
            Issue.record("\(done.changes)")
            return
        }
        #expect(rows.count == 40 && values.last == .int(401))
        try world.act(2, undoLast)
        #expect(world.value(row(40)) == .int(400))
    }

    @Test("T9 T12: a clear leaves rows that its author did not know, and says so")
    func clearing() throws {
        var world = try world(1, 2)
        let base = world.now
        let theirs = try world.act(2, base: base, insert([row(1, 2)]))
        try world.act(3, base: base, insert([row(1, 3)]))
        let cleared = try world.act(3, base: base, .clear)
        #expect(world.rows == [row(1, 2)])
        #expect(cleared.status == .ok)
        #expect(cleared.notes == [.keptNewer(count: 1, sequence: theirs.sequence)])
        #expect(try world.act(2, base: base + 1, .clear).status == .ok)
        #expect(world.rows.isEmpty)
        #expect(world.refusal(3, .clear)?.code == .malformed, "without base")
    }

    @Test("T10 T11: after a clear rows go to the slot of their anchor, and edits to hidden rows")
    func afterClear() throws {
        var world = try world(1, 2)
        let base = world.now
        try world.act(2, base: base, .clear)
        let inserted = try world.act(3, base: base, insert([row(1, 3)], .after(row(1))))
        #expect(inserted.notes.contains(.anchorHidden))
        #expect(try world.act(3, base: base, set(row(2), column(1), .int(5))).status == .hidden)
        #expect(world.rows == [row(1, 3)])
    }

    @Test("T13 T14: truncate takes all; a clear and an insertion replace what there was")
    func truncating() throws {
        var world = try world(1, 2)
        let base = world.now
        try world.act(2, base: base, insert([row(1, 2)]))
        let replaced = try world.act(3, base: base, .truncate, insert([row(1, 3)]))
        #expect(world.rows == [row(1, 3)])
        #expect(replaced.status == .ok)
        try world.act(3, undoLast)
        #expect(world.rows == rows(1, 2) + [row(1, 2)])
    }

    @Test("An operation on more rows than one may touch is refused")
    func tooWide() throws {
        var world = try world(1, 2, 3)
        world.limitWidth(2)
        for intent in [sort("qty"), transform("1"), .truncate] {
            #expect(world.refusal(2, intent)?.code == .tooManyParts)
        }
        try world.act(2, sort("qty", down: true, rows: rows(1, 2)))
        #expect(world.rows == rows(2, 1, 3))
    }
}
