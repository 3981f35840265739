// Rules C15 to C17 and the precondition row_absent: cells that are joined with what they hold,
// and rows that are found by a key. What undo makes of them is U1 and U2, as for any cell.
import TableValue
import Testing

@testable import TableModel

private func combine(
    _ combination: CellCombination, _ row: RowID, _ column: Text, _ value: Value
) -> Intent {
    .combineCell(
        CombineCell(combination, CellEdit(row: row, column: .name(column), value: value)))
}

private func rule(_ column: Text, _ name: Text, _ value: JSONTree) -> Intent {
    .changeRules(.name(column), .object([JSONMember(key: name, value: value)]))
}

private func upsert(_ key: Value, _ cells: [UpsertRow.Cell] = [], new: [UpsertRow.Cell] = [])
    -> Intent
{
    .upsertRow(
        UpsertRow(key: .init(.name("name"), key), cells: cells, cellsOfNew: new))
}

private func list(_ items: JSONTree...) -> Value { .list(CanonicalJSON(.list(items))) }

@Suite struct BotsTests {
    @Test("C15: the least and the largest, of every type that has an order")
    func leastAndLargest() throws {
        let samples: [(ColumnType, less: Value, more: Value)] = [
            (.int, .int(-3), .int(4)), (.double, .double(-0.5), .double(.nan)),
            (
                .decimal, .decimal(try #require(ExactDecimal(coefficient: 15, scale: 1))),
                .decimal(try #require(ExactDecimal(coefficient: 151, scale: 2)))
            ),
            (.date, .date(Day(daysSinceEpoch: -1)), .date(Day(daysSinceEpoch: 1))),
            (
                .datetime, .datetime(Moment(microsecondsSinceEpoch: 1, offsetMinutes: 600)),
                .datetime(Moment(microsecondsSinceEpoch: 2, offsetMinutes: -600))
            ),
        ]
        for (type, less, more) in samples {
            var world = try World(rows: 2)
            try world.act(1, .addColumn(AddColumn(name: "x", type: type)))
            let first = try world.act(1, combine(.minimum, row(1), "x", more))
            #expect(first.outcome.values == [more], "an empty cell takes what is offered")
            #expect(try world.act(2, combine(.minimum, row(1), "x", less)).outcome.values == [less])
            #expect(try world.act(3, combine(.minimum, row(1), "x", more)).status == .noop)
            #expect(try world.act(3, combine(.maximum, row(1), "x", more)).outcome.values == [more])
            #expect(try world.act(3, combine(.maximum, row(1), "x", less)).status == .noop)
        }
    }

    @Test("C15: what is the same in worth stays as it is written")
    func equalWorth() throws {
        var world = try World(rows: 1)
        try world.act(1, .addColumn(AddColumn(name: "x", type: .double)))
        try world.act(1, combine(.maximum, row(1), "x", .double(-0.0)))
        #expect(try world.act(2, combine(.maximum, row(1), "x", .double(0))).status == .noop)
    }

    @Test("C15, C16: what does not suit the column is refused, and changes nothing")
    func misfits() throws {
        var world = try World(rows: 2)
        try world.act(1, .addColumn(AddColumn(name: "tags", type: .list)))
        let misfits: [Intent] = [
            combine(.minimum, row(1), "name", .text("a")), combine(.minimum, row(1), "qty", .null),
            combine(.maximum, row(1), "qty", .text("x")),
            combine(.appendText, row(1), "qty", .text("1")),
            combine(.appendText, row(1), "name", .int(1)),
            combine(.addToList(isOnce: false), row(1), "name", .text("a")),
            combine(.addToList(isOnce: false), row(1), "tags", .null),
            combine(.addToList(isOnce: true), row(1), "tags", list(.int(1))),
            combine(.removeFromList, row(1), "tags", .double(.infinity)),
        ]
        for misfit in misfits {
            #expect(world.refusal(2, misfit)?.code == .wrongType, "\(misfit)")
        }
        #expect(
            world.refusal(2, combine(.minimum, row(1), "none", .int(1)))?.code == .unknownColumn)
        #expect(try world.act(2, combine(.minimum, row(77), "qty", .int(1))).status == .gone)
    }

    @Test("C16: items are added twice or once, and leave wherever they stand; no list is no list")
    func lists() throws {
        var world = try World(rows: 1)
        try world.act(1, .addColumn(AddColumn(name: "tags", type: .list)))
        func tags() -> Value? { world.value(row(1), column(3)) }
        #expect(try world.act(1, combine(.removeFromList, row(1), "tags", .int(1))).status == .noop)
        for once in [true, false, true] {
            try world.act(2, combine(.addToList(isOnce: once), row(1), "tags", .text("a")))
        }
        // 1.0 is 1 in a list.
        try world.act(3, combine(.addToList(isOnce: false), row(1), "tags", .double(1)))
        #expect(tags() == list(.text("a"), .text("a"), .int(1)))
        try world.act(3, combine(.removeFromList, row(1), "tags", .text("a")))
        try world.act(3, combine(.removeFromList, row(1), "tags", .int(1)))
        #expect(tags() == list())
    }

    @Test("S15, C15: the rules of the column are asked of what comes out")
    func rulesAreAsked() throws {
        var world = try World(rows: 2)
        try world.act(1, set(row(1), column(2), .text("abc")), rule("name", "length_max", .int(4)))
        let long = world.refusal(2, combine(.appendText, row(1), "name", .text("de")))
        #expect(long?.code == .ruleBroken && long?.rule == "length_max" && long?.row == row(1))
        try world.act(1, rule("qty", "max", .int(50)), rule("qty", "unique", .bool(true)))
        let large = world.refusal(2, combine(.maximum, row(1), "qty", .int(51)))
        #expect(large?.rule == "max")
        let taken = world.refusal(2, combine(.maximum, row(1), "qty", .int(20)))
        #expect(taken?.rule == "unique" && taken?.offenders == [row(2)])
        try world.act(1, rule("qty", "check", .text("qty < 40")))
        #expect(world.refusal(2, combine(.maximum, row(1), "qty", .int(41)))?.rule == "check")
    }

    @Test("U1, U2: taken back is what nobody has gone on from")
    func undone() throws {
        var world = try World(rows: 2)
        try world.act(2, combine(.maximum, row(1), "qty", .int(99)))
        try world.act(2, combine(.appendText, row(1), "name", .text("x")))
        try world.act(3, combine(.appendText, row(1), "name", .text("y")))
        let kept = try world.act(2, .undo(UndoRequest(.last(ofUser: false))))
        #expect(kept.status == .noop)
        #expect(world.value(row(1), column(2)) == .text("xy"))
        try world.act(2, .undo(UndoRequest(.last(ofUser: false))))
        #expect(world.value(row(1)) == .int(10))
    }

    @Test("A short operation cannot make much text")
    func joinedTexts() throws {
        var world = try World(rows: 1)
        let large = Value.text(Text(String(repeating: "x", count: 200_000)))
        try world.act(1, set(row(1), column(2), large))
        let again = (0..<30).map { _ in combine(.appendText, row(1), "name", .text("y")) }
        let op = Op(mode: .strict, body: again)
        let refusal = #expect(throws: Rejection.self) {
            var table = world.owner
            _ = try table.perform(op, by: session(2), as: table.head + 1)
        }
        #expect(refusal?.code == .tooManyParts)
    }

