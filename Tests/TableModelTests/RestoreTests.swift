// Rule T15: a table, its rows and cells are brought back as they were, by an operation that undo
// takes back; nothing that others do meanwhile is lost.
import TableValue
import Testing

@testable import TableModel

private let seeds: [UInt64] = Array(1...(isLong ? 300 : 6))

/// A table with its past, whoever restores.
private struct Past {
    var owner = Table()
    var follower = Table()
    var pasts: [Table] = []
    var hashes: [[UInt8]] = []

    init() {
        owner.keepsUndo = true
        follower.keepsUndo = true
    }

    /// Performs an operation; both tables must come to the same.
    @discardableResult
    mutating func act(
        _ author: UInt32, base: SequenceNumber = 0, mode: OpMode = .best,
        from past: SequenceNumber? = nil, _ body: Intent...
    ) throws -> Resolution {
        let user = Text("u\(author)")
        let by = OpAuthor(session: session(author), user: user)
        let next = owner.head + 1
        let resolution = try owner.perform(
            Op(base: base, mode: mode, body: body), by: by, as: next,
            in: Circumstances(user: user, timeMilliseconds: 5),
            from: past.map { pasts[Int($0) - 1] })
        guard !resolution.changes.isEmpty else { return resolution }
        let record = Record(
            sequence: next, session: session(author), clientNumber: 0, user: user,
            timeMilliseconds: 5, changes: resolution.changes, outcome: resolution.outcome)
        let fits = follower.apply(record)
        #expect(fits)
        note()
        return resolution
    }

    mutating func note() {
        let hash = owner.contentHash(using: TestDigest.self)
        let followed = follower.contentHash(using: TestDigest.self)
        #expect(hash == followed)
        #expect(owner.allRows == follower.allRows)
        #expect(owner.invariantProblem() == nil)
        pasts.append(owner.asPast)
        hashes.append(hash)
    }

    @discardableResult
    mutating func restore(
        _ author: UInt32, to past: SequenceNumber, rows: [RowID]? = nil,
        columns: [ColumnReference]? = nil, mode: OpMode = .best
    ) throws -> Resolution {
        try act(
            author, mode: mode, from: past,
            .restore(RestoreRequest(to: .sequence(past), rows: rows, columns: columns)))
    }

    /// Three rows, a unique number, a computed column, and a rule.
    static func stock() throws -> Past {
        var past = Past()
        try past.act(
            1, .addColumn(AddColumn(name: "qty", type: .int)),
            .addColumn(AddColumn(name: "name", type: .text)),
            .insertRows(
                InsertRows(
                    rowCount: 3, columns: [.name("qty"), .name("name")],
                    cells: [.int(1), .text("a"), .int(2), .text("b"), .int(3), .text("c")])))
        return past
    }
}

private func rules(_ column: Text, _ key: Text, _ value: JSONTree) -> Intent {
    .changeRules(.name(column), .object([JSONMember(key: key, value: value)]))
}

private func server(_ counter: UInt32) -> RowID { row(counter, 0) }
private let undoLast = Intent.undo(UndoRequest(.last(ofUser: false)))

@Suite("Bringing back the past")
struct RestoreTests {
    @Test("T15: a whole table comes back in one record, and one undo takes that back")
    func whole() throws {
        var past = try Past.stock()
        try past.act(
            2, .setCells([CellEdit(row: server(1), column: .name("qty"), value: .int(9))]),
            .deleteRows([server(2)]),
            .insertRows(InsertRows(rowCount: 1, anchor: .first)),
            .renameColumn(.name("qty"), name: "count", onClash: .reject),
            .addColumn(AddColumn(name: "qty", type: .text)),
            .moveColumn(.name("name"), to: .first), .moveRows([server(3)], to: .first))
        let restored = try past.restore(3, to: 1)
        #expect(past.hashes[2] == past.hashes[0])
        guard case .restored(let counts)? = restored.outcome.notes.last else {
            Issue.record("no note: \(restored.outcome)")
            return
        }
        #expect(counts.sequence == 1 && counts.cells == 1 && counts.columns == 3)
        let undone = try past.act(3, mode: .strict, undoLast)
        #expect(undone.outcome.status == .ok)
        #expect(past.hashes[3] == past.hashes[1])
        try past.act(3, .undo(UndoRequest(.lastUndone(ofUser: false))))
        #expect(past.hashes[4] == past.hashes[0])
        #expect(try past.restore(3, to: 1).outcome.status == .noop)
    }

