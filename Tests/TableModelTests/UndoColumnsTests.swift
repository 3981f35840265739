// Rules U1 to U12 for columns. A is always session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private let x = row(1)

private func undo(_ sequence: SequenceNumber, force: Bool = false) -> Intent {
    .undo(UndoRequest(.sequence(sequence), isForced: force))
}

private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))

@Suite("Rules of undo for columns")
struct UndoColumnsTests {
    @Test(
        "U12: a deleted column comes back with the newest values, under a free name",
        arguments: [false, true])
    func deletedColumn(afterRestart: Bool) throws {
        var world = try World()
        try world.act(2, .deleteColumn(.name("qty")))
        try world.act(3, set(x, column(1), .int(5)))
        try world.act(3, .addColumn(AddColumn(name: "QTY", type: .text)))
        if afterRestart { world.restart() }
        let undone = try world.act(2, undoLast)
        #expect(undone.notes == [.renamed("qty 2")])
        #expect(world.value(x) == .int(5))
        #expect(world.columnNames == ["qty 2", "name", "QTY"])
    }

    @Test("U3 U4: an added column goes, but not with what others put in")
    func addedColumn() throws {
        var world = try World()
        let mine = try world.act(2, .addColumn(AddColumn(name: "note", type: .text)))
        let note = try #require(mine.outcome.columns.first)
        try world.act(3, .setCells([CellEdit(row: x, column: .id(note), value: .text("hm"))]))
        #expect(try world.act(2, undo(mine.sequence)).status == .noop)
        try world.act(3, undoLast)
        #expect(try world.act(2, undo(mine.sequence)).status == .ok)
        #expect(world.columnNames == ["qty", "name"])
    }

    @Test("U1 U7: name, rules and place of a column go back, where nobody changed them since")
    func columnProperties() throws {
        var world = try World()
        try world.act(
            2, .renameColumn(.name("qty"), name: "n", onClash: .reject),
            .moveColumn(.name("name"), to: .first))
        try world.act(3, .renameColumn(.name("n"), name: "theirs", onClash: .reject))
        let undone = try world.act(2, undoLast)
        #expect(undone.status == .partial)
        #expect(world.columnNames == ["theirs", "name"])
    }
}
