import TableModel
import TableValue
import TestSupport
import Testing

@testable import TableClient

/// The table of the stage.
private func stage() -> Table {
    var table = Table(columns: stageColumns, head: 10)
    let cells = (1...3).flatMap { [Value.text(Text("row \($0)")), .int($0), .null] }
    let isLoaded = table.load(
        rows: [row(1), row(2), row(3)], columns: stageColumns.map(\.id), cells: cells)
    #expect(isLoaded)
    return table
}

private func replica(of table: Table = stage()) -> Replica {
    var replica = Replica()
    replica.begin(session: mine)
    replica.load(table, decidedThrough: 0)
    return replica
}

private func pending(_ number: ClientNumber, _ intents: Intent...) -> PendingOp {
    PendingOp(clientNumber: number, op: Op(body: intents), line: [])
}

private func remote(_ sequence: SequenceNumber, _ changes: Change...) -> Record {
    Record(
        sequence: sequence, session: other, clientNumber: 1, user: "u3", timeMilliseconds: 0,
        changes: changes)
}

/// The rows that are shown, by name.
private func shownRows(_ replica: Replica) -> [RowID] {
    (0..<replica.rowCount).compactMap { replica.row(at: $0) }
}

@Test("pending cells show over what is confirmed, and over others' later values")
func cellsShow() {
    var replica = replica()
    replica.add(pending(1, edit(row(1), amount, .int(5))))
    replica.add(pending(2, .addNumber(row: row(1), column: .id(amount), amount: .int(3))))
    replica.add(pending(3, .addNumber(row: row(2), column: .name("amount"), amount: .int(3))))
    replica.refresh()
    #expect(replica.value(row(1), amount) == .int(8))
    #expect(replica.value(row(2), amount) == .int(5))
    var isApplied = replica.apply(
        remote(11, setCell(row(1), amount, .int(100)), setCell(row(2), amount, .int(200))))
    #expect(isApplied)
    replica.refresh()
    #expect(replica.value(row(1), amount) == .int(8))
    #expect(replica.value(row(2), amount) == .int(203))
    #expect(replica.confirmed.value(row(1), amount) == .int(100))
    var own = remote(12, setCell(row(1), amount, .int(5)))
    own.session = mine
    isApplied = replica.apply(own)
    #expect(isApplied)
    replica.refresh()
    #expect(replica.pending.map(\.clientNumber) == [2, 3])
    #expect(replica.value(row(1), amount) == .int(8))
}

@Test("a column that others rename takes pending edits by its old name with it or not")
func renamedColumnUnderPendingCells() {
    var replica = replica()
    let byName = CellEdit(row: row(1), column: .name("amount"), value: .int(5))
    replica.add(pending(1, .setCells([byName])))
    replica.refresh()
    #expect(replica.value(row(1), amount) == .int(5))
    let isApplied = replica.apply(remote(11, .columnRenamed(amount, name: "count")))
    #expect(isApplied)
    replica.refresh()
    #expect(replica.value(row(1), amount) == .int(1), "the server will not find that name")
    #expect(!replica.isPending(row(1), amount))
}

@Test("pending rows stand where the server would put them, with others' rows among them")
func rowsShow() {
    var replica = replica()
    let (first, second) = (row(1, of: mine), row(2, of: mine))
    replica.add(
        pending(1, .insertRows(InsertRows(ids: [first], rowCount: 1, anchor: .after(row(1))))))
    replica.add(
        pending(2, .insertRows(InsertRows(ids: [second], rowCount: 1, anchor: .after(first)))))
    replica.add(pending(3, .deleteRows([row(3)])))
    replica.add(pending(4, edit(second, name, .text("new"))))
    replica.refresh()
    #expect(shownRows(replica) == [row(1), first, second, row(2)])
    #expect(replica.position(of: second) == 2)
    #expect(replica.value(second, name) == .text("new"))
    #expect(replica.isPending(first, amount), "all of a pending row is pending")
    #expect(!replica.isPending(row(2), amount))
    let block = RowBlock(
        ids: [row(9)], place: RowPlace(after: row(1)), columns: [name], cells: [.text("theirs")])
    let isApplied = replica.apply(remote(11, .rowsInserted(block)))
    #expect(isApplied)
    replica.refresh()
    #expect(shownRows(replica) == [row(1), first, second, row(9), row(2)])
    #expect(replica.confirmed.rowCount == 4)
}

