// The entry for expressions: what is read is printed and read again, and evaluated for a row.
import TableExpression
import TableValue

private let columns: [(name: Text, type: ExpressionType, value: ExpressionValue)] = [
    ("a", .text, .text("A%b_é")), ("b", .text, .null), ("n", .int, .int(.min)),
    ("m", .int, .int(7)),
    ("d", .double, .double(.nan)), ("p", .bool, .bool(true)), ("q", .bool, .null),
    ("t", .date, .date(Day(daysSinceEpoch: 0))),
    ("u", .datetime, .datetime(Moment(microsecondsSinceEpoch: .max, offsetMinutes: 1_439))),
    ("l", .list(.text), .list([.text("x"), .null])),
]

private let schema = ExpressionSchema(
    columns.enumerated().map { index, column in
        SchemaColumn(
            key: ColumnKey(rawValue: Int64(index)), name: column.name, type: column.type)
    })

/// Places of errors lie in the text; printing is reading's inverse; evaluation ends within its
/// budget, with a value of the expression's type.
func takeExpression(_ bytes: [UInt8]) {
    var source: Text = ""
    do throws(ExpressionError) {
        source = try expressionText(bytes.span)
        let syntax = try Syntax(parsing: source)
        checkPrinting(syntax)
        let expression = try Expression(syntax, source: source, schema: schema, for: .value)
        evaluate(expression)
    } catch {
        if error.place.start > error.place.end || Int(error.place.end) > bytes.count + 1 {
            fail("an error is outside the text")
        }
        if error.rendered(source: source).isEmpty { fail("an error is shown as nothing") }
    }
}

private func checkPrinting(_ syntax: Syntax) {
    let printed = syntax.printed()
    var limits = ExpressionLimits()
    limits.textBytesMax = 1 << 20
    // Parentheses that printing adds may go beyond the depth that the text stayed within.
    limits.depthMax = 300
    guard let again = try? Syntax(parsing: printed, limits: limits) else {
        fail("what is printed is not read")
    }
    if again != syntax { fail("what is printed is another expression") }
    if again.printed() != printed { fail("printing has two forms") }
}

private func evaluate(_ expression: Expression) {
    var limits = ExpressionLimits()
    limits.stepsMax = 10_000
    let time = EvaluationTime(
        today: Day(daysSinceEpoch: 1), now: Moment(microsecondsSinceEpoch: 1, offsetMinutes: 0))
    var evaluator = Evaluator(expression, time: time, limits: limits)
    for round in 0..<2 {
        do throws(EvaluationError) {
            let value = try evaluator.evaluate { slot in
                let column = Int(truncatingIfNeeded: expression.columns[slot].rawValue)
                return round == 0 ? columns[column].value : .null
            }
            if !value.fits(expression.type) { fail("a value has another type than its expression") }
        } catch {
            if error.fault == .wrongCellType { fail("a well-typed expression met a wrong type") }
        }
    }
    if evaluator.stepsSpent > 2 * limits.stepsMax { fail("the budget was passed") }
}
