// Columns set as a whole, copies of columns, rows and of another table's rows: FD5, FD8, FD10.
// A is always session 2, B session 3. Column 1 is "qty" (int), column 2 "name" (text).
import TableValue
import Testing

@testable import TableModel

private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))

private func rules(_ key: Text, _ value: JSONTree) -> JSONTree {
    .object([JSONMember(key: key, value: value)])
}

@Suite("Copies, and columns set as a whole")
struct CopiesTests {
    @Test("FD8: a column is set in order, and more values than rows make new rows")
    func columnSet() throws {
        var world = try World(rows: 2)
        let done = try world.act(
            2,
            .setColumn(
                SetColumn(
                    column: .name("name"), values: ["a", "b", "c"].map { .text($0) },
                    newRows: [row(1, 2)])))
        #expect(done.status == .ok)
        #expect(world.rows == [row(1), row(2), row(1, 2)])
        #expect(
            world.rows.map { world.value($0, column(2)) } == [.text("a"), .text("b"), .text("c")])
        #expect(world.value(row(1, 2)) == .null)
        try world.act(2, undoLast)
        #expect(world.rows == [row(1), row(2)] && world.value(row(1), column(2)) == .null)
    }

    @Test("T9: values in order pass over rows that their author has not seen")
    func columnSetUnseen() throws {
        var world = try World(rows: 2)
        let base = world.now
        try world.act(3, insert([row(1, 3)], .first))
        let done = try world.act(
            2, base: base,
            .setColumn(SetColumn(column: .name("qty"), values: [.int(1), .int(2)])))
        #expect(world.value(row(1)) == .int(1) && world.value(row(2)) == .int(2))
        #expect(done.notes == [.keptNewer(count: 1, sequence: base + 1)])
    }

    @Test("FD6: a column set by rows, with ids that do not suffice, is refused")
    func columnSetShape() throws {
        var world = try World(rows: 2)
        func setting(_ count: Int, rows: [RowID]?, new: [RowID] = []) -> Intent {
            .setColumn(
                SetColumn(
                    column: .name("qty"), values: (0..<count).map { .int(Int64($0)) }, rows: rows,
                    newRows: new))
        }
        #expect(world.refusal(2, setting(1, rows: [row(1), row(2)]))?.code == .malformed)
        #expect(world.refusal(2, setting(4, rows: [row(1)], new: [row(1, 2)]))?.code == .malformed)
        #expect(
            world.refusal(2, .setColumn(SetColumn(column: .name("no"), values: [])))?.code
                == .unknownColumn)
        try world.act(2, setting(1, rows: [row(2)]))
        #expect(world.values == [.int(10), .int(0)])
    }

    @Test("FD8: a column is copied with its cells and rules, next to it")
    func columnDuplicated() throws {
        var world = try World(rows: 2)
        try world.act(2, .changeRules(.name("qty"), rules("required", .bool(true))))
        try world.act(2, .deleteRows([row(2)]))
        try world.act(
            2,
            .duplicateColumn(
                DuplicateColumn(
                    column: .name("qty"), id: ColumnID(session: session(2), counter: 1))))
        #expect(world.columnNames == ["qty", "qty 2", "name"])
        let copy = ColumnID(session: session(2), counter: 1)
        #expect(world.value(row(1), copy) == .int(10) && world.value(row(2), copy) == .int(20))
        #expect(world.owner.column(copy)?.rules.tree == rules("required", .bool(true)))
        try world.act(2, undoLast)
        #expect(world.columnNames == ["qty", "name"])
    }

    @Test("FD10: rows are copied as they are then; what is unique or numbered is not")
    func rowsDuplicated() throws {
        var world = try World(rows: 3)
        try world.act(2, set(row(2), column(2), .text("b")))
        try world.act(2, .deleteRows([row(3)]))
        let done = try world.act(
            3,
            .duplicateRows(
                DuplicateRows(
                    rows: [row(2), row(3), row(1)],
                    ids: [row(1, 3), row(2, 3), row(3, 3)])))
        #expect(done.status == .partial && done.outcome.hidden == 1)
        #expect(world.rows == [row(1), row(1, 3), row(3, 3), row(2)])
        #expect(world.value(row(1, 3), column(2)) == .text("b"))
        try world.act(3, undoLast)
        #expect(world.rows == [row(1), row(2)])
        try world.act(2, .changeRules(.name("qty"), rules("default_by", .text("sequence"))))
        try world.act(2, .changeRules(.name("qty"), rules("unique", .bool(true))))
        let numbered = try world.act(3, .duplicateRows(DuplicateRows(rows: [row(1), row(2)])))
        #expect(numbered.outcome.rows.count == 2)
        #expect(numbered.outcome.rows.map { world.value($0) } == [.int(31), .int(32)])
    }

    @Test("FD10: the rows of another table are appended by the names of its columns")
    func otherTable() throws {
        var world = try World(rows: 1)
        var other = Table()
        _ = try other.perform(
            Op(body: [
                .addColumn(AddColumn(name: "Name", type: .text)),
                .addColumn(AddColumn(name: "qty", type: .text)),
                .insertRows(
                    InsertRows(
                        rowCount: 2, columns: [.name("Name"), .name("qty")],
                        cells: [.text("a"), .text("5"), .text("b"), .text("x")])),
            ]), by: session(0), as: 1)
        var appending = AppendTable(source: "other")
        #expect(world.refusal(2, .appendTable(appending))?.code == .malformed)
        #expect(throws: Rejection.self) { try world.owner.rows(of: other, for: appending) }
        appending.isLenient = true
        appending.rows = try world.owner.rows(of: other, for: appending)
        let done = try world.act(2, .appendTable(appending))
        #expect(done.outcome.rows.count == 2)
        #expect(world.values == [.int(10), .int(5), .null])
        #expect(world.rows.map { world.value($0, column(2)) } == [.null, .text("a"), .text("b")])
        try world.act(2, undoLast)
        #expect(world.rows == [row(1)])
    }
}
