import Testing

@Test(
    "functions of numbers round half away from zero, and keep the type they are given",
    arguments: [
        ("abs(-5)", "5"), ("abs(-9223372036854775808)", "error number_out_of_range"),
        ("abs(-1.50)", "1.50"),
        ("abs(-0e0)", "0"), ("sign(-2.5)", "-1"), ("sign(0)", "0"), ("sign(3e0)", "1"),
        ("sign(double 'NaN')", "error argument_out_of_range"),
        ("round(2.5)", "3"), ("round(-2.5)", "-3"), ("round(2.345, 2)", "2.35"),
        ("round(2.3, 5)", "2.3"),
        ("round(-0.04, 1)", "0.0"), ("round(25, -1)", "30"), ("round(-25, -1)", "-30"),
        ("round(7, 2)", "7"),
        ("round(9223372036854775807, -1)", "error number_out_of_range"), ("round(5, -38)", "0"),
        ("round(5, -39)", "error argument_out_of_range"), ("round(2.5e0)", "3"),
        ("round(-2.5e0)", "-3"),
        ("round(1.005e0, 2)", "1.01"), ("round(0.1e0 + 0.2e0, 2)", "0.3"),
        ("round(1e300, 2)", "1e+300"),
        ("round(1e-300, 2)", "0"), ("round(1234.5e0, -2)", "1200"),
        ("round(double 'NaN', 2)", "NaN"),
        ("floor(-1.5)", "-2"), ("ceil(-1.5)", "-1"), ("trunc(-1.5)", "-1"), ("floor(1.5e0)", "1"),
        ("ceil(1.2e0)", "2"), ("trunc(-1.9e0)", "-1"), ("floor(7)", "7"), ("ceil(1.00)", "1"),
        ("sqrt(9)", "3"), ("sqrt(2.25)", "1.5"), ("sqrt(-1)", "error argument_out_of_range"),
        ("greatest(1, 5, 3)", "5"), ("least(1, 2.5)", "1"), ("greatest(1, null)", "null"),
        ("greatest('a', 'b')", "'b'"), ("least(due, '2026-01-01')", "2026-01-01"),
        ("greatest(1, 'a')", "error wrong_type"), ("abs('a')", "error wrong_type"),
        ("abs(missing)", "null"), ("round(price)", "20"),
    ])
func numberFunctions(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}
