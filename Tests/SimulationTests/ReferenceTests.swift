// The plain table and the plain rules, on small cases that can be checked by eye. If these two
// are wrong, the histories prove nothing.
import TableModel
import TableValue
import Testing

@testable import Simulation

private let session = SessionNumber(truncating: 1)
private let name = ColumnID(session: .server, counter: 1)
private let quantity = ColumnID(session: .server, counter: 2)

private func row(_ counter: UInt32) -> RowID { RowID(session: session, counter: counter) }

/// A table with two columns and the rows 1 to `count`.
private func table(_ count: UInt32) throws -> ReferenceTable {
    var table = ReferenceTable()
    let changes: [Change] = [
        .columnAdded(Column(id: name, name: "Name", type: .text), at: ColumnPlace(after: nil)),
        .columnAdded(Column(id: quantity, name: "Qty", type: .int), at: ColumnPlace(after: name)),
        .rowsInserted(
            RowBlock(
                ids: (1...count).map(row), place: RowPlace(after: nil), columns: [], cells: [])),
    ]
    try table.apply(record(1, changes))
    return table
}

private func record(_ sequence: SequenceNumber, _ changes: [Change]) -> Record {
    Record(
        sequence: sequence, session: session, clientNumber: 1, user: "u1", timeMilliseconds: 0,
        changes: changes)
}

private func perform(
    _ body: [Intent], on table: ReferenceTable, mode: OpMode = .best,
    preconditions: [Precondition] = []
) -> ExpectedResult {
    ReferenceResolver.expectation(
        of: Op(mode: mode, preconditions: preconditions, body: body), by: session, on: table,
        given: Outcome(status: .ok), in: Circumstances(user: "u1", timeMilliseconds: 0))
}

private func insert(_ counter: UInt32, _ anchor: RowAnchor) -> Intent {
    .insertRows(InsertRows(ids: [row(counter)], rowCount: 1, anchor: anchor))
}

private func set(_ counter: UInt32, _ value: Int64) -> Intent {
    .setCells([CellEdit(row: row(counter), column: .id(quantity), value: .int(value))])
}

@Test("R1, R2, R4, R5: where a row comes to stand")
func inserts() throws {
    var base = try table(3)
    #expect(perform([insert(9, .after(row(1)))], on: base).table.liveRows == [1, 9, 2, 3].map(row))
    #expect(perform([insert(9, .last)], on: base).table.liveRows == [1, 2, 3, 9].map(row))
    #expect(perform([insert(9, .after(row(7)))], on: base).table.liveRows == [1, 2, 3, 9].map(row))
    try base.apply(record(2, [.rowsHidden([row(2)])]))
    let expectation = perform([insert(9, .after(row(2)))], on: base)
    #expect(expectation.table.liveRows == [1, 9, 3].map(row))
    #expect(expectation.status == .ok)
    #expect(perform([insert(3, .last)], on: base).status == .rejected)
}

@Test("R9, R14, R15, R17: moved rows arrive together, hidden ones stay hidden")
func moves() throws {
    var base = try table(5)
    let swapped = perform([.moveRows([row(5), row(2)], to: .after(row(3)))], on: base)
    #expect(swapped.table.liveRows == [1, 3, 5, 2, 4].map(row))
    let among = perform([.moveRows([row(3), row(4)], to: .after(row(3)))], on: base)
    #expect(among.table.liveRows == [1, 2, 3, 4, 5].map(row))
    try base.apply(record(2, [.rowsHidden([row(2)])]))
    let hidden = perform([.moveRows([row(2)], to: .last)], on: base)
    #expect(hidden.status == .hidden)
    #expect(hidden.table.liveRows == [1, 3, 4, 5].map(row))
    let some = perform([.moveRows([row(1), row(2), row(3)], to: .after(row(4)))], on: base)
    #expect(some.status == .partial)
    #expect(some.table.liveRows == [4, 1, 3, 5].map(row))
    let strict = perform([.moveRows([row(1), row(2)], to: .last)], on: base, mode: .strict)
    #expect(strict.status == .rejected)
    #expect(strict.table.liveRows == base.liveRows)
}

@Test("C4, C5, C6, C8, C9: cells")
func cells() throws {
    var base = try table(2)
    try base.apply(
        record(2, [.cellsSet([CellChange(row: row(1), column: quantity, value: .int(9))])]))
    let added = perform(
        [.addNumber(row: row(1), column: .id(quantity), amount: .int(3))], on: base)
    #expect(added.table.value(row(1), quantity) == .int(12))
    #expect(perform([set(1, 9)], on: base).status == .noop)
    #expect(perform([set(7, 1)], on: base).status == .gone)
    let overflow = perform(
        [.addNumber(row: row(1), column: .id(quantity), amount: .int(.max))], on: base)
    #expect(overflow.status == .rejected)
    try base.apply(record(3, [.rowsHidden([row(1)])]))
    let late = perform([set(1, 4)], on: base)
    #expect(late.status == .hidden)
    #expect(late.table.liveRows == [row(2)])
    #expect(late.table.value(row(1), quantity) == .int(4))
}

@Test("C3: a precondition that does not hold refuses everything")
func preconditions() throws {
    let base = try table(1)
    let wrong = Precondition.cellValue(row: row(1), column: .id(quantity), value: .int(1))
    #expect(perform([set(1, 5)], on: base, preconditions: [wrong]).status == .rejected)
    #expect(perform([set(1, 5)], on: base, preconditions: [.rowLive(row(1))]).status == .ok)
}

@Test("S1, S2, S3, S5: columns and their names")
func columns() throws {
    let base = try table(1)
    func add(_ onClash: NameClash, ifAbsent: Bool = false, type: ColumnType = .text) -> Intent {
        let id = ColumnID(session: session, counter: 1)
        return .addColumn(
            AddColumn(id: id, name: "qty", type: type, onClash: onClash, ifAbsent: ifAbsent))
    }
    #expect(perform([add(.reject)], on: base).status == .rejected)
    let added = perform([add(.suffix)], on: base)
    #expect(added.table.liveColumns.map(\.name) == ["Name", "Qty", "qty 2"])
    #expect(perform([add(.reject, ifAbsent: true, type: .int)], on: base).status == .noop)
    #expect(perform([add(.reject, ifAbsent: true)], on: base).status == .rejected)
    let hidden = perform([.deleteColumn(.id(quantity))], on: base).table
    let late = perform([set(1, 5)], on: hidden)
    #expect(late.status == .hidden)
    #expect(late.table.value(row(1), quantity) == .int(5))
}

@Test("I3, I5: a log that names what is not there is refused")
func faults() throws {
    let base = try table(2)
    let wrong: [Change] = [
        .rowsHidden([row(9)]),
        .rowsInserted(
            RowBlock(ids: [row(1)], place: RowPlace(after: nil), columns: [], cells: [])),
        .rowsMoved([row(1)], to: RowPlace(after: row(9))),
        .cellsSet([CellChange(row: row(1), column: quantity, value: .text("x"))]),
        .columnHidden(ColumnID(session: session, counter: 5)),
    ]
    for change in wrong {
        var copy = base
        #expect(throws: ReferenceFault.self) { try copy.apply(record(2, [change])) }
    }
    var copy = base
    #expect(throws: ReferenceFault.self) { try copy.apply(record(3, [])) }
}
