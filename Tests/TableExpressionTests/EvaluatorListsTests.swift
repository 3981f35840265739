import Testing

@Test(
    "lists hold values of one type; places count from 1 and from the end",
    arguments: [
        ("list(1, 2, 3)", "[1, 2, 3]"), ("list(1, 2.5)", "[1, 2.5]"),
        ("list('a', null)", "['a', null]"),
        ("list(1, 'a')", "error wrong_type"), ("list(null)", "error wrong_type"),
        ("list(list(1))", "error wrong_type"), ("length(list(1, 2))", "2"),
        ("contains(list(1, 2), 2)", "true"), ("contains(list(1, 2), 3)", "false"),
        ("contains(list(1, 2), 'a')", "error wrong_type"), ("contains(list(1, 2), null)", "null"),
        ("position(list('a', 'b'), 'b')", "2"), ("position(list('a'), 'x')", "0"),
        ("element(list('a', 'b'), 1)", "'a'"), ("element(list('a', 'b'), -1)", "'b'"),
        ("element(list('a', 'b'), 0)", "null"), ("element(list('a', 'b'), 3)", "null"),
        ("element(list(1), -9223372036854775808)", "null"),
        ("append(list(1), 2)", "[1, 2]"), ("append(list(1), null)", "[1, null]"),
        ("append(null, 1)", "null"),
        ("remove(list(1, 2, 1), 1)", "[2]"), ("remove(list(1, null), null)", "[1]"),
        ("list_distinct(list(1.5, 1.50, 2.0))", "[1.5, 2.0]"),
        ("list(1) || list(2, 3)", "[1, 2, 3]"),
        ("list(1) || list('a')", "error wrong_type"), ("join(list('a', null, 'b'), '-')", "'a-b'"),
        ("list_sum(list(1, 2, null))", "3"), ("list_sum(list(1.5, 2.25))", "3.75"),
        ("list_sum(list('a'))", "error wrong_type"), ("list_min(list('b', 'a'))", "'a'"),
        ("list_max(list(1, 3, 2))", "3"), ("list_max(list(cast(null as int)))", "null"),
        ("list_sum(list(9223372036854775807, 1))", "error number_out_of_range"),
    ])
func listFunctions(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "a column of lists holds texts, numbers and bools side by side",
    arguments: [
        ("length(tags)", "3"), ("contains(tags, 'red')", "true"),
        ("contains(tags, 'blue')", "false"),
        ("contains(tags, 2)", "true"), ("contains(tags, 2.0)", "true"),
        ("contains(tags, true)", "true"),
        ("contains(tags, due)", "error wrong_type"), ("position(tags, 2)", "2"),
        ("append(tags, 'x')", #"["red", 2, true, "x"]"#), ("remove(tags, 'red')", "[2, true]"),
        ("tags || list('x')", #"["red", 2, true, "x"]"#),
        ("list('x') || tags", #"["x", "red", 2, true]"#),
        ("join(tags, '+')", "'red+2+true'"), ("cast(element(tags, 1) as text)", "'red'"),
        ("cast(element(tags, 2) as int)", "2"),
        ("cast(tags as list(text))", "['red', '2', 'true']"),
        ("cast(tags as list(int))", "error cannot_convert"),
        ("try_cast(tags as list(int))", "null"),
        ("list_sum(cast(json '[1, 2]' as list(int)))", "3"),
        ("tags = cast(cast(tags as json) as list(json))", "true"),
        ("list_max(tags)", "error wrong_type"), ("list_sum(tags)", "error wrong_type"),
    ])
func columnsOfLists(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "JSON values are taken apart by key and by place",
    arguments: [
        ("json_get(data, 'b')", #""x""#), ("json_get(data, 'c')", "null"),
        ("json_get(data, 'a')", "[1,2.5]"),
        ("json_at(json_get(data, 'a'), 2)", "2.5"), ("json_at(json_get(data, 'a'), -1)", "2.5"),
        ("json_at(data, 1)", "null"), ("json_type(data)", "'object'"),
        ("json_type(json '[]')", "'array'"),
        ("json_type(json '\"a\"')", "'string'"), ("json_type(json '1')", "'number'"),
        ("json_type(json 'true')", "'boolean'"), ("json 'null'", "null"),
        ("json_length(data)", "2"),
        ("json_length(json '1')", "null"), ("json_get(json '{\"a\":null}', 'a')", "null"),
        ("to_json('a\"b')", #""a\"b""#), ("to_json(1.5e0)", "1.5"),
        ("to_json(due)", #""2026-11-30""#),
        ("cast(json_get(data, 'b') as text)", "'x'"),
        ("cast(data as text)", #"'{"a":[1,2.5],"b":"x"}'"#),
        ("cast(json_at(json_get(data, 'a'), 1) as int)", "1"),
        ("cast(json '2.5' as int)", "error not_exact"),
        ("cast(json '\"7\"' as int)", "7"), ("cast(json 'true' as bool)", "true"),
        ("cast(json '\"true\"' as bool)", "error cannot_convert"),
        ("cast('{' as json)", "error cannot_convert"),
        ("json '{'", "error bad_literal"), ("cast(list(1, 2) as json)", "[1,2]"),
        ("cast(data as list(int))", "error cannot_convert"),
        ("to_json(double 'NaN')", "error cannot_convert"),
    ])
func jsonFunctions(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}
