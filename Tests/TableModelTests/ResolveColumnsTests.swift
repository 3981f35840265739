// Rules S1 to S8 and S13, with order, outcome and notes exactly. A is session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)
private let name = column(2)

private func due(
    _ id: ColumnID? = nil, type: ColumnType = .date, onClash: NameClash = .suffix,
    ifAbsent: Bool = false, at anchor: ColumnAnchor = .last, name: Text = "Due"
) -> Intent {
    .addColumn(
        AddColumn(
            id: id, name: name, type: type, anchor: anchor, onClash: onClash, ifAbsent: ifAbsent))
}

extension World {
    fileprivate var names: [String] { owner.columns.map(\.name.string) }
    fileprivate var columnIDs: [ColumnID] { owner.columns.map(\.id) }
}

@Suite("Rules of columns")
struct ResolveColumnsTests {
    @Test("S1: two columns of one name are two columns, the later with the lowest free suffix")
    func addedTwice() throws {
        var world = try World()
        #expect(try world.act(2, due(column(1, 2))).notes == [])
        let late = try world.act(3, due(column(1, 3)))
        #expect(late.status == .ok && late.notes == [.renamed("Due 2")])
        #expect(world.names == ["qty", "name", "Due", "Due 2"])
        #expect(try world.act(3, due(name: "DUE")).notes == [.renamed("DUE 3")])
        try world.act(2, .deleteColumn(.id(column(1, 3))))
        #expect(try world.act(3, due()).notes == [.renamed("Due 2")], "a hidden name is free")
        #expect(world.refusal(3, due(onClash: .reject))?.code == .nameTaken)
    }

    @Test("S1: a name too long for its suffix is shortened, never cut within a character")
    func longSuffix() throws {
        var world = try World()
        let long = Text(String(repeating: "é", count: 64))
        try world.act(2, due(name: long))
        let late = try world.act(2, due(name: long))
        let expected = Text(String(repeating: "é", count: 63) + " 2")
        #expect(late.notes == [.renamed(expected)])
        #expect(expected.byteCount == 128)
    }

    @Test("S2: a column wanted if absent is answered with the one that is there")
    func ifAbsent() throws {
        var world = try World()
        let first = try world.act(2, due(ifAbsent: true))
        #expect(first.outcome.columns == [column(3)])
        let late = try world.act(3, due(column(1, 3), ifAbsent: true, name: "due"))
        #expect(late.status == .noop && late.changes == [])
        #expect(late.outcome.columns == [column(3)])
        let other = world.refusal(3, due(type: .int, ifAbsent: true))
        #expect(other?.code == .typeDiffers && other?.column == column(3))
    }

