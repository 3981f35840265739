import TableExpression
import TableValue
import Testing

private let truths = ["true", "false", "null"]

@Test("and, or and not know true, false and null")
func truthTables() {
    let and = ["true", "false", "null", "false", "false", "false", "null", "false", "null"]
    let or = ["true", "true", "true", "true", "false", "null", "true", "null", "null"]
    for (i, left) in truths.enumerated() {
        for (j, right) in truths.enumerated() {
            let place = i * 3 + j
            #expect(outcome("\(left) and \(right)") == and[place], "\(left) and \(right)")
            #expect(outcome("\(left) or \(right)") == or[place], "\(left) or \(right)")
            // The same where nothing is known before a row is.
            let cell = "case when qty = 42 then \(left) end"
            #expect(outcome("\(cell) and \(right)") == and[place])
            #expect(outcome("\(cell) or \(right)") == or[place])
        }
    }
    #expect(truths.map { outcome("not \($0)") } == ["false", "true", "null"])
    #expect(truths.map { outcome("\($0) is true") } == ["true", "false", "false"])
    #expect(truths.map { outcome("\($0) is not true") } == ["false", "true", "true"])
    #expect(truths.map { outcome("\($0) is false") } == ["false", "true", "false"])
    #expect(truths.map { outcome("\($0) is null") } == ["false", "false", "true"])
    #expect(truths.map { outcome("\($0) is not null") } == ["true", "true", "false"])
}

@Test("every comparison with null is null, and only is distinct from tells null from values")
func nullComparisons() {
    for sign in Comparison.allCases {
        #expect(outcome("missing \(sign.rawValue) 1") == "null")
        #expect(outcome("1 \(sign.rawValue) missing") == "null")
        #expect(outcome("null \(sign.rawValue) null") == "null")
    }
    #expect(outcome("missing is distinct from null") == "false")
    #expect(outcome("missing is distinct from 1") == "true")
    #expect(outcome("qty is not distinct from 42") == "true")
    #expect(outcome("'' is null") == "false")
    #expect(outcome("0 is null") == "false")
}

@Test(
    "in, between and like are null where null could have decided",
    arguments: [
        ("1 in (1, null)", "true"), ("2 in (1, null)", "null"), ("2 in (1, 3)", "false"),
        ("2 not in (1, null)", "null"), ("1 not in (1, null)", "false"),
        ("missing in (1, 2)", "null"), ("2 not in (1, 3)", "true"),
        ("5 between null and 3", "false"), ("5 between 1 and null", "null"),
        ("missing between 1 and 2", "null"), ("0 not between 1 and null", "true"),
        ("unsaid like 'a%'", "null"), ("'a' like unsaid", "null"),
        ("'a' like 'a' escape unsaid", "null"), ("unsaid not like 'a'", "null"),
    ])
func nullQuestions(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "case takes the first branch that is true, and evaluates no other",
    arguments: [
        ("case when qty > 40 then 'many' when qty > 10 then 'some' else 'few' end", "'many'"),
        ("case when unknown then 1 else 2 end", "2"), ("case when false then 1 end", "null"),
        ("case qty when 1 then 'one' when 42 then 'all' end", "'all'"),
        ("case missing when null then 1 else 2 end", "2"),
        ("case when true then 1 when 1 / 0 = 1 then 2 end", "1"),
        ("case when false then 1 / 0 else 5 end", "5"),
        ("case when done then 1 else 2.5 end", "2.5"),
        ("false and 1 / 0 = 1", "false"), ("true or 1 / 0 = 1", "true"),
        ("unknown and 1 / 0 = 1", "error division_by_zero"), ("coalesce(1, 1 / 0)", "1"),
        ("coalesce(missing, null, 3)", "3"), ("coalesce(missing, 2.5)", "2.5"),
        ("if(done, 1 / 0, 7)", "7"), ("if(unknown, 1, 2)", "2"), ("nullif(qty, 42)", "null"),
        ("nullif(qty, 41)", "42"), ("nullif(missing, 41)", "null"), ("qty / nullif(0, 0)", "null"),
    ])
func choices(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "like knows any characters, one character and an escape",
    arguments: [
        ("name like 'A%'", "true"), ("name like '_da'", "true"), ("name like 'a%'", "false"),
        ("name like 'Ad'", "false"), ("'' like '%'", "true"), ("'' like '_'", "false"),
        ("'a\nb' like 'a_b'", "true"), ("'ä€😀' like '___'", "true"),
        ("note like '50!%%' escape '!'", "true"), ("'50x' like '50!%%' escape '!'", "false"),
        ("'a!b' like 'a!!b' escape '!'", "true"), ("name not like 'A%'", "false"),
        ("name like name", "true"), ("'Adam' like name || '%'", "true"),
        ("'Adam' like left(name, 2) || '%'", "true"),
        ("'a' like 'a!' escape '!'", "error bad_pattern"),
        ("'a' like '!a' escape '!'", "error bad_pattern"),
        ("'a' like 'a' escape ''", "error bad_pattern"),
        ("'a' like left(name, 1) || '!' escape '!'", "error bad_pattern"),
        ("name like 5", "error wrong_type"),
    ])
