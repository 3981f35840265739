// The content hash: the bytes of docs/protocol.md, and that remembering never shows.
import TableValue
import Testing

@testable import TableModel

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

private let identifier = Value.uuid(
    Identifier128(high: 0x0190_f5fe_7c2b_7d1e, low: 0x8d4e_3a4b_b4c6_b1a2))

/// One column of every type, named as the Python program that made the expected hashes does.
private let everyColumn = [
    Column(id: column(1), name: "qty", type: .int),
    Column(id: column(2), name: "ñame", type: .text),
    Column(id: column(1, 7), name: "price", type: .double),
    Column(id: column(2, 7), name: "open", type: .bool),
    Column(id: column(3, 7), name: "day", type: .date),
    Column(id: column(4, 7), name: "at", type: .datetime),
    Column(id: column(5, 7), name: "key", type: .uuid),
]

@Suite("Content hash")
struct ContentHashTests {
    @Test("the test's own SHA-256 gives the digest of the standard's example")
    func standardExample() {
        var digest = Sha256()
        unsafe digest.update(Array("abc".utf8).span.bytes)
        #expect(
            hexadecimal(digest.finish())
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("an empty table hashes as the Python example of the protocol does")
    func emptyTable() {
        var table = Table(columns: everyColumn, head: 3)
        #expect(
            hexadecimal(table.contentHash(using: Sha256.self))
                == "ff003f77d1a3eea79fbad5160ef1104f7341871450932165beb003ef9a4c54e9")
    }

