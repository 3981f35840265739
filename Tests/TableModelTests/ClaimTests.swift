// Rules C18 to C20: rows that are claimed, leases on them, and what time does to these. A claim is
// compared with a look at all rows, whatever happened before it.
import TableValue
import Testing

@testable import TableModel

private func claim(
    _ condition: Text?, _ cells: [(Text, Value)] = [], lease: Int? = nil
) -> Intent {
    .claimRow(
        ClaimRow(
            where: condition, setting: cells.map { UpsertRow.Cell(.name($0), $1) },
            leaseSeconds: lease))
}

private func change(_ kind: LeaseChange.Kind, _ row: RowID, _ claim: SequenceNumber? = nil)
    -> Intent
{
    .changeLease(LeaseChange(kind, row, claim: claim))
}

private let taken = claim("qty > 0", [("qty", .int(-1))])

/// A table that the server would keep: rows `s1.N` with N in the column "qty".
private struct Shop {
    var table = Table()
    var milliseconds: Int64 = 1_000_000
    var records: [Record] = []

    init(rows count: UInt32) throws {
        table.keepsUndo = true
        try act(
            0, .addColumn(AddColumn(name: "qty", type: .int)),
            .addColumn(AddColumn(name: "name", type: .text)))
        let ids = (1...count).map { row($0) }
        try act(
            1,
            .insertRows(
                InsertRows(
                    ids: ids, rowCount: ids.count, columns: [.name("qty")],
                    cells: ids.map { .int(Int64($0.counter)) })))
    }

    @discardableResult
    mutating func act(_ number: UInt32, _ body: Intent...) throws(Rejection) -> Outcome {
        let circumstances = Circumstances(
            user: Text("u\(number)"), timeMilliseconds: milliseconds)
        let author = OpAuthor(session: session(number), user: circumstances.user)
        let resolution = try table.perform(
            Op(body: body), by: author, as: table.head + 1, in: circumstances)
        if !resolution.changes.isEmpty { note(resolution, author) }
        return resolution.outcome
    }

    /// Ends one lease whose time is over; false where there is none.
    mutating func expire() -> Bool {
        let ended = table.expireLease(
            by: milliseconds, as: table.head + 1,
            in: Circumstances(user: "", timeMilliseconds: milliseconds))
        guard let ended else { return false }
        note(ended.resolution, ended.author)
        return true
    }

    /// Ends all leases whose time is over.
    mutating func expireAll(expecting wanted: Int? = nil) {
        var count = 0
        while expire() { count += 1 }
        #expect(wanted == nil || wanted == count)
    }

    private mutating func note(_ resolution: Resolution, _ author: OpAuthor) {
        records.append(
            Record(
                sequence: table.head, session: author.session, clientNumber: 0, user: author.user,
                timeMilliseconds: milliseconds, changes: resolution.changes,
                outcome: resolution.outcome))
    }

    /// The table as who replays the log has it.
    mutating func restart() {
        var again = Table()
        again.keepsUndo = true
        for record in records {
            let isApplied = again.apply(record)
            #expect(isApplied)
        }
        #expect(again.liveRows == table.liveRows)
        table = again
    }
}

private func refusal(_ shop: inout Shop, _ number: UInt32, _ intent: Intent) -> Rejection.Code? {
    do throws(Rejection) {
        try shop.act(number, intent)
        return nil
    } catch {
        return error.code
    }
}

@Suite struct ClaimTests {
    @Test("C18: rows are given in the order of the table, each once, with all their cells")
    func inOrder() throws {
        var shop = try Shop(rows: 3)
        try shop.act(1, .moveRows([row(3)], to: .first))
        for (author, wanted) in [(2, 3), (3, 1), (2, 2)] as [(UInt32, UInt32)] {
            let outcome = try shop.act(author, taken)
            #expect(outcome.rows == [row(wanted)])
            #expect(outcome.columns == [column(1), column(2)])
            #expect(outcome.values == [.int(-1), .null])
        }
        let head = shop.table.head
        let none = try shop.act(2, taken)
        #expect(none.status == .noop && none.notes == [.nothingToClaim] && none.rows.isEmpty)
        #expect(shop.table.head == head)
    }

    @Test("C18: what leaves the row open, or makes no sense, is refused and changes nothing")
    func refused() throws {
        var shop = try Shop(rows: 2)
        #expect(refusal(&shop, 2, claim("qty > 0", [("name", .text("a"))])) == .stillClaimable)
        #expect(refusal(&shop, 2, claim(nil, [("name", .null)])) == .stillClaimable)
        #expect(refusal(&shop, 2, claim("qty > 0")) == .malformed)
        #expect(refusal(&shop, 2, claim("qty >", lease: 5)) == .badExpression)
        #expect(refusal(&shop, 2, claim(nil, [("none", .int(1))])) == .unknownColumn)
        #expect(refusal(&shop, 2, claim("qty > 0", [("qty", .text("x"))])) == .wrongType)
        #expect(refusal(&shop, 2, claim(nil, [("qty", .int(1)), ("qty", .int(2))])) == .malformed)
        for seconds in [0, 86_401] {
            #expect(refusal(&shop, 2, claim(nil, lease: seconds)) == .outOfRange)
        }
        #expect(shop.table.value(row(1), column(2)) == .null)
        // A row for which the condition has no value holds nobody up.
        try shop.act(1, .setCells([CellEdit(row: row(1), column: .name("qty"), value: .int(0))]))
        #expect(try shop.act(2, claim("6 / qty > 1", [("qty", .int(-1))])).rows == [row(2)])
    }

