// Rules U1 to U15 for cells and rows. A is always session 2, B session 3; each rule also after a
// restart, which makes what is kept for undo again out of the records.
import TableValue
import Testing

@testable import TableModel

private let x = row(1)
private let p = row(2)
private let q = row(3)
private let a = row(1, 2)
private let b = row(1, 3)

private func undo(_ sequence: SequenceNumber, force: Bool = false) -> Intent {
    .undo(UndoRequest(.sequence(sequence), isForced: force))
}

private func setInt(_ row: RowID, _ number: Int64) -> Intent { set(row, column(1), .int(number)) }

private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))
private let redoLast = Intent.undo(UndoRequest(.lastUndone(ofUser: false)))

@Suite("Rules of undo", .serialized)
struct UndoTests {
    // MARK: Cells

    @Test("U1: a cell that nobody touched goes back to what it held", arguments: [false, true])
    func cell(afterRestart: Bool) throws {
        var world = try World()
        let set = try world.act(2, setInt(x, 7))
        if afterRestart { world.restart() }
        let undone = try world.act(2, undoLast)
        #expect(world.value(x) == .int(10))
        #expect(undone.status == .ok)
        #expect(undone.outcome.undid == set.sequence)
    }

    @Test("U1: one operation after another is taken back, each to what was before it")
    func chain() throws {
        var world = try World()
        for number in 1...4 { try world.act(2, setInt(x, Int64(number))) }
        for expected: Int64 in [3, 2, 1, 10] {
            #expect(try world.act(2, undoLast).status == .ok)
            #expect(world.value(x) == .int(expected))
        }
        #expect(world.refusal(2, undoLast)?.code == .nothingToUndo)
        for expected: Int64 in [1, 2, 3, 4] {
            #expect(try world.act(2, redoLast).status == .ok)
            #expect(world.value(x) == .int(expected))
        }
        #expect(world.refusal(2, redoLast)?.code == .nothingToUndo)
    }

    @Test(
        "U2: a cell that somebody set later is kept, and the author is told",
        arguments: [false, true])
    func overwritten(afterRestart: Bool) throws {
        var world = try World()
        let mine = try world.act(2, setInt(x, 7), setInt(p, 8))
        let theirs = try world.act(3, setInt(x, 9))
        if afterRestart { world.restart() }
        let undone = try world.act(2, undo(mine.sequence))
        #expect(world.value(x) == .int(9))
        #expect(world.value(p) == .int(20))
        #expect(undone.status == .partial)
        #expect(undone.outcome.applied == 1)
        #expect(undone.notes == [.keptNewer(count: 1, sequence: theirs.sequence)])
    }

    @Test("U2: with force it is taken back all the same")
    func forced() throws {
        var world = try World()
        let mine = try world.act(2, setInt(x, 7))
        try world.act(3, setInt(x, 9))
        #expect(try world.act(2, undo(mine.sequence, force: true)).status == .ok)
        #expect(world.value(x) == .int(10))
    }

    @Test("U2: a value that came back by somebody's undo counts as whose it was")
    func cameBack() throws {
        var world = try World()
        let mine = try world.act(2, setInt(x, 7))
        try world.act(3, setInt(x, 9))
        try world.act(3, undoLast)
        #expect(world.value(x) == .int(7))
        #expect(try world.act(2, undo(mine.sequence)).status == .ok)
        #expect(world.value(x) == .int(10))
    }

    @Test("U2: one's own undo does not hide that somebody else had written before it")
    func notMineAgain() throws {
        var world = try World()
        let first = try world.act(2, setInt(x, 1))
        let theirs = try world.act(3, setInt(x, 5))
        try world.act(2, setInt(x, 3))
        try world.act(2, undoLast)
        #expect(world.value(x) == .int(5))
        let undone = try world.act(2, undo(first.sequence))
        #expect(undone.status == .noop)
        #expect(undone.notes.count == 1)
        #expect(world.value(x) == .int(5))
        #expect(theirs.sequence > first.sequence)
    }