    @Test(
        "C17: an upsert appends once; then it writes what is for all, and not what is for new rows")
    func upserts() throws {
        var world = try World(rows: 2)
        try world.act(1, rule("name", "unique", .bool(true)))
        let quantity = UpsertRow.Cell(.name("qty"), .int(7))
        let new = try world.act(2, upsert(.text("k"), [], new: [quantity]))
        let made = try #require(new.outcome.rows.first)
        #expect(new.outcome.inserted == [true] && new.status == .ok)
        #expect(world.value(made) == .int(7) && world.rows.last == made)
        let again = try world.act(3, upsert(.text("k"), [], new: [.init(.name("qty"), .int(8))]))
        #expect(again.status == .noop)
        #expect(again.outcome.rows == [made] && again.outcome.inserted == [false])
        try world.act(3, upsert(.text("k"), [.init(.name("qty"), .int(9))]))
        #expect(world.value(made) == .int(9))
        // A deleted row has no key.
        try world.act(1, .deleteRows([made]))
        let other = try world.act(2, upsert(.text("k"), [quantity]), upsert(.text("k")))
        #expect(other.outcome.inserted == [true, false] && other.outcome.rows.count == 2)
        #expect(other.outcome.rows[0] == other.outcome.rows[1] && other.outcome.rows[0] != made)
    }

