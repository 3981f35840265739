// Rules that are expressions: checks that rows keep, and columns that are computed of others.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)
private let name = column(2)
private let price = column(3)
private let total = column(4)

private func write(_ cells: (RowID, ColumnID, Value)...) -> Intent {
    .setCells(cells.map { CellEdit(row: $0, column: .id($1), value: $2) })
}

private func change(_ column: ColumnID, _ json: String) throws -> Intent {
    .changeRules(.id(column), try rules(json: json))
}

private func add(_ name: Text, _ type: ColumnType, _ json: String) throws -> Intent {
    .addColumn(AddColumn(name: name, type: type, rules: try rules(json: json)))
}

/// Three rows with `qty` 10, 20, 30 and `price` (`c0.3`), empty.
private func world() throws -> World {
    var world = try World()
    try world.act(2, add("price", .int, "{}"))
    return world
}

@Suite("Rules of columns: checks and computed columns")
struct RowRulesTests {
    // MARK: Checks

    @Test("S15: a row keeps the check of a column, whichever of its cells is written")
    func check() throws {
        var world = try world()
        try world.act(2, change(price, #"{"check":"price <= qty"}"#))
        #expect(
            world.owner.column(price)?.rules.tree
                == (try rules(
                    json: #"{"check":"\"c0.3\" <= \"c0.1\""}"#)))
        let refused = world.refusal(2, write((row(1), price, .int(11))))
        #expect(refused?.code == .ruleBroken && refused?.rule == "check")
        #expect(refused?.row == row(1) && refused?.column == price)
        try world.act(2, write((row(1), price, .int(10))))
        #expect(world.refusal(2, write((row(1), qty, .int(9))))?.rule == "check")
        let sum = world.refusal(2, .addNumber(row: row(1), column: .id(qty), amount: .int(-1)))
        #expect(sum?.rule == "check")
        try world.act(2, write((row(1), price, .int(40)), (row(1), qty, .int(50))))
        let partial = try world.act(
            2,
            write((row(1), price, .int(99)), (row(1), name, .text("a")), (row(2), price, .int(1))))
        #expect(partial.outcome.applied == 2 && partial.outcome.refused == 1)
        #expect(world.value(row(1), name) == .text("a") && world.value(row(1), price) == .int(40))
        try world.act(2, write((row(1), qty, .null)))
        let inserted = world.refusal(
            2,
            .insertRows(
                InsertRows(
                    ids: [row(1, 2)], rowCount: 1, columns: [.id(qty), .id(price)],
                    cells: [.int(1), .int(2)])))
        #expect(inserted?.rule == "check" && inserted?.row == row(1, 2))
    }

    @Test("S15: a check that rows break is refused with them; so is one that cannot be")
    func offenders() throws {
        var world = try world()
        let refused = try world.refusal(2, change(qty, #"{"check":"qty < 20"}"#))
        #expect(refused?.rule == "check" && refused?.offenders == [row(2), row(3)])
        for json in [
            #"{"check":"qty"}"#, #"{"check":"nothing > 1"}"#, #"{"check":"qty >"}"#,
            #"{"check":"qty > 'a'"}"#, #"{"check":"today() > date '2026-01-01'"}"#,
        ] {
            let rejection = try world.refusal(2, change(qty, json))
            #expect(rejection?.code == .badRule && rejection?.rule == "check", "\(json)")
        }
        let division = try world.refusal(2, change(qty, #"{"check":"1 / (qty - 10) >= 0"}"#))
        #expect(division?.offenders == [row(1)], "an expression without a value is not kept")
    }

    @Test("a column that a rule reads is renamed, and not deleted")
    func reading() throws {
        var world = try world()
        try world.act(2, change(price, #"{"check":"price <= qty"}"#))
        try world.act(2, .renameColumn(.id(qty), name: "count", onClash: .reject))
        #expect(world.refusal(2, write((row(1), price, .int(11))))?.rule == "check")
        let refused = world.refusal(2, .deleteColumn(.id(qty)))
        #expect(refused?.code == .ruleBroken && refused?.rule == "check")
        #expect(refused?.column == qty)
        try world.act(2, .deleteColumn(.id(price)), .deleteColumn(.id(qty)))
    }

    @Test("a cell that stands twice in one operation is judged each time")
    func twice() throws {
        var world = try world()
        try world.act(2, change(qty, #"{"check":"qty < 50"}"#))
        let outcome = try world.act(2, write((row(1), qty, .int(60)), (row(1), qty, .int(40))))
        #expect(outcome.outcome.refused == 1 && world.value(row(1)) == .int(40))
        let strict = world.refusal(
            2, mode: .strict, write((row(1), qty, .int(41)), (row(2), qty, .int(50))))
        #expect(strict?.rule == "check")
    }

    // MARK: Computed columns

    @Test("S15: a computed column follows what it is computed of, in the same record")
    func computed() throws {
        var world = try world()
        try world.act(2, write((row(1), price, .int(2))))
        try world.act(2, add("total", .int, #"{"computed":"qty * price"}"#))
        #expect([1, 2, 3].map { world.value(row($0), total) } == [.int(20), .null, .null])
        let set = try world.act(2, write((row(2), price, .int(3)), (row(1), qty, .int(7))))
        #expect(world.value(row(2), total) == .int(60) && world.value(row(1), total) == .int(14))
        #expect(set.status == .ok && set.resolution.changes.count == 1)
        try world.act(2, .addNumber(row: row(1), column: .id(price), amount: .int(1)))
        #expect(world.value(row(1), total) == .int(21))
        try world.act(
            2,
            .insertRows(
                InsertRows(
                    ids: [row(1, 2), row(2, 2)], rowCount: 2, columns: [.id(price), .id(qty)],
                    cells: [.int(5), .int(5), .null, .int(1)])))
        #expect(world.value(row(1, 2), total) == .int(25) && world.value(row(2, 2), total) == .null)
        try world.act(2, .deleteRows([row(3)]), write((row(3), price, .int(2))))
        #expect(world.value(row(3), total) == .int(60), "late edits of deleted rows too")
    }

    @Test("S15: nobody writes a computed cell; where there is no value it is empty")
    func written() throws {
        var world = try world()
        try world.act(2, add("total", .int, #"{"computed":"100 / (qty - 10)"}"#))
        #expect(world.value(row(1), total) == .null && world.value(row(2), total) == .int(10))
        for value in [Value.int(5), .null] {
            let refused = world.refusal(2, write((row(2), total, value)))
            #expect(refused?.code == .ruleBroken && refused?.rule == "computed")
        }
        let inserted = try world.act(
            2,
            .insertRows(
                InsertRows(
                    ids: [row(1, 2)], rowCount: 1, columns: [.id(total), .id(qty)],
                    cells: [.int(5), .int(12)])))
        #expect(inserted.outcome.refused == 1 && world.value(row(1, 2), total) == .int(50))
        try world.act(2, change(total, #"{"computed":null}"#), write((row(2), total, .int(5))))
        #expect(world.value(row(2), total) == .int(5), "what was computed stays and is anybody's")
    }

    @Test("S15: computed columns are computed of each other in order, and never in a circle")
    func order() throws {
        var world = try world()
        try world.act(
            2, add("b", .int, "{}"), add("a", .int, #"{"computed":"b + 1"}"#),
            change(column(4), #"{"computed":"qty + 1"}"#))
        #expect(world.value(row(1), column(5)) == .int(12))
        try world.act(2, write((row(1), qty, .int(1))))
        #expect(world.value(row(1), column(5)) == .int(3))
        try world.act(2, change(column(4), #"{"computed":"qty + 100"}"#))
        #expect(world.value(row(1), column(5)) == .int(102), "what follows is computed anew too")
        let circle = try world.refusal(2, change(column(4), #"{"computed":"a + 1"}"#))
        #expect(circle?.code == .badRule && circle?.rule == "computed")
        let own = try world.refusal(2, change(column(4), #"{"computed":"b + 1"}"#))
        #expect(own?.code == .badRule)
        let choice = try world.refusal(2, add("c", .choice, #"{"computed":"'x'"}"#))
        #expect(choice?.code == .badRule)
        let both = try world.refusal(2, change(column(4), #"{"required":true}"#))
        #expect(both?.code == .badRule)
    }

    @Test("S15: a check of what is computed refuses the cell that it is computed of")
    func checkOfComputed() throws {
        var world = try world()
        try world.act(2, add("total", .int, #"{"computed":"qty * price"}"#))
        try world.act(2, change(name, #"{"check":"total < 100"}"#))
        let refused = try world.act(
            2, write((row(1), price, .int(50)), (row(2), name, .text("x"))))
        #expect(refused.outcome.refused == 1 && refused.outcome.rejection?.rule == "check")
        try world.act(2, write((row(1), price, .int(9)), (row(3), price, .int(1))))
        let broken = try world.refusal(2, change(total, #"{"computed":"qty * price * 2"}"#))
        #expect(broken?.rule == "check" && broken?.offenders == [row(1)])
        #expect(world.value(row(1), total) == .int(90), "nothing of it has happened")
        try world.act(2, change(total, #"{"computed":"qty + price"}"#))
    }

    @Test("what rules compute in one operation is bounded")
    func bounded() throws {
        var world = try world()
        world.limit(rulesBytes: 1_000, parts: 2)
        let refused = try world.refusal(2, add("t", .int, #"{"computed":"qty"}"#))
        #expect(refused?.code == .tooManyParts)
        world.limit(rulesBytes: 100_000)
        try world.act(2, add("t", .text, #"{"computed":"repeat(name, 1025)"}"#))
        try world.act(2, write((row(1), name, .text("a"))))
        #expect(world.value(row(1), column(4)) == .null, "larger than a rule may make")
        world.limitSteps(10)
        #expect(world.refusal(2, write((row(1), name, .text("b"))))?.code == .tooManyParts)
    }

    @Test("a replica of a snapshot asks the same, also where a rule reads a later column")
    func snapshot() throws {
        var world = try world()
        try world.act(2, change(qty, #"{"check":"qty <> price"}"#))
        world.takeSnapshot()
        try world.act(2, write((row(1), price, .int(1))))
        var replica = world.replica
        let op = Op(body: [write((row(1), price, .int(10)))])
        let rejection = #expect(throws: Rejection.self) {
            _ = try replica.perform(op, by: session(2), as: replica.head + 1)
        }
        #expect(rejection?.rule == "check")
    }
}
