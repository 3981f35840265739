// Values that must differ: the index that finds them, and what every way to write makes of it.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)
private let name = column(2)

private func write(_ cells: (RowID, ColumnID, Value)...) -> Intent {
    .setCells(cells.map { CellEdit(row: $0, column: .id($1), value: $2) })
}

/// Three rows, whose numbers must differ.
private func world() throws -> World {
    var world = try World()
    try world.act(2, .changeRules(.id(qty), try rules(json: #"{"unique":true}"#)))
    return world
}

@Suite("Rules of columns: values that must differ")
struct UniqueIndexTests {
    @Test("the index finds what was entered and not taken out, whatever came between")
    func index() {
        var index = UniqueIndex()
        var expected: [Int64: Set<UInt32>] = [:]
        var state: UInt64 = 7
        func draw(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        for _ in 0..<20_000 {
            let (number, slot) = (Int64(draw(300)), UInt32(draw(5)))
            if expected[number, default: []].remove(slot) != nil {
                index.remove(.int(number), slot)
            } else {
                expected[number, default: []].insert(slot)
                index.insert(.int(number), slot)
            }
        }
        for number in 0..<Int64(300) {
            let slots = expected[number] ?? []
            for slot in UInt32(0)..<5 {
                let found = index.first(.int(number)) { $0 == slot }
                #expect((found == slot) == slots.contains(slot))
            }
        }
        #expect(index.count == expected.values.reduce(0) { $0 + $1.count })
    }

    @Test("S15: a value that another row has is refused; the row is named; null is never taken")
    func taken() throws {
        var world = try world()
        let refused = world.refusal(2, write((row(1), qty, .int(20))))
        #expect(refused?.code == .ruleBroken && refused?.rule == "unique")
        #expect(refused?.row == row(1) && refused?.offenders == [row(2)])
        try world.act(2, write((row(1), qty, .null), (row(2), qty, .null)))
        try world.act(2, write((row(1), qty, .int(20)), (row(2), qty, .int(10))))
        #expect(
            world.refusal(2, .addNumber(row: row(2), column: .id(qty), amount: .int(20))) != nil)
        let both = try world.act(2, write((row(1), qty, .int(5)), (row(3), qty, .int(5))))
        #expect(both.status == .partial && both.outcome.refused == 1)
        let strict = world.refusal(
            2, mode: .strict, write((row(1), qty, .int(6)), (row(3), qty, .int(6))))
        #expect(strict?.rule == "unique")
        #expect(world.value(row(1)) == .int(5), "the whole was taken back")
    }

    @Test("S15: rows that were deleted do not count, also when they are written")
    func hidden() throws {
        var world = try world()
        try world.act(2, .deleteRows([row(1)]), write((row(2), qty, .int(10))))
        let late = try world.act(3, write((row(1), qty, .int(30))))
        #expect(late.status == .hidden)
        var table = world.owner
        let slot = try #require(table.rows.slot(of: row(1)))
        let shown = table.problemShowing(slot)
        let problem = try #require(shown)
        #expect(problem.rule == "unique" && problem.row == row(1))
        #expect(problem.offenders == [row(3)])
        try world.act(2, write((row(3), qty, .int(31))))
        table = world.owner
        #expect(table.problemShowing(slot) == nil)
    }

    @Test("S15: rows are inserted without a value that is taken; where it is required, not at all")
    func inserted() throws {
        var world = try world()
        func insertion(_ ids: [RowID], _ values: [Int64]) -> Intent {
            .insertRows(
                InsertRows(
                    ids: ids, rowCount: ids.count, columns: [.id(qty)],
                    cells: values.map { .int($0) }))
        }
        let partial = try world.act(2, insertion([row(1, 2), row(2, 2)], [7, 7]))
        #expect(partial.outcome.refused == 1 && partial.outcome.rejection?.row == row(2, 2))
        #expect(world.value(row(2, 2)) == .null)
        try world.act(
            2, write((row(2, 2), qty, .int(8))),
            .changeRules(.id(qty), try rules(json: #"{"required":true}"#)))
        let refused = world.refusal(2, insertion([row(3, 2), row(4, 2)], [9, 10]))
        #expect(refused?.rule == "unique" && refused?.row == row(4, 2))
        #expect(refused?.offenders == [row(1)])
    }

    @Test("S15: where rows have a value together, the rule is refused and they are named")
    func offenders() throws {
        var world = try World(rows: 4)
        try world.act(2, write((row(4), qty, .int(10)), (row(2), qty, .null), (row(3), qty, .null)))
        let rule = Intent.changeRules(.id(qty), try rules(json: #"{"unique":true}"#))
        let refused = world.refusal(2, rule)
        #expect(refused?.rule == "unique" && refused?.offenders == [row(1), row(4)])
        try world.act(2, .deleteRows([row(4)]), rule)
        let added = world.refusal(
            2,
            .addColumn(
                AddColumn(
                    name: "x", type: .int, rules: try rules(json: #"{"unique":true,"default":1}"#)
                )))
        #expect(added?.rule == "unique" && added?.offenders.count == 3)
        try world.act(2, .changeRules(.id(qty), try rules(json: #"{"unique":null}"#)))
        try world.act(2, write((row(2), qty, .int(10))))
    }

    @Test("values differ by their worth: 1.5 is 1.50, -0 is 0, an instant is one in any offset")
    func worth() throws {
        let same: [(ColumnType, Text, Text)] = [
            (.decimal, "1.5", "1.50"), (.decimal, "0", "0.000"), (.double, "-0.0", "0"),
            (.datetime, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00"),
            (.double, "NaN", "NaN"),
        ]
        for (type, left, right) in same {
            #expect(try Value(left, as: type).worth == Value(right, as: type).worth)
        }
        #expect(try Value("a", as: .text).worth != Value("A", as: .text).worth)
    }

    @Test("a snapshot and a replay know what is taken")
    func followers() throws {
        var world = try world()
        world.takeSnapshot()
        try world.act(2, write((row(1), name, .text("a"))))
        for table in [world.follower, world.replica] {
            var table = table
            let op = Op(body: [write((row(1), qty, .int(20)))])
            let rejection = #expect(throws: Rejection.self) {
                _ = try table.perform(op, by: session(2), as: table.head + 1)
            }
            #expect(rejection?.rule == "unique")
        }
    }

    @Test("S15: a rule that is taken back with its operation leaves nothing behind")
    func takenBack() throws {
        var world = try world()
        let refused = world.refusal(
            2, mode: .strict, .changeRules(.id(name), try rules(json: #"{"unique":true}"#)),
            .addColumn(
                AddColumn(name: "n", type: .int, rules: try rules(json: #"{"unique":true}"#))),
            write((row(1), name, .text("a")), (row(1), qty, .int(11))), .deleteRows([row(2)]),
            .insertRows(
                InsertRows(ids: [row(1, 2)], rowCount: 1, columns: [.id(name)], cells: [.text("a")])
            ))
        #expect(refused?.rule == "unique" && refused?.part == 4)
        try world.act(2, write((row(1), name, .text("a")), (row(2), name, .text("a"))))
        #expect(world.refusal(2, write((row(1), qty, .int(20)))) != nil)
    }
}
