// Undo where values must differ: what is back already, and which of two rows comes back.
// A is always session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private let x = row(1)

private func undo(_ sequence: SequenceNumber, force: Bool = false) -> Intent {
    .undo(UndoRequest(.sequence(sequence), isForced: force))
}

private func setInt(_ row: RowID, _ number: Int64) -> Intent { set(row, column(1), .int(number)) }

private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))

@Suite("Undo in a column whose values must differ")
struct UndoUniqueTests {
    @Test("U2: what is back already is not taken through what it was in between")
    func backAlready() throws {
        var world = try World()
        let mine = try world.act(2, setInt(x, 7), setInt(x, 8))
        try world.act(2, undoLast)
        try world.act(
            3, .changeRules(.name("qty"), .object([JSONMember(key: "unique", value: .bool(true))])))
        let again = try world.act(2, undo(mine.sequence, force: true))
        #expect(again.status == .noop)
        #expect(world.value(x) == .int(10))
    }

    @Test("U5: the same rows of a truncate come back after a restart", arguments: [false, true])
    func truncatedAndUnique(afterRestart: Bool) throws {
        var world = try World()
        try world.act(2, insert([row(1, 2)], .first), set(row(1, 2), column(2), .text("a")))
        try world.act(2, set(row(3), column(2), .text("a")))
        try world.act(2, .truncate)
        try world.act(
            3, .changeRules(.name("name"), .object([JSONMember(key: "unique", value: .bool(true))]))
        )
        if afterRestart { world.restart() }
        try world.act(2, undo(world.now - 1))
        #expect(world.rows == [row(1, 2), row(1), row(2)])
    }
}
