// Rules R1 to R17, with order, outcome and notes exactly. A is always session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private let x = row(1)
private let p = row(2)
private let q = row(3)
private let a = row(1, 2)
private let b = row(1, 3)

@Suite("Rules of rows")
struct ResolveRowsTests {
    @Test("R1: the later of two inserts after the same row stands directly below it")
    func sameAnchor() throws {
        var world = try World()
        let base = world.now
        #expect(try world.act(2, base: base, insert([a], .after(x))).notes == [])
        let late = try world.act(3, base: base, insert([b, row(2, 3)], .after(x)))
        #expect(world.rows == [x, b, row(2, 3), a, p, q])
        #expect(late.status == .ok)
        #expect(late.notes == [.sibling])
        #expect(late.outcome.applied == 0, "counts are only given where the status is partial")
    }

    @Test("R1: neither the author's own row, a row seen, nor an unknown base is a sibling")
    func noSibling() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, insert([a], .after(x)))
        #expect(try world.act(2, base: base, insert([row(2, 2)], .after(x))).notes == [])
        #expect(try world.act(3, base: world.now, insert([b], .after(x))).notes == [])
        #expect(try world.act(4, base: 0, insert([row(1, 4)], .after(x))).notes == [])
        #expect(world.rows == [x, row(1, 4), b, row(2, 2), a, p, q])
    }

    @Test("R1: a sibling behind hidden rows is still a sibling, also at the very start")
    func siblingBehindHidden() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, insert([a], .first))
        try world.act(2, .deleteRows([x]))
        let late = try world.act(3, base: base, insert([b], .first))
        #expect(late.notes == [.sibling])
        #expect(world.rows == [b, a, p, q])
    }

    @Test("R2: appended rows stand in the order of arrival")
    func appending() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, insert([a]))
        let late = try world.act(3, base: base, insert([b]))
        #expect(world.rows == [x, p, q, a, b])
        #expect(late.status == .ok && late.notes == [])
    }

    @Test("R3: rows typed one below the other stay in their author's order")
    func typedChains() throws {
        var world = try World()
        let base = world.now
        let a2 = row(2, 2)
        let b2 = row(2, 3)
        try world.act(2, base: base, insert([a], .after(x)))
        let late = try world.act(3, base: base, insert([b], .after(x)))
        try world.act(2, base: base, insert([a2], .after(a)))
        let chained = try world.act(3, base: base, insert([b2], .after(b)))
        #expect(world.rows == [x, b, b2, a, a2, p, q])
        #expect(late.notes == [.sibling])
        #expect(chained.status == .ok)
    }

    @Test("R4: an insert behind a deleted row takes its slot")
    func behindDeleted() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .deleteRows([p]))
        let late = try world.act(3, base: base, insert([b], .after(p)))
        #expect(world.rows == [x, b, q])
        #expect(world.allRows == [x, p, b, q])
        #expect(late.status == .ok && late.notes == [.anchorHidden])
        #expect(
            late.changes == [
                .rowsInserted(
                    RowBlock(
                        ids: [b], place: RowPlace(after: x, slot: p), columns: [], cells: []))
            ])
    }

    @Test("R4: with no live row before it the place is the start, told apart by the slot")
    func behindDeletedFirst() throws {
        var world = try World()
        try world.act(2, .deleteRows([x, p]))
        world.takeSnapshot()
        let late = try world.act(3, insert([b], .after(p)))
        #expect(world.rows == [b, q])
        #expect(world.allRows == [x, p, b, q])
        #expect(late.notes == [.anchorHidden])
        try world.act(3, insert([row(2, 3)], .after(x)))
        #expect(world.rows == [row(2, 3), b, q])
        #expect(world.allRows == [x, row(2, 3), p, b, q])
    }

    @Test("R5: an insert behind a row that is gone for good comes at the end")
    func behindGone() throws {
        var world = try World()
        let late = try world.act(3, base: 1, insert([b], .after(row(77, 9))))
        #expect(world.rows == [x, p, q, b])
        #expect(late.status == .ok && late.notes == [.anchorGone])
    }

    @Test("R6: a row inserted behind one that is then deleted stays")
    func insertThenDelete() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, insert([a], .after(x)))
        let late = try world.act(3, base: base, .deleteRows([x]))
        #expect(world.rows == [a, p, q])
        #expect(late.status == .ok && late.notes == [])
    }

    @Test("R7: deleting twice deletes once", arguments: [OpMode.best, .strict])
    func deletedTwice(mode: OpMode) throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .deleteRows([x]))
        let late = try world.act(3, base: base, mode: mode, .deleteRows([x]))
        #expect(late.status == .noop && late.changes == [])
        #expect(world.rows == [p, q])
    }

    @Test("R8: the later move wins, and there is exactly one row")
    func movedTwice() throws {
        var world = try World(rows: 4)
        let base = world.now
        let end = row(4)
        let first = try world.act(2, base: base, .moveRows([x], to: .after(p)))
        #expect(first.notes == [])
        let late = try world.act(3, base: base, .moveRows([x], to: .after(q)))
        #expect(world.rows == [p, q, x, end])
        #expect(late.status == .ok)
        #expect(late.notes == [.overrode(count: 1, sequence: first.sequence)])
    }

    @Test("R9: a deleted row that is moved stays hidden, and its place moves")
    func deletedThenMoved() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .deleteRows([x]))
        let late = try world.act(3, base: base, .moveRows([x], to: .after(q)))
        #expect(world.rows == [p, q])
        #expect(world.allRows == [p, q, x])
        #expect(late.status == .hidden && late.notes == [])
        #expect(late.changes == [.rowsMoved([x], to: RowPlace(after: q))])
    }

    @Test("R10: a moved row that is deleted is hidden at its new place")
    func movedThenDeleted() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .moveRows([x], to: .after(p)))
        let late = try world.act(3, base: base, .deleteRows([x]))
        #expect(world.rows == [p, q])
        #expect(world.allRows == [p, x, q])
        #expect(late.status == .ok)
    }

    @Test("R11: a row moved after one that has moved follows it")
    func anchorMoved() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .moveRows([q], to: .first))
        let late = try world.act(3, base: base, .moveRows([p], to: .after(q)))
        #expect(world.rows == [q, p, x])
        #expect(late.status == .ok && late.notes == [.anchorMoved])
    }

    @Test("R12: a row does not follow the anchor it was once moved to")
    func followerStays() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .moveRows([x], to: .after(q)))
        let late = try world.act(3, base: base, .moveRows([q], to: .first))
        #expect(world.rows == [q, p, x])
        #expect(late.status == .ok && late.notes == [])
    }

    @Test("R13: a row moved behind a deleted one takes its slot")
    func movedBehindDeleted() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .deleteRows([q]))
        let late = try world.act(3, base: base, .moveRows([x], to: .after(q)))
        #expect(world.rows == [p, x])
        #expect(world.allRows == [p, q, x])
        #expect(late.status == .ok && late.notes == [.anchorHidden])
    }

    @Test("R13: the live row named by the record is never one of those that move")
    func movedFromBeforeItsAnchor() throws {
        var world = try World()
        try world.act(2, .deleteRows([q]))
        let late = try world.act(3, .moveRows([p], to: .after(q)))
        #expect(late.changes == [.rowsMoved([p], to: RowPlace(after: x, slot: q))])
        #expect(world.allRows == [x, q, p])
    }

    @Test("R14: an anchor among the moved rows becomes the nearest row before it that stays")
    func anchorInsideSet() throws {
        var world = try World(rows: 5)
        let late = try world.act(3, .moveRows([row(3), row(5), row(2)], to: .after(row(3))))
        #expect(world.rows == [row(1), row(3), row(5), row(2), row(4)])
        #expect(late.status == .ok && late.notes == [])
        let first = try world.act(3, .moveRows([row(1), row(4)], to: .after(row(1))))
        #expect(world.rows == [row(1), row(4), row(3), row(5), row(2)])
        #expect(first.notes == [])
        let alone = try world.act(3, .moveRows([row(5)], to: .after(row(5))))
        #expect(alone.status == .noop)
    }

    @Test("R15: several moved rows arrive together, each a register of its own")
    func severalMoved() throws {
        var world = try World(rows: 6)
        let base = world.now
        let moved = [row(5), row(1), row(3)]
        try world.act(2, base: base, .moveRows(moved, to: .after(row(6))))
        #expect(world.rows == [row(2), row(4), row(6), row(5), row(1), row(3)])
        let late = try world.act(3, base: base, .moveRows([row(1)], to: .after(row(2))))
        #expect(world.rows == [row(2), row(1), row(4), row(6), row(5), row(3)])
        #expect(late.notes == [.overrode(count: 1, sequence: late.sequence - 1)])
    }

    @Test("R16: a row inserted among rows that are moved away stays where it was")
    func insertedAmongMoved() throws {
        var world = try World(rows: 4)
        let base = world.now
        try world.act(2, base: base, insert([a], .after(row(1))))
        let late = try world.act(3, base: base, .moveRows([row(1), row(2)], to: .last))
        #expect(world.rows == [a, row(3), row(4), row(1), row(2)])
        #expect(late.status == .ok && late.notes == [])
    }

    @Test("R17: a deleted row among moved ones moves with them and stays hidden")
    func hiddenAmongMoved() throws {
        var world = try World(rows: 5)
        let base = world.now
        try world.act(2, base: base, .deleteRows([row(2)]))
        let late = try world.act(
            3, base: base, .moveRows([row(1), row(2), row(3)], to: .after(row(5))))
        #expect(world.rows == [row(4), row(5), row(1), row(3)])
        #expect(world.allRows == [row(4), row(5), row(1), row(2), row(3)])
        #expect(late.status == .partial)
        #expect(late.outcome.applied == 2)
        #expect(late.outcome.hidden == 1)
        #expect(late.outcome.gone == 0)
    }

    // MARK: What no pair of acts decides

    @Test("a move of rows that stand there already takes no number")
    func standingMove() throws {
        var world = try World(rows: 4)
        #expect(try world.act(2, .moveRows([row(2), row(3)], to: .after(row(1)))).status == .noop)
        #expect(try world.act(2, .moveRows([row(4)], to: .last)).status == .noop)
        #expect(try world.act(2, .moveRows([row(1), row(2)], to: .first)).status == .noop)
        #expect(try world.act(2, .moveRows([row(3), row(2)], to: .after(row(1)))).status == .ok)
    }

    @Test("rows that never were: moved and deleted they are gone")
    func unknownRows() throws {
        var world = try World()
        let never = row(99, 9)
        #expect(try world.act(2, .moveRows([never], to: .first)).status == .gone)
        #expect(try world.act(2, .deleteRows([never, never])).status == .gone)
        let some = try world.act(2, .deleteRows([x, never]))
        #expect(some.status == .partial)
        #expect(some.outcome.applied == 1 && some.outcome.gone == 1)
    }

    @Test("a row named twice in a move stands where it was named first")
    func namedTwice() throws {
        var world = try World(rows: 4)
        try world.act(2, .moveRows([row(3), row(1), row(3)], to: .last))
        #expect(world.rows == [row(2), row(4), row(3), row(1)])
    }

    @Test("the server gives ids of its own session where none are given, and tells them")
    func idsFromTheServer() throws {
        var world = try World()
        let given = try world.act(0, .insertRows(InsertRows(rowCount: 2, anchor: .first)))
        #expect(given.outcome.rows == [row(1, 0), row(2, 0)])
        #expect(world.rows == [row(1, 0), row(2, 0), x, p, q])
        let more = try world.act(2, .insertRows(InsertRows(rowCount: 1)))
        #expect(more.outcome.rows == [row(3, 0)])
        #expect(world.owner.highestRowCounter(of: .server) == 3)
        #expect(try world.act(2, insert([row(1, 2)])).outcome.rows == [])
    }

    @Test("bad_row_id: another's, used, zero, too far ahead, twice, or without a session")
    func badRowIDs() throws {
        var world = try World()
        let far = world.owner.limits.counterGapMax + 3
        try world.act(1, .deleteRows([q]))
        for id in [row(1, 2), row(2), row(3), row(0), row(far + 1)] {
            let rejection = world.refusal(1, insert([id]))
            #expect(rejection?.code == .badRowID)
            #expect(rejection?.row == id)
            #expect(rejection?.part == 0)
        }
        #expect(world.refusal(1, insert([row(9), row(8), row(9)]))?.code == .badRowID)
        #expect(world.refusal(0, insert([row(1, 0)]))?.code == .badRowID)
        #expect(try world.act(1, insert([row(far), row(8), row(9)], .first)).status == .ok)
        #expect(world.rows == [row(far), row(8), row(9), x, p])
        #expect(world.owner.highestRowCounter(of: session(1)) == far)
        #expect(try world.act(1, insert([row(7)])).status == .ok, "unused and below the highest")
    }
}
