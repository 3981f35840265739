// Rules of columns and the one check that every way to write passes. A is session 2, B session 3.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)
private let name = column(2)
private let state = column(3)

private func rules(_ key: Text, _ choices: JSONTree...) -> JSONTree {
    .object([JSONMember(key: key, value: .list(choices))])
}

/// Three rows, of which the first is "open"; the column takes "open" and "done".
private func world() throws -> World {
    var world = try World()
    try world.act(
        1,
        .addColumn(
            AddColumn(
                name: "state", type: .choice, rules: rules("choices", .text("open"), .text("done")))
        ),
        .setCells([CellEdit(row: row(1), column: .id(state), value: .text("open"))]))
    return world
}

private func set(_ rows: RowID..., to value: Value) -> Intent {
    .setCells(rows.map { CellEdit(row: $0, column: .id(state), value: value) })
}

@Suite("Rules of columns: what cells must be")
struct RuleCheckTests {
    @Test("S15: a value that is no choice any more is refused, the other parts are set")
    func choiceTakenAway() throws {
        var world = try world()
        try world.act(2, .changeRules(.id(state), rules("choices", .text("open"))))
        let late = try world.act(
            3, base: 2, set(row(1), to: .text("done")), set(row(2), to: .text("open")))
        #expect(late.status == .partial)
        #expect(late.outcome.applied == 1 && late.outcome.refused == 1)
        let rejection = try #require(late.outcome.rejection)
        #expect(rejection.code == .ruleBroken && rejection.rule == "choices")
        #expect(rejection.row == row(1) && rejection.column == state)
        #expect(world.value(row(1), state) == .choice("open"))
        #expect(world.value(row(2), state) == .choice("open"))
        let strict = world.refusal(
            3, mode: .strict, set(row(3), to: .text("open")), set(row(2), to: .text("done")))
        #expect(strict?.code == .ruleBroken && strict?.part == 1)
    }

    @Test("S15: a choice is added and taken in one operation, by two at once")
    func choicesAdded() throws {
        var world = try world()
        let before = world.now
        for (author, choice) in [(2, Text("late")), (3, Text("red"))] as [(UInt32, Text)] {
            let outcome = try world.act(
                author, base: before, mode: .strict,
                .changeRules(.id(state), rules("choices_added", .text(choice), .text("open"))),
                set(row(2), to: .text(choice)))
            #expect(outcome.status == .ok)
        }
        #expect(world.owner.column(state)?.rules.choices == ["open", "done", "late", "red"])
        #expect(world.value(row(2), state) == .choice("red"))
    }

    @Test("S15: rules that live cells break are refused, and the rows are named")
    func offenders() throws {
        var world = try World(rows: 30)
        let ids = (1...30).map { row($0) }
        try world.act(
            1,
            .addColumn(
                AddColumn(
                    name: "state", type: .choice, rules: rules("choices", .text("a"), .text("b")))),
            .setCells(ids.map { CellEdit(row: $0, column: .id(state), value: .text("a")) }))
        let refused = world.refusal(2, .changeRules(.id(state), rules("choices", .text("b"))))
        let rejection = try #require(refused)
        #expect(rejection.code == .ruleBroken && rejection.rule == "choices")
        #expect(rejection.offenders == Array(ids.prefix(20)))
        #expect(rejection.message.contains("30 rows"))
        try world.act(2, .deleteRows(ids))
        try world.act(2, .changeRules(.id(state), rules("choices", .text("b"))))
        #expect(world.owner.column(state)?.rules.choices == ["b"], "hidden rows may break them")
    }

    @Test("rows are inserted with choices as cells are set")
    func inserted() throws {
        var world = try world()
        let outcome = try world.act(
            2,
            .insertRows(
                InsertRows(
                    ids: [row(1, 2), row(2, 2)], rowCount: 2, columns: [.id(state), .id(qty)],
                    cells: [.text("no"), .int(1), .text("done"), .int(2)])))
        #expect(outcome.outcome.refused == 1 && outcome.outcome.rejection?.code == .ruleBroken)
        #expect(world.value(row(1, 2), state) == .null)
        #expect(world.value(row(2, 2), state) == .choice("done"))
    }