    @Test("U10: a paste is taken back cell by cell")
    func paste() throws {
        var world = try World()
        try world.act(
            2,
            .setCells(
                [x, p, q].map { CellEdit(row: $0, column: .id(column(1)), value: .int(1)) }))
        try world.act(3, setInt(p, 2))
        let undone = try world.act(2, undoLast)
        #expect([x, p, q].map { world.value($0) } == [.int(10), .int(2), .int(30)])
        #expect(undone.outcome.applied == 2)
        #expect(undone.changes.count == 1, "one change for all cells")
    }

    @Test("U1: a cell of a row that was deleted since goes back in the hidden row")
    func hiddenRow() throws {
        var world = try World()
        try world.act(2, setInt(x, 7))
        try world.act(3, .deleteRows([x]))
        #expect(try world.act(2, undoLast).status == .hidden)
        #expect(world.value(x) == .int(10))
    }

    // MARK: Rows

    @Test("U3: rows that were inserted go", arguments: [false, true])
    func inserted(afterRestart: Bool) throws {
        var world = try World()
        try world.act(2, insert([a, row(2, 2)], .after(x)))
        if afterRestart { world.restart() }
        let undone = try world.act(2, undoLast)
        #expect(world.rows == [x, p, q])
        #expect(undone.changes == [.rowsHidden([a, row(2, 2)])])
        try world.act(2, redoLast)
        #expect(world.rows == [x, a, row(2, 2), p, q])
    }

    @Test("U4: a row that somebody else wrote in stays, unless forced", arguments: [false, true])
    func writtenIn(afterRestart: Bool) throws {
        var world = try World()
        let mine = try world.act(2, insert([a, row(2, 2)], .after(x)))
        let theirs = try world.act(3, setInt(a, 5))
        if afterRestart { world.restart() }
        let undone = try world.act(2, undo(mine.sequence))
        #expect(world.rows == [x, a, p, q])
        #expect(undone.status == .partial)
        #expect(undone.notes == [.keptNewer(count: 1, sequence: theirs.sequence)])
        #expect(try world.act(2, undo(mine.sequence, force: true)).status == .ok)
        #expect(world.rows == [x, p, q])
    }

    @Test(
        "U4: a row behind which somebody else inserted stays; forced, theirs stays",
        arguments: [false, true])
    func anchored(afterRestart: Bool) throws {
        var world = try World()
        let mine = try world.act(2, insert([a], .after(x)))
        try world.act(3, insert([b], .after(a)))
        if afterRestart { world.restart() }
        #expect(try world.act(2, undo(mine.sequence)).status == .noop)
        #expect(world.rows == [x, a, b, p, q])
        try world.act(2, undo(mine.sequence, force: true))
        #expect(world.rows == [x, b, p, q])
    }

    @Test("U4: what was refused in the end does not hold a row")
    func anchoredInVain() throws {
        var world = try World()
        try world.act(2, insert([a], .after(x)))
        let refused = world.refusal(
            3, mode: .strict, insert([b], .after(a)), .deleteColumn(.name("none")))
        #expect(refused?.code == .unknownColumn)
        #expect(try world.act(2, undoLast).status == .ok)
        #expect(world.rows == [x, p, q])
    }

    @Test("U4: rows that others append behind the last row do not hold it")
    func appendedBehind() throws {
        var world = try World()
        try world.act(2, insert([a]))
        try world.act(3, insert([b]))
        #expect(try world.act(2, undoLast).status == .ok)
        #expect(world.rows == [x, p, q, b])
    }

    @Test(
        "U5: a deleted row comes back where its place is now, with the newest values",
        arguments: [false, true])
    func deleted(afterRestart: Bool) throws {
        var world = try World()
        try world.act(2, .deleteRows([x]))
        try world.act(3, setInt(x, 77))
        try world.act(3, .moveRows([x], to: .last))
        if afterRestart { world.restart() }
        #expect(try world.act(2, undoLast).status == .ok)
        #expect(world.rows == [p, q, x])
        #expect(world.value(x) == .int(77))
    }

