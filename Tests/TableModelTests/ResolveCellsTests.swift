// Rules C1 to C14, with values, outcome and notes exactly. A is session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)
private let name = column(2)

private func paste(_ rows: [RowID], _ value: Int64) -> Intent {
    .setCells(rows.map { CellEdit(row: $0, column: .id(qty), value: .int(value)) })
}

private func add(_ row: RowID, _ amount: Value, _ column: ColumnID = qty) -> Intent {
    .addNumber(row: row, column: .id(column), amount: amount)
}

@Suite("Rules of cells")
struct ResolveCellsTests {
    @Test("C1: the later of two writes wins, and its author is told")
    func lastWins() throws {
        var world = try World()
        let base = world.now
        let first = try world.act(2, base: base, set(row(1), qty, .int(1)))
        #expect(first.notes == [])
        let late = try world.act(3, base: base, set(row(1), qty, .int(2)))
        #expect(world.value(row(1)) == .int(2))
        #expect(late.status == .ok)
        #expect(late.notes == [.overrode(count: 1, sequence: first.sequence)])
        #expect(
            world.owner.cell(row(1), qty)
                == CurrentCell(value: .int(2), version: late.sequence, session: session(3)))
        #expect(try world.act(4, base: late.sequence, set(row(1), qty, .int(5))).notes == [])
        #expect(try world.act(2, base: 0, set(row(1), qty, .int(6))).notes == [])
        #expect(try world.act(2, base: base, set(row(1), qty, .int(7))).notes == [])
    }

    @Test("C2: writes to two cells of a row both stay")
    func twoCells() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, set(row(1), qty, .int(1)))
        let late = try world.act(3, base: base, set(row(1), name, .text("x")))
        #expect(world.value(row(1)) == .int(1))
        #expect(world.value(row(1), name) == .text("x"))
        #expect(late.notes == [])
    }

    @Test("C3: a write on condition of a version that has passed is refused with the cell")
    func compareAndSet() throws {
        var world = try World()
        let version = try #require(world.owner.cell(row(1), qty)?.version)
        let condition = Precondition.cellVersion(
            row: row(1), column: .id(qty), version: version)
        let first = try world.act(2, when: [condition], set(row(1), qty, .int(1)))
        let rejection = world.refusal(3, when: [condition], set(row(1), qty, .int(2)))
        #expect(rejection?.code == .preconditionFailed)
        #expect(rejection?.part == nil)
        #expect(rejection?.row == row(1) && rejection?.column == qty)
        #expect(
            rejection?.current
                == CurrentCell(value: .int(1), version: first.sequence, session: session(2)))
        #expect(world.value(row(1)) == .int(1))
    }

    @Test("C4: additions add up")
    func additions() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, add(row(1), .int(5)))
        let late = try world.act(3, base: base, add(row(1), .int(3)))
        #expect(world.value(row(1)) == .int(18))
        #expect(late.status == .ok && late.notes == [])
        #expect(late.outcome.values == [.int(18)])
        #expect(
            late.changes == [.cellsSet([CellChange(row: row(1), column: qty, value: .int(18))])])
    }

    @Test("C5: an addition adds to what is there when it is sequenced")
    func additionAfterWrite() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, set(row(1), qty, .int(9)))
        let late = try world.act(3, base: base, add(row(1), .int(3)))
        #expect(world.value(row(1)) == .int(12))
        #expect(late.outcome.values == [.int(12)])
        try world.act(2, set(row(1), qty, .null))
        #expect(try world.act(3, add(row(1), .int(-4))).outcome.values == [.int(-4)])
    }

    @Test("C6: writing what is there changes nothing and takes no number")
    func equalValue() throws {
        var world = try World()
        let base = world.now
        let first = try world.act(2, base: base, set(row(1), qty, .int(1)))
        let late = try world.act(3, base: base, set(row(1), qty, .int(1)))
        #expect(late.status == .noop && late.changes == [] && late.notes == [])
        #expect(world.owner.cell(row(1), qty)?.version == first.sequence)
        #expect(try world.act(3, set(row(1), name, .null)).status == .noop)
        #expect(try world.act(3, add(row(1), .int(0))).status == .noop)
        #expect(try world.act(3, add(row(1), .int(0))).outcome.values == [.int(1)])
        let mixed = try world.act(3, paste([row(1), row(2)], 1))
        #expect(mixed.status == .ok)
        #expect(
            mixed.changes == [.cellsSet([CellChange(row: row(2), column: qty, value: .int(1))])])
    }

    @Test("C7: a row deleted after a write holds what was written")
    func writtenThenDeleted() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, set(row(1), qty, .int(1)))
        #expect(try world.act(3, base: base, .deleteRows([row(1)])).status == .ok)
        #expect(world.owner.state(of: row(1)) == .hidden)
        #expect(world.value(row(1)) == .int(1))
    }

    @Test("C8: a write to a deleted row goes into it and does not bring it back")
    func deletedThenWritten() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, .deleteRows([row(1)]))
        let late = try world.act(3, base: base, set(row(1), qty, .int(2)))
        #expect(late.status == .hidden)
        #expect(late.changes.count == 1)
        #expect(world.owner.state(of: row(1)) == .hidden)
        #expect(world.value(row(1)) == .int(2))
        #expect(try world.act(3, add(row(1), .int(1))).status == .hidden)
        #expect(world.rows == [row(2), row(3)])
    }

    @Test("C9: a write to a row that is gone for good does nothing")
    func gone() throws {
        var world = try World()
        let late = try world.act(3, set(row(9), qty, .int(2)))
        #expect(late.status == .gone && late.changes == [])
        #expect(try world.act(3, add(row(9), .int(2))).status == .gone)
    }

    @Test("C10: a paste wins where it covers, and its author is told how often")
    func pasteOver() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, set(row(1), qty, .int(1)))
        let second = try world.act(2, base: base, paste([row(2)], 1), set(row(2), name, .text("m")))
        let late = try world.act(3, base: base, paste([row(1), row(2), row(3)], 7))
        #expect(world.owner.values(of: qty) == [.int(7), .int(7), .int(7)])
        #expect(world.value(row(2), name) == .text("m"))
        #expect(late.status == .ok)
        #expect(late.notes == [.overrode(count: 2, sequence: second.sequence)])
    }

    @Test("C11: a paste over deleted rows reaches the visible and the hidden ones")
    func pasteOverDeleted() throws {
        var world = try World(rows: 9)
        let base = world.now
        let rows = (1...9).map { row($0) }
        try world.act(2, base: base, .deleteRows([row(2), row(5)]))
        let late = try world.act(3, base: base, paste(rows, 0))
        #expect(late.status == .partial)
        #expect(late.outcome.applied == 7)
        #expect(late.outcome.hidden == 2)
        #expect(late.outcome.gone == 0 && late.outcome.refused == 0)
        #expect(rows.allSatisfy { world.value($0) == .int(0) })
        #expect(world.rows.count == 7)
        let strict = world.refusal(3, mode: .strict, paste(rows, 1))
        #expect(strict?.code == .rowHidden)
        #expect(strict?.row == row(2))
        #expect(world.value(row(1)) == .int(0))
    }

    @Test("C12: a row inserted in the middle of a paste is not touched")
    func insertedAmidPaste() throws {
        var world = try World()
        let base = world.now
        try world.act(2, base: base, insert([row(1, 2)], .after(row(1))))
        let late = try world.act(3, base: base, paste([row(1), row(2), row(3)], 7))
        #expect(world.owner.values(of: qty) == [.int(7), .null, .int(7), .int(7)])
        #expect(late.status == .ok && late.notes == [])
    }

    @Test("C13: a paste longer than the table is one operation of edits and new rows")
    func longPaste() throws {
        var world = try World()
        let before = world.now
        let more = InsertRows(
            ids: [row(1, 3), row(2, 3)], rowCount: 2, anchor: .after(row(3)), columns: [.id(qty)],
            cells: [.int(8), .int(9)])
        let late = try world.act(3, paste([row(1), row(2), row(3)], 7), .insertRows(more))
        #expect(late.status == .ok && late.notes == [])
        #expect(late.sequence == before + 1)
        #expect(late.changes.count == 2)
        // The new rows stand behind the last one, in the order of the paste.
        #expect(world.rows == [row(1), row(2), row(3), row(1, 3), row(2, 3)])
        #expect(world.owner.values(of: qty) == [.int(7), .int(7), .int(7), .int(8), .int(9)])
        // What was not pasted into stays as it was, and is empty in the new rows.
        #expect(world.owner.values(of: name) == Array(repeating: .null, count: 5))
    }

    @Test("C14: values stay with the rows that were seen, wherever these moved")
    func orderChanged() throws {
        var world = try World(rows: 4)
        let base = world.now
        try world.act(2, base: base, .moveRows([row(4), row(3)], to: .first))
        let edits = (1...4).map {
            CellEdit(row: row($0), column: .id(qty), value: .int(Int64($0)))
        }
        let late = try world.act(3, base: base, .setCells(edits))
        #expect(world.rows == [row(4), row(3), row(1), row(2)])
        #expect(world.owner.values(of: qty) == [.int(4), .int(3), .int(1), .int(2)])
        #expect(late.status == .ok && late.notes == [.orderChanged])
        #expect(try world.act(3, base: base, set(row(4), qty, .int(0))).notes == [])
        #expect(try world.act(3, base: base, paste([row(1), row(2)], 0)).notes == [])
        #expect(try world.act(3, base: world.now, paste([row(3), row(4)], 1)).notes == [])
        #expect(try world.act(3, base: 0, paste([row(3), row(4)], 2)).notes == [])
    }

    // MARK: What does not fit

    @Test("wrong_type: what does not fit the column is refused, the rest is applied")
    func wrongType() throws {
        var world = try World()
        #expect(world.refusal(2, set(row(1), qty, .text("soon")))?.code == .wrongType)
        let mixed = try world.act(
            2,
            .setCells([
                CellEdit(row: row(1), column: .id(qty), value: .int(1)),
                CellEdit(row: row(2), column: .id(qty), value: .bool(true)),
            ]))
        #expect(mixed.status == .partial)
        #expect(mixed.outcome.applied == 1 && mixed.outcome.refused == 1)
        #expect(mixed.outcome.rejection?.code == .wrongType)
        #expect(mixed.outcome.rejection?.row == row(2))
        #expect(mixed.outcome.rejection?.part == 0)
        #expect(world.value(row(2)) == .int(20))
        #expect(try world.act(2, set(row(1), qty, .text("12"))).status == .ok)
        #expect(world.value(row(1)) == .int(12))
    }

    @Test("a row is inserted with what fits of its cells")
    func insertedPartly() throws {
        var world = try World()
        let mixed = try world.act(
            2,
            .insertRows(
                InsertRows(
                    ids: [row(1, 2), row(2, 2)], rowCount: 2,
                    columns: [.name("QTY"), .name("nothing"), .id(name)],
                    cells: [.int(1), .int(2), .text("a"), .bool(true), .null, .text("b")])))
        #expect(mixed.status == .partial)
        #expect(mixed.outcome.applied == 5 && mixed.outcome.refused == 3)
        #expect(mixed.outcome.rejection?.code == .unknownColumn)
        #expect(world.owner.values(of: qty).suffix(2) == [.int(1), .null])
        #expect(world.owner.values(of: name).suffix(2) == [.text("a"), .text("b")])
    }

    @Test("cell_too_large: a text beyond the limit is refused")
    func tooLarge() throws {
        var world = try World()
        let limit = world.owner.limits.cellBytesMax
        let long = Text(String(repeating: "x", count: limit + 1))
        let rejection = world.refusal(2, set(row(1), name, .text(long)))
        #expect(rejection?.code == .cellTooLarge)
        let fitting = Text(String(repeating: "x", count: limit))
        #expect(try world.act(2, set(row(1), name, .text(fitting))).status == .ok)
    }

    @Test("out_of_range and wrong_type: what cannot be added is refused")
    func badAdditions() throws {
        var world = try World()
        try world.act(2, set(row(1), qty, .int(.max)))
        #expect(world.refusal(2, add(row(1), .int(1)))?.code == .outOfRange)
        for amount in [Value.double(0.5), .double(.nan), .double(1e300), .null, .text("x")] {
            #expect(world.refusal(2, add(row(1), amount))?.code == .wrongType)
        }
        #expect(world.refusal(2, add(row(1), .int(1), name))?.code == .wrongType)
        #expect(world.refusal(2, add(row(1), .int(1), column(9)))?.code == .unknownColumn)
        #expect(try world.act(2, add(row(1), .double(-2))).outcome.values == [.int(.max - 2)])
    }

    @Test("a double is added to as a double, and every NaN is the one NaN")
    func doubles() throws {
        var world = try World()
        try world.act(0, .addColumn(AddColumn(name: "price", type: .double)))
        let price = column(3)
        #expect(try world.act(2, add(row(1), .int(2), price)).outcome.values == [.double(2)])
        #expect(try world.act(2, add(row(1), .double(0.5), price)).outcome.values == [.double(2.5)])
        try world.act(2, set(row(1), price, .double(.infinity)))
        let sum = try world.act(2, add(row(1), .double(-.infinity), price)).outcome.values
        #expect(sum == [.double(.nan)])
        let odd = Double(bitPattern: 0xFFF8_0000_0000_0001)
        #expect(try world.act(2, set(row(1), price, .double(odd))).status == .noop)
        #expect(try world.act(2, set(row(1), price, .double(-0.0))).status == .ok)
        #expect(try world.act(2, set(row(1), price, .double(0.0))).status == .ok)
    }

    @Test("a large text with which its row would not fit in a line is refused, a small one is not")
    func rowTooLarge() throws {
        var world = try World()
        let names = (0..<8).map { Text("t\($0)") }
        for name in names { try world.act(1, .addColumn(AddColumn(name: name, type: .text))) }
        func set(_ name: Text, _ count: Int) -> Intent {
            .setCells([
                CellEdit(
                    row: row(1), column: .name(name),
                    value: .text(Text(String(repeating: "x", count: count))))
            ])
        }
        for name in names.prefix(4) { try world.act(2, set(name, 256 * 1_024 - 300)) }
        let rejection = world.refusal(2, set("t4", 1_201))
        #expect(rejection?.code == .cellTooLarge && rejection?.row == row(1))
        #expect(try world.act(2, set("t4", 1_200)).status == .ok, "exactly 1 MiB")
        #expect(try world.act(2, set("t5", 1_024)).status == .ok, "small texts are not counted")
        #expect(try world.act(2, set("t0", 2_000)).status == .ok, "what is replaced is not counted")
        #expect(try world.act(2, set("t6", 200 * 1_024)).status == .ok)
        #expect(world.refusal(2, set("t7", 100 * 1_024))?.code == .cellTooLarge)
    }
}
