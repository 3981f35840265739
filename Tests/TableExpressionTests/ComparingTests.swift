import TableExpression
import Testing

@Test(
    "numbers compare by their exact worth, texts by bytes, moments by instant",
    arguments: [
        ("1 = 1.0", "true"), ("1.50 = 1.5", "true"), ("1.5 < 1.51", "true"),
        ("9007199254740993 = 9007199254740992e0", "false"),
        ("9007199254740993 > 9007199254740992e0", "true"),
        ("9223372036854775807 < 9223372036854775808e0", "true"),
        ("-9223372036854775808 = -9223372036854775808e0", "true"),
        ("-9223372036854775808 > -1e300", "true"), ("1 < double 'NaN'", "true"),
        ("2 < 2.5e0", "true"), ("-2 > -2.5e0", "true"), ("2.5e0 >= 2", "true"),
        ("double 'NaN' = double 'NaN'", "true"), ("double 'NaN' > double 'Infinity'", "true"),
        ("-0e0 = 0", "true"), ("0.1e0 = 0.1", "true"), ("ratio = 0.5", "true"),
        ("price = 0.1e0", "error wrong_type"), ("'a' < 'b'", "true"), ("'B' < 'a'", "true"),
        ("'ä' = 'ä'", "true"), ("'a\u{308}' = 'ä'", "false"), ("'' = ''", "true"),
        ("'a' < 'aa'", "true"), ("false < true", "true"),
        ("due < '2026-12-01'", "true"), ("due = date '2026-11-30'", "true"),
        ("seen = '2026-11-30T21:30:00Z'", "true"), ("seen < '2026-11-30T21:30:00.000001Z'", "true"),
        ("id = '00000000-0000-0001-0000-000000000002'", "true"),
        ("id < uuid '00000000-0000-0001-0000-000000000003'", "true"),
        ("list(1, 2) = list(1, 2)", "true"), ("list(1, 2) = list(1, 3)", "false"),
        ("list(1) = list(1, 2)", "false"), ("list(1, null) = list(1, null)", "true"),
        ("list(1) < list(2)", "error wrong_type"), ("tags = list('red')", "false"),
        ("json '[1, 2.0]' = json '[1,2.0]'", "true"), ("json '1' = json '1.0'", "true"),
        ("json '1' < json '2'", "error wrong_type"), ("qty between 42 and 42.5", "true"),
        ("qty not between 1 and 2", "true"), ("qty in (1, 42.0)", "true"),
    ])
func comparisons(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test("every two values of a type are below, equal or above, in one order")
func totalOrder() {
    let families: [[String]] = [
        [
            "-1e300", "-9223372036854775808", "-1.5e0", "-1", "0", "0.25e0", "1", "1e19",
            "double 'Infinity'", "double 'NaN'",
        ],
        ["-9223372036854775808", "-1.50", "-1", "0", "0.1", "1", "decimal '9223372036854775808'"],
        ["''", "'A'", "'a'", "'a '", "'b'", "'é'", "'€'", "'😀'"],
        ["date '0001-01-01'", "date '1969-12-31'", "date '1970-01-01'", "date '9999-12-31'"],
    ]
    for family in families {
        for (low, left) in family.enumerated() {
            for (high, right) in family.enumerated() {
                #expect(outcome("\(left) < \(right)") == String(low < high), "\(left) < \(right)")
                #expect(outcome("\(left) <= \(right)") == String(low <= high))
                #expect(outcome("\(left) = \(right)") == String(low == high))
                #expect(outcome("\(left) <> \(right)") == String(low != high))
                #expect(outcome("\(left) > \(right)") == String(low > high))
                #expect(outcome("\(left) >= \(right)") == String(low >= high))
            }
        }
    }
}
