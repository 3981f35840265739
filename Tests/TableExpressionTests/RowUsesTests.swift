import TableExpression
import TableValue
import Testing

@Test("a filter keeps what is true, a rule passes what is not false")
func nullInFilterAndRule() throws {
    let expression = try Expression("qty > 10", schema: sampleSchema, for: .filter)
    var evaluator = Evaluator(expression)
    let cells: [(ExpressionValue, keeps: Bool, passes: Bool)] = [
        (.int(11), true, true), (.int(10), false, false), (.null, false, true),
    ]
    for (cell, keeps, passes) in cells {
        let kept = try evaluator.keeps { _ in cell }
        let passed = try evaluator.passes { _ in cell }
        #expect(kept == keeps)
        #expect(passed == passes)
    }
}

@Test("the value of a cell goes into an expression and comes back as it was")
func cellValues() {
    let values: [Value] = [
        .null, .bool(true), .int(.min), .double(.nan), .double(-0.0), .text("é"),
        .date(Day(daysSinceEpoch: 3)),
        .datetime(Moment(microsecondsSinceEpoch: 7, offsetMinutes: 60)),
        .uuid(Identifier128(high: 1, low: 2)),
    ]
    for value in values {
        #expect(ExpressionValue(value).cellValue == value)
        guard let type = value.type else { continue }
        #expect(ExpressionValue(value).fits(ExpressionType(type)))
    }
    for type in ColumnType.allCases where type == .text || type == .int {
        #expect(ExpressionType(type).description == type.rawValue)
    }
}

@Test("the cells of a row are asked for only where the evaluation comes to them")
func lazyCells() throws {
    let expression = try Expression("done or qty > 1", schema: sampleSchema, for: .filter)
    #expect(expression.columns == [key(6), key(3)])
    var evaluator = Evaluator(expression)
    var asked: [Int] = []
    _ = try evaluator.keeps { slot in
        asked.append(slot)
        return .bool(true)
    }
    #expect(asked == [0])
}

@Test("what a cell of any type holds is a value of an expression, and comes back as it was")
func cellsThereAndBack() throws {
    let cells: [Value] = [
        .null, .bool(true), .int(-1), .double(0.5), .text("a"),
        try Value("2026-11-30", as: .date), try Value("2026-11-30T08:00:00Z", as: .datetime),
        try Value("12.50", as: .decimal), try Value(#"["a",2,true,0.5]"#, as: .list),
        try Value(#"{"a":[1,null]}"#, as: .json),
    ]
    for cell in cells { #expect(ExpressionValue(cell).cellValue == cell, "\(cell)") }
    #expect(ExpressionValue(.choice("red")).cellValue == .text("red"))
    #expect(ExpressionValue.list([.null]).cellValue == nil, "a list holds no nulls")
}
