import TableExpression
import TestSupport
import Testing

@Test(
    "ints are exact to the last digit, and what does not fit is an error",
    arguments: [
        ("2 + 3 * 4", "14"), ("(2 + 3) * 4", "20"), ("7 / 2", "3"), ("-7 / 2", "-3"),
        ("7 % 3", "1"), ("-7 % 3", "-1"), ("7 % -3", "1"), ("1 / 0", "error division_by_zero"),
        ("1 % 0", "error division_by_zero"), ("9007199254740993 + 0", "9007199254740993"),
        ("9223372036854775807 + 0", "9223372036854775807"),
        ("9223372036854775807 + 1", "error number_out_of_range"),
        ("-9223372036854775808 - 1", "error number_out_of_range"),
        ("-9223372036854775808 / -1", "error number_out_of_range"),
        ("-9223372036854775808 % -1", "0"),
        ("-(-9223372036854775808)", "error number_out_of_range"),
        ("4611686018427387904 * 2", "error number_out_of_range"),
        ("3037000500 * 3037000500", "error number_out_of_range"), ("null + 1", "null"),
        ("missing * 2", "null"), ("- qty", "-42"),
    ])
func integers(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "decimals keep every digit; a quotient has six more",
    arguments: [
        ("0.1 + 0.2", "0.3"), ("1.50 + 1", "2.50"), ("1.5 * 1.25", "1.875"), ("1 - 0.10", "0.90"),
        ("1.0 / 3", "0.3333333"), ("2.0 / 3", "0.6666667"), ("-2.0 / 3", "-0.6666667"),
        ("1.00 / 3.000", "0.333333333"), ("5.5 % 2", "1.5"), ("-5.5 % 2.00", "-1.50"),
        ("1.0 / 0", "error division_by_zero"), ("1.0 % 0.0", "error division_by_zero"),
        ("price * qty", "835.80"), ("0.0000005 / 1.0", "0.0000005000000"),
        (
            "decimal '0.5' / decimal '0.99999999999999999999999999999999999999'",
            "0.50000000000000000000000000000000000001"
        ),
        ("decimal '99999999999999999999999999999999999999' + 1", "error number_out_of_range"),
        ("decimal '99999999999999999999999999999999999999' * 2", "error number_out_of_range"),
        ("decimal '99999999999999999999999999999999999999' / 1", "error number_out_of_range"),
        ("decimal '99999999999999999999999999999999999999' % 7", "1"),
        (
            "decimal '9' % decimal '0.00000000000000000000000000000000000007'",
            "0.00000000000000000000000000000000000004"
        ),
    ])
func decimals(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "doubles never make infinity or NaN of finite numbers, and pass on those they are given",
    arguments: [
        ("1.5e0 * 2", "3"), ("ratio + 1", "1.5"), ("1e308 * 10", "error number_out_of_range"),
        ("1e0 / 0", "error division_by_zero"), ("double 'NaN' + 1", "NaN"),
        ("double 'Infinity' - double 'Infinity'", "NaN"), ("double 'Infinity' + 1", "Infinity"),
        ("-(0e0)", "-0.0"), ("1e-300 * 1e-300", "0"), ("5e0 % 2", "error wrong_type"),
        ("ratio * 9007199254740993", "error not_exact"),
        ("ratio * cast(9007199254740993 as double)", "4503599627370496"),
    ])
func doubles(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test(
    "days are added to dates and counted between them",
    arguments: [
        ("due + 1", "2026-12-01"), ("1 + due", "2026-12-01"), ("due - 30", "2026-10-31"),
        ("due - '2026-11-01'", "29"), ("due - date '2027-01-01'", "-32"),
        ("due + 9223372036854775807", "error date_out_of_range"),
        ("due - (-9223372036854775807 - 1)", "error number_out_of_range"),
        ("date '9999-12-31' + 1", "error date_out_of_range"),
        ("date '0001-01-01' - 1", "error date_out_of_range"), ("due + null", "null"),
        ("due * 2", "error wrong_type"), ("1 - due", "error wrong_type"),
        ("due + due", "error wrong_type"), ("seen + 1", "error wrong_type"),
    ])
func days(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}

@Test("ints agree with arithmetic of twice the width, wherever that has an answer that fits")
func integersAgreeWithWide() throws {
    var generator = SeededRandom(seed: 41)
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, 3_037_000_500, -3_037_000_499]
    for _ in 0..<2_000 {
        let pair = (0..<2).map { _ in
            generator.chance(50)
                ? generator.pick(edges)
                : Int64(bitPattern: generator.next() >> UInt64(generator.below(64)))
        }
        let (left, right) = (Int128(pair[0]), Int128(pair[1]))
        for (sign, wide) in [("+", left + right), ("-", left - right), ("*", left * right)] {
            let text = "\(pair[0]) \(sign) \(pair[1])"
            let expected = Int64(exactly: wide).map { String($0) } ?? "error number_out_of_range"
            #expect(outcome(text) == expected, "\(text)")
        }
        guard right != 0 else { continue }
        let quotient = Int64(exactly: left / right).map { String($0) }
        #expect(outcome("\(pair[0]) / \(pair[1])") == quotient ?? "error number_out_of_range")
        #expect(outcome("\(pair[0]) % \(pair[1])") == String(left % right))
    }
}
