import TableExpression
import TableValue
import Testing

private func failure(_ text: String, _ limits: ExpressionLimits = ExpressionLimits())
    -> ExpressionError?
{
    do throws(ExpressionError) {
        _ = try Syntax(parsing: Text(text), limits: limits)
        return nil
    } catch {
        return error
    }
}

@Test(
    "operators bind as in SQL",
    arguments: [
        ("a + b * c", "a + (b * c)"), ("a - b - c", "(a - b) - c"),
        ("a * b / c % d", "((a * b) / c) % d"),
        ("a || b + c", "a || (b + c)"), ("a or b and c", "a or (b and c)"),
        ("not a and b", "(not a) and b"),
        ("not a = b", "not (a = b)"), ("a + b = c || d", "(a + b) = (c || d)"),
        ("-a * b", "(-a) * b"),
        ("- -a", "-(-a)"), ("a between b and c and d", "(a between b and c) and d"),
        ("a is null or b", "(a is null) or b"), ("a in (b or c, d)", "a in ((b or c), d)"),
        ("not not a", "not (not a)"), ("a - -5", "a - (-5)"), ("a like b || c", "a like (b || c)"),
        ("a != b", "a <> b"),
    ])
func ranks(_ text: String, _ grouped: String) throws {
    #expect(try Syntax(parsing: Text(text)) == Syntax(parsing: Text(grouped)))
}

@Test(
    "a mistake is reported where it is, with what was expected",
    arguments: [
        ("", "", "a value"), ("a +", "", "a value"), ("a b", "b", "operator"), ("(a", "", ")"),
        ("a)", ")", "the end"),
        ("a = b = c", "=", "and"), ("a < b < c", "<", "and"), ("a is null + 1", "+", "and"),
        ("a in (1) * 2", "*", "and"),
        ("a in ()", ")", "a value"), ("a in 5", "5", "("), ("a not b", "b", "in, between or like"),
        ("a is 5", "5", "null"), ("a between 1", "", "and"), ("f(", "f", "function"),
        ("length(a", "", ")"),
        ("length(a,)", ")", "a value"), ("case a end", "end", "when"),
        ("case when a end", "end", "then"),
        ("case when a then b", "", "end"), ("cast(a int)", "int", "as"),
        ("cast(a as integer)", "integer", "a type"),
        ("cast(a as list(x))", "x", "a type"), ("+5", "+", "a value"),
        ("a + not b", "not", "a value"),
        ("and", "and", "a value"), ("a is distinct b", "b", "from"), ("foo 'x'", "foo", "type"),
        ("a, b", ",", "the end"), ("a like", "", "a value"), ("a 'b'", "a", "type"),
        ("5 'b'", "'b'", "the end"),
    ])
func mistakes(_ text: String, _ place: String, _ expected: String) {
    let error = failure(text)
    #expect(error != nil, "\(text) is read")
    #expect(pointed(error, in: text) == place, "\(text): \(error?.message ?? "")")
    let said = (error?.expected ?? "") + (error?.message ?? "")
    #expect(said.contains(expected), "\(text): \(said)")
}

@Test("nesting is bounded, in every way to nest")
func depth() {
    let ways: [(String, String)] = [
        ("(", ")"), ("not ", ""), ("- ", ""), ("length(", ")"), ("case when ", " then 1 end"),
        ("cast(", " as int)"), ("1 + (", ")"), ("a in (", ")"), ("case ", " when 1 then 2 end"),
        ("if(", ", 1, 2)"),
    ]
    for (open, close) in ways {
        func nested(_ count: Int) -> String {
            String(repeating: open, count: count) + "a" + String(repeating: close, count: count)
        }
        #expect(failure(nested(30)) == nil, "\(open)")
        #expect(failure(nested(400))?.code == .tooDeep, "\(open)")
        var limits = ExpressionLimits()
        limits.textBytesMax = 10_000_000
        #expect(failure(nested(2_000), limits)?.code == .tooDeep, "\(open)")
        // An opening without an end.
        #expect(failure(String(repeating: open, count: 2_000), limits)?.code == .tooDeep)
    }
    var limits = ExpressionLimits()
    limits.textBytesMax = 1_000_000
    let hostile = String(repeating: "(", count: 100_000)
    #expect(failure(hostile)?.code == .tooLong)
    #expect(failure(hostile, limits)?.code == .tooDeep)
}

@Test("chains of and, or, || and of lists may be long; those of other operators as deep as allowed")
func chains() throws {
    for word in [" and ", " or ", " || ", " "] {
        let text =
            word == " "
            ? "a in (" + Array(repeating: "1", count: 2_000).joined(separator: ",") + ")"
            : Array(repeating: "a", count: 2_000).joined(separator: word)
        #expect(try Syntax(parsing: Text(text)).form != .null)
    }
    #expect(failure(Array(repeating: "a", count: 99).joined(separator: " + ")) == nil)
    #expect(failure(Array(repeating: "a", count: 200).joined(separator: " + "))?.code == .tooDeep)
}

@Test(
    "a long text is refused before it is looked at, bytes that are not UTF-8 at their place"
)
func bytes() {
    #expect(failure(String(repeating: "a", count: 20_000))?.code == .tooLong)
    #expect(failure("'" + String(repeating: "a", count: 16_000) + "'") == nil)
    let broken: [([UInt8], Int)] = [
        ([0x61, 0xFF], 1), ([0xC3], 0), ([0x27, 0xE2, 0x82, 0x27], 1),
        ([0xC3, 0xA4, 0xED, 0xA0, 0x80], 2),
        ([0xF5, 0x80, 0x80, 0x80], 0), ([0x20, 0xC0, 0x80], 1),
    ]
    for (bytes, place) in broken {
        do throws(ExpressionError) {
            _ = try Syntax(parsing: bytes.span)
            Issue.record("\(bytes) is read")
        } catch {
            #expect(error.code == .notUTF8)
            #expect(error.place.start == Int32(place), "\(bytes)")
        }
    }
    let good = Array("qty > 5".utf8)
    #expect((try? Syntax(parsing: good.span)) != nil)
}
