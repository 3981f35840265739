// Defaults: what stands in cells that an insertion does not name.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)

private func insertion(
    _ ids: RowID..., columns: [ColumnID] = [], cells: [Value] = []
) -> Intent {
    .insertRows(
        InsertRows(
            ids: ids, rowCount: ids.count, columns: columns.map { .id($0) }, cells: cells))
}

private func column(_ name: Text, _ type: ColumnType, _ json: String) throws -> Intent {
    .addColumn(AddColumn(name: name, type: type, rules: try rules(json: json)))
}

@Suite("Rules of columns: defaults")
struct DefaultsTests {
    @Test("S15: a row begins with the defaults of the columns that are not named")
    func eachKind() throws {
        var world = try World(rows: 1)
        try world.act(
            2, column("state", .choice, #"{"choices":["open","done"],"default":"open"}"#),
            column("by", .text, #"{"default_by":"author"}"#),
            column("at", .datetime, #"{"default_by":"now"}"#),
            column("day", .date, #"{"default_by":"now","required":true}"#),
            column("number", .int, #"{"default_by":"sequence","required":true}"#))
        let ids = (3...7).map { TableModelTests.column(UInt32($0)) }
        func cells(_ row: RowID) -> [Value?] { ids.map { world.value(row, $0) } }
        let at = try Value("2026-11-30T08:00:00.123Z", as: .datetime)
        let day = try Value("2026-11-30", as: .date)
        #expect(cells(row(1)) == [.choice("open"), .text("u2"), at, day, .int(1)], "filled")
        try world.act(3, insertion(row(1, 3), row(2, 3)))
        #expect(cells(row(1, 3)) == [.choice("open"), .text("u3"), at, day, .int(2)])
        #expect(cells(row(2, 3)) == [.choice("open"), .text("u3"), at, day, .int(3)])
        try world.act(
            3,
            insertion(
                row(3, 3), columns: [ids[0], ids[4], qty], cells: [.null, .int(9), .int(7)]))
        #expect(cells(row(3, 3)) == [.null, .text("u3"), at, day, .int(9)], "null is named")
        #expect(world.value(row(3, 3)) == .int(7))
        try world.act(3, insertion(row(4, 3)))
        #expect(world.value(row(4, 3), ids[4]) == .int(10))
    }

    @Test("S15: a number of a sequence is never given again, also after deletion and refusal")
    func sequence() throws {
        var world = try World(rows: 2)
        try world.act(2, .changeRules(.id(qty), try rules(json: #"{"default_by":"sequence"}"#)))
        try world.act(2, insertion(row(1, 2)), .deleteRows([row(1, 2)]))
        #expect(world.value(row(1, 2)) == .int(21))
        try world.act(
            2, .setCells([CellEdit(row: row(1, 2), column: .id(qty), value: .int(3))]),
            insertion(row(2, 2)))
        #expect(world.value(row(2, 2)) == .int(22))
        let refused = world.refusal(
            2, mode: .strict, insertion(row(3, 2)), .deleteRows([row(77)]))
        #expect(refused?.code == .unknownRow)
        try world.act(2, insertion(row(3, 2)))
        #expect(world.value(row(3, 2)) == .int(23), "what came to nothing took no number")
        var replayed = world.owner
        replayed.refreshRules(of: 0)
        #expect(replayed.ruleBook.highestNumber(0) == 23)
        try world.act(2, .changeRules(.id(qty), try rules(json: #"{"max":24,"min":0}"#)))
        try world.act(2, insertion(row(4, 2)))
        #expect(world.refusal(2, insertion(row(5, 2)))?.rule == "max")
    }

    @Test("S15: a sequence begins at the least number, and ends at the largest")
    func ends() throws {
        var world = try World(rows: 1)
        try world.act(2, column("number", .int, #"{"default_by":"sequence","min":100}"#))
        let number = TableModelTests.column(3)
        #expect(world.value(row(1), number) == .int(100))
        try world.act(
            2, .setCells([CellEdit(row: row(1), column: .id(number), value: .int(.max))]))
        #expect(world.refusal(2, insertion(row(1, 2)))?.code == .outOfRange)
    }

    @Test("where nobody says who and when, such cells stay empty and nothing is refused")
    func shadow() throws {
        var world = try World(rows: 1)
        try world.act(2, column("by", .text, #"{"default_by":"author","required":true}"#))
        var table = world.owner
        let op = Op(body: [insertion(row(1, 2))])
        _ = try table.perform(op, by: session(2), as: table.head + 1)
        #expect(table.value(row(1, 2), TableModelTests.column(3)) == .null)
    }

    @Test("what rules fill beside an operation is bounded")
    func bounded() throws {
        var world = try World(rows: 3)
        try world.act(2, column("a", .int, #"{"default":1}"#), column("b", .int, #"{"default":1}"#))
        world.limit(rulesBytes: 1_000, parts: 4)
        try world.act(2, .insertRows(InsertRows(ids: (1...4).map { row($0, 2) }, rowCount: 4)))
        world.limit(rulesBytes: 1_000, parts: 3)
        try world.act(2, .insertRows(InsertRows(ids: (5...7).map { row($0, 2) }, rowCount: 3)))
        world.limit(rulesBytes: 1_000, parts: 4)
        try world.act(2, .changeRules(.id(qty), try rules(json: #"{"default":7}"#)))
        let filled = world.refusal(
            2, .insertRows(InsertRows(ids: (8...10).map { row($0, 2) }, rowCount: 3)))
        #expect(filled?.code == .tooManyParts, "nine cells are more than twice four parts")
        let added = world.refusal(2, try column("c", .int, #"{"default":1}"#))
        #expect(added?.code == .tooManyParts)
        try world.act(2, try column("c", .int, "{}"))
    }
}