    @Test("every type of value hashes as the Python example of the protocol does")
    func everyType() {
        var table = Table(columns: everyColumn, head: 3)
        let cells: [Value] = [
            .int(5), .text("a"), .double(0.5), .bool(true), .text("2026-11-30"),
            .text("2026-11-30T08:00:00+01:00"), identifier,
            .null, .null, .null, .null, .null, .null, .null,
            .int(-1), .text(""), .double(-0.0), .bool(false), .text("0001-01-01"),
            .text("1969-12-31T23:59:59.999999Z"), identifier,
            .int(.max), .text("é\n"), .double(.infinity), .null, .text("9999-12-31"),
            .text("2026-11-30T08:00:00-11:30"), identifier,
        ]
        let loaded = table.load(
            rows: [row(1), row(2), row(1, 2), row(2, 2)], columns: everyColumn.map(\.id),
            cells: cells)
        #expect(loaded)
        #expect(
            hexadecimal(table.contentHash(using: Sha256.self))
                == "b0904c3f781a0c09813981fdc5f142877afc0a51e036989f6c72bffdcea2d92c")
    }

    @Test("a table of several groups hashes as the Python example of the protocol does")
    func severalGroups() {
        let qty = [Column(id: column(1), name: "qty", type: .int)]
        let numbers = (1...16_000).filter { $0 % 1_000 != 0 }.reversed()
        var table = Table(columns: qty, head: 1)
        let loaded = table.load(
            rows: numbers.map { row(UInt32($0)) }, columns: [column(1)],
            cells: numbers.map { .int(Int64($0)) })
        #expect(loaded)
        #expect(
            hexadecimal(table.contentHash(using: Sha256.self))
                == "1da6b930efb97e227dc8a66c826d8c7ba9a3b15587f761ebdd538e498faa2b28")
    }

    @Test("a renamed column changes the hash, a version does not")
    func whatCounts() throws {
        var table = try smallTable()
        let first = table.contentHash(using: TestDigest.self)
        try table.act(2, set(row(1), column(1), .int(11)))
        #expect(table.contentHash(using: TestDigest.self) != first)
        try table.act(3, set(row(1), column(1), .int(10)))
        #expect(table.contentHash(using: TestDigest.self) == first)
        try table.act(2, .renameColumn(.id(column(1)), name: "quantity", onClash: .reject))
        #expect(table.contentHash(using: TestDigest.self) != first)
        try table.act(2, .renameColumn(.id(column(1)), name: "qty", onClash: .reject))
        try table.act(2, .deleteRows([row(2)]))
        #expect(table.contentHash(using: TestDigest.self) != first)
        #expect(table.contentHash(using: TestDigest.self) == table.freshHash())
    }

    @Test("another digest is not given what the first one remembered")
    func twoDigests() throws {
        var table = try smallTable()
        let quick = table.contentHash(using: TestDigest.self)
        let real = table.contentHash(using: Sha256.self)
        #expect(quick != real)
        #expect(table.contentHash(using: TestDigest.self) == quick)
    }

    @Test("the hash kept up to date is the hash made anew", arguments: 1...(isLong ? 60 : 4))
    func incremental(seed: UInt64) throws {
        var generator = Seeded(seed: seed)
        var table = Table(
            columns: [Column(id: column(1), name: "qty", type: .int)], head: 1)
        table.keepsUndo = true
        table.hashCut = HashCut(groupMask: 0x3, runMask: 0x1F)
        var next: UInt32 = 1
        for step in 0..<(isLong ? 1_500 : 250) {
            for _ in 0...generator.below(4) {
                let record = Record(
                    sequence: table.head + 1, session: session(1), clientNumber: 0, user: "u1",
                    timeMilliseconds: 0, changes: randomChanges(&table, &generator, &next))
                let fits = table.apply(record)
                try #require(fits, "seed \(seed), step \(step)")
                guard generator.chance(25) else { continue }
                let undo = UndoRequest(.sequence(table.head))
                _ = try table.perform(
                    Op(body: [.undo(undo)]), by: session(1), as: table.head + 1)
            }
            let kept = table.contentHash(using: TestDigest.self)
            try #require(kept == table.freshHash(), "seed \(seed), step \(step)")
        }
    }

    @Test(
        "a hash made in pieces is the hash of the table as it was, whatever is written meanwhile",
        arguments: 1...(isLong ? 60 : 6))
    func pieces(seed: UInt64) throws {
        var generator = Seeded(seed: seed)
        var table = Table(
            columns: [
                Column(id: column(1), name: "qty", type: .int),
                Column(id: column(2), name: "due", type: .date),
            ], head: 1)
        table.hashCut = HashCut(groupMask: 0x3, runMask: 0x1F)
        var next: UInt32 = 1
        for step in 0..<(isLong ? 400 : 80) {
            for change in randomChanges(&table, &generator, &next) {
                let fits = table.apply(change, stamp: Stamp(sequence: 2, session: 1))
                try #require(fits, "seed \(seed), step \(step)")
            }
            let expected = table.freshHash()
            var hashing = ContentHashing(of: &table, using: TestDigest.self)
            var hash: [UInt8]?
            while hash == nil {
                let given = 1 + generator.below(400)
                var budget = given
                hash = hashing.advance(&budget)
                try #require(hash != nil || budget < given, "seed \(seed), step \(step): goes on")
                // A day is nine bytes, the steps back to a run's beginning are eight each.
                try #require(budget > -2_000, "seed \(seed), step \(step): not beyond the budget")
                for change in randomChanges(&table, &generator, &next) {
                    let fits = table.apply(change, stamp: Stamp(sequence: 2, session: 1))
                    try #require(fits, "seed \(seed), step \(step)")
                }
            }
            try #require(hash == expected, "seed \(seed), step \(step)")
            if generator.chance(80) { table.remember(hashing) }
            let kept = table.contentHash(using: TestDigest.self)
            try #require(kept == table.freshHash(), "seed \(seed), step \(step), remembered")
        }
    }

    @Test("a row of many cells is digested in pieces too")
    func piecesOfRow() throws {
        let columns = (1...1_000).map {
            Column(id: column(UInt32($0)), name: Text("c\($0)"), type: .int)
        }
        var table = Table(columns: columns, head: 1)
        let isLoaded = table.load(
            rows: [row(1)], columns: columns.map(\.id), cells: columns.map { _ in .int(7) })
        #expect(isLoaded)
        let expected = table.freshHash()
        var hashing = ContentHashing(of: &table, using: TestDigest.self)
        var pieces = 0
        var hash: [UInt8]?
        while hash == nil {
            var budget = 130
            hash = hashing.advance(&budget)
            pieces += 1
            #expect(budget > -13, "at most one cell more than what was allowed")
        }
        #expect(hash == expected)
        #expect(pieces >= 100)
    }

    @Test("few rows marked often are kept in mind, marks all over the table are given up")
    func manyMarks() throws {
        var table = Table(
            columns: [Column(id: column(1), name: "qty", type: .int)], head: 1)
        let ids = (1...3_000).map { row(UInt32($0)) }
        let isLoaded = table.load(rows: ids, columns: [], cells: [])
        #expect(isLoaded)
        func set(_ index: Int, _ number: Int) -> Change {
            let value = Value.int(Int64(number))
            return .cellsSet([CellChange(row: ids[index], column: column(1), value: value)])
        }
        for (rowsUsed, isKept) in [(50, true), (3_000, false)] {
            _ = table.contentHash(using: TestDigest.self)
            for step in 0..<10_000 {
                let fits = table.apply(
                    set(step * 7 % rowsUsed, step), stamp: Stamp(sequence: 2, session: 1))
                try #require(fits)
            }
            #expect((table.hashCache != nil) == isKept)
            #expect((table.hashCache?.marked.count ?? 0) <= 4_096)
            #expect(table.contentHash(using: TestDigest.self) == table.freshHash())
        }
    }

    private func randomChanges(
        _ table: inout Table, _ generator: inout Seeded, _ next: inout UInt32
    ) -> [Change] {
        func live() -> RowID { table.row(at: generator.below(max(1, table.rowCount))) ?? row(1) }
        func any() -> RowID {
            let slots = max(1, table.rows.ids.count)
            guard table.rows.ids.count > 0 else { return row(1) }
            return table.rows.ids[UInt32(generator.below(slots))]
        }
        guard table.rowCount > 20 else {
            defer { next += 60 }
            let ids = (next..<next + 60).map { row($0) }
            return [
                .rowsInserted(
                    RowBlock(ids: ids, place: RowPlace(after: nil), columns: [], cells: []))
            ]
        }
        switch generator.below(10) {
        case ..<2:
            defer { next += 1 }
            let place = RowPlace(after: generator.chance(10) ? nil : live())
            return [
                .rowsInserted(RowBlock(ids: [row(next)], place: place, columns: [], cells: []))
            ]
        case ..<4:
            return [
                .cellsSet([
                    CellChange(
                        row: any(), column: column(1), value: .int(Int64(generator.below(9))))
                ])
            ]
        case ..<6:
            return [.rowsHidden((0...generator.below(3)).map { _ in any() })]
        default:
            let anchor = any()
            var moved: [RowID] = []
            for _ in 0...generator.below(4) {
                let row = any()
                if row != anchor, !moved.contains(row) { moved.append(row) }
            }
            return [.rowsMoved(moved, to: RowPlace(after: nil, slot: anchor))]
        }
    }
}
