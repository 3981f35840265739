// Records that no right log holds: answered with false, never with a trap, and never believed.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)

func record(_ changes: [Change], at sequence: SequenceNumber) -> Record {
    Record(
        sequence: sequence, session: session(5), clientNumber: 1, user: "u1",
        timeMilliseconds: 0, changes: changes)
}

private func block(
    _ ids: [RowID], after: RowID? = nil, slot: RowID? = nil, columns: [ColumnID] = [],
    cells: [Value] = []
) -> RowBlock {
    RowBlock(ids: ids, place: RowPlace(after: after, slot: slot), columns: columns, cells: cells)
}

@Suite("Records")
struct ApplyTests {
    @Test("a record that does not follow is not applied")
    func sequence() throws {
        var table = try smallTable()
        for sequence in [0, table.head, table.head + 2, .max, .min] {
            let fits = table.apply(record([.rowsHidden([row(1)])], at: sequence))
            #expect(!fits)
        }
        #expect(table.rowCount == 3)
        let fits = table.apply(record([.rowsHidden([row(1)])], at: table.head + 1))
        #expect(fits && table.rowCount == 2)
    }

    @Test(
        "what names an unknown row or column is passed over",
        arguments: [
            Change.cellsSet([CellChange(row: row(9), column: qty, value: .int(1))]),
            .cellsSet([CellChange(row: row(1), column: column(9), value: .bool(true))]),
            .rowsHidden([row(9)]), .rowsMoved([row(9)], to: RowPlace(after: row(1))),
            .columnRenamed(column(9), name: "x"),
            .columnMoved(column(9), to: ColumnPlace(after: nil)),
            .columnHidden(column(9)), .rowsInserted(block([])),
            .rowsMoved([], to: RowPlace(after: nil)),
        ])
    func passedOver(change: Change) throws {
        var table = try smallTable()
        let before = table.freshHash()
        let fits = table.apply(record([change], at: table.head + 1))
        #expect(fits)
        #expect(table.freshHash() == before)
        #expect(table.invariantProblem() == nil)
    }

    @Test("an insertion with a column unknown here still brings the other cells")
    func unknownColumnOfBlock() throws {
        var table = try smallTable()
        let fits = table.apply(
            record(
                [
                    .rowsInserted(
                        block(
                            [row(1, 5)], columns: [column(9), qty], cells: [.bool(true), .int(4)]))
                ], at: table.head + 1))
        #expect(fits)
        #expect(table.value(row(1, 5), qty) == .int(4))
    }

    @Test(
        "what cannot be right is answered with false",
        arguments: [
            Change.rowsInserted(block([row(1)])),
            .rowsInserted(block([row(7, 5), row(7, 5)])),
            .rowsInserted(block([row(7, 5)], after: row(99))),
            .rowsInserted(block([row(7, 5)], columns: [qty], cells: [.bool(true)])),
            .rowsInserted(block([row(7, 5)], columns: [qty], cells: [.int(1), .int(2)])),
            .rowsInserted(block([row(7, 5)], columns: [qty, qty], cells: [.int(1), .int(2)])),
            .rowsInserted(block([], columns: [qty], cells: [.int(1)])),
            .cellsSet([CellChange(row: row(1), column: qty, value: .text("soon"))]),
            .rowsMoved([row(1), row(1)], to: RowPlace(after: row(2))),
            .rowsMoved([row(1), row(2)], to: RowPlace(after: row(2))),
            .rowsMoved([row(1)], to: RowPlace(after: row(1))),
            .rowsMoved([row(1)], to: RowPlace(after: row(99))),
            .rowsShown(block([row(1)])), .rowsShown(block([row(8, 5), row(8, 5)])),
            .columnAdded(Column(id: qty, name: "x", type: .int), at: ColumnPlace(after: nil)),
            .columnAdded(
                Column(id: column(9), name: "x", type: .int), at: ColumnPlace(after: column(8))),
            .columnMoved(qty, to: ColumnPlace(after: qty)),
            .columnMoved(qty, to: ColumnPlace(after: column(8))),
            .columnShown(
                Column(id: column(9), name: "x", type: .int), at: ColumnPlace(after: column(8))),
            .columnShown(
                Column(id: qty, name: "qty", type: .int), at: ColumnPlace(after: qty)),
            .columnShown(
                Column(id: qty, name: "qty", type: .text), at: ColumnPlace(after: nil)),
            .cellsFilled(qty, rows: [row(1)], values: []),
            .cellsFilled(qty, rows: [row(1)], values: [.text("soon")]),
        ])
    func impossible(change: Change) throws {
        var table = try smallTable()
        let fits = table.apply(record([change], at: table.head + 1))
        #expect(!fits)
        #expect(table.invariantProblem() == nil)
        #expect(table.head == 2)
    }

    @Test("values may be in the spelling of the wire")
    func looseValues() throws {
        var table = Table()
        let fits = table.apply(
            record(
                [
                    .columnAdded(
                        Column(id: column(1), name: "day", type: .date), at: ColumnPlace(after: nil)
                    ),
                    .columnAdded(
                        Column(id: column(2), name: "price", type: .double),
                        at: ColumnPlace(after: nil)),
                    .rowsInserted(
                        block(
                            [row(1)], columns: [column(1), column(2)],
                            cells: [.text("2026-11-30"), .int(3)])),
                    .cellsSet([CellChange(row: row(1), column: column(2), value: .text("NaN"))]),
                ], at: 1))
        #expect(fits)
        #expect(table.value(row(1), column(1)) == (try Value("2026-11-30", as: .date)))
        #expect(table.value(row(1), column(2)) == .double(.nan))
    }