@Test("pending columns show, with the cells that wait in them")
func columnsShow() {
    var replica = replica()
    let added = column(1, of: mine)
    replica.add(
        pending(1, .addColumn(AddColumn(id: added, name: "new", type: .int, anchor: .first))))
    replica.add(pending(2, edit(row(1), added, .int(4))))
    replica.add(pending(3, .deleteColumn(.id(due))))
    replica.add(pending(4, .renameColumn(.id(name), name: "title", onClash: .reject)))
    replica.refresh()
    #expect(replica.columns.map(\.id) == [added, name, amount])
    #expect(replica.columns.map(\.name) == ["new", "title", "amount"])
    #expect(replica.value(row(1), added) == .int(4))
    #expect(replica.confirmed.columns == stageColumns)
}

@Test("what the server would refuse does not show")
func refusedDoesNotShow() {
    var replica = replica()
    replica.add(pending(1, edit(row(1), amount, .text("five"))))
    replica.add(pending(2, edit(row(99), amount, .int(1))))
    replica.refresh()
    #expect(replica.value(row(1), amount) == .int(1))
    #expect(replica.value(row(99), amount) == nil)
    var strict = pending(3, edit(row(1), name, .text("x")), .deleteRows([row(99)]))
    strict = PendingOp(
        clientNumber: 3, op: Op(mode: .strict, body: strict.op.body), line: [])
    replica.add(strict)
    replica.refresh()
    #expect(replica.value(row(1), name) == .text("row 1"))
}

@Test("cells that are set strictly show all or not at all")
func strictCells() {
    var replica = replica()
    let good = edit(row(1), amount, .int(5))
    let bad = edit(row(99), amount, .int(5))
    replica.add(
        PendingOp(clientNumber: 1, op: Op(mode: .strict, body: [good, bad]), line: []))
    replica.refresh()
    #expect(replica.value(row(1), amount) == .int(1))
    replica.add(PendingOp(clientNumber: 2, op: Op(mode: .strict, body: [good]), line: []))
    replica.refresh()
    #expect(replica.value(row(1), amount) == .int(5))
}

@Test("a record that came out otherwise than expected is shown as it is, with what follows it")
func otherwiseThanExpected() {
    var replica = replica()
    let (first, second) = (row(1, of: mine), row(2, of: mine))
    replica.add(
        pending(1, .insertRows(InsertRows(ids: [first], rowCount: 1, anchor: .after(row(1))))))
    replica.add(
        pending(2, .insertRows(InsertRows(ids: [second], rowCount: 1, anchor: .after(first)))))
    replica.refresh()
    #expect(shownRows(replica) == [row(1), first, second, row(2), row(3)])
    // The server knew better where the row belongs, under the very number that was expected.
    let block = RowBlock(ids: [first], place: RowPlace(after: row(3)), columns: [], cells: [])
    var own = remote(11, .rowsInserted(block))
    own.session = mine
    let isApplied = replica.apply(own)
    replica.refresh()
    #expect(isApplied && shownRows(replica) == [row(1), row(2), row(3), first, second])
}

@Test("a precondition that others break takes the operation off the screen")
func preconditionUnderway() {
    var replica = replica()
    let guarded = Op(
        preconditions: [.cellValue(row: row(1), column: .id(amount), value: .int(1))],
        body: [edit(row(2), amount, .int(50))])
    replica.add(PendingOp(clientNumber: 1, op: guarded, line: []))
    replica.refresh()
    #expect(replica.value(row(2), amount) == .int(50))
    let isApplied = replica.apply(remote(11, setCell(row(1), amount, .int(7))))
    #expect(isApplied)
    replica.refresh()
    #expect(replica.value(row(2), amount) == .int(2))
}

