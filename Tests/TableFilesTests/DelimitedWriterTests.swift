import TableFiles
import TableValue
import TestSupport
import Testing

@Test("null, empty text and whatever needs quotes are written so that they differ")
func quoting() {
    let rows: [[Value]] = [
        [.null, .text("")], [.text("a,b"), .text("a\"b")], [.text("a\nb"), .text("a\rb")],
        [.text(" a "), .text("\u{FEFF}a")], [.text("a;b\tc"), .text("'")],
    ]
    #expect(
        written(.csv, columns("x:text,y:text"), rows)
            == "x,y\n,\"\"\n\"a,b\",\"a\"\"b\"\n\"a\nb\",\"a\rb\"\n a ,\"\u{FEFF}a\"\na;b\tc,'\n")
    #expect(
        written(.tsv, columns("x:text,y:text"), Array(rows.prefix(2)))
            == "x\ty\n\t\"\"\na,b\t\"a\"\"b\"\n")
}

@Test("values of every type are written in their canonical spelling")
func typedFields() {
    let row: [Value] = [
        .int(.min), .double(40), .double(-0.0), .bool(true), .date(Day(daysSinceEpoch: 0)),
        .datetime(Moment(microsecondsSinceEpoch: 0, offsetMinutes: -60)),
        .uuid(Identifier128(high: 0, low: 255)),
    ]
    let list = columns("a:int,b:double,c:double,d:bool,e:date,f:datetime,g:uuid")
    #expect(
        written(.csv, list, [row])
            == "a,b,c,d,e,f,g\n-9223372036854775808,40,-0.0,true,1970-01-01,"
            + "1969-12-31T23:00:00-01:00,00000000-0000-0000-0000-0000000000ff\n")
}

@Test("a null text stands for null, and as a value it is quoted")
func nullText() throws {
    var options = OutputOptions()
    options.nullText = "NA"
    let list = columns("x:text,n:double")
    let rows: [[Value]] = [[.text("NA"), .null], [.null, .double(1)], [.text(""), .null]]
    let file = written(.csv, list, rows, options)
    #expect(file == "x,n\n\"NA\",NA\nNA,1\n\"\",NA\n")
    var reading = ImportOptions()
    reading.nullTexts = ["NA"]
    reading.types = list
    #expect(try imported(file, reading).rows == rows)
    // A text that would itself need quotes cannot stand for null.
    options.nullText = "a,b"
    #expect(written(.csv, list, [[.null, .null]], options) == "x,n\n,\n")
    #expect(Dialect.csv.canStandForNull("NA") && !Dialect.csv.canStandForNull("\""))
}

@Test("import of an export is the table: any names, types and values, in CSV and TSV")
func roundTrip() throws {
    for seed in UInt64(1)...150 {
        var generator = SeededRandom(seed: seed)
        let names = columnNames(
            fromHeader: (0...generator.below(5)).map { _ in
                Text(generator.word(of: "ab,\"\t é1'", countMax: 4))
            })
        let list = names.map { name in
            TypedColumn(
                name: name, type: ColumnType.allCases[generator.below(ColumnType.allCases.count)])
        }
        let rows = (0..<generator.below(12)).map { _ in
            list.map { generator.value($0.type) }
        }
        for (format, dialect) in [(TableFormat.csv, Dialect.csv), (.tsv, .tsv)] {
            var output = OutputOptions()
            var input = ImportOptions()
            input.dialect = dialect
            input.types = list
            if generator.below(3) == 0 {
                output.nullText = "NA"
                input.nullTexts = ["NA"]
            }
            if generator.below(4) == 0 {
                output.hasHeader = false
                input.dialect.hasHeader = false
                input.types = list.enumerated().map { index, column in
                    TypedColumn(name: Text("column_\(index + 1)"), type: column.type)
                }
                if rows.isEmpty { continue }
            }
            let file = written(format, list, rows, output)
            let (plan, found) = try imported(Array(file.utf8), input, pieceBytes: 7)
            #expect(found == rows, "seed \(seed): \(file)")
            #expect(plan.columns.map(\.type) == list.map(\.type), "seed \(seed)")
            if output.hasHeader { #expect(plan.columns.map(\.name) == names, "seed \(seed)") }
        }
    }
}

@Test("missing values are null, further ones are passed over")
func rowLengths() {
    let list = columns("x:int,y:int")
    #expect(
        written(.csv, list, [[.int(1)], [], [.int(1), .int(2), .int(3)]])
            == "x,y\n1,\n,\n1,2\n")
    #expect(written(.csv, [], [[.int(1)]]) == "")
}

@Test("for a terminal the text of CSV cannot act")
func terminalCSV() {
    var options = OutputOptions()
    options.isForTerminal = true
    let rows: [[Value]] = [[.text("\u{1B}]0;x\u{7}"), .text("a\nb,c")]]
    #expect(
        written(.csv, columns("x:text,y:text"), rows, options)
            == "x,y\n\\u{1B}]0;x\\u{7},\"a\\nb,c\"\n")
}
