import TableExpression
import TableValue
import Testing

@Test(
    "types that do not fit are refused at the place",
    arguments: [
        ("name < 5", "name < 5", "a text and an int"), ("not qty", "qty", "a bool"),
        ("done and qty", "qty", "a bool"),
        ("qty + name", "name", "numbers"), ("name + name", "name", "||"),
        ("-name", "name", "a number"),
        ("case when qty then 1 end", "qty", "a bool"),
        ("case when done then 1 else 'a' end", "", "a text"),
        ("qty in (1, 'a')", "", "a text"), ("due < 'tomorrow'", "'tomorrow'", "date"),
        ("due = seen", "", "a datetime"),
        ("id = 'x'", "'x'", "uuid"), ("price = ratio", "", "a decimal is exact"),
        ("length(qty)", "qty", "text or list"),
        ("substring(name, 'a')", "'a'", "int"),
        ("substring(name)", "", "substring(text, int[, int])"),
        ("round(1, 2, 3)", "", "round(number[, int])"), ("upper()", "", "upper(text)"),
        ("coalesce()", "", "coalesce"),
        ("lenght(name)", "lenght", "length"), ("date 'x'", "", "2026-11-30"),
        ("qty || 'a'", "qty", "concat"),
        ("qty is true", "qty", "a bool"), ("seen + 1", "seen", "add_seconds"),
        ("nope > 1", "nope", "single quotes"),
        ("\"c9.9\" > 1", "\"c9.9\"", "no column"), ("\"c4294967296.1\"", "", "no column"),
        ("list('a') = list(1)", "", "list of"),
        ("5e0 % 2", "", "doubles"), ("data < data", "", "no order"),
        ("greatest(data)", "", "no order"),
    ])
func wrongTypes(_ text: String, _ place: String, _ hint: String) {
    let error = checkError(text)
    #expect(error != nil, "\(text) is accepted")
    #expect(
        pointed(error, in: text) == (place.isEmpty ? text : place),
        "\(text): \(error?.message ?? "")")
    let said = (error?.message ?? "") + " " + (error?.expected ?? "")
    #expect(said.contains(hint), "\(text): \(said)")
}

@Test("the purpose says which type the result must have, and whether it may ask for the time")
func purposes() throws {
    #expect(checkError("qty", for: .filter)?.code == .wrongType)
    #expect(checkError("null", for: .filter) == nil)
    #expect(checkError("done", for: .rule) == nil)
    #expect(checkError("due > today()", for: .filter) == nil)
    #expect(checkError("due > today()", for: .rule)?.code == .timeNotAllowed)
    #expect(checkError("now()", for: .computedColumn(of: .datetime))?.code == .timeNotAllowed)
    #expect(checkError("now()", for: .transform(into: .datetime)) == nil)
    #expect(checkError("name", for: .transform(into: .int))?.code == .wrongType)
    #expect(checkError("'2026-11-30'", for: .transform(into: .date)) == nil)
    #expect(checkError("list('a', 'b')", for: .transform(into: .list(.json))) == nil)
    #expect(checkError("list(due)", for: .transform(into: .list(.json)))?.code == .wrongType)
    // An int becomes the wider number of the column, exactly.
    let widened = try Expression("qty", schema: sampleSchema, for: .transform(into: .decimal))
    var evaluator = Evaluator(widened)
    #expect(try evaluator.evaluate { _ in .int(5) } == .decimal(ExactDecimal(5)))
    let literal = try Expression("1.5", schema: sampleSchema, for: .transform(into: .double))
    var other = Evaluator(literal)
    #expect(try other.evaluate { _ in .null } == .double(1.5))
}

@Test("columns are found by bytes first, then by folded name, and by id")
func columns() throws {
    let schema = ExpressionSchema([
        SchemaColumn(key: key(1), name: "Straße", type: .int),
        SchemaColumn(key: key(2), name: "ÉTAT", type: .int),
        SchemaColumn(key: key(3), name: "état2", type: .text),
    ])
    for (text, expected) in [("straße", 1), ("état", 2), ("ÉTAT2", 3), ("\"c3.2\"", 2)] {
        let expression = try Expression(Text(text), schema: schema, for: .value)
        #expect(expression.columns == [key(expected)], "\(text)")
    }
    let expression = try Expression(
        "état + STRASSE0",
        schema: ExpressionSchema([
            SchemaColumn(key: key(7), name: "strasse0", type: .int),
            SchemaColumn(key: key(8), name: "État", type: .int),
        ]), for: .value)
    #expect(expression.columns == [key(8), key(7)])
    #expect(ColumnKey("c3.7") == key(7))
    #expect(ColumnKey("c2147483648.7") == nil)
    #expect(ColumnKey("x") == nil)
    #expect(key(7).description == "c3.7")
}

@Test(
    "the type of an expression is known before any row",
    arguments: [
        ("qty + 1", ExpressionType.int), ("qty + 1.5", .decimal), ("qty * ratio", .double),
        ("qty / 2 = 1", .bool),
        ("due - due", .int), ("due + 1", .date), ("name || ''", .text),
        ("list(1, 2.5)", .list(.decimal)), ("null", .null),
        ("null + null", .null), ("case when done then null else 1.5 end", .decimal),
        ("coalesce(missing, 1e0)", .double),
        ("split(name, ',')", .list(.text)), ("json_get(data, 'a')", .json),
        ("tags || list('a')", .list(.json)),
        ("try_cast(name as list(int))", .int),
    ])
func types(_ text: String, _ type: ExpressionType) {
    guard let expression = try? Expression(Text(text), schema: sampleSchema, for: .value) else {
        #expect(text.contains("list(int)"), "\(text) is refused")
        return
    }
    #expect(expression.type == type, "\(text)")
}
