// Files of JSON as tables: what our writer writes comes back, whatever the pieces; what is not
// strictly rows of cells is refused with its line.
import TableFiles
import TableValue
import TestSupport
import Testing

private func options(_ shape: FileShape, _ types: Text = "") throws -> ImportOptions {
    var options = ImportOptions()
    options.shape = shape
    options.types = try typedColumns(parsing: types)
    return options
}

@Test("a list of objects, and one object a line, become columns in the order of their keys")
func jsonImport() throws {
    let list = #"[{"name":"a","qty":1},{"when":"2026-11-30","qty":null}, {"qty":-2,"name":""}]"#
    let lines = """
        {"name":"a","qty":1}

        {"when":"2026-11-30", "qty":null}\r
        {"qty":-2,"name":""}
        """
    for (text, shape) in [(list, FileShape.json), (lines, .ndjson)] {
        let (plan, rows) = try imported(text, options(shape))
        #expect(plan.columns.map(\.name) == ["name", "qty", "when"])
        #expect(plan.columns.map(\.type) == [.text, .int, .date])
        #expect(plan.columns.map(\.nullCount) == [1, 1, 2])
        #expect(plan.rowCount == 3)
        let day = try Value("2026-11-30", as: .date)
        #expect(
            rows == [
                [.text("a"), .int(1), .null], [.null, .null, day], [.text(""), .int(-2), .null],
            ])
    }
    for (text, shape) in [("[]\n", FileShape.json), (" [ ] ", .json), ("", .ndjson)] {
        #expect(try imported(text, options(shape)).plan.columns.isEmpty)
    }
}

@Test(
    "FD20: any table that was written as JSON is read again as it was",
    arguments: [TableFormat.json, .ndjson])
func jsonThereAndBack(_ format: TableFormat) throws {
    for seed in UInt64(1)...80 {
        var generator = SeededRandom(seed: seed)
        let list = ColumnType.allCases.enumerated().map { index, type in
            TypedColumn(name: Text("n\(index)\"\\é\(generator.below(9))"), type: type)
        }
        let rows = (0..<generator.below(9)).map { _ in list.map { generator.value($0.type) } }
        let bytes = Array(written(format, list, rows).utf8)
        var options = try options(format == .json ? .json : .ndjson)
        let found = try imported(bytes, options, pieceBytes: 1 + generator.below(50))
        // A type that is not plain from the values is given.
        options.types = rows.isEmpty ? [] : list
        let given = try imported(bytes, options)
        #expect(given.rows == rows, "seed \(seed)")
        #expect(found.plan.columns.map(\.name) == (rows.isEmpty ? [] : list.map(\.name)))
        for (index, column) in found.plan.columns.enumerated() {
            guard column.type == list[index].type else { continue }
            #expect(found.rows.map { $0[index] } == rows.map { $0[index] }, "seed \(seed)")
        }
    }
}