func likes(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test("a row has a budget of steps, and the error says so")
func budget() throws {
    var limits = ExpressionLimits()
    limits.stepsMax = 10
    let few = try evaluate("qty + 1 + 2", limits: limits) { sampleRow[$0] ?? .null }
    #expect(few == .int(45))
    #expect(throws: EvaluationError.self) {
        try evaluate("qty + 1 + 2 + 3 + 4 + 5 + 6", limits: limits) { sampleRow[$0] ?? .null }
    }
    // Long texts cost by their length.
    limits.stepsMax = 1_000
    #expect(throws: EvaluationError.self) {
        try evaluate("upper(repeat('a', 100000))", limits: limits) { _ in .null }
    }
}

@Test("a pattern that makes many states ends at the budget too")
func budgetOfPatterns() {
    let text = "contains_match(repeat('abaab', 40000), '(.*a.{900})b!')"
    #expect(outcome(text) == "error step_budget_spent")
}

@Test("the budget is a row's, not all rows'; what was spent adds up")
func budgetOfEachRow() throws {
    let expression = try Expression("qty + 1", schema: sampleSchema, for: .value)
    var evaluator = Evaluator(expression)
    for number in 0..<1_000 {
        let value = try evaluator.evaluate { _ in .int(Int64(number)) }
        #expect(value == .int(Int64(number) + 1))
    }
    #expect(evaluator.stepsSpent == 3_000)
}

@Test("nothing that an expression makes is larger than a cell may be")
func resultSizes() {
    #expect(outcome("length(repeat('a', 262144))") == "262144")
    #expect(outcome("repeat('a', 262145)") == "error result_too_large")
    #expect(outcome("repeat('ab', 9223372036854775807)") == "error result_too_large")
    #expect(outcome("repeat('a', 200000) || repeat('a', 200000)") == "error result_too_large")
    #expect(
        outcome("replace(repeat('a', 1000), 'a', repeat('b', 1000))") == "error result_too_large")
    #expect(outcome("pad_start('a', 9223372036854775807)") == "error result_too_large")
    #expect(outcome("split(repeat(',', 20000), ',')") == "error result_too_large")
}

@Test("a cell of another type than its column's is an error, never a trap")
func wrongCells() throws {
    let strange: [ExpressionValue] = [
        .text("x"), .bool(true), .list([.int(1)]), .date(Day(daysSinceEpoch: .min)),
        .datetime(Moment(microsecondsSinceEpoch: .min, offsetMinutes: .min)), .double(.nan),
        .int(.min),
    ]
    let texts = [
        "qty + 1", "qty < 2", "-qty", "abs(qty)", "not done", "done and true", "name || 'a'",
        "upper(name)", "year(due)", "hour(seen)", "due + 1", "seen < now()", "length(tags)",
        "data = data", "json_get(data, 'a')", "name like 'a%'", "add_days(due, qty)",
        "days_between(due, due)", "add_seconds(seen, qty)", "cast(qty as text)", "week(due)",
        "cast(seen as date)", "start_of_month(due)", "months_between(due, due)", "name like name",
    ]
    for text in texts {
        let expression = try Expression(Text(text), schema: sampleSchema, for: .value)
        var evaluator = Evaluator(expression, time: sampleTime)
        for value in strange { _ = try? evaluator.evaluate { _ in value } }
    }
    #expect(throws: EvaluationError.self) { try evaluate("qty + 1") { _ in .text("x") } }
}

@Test("an error of a row points at the part that failed")
func evaluationPlaces() throws {
    let text = "qty + (10 / missing0)"
    let schema = ExpressionSchema([
        SchemaColumn(key: key(1), name: "qty", type: .int),
        SchemaColumn(key: key(2), name: "missing0", type: .int),
    ])
    do {
        _ = try evaluate(text, schema: schema) { _ in .int(0) }
        Issue.record("a division by zero has a value")
    } catch let error as EvaluationError {
        #expect(error.fault == .divisionByZero)
        let start = Int(error.place.start)
        #expect(String(Array(text)[start..<Int(error.place.end)]) == "10 / missing0")
        let lines = error.rendered(source: Text(text)).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.last == "       ^^^^^^^^^^^^^")
    }
}