    @Test("C18: without a condition rows are open whose cells that are set are empty")
    func emptyCells() throws {
        var shop = try Shop(rows: 2)
        for wanted in [[row(1)], [row(2)], []] {
            #expect(try shop.act(2, claim(nil, [("name", .text("me"))])).rows == wanted)
        }
    }

    @Test("C19, U2: a row is given back but for what was written since, and is open again")
    func givenBack() throws {
        var shop = try Shop(rows: 2)
        let claimed = claim("qty > 0", [("qty", .int(-1)), ("name", .text("me"))], lease: 60)
        #expect(try shop.act(2, claimed).rows == [row(1)])
        let number = shop.table.head
        try shop.act(
            2, .setCells([CellEdit(row: row(1), column: .name("name"), value: .text("x"))]))
        #expect(refusal(&shop, 3, change(.giveBack, row(1), number)) == .leasedToOther)
        #expect(refusal(&shop, 2, change(.giveBack, row(1), number + 1)) == .leasedToOther)
        shop.restart()
        #expect(try shop.act(2, change(.giveBack, row(1), number)).status == .partial)
        #expect(shop.table.value(row(1), column(1)) == .int(1))
        #expect(shop.table.value(row(1), column(2)) == .text("x"))
        #expect(refusal(&shop, 2, change(.renew(seconds: 5), row(1))) == .notLeased)
        #expect(try shop.act(3, claimed).rows == [row(1)])
        try shop.act(3, change(.finish, row(1)))
        #expect(shop.table.value(row(1), column(1)) == .int(-1))
        #expect(shop.table.lease(of: row(1)) == nil && shop.table.nextLeaseEnd == nil)
    }

    @Test("C20: a lease ends by time, unless it is renewed; so it does for who replays the log")
    func byTime() throws {
        var shop = try Shop(rows: 2)
        let claimed = claim("qty > 0", [("qty", .int(-1))], lease: 10)
        try shop.act(2, claimed)
        try shop.act(3, claimed)
        shop.milliseconds += 9_000
        shop.expireAll(expecting: 0)
        try shop.act(3, change(.renew(seconds: 10), row(2)))
        shop.milliseconds += 1_000
        shop.restart()
        shop.expireAll(expecting: 1)
        #expect(shop.table.value(row(1), column(1)) == .int(1))
        #expect(shop.table.value(row(2), column(1)) == .int(-1))
        #expect(shop.records.last?.outcome.undid == 3)
        #expect(shop.records.last?.user == "u2" && shop.records.last?.session == .server)
        #expect(try shop.act(4, claimed).rows == [row(1)])
        #expect(shop.table.nextLeaseEnd == shop.milliseconds + 9_000)
    }

    @Test("C19, U1: who takes the claim back gives the row back")
    func undone() throws {
        var shop = try Shop(rows: 1)
        try shop.act(2, claim("qty > 0", [("qty", .int(-1))], lease: 10))
        try shop.act(2, .undo(UndoRequest(.last(ofUser: false))))
        #expect(shop.table.lease(of: row(1)) == nil)
        #expect(shop.table.value(row(1), column(1)) == .int(1))
        shop.milliseconds += 60_000
        shop.expireAll(expecting: 0)
    }

    @Test(
        "C18: whatever happened before, a claim gives the row that a look at all would find",
        arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func likeALookAtAll(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        var shop = try Shop(rows: 40)
        var next: UInt32 = 41
        for step in 0..<600 {
            let some = row(UInt32(1 + random.below(Int(next) - 1)))
            switch random.below(12) {
            case 0: try shop.act(1, .deleteRows([some]))
            case 1: try shop.act(1, .moveRows([some, row(2)], to: .after(row(5))))
            case 2:
                try shop.act(
                    1, .sortRows(SortRows(by: [.init(.name("qty"))], rows: [some, row(3)])))
            case 3:
                try shop.act(
                    1,
                    .insertRows(
                        InsertRows(
                            ids: [row(next)], rowCount: 1,
                            anchor: random.chance(50) ? .last : .after(some),
                            columns: [.name("qty")], cells: [.int(Int64(random.below(3)))])))
                next += 1
            case 4, 5:
                let value = Value.int(Int64(random.below(4)) - 1)
                try shop.act(
                    1, .setCells([CellEdit(row: some, column: .name("qty"), value: value)]))
            case 6: _ = try? shop.act(2, .undo(UndoRequest(.last(ofUser: false))))
            case 7: _ = try? shop.act(2, change(.giveBack, some))
            case 8:
                shop.milliseconds += 3_000
                shop.expireAll()
            default:
                let open = shop.table.liveRows.first { row in
                    guard case .int(let number)? = shop.table.value(row, column(1)) else {
                        return false
                    }
                    return number > 0 && shop.table.lease(of: row) == nil
                }
                let lease = random.chance(50) ? 1 + random.below(9) : nil
                let found = try shop.act(
                    2, claim("qty > 0", [("qty", .int(-1))], lease: lease)
                ).rows.first
                #expect(found == open, "seed \(seed), step \(step)")
                guard found == open else { return }
            }
        }
    }

    @Test("C18: claims do not look at the table anew")
    func looksAtFew() throws {
        var shop = try Shop(rows: 2_000)
        var looked = 0
        for _ in 0..<2_000 {
            #expect(try shop.act(2, taken).rows.count == 1)
            looked += shop.table.rowsLookedAt
        }
        #expect(looked < 10_000)
    }
}
