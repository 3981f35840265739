import TableExpression
import TableValue
import Testing

@Test(
    "the canonical text has lower-case keywords and no needless parentheses",
    arguments: [
        ("((a)) AND (b)", "a and b"), ("(a and b) and c", "(a and b) and c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"), ("a*(b+c)", "a * (b + c)"), ("-(5)", "-(5)"), ("- 5", "-5"),
        ("-(-5)", "-(-5)"),
        ("-(-(a))", "- -a"), ("not(not a)", "not not a"), ("\"a\"", "a"), ("\"and\"", "\"and\""),
        ("\"a b\"", "\"a b\""),
        ("\"x\"\"y\"", "\"x\"\"y\""), ("1.50", "1.50"), ("15e-1", "1.5e0"), ("1e30", "1e+30"),
        ("'it''s'", "'it''s'"),
        ("DATE '2026-11-30'", "date '2026-11-30'"), ("Length ( a )", "length(a)"),
        ("a != b", "a <> b"),
        ("(a = b) = c", "(a = b) = c"), ("a not in(1,2)", "a not in (1, 2)"),
        ("CAST(a AS List(INT))", "cast(a as list(int))"),
        ("case when a then b else c end", "case when a then b else c end"),
        ("\"c3.1\"", "\"c3.1\""),
        ("a like 'x' escape '!'", "a like 'x' escape '!'"), ("(a or b) and c", "(a or b) and c"),
        ("(a || b) || c", "(a || b) || c"),
        ("a is not distinct from b", "a is not distinct from b"),
        ("-a.b", ""),
    ])
func canonicalText(_ text: String, _ expected: String) {
    guard let syntax = try? Syntax(parsing: Text(text)) else {
        #expect(expected.isEmpty, "\(text)")
        return
    }
    #expect(syntax.printed().string == expected)
    #expect((try? Syntax(parsing: syntax.printed())) == syntax, "\(text)")
}

@Test("a random expression that is printed is read as the same expression")
func printedIsRead() throws {
    for seed in 1...3_000 {
        var maker = ExpressionMaker(seed: UInt64(seed))
        let syntax = maker.anything(depth: 6)
        let printed = syntax.printed()
        var limits = ExpressionLimits()
        limits.textBytesMax = 1_000_000
        let read = try? Syntax(parsing: printed, limits: limits)
        #expect(read == syntax, "seed \(seed): \(printed.string.prefix(300))")
        #expect(read?.printed() == printed, "seed \(seed)")
    }
}

@Test("an expression follows its columns through new names, and is stored by their ids")
func renamedColumns() throws {
    let expression = try Expression(
        "QTY * 2 > \"order no\"", schema: sampleSchema, for: .filter)
    #expect(expression.printed(in: sampleSchema) == "qty * 2 > \"Order No\"")
    #expect(expression.storedText == "\"c3.3\" * 2 > \"c3.13\"")
    let renamed = ExpressionSchema([
        SchemaColumn(key: key(3), name: "and", type: .int),
        SchemaColumn(key: key(13), name: "Nummer \"1\"", type: .int),
    ])
    #expect(expression.printed(in: renamed) == "\"and\" * 2 > \"Nummer \"\"1\"\"\"")
    let stored = try Expression(expression.storedText, schema: renamed, for: .filter)
    #expect(stored.syntax == expression.syntax)
    #expect(stored.columns == [key(3), key(13)])
    // A column that is gone is told by its id.
    #expect(expression.printed(in: ExpressionSchema([])) == expression.storedText)
}
