// The invariants I1 to I10 over histories by chance, of three authors with stale views.
import TableValue
import Testing

@testable import TableModel

private let seeds: [UInt64] = Array(1...(isLong ? 300 : 3))
private let steps = isLong ? 600 : 120

@Suite("Histories by chance")
struct HistoryTests {
    @Test("I1: owner, follower, replay and replicas of snapshots agree", arguments: seeds)
    func everybodyAgrees(seed: UInt64) throws {
        var history = RandomHistory(seed: seed, drawsUndo: true)
        var follower = Table()
        var replicas: [Table] = []
        for step in 0..<steps {
            let applied = history.records.count
            _ = history.step()
            for record in history.records[applied...] {
                var fits = follower.apply(record)
                for index in replicas.indices { fits = replicas[index].apply(record) && fits }
                try #require(fits, "seed \(seed), step \(step)")
            }
            if step % 50 == 20 { replicas.append(snapshot(of: history.owner)) }
            guard step % 10 == 0 else { continue }
            func context() -> Comment { "seed \(seed), step \(step)" }
            try #require(follower.allRows == history.owner.allRows, context())
            let hash = history.owner.contentHash(using: TestDigest.self)
            let followed = follower.contentHash(using: TestDigest.self)
            try #require(followed == hash, context())
            try #require(history.owner.freshHash() == hash, context())
            for index in replicas.indices {
                try #require(replicas[index].liveRows == history.owner.liveRows, context())
                try #require(replicas[index].columns == history.owner.columns, context())
                let replicated = replicas[index].contentHash(using: TestDigest.self)
                try #require(replicated == hash, context())
            }
        }
    }

    private func snapshot(of table: Table) -> Table {
        var loaded = Table(columns: table.columns, head: table.head)
        let columns = table.columns.map(\.id)
        table.forEachRow(from: 0, count: table.rowCount, columns: columns) { row, values in
            loaded.load(rows: [row], columns: columns, cells: values)
        }
        return loaded
    }

    /// Here I2 is: the log's numbers follow each other, and replaying it leads to where its author
    /// is.
    ///
    /// The operations have no client numbers; that one which is sent again counts once is shown by
    /// "I2: …" in TableServerTests/ServerOperationsTests, by the simulation's histories and by the
    /// end-to-end tests with a proxy that cuts.
    @Test("I2 I9: a table replayed from its log goes on as the one that wrote it", arguments: seeds)
    func replayedOwner(seed: UInt64) throws {
        var history = RandomHistory(seed: seed, drawsUndo: true)
        for _ in 0..<steps { _ = history.step() }
        var replayed = Table()
        replayed.keepsUndo = true
        for (index, record) in history.records.enumerated() {
            let fits = replayed.apply(record)
            try #require(fits, "seed \(seed)")
            for target in history.spent[index + 1] ?? [] { replayed.spendUndo(of: target) }
        }
        #expect(history.records.map(\.sequence) == Array(1...history.owner.head))
        for step in 0..<steps / 2 {
            let (op, author, resolution) = history.step()
            // A copy is pinned, as for a snapshot, and let go again: nobody may notice.
            let pinned = replayed
            let again = try? replayed.perform(
                op, by: RandomHistory.author(author), as: replayed.head + 1)
            try #require(again == resolution, "seed \(seed), step \(step), \(op)")
            #expect(pinned.head <= replayed.head)
        }
        #expect(replayed.allRows == history.owner.allRows, "seed \(seed)")
    }

