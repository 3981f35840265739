// The Swift bot library against the real server, over TLS on this machine: reading, editing,
// conditions, errors. Watching and coming back are in BotFollowTests.swift.
import Foundation
import RoundtableBot
import Testing

extension Stage {
    /// The file of a bot's token.
    func credentials(_ name: String, role: String = "owner") throws -> String {
        let path = workplace.file("\(name).json")
        let finished = try workplace.start(
            "roundtabled",
            [
                "token", "--data", workplace.file("data"), "--bot", name, "--role", role,
                "--file", path,
            ]
        ).finish()
        #expect(finished.code == 0, "\(finished.errors)")
        return path
    }

    /// A bot with a token.
    func bot(_ name: String, role: String = "owner") throws -> Bot {
        try Bot.load(try credentials(name, role: role))
    }

    /// A bot with a stock table, which is open.
    func stock(_ name: String = "ann") async throws -> (Bot, SharedTable) {
        let bot = try bot(name)
        try await bot.create("stock", columns: ["item": "text", "qty": "int"])
        return (bot, try await bot.open("stock"))
    }
}

/// The error that a body throws.
func botError(_ body: () async throws -> Void) async throws -> BotError {
    do {
        try await body()
    } catch let error as BotError {
        return error
    }
    throw WorkplaceError("nothing was refused")
}

