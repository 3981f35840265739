// The Swift bot library against the real server: claims and leases, copies, changes of type, the
// past. Plain edits are in BotTests.swift.
import Foundation
import RoundtableBot
import Testing

@Suite("A bot in Swift at work", .timeLimit(.minutes(10)))
struct BotWorkTests {
    @Test("C18, C19, C20: a row is claimed, kept, finished and given back")
    func claims() async throws {
        let stage = try Stage()
        let bot = try stage.bot("ann")
        try await bot.create("jobs", columns: ["state": "text", "by": "text", "due": "date"])
        let jobs = try await bot.open("jobs")
        let rows = try await jobs.insert(
            (1...3).map { ["state": "open", "due": .text("2026-12-0\($0)")] })
        let other = try await Bot.load(stage.workplace.file("ann.json")).open("jobs", follow: false)
        let first = try #require(
            try await jobs.claim(where: "state = 'open'", set: ["by": "ann"], leaseSeconds: 60))
        #expect(first.row == rows[0] && first["by"] == "ann")
        #expect(first["due"].text == "2026-12-01")
        let second = try #require(
            try await other.claim(where: "state = 'open'", set: ["by": "ben"], leaseSeconds: 60))
        #expect(second.row == rows[1] && second["by"] == "ben")
        try await first.renew(seconds: 600)
        try await first.finish(["state": "done"])
        try await second.giveBack()
        let error = try await botError { try await second.finish(["state": "done"]) }
        #expect(error.kind == .rejected && error.code == "not_leased")
        var done = 0
        while try await other.work(
            where: "state = 'open'", set: ["by": "ben"], { _ in ["state": "done"] })
        {
            done += 1
        }
        #expect(done == 2)
        let none = try await jobs.commit { $0.claim(where: "state = 'open'", leaseSeconds: 9) }
        #expect(none.hasNothingToClaim && none.notes == ["nothing_to_claim"])
        struct Tired: Error {}
        let row = try await jobs.append(["state": "open"])
        await #expect(throws: Tired.self) {
            _ = try await jobs.work(where: "state = 'open'", set: ["by": "ann"]) { _ in
                throw Tired()
            }
        }
        #expect(try await jobs.claim(where: "state = 'open'", leaseSeconds: 9)?.row == row)
        let plain = try await botError {
            _ = try await jobs.claim(where: "state = 'done'", set: ["by": "x"])
        }
        #expect(plain.code == "still_claimable")
    }

    @Test("S9, S10: copies of rows and columns, columns set as a whole, and another type")
    func copies() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        let rows = try await stock.insert([["item": "7"], ["item": "x"], ["item": "9"]])
        let ids = try await stock.newRows(1)
        try await stock.commit { $0.duplicate([rows[0]], at: .last, ids: ids) }
        let made = try await stock.commit { $0.duplicate([rows[1]]) }.rows
        #expect(made.count == 1)
        let copy = try await stock.commit { $0.duplicateColumn("item", as: "number") }.columns
        #expect(copy.count == 1)
        try await stock.commit { $0.setColumn("qty", to: [1, 2, 3]) }
        let more = try await stock.newRows(1)
        try await stock.commit {
            $0.setColumn("qty", to: [10, 11], rows: [rows[0]], newRows: more)
        }
        #expect(try await stock.cell(more[0], "qty") == 11)
        let tried = try await stock.preview { edits in
            try edits.retypeColumn("number", to: "int", isEmptying: true)
        }
        #expect(tried.status == "ok" && tried.emptied == 2)
        let error = try await botError {
            try await stock.commit { try $0.retypeColumn("number", to: "int") }
        }
        #expect(error.code == "cannot_convert")
        let done = try await stock.commit { edits in
            try edits.retypeColumn("number", to: "int", isEmptying: true)
        }
        #expect(done.emptied == 2 && done.converted == 3)
        #expect(try await stock.columns().map(\.type) == ["text", "int", "int"])
        #expect(try await stock.cell(rows[2], "number") == 9)
        try await bot.create("more", columns: ["item": "text", "other": "bool"])
        try await bot.open("more").append(["item": "nut", "other": true])
        let strict = try await botError { try await stock.commit { $0.appendTable("more") } }
        #expect(strict.kind == .rejected)
        try await stock.commit { $0.appendTable("more", isLenient: true) }
        #expect(try await stock.first(where: "item", is: "nut") != nil)
        let refused = try await stock.preview { $0.appendTable("none") }
        #expect(refused.rejection?.code == "unknown_source")
        _ = try await stock.verify()
    }

    @Test("T15: the past is read, told and brought back; undo takes back what is named")
    func past() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        let row = try await stock.append(["item": "bolt", "qty": 1])
        let then = try await stock.snapshot()
        let set = try await stock.set(row, "qty", to: 2)
        try await stock.commit { $0.deleteColumn("item") }
        let past = try await bot.past(of: "stock", at: .sequence(then.sequence))
        #expect(past.columns.map(\.name) == ["item", "qty"] && past.count == 1)
        let time = try #require(past.timeMilliseconds)
        let now = try await bot.past(of: "stock", at: .time(milliseconds: time + 86_400_000))
        #expect(now.columns.map(\.name) == ["qty"])
        let page = try await bot.read("stock", at: then.sequence)
        #expect(page.cells == [["bolt", 1]])
        var seen: [HistoryEntry] = []
        for try await entry in bot.history(of: "stock", row: row, column: "qty") {
            seen.append(entry)
        }
        #expect(seen.map(\.sequence) == [3, 2, 1] && set.sequence == 3 && then.sequence == 2)
        #expect(seen[0].cells.first.map { [$0.from, $0.to] } == [1, 2])
        #expect(seen[0].kind == "set" && seen[2].columns.first?.what == "added")
        let back = try await stock.restore(to: .sequence(then.sequence))
        #expect(back.restored == 2 && back.notes == ["restored"])
        #expect(try await stock.snapshot().contentHash() == then.contentHash())
        #expect(try await stock.undo().undid == back.sequence)
        #expect(try await stock.redo().undid != nil)
        try await stock.restore(to: .sequence(set.sequence ?? 0), rows: [row], columns: ["qty"])
        #expect(try await stock.cell(row, "qty") == 2)
        let named = try await stock.commit(mode: .best) { $0.undo(.number(2)) }
        #expect(named.undid == set.sequence)
        let error = try await botError {
            _ = try await bot.past(of: "stock", at: .sequence(9_999))
        }
        #expect(error.code == "unknown_record")
        let key = try await botError { try await stock.upsert("item", "bolt") }
        #expect(key.code == "not_unique")
        try await stock.commit { try $0.changeRules(of: "item", #"{"unique":true}"#) }
        #expect(try await stock.upsert("item", "bolt", ["qty": 7]) == (row, false))
        #expect(try await stock.upsert("item", "nut", new: ["qty": 1]).isNew)
        #expect(try await stock.maximum(row, "qty", 9) == 9)
        #expect(try await stock.minimum(row, "qty", 3) == 3)
        #expect(try await stock.appendText(row, "item", "s") == "bolts")
        try await stock.move([row], to: .last)
        #expect(try await stock.snapshot().rows(from: 1, count: 1).first?.id == row)
    }
}