    @Test("C17: without a unique column, a key, or with a cell named twice, nothing is done")
    func upsertsRefused() throws {
        var world = try World(rows: 2)
        #expect(world.refusal(2, upsert(.text("k")))?.code == .notUnique)
        try world.act(1, rule("name", "unique", .bool(true)), rule("name", "length_max", .int(3)))
        #expect(world.refusal(2, upsert(.null))?.code == .wrongType)
        #expect(world.refusal(2, upsert(.int(5)))?.code == .wrongType)
        #expect(world.refusal(2, upsert(.text("long")))?.rule == "length_max")
        let twice = world.refusal(2, upsert(.text("k"), [.init(.id(column(2)), .text("l"))]))
        #expect(twice?.code == .malformed && twice?.column == column(2))
        try world.act(1, rule("qty", "required", .bool(true)))
        #expect(world.refusal(2, upsert(.text("k")))?.rule == "required")
        // Taken back with the row.
        try world.act(2, upsert(.text("k"), [.init(.name("qty"), .int(1))]))
        try world.act(2, .undo(UndoRequest(.last(ofUser: false))))
        #expect(world.rows == [row(1), row(2)])
    }

    @Test("C3: row_absent, by the index of a unique column and by a look at all rows")
    func rowAbsent() throws {
        var world = try World(rows: 3)
        let here = Precondition.rowAbsent(column: .name("qty"), value: .int(20))
        for isUnique in [false, true] {
            let refusal = world.refusal(2, when: [here], .deleteRows([row(1)]))
            #expect(refusal?.code == .preconditionFailed && refusal?.row == row(2))
            #expect(refusal?.current?.value == .int(20) && refusal?.current?.session == session(1))
            if !isUnique { try world.act(1, rule("qty", "unique", .bool(true))) }
        }
        try world.act(1, .deleteRows([row(2)]))
        try world.act(2, when: [here], set(row(1), column(1), .int(20)))
        let null = Precondition.rowAbsent(column: .name("name"), value: .null)
        #expect(world.refusal(2, when: [null], .deleteRows([row(1)]))?.code == .wrongType)
        let none = Precondition.rowAbsent(column: .name("none"), value: .int(1))
        let refused = world.refusal(2, when: [none], .deleteRows([row(1)]))
        #expect(refused?.code == .preconditionFailed)
    }

    @Test("C3: looking at rows for row_absent has an end")
    func rowAbsentIsBounded() throws {
        var world = try World(rows: 3)
        world.limit(rulesBytes: 1_024, parts: 5)
        let look = Precondition.rowAbsent(column: .name("qty"), value: .int(1))
        try world.act(2, when: [look], set(row(1), column(2), .text("a")))
        let twice = world.refusal(2, when: [look, look], set(row(1), column(2), .text("b")))
        #expect(twice?.code == .tooManyParts)
    }

    @Test("C3: what does not hold is refused with what is: the newest cell, the numbers")
    func factsOfRefusals() throws {
        var world = try World(rows: 2)
        let base = world.now
        try world.act(2, set(row(1), column(2), .text("new")))
        let written = world.refusal(
            3, when: [.rowVersion(row: row(1), version: base)], .deleteRows([row(1)]))
        #expect(written?.column == column(2) && written?.current?.value == .text("new"))
        #expect(written?.current?.version == world.now)
        let moved = world.refusal(3, when: [.tableSequence(base)], .deleteRows([row(1)]))
        #expect(moved?.sequence == world.now)
        try world.act(1, .renameColumn(.name("name"), name: "title", onClash: .reject))
        let renamed = world.refusal(3, when: [.schemaSequence(base)], .deleteRows([row(1)]))
        #expect(renamed?.sequence == world.now)
    }
}