    @Test("U5: rows between which hidden rows of others stand come back in their order")
    func deletedBetween() throws {
        var world = try World(rows: 6)
        try world.act(3, .deleteRows([row(2), row(4)]))
        try world.act(2, .deleteRows([row(5), row(1), row(3)]))
        world.takeSnapshot()
        try world.act(2, undoLast)
        #expect(world.rows == [row(1), row(3), row(5), row(6)])
    }

    @Test("U6: that somebody deleted it too changes nothing, and their undo takes nothing back")
    func deletedTwice() throws {
        var world = try World()
        try world.act(2, .deleteRows([x]))
        #expect(try world.act(3, .deleteRows([x])).status == .noop)
        #expect(world.refusal(3, undoLast)?.code == .nothingToUndo)
        try world.act(2, undoLast)
        #expect(world.rows == [x, p, q])
    }

    @Test("U5: a row that was restored and deleted again by another stays deleted")
    func deletedAnew() throws {
        var world = try World()
        let mine = try world.act(2, .deleteRows([x]))
        try world.act(3, undo(mine.sequence))
        #expect(world.rows == [x, p, q])
        try world.act(3, .deleteRows([x]))
        #expect(try world.act(2, undo(mine.sequence)).status == .noop)
        #expect(world.rows == [p, q])
    }

    @Test("U7: a row that somebody moved again stays where they put it", arguments: [false, true])
    func movedAgain(afterRestart: Bool) throws {
        var world = try World()
        let mine = try world.act(2, .moveRows([x, p], to: .last))
        let theirs = try world.act(3, .moveRows([x], to: .first))
        if afterRestart { world.restart() }
        let undone = try world.act(2, undo(mine.sequence))
        #expect(undone.status == .partial)
        #expect(undone.notes == [.keptNewer(count: 1, sequence: theirs.sequence)])
        #expect(world.rows == [p, x, q])
    }

    @Test("U8: a moved row goes back behind its old neighbour, also where that is hidden now")
    func neighbourHidden() throws {
        var world = try World(rows: 4)
        try world.act(2, .moveRows([row(3)], to: .first))
        try world.act(3, .deleteRows([row(2)]))
        try world.act(2, undoLast)
        #expect(world.rows == [row(1), row(3), row(4)])
        #expect(world.allRows == [row(1), row(2), row(3), row(4)])
    }

    @Test("U7: rows moved several times in one operation go back to the beginning")
    func movedTwice() throws {
        var world = try World(rows: 5)
        let before = world.rows
        try world.act(
            2, .moveRows([row(1)], to: .after(row(3))), .moveRows([row(4), row(2)], to: .first),
            .moveRows([row(1)], to: .last))
        try world.act(2, undoLast)
        #expect(world.rows == before)
    }

    // MARK: What there is to take back

    @Test("U13: what is not kept any more is refused as such")
    func expired() throws {
        var world = try World()
        world.limitUndo(ops: 4)
        let first = try world.act(2, setInt(x, 1))
        for number in 2...6 { try world.act(2, setInt(x, Int64(number))) }
        #expect(world.refusal(2, undo(first.sequence))?.code == .undoExpired)
        #expect(world.refusal(2, undo(999))?.code == .nothingToUndo)
        #expect(try world.act(2, undoLast).status == .ok)
    }

    @Test("U13: what one session does in masses does not push out what others did")
    func fairness() throws {
        var world = try World()
        try world.act(2, setInt(x, 1))
        world.limitUndo(bytes: 4_000)
        for number in 0..<100 { try world.act(3, setInt(p, Int64(number))) }
        #expect(try world.act(2, undoLast).status == .ok)
        #expect(world.value(x) == .int(10))
    }