@Test("the types of columns follow from the values, and nothing is guessed")
func jsonTypes() throws {
    let cases: [(values: String, type: ColumnType)] = [
        ("1|2", .int), ("1|2.5", .double), ("1|null", .int), ("true|false", .bool),
        (#""a"|"1""#, .text), (#""1"|"2""#, .text), ("null|null", .text),
        (#"1|"9007199254740993""#, .int),
        (#""NaN"|1"#, .double), (#""Infinity"|"-Infinity""#, .text), ("-0|1", .double),
        (#""2026-11-30"|"2026-12-01""#, .date), (#""2026-11-30"|"x""#, .text),
        (#""2026-11-30T08:00:00Z"|"2026-11-30T08:00:00+01:00""#, .datetime),
        (#""0190f5fe-7c2b-7d1e-8d4e-3a4bb4c6b1a2"|null"#, .uuid),
    ]
    for (values, type) in cases {
        let text = values.split(separator: "|").map { "{\"a\":\($0)}\n" }.joined()
        let plan = try imported(text, options(.ndjson)).plan
        #expect(plan.columns.map(\.type) == [type], "\(values)")
    }
}

@Test(
    "what is not rows of cells is refused, in words, with its line, and never with what it holds",
    arguments: [
        (FileShape.json, "", "empty"), (.json, "{\"a\":1}", "list of objects"),
        (.json, "[\n{\"a\":1}\n", "within its list"), (.json, "[{\"a\":1},]", "within its list"),
        (.json, "[{\"a\":1}] x", "follows"), (.json, "[,{\"a\":1}]", "expected an object"),
        (.json, "[{\"a\":1},,{\"a\":1}]", "expected an object"),
        (.json, "[1]", "expected an object"), (.json, "[{\"a\":1}", "within its list"),
        (.json, "[{\"a\":1} {\"a\":2}]", "line 1"), (.ndjson, "{\"a\":1}{\"a\":2}", "line 1"),
        (.ndjson, "{\"a\":1}\n\n{\"secret\":}\n", "line 3"), (.ndjson, "[{\"a\":1}]", "object"),
        (.ndjson, "{\"a\":1,\"a\":2}", "twice"), (.ndjson, "{\"a\":{]}", "line 1"),
        (.ndjson, "{\"a\":[1,{\"b\":1,\"b\":2}]}", "twice"),
        (.ndjson, "{\"a\":01}", "leading zero"),
        (.ndjson, "{\"a\":1e400}", "line 1"), (.ndjson, "{\"a\":12345678901234567890}", "digits"),
        (.ndjson, "{\"a\":0.12345678901234567890123}", "digits"),
        (.ndjson, "{\"a\":'x'}", "line 1"),
        (.ndjson, "{\"a\":\"\\ud800\"}", "line 1"), (.ndjson, "{\"a\":1}\n{\"a\":\"x\"}", "line 2"),
        (.ndjson, "{\"a\":true}\n{\"a\":1}", "line 2"),
        (.ndjson, "{\"a\":9007199254740993}\n{\"a\":0.5}", "another kind"),
        (.json, "[\n{\"a\":1,\n\"b\":secret}]", "line 3"),
        (.ndjson, "\u{FEFF}{\"a\":1}", "line 1"),
    ])
func jsonRefused(shape: FileShape, text: String, words: String) throws {
    let error = try #require(throws: FileError.self) { try imported(text, options(shape)) }
    #expect(error.description.contains(words), "\(error)")
    #expect(!error.description.contains("secret"), "\(error)")
    // The same whatever the pieces.
    #expect(throws: error) { try imported(Array(text.utf8), options(shape), pieceBytes: 1) }
}

@Test("given types win, and what does not fit them is named by line and column")
func jsonGivenTypes() throws {
    let text = "{\"A\":1,\"b\":\"7\"}\n{\"b\":\"9\"}\n"
    let (plan, rows) = try imported(text, options(.ndjson, "a:double,b:int"))
    #expect(plan.columns.map(\.type) == [.double, .int])
    #expect(rows == [[.double(1), .int(7)], [.null, .int(9)]])
    let error = try #require(throws: FileError.self) {
        try imported(text, options(.ndjson, "a:text"))
    }
    #expect(error.line == 1 && error.description.contains("column A"))
    #expect(throws: FileError(.unknownColumn("c"))) {
        try imported(text, options(.ndjson, "c:text"))
    }
    #expect(throws: FileError(.columnGivenTwice("B"))) {
        var twice = try options(.ndjson)
        twice.types = [.init(name: "b", type: .int), .init(name: "B", type: .int)]
        _ = try imported(text, twice)
    }
}

@Test("limits of rows, cells and columns hold for JSON too")
func jsonLimits() throws {
    var options = try options(.ndjson)
    options.limits.fieldBytesMax = 4
    options.limits.rowBytesMax = 40
    options.limits.columnsMax = 2
    #expect(try imported("{\"a\":\"1234\"}", options).rows == [[.text("1234")]])
    let refused: [(text: String, error: FileError)] = [
        ("{\"a\":\"12345\"}", FileError(.cellTooLong(column: "a", bytesMax: 4), line: 1)),
        (
            "{\"a\":1}\n{\"a\":" + String(repeating: " ", count: 40) + "1}",
            FileError(.rowTooLong(bytesMax: 40), line: 2)
        ),
        ("{\"a\":1}\n{\"b\":1,\"c\":1}", FileError(.tooManyColumns(max: 2), line: 2)),
    ]
    for (text, error) in refused {
        #expect(throws: error) { try imported(text, options) }
    }
}

@Test("FD2: a range of rows alone makes the table, of JSON and of delimited text")
func rowRanges() throws {
    let json = "{\"a\":\"x\"}\n{\"a\":1}\n{\"a\":2}\n{\"b\":3}\n"
    let csv = "a\nx\n1\n2\ny\n"
    for (text, shape) in [(json, FileShape.ndjson), (csv, .delimited)] {
        var options = try options(shape)
        options.rows = 2...3
        let (plan, rows) = try imported(text, options)
        #expect(plan.columns.map(\.type) == [.int])
        #expect(plan.rowCount == 2)
        #expect(rows == [[.int(1)], [.int(2)]])
        options.rows = 9...(.max)
        #expect(try imported(text, options).rows.isEmpty)
    }
}

@Test("FD3: a decimal mark other than the point is read, and a point is then no number")
func decimalMark() throws {
    var options = ImportOptions()
    options.dialect = try #require(Dialect(delimiter: UInt8(ascii: ";"), quote: nil))
    options.decimalMark = UInt8(ascii: ",")
    let (plan, rows) = try imported("a;b;c\n1,5;1.5;2\n-0,25;x;3\n", options)
    #expect(plan.columns.map(\.type) == [.double, .text, .int])
    #expect(
        rows == [[.double(1.5), .text("1.5"), .int(2)], [.double(-0.25), .text("x"), .int(3)]])
    options.types = [.init(name: "b", type: .double)]
    #expect(throws: FileError.self) { try imported("a;b\n1;1.5\n", options) }
    #expect(try imported("b\n1,5\n2\n", options).rows == [[.double(1.5)], [.double(2)]])
    options.types = [.init(name: "b", type: .decimal)]
    let price = try Value("1.50", as: .decimal)
    #expect(try imported("b\n1,50\n", options).rows == [[price]])
    #expect(throws: FileError.self) { try imported("b\n1.50\n", options) }
}
