// The Swift bot library over time: copies of one number, watches that go on where they stood, and
// operations that are applied once whatever happens to the connection.
import Foundation
import RoundtableBot
import Testing

/// The records that a watch gives until a number.
private func records(of watch: Watch, through sequence: Int64) async throws -> [Record] {
    var found: [Record] = []
    for try await record in watch {
        found.append(record)
        if record.sequence >= sequence { break }
    }
    return found
}

@Suite("A bot in Swift, over time", .timeLimit(.minutes(10)))
struct BotFollowTests {
    @Test("pages of a snapshot are of one number, whatever is written meanwhile")
    func snapshots() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        try await stock.commit { edits in
            edits.insert((1...700).map { ["qty": .int($0)] })
        }
        let copy = try await stock.snapshot()
        let kept = try await bot.snapshot(of: "stock")
        #expect(copy.sequence == kept.sequence && copy.contentHash() == kept.contentHash())
        var seen: [Int64] = []
        for page in copy.pages(of: 100) {
            #expect(page.count == 100)
            seen += page.compactMap { $0["qty"].int }
            try await stock.delete([page[0].id])
            try await stock.commit { $0.insert([["qty": 0]], at: .first) }
        }
        #expect(seen == Array(1...700))
        #expect(copy.contentHash() == kept.contentHash())
        #expect(try await stock.count() == 700)
        #expect(try await stock.snapshot().sequence == copy.sequence + 14)
    }

    @Test("a cursor goes on behind the last record that was dealt with")
    func cursors() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        let row = try await stock.append(["item": "bolt", "qty": 0])
        let cursor = try Cursor(named: "test", in: stage.workplace.path)
        #expect(try cursor.load() == nil)
        // A new cursor begins with what happens from now on.
        let first = try await bot.watch("stock", cursor: cursor)
        let start = try #require(try cursor.load()).sequence
        for _ in 1...10 { try await stock.add(row, "qty", 1) }
        var numbers = try await records(of: first, through: start + 4).map(\.sequence)
        #expect(numbers == Array(start + 1...start + 4))
        // The fourth was given, and not dealt with: it comes again.
        let place = try #require(try cursor.load()).sequence
        #expect((start...start + 3).contains(place))
        stage.killServer()
        try stage.startServer()
        let second = try await bot.watch("stock", cursor: cursor, quietSeconds: 60)
        numbers = try await records(of: second, through: start + 10).map(\.sequence)
        #expect(numbers == Array(place + 1...start + 10))
        // From a place of one's own, exactly from the next number on.
        let position = Position(lineage: stock.lineage, sequence: start + 8)
        let third = try await bot.watch("stock", after: position)
        let last = try await records(of: third, through: start + 10)
        #expect(last.map(\.sequence) == [start + 9, start + 10])
        #expect(last[0].changes[0].cells.first?.value == 9)
        let other = Position(lineage: "another", sequence: 1)
        let refused = try await botError { _ = try await bot.watch("stock", after: other) }
        #expect(refused.code == "lineage_changed")
    }

    @Test("a watch that is slow gets all, and one that is quiet ends")
    func slowWatch() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        let row = try await stock.append(["qty": 0])
        let slow = try await bot.watch("stock", quietSeconds: 5)
        let mine = try await stock.watch(quietSeconds: 0.05)
        var operations: [RoundtableBot.Operation] = []
        for _ in 1...5_000 {
            var edits = Edits()
            edits.add(row, "qty", 1)
            operations.append(try await stock.submit(edits))
        }
        for operation in operations { try await stock.wait(for: operation) }
        let found = try await records(of: slow, through: 5_002)
        #expect(found.map(\.sequence) == Array(3...5_002))
        var count = 0
        for try await record in mine where record.isMine { count += 1 }
        #expect(count == 5_000)
    }

    @Test("each operation is applied once, though the server is killed again and again")
    func exactlyOnce() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        let row = try await stock.append(["qty": 0])
        var operations: [RoundtableBot.Operation] = []
        for round in 1...3 {
            for _ in 1...100 {
                var edits = Edits()
                edits.add(row, "qty", 1)
                operations.append(try await stock.submit(edits))
            }
            try await stock.wait(for: operations[operations.count - 60])
            stage.killServer()
            try stage.startServer()
            #expect(operations.count == 100 * round)
        }
        for operation in operations { try await stock.wait(for: operation) }
        #expect(try await stock.cell(row, "qty") == 300)
        _ = try await stock.verify()
        #expect(try await bot.hash(of: "stock").sequence == 302)
    }

    @Test("a call that is cancelled, or waits too long, ends; the bot goes on")
    func cancelling() async throws {
        let stage = try Stage()
        let path = try stage.credentials("ann")
        let bot = try Bot.load(path)
        try await bot.create("stock", columns: ["item": "text"])
        let stock = try await bot.open("stock")
        let waiting = Task { try await stock.wait(forSequence: 1_000) }
        let watching = Task {
            for try await record in try await stock.watch() { return record.sequence }
            return 0
        }
        waiting.cancel()
        watching.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await watching.value }
        let hasty = try Bot.load(path, timeoutSeconds: 0.2)
        let late = try await hasty.open("stock")
        let error = try await botError { try await late.wait(forSequence: 1_000) }
        #expect(error.kind == .outOfTime)
        try await stock.append(["item": "bolt"])
    }
}