    @Test("S3: the later of two renames to one name gets a suffix")
    func renamedTwice() throws {
        var world = try World()
        try world.act(2, .renameColumn(.id(qty), name: "Due", onClash: .suffix))
        let late = try world.act(3, .renameColumn(.id(name), name: "due", onClash: .suffix))
        #expect(late.status == .ok && late.notes == [.renamed("due 2")])
        #expect(world.names == ["Due", "due 2"])
        let again = try world.act(3, .renameColumn(.id(name), name: "due", onClash: .suffix))
        #expect(again.status == .noop, "its own name does not stand in its way")
        let rejection = world.refusal(3, .renameColumn(.id(name), name: "DUE", onClash: .reject))
        #expect(rejection?.code == .nameTaken)
        #expect(
            try world.act(3, .renameColumn(.id(qty), name: "DUE", onClash: .reject)).status == .ok)
    }

    @Test("S4: the later of two renames of one column wins")
    func renamedLast() throws {
        var world = try World()
        try world.act(2, .renameColumn(.id(qty), name: "Due", onClash: .reject))
        let late = try world.act(3, .renameColumn(.id(qty), name: "When", onClash: .reject))
        #expect(late.status == .ok && late.notes == [])
        #expect(world.names == ["When", "name"])
        #expect(
            try world.act(3, .renameColumn(.name("when"), name: "When", onClash: .reject)).status
                == .noop)
    }

    @Test("S5: a write to a deleted column goes into it")
    func deletedThenWritten() throws {
        var world = try World()
        try world.act(2, .deleteColumn(.id(qty)))
        let late = try world.act(3, set(row(1), qty, .int(5)))
        #expect(late.status == .hidden && late.changes.count == 1)
        #expect(world.value(row(1)) == .int(5))
        #expect(world.names == ["name"])
        let inserted = try world.act(
            3,
            .insertRows(
                InsertRows(
                    ids: [row(1, 3)], rowCount: 1, columns: [.id(qty), .id(name)],
                    cells: [.int(1), .text("x")])))
        #expect(inserted.status == .partial)
        #expect(inserted.outcome.applied == 2 && inserted.outcome.hidden == 1)
        #expect(world.value(row(1, 3)) == .int(1))
        let strict = world.refusal(3, mode: .strict, set(row(1), qty, .int(6)))
        #expect(strict?.code == .columnHidden && strict?.column == qty)
    }

    @Test("S6: a column deleted after a write holds what was written")
    func writtenThenDeleted() throws {
        var world = try World()
        try world.act(2, set(row(1), qty, .int(5)))
        #expect(try world.act(3, .deleteColumn(.name("qty"))).status == .ok)
        #expect(world.value(row(1)) == .int(5))
        #expect(world.names == ["name"])
    }

    @Test("S7: a deleted column can be renamed and moved, and stays deleted")
    func deletedThenChanged() throws {
        var world = try World()
        try world.act(2, .deleteColumn(.id(qty)))
        let renamed = try world.act(3, .renameColumn(.id(qty), name: "name", onClash: .reject))
        #expect(renamed.status == .hidden && renamed.notes == [])
        #expect(world.owner.column(qty)?.name == "name")
        #expect(world.owner.column(named: "name")?.id == name)
        #expect(world.allColumns == [qty, name])
        let moved = try world.act(3, .moveColumn(.id(qty), to: .last))
        #expect(moved.status == .hidden)
        #expect(world.names == ["name"])
        // It moved, though nobody sees it: whoever shows it finds it there.
        #expect(world.allColumns == [name, qty])
        let strict = world.refusal(
            3, mode: .strict, .moveColumn(.id(qty), to: .first))
        #expect(strict?.code == .columnHidden)
    }

    @Test("S8: deleting a column twice deletes it once")
    func deletedTwice() throws {
        var world = try World()
        try world.act(2, .deleteColumn(.id(qty)))
        let late = try world.act(3, mode: .strict, .deleteColumn(.id(qty)))
        #expect(late.status == .noop && late.changes == [])
    }

    @Test("S13: the later move of a column wins; columns use the anchors of rows")
    func moved() throws {
        var world = try World()
        try world.act(2, due(column(1, 2)), due(column(2, 2), name: "x"))
        try world.act(2, .moveColumn(.id(qty), to: .after(.id(column(1, 2)))))
        let late = try world.act(3, .moveColumn(.id(qty), to: .after(.name("X"))))
        #expect(late.status == .ok && late.notes == [])
        #expect(world.columnIDs == [name, column(1, 2), column(2, 2), qty])
        #expect(try world.act(3, .moveColumn(.id(qty), to: .last)).status == .noop)
        let own = try world.act(3, .moveColumn(.id(qty), to: .after(.id(qty))))
        #expect(own.status == .noop)
        try world.act(3, .moveColumn(.id(qty), to: .first))
        #expect(world.columnIDs == [qty, name, column(1, 2), column(2, 2)])
    }

    @Test("S13: a hidden anchor keeps its place, one that is gone means the end")
    func hiddenAnchor() throws {
        var world = try World()
        try world.act(2, due(column(1, 2)))
        try world.act(2, .deleteColumn(.id(name)))
        let behind = try world.act(3, due(column(1, 3), at: .after(.id(name)), name: "new"))
        #expect(behind.notes == [.anchorHidden])
        #expect(
            behind.changes == [
                .columnAdded(
                    Column(id: column(1, 3), name: "new", type: .date),
                    at: ColumnPlace(after: qty, slot: name))
            ])
        #expect(world.columnIDs == [qty, column(1, 3), column(1, 2)])
        try world.act(2, due(column(2, 2), at: .after(.id(name)), name: "newer"))
        #expect(world.columnIDs == [qty, column(2, 2), column(1, 3), column(1, 2)])
        try world.act(2, .deleteColumn(.id(column(2, 2))))
        let unmoved = try world.act(
            2, .moveColumn(.id(column(1, 3)), to: .after(.id(column(2, 2)))))
        #expect(unmoved.outcome.status == .noop)
        let gone = try world.act(3, .moveColumn(.id(qty), to: .after(.id(column(9, 9)))))
        #expect(gone.notes == [.anchorGone])
        #expect(world.columnIDs == [column(1, 3), column(1, 2), qty])
    }

    @Test("too_many_parts: names that are tried count as parts, in one operation")
    func triesAreCounted() throws {
        let world = try World()
        var table = world.owner
        table.limits.partsMax = 40
        let adds = (1...20).map { due(column(UInt32($0), 2)) }
        let head = table.head
        let many = Op(base: 0, mode: .strict, preconditions: [], body: adds)
        #expect(throws: Rejection.self) {
            _ = try table.perform(many, by: session(2), as: head + 1)
        }
        let few = Op(base: 0, mode: .strict, preconditions: [], body: Array(adds.prefix(8)))
        let performed = try table.perform(few, by: session(2), as: head + 1)
        #expect(performed.outcome.status == .ok && table.columns.count == world.columnIDs.count + 8)
    }

    // MARK: Ids, names, numbers

    @Test("the server gives column ids where none are given, and tells them")
    func idsFromTheServer() throws {
        var world = try World()
        let given = try world.act(2, due(), due())
        #expect(given.outcome.columns == [column(3), column(4)])
        #expect(try world.act(2, due(column(7, 2))).outcome.columns == [])
        #expect(world.owner.highestColumnCounter(of: session(2)) == 7)
    }

    @Test("bad_column_id: another's, used, zero, or without a session")
    func badIDs() throws {
        var world = try World()
        try world.act(2, due(column(1, 2)))
        #expect(world.refusal(2, due(column(1, 3)))?.code == .badColumnID)
        #expect(world.refusal(2, due(column(1, 2)))?.code == .badColumnID)
        #expect(world.refusal(2, due(column(0, 2)))?.code == .badColumnID)
        #expect(world.refusal(0, due(column(9, 0)))?.code == .badColumnID)
    }

    @Test("bad_name, unknown_column, too_many_columns")
    func refusals() throws {
        var world = try World()
        #expect(world.refusal(2, due(name: ""))?.code == .badName)
        let long = Text(String(repeating: "x", count: 129))
        #expect(world.refusal(2, due(name: long))?.code == .badName)
        #expect(world.refusal(2, due(name: "c7.1"))?.code == .badName)
        for name in ["t1", "u2", "s1.2"] as [Text] {
            var other = world
            #expect(other.refusal(2, due(name: name)) == nil)
        }
        let rename = Intent.renameColumn(.id(qty), name: "", onClash: .reject)
        #expect(world.refusal(2, rename)?.code == .badName)
        #expect(world.refusal(2, .deleteColumn(.name("no")))?.code == .unknownColumn)
        #expect(world.refusal(2, .moveColumn(.id(column(9)), to: .first))?.code == .unknownColumn)
        var narrow = Table()
        narrow.limits.columnsMax = 1
        try narrow.act(2, due())
        #expect(narrow.refusal(2, due())?.code == .tooManyColumns)
        try narrow.act(2, .deleteColumn(.name("Due")))
        #expect(narrow.refusal(2, due()) == nil, "a deleted column does not count")
    }
}
