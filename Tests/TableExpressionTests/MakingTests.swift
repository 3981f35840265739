// What is made takes steps by its bytes, and is no larger and no deeper than a cell may be.
import TableExpression
import TableValue
import Testing

/// A JSON string of so many bytes, its quotes among them.
private func jsonString(byteCount: Int) -> ExpressionValue {
    .json(CanonicalJSON(.text(Text(String(repeating: "a", count: byteCount - 2)))))
}

/// An array in an array, so many in all.
private func nested(_ depth: Int) -> ExpressionValue {
    var tree = JSONTree.int(1)
    for _ in 0..<depth { tree = .list([tree]) }
    return .json(CanonicalJSON(tree))
}

/// What an expression gives where the columns of texts, of JSON and of lists hold a value.
private func outcome(
    _ text: String, _ cell: ExpressionValue, limits: ExpressionLimits = ExpressionLimits()
) throws -> Result<ExpressionValue, EvaluationFault> {
    let expression = try Expression(Text(text), schema: sampleSchema, for: .value, limits: limits)
    var evaluator = Evaluator(expression, time: sampleTime, limits: limits)
    do throws(EvaluationError) {
        return .success(
            try evaluator.evaluate { slot in
                switch (expression.columns[slot], cell) {
                case (tags, .json), (tags, .text): .list([cell, cell])
                case (name, .json(let json)): .text(json.text)
                default: cell
                }
            })
    } catch {
        return .failure(error.fault)
    }
}

private func column(_ name: String) -> ColumnKey {
    key((sampleColumns.firstIndex { $0.name == name } ?? 0) + 1)
}

private let name = column("name")
private let tags = column("tags")

/// How many bytes a text or a JSON value has.
private func byteCount(_ value: ExpressionValue) -> Int {
    switch value {
    case .text(let text): text.byteCount
    case .json(let json): json.text.byteCount
    default: 0
    }
}

private let bytesMax = ExpressionLimits().resultBytesMax

@Test(
    "the bytes of what is made, hashed or parsed are paid in steps",
    arguments: [
        "list(data)", "list(name)", "append(tags, 'x')", "append(list('x'), name)",
        "tags || tags", "list_distinct(tags)", "split(name, ',')", "cast(data as text)",
        "concat(data)", "join(tags, '')", "to_json(name)", "cast(name as json)",
        "cast(tags as json)", "cast(tags as list(text))", "json_type(data)", "data = data",
    ])
func bytesArePaid(_ text: String) throws {
    var limits = ExpressionLimits()
    limits.stepsMax = 1_000
    // As a text it is JSON as well, so that a cast reads it.
    let small = jsonString(byteCount: 100)
    let large = jsonString(byteCount: 60_000)
    #expect(throws: Never.self, "\(text)") { try outcome(text, small, limits: limits).get() }
    #expect(throws: Never.self, "\(text)") { try outcome(text, large).get() }
    let expected: Result<ExpressionValue, EvaluationFault> = .failure(.budgetSpent)
    #expect(try outcome(text, large, limits: limits) == expected, "\(text)")
}

@Test("a list of one cell many times over is too large, whatever the budget; else it is too dear")
func listsOfManyCells() throws {
    let cell = jsonString(byteCount: bytesMax)
    let schema = ExpressionSchema([SchemaColumn(key: key(1), name: "j", type: .json)])
    let arguments = Array(repeating: "j", count: 8_000).joined(separator: ",")
    for text in ["list(\(arguments))", "cast(list(\(arguments)) as json)"] {
        var limits = ExpressionLimits()
        limits.stepsMax = .max
        let isTooLarge = #expect(throws: EvaluationError.self) {
            try evaluate(text, schema: schema, limits: limits) { _ in cell }
        }
        #expect(isTooLarge?.fault == .resultTooLarge)
        limits = ExpressionLimits()
        limits.resultBytesMax = .max
        let isTooDear = #expect(throws: EvaluationError.self) {
            try evaluate(text, schema: schema, limits: limits) { _ in cell }
        }
        #expect(isTooDear?.fault == .budgetSpent)
    }
}

@Test(
    "a list has no more bytes than a cell may have",
    arguments: [
        "list(data, data)", "list(name, name)", "append(list(data), data)",
        "list(data) || list(data)", "tags || list(data)", "append(tags, data)",
        "cast(tags as list(json))", "cast(tags as list(text))", "cast(tags as json)",
    ])