    @Test("T15: rules that came, went and changed since; values that must differ change places")
    func ruled() throws {
        var past = try Past.stock()
        try past.act(1, rules("qty", "unique", .bool(true)), rules("qty", "max", .int(5)))
        try past.act(
            1, .addColumn(AddColumn(name: "twice", type: .int)),
            rules("twice", "computed", .text("qty * 2")))
        let then = past.owner.head
        try past.act(2, rules("qty", "max", .null), rules("name", "required", .bool(true)))
        for value in [50, 60, 1, 3, 2] {
            let slot: UInt32 = [50: 1, 60: 2, 1: 3, 3: 2, 2: 1][value] ?? 1
            try past.act(
                2,
                .setCells([
                    CellEdit(row: server(slot), column: .name("qty"), value: .int(Int64(value)))
                ]))
        }
        try past.act(2, rules("twice", "computed", .null), .deleteColumn(.name("twice")))
        let before = past.owner.head
        try past.restore(3, to: then)
        #expect(past.hashes.last == past.hashes[Int(then) - 1])
        let undone = try past.act(3, undoLast)
        #expect(undone.outcome.status == .ok, "\(undone.outcome)")
        #expect(past.hashes.last == past.hashes[Int(before) - 1])
        // The rules are in force again.
        let refused = try past.restore(3, to: then)
        #expect(refused.outcome.status == .ok)
        #expect(throws: Rejection.self) {
            var copy = past
            try copy.act(
                2, .setCells([CellEdit(row: server(1), column: .name("qty"), value: .int(6))]))
        }
    }

    @Test("T15: names that changed places go back, and undo exchanges them again")
    func names() throws {
        var past = try Past.stock()
        try past.act(
            2, .renameColumn(.name("qty"), name: "x", onClash: .reject),
            .renameColumn(.name("name"), name: "qty", onClash: .reject),
            .renameColumn(.name("x"), name: "name", onClash: .reject))
        try past.restore(3, to: 1)
        #expect(past.hashes[2] == past.hashes[0])
        let undone = try past.act(3, undoLast)
        #expect(undone.outcome.notes == [])
        #expect(past.hashes[3] == past.hashes[1])
    }

    @Test("T15 S11: a column that held another type holds that again, with the values of then")
    func types() throws {
        var past = try Past.stock()
        try past.act(
            2, .retypeColumn(RetypeColumn(column: .name("qty"), type: .text)),
            .setCells([CellEdit(row: server(1), column: .name("qty"), value: .text("soon"))]))
        try past.restore(3, to: 1)
        #expect(past.hashes[2] == past.hashes[0])
        let undone = try past.act(3, undoLast)
        #expect(undone.outcome.notes == [])
        #expect(past.hashes[3] == past.hashes[1])
        try past.act(3, .undo(UndoRequest(.lastUndone(ofUser: false))))
        #expect(past.hashes[4] == past.hashes[0])
    }

    @Test("T15: what others do after a restore stays; undo leaves what they have gone on from")
    func later() throws {
        var past = try Past.stock()
        try past.act(
            2,
            .setCells([
                CellEdit(row: server(1), column: .name("qty"), value: .int(7)),
                CellEdit(row: server(2), column: .name("qty"), value: .int(8)),
            ]))
        let base = past.owner.head
        try past.restore(3, to: 1)
        let edit = CellEdit(row: server(1), column: .name("qty"), value: .int(9))
        try past.act(2, base: base, .setCells([edit]))
        #expect(past.owner.value(server(1), column(1)) == .int(9))
        let undone = try past.act(3, undoLast)
        #expect(undone.outcome.status == .partial)
        #expect(past.owner.value(server(1), column(1)) == .int(9))
        #expect(past.owner.value(server(2), column(1)) == .int(8))
    }

    @Test("T15: single rows, columns and cells come back; the rest stays as it is")
    func parts() throws {
        var past = try Past.stock()
        try past.act(
            2,
            .setCells([
                CellEdit(row: server(1), column: .name("qty"), value: .int(7)),
                CellEdit(row: server(1), column: .name("name"), value: .text("z")),
                CellEdit(row: server(3), column: .name("qty"), value: .int(8)),
            ]), .deleteRows([server(2)]), .insertRows(InsertRows(rowCount: 1)))
        let before = past.hashes.last
        try past.restore(3, to: 1, rows: [server(1)], columns: [.name("qty")])
        #expect(past.owner.value(server(1), column(1)) == .int(1))
        #expect(past.owner.value(server(1), column(2)) == .text("z"))
        try past.restore(3, to: 1, rows: [server(1), server(2), server(4)])
        #expect(past.owner.value(server(1), column(2)) == .text("a"))
        #expect(past.owner.liveRows == [server(1), server(2), server(3)])
        #expect(past.owner.value(server(3), column(1)) == .int(8))
        try past.restore(3, to: 1, columns: [.name("qty")])
        #expect(past.hashes.last == past.hashes[0])
        for _ in 0..<3 { try past.act(3, undoLast) }
        #expect(past.hashes.last == before)
        let unknown = try past.restore(3, to: 1, rows: [row(9, 9)])
        #expect(unknown.outcome.status == .gone)
        #expect(throws: Rejection.self) {
            var copy = past
            try copy.restore(3, to: 1, columns: [.name("none")])
        }
    }

    @Test("T15: a cell that would break a rule of now is refused, the others come back")
    func refusedParts() throws {
        var past = try Past.stock()
        try past.act(
            2,
            .setCells([
                CellEdit(row: server(1), column: .name("qty"), value: .int(7)),
                CellEdit(row: server(3), column: .name("qty"), value: .int(8)),
                CellEdit(row: server(2), column: .name("qty"), value: .int(6)),
            ]), rules("qty", "min", .int(2)))
        #expect(throws: Rejection.self) {
            var copy = past
            try copy.restore(3, to: 1, columns: [.name("qty")], mode: .strict)
        }
        let restored = try past.restore(3, to: 1, columns: [.name("qty")])
        #expect(restored.outcome.status == .partial && restored.outcome.refused == 1)
        #expect(past.owner.value(server(1), column(1)) == .int(7))
        #expect(past.owner.value(server(3), column(1)) == .int(3))
    }

    @Test("T15: without a past, beside another intent, or of too many rows it is refused")
    func refused() throws {
        var past = try Past.stock()
        func code(_ past: Past, _ op: Op, from table: Table?) -> Rejection.Code? {
            var owner = past.owner
            do {
                _ = try owner.perform(
                    op, by: OpAuthor(session: session(2)), as: owner.head + 1, from: table)
                return nil
            } catch {
                #expect(owner.contentHash(using: TestDigest.self) == past.hashes.last)
                return error.code
            }
        }
        let restore = Intent.restore(RestoreRequest(to: .sequence(1)))
        try past.act(2, .deleteRows([server(1)]))
        #expect(code(past, Op(body: [restore]), from: nil) == .unknownRecord)
        #expect(code(past, Op(body: [restore, .clear]), from: past.pasts[0]) == .malformed)
        past.owner.limits.wideRowsMax = 2
        #expect(code(past, Op(body: [restore]), from: past.pasts[0]) == .tooManyParts)
    }

    @Test(
        "T15 I8: any past of any history comes back, and undo brings back what was",
        arguments: seeds)
    func everyPast(seed: UInt64) throws {
        var history = RandomHistory(seed: seed, drawsUndo: true)
        var generator = Seeded(seed: seed &+ 77)
        var past = Past()
        var taken = 0
        for round in 0..<12 {
            for _ in 0..<12 { _ = history.step() }
            for record in history.records[taken...] {
                let first = past.owner.apply(record)
                let second = past.follower.apply(record)
                try #require(first && second, "seed \(seed)")
                past.pasts.append(past.owner.asPast)
                past.hashes.append(past.owner.contentHash(using: TestDigest.self))
            }
            taken = history.records.count
            guard past.owner.head > 0 else { continue }
            // On a copy: the history goes on from where it was.
            var copy = past
            let present = copy.hashes.last
            let target = SequenceNumber(generator.below(Int(copy.owner.head)) + 1)
            let restored = try copy.restore(9, to: target)
            func context() -> Comment { "seed \(seed), round \(round), to \(target)" }
            try #require(copy.hashes.last == copy.hashes[Int(target) - 1], context())
            guard !restored.changes.isEmpty else { continue }
            let undone = try copy.act(9, undoLast)
            try #require(copy.hashes.last == present, context())
            try #require(undone.outcome.status == .ok, "\(undone.outcome) \(context())")
            try copy.act(9, .undo(UndoRequest(.lastUndone(ofUser: false))))
            try #require(copy.hashes.last == copy.hashes[Int(target) - 1], context())
        }
    }
}
