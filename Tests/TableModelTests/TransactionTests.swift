// Operations as a whole: all or nothing, preconditions, limits, copies that stay as they were.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)

/// Everything a table knows, to be compared with what it knew before.
struct Fingerprint: Equatable {
    private var rows: [RowID]
    private var live: [RowID]
    private var cells: [CurrentCell?] = []
    private var positions: [Stamp]
    private var columns: [Column]
    private var allColumns: [Column]
    private var head: SequenceNumber
    private var schemaHead: SequenceNumber
    private var counters: [UInt32]

    init(_ table: Table) {
        rows = table.allRows
        live = table.liveRows
        positions =
            table.rows.ids.count == 0
            ? [] : (0..<UInt32(table.rows.ids.count)).map { table.rows.positionStamp($0) }
        columns = table.columns
        allColumns = table.schema.order.map { table.schema.entries[$0].column }
        head = table.head
        schemaHead = table.schemaHead
        counters = (0...4).flatMap { number in
            [
                table.highestRowCounter(of: session(number)),
                table.highestColumnCounter(of: session(number)),
            ]
        }
        for row in rows {
            for column in allColumns { cells.append(table.cell(row, column.id)) }
        }
    }
}

@Suite("Operations as a whole")
struct TransactionTests {
    @Test("a strict operation whose last intent is refused leaves no trace of the others")
    func rolledBack() throws {
        var world = try World(rows: 4)
        try world.act(2, .moveRows([row(2)], to: .last), .deleteRows([row(3)]))
        let before = Fingerprint(world.owner)
        let rejection = world.refusal(
            2, mode: .strict, set(row(1), qty, .int(77)),
            insert([row(1, 2), row(2, 2)], .after(row(1))),
            .moveRows([row(2), row(1, 2), row(4)], to: .first), .deleteRows([row(4), row(2, 2)]),
            .addNumber(row: row(1), column: .id(qty), amount: .int(1)),
            .addColumn(AddColumn(name: "new", type: .int)), .deleteColumn(.id(qty)),
            .renameColumn(.name("name"), name: "other", onClash: .reject),
            .insertRows(InsertRows(rowCount: 3)), set(row(3), column(2), .text("x")))
        #expect(rejection?.code == .rowHidden)
        #expect(rejection?.part == 9)
        #expect(Fingerprint(world.owner) == before)
        try world.act(2, insert([row(1, 2)]))
        #expect(world.rows.last == row(1, 2), "its ids are not used up")
    }