@Suite("A bot in Swift", .timeLimit(.minutes(10)))
struct BotTests {
    @Test("edits of rows and cells, and what they come to")
    func edits() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        let bolt = try await stock.append(["item": "bolt", "qty": 5])
        let made = try await stock.newRows(2)
        try await stock.commit { edits in
            edits.insert(
                [["item": "nut"], ["item": "screw", "qty": 2]], at: .first, ids: made)
            edits.set(made[0], "qty", 1)
        }
        var rows = Array(try await stock.snapshot())
        #expect(rows.map { $0["item"].text } == ["nut", "screw", "bolt"])
        #expect(rows.map { $0["qty"].int } == [1, 2, 5])
        try await stock.commit { $0.move(made, to: .after(bolt)) }
        #expect(try await stock.add(bolt, "qty", 10) == 15)
        let deleted = try await stock.delete([made[0]])
        #expect(deleted.status == "ok" && deleted.sequence != nil)
        #expect(try await stock.delete([made[0]]).status == "noop")
        rows = Array(try await stock.snapshot())
        #expect(rows.map(\.id) == [bolt, made[1]])
        #expect(try await stock.undo().undid == deleted.sequence)
        #expect(try await stock.count() == 3)
        #expect(try await stock.redo().undid != nil)
        #expect(try await stock.verify() == bot.hash(of: "stock").hash)
    }

    @Test("edits of whole tables and of columns")
    func wholeTables() async throws {
        let stage = try Stage()
        let (_, stock) = try await stage.stock()
        try await stock.commit { edits in
            edits.insert((1...9).map { ["item": .text("item \($0 % 3)"), "qty": .int($0)] })
        }
        try await stock.commit { $0.sort(by: ["item", "-qty"]) }
        try await stock.commit { $0.transform("qty", to: "qty * 2", where: "item = 'item 1'") }
        let rows = Array(try await stock.snapshot())
        #expect(rows.compactMap { $0["qty"].int } == [9, 6, 3, 14, 8, 2, 8, 5, 2])
        let outcome = try await stock.commit { edits in
            try edits.addColumn("state", type: "choice", rules: #"{"choices":["open","done"]}"#)
        }
        let state = try #require(outcome.columns.first)
        try await stock.commit { edits in
            try edits.changeRules(of: "state", #"{"choices_added":["lost"]}"#)
            edits.renameColumn("state", to: "how")
            edits.moveColumn("how", to: .first)
            edits.set(rows[0].id, "how", "lost")
        }
        let copy = try await stock.snapshot()
        #expect(copy.columns.map(\.name) == ["how", "item", "qty"])
        #expect(copy.columns[0].id == state && copy.columns[0].rules.contains("lost"))
        #expect(copy.cell(rows[0].id, state) != nil)
        try await stock.commit { $0.deleteColumn("how") }
        try await stock.commit(mode: .best) { $0.clear() }
        #expect(try await stock.count() == 0)
        try await stock.undo()
        #expect(try await stock.count() == 9)
        try await stock.commit { $0.truncate() }
        #expect(try await stock.count() == 0)
        _ = try await stock.verify()
    }

    @Test("what joins with what is there, and rows known by a key")
    func joining() async throws {
        let stage = try Stage()
        let (_, stock) = try await stage.stock()
        try await stock.commit { edits in
            try edits.changeRules(of: "item", #"{"unique":true}"#)
            try edits.addColumn("tags", type: "list")
        }
        let first = try await stock.commit { $0.upsert("item", "bolt", ["qty": 5]) }
        let second = try await stock.commit {
            $0.upsert("item", "bolt", ["qty": 7], new: ["tags": "none"])
        }
        #expect(first.inserted == [true] && second.inserted == [false])
        #expect(first.rows == second.rows && first.rows.count == 1)
        let bolt = first.rows[0]
        let outcome = try await stock.commit { edits in
            edits.minimum(bolt, "qty", 6)
            edits.maximum(bolt, "qty", 9)
            edits.appendText(bolt, "item", "s")
            edits.addToList(bolt, "tags", "new")
            edits.addToList(bolt, "tags", "new", once: true)
        }
        #expect(outcome.values.map(\.text) == ["6", "9", "bolts", #"["new"]"#, #"["new"]"#])
        try await stock.commit { $0.removeFromList(bolt, "tags", "new") }
        #expect(try await stock.cell(bolt, "tags")?.text == "[]")
    }

    @Test("every precondition, held and not")
    func preconditions() async throws {
        let stage = try Stage()
        let (_, stock) = try await stage.stock()
        let row = try await stock.append(["item": "bolt", "qty": 5])
        let (value, version) = try await stock.version(row, "qty")
        #expect(value == 5)
        let conditions: [(Bool, (inout Edits) -> Void)] = [
            (true, { $0.requireValue(row, "qty", 5) }),
            (false, { $0.requireValue(row, "qty", 6) }),
            (true, { $0.requireVersion(row, "qty", version) }),
            (false, { $0.requireVersion(row, "qty", version - 1) }),
            (true, { $0.requireRowVersion(row, version) }),
            (false, { $0.requireRowVersion(row, version - 1) }),
            (true, { $0.requireRow(row) }),
            (true, { $0.requireAbsent("item", "nut") }),
            (false, { $0.requireAbsent("item", "bolt") }),
            (false, { $0.requireTableSequence(0) }),
            (true, { $0.requireSchemaSequence(version) }),
            (false, { $0.requireSchemaSequence(0) }),
        ]
        for (index, (holds, condition)) in conditions.enumerated() {
            var edits = Edits()
            condition(&edits)
            edits.set(row, "item", .text("bolt"))
            do {
                let outcome = try await stock.commit(edits)
                #expect(holds && outcome.status == "noop", "condition \(index)")
            } catch let error as BotError {
                #expect(!holds && error.kind == .preconditionFailed, "condition \(index)")
            }
        }
        let refused = try await botError { try await stock.set(row, "qty", to: 7, expecting: 9) }
        #expect(refused.current?.value == 5 && refused.current?.version == version)
    }

    @Test("refusals carry their codes, and say nothing of what is in cells")
    func refusals() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        let row = try await stock.append(["item": "secret", "qty": 5])
        let wrong = try await botError { try await stock.set(row, "qty", to: "many") }
        #expect(wrong.kind == .rejected && wrong.code == "wrong_type")
        #expect(!wrong.description.contains("many") && !wrong.description.contains("secret"))
        let missing = try await botError { try await stock.set(row, "price", to: 1) }
        #expect(missing.code == "unknown_column")
        let taken = try await botError {
            try await bot.create("Stock", columns: ["item": "text"])
        }
        #expect(taken.kind == .requestFailed && taken.code == "table_exists")
        let twice = try await botError { _ = try await bot.open("stock") }
        #expect(twice.code == "already_open")
        let unknown = try await botError { _ = try await bot.open("nothing") }
        #expect(unknown.code == "unknown_table")
        let viewer = try stage.bot("vera", role: "viewer")
        let looked = try await viewer.open("stock")
        #expect(looked.session == nil)
        let forbidden = try await botError { try await looked.append(["qty": 1]) }
        #expect(forbidden.code == "forbidden")
        #expect(try await looked.count() == 1)
    }

    @Test("who the server is and who the bot is are told apart from being away")
    func connecting() async throws {
        let stage = try Stage()
        let path = try stage.credentials("ann")
        let bot = try Bot.load(path)
        #expect(try await bot.connect() == "ann")
        let json = try String(contentsOfFile: path, encoding: .utf8)
        let token = try #require(json.firstMatch(of: /rt1b_[a-z2-7]+/)).output
        let stranger = try Bot(
            address: bot.address, token: String(token), pin: String(repeating: "0", count: 64))
        #expect(try await botError { try await stranger.connect() }.kind == .notTrusted)
        let nobody = try Bot(
            address: bot.address, token: "rt1b_" + String(repeating: "a", count: 52), pin: bot.pin)
        #expect(try await botError { try await nobody.connect() }.code == "login_failed")
        let away = try Bot(
            address: "127.0.0.1:1", token: String(token), pin: bot.pin, timeoutSeconds: 0.1)
        #expect(try await botError { _ = try await away.tables() }.kind == .unreachable)
        #expect(throws: BotError.self) {
            try Bot(address: "nowhere", token: String(token), pin: bot.pin)
        }
        let saved = stage.workplace.file("ben.json")
        let joined = try await Bot.join(stage.invite(role: "editor"), name: "Ben", save: saved)
        #expect(try await joined.connect() == "Ben")
        bot.close()
        // The first may come before the end, those after it mostly behind it.
        for _ in 1...20 {
            #expect(try await botError { _ = try await bot.tables() }.code == "going_away")
        }
    }

    @Test("tables are listed, renamed, dropped and restored; who has one open is told")
    func tables() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        try await stock.append(["item": "bolt"])
        let listed = try await bot.tables()
        #expect(listed.map(\.name) == ["stock"] && listed[0].rows == 1)
        #expect(try await bot.rename("stock", to: "parts") == "parts")
        try await bot.create("stock", columns: [:])
        #expect(try await bot.rename("stock", to: "Parts", suffix: true) == "Parts 2")
        #expect(try await bot.drop("parts") == stock.id)
        let lost = try await botError { try await stock.append(["item": "nut"]) }
        #expect(lost.kind == .sessionLost && lost.code == "table_deleted")
        #expect(try await bot.tables(dropped: true).map(\.id) == [stock.id])
        #expect(try await bot.restore(stock.id) == "parts")
        #expect(try await bot.open("parts").count() == 1)
    }

    @Test("a bot without a session edits and reads, names users and sees who is here")
    func withoutSession() async throws {
        let stage = try Stage()
        let (bot, stock) = try await stage.stock()
        var edits = Edits()
        edits.insert([["item": "bolt", "qty": 5]])
        let outcome = try await bot.perform(edits, in: "stock")
        let row = try #require(outcome.rows.first)
        let page = try await bot.read("stock", from: 0, count: 10)
        #expect(page.rows == [row] && page.cells == [["bolt", 5]] && page.total == 1)
        #expect(page.versions == [[outcome.sequence ?? 0, outcome.sequence ?? 0]])
        try await stock.wait(forSequence: outcome.sequence ?? 0)
        try await stock.showCursor(row, "qty", isEditing: true)
        var here = try await stock.who()
        while here.first?.isEditing != true { here = try await stock.who() }
        #expect(here.map(\.name) == ["ann"] && here[0].row == row)
        #expect(try await bot.names(of: [here[0].user, "u99"]) == [here[0].user: "ann"])
    }

    @Test("values of every type come back as they were given")
    func values() async throws {
        let stage = try Stage()
        let bot = try stage.bot("ann")
        let given: KeyValuePairs<String, Value> = [
            "text": "e\u{301}", "int": .int(.max), "double": -0.0, "bool": false,
            "date": "2026-11-30", "datetime": "2026-11-30T08:00:00.25-09:30",
            "uuid": "0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2", "decimal": "-12.50",
            "list": try .json(#"["a",1,true]"#), "json": try .json(#"{"a":[null,1.5]}"#),
        ]
        try await bot.create(
            "kinds",
            columns: [
                "text": "text", "int": "int", "double": "double", "bool": "bool", "date": "date",
                "datetime": "datetime", "uuid": "uuid", "decimal": "decimal", "list": "list",
                "json": "json",
            ])
        let kinds = try await bot.open("kinds")
        let row = try await kinds.append(Dictionary(given.map { ($0, $1) }) { first, _ in first })
        let read = try #require(try await kinds.snapshot().row(row))
        for (column, value) in given {
            #expect(read[column].text == value.text, "\(column)")
        }
        #expect(read["double"].double?.sign == .minus)
        try await kinds.set(row, "text", to: nil)
        #expect(try await kinds.cell(row, "text") == .null)
        _ = try await kinds.verify()
    }
}