    @Test("rows shown again come back with their cells, also where they were never known")
    func shown() throws {
        var table = try smallTable()
        let before = table.freshHash()
        table.keepsUndo = true
        try table.act(2, .deleteRows([row(2), row(3)]))
        var owner = table
        let undo = try owner.act(2, .undo(UndoRequest(.last(ofUser: false)))).changes
        var replica = Table(columns: table.columns, head: table.head)
        let loaded = replica.load(
            rows: [row(1)], columns: [qty, column(2)], cells: [.int(10), .text("one")])
        #expect(loaded)
        for var follower in [table, replica] {
            let fits = follower.apply(record(undo, at: follower.head + 1))
            #expect(fits)
            #expect(follower.freshHash() == before)
            #expect(follower.invariantProblem() == nil)
        }
    }

    @Test("changes by chance, right and wrong, never trap", arguments: 1...(isLong ? 300 : 12))
    func hostile(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        for _ in 0..<60 { _ = history.step() }
        let rightful = history.records.flatMap(\.changes)
        var table = history.owner
        for step in 0..<400 {
            let change = mangled(history.generator.pick(rightful), &history.generator)
            let kept = table
            if !table.apply(record([change], at: table.head + 1)) { table = kept }
            guard step % 40 == 0 else { continue }
            try #require(table.invariantProblem() == nil, "seed \(seed), step \(step), \(change)")
            let hash = table.contentHash(using: TestDigest.self)
            try #require(hash.count == 32)
            let undo = UndoRequest(.sequence(table.head))
            _ = try? table.perform(
                Op(body: [.undo(undo)]), by: RandomHistory.author(1), as: table.head + 1)
            try #require(table.invariantProblem() == nil, "seed \(seed), step \(step), \(change)")
        }
    }

    /// A change with parts of it exchanged for others.
    private func mangled(_ change: Change?, _ generator: inout Seeded) -> Change {
        func anyRow() -> RowID {
            generator.chance(10)
                ? row(.max, 0x7FFF_FFFF)
                : row(UInt32(generator.below(40)), UInt32(generator.below(4)))
        }
        func anyColumn() -> ColumnID {
            column(UInt32(generator.below(6)), UInt32(generator.below(4)))
        }
        func anyPlace() -> RowPlace {
            RowPlace(
                after: generator.chance(20) ? nil : anyRow(),
                slot: generator.chance(60) ? nil : anyRow())
        }
        func anyValue() -> Value {
            generator.pick([.null, .int(4), .text("x"), .bool(true), .double(.nan)]) ?? .null
        }
        switch change {
        case .rowsInserted(var block)?, .rowsShown(var block)?:
            if generator.chance(50) { block.place = anyPlace() }
            if generator.chance(50) { block.ids.append(anyRow()) }
            if generator.chance(50), !block.ids.isEmpty { block.ids[0] = anyRow() }
            if generator.chance(20) { block.cells.append(anyValue()) }
            if generator.chance(20) { block.columns.append(anyColumn()) }
            if generator.chance(40) {
                block.columns = [anyColumn()]
                block.cells = block.ids.map { _ in anyValue() }
            }
            return generator.chance(50) ? .rowsInserted(block) : .rowsShown(block)
        case .cellsSet?:
            return .cellsSet([CellChange(row: anyRow(), column: anyColumn(), value: anyValue())])
        case .rowsHidden?:
            return .rowsHidden([anyRow(), anyRow()])
        case .columnAdded(let column, _)?:
            let fresh = Column(id: anyColumn(), name: column.name, type: column.type)
            let after = generator.chance(50) ? nil : anyColumn()
            return .columnAdded(fresh, at: ColumnPlace(after: after, slot: anyColumn()))
        case .columnRenamed?:
            return .columnRenamed(anyColumn(), name: "same")
        case .columnRulesSet?:
            return .columnRulesSet(anyColumn(), ColumnRules(choices: ["a"]))
        case .columnRetyped(_, let type, _)?:
            return .columnRetyped(anyColumn(), type, ColumnRules())
        case .columnMoved?:
            return .columnMoved(anyColumn(), to: ColumnPlace(after: anyColumn()))
        case .cellsFilled(let column, _, let values)?:
            return .cellsFilled(
                generator.chance(50) ? column : anyColumn(), rows: [anyRow(), anyRow()],
                values: generator.chance(50) ? values : [anyValue(), anyValue()])
        case .columnHidden?:
            return .columnHidden(anyColumn())
        case .columnShown(let column, _)?:
            let other = Column(id: anyColumn(), name: column.name, type: column.type)
            return .columnShown(other, at: ColumnPlace(after: anyColumn()))
        case .rowsArranged(let rows)?:
            return .rowsArranged(generator.chance(50) ? rows.reversed() : [anyRow(), anyRow()])
        case .leaseSet?: return .leaseSet(anyRow(), untilMilliseconds: .max)
        case .commentPut(let comment)?:
            return .commentPut(
                TableComment(
                    id: CommentID(sequence: comment.id.sequence, ordinal: 2), row: anyRow(),
                    made: comment.made, text: "other"))
        case .leaseEnded?: return .leaseEnded(anyRow())
        case .displaySet?:
            return .displaySet(
                .column(anyColumn(), [DisplayEntry(.frozen, .word(.left))]))
        case .rowsMoved?, nil:
            return .rowsMoved([anyRow(), anyRow(), anyRow()], to: anyPlace())
        }
    }
}