    @Test(
        "rolled back, whatever the history",
        arguments: 1...(isLong ? 200 : 3) as ClosedRange<UInt64>)
    func rolledBackByChance(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        var refusals = 0
        for step in 0..<100 {
            let before = Fingerprint(history.owner)
            let pinned = history.owner
            let (op, _, resolution) = history.step()
            #expect(Fingerprint(pinned) == before, "a copy changed: seed \(seed), step \(step)")
            guard resolution?.changes.isEmpty ?? true else { continue }
            if resolution == nil, op.body.count > 1 { refusals += 1 }
            try #require(
                Fingerprint(history.owner) == before, "seed \(seed), step \(step), \(op)")
            try #require(history.owner.invariantProblem() == nil, "seed \(seed), step \(step)")
        }
        #expect(refusals > 0, "seed \(seed) tried too little")
    }

    @Test("in best mode a refused intent does not stop the others")
    func bestMode() throws {
        var world = try World()
        let mixed = try world.act(
            2, set(row(1), qty, .int(1)), .deleteColumn(.name("nothing")),
            insert([row(1, 9)]), .deleteRows([row(2)]))
        #expect(mixed.status == .partial)
        #expect(mixed.outcome.applied == 2 && mixed.outcome.refused == 2)
        #expect(mixed.outcome.rejection?.code == .unknownColumn)
        #expect(mixed.outcome.rejection?.part == 1)
        #expect(world.rows == [row(1), row(3)])
    }

    @Test("an intent sees what the intents before it did")
    func inOrder() throws {
        var world = try World()
        try world.act(
            2, mode: .strict, insert([row(1, 2)], .first), insert([row(2, 2)], .after(row(1, 2))),
            set(row(2, 2), qty, .int(5)),
            .addNumber(row: row(2, 2), column: .id(qty), amount: .int(1)),
            .moveRows([row(1, 2)], to: .last), .deleteRows([row(1)]))
        #expect(world.rows == [row(2, 2), row(2), row(3), row(1, 2)])
        #expect(world.value(row(2, 2)) == .int(6))
    }

    @Test(
        "refused, unknown and hidden parts refuse a strict operation",
        arguments: [
            (set(row(9), qty, .int(1)), Rejection.Code.unknownRow),
            (set(row(1), column(9), .int(1)), .unknownColumn),
            (set(row(1), qty, .bool(true)), .wrongType),
            (set(row(3), qty, .int(1)), .rowHidden),
            (.deleteRows([row(1), row(9)]), .unknownRow),
            (.moveRows([row(1), row(3)], to: .first), .rowHidden),
            (.addNumber(row: row(3), column: .id(qty), amount: .int(1)), .rowHidden),
            (.deleteColumn(.name("no")), .unknownColumn),
        ])
    func strictMode(intent: Intent, code: Rejection.Code) throws {
        var world = try World()
        try world.act(2, .deleteRows([row(3)]))
        let rejection = world.refusal(2, mode: .strict, intent)
        #expect(rejection?.code == code)
        #expect(rejection?.part == 0)
    }

    @Test("an operation of which nothing can be applied is refused, even in best mode")
    func allRefused() throws {
        var world = try World()
        let rejection = world.refusal(
            2, set(row(9), qty, .int(1)), set(row(1), qty, .text("soon")))
        #expect(rejection?.code == .wrongType)
        #expect(rejection?.part == 1)
        #expect(try world.act(2).status == .noop)
    }

    // MARK: Preconditions

    @Test("preconditions hold or refuse the whole, before anything is tried")
    func preconditions() throws {
        var world = try World()
        let made = world.now
        let edited = try world.act(2, set(row(1), qty, .int(1))).sequence
        try world.act(2, .moveRows([row(1)], to: .last), .deleteRows([row(3)]))
        let moved = world.now
        let name = ColumnReference.name("NAME")
        let holding: [Precondition] = [
            .cellVersion(row: row(1), column: .id(qty), version: edited),
            .cellVersion(row: row(1), column: name, version: made),
            .cellVersion(row: row(3), column: .id(qty), version: made),
            .cellValue(row: row(1), column: .id(qty), value: .int(1)),
            .cellValue(row: row(1), column: .id(qty), value: .text("1")),
            .cellValue(row: row(1), column: name, value: .null),
            .rowVersion(row: row(1), version: edited), .rowVersion(row: row(2), version: made),
            .rowLive(row(1)), .tableSequence(moved), .tableSequence(moved + 5),
            .schemaSequence(1),
        ]
        #expect(try world.act(2, when: holding, set(row(2), qty, .int(2))).status == .ok)
        let failing: [Precondition] = [
            .cellVersion(row: row(1), column: .id(qty), version: made),
            .cellVersion(row: row(9), column: .id(qty), version: made),
            .cellVersion(row: row(1), column: .name("no"), version: made),
            .cellValue(row: row(1), column: .id(qty), value: .int(2)),
            .cellValue(row: row(1), column: .id(qty), value: .text("soon")),
            .rowVersion(row: row(1), version: made), .rowVersion(row: row(9), version: made),
            .rowLive(row(3)), .rowLive(row(9)), .tableSequence(moved), .schemaSequence(0),
        ]
        for condition in failing {
            let rejection = world.refusal(2, when: [condition], set(row(2), qty, .int(3)))
            #expect(rejection?.code == .preconditionFailed, "\(condition)")
        }
    }

    // MARK: Limits

    @Test("too_many_parts: rows and cells are counted over all intents")
    func tooManyParts() throws {
        var table = try smallTable()
        table.limits.partsMax = 6
        let cells: [Value] = [.int(1), .int(2)]
        let fitting = Intent.insertRows(
            InsertRows(rowCount: 2, columns: [.id(qty)], cells: cells))
        #expect(
            table.refusal(2, fitting, .deleteRows([row(1), row(2), row(3)]))?.code == .tooManyParts)
        #expect(table.refusal(2, .insertRows(InsertRows(rowCount: 7)))?.code == .tooManyParts)
        #expect(table.refusal(2, fitting, .deleteRows([row(1), row(2)])) == nil)
    }

    @Test(
        "malformed: counts that contradict each other",
        arguments: [
            InsertRows(ids: [row(1, 2)], rowCount: 2),
            InsertRows(rowCount: -1),
            InsertRows(rowCount: .max, columns: [.id(qty), .id(qty)], cells: [.null]),
            InsertRows(rowCount: 2, columns: [.id(qty)], cells: [.null]),
            InsertRows(rowCount: 1, columns: [], cells: [.null]),
            InsertRows(rowCount: 1, columns: [.id(qty), .name("QTY")], cells: [.null, .null]),
        ])
    func malformed(insertion: InsertRows) throws {
        var table = try smallTable()
        #expect(table.refusal(2, .insertRows(insertion))?.code == .malformed)
    }
}