@Test("a record that does not follow is not applied")
func recordOutOfOrder() {
    var replica = replica()
    for sequence in [9, 10, 12, Int64.max, Int64.min] {
        let isApplied = replica.apply(remote(sequence, setCell(row(1), amount, .int(7))))
        #expect(!isApplied)
    }
    #expect(replica.confirmed.head == 10)
}

// MARK: Against a model

/// Makes operations over a table, sensible and not.
private struct OpMaker {
    var random: SeededRandom
    private var rowCounters: [SessionNumber: UInt32] = [:]
    private var columnCounters: [SessionNumber: UInt32] = [:]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func op(by session: SessionNumber, over table: Table) -> Op {
        var op = Op(
            base: random.below(2) == 0 ? 0 : table.head,
            body: (0...random.below(3)).map { _ in intent(by: session, over: table) })
        if random.below(6) == 0 { op.mode = .strict }
        if random.below(8) == 0 {
            op.preconditions = [
                .cellValue(
                    row: anyRow(table), column: anyColumn(table),
                    value: .int(Int64(random.below(3))))
            ]
        }
        return op
    }

    mutating func plainOp(over table: Table) -> Op {
        Op(body: (0...random.below(3)).map { _ in cells(over: table) })
    }

    private mutating func intent(by session: SessionNumber, over table: Table) -> Intent {
        switch random.below(14) {
        case 0, 1, 2: insertRows(by: session, over: table)
        case 3: .deleteRows((0...random.below(2)).map { _ in anyRow(table) })
        case 4, 5: .moveRows((0...random.below(2)).map { _ in anyRow(table) }, to: anchor(table))
        case 6:
            .addColumn(
                AddColumn(
                    id: nextColumn(of: session), name: anyName(),
                    type: ColumnType.allCases[random.below(ColumnType.allCases.count)],
                    anchor: random.below(2) == 0 ? .last : .first,
                    onClash: random.below(2) == 0 ? .reject : .suffix,
                    ifAbsent: random.below(4) == 0))
        case 7: .renameColumn(anyColumn(table), name: anyName(), onClash: .suffix)
        case 8: .moveColumn(anyColumn(table), to: .after(anyColumn(table)))
        case 9: random.below(4) == 0 ? .deleteColumn(anyColumn(table)) : cells(over: table)
        default: cells(over: table)
        }
    }

    private mutating func cells(over table: Table) -> Intent {
        if random.below(3) == 0 {
            return .addNumber(row: anyRow(table), column: anyColumn(table), amount: anyValue())
        }
        return .setCells(
            (0...random.below(3)).map { _ in
                CellEdit(row: anyRow(table), column: anyColumn(table), value: anyValue())
            })
    }

    private mutating func insertRows(by session: SessionNumber, over table: Table) -> Intent {
        let count = 1 + random.below(3)
        let ids = (0..<count).map { _ in
            // Now and then an id that is taken.
            random.below(12) == 0 ? anyRow(table) : nextRow(of: session)
        }
        let columns = [anyColumn(table)]
        let values = (0..<count).map { _ in anyValue() }
        return .insertRows(
            InsertRows(
                ids: ids, rowCount: count, anchor: anchor(table), columns: columns, cells: values))
    }

    private mutating func nextRow(of session: SessionNumber) -> RowID {
        rowCounters[session, default: 100] += 1
        return row(rowCounters[session] ?? 0, of: session)
    }

    private mutating func nextColumn(of session: SessionNumber) -> ColumnID {
        columnCounters[session, default: 100] += 1
        return column(columnCounters[session] ?? 0, of: session)
    }

    private mutating func anchor(_ table: Table) -> RowAnchor {
        switch random.below(5) {
        case 0: .first
        case 1: .last
        default: .after(anyRow(table))
        }
    }

    private mutating func anyRow(_ table: Table) -> RowID {
        if random.below(12) == 0 { return row(UInt32(random.below(5)), of: other) }
        return table.row(at: random.below(table.rowCount)) ?? row(1)
    }