func listSizes(_ text: String) throws {
    let half = jsonString(byteCount: bytesMax / 2)
    #expect(try outcome("list(data, data)", half) == .success(.list([half, half])))
    #expect(try outcome(text, jsonString(byteCount: bytesMax / 2 + 3)) == .failure(.resultTooLarge))
}

@Test("JSON has no more bytes than a cell may have, its brackets and escapes counted")
func jsonSizes() throws {
    let text = "cast(list(data) as json)"
    let made = try outcome(text, jsonString(byteCount: bytesMax - 2)).get()
    #expect(byteCount(made) == bytesMax)
    #expect(try outcome(text, jsonString(byteCount: bytesMax - 1)) == .failure(.resultTooLarge))
    // A control takes six bytes, a short exponent many digits.
    let controls = ExpressionValue.text(Text(String(repeating: "\u{1}", count: 43_691)))
    let numbers = String(repeating: "1e18,", count: 20_000)
    for (text, cell) in [
        ("to_json(name)", controls), ("cast(list(name) as list(json))", controls),
        ("cast(list(name) as json)", controls),
        ("cast(name as json)", .text(Text("[\(numbers)1]"))),
    ] {
        let found = try outcome(text, cell)
        #expect(found == .failure(.resultTooLarge), "\(text)")
    }
    let fewer = ExpressionValue.text(Text(String(repeating: "\u{1}", count: 43_690)))
    #expect(byteCount(try outcome("to_json(name)", fewer).get()) == 43_690 * 6 + 2)
}

@Test("JSON that is made of a list is nested no deeper than JSON in a cell may be")
func jsonDepth() throws {
    let made = try outcome("cast(list(data) as json)", nested(jsonDepthMax - 1)).get()
    #expect(made == nested(jsonDepthMax))
    for text in [
        "cast(list(data) as json)", "try_cast(list(data) as json)", "cast(tags as json)",
        "json_type(cast(list(json '1', data) as json))",
    ] {
        #expect(try outcome(text, nested(jsonDepthMax)) == .failure(.resultTooDeep), "\(text)")
    }
    // What is in a list or goes through one is as deep as before.
    let same = try outcome("element(list(data), 1)", nested(jsonDepthMax)).get()
    #expect(same == nested(jsonDepthMax))
    // Brackets in strings nest nothing, behind an escaped quote or not.
    let brackets = String(repeating: "[{", count: 20)
    for string in [brackets, "\"" + brackets, "\\\"" + brackets, "]]" + brackets + "\\"] {
        let cell = ExpressionValue.json(
            CanonicalJSON(.object([JSONMember(key: Text(string), value: .text(Text(string)))])))
        let made = try outcome("json_at(cast(list(data) as json), 1)", cell).get()
        #expect(made == cell)
    }
}

@Test(
    "JSON made of lists is canonical, as if each value were read",
    arguments: [
        ("cast(list(1, null, 3) as json)", "[1,null,3]"), ("cast(list(2.0e0) as json)", "[2]"),
        ("cast(list('a\"', null) as json)", #"["a\"",null]"#),
        ("cast(list(1.50) as json)", #"["1.50"]"#), ("cast(list(due) as json)", #"["2026-11-30"]"#),
        ("cast(list(data, json '1.0') as json)", #"[{"a":[1,2.5],"b":"x"},1]"#),
        ("cast(remove(list(1), 1) as json)", "[]"), ("cast(tags as json)", #"["red",2,true]"#),
        ("cast(list(double 'NaN') as json)", "error cannot_convert"),
        ("list_distinct(list(json '1', json '1.0', json '2.5', json '\"1\"'))", #"[1, 2.5, "1"]"#),
        ("json '-0.0' = json '0'", "true"), ("json '1e2' = json '100'", "true"),
        ("remove(list(json '1', json '2.50'), json '25e-1')", "[1]"),
    ])
func canonicalLists(_ text: String, _ expected: String) throws {
    let found = outcome(text)
    #expect(found == expected, "\(text)")
    guard case .json(let json) = try? value(text) else { return }
    #expect(try CanonicalJSON(reading: Array(json.text.string.utf8).span) == json)
}