    @Test("rules that make no sense are refused")
    func badRules() throws {
        var world = try world()
        let many = (0...1_000).map { JSONTree.text(Text("\($0)")) }
        let bad: [(ColumnID, JSONTree)] = [
            (qty, rules("choices", .text("a"))), (state, rules("choices", .text("a"), .text("a"))),
            (state, rules("choices", .int(1))), (state, rules("choices", .text(""))),
            (state, rules("colour", .text("a"))), (state, .list([])), (state, .null),
            (state, rules("choices", .text("a\u{0}b"))), (state, rules("choices", .text("a\nb"))),
            (state, rules("choices", .text(Text(String(repeating: "x", count: 129))))),
            (state, rules("choices_added", .null)),
            (state, .object([JSONMember(key: "choices", value: .text("a"))])),
            (
                state,
                .object([JSONMember(key: "choices", value: .list(many))])
            ),
        ]
        for (column, patch) in bad {
            let rejection = world.refusal(2, .changeRules(.id(column), patch))
            #expect(rejection?.code == .badRule, "\(patch)")
        }
        let added = world.refusal(
            2, .addColumn(AddColumn(name: "x", type: .text, rules: rules("choices", .text("a")))))
        #expect(added?.code == .badRule)
        #expect(world.refusal(2, .changeRules(.name("none"), .object([])))?.code == .unknownColumn)
    }

    @Test("what one operation writes of rules, and looks at for them, is bounded")
    func boundedWork() throws {
        var world = try World(rows: 30)
        world.limit(rulesBytes: 1_000)
        func add(_ name: Text, _ count: Int) -> Intent {
            let choices = (0..<count).map { JSONTree.text(Text("\(name)\($0)")) }
            return .addColumn(
                AddColumn(
                    name: name, type: .choice,
                    rules: .object([JSONMember(key: "choices", value: .list(choices))])))
        }
        try world.act(2, add("a", 100))
        #expect(world.refusal(2, add("b", 100))?.code == .badRule, "of all columns together")
        // Each of these writes 990 bytes again.
        let swaps = (0..<8).map { number in
            Intent.changeRules(
                .name("a"),
                .object([
                    JSONMember(
                        key: "choices",
                        value: .list((0..<100).map { .text(Text("\(number % 2)\($0)")) }))
                ]))
        }
        let op = Op(mode: .strict, body: swaps)
        let rejection = #expect(throws: Rejection.self) {
            var table = world.owner
            _ = try table.perform(op, by: session(2), as: table.head + 1)
        }
        #expect(rejection?.code == .tooManyParts)
        world.limit(rulesBytes: 1_000, parts: 40)
        let two = Op(mode: .strict, body: Array(swaps.prefix(2)))
        let late = #expect(throws: Rejection.self) {
            var table = world.owner
            _ = try table.perform(two, by: session(2), as: table.head + 1)
        }
        #expect(late?.code == .tooManyParts, "thirty rows twice are more than forty")
    }

    @Test("C6: rules that are there already are no change; null takes a rule away")
    func sameRules() throws {
        var world = try world()
        let same = try world.act(
            2, .changeRules(.id(state), rules("choices", .text("open"), .text("done"))))
        #expect(same.status == .noop)
        try world.act(2, .setCells([CellEdit(row: row(1), column: .id(state), value: .null)]))
        let taken = try world.act(
            2, .changeRules(.id(state), .object([JSONMember(key: "choices", value: .null)])))
        #expect(taken.status == .ok && world.owner.column(state)?.rules.isEmpty == true)
        #expect(world.refusal(2, set(row(1), to: .text("open")))?.code == .ruleBroken)
    }

    @Test("I8: undoing a change of rules gives the rules before")
    func undone() throws {
        var world = try world()
        var before = world.owner
        let hash = before.contentHash(using: TestDigest.self)
        try world.act(2, .changeRules(.id(state), rules("choices_added", .text("x"))))
        try world.act(2, .undo(UndoRequest(.last(ofUser: false))))
        var after = world.owner
        #expect(after.contentHash(using: TestDigest.self) == hash)
    }

    @Test("C4 C5: decimals are added exactly, at the larger scale, never beyond 38 digits")
    func decimalSums() throws {
        var world = try World()
        try world.act(1, .addColumn(AddColumn(name: "price", type: .decimal)))
        func add(_ amount: Value) -> Intent {
            .addNumber(row: row(1), column: .name("price"), amount: amount)
        }
        let steps: [(Value, Text)] = [
            (.text("0.10"), "0.10"), (.text("0.2"), "0.30"), (.int(-1), "-0.70"),
        ]
        for (amount, expected) in steps {
            let outcome = try world.act(2, add(amount))
            #expect(outcome.outcome.values == [try Value(expected, as: .decimal)])
        }
        #expect(world.refusal(2, add(.double(0.5)))?.code == .wrongType)
        let large = Text(String(repeating: "9", count: 38))
        #expect(world.refusal(2, add(.text(large)))?.code == .outOfRange)
    }
}
