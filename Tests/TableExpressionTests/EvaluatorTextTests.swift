import Testing

@Test(
    "functions of texts count characters, from 1",
    arguments: [
        ("length('ä€😀')", "3"), ("length('')", "0"), ("length(unsaid)", "null"),
        ("lower('ÄB1')", "'äb1'"), ("upper('straße')", "'STRAßE'"), ("fold('ÄſB')", "'äsb'"),
        ("trim('  a b \u{A0}')", "'a b'"), ("trim_start('  a ')", "'a '"),
        ("trim_end(' a  ')", "' a'"),
        ("trim('xxaxbyx', 'xy')", "'axb'"), ("trim('   ')", "''"),
        ("substring('hello', 2)", "'ello'"), ("substring('hello', 2, 3)", "'ell'"),
        ("substring('abc', 0, 2)", "'a'"), ("substring('abc', -5, 3)", "''"),
        ("substring('abc', 10)", "''"), ("substring('abc', 2, -1)", "error argument_out_of_range"),
        ("substring('abc', 1, 9223372036854775807)", "'abc'"),
        ("substring('abc', -9223372036854775808, 9223372036854775807)", "''"),
        ("substring('ä€😀', 2, 1)", "'€'"), ("left('héllo', 2)", "'hé'"),
        ("right('héllo', 4)", "'éllo'"),
        ("left('a', 9)", "'a'"), ("right('a', 9223372036854775807)", "'a'"),
        ("left('a', -1)", "error argument_out_of_range"), ("left('a', 0)", "''"),
        ("replace('banana', 'an', '<>')", "'b<><>a'"), ("replace('aaa', 'aa', 'b')", "'ba'"),
        ("replace('abc', '', 'x')", "'abc'"), ("replace('abc', 'b', '')", "'ac'"),
        ("repeat('ab', 3)", "'ababab'"), ("repeat('ab', 0)", "''"),
        ("repeat('ab', -1)", "error argument_out_of_range"),
        ("pad_start('7', 3, '0')", "'007'"), ("pad_end('7', 3)", "'7  '"),
        ("pad_start('1234', 3)", "'1234'"),
        ("pad_end('a', 5, 'xy')", "'axyxy'"), ("pad_end('a', 5, '')", "'a'"),
        ("starts_with(name, 'Ad')", "true"), ("ends_with(name, 'da')", "true"),
        ("starts_with(name, 'ad')", "false"), ("contains(note, '% o')", "true"),
        ("contains('abc', '')", "true"), ("position('äbc', 'c')", "3"),
        ("position('abc', 'x')", "0"),
        ("concat('a', 1, null, true, due)", "'a1true2026-11-30'"), ("'a' || 'b' || 'c'", "'abc'"),
        ("'a' || null", "null"), ("'a' || 1", "error wrong_type"),
        ("split('a,b,,c', ',')", "['a', 'b', '', 'c']"), ("split('', ',')", "['']"),
        ("split('a', '')", "error argument_out_of_range"), ("split_part('a-b-c', '-', 2)", "'b'"),
        ("split_part('a-b-c', '-', 4)", "null"), ("split_part('a-b', '-', 0)", "null"),
        ("matches(name, '[A-Z][a-z]+')", "true"), ("matches(name, 'Ad')", "false"),
        ("contains_match(name, 'd')", "true"), ("matches(unsaid, 'a')", "null"),
        ("matches('it''s', '[a-z]+''s')", "true"),
    ])
func textFunctions(_ text: String, _ expected: String) {
    #expect(outcome(text) == expected, "\(text)")
}