    @Test(
        "I3 I5 I6 I7: order and counts agree, ids are known, blocks stay together",
        arguments: seeds)
    func structure(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        for step in 0..<steps {
            let (op, _, resolution) = history.step()
            func context() -> Comment { "seed \(seed), step \(step), \(op)" }
            if step % 5 == 0 { try #require(history.owner.invariantProblem() == nil, context()) }
            for change in resolution?.changes ?? [] {
                for id in change.rowsNamed {
                    try #require(history.owner.state(of: id) != .unknown, context())
                }
                for id in change.columnsNamed {
                    try #require(history.owner.column(id) != nil, context())
                }
                if op.body.count == 1, case .rowsInserted(let block) = change {
                    let first = try #require(history.owner.position(of: block.ids[0]), context())
                    let found = (0..<block.ids.count).map { history.owner.row(at: first + $0) }
                    try #require(found == block.ids, context())
                    let before = first == 0 ? nil : history.owner.row(at: first - 1)
                    try #require(before == block.place.after, context())
                }
            }
        }
    }

    @Test("I4: no value disappears but by a later write", arguments: seeds)
    func nothingLost(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        var promises = Promises()
        for step in 0..<steps {
            var before = history.owner
            let (op, author, resolution) = history.step()
            if let resolution {
                promises.take(op, resolution, before: before, after: history.owner)
            }
            // Few operations by chance are done as a whole; these mostly are.
            guard step % 2 == 0, let plain = history.plainOp(author) else { continue }
            before = history.owner
            if let resolution = history.perform(plain, by: author) {
                promises.take(plain, resolution, before: before, after: history.owner)
            }
        }
        for (id, cells) in promises.values {
            for (column, value) in cells {
                try #require(history.owner.value(id, column) == value, "seed \(seed), \(id)")
            }
        }
        #expect(promises.count > steps / 4, "seed \(seed)")
    }

    @Test("I8: an undo at once restores the content for everybody", arguments: seeds)
    func undone(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        var replica = Table()
        var undone = 0
        for step in 0..<steps {
            if step == steps / 3 { replica = snapshot(of: history.owner) }
            var before = history.owner
            let records = history.records.count
            let (op, author, _) = history.step()
            guard history.records.count > records else { continue }
            _ = replica.apply(history.records[records])
            let hash = before.contentHash(using: TestDigest.self)
            func context() -> Comment { "seed \(seed), step \(step), \(op)" }
            // On a copy, so that the history goes on from the operation.
            var twin = history
            let target = UndoRequest.Target.sequence(twin.owner.head)
            let performed = twin.perform(Op(body: [.undo(UndoRequest(target))]), by: author)
            let undo = try #require(performed, context())
            try #require(undo.outcome.refused + undo.outcome.gone == 0, context())
            let restored = twin.owner.contentHash(using: TestDigest.self)
            try #require(restored == hash, context())
            try #require(twin.owner.liveRows == before.liveRows, context())
            try #require(twin.owner.invariantProblem() == nil, context())
            guard let record = twin.records.last, record.sequence == twin.owner.head,
                twin.records.count > history.records.count
            else { continue }
            undone += 1
            guard replica.head > 0 else { continue }
            var replicaAfter = replica
            // A column that this replica never knew cannot be shown to it.
            guard replicaAfter.apply(record) else { continue }
            let seen = replicaAfter.contentHash(using: TestDigest.self)
            try #require(seen == hash, context())
        }
        #expect(undone > steps / 4, "seed \(seed)")
    }

    @Test("U14: undoing all of a session and doing it again changes nothing", arguments: seeds)
    func undoneAndRedone(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        for _ in 0..<steps { _ = history.step() }
        let hash = history.owner.contentHash(using: TestDigest.self)
        var count = 0
        // Nobody else acts in between.
        while history.perform(Op(body: [.undo(UndoRequest(.last(ofUser: false)))]), by: 1) != nil {
            count += 1
        }
        #expect(count > steps / 8)
        let redo = Op(body: [.undo(UndoRequest(.lastUndone(ofUser: false)))])
        while history.perform(redo, by: 1) != nil {}
        let again = history.owner.contentHash(using: TestDigest.self)
        #expect(again == hash, "seed \(seed), \(count) undone")
        #expect(history.owner.invariantProblem() == nil)
    }

    @Test("I10: what an author had seen changes the notes and nothing else", arguments: seeds)
    func baseOnlyNotes(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        for step in 0..<steps {
            var twin = history.owner
            let (op, author, resolution) = history.step()
            var other = op
            other.base = SequenceNumber(history.generator.below(Int(twin.head) + 1))
            var again = try? twin.perform(other, by: session(author), as: twin.head + 1)
            again?.outcome.notes = []
            var once = resolution
            once?.outcome.notes = []
            try #require(again == once, "seed \(seed), step \(step), \(op)")
        }
    }
}

extension Change {
    /// Every row that the change names.
    fileprivate var rowsNamed: [RowID] {
        switch self {
        case .rowsInserted(let block), .rowsShown(let block):
            block.ids + [block.place.after, block.place.slot].compactMap { $0 }
        case .cellsSet(let cells): cells.map(\.row)
        case .cellsFilled(_, let rows, _): rows
        case .rowsHidden(let ids): ids
        case .rowsMoved(let ids, let place):
            ids + [place.after, place.slot].compactMap { $0 }
        default: []
        }
    }

    /// Every column that the change names.
    fileprivate var columnsNamed: [ColumnID] {
        switch self {
        case .rowsInserted(let block), .rowsShown(let block): block.columns
        case .cellsSet(let cells): cells.map(\.column)
        case .cellsFilled(let column, _, _): [column]
        case .columnAdded(let column, let place), .columnShown(let column, let place):
            [column.id] + [place.after, place.slot].compactMap { $0 }
        case .columnRenamed(let id, _), .columnRulesSet(let id, _), .columnHidden(let id),
            .columnRetyped(let id, _, _):
            [id]
        case .columnMoved(let id, let place):
            [id] + [place.after, place.slot].compactMap { $0 }
        default: []
        }
    }
}
