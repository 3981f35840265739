import TableFiles
import TableValue
import Testing

private func options(_ types: Text = "", nulls: [Text] = []) throws -> ImportOptions {
    var options = ImportOptions()
    options.types = try typedColumns(parsing: types)
    options.nullTexts = nulls
    return options
}

@Test("a file becomes columns with names and types, and rows of values")
func importing() throws {
    let (plan, rows) = try imported("name,qty,ok\napple,12,true\n,,\n\"\",-1,false\n")
    #expect(plan.columns.map(\.name) == ["name", "qty", "ok"])
    #expect(plan.columns.map(\.type) == [.text, .int, .bool])
    #expect(plan.columns.map(\.nullCount) == [1, 1, 1])
    #expect(plan.rowCount == 3)
    #expect(
        rows == [
            [.text("apple"), .int(12), .bool(true)], [.null, .null, .null],
            [.text(""), .int(-1), .bool(false)],
        ])
}

@Test("leading zeros, big integers and quoted digits keep every digit")
func digitsAreKept() throws {
    let file = "zip,id,code\n08123,363228830310334464,\"0042\"\n10001,9223372036854775807,\"7\"\n"
    let (plan, rows) = try imported(file)
    #expect(plan.columns.map(\.type) == [.text, .int, .text])
    #expect(rows[0] == [.text("08123"), .int(363_228_830_310_334_464), .text("0042")])
    #expect(rows[1] == [.text("10001"), .int(.max), .text("7")])
}

@Test("given types win over what the fields look like")
func givenTypes() throws {
    let (plan, rows) = try imported("a,b\n1,007\n2,8\n", options("A:text,b:int"))
    #expect(plan.columns.map(\.type) == [.text, .int])
    #expect(plan.columns.map(\.isTypeGiven) == [true, true])
    #expect(rows == [[.text("1"), .int(7)], [.text("2"), .int(8)]])
    let words = try imported("x\nNaN\n-Infinity\n", options("x:double"))
    #expect(words.rows.map { $0[0] } == [.double(.nan), .double(-.infinity)])
}

@Test("a field that does not fit a given type is named by line, column and type, not by content")
func unfitFields() throws {
    let file = "id,when\n1,2026-11-30\n2,\n3,secret\n"
    let options = try options("when:date")
    var found: FileError?
    do { _ = try imported(file, options) } catch { found = error }
    let error = try #require(found)
    #expect(error.line == 4)
    #expect(error.field == 2)
    #expect(error.description.contains("when"))
    #expect(error.description.contains("date"))
    #expect(!error.description.contains("secret"))
}

@Test("9223372036854775808 in a column that is to be int is refused with its line")
func overflowIsRefused() throws {
    #expect {
        try imported("n\n1\n9223372036854775808\n", options("n:int"))
    } throws: { error in
        (error as? FileError)?.line == 3
    }
}

@Test("a type for a column that is not there, or for one column twice, is refused")
func unknownColumns() {
    #expect(throws: FileError(.unknownColumn("foo"))) {
        try imported("qux,quux\n", options("foo:text"))
    }
    #expect(throws: FileError(.columnGivenTwice("b"))) {
        var options = ImportOptions()
        options.types = [.init(name: "b", type: .int), .init(name: "b", type: .text)]
        _ = try imported("a,b\n1,2\n", options)
    }
}

@Test("a file without header gets names by position")
func noHeader() throws {
    var options = ImportOptions()
    options.dialect.hasHeader = false
    let (plan, rows) = try imported("1,a\n2,b\n", options)
    #expect(plan.columns.map(\.name) == ["column_1", "column_2"])
    #expect(rows.count == 2)
    #expect(try imported("", options).plan.columns == [])
}

@Test("duplicate names in the header become unique, and the plan keeps what the file says")
func duplicateHeader() throws {
    let (plan, _) = try imported("a,a,\n1,2,3\n")
    #expect(plan.columns.map(\.name) == ["a", "a 2", "column_3"])
    #expect(plan.columns.map(\.heading) == ["a", "a", ""])
}

@Test("a broken row late in the file is found in the first pass")
func firstPassFindsAll() throws {
    var scan = ImportScan(ImportOptions())
    let good = Array(("a,b\n" + String(repeating: "1,2\n", count: 5_000)).utf8)
    try scan.read(good.span)
    let bad = Array("1,2,3\n".utf8)
    #expect(throws: FileError(.wrongFieldCount(expected: 2, found: 3), line: 5_002)) {
        try scan.read(bad.span)
    }
}

@Test("the size of the pieces changes nothing")
func pieces() throws {
    let file = Array("a,\"b\r\nc\",d\r\n1,\"x\"\"y\",2026-11-30\r\n,é,\r\n".utf8)
    let whole = try imported(file)
    for size in 1...file.count {
        let pieced = try imported(file, pieceBytes: size)
        #expect(pieced.plan == whole.plan)
        #expect(pieced.rows == whole.rows)
    }
}

@Test("every error says what is wrong in words")
func errorWords() {
    let problems: [FileError.Problem] = [
        .unterminatedQuote, .quoteInPlainField, .textAfterQuote, .notUTF8, .utf16, .missingHeader,
        .wrongFieldCount(expected: 3, found: 1), .fieldTooLong(bytesMax: 1),
        .rowTooLong(bytesMax: 1), .tooManyColumns(max: 1),
        .unfit(column: "a\u{1B}", ValueError(type: .int, reason: "no")), .unknownColumn("a"),
        .columnGivenTwice("a"), .badTypeList("no"),
    ]
    for problem in problems {
        let words = FileError(problem, line: 2, field: 3, byte: 4).description
        #expect(words.hasPrefix("line 2, field 3, byte 4: "))
        #expect(words.count > 26 && !words.contains("\u{1B}"))
    }
    #expect(
        FileError(.wrongFieldCount(expected: 3, found: 1), line: 2).description
            == "line 2: 1 field where 3 were expected")
    #expect(FileError(.missingHeader).description == "the file is empty; it has no header")
}
