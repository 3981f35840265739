import Testing

@Test(
    "a cast is exact or an error; try_cast gives null instead",
    arguments: [
        ("cast('42' as int)", "42"), ("cast('4x' as int)", "error cannot_convert"),
        ("try_cast('4x' as int)", "null"),
        ("try_cast('42' as int)", "42"), ("cast(2.0 as int)", "2"),
        ("cast(2.5 as int)", "error not_exact"),
        ("cast(decimal '92233720368547758070' as int)", "error number_out_of_range"),
        ("cast(2e0 as int)", "2"), ("cast(2.5e0 as int)", "error not_exact"),
        ("cast(1e300 as int)", "error number_out_of_range"),
        ("cast(double 'NaN' as int)", "error cannot_convert"),
        ("try_cast(double 'NaN' as int)", "null"),
        ("cast(9007199254740993 as double)", "9007199254740992"), ("cast(5 as decimal)", "5"),
        ("cast(0.1e0 as decimal)", "0.1"), ("cast(1e21 as decimal)", "1000000000000000000000"),
        ("cast(1.5e-7 as decimal)", "0.00000015"),
        ("cast(1e300 as decimal)", "error number_out_of_range"),
        ("cast(-2.5e0 as decimal)", "-2.5"), ("cast(price as double)", "19.9"),
        ("cast(price as text)", "'19.90'"),
        ("cast(0.1e0 as text)", "'0.1'"), ("cast(true as text)", "'true'"),
        ("cast('true' as bool)", "true"),
        ("cast('yes' as bool)", "error cannot_convert"),
        ("cast('2026-11-30' as date)", "2026-11-30"),
        ("cast('2026-02-30' as date)", "error cannot_convert"),
        ("cast(id as text)", "'00000000-0000-0001-0000-000000000002'"),
        ("cast('x' as uuid)", "error cannot_convert"), ("cast(null as int)", "null"),
        ("cast(qty as bool)", "error wrong_type"),
        ("cast(due as int)", "error wrong_type"), ("cast(list(1) as text)", "error wrong_type"),
        ("cast(list('1', '2') as list(int))", "[1, 2]"),
        ("cast(qty as integer)", "error expression_syntax"),
        ("cast(1 / 0 as text)", "error division_by_zero"),
        ("try_cast(1 / 0 as text)", "error division_by_zero"),
        ("cast(qty as list(int))", "error wrong_type"),
    ])
func casts(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}