    private mutating func anyColumn(_ table: Table) -> ColumnReference {
        let columns = table.columns
        guard !columns.isEmpty, random.below(12) > 0 else { return .id(due) }
        let column = columns[random.below(columns.count)]
        return random.below(4) == 0 ? .name(column.name) : .id(column.id)
    }

    private mutating func anyName() -> Text {
        (["name", "Name", "amount", "due", "x", "y", "z"] as [Text])[random.below(7)]
    }

    private mutating func anyValue() -> Value {
        switch random.below(10) {
        case 0: .null
        case 1: .text("soon")
        case 2: .text("2026-11-30")
        case 3: .double(Double(random.below(5)) / 2)
        case 4: .int(.max)
        case 5: .bool(true)
        default: .int(Int64(random.below(5)))
        }
    }
}

/// Expects a replica to show what performing its pending operations on its confirmed table gives.
private func expectLikeModel(_ replica: Replica, _ known: [RowID], _ note: String) {
    var model = replica.confirmed
    for pending in replica.pending {
        _ = try? model.perform(pending.op, by: mine, as: model.head + 1)
    }
    #expect(replica.columns == model.columns, "columns, \(note)")
    #expect(replica.rowCount == model.rowCount, "row count, \(note)")
    for position in 0..<max(replica.rowCount, model.rowCount) {
        guard replica.row(at: position) == model.row(at: position) else {
            Issue.record("row at \(position), \(note)")
            return
        }
    }
    // Thousands of cells: an expectation for each would take most of the test's time.
    for id in known {
        guard replica.position(of: id) == model.position(of: id) else {
            Issue.record("position of \(id), \(note)")
            return
        }
        for column in model.columns.map(\.id) + [due, amount]
        where replica.value(id, column) != model.value(id, column) {
            Issue.record("cell \(id) \(column), \(note)")
            return
        }
    }
}

@Test(
    "R1 C1 S1: the overlay is what the server's own verb makes of the pending operations",
    arguments: 0..<24 as Range<UInt64>)
func overlayLikeModel(seed: UInt64) {
    var maker = OpMaker(seed: seed)
    let isPlainOnly = seed % 4 == 0
    var server = stage()
    var replica = replica(of: server)
    var next: ClientNumber = 1
    var known: Set<RowID> = [row(1), row(2), row(3), row(4)]
    for step in 0..<120 {
        let note = "seed \(seed), step \(step)"
        switch maker.random.below(10) {
        case 0, 1, 2, 3:
            replica.refresh()
            let op =
                isPlainOnly || maker.random.below(3) == 0
                ? maker.plainOp(over: server) : maker.op(by: mine, over: server)
            replica.add(PendingOp(clientNumber: next, op: op, line: []))
            next += 1
        case 4, 5:
            let op =
                maker.random.below(2) == 0
                ? maker.plainOp(over: server) : maker.op(by: other, over: server)
            guard let record = perform(op, by: other, number: 1, on: &server) else { continue }
            let isApplied = replica.apply(record)
            #expect(isApplied, "\(note)")
        case 6, 7, 8:
            guard let first = replica.pending.first else { continue }
            let record = perform(first.op, by: mine, number: first.clientNumber, on: &server)
            if let record {
                let isApplied = replica.apply(record)
                #expect(isApplied, "\(note)")
            } else {
                replica.drop(first.clientNumber)
            }
        default:
            replica.load(server, decidedThrough: 0)
        }
        for position in 0..<server.rowCount { known.insert(server.row(at: position) ?? row(1)) }
        if maker.random.below(2) == 0 { replica.refresh() }
        var shown = replica
        shown.refresh()
        expectLikeModel(shown, known.sorted { $0.rawValue < $1.rawValue }, note)
    }
}

/// Performs an operation at the server; nil where it makes no record.
private func perform(
    _ op: Op, by session: SessionNumber, number: ClientNumber, on table: inout Table
) -> Record? {
    let resolution = try? table.perform(op, by: session, as: table.head + 1)
    guard let resolution, !resolution.changes.isEmpty else { return nil }
    return Record(
        sequence: table.head, session: session, clientNumber: number, user: "u3",
        timeMilliseconds: 0, changes: resolution.changes, outcome: resolution.outcome)
}
