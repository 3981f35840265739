import TableExpression
import TableValue
import Testing

private func failure(_ text: String) -> ExpressionError? {
    do throws(ExpressionError) {
        _ = try Syntax(parsing: Text(text))
        return nil
    } catch {
        return error
    }
}

@Test(
    "what is no word or sign is refused at its place, with what to write instead",
    arguments: [
        ("a == b", "==", "="), ("a && b", "&&", "and"), ("a -- b", "--", "comments"),
        ("a /* b", "/*", "comments"),
        ("!a", "!", "not"), ("a | b", "|", "||"), ("`a`", "`", "double quotes"),
        ("[a]", "[", "double quotes"),
        ("a;", ";", "without"), ("a ? b", "?", "no meaning"), ("c12.3", ".", "\"c12.3\""),
        ("5x", "5x", "spaces"),
        ("1.2.3", "1.2.", "spaces"), ("1.", "1.", "not complete"), ("1e", "1e", "not complete"),
        ("1e+", "1e+", "not complete"), ("'abc", "'", "no end"), ("\"abc", "\"", "no end"),
        ("\"\"", "\"\"", "empty"),
        ("a\u{A0}b", "\u{A0}", "quoted"), ("a + \u{202E}b", "\u{202E}", "quoted"),
        ("€1 \u{3000}", "\u{3000}", "quoted"),
        ("a\u{0}", "\u{0}", "no meaning"),
    ])
func strangeSigns(_ text: String, _ place: String, _ hint: String) {
    let error = failure(text)
    #expect(error?.code == .syntax)
    #expect(pointed(error, in: text) == place, "\(text)")
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "none")")
}

@Test("keywords are known in every case, names keep theirs")
func keywordCase() throws {
    #expect(try Syntax(parsing: "A AND nOt B") == Syntax(parsing: "A and not B"))
    #expect(try Syntax(parsing: "a") != Syntax(parsing: "A"))
    #expect(try Syntax(parsing: "NULL").form == .null)
    #expect(try Syntax(parsing: "Größe").form == .column(.name("Größe")))
    #expect(try Syntax(parsing: "\"a \"\"b\"\"\"").form == .column(.name("a \"b\"")))
    #expect(try Syntax(parsing: "'it''s'").form == .text("it's"))
    #expect(try Syntax(parsing: "\"and\"").form == .column(.name("and")))
    #expect(try Syntax(parsing: "\"c3.1\"").form == .column(.key(key(1))))
    // The Kelvin sign folds to k, but keywords are ASCII.
    #expect(try Syntax(parsing: "li\u{212A}e").form == .column(.name("li\u{212A}e")))
}

@Test("numbers have the type they are written as, and their full range")
func numbers() throws {
    #expect(try Syntax(parsing: "9223372036854775807").form == .int(.max))
    #expect(try Syntax(parsing: "-9223372036854775808").form == .int(.min))
    #expect(try Syntax(parsing: "- 5").form == .int(-5))
    #expect(failure("9223372036854775808")?.code == .badLiteral)
    #expect(try Syntax(parsing: "1e3").form == .double(1_000))
    #expect(failure("1e999")?.code == .badLiteral)
    #expect(failure("1e-999")?.code == .badLiteral)
    let long = String(repeating: "9", count: 39)
    #expect(failure("\(long).0")?.code == .badLiteral)
    #expect(pointed(failure("1 + \(long)"), in: "1 + \(long)") == long)
    guard case .decimal(let number) = try Syntax(parsing: "-1.50").form else {
        Issue.record("no decimal")
        return
    }
    #expect(number == ExactDecimal(coefficient: -150, scale: 2))
}
