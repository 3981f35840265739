// Rules about one value: bounds, lengths, the pattern, what is required.
import TableValue
import Testing

@testable import TableModel

private let qty = column(1)
private let name = column(2)

/// An object of rules, read from JSON.
func rules(json: String) throws -> JSONTree { try readJSONTree(json.utf8.span) }

private func write(_ row: RowID, _ column: ColumnID, _ value: Value) -> Intent {
    .setCells([CellEdit(row: row, column: .id(column), value: value)])
}

@Suite("Rules of columns: what one value must be")
struct ValueRulesTests {
    /// What a column of a type with some rules says to a value; nil where it takes it.
    private func broken(
        _ type: ColumnType, _ json: String, _ value: Value
    ) throws -> String? {
        let rules = try ColumnRules(rules(json: json))
        #expect(rules.problem(for: type, limits: TableLimits()) == nil)
        let column = Column(id: qty, name: "c", type: type, rules: rules)
        switch column.accepted(value, limits: TableLimits()) {
        case .success: return nil
        case .failure(let rejection):
            #expect(rejection.code == .ruleBroken && rejection.column == qty)
            return rejection.rule?.string
        }
    }

    @Test("S15: each rule is broken by what is beyond it, and never by null")
    func eachRule() throws {
        let cases: [(ColumnType, String, keeps: [Value], breaks: [(Value, String)])] = [
            (
                .int, #"{"min":0,"max":9}"#, [.int(0), .int(9)],
                [(.int(-1), "min"), (.int(10), "max"), (.text("10"), "max")]
            ),
            (
                .double, #"{"min":0.5,"max":2}"#, [.double(0.5), .double(2), .int(1)],
                [(.double(0.4), "min"), (.double(.nan), "max"), (.double(.infinity), "max")]
            ),
            (
                .decimal, #"{"min":"0.10","max":1}"#, [.text("0.1"), .text("1.00")],
                [(.text("0.09"), "min"), (.text("1.01"), "max")]
            ),
            (
                .date, #"{"min":"2026-01-01"}"#, [.text("2026-01-01")],
                [(.text("2025-12-31"), "min")]
            ),
            (
                .datetime, #"{"max":"2026-01-01T00:00:00Z"}"#,
                [.text("2026-01-01T01:00:00+01:00")],
                [(.text("2026-01-01T00:00:00-01:00"), "max")]
            ),
            (
                .text, #"{"length_min":1,"length_max":3}"#, [.text("äöü"), .text("😀")],
                [(.text(""), "length_min"), (.text("abcd"), "length_max")]
            ),
            (
                .list, #"{"length_max":1}"#, [.json(CanonicalJSON(.list([.int(1)])))],
                [(.json(CanonicalJSON(.list([.int(1), .int(2)]))), "length_max")]
            ),
            (
                .text, #"{"pattern":"[A-Z]{2}\\d+"}"#, [.text("AB12")],
                [(.text("AB12x"), "pattern"), (.text(""), "pattern")]
            ),
        ]
        for (type, json, keeps, breaks) in cases {
            #expect(try broken(type, json, .null) == nil)
            for value in keeps { #expect(try broken(type, json, value) == nil, "\(value)") }
            for (value, rule) in breaks {
                #expect(try broken(type, json, value) == rule, "\(value)")
            }
        }
        #expect(try broken(.int, #"{"required":true}"#, .null) == "required")
        #expect(try broken(.text, #"{"required":true}"#, .text("")) == nil)
        #expect(try broken(.int, #"{"required":false}"#, .null) == nil)
    }

    @Test("rules that do not suit their column are refused")
    func badRules() throws {
        let bad: [(ColumnType, String)] = [
            (.text, #"{"min":1}"#), (.int, #"{"min":"x"}"#), (.int, #"{"min":1.5}"#),
            (.int, #"{"min":2,"max":1}"#), (.double, #"{"max":"NaN"}"#),
            (.date, #"{"min":"2026-02-30"}"#), (.int, #"{"length_max":1}"#),
            (.text, #"{"length_min":2,"length_max":1}"#), (.text, #"{"pattern":"("}"#),
            (.int, #"{"pattern":"a"}"#), (.int, #"{"default":"x"}"#),
            (.int, #"{"default":5,"max":4}"#), (.text, #"{"default_by":"now"}"#),
            (.int, #"{"default_by":"author"}"#), (.text, #"{"default_by":"sequence"}"#),
            (.choice, #"{"choices":["a"],"default":"b"}"#),
        ]
        for (type, json) in bad {
            let rules = try ColumnRules(rules(json: json))
            #expect(rules.problem(for: type, limits: TableLimits()) != nil, "\(json)")
        }
        for json in [
            #"{"min":[1]}"#, #"{"length_max":-1}"#, #"{"length_max":1.5}"#, #"{"pattern":1}"#,
            #"{"required":1}"#, #"{"default_by":"chance"}"#, #"{"default":null}"#, #"{"x":1}"#,
        ] {
            #expect(throws: RuleFault.self, "\(json)") { _ = try ColumnRules(rules(json: json)) }
        }
    }

    @Test("S15: each rule is replaced by itself; a default of one kind takes the other's place")
    func patches() throws {
        var rules = ColumnRules()
        for (patch, result) in [
            (#"{"min":1,"max":5,"default":2}"#, #"{"min":1,"max":5,"default":2}"#),
            (#"{"min":null,"required":true}"#, #"{"max":5,"required":true,"default":2}"#),
            (#"{"default_by":"sequence"}"#, #"{"max":5,"required":true,"default_by":"sequence"}"#),
            (
                #"{"default":1,"required":false,"unique":true}"#,
                #"{"max":5,"unique":true,"default":1}"#
            ),
            (#"{"max":null,"default":null,"unique":null}"#, "{}"),
        ] {
            rules = try rules.changed(by: TableModelTests.rules(json: patch))
            #expect(rules == (try ColumnRules(TableModelTests.rules(json: result))), "\(patch)")
            #expect(try ColumnRules(rules.tree) == rules)
        }
        #expect(rules.isEmpty && rules.byteCount == 0)
    }

    @Test("values in rules are kept in one spelling")
    func spelling() throws {
        for (type, given, kept) in [
            (ColumnType.int, #"{"min":"05"}"#, #"{"min":5}"#),
            (.int, #"{"max":9223372036854775807}"#, #"{"max":"9223372036854775807"}"#),
            (.decimal, #"{"min":1}"#, #"{"min":"1"}"#),
            (
                .datetime, #"{"min":"2026-01-01T00:00:00-00:00"}"#,
                #"{"min":"2026-01-01T00:00:00Z"}"#
            ),
            (.json, #"{"default":{"b":1.0,"a":2}}"#, #"{"default":{"a":2,"b":1}}"#),
        ] {
            let rules = try ColumnRules(rules(json: given))
            #expect(rules.problem(for: type, limits: TableLimits()) == nil, "\(given)")
            let spelled = CanonicalJSON(rules.normalized(for: type).tree).text
            #expect(spelled == Text(kept))
        }
    }

    @Test("S15: a rule is set where the rows keep it, and asked on every way to write")
    func everyWay() throws {
        var world = try World()
        let refused = world.refusal(
            2, .changeRules(.id(qty), try rules(json: #"{"max":20}"#)))
        #expect(refused?.rule == "max" && refused?.offenders == [row(3)])
        try world.act(
            2, .changeRules(.id(qty), try rules(json: #"{"max":30,"min":0}"#)),
            .changeRules(.id(name), try rules(json: #"{"length_max":3}"#)))
        #expect(world.refusal(2, write(row(1), qty, .int(31)))?.rule == "max")
        let sum = world.refusal(
            2, .addNumber(row: row(1), column: .id(qty), amount: .int(-11)))
        #expect(sum?.rule == "min" && sum?.row == row(1))
        let paste = try world.act(
            2,
            .setCells([
                CellEdit(row: row(1), column: .id(name), value: .text("abcd")),
                CellEdit(row: row(1), column: .id(qty), value: .int(5)),
            ]))
        #expect(paste.outcome.applied == 1 && paste.outcome.rejection?.rule == "length_max")
        let inserted = try world.act(
            2,
            .insertRows(
                InsertRows(
                    ids: [row(1, 2)], rowCount: 1, columns: [.id(qty), .id(name)],
                    cells: [.int(99), .text("abc")])))
        #expect(inserted.outcome.refused == 1 && inserted.outcome.rejection?.row == row(1, 2))
        #expect(world.value(row(1, 2), qty) == .null)
        #expect(world.value(row(1, 2), name) == .text("abc"))
    }

    @Test("S15: what is required is given, or the row is not inserted")
    func required() throws {
        var world = try World()
        let refused = world.refusal(
            2, .changeRules(.id(name), try rules(json: #"{"required":true}"#)))
        #expect(refused?.rule == "required" && refused?.offenders == [row(1), row(2), row(3)])
        try world.act(2, .changeRules(.id(qty), try rules(json: #"{"required":true,"max":50}"#)))
        #expect(world.refusal(2, write(row(1), qty, .null))?.rule == "required")
        func insertion(_ cells: [Value], _ columns: [ColumnID]) -> Intent {
            .insertRows(
                InsertRows(
                    ids: [row(1, 2)], rowCount: 1, columns: columns.map { .id($0) }, cells: cells))
        }
        #expect(world.refusal(2, insertion([], []))?.rule == "required")
        #expect(world.refusal(2, insertion([.null], [qty]))?.rule == "required")
        #expect(world.refusal(2, insertion([.int(51)], [qty]))?.rule == "max", "the cause is told")
        let partial = try world.act(
            2, write(row(1), name, .text("a")), insertion([.text("b")], [name]))
        #expect(partial.status == .partial && partial.outcome.refused == 2)
        #expect(partial.outcome.applied == 1 && world.owner.rowCount == 3)
        try world.act(2, insertion([.int(50)], [qty]))
        let added = world.refusal(
            2,
            .addColumn(
                AddColumn(name: "x", type: .int, rules: try rules(json: #"{"required":true}"#))))
        #expect(added?.rule == "required" && added?.offenders.count == 4)
    }
}
