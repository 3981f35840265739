// Kinds of faults that others had, tried on a table: docs/internals/cases.md lists them all and
// names the tests that show the others.
import TableValue
import Testing

@testable import TableModel

@Test("case 14: a row that begins with empty cells keeps to its columns")
func emptyCellsInFront() throws {
    var world = try World()
    let (first, second) = (row(1, 2), row(2, 2))
    try world.act(
        2,
        .insertRows(
            InsertRows(
                ids: [first, second], rowCount: 2, columns: [.name("qty"), .name("name")],
                cells: [.null, .text("x"), .null, .null])),
        .insertRows(
            InsertRows(
                ids: [row(3, 2)], rowCount: 1, columns: [.name("name")], cells: [.text("y")])))
    #expect(world.rows.suffix(3) == [first, second, row(3, 2)])
    #expect(world.value(first) == .null && world.value(first, column(2)) == .text("x"))
    #expect(world.value(second, column(2)) == .null)
    #expect(world.value(row(3, 2)) == .null && world.value(row(3, 2), column(2)) == .text("y"))
}

@Test("case 22: a move is taken back to its old neighbour, with a new row in between")
func moveTakenBack() throws {
    for isAtOldPlace in [false, true] {
        var world = try World(rows: 4)
        let undo = Intent.undo(UndoRequest(.last(ofUser: false)))
        try world.act(2, .moveRows([row(4)], to: .after(row(1))))
        let anchor = RowAnchor.after(row(isAtOldPlace ? 3 : 1))
        try world.act(3, insert([row(1, 3)], anchor))
        #expect(try world.act(2, undo).status == .ok)
        let wanted =
            isAtOldPlace
            ? [row(1), row(2), row(3), row(4), row(1, 3)]
            : [row(1), row(1, 3), row(2), row(3), row(4)]
        #expect(world.rows == wanted)
    }
}

@Test("case 41: a hundred rows of every type come back as they were")
func everyTypeComesBack() throws {
    let texts: [ColumnType: Text] = [
        .text: "é\n👌", .int: "-9223372036854775808", .double: "-0.1", .decimal: "12.50",
        .bool: "true", .date: "0001-01-01", .datetime: "2026-11-30T08:00:00+01:00",
        .uuid: "123e4567-e89b-12d3-a456-426614174000", .choice: "done 👌",
        .list: "[\"a\", 2, true]", .json: "{\"a\": [1, null]}",
    ]
    var world = try World(rows: 1)
    for type in ColumnType.allCases {
        let rules = type == .choice ? ColumnRules(choices: ["done 👌"]).tree : .object([])
        try world.act(
            1, .addColumn(AddColumn(name: Text("t \(type.rawValue)"), type: type, rules: rules)))
    }
    let columns = ColumnType.allCases.map { ColumnReference.name(Text("t \($0.rawValue)")) }
    let values = try ColumnType.allCases.map { type -> Value in
        try Value(try #require(texts[type], "\(type) has no value here"), as: type)
    }
    let ids = (2...101).map { row($0) }
    // Every third row has nothing in every other column.
    let cells = ids.indices.flatMap { place in
        values.indices.map { place % 3 == 0 && $0 % 2 == 0 ? .null : values[$0] }
    }
    try world.act(
        1,
        .insertRows(
            InsertRows(ids: ids, rowCount: ids.count, columns: columns, cells: cells)))
    func content(_ world: World) -> [[Value?]] {
        world.rows.map { id in world.allColumns.map { world.value(id, $0) } }
    }
    let (rows, before) = (world.rows, content(world))
    try world.act(2, .deleteRows(ids))
    #expect(world.rows == [row(1)])
    world.takeSnapshot()
    try world.act(2, .undo(UndoRequest(.last(ofUser: false))))
    #expect(world.rows == rows)
    #expect(content(world) == before)
}

@Test("case 70: a record has what changed, however wide the table is")
func narrowRecord() throws {
    var table = Table()
    let author = OpAuthor(session: session(1), user: "u1")
    let columns = (0..<150).map { Intent.addColumn(AddColumn(name: Text("c\($0)"), type: .int)) }
    _ = try table.perform(Op(body: columns), by: author, as: 1)
    _ = try table.perform(Op(body: [insert([row(1)])]), by: author, as: 2)
    let done = try table.perform(
        Op(body: [set(row(1), column(77), .int(5))]), by: author, as: 3)
    #expect(
        done.changes == [
            .cellsSet([CellChange(row: row(1), column: column(77), value: .int(5))])
        ])
}