    @Test("U14: an undo is taken back by a redo, and a new operation ends that")
    func redo() throws {
        var world = try World()
        try world.act(2, setInt(x, 1))
        try world.act(2, setInt(p, 2))
        try world.act(2, undoLast)
        try world.act(2, undoLast)
        try world.act(2, redoLast)
        #expect(world.value(x) == .int(1) && world.value(p) == .int(20))
        try world.act(2, setInt(q, 3))
        #expect(world.refusal(2, redoLast)?.code == .nothingToUndo)
        try world.act(2, undoLast)
        try world.act(2, undoLast)
        #expect(world.value(x) == .int(10) && world.value(q) == .int(30))
    }

    @Test("U15: what was refused or changed nothing is not there to be taken back")
    func noops() throws {
        var world = try World()
        try world.act(2, setInt(x, 7))
        #expect(try world.act(2, setInt(x, 7)).status == .noop)
        #expect(world.refusal(2, .renameColumn(.name("none"), name: "n", onClash: .reject)) != nil)
        try world.act(2, undoLast)
        #expect(world.value(x) == .int(10))
    }

    @Test("U15: an undo that finds nothing left is not offered again")
    func spent() throws {
        var world = try World()
        try world.act(2, setInt(x, 1))
        try world.act(2, setInt(p, 2))
        try world.act(3, setInt(p, 3))
        #expect(try world.act(2, undoLast).status == .noop)
        #expect(try world.act(2, undoLast).status == .ok)
        #expect(world.value(x) == .int(10))
    }

    @Test("U1: the last of a user is found over all sessions, and goes back to its own")
    func ofUser() throws {
        var table = Table()
        table.keepsUndo = true
        let phone = OpAuthor(session: session(2), user: "u1")
        let desk = OpAuthor(session: session(3), user: "u1")
        let other = OpAuthor(session: session(4), user: "u2")
        func act(_ author: OpAuthor, _ intent: Intent) throws -> Resolution {
            try table.perform(Op(body: [intent]), by: author, as: table.head + 1)
        }
        _ = try act(desk, .addColumn(AddColumn(name: "n", type: .int)))
        _ = try act(phone, .insertRows(InsertRows(ids: [a], rowCount: 1)))
        let undo = Intent.undo(UndoRequest(.last(ofUser: true)))
        #expect(throws: Rejection.self) { try act(other, undo) }
        _ = try act(desk, undo)
        #expect(table.rowCount == 0)
        let redo = Intent.undo(UndoRequest(.lastUndone(ofUser: true)))
        _ = try act(OpAuthor(session: session(9), user: "u1"), redo)
        #expect(table.rowCount == 1)
    }

    @Test("U14: a new operation in any session of a user ends what redo of all of them brings back")
    func ofUserEnds() throws {
        var table = Table()
        table.keepsUndo = true
        let phone = OpAuthor(session: session(2), user: "u1")
        let desk = OpAuthor(session: session(3), user: "u1")
        func act(_ author: OpAuthor, _ intent: Intent) throws -> Resolution {
            try table.perform(Op(body: [intent]), by: author, as: table.head + 1)
        }
        _ = try act(desk, .addColumn(AddColumn(name: "n", type: .int)))
        _ = try act(phone, .insertRows(InsertRows(ids: [a], rowCount: 1)))
        _ = try act(phone, undoLast)
        let redo = Intent.undo(UndoRequest(.lastUndone(ofUser: true)))
        // Of another user it ends nothing.
        let other = OpAuthor(session: session(4), user: "u2")
        _ = try act(other, .addColumn(AddColumn(name: "o", type: .int)))
        _ = try act(desk, .addColumn(AddColumn(name: "p", type: .int)))
        #expect(throws: Rejection.self) { try act(desk, redo) }
        // The session itself has done nothing new.
        _ = try act(phone, redoLast)
        #expect(table.rowCount == 1)
    }

    @Test("An undo beside other intents is refused")
    func alone() throws {
        var world = try World()
        try world.act(2, setInt(x, 1))
        #expect(world.refusal(2, setInt(p, 1), undoLast)?.code == .malformed)
    }
}
