import TableFiles
import TableValue
import Testing

private func rows(
    _ text: String, hasHeader: Bool = true, _ shortRows: ShortRows = .refuse
) throws(FileError) -> (header: [String], rows: [[String]]) {
    var dialect = Dialect.csv
    dialect.hasHeader = hasHeader
    var reader = CheckedRows(dialect, shortRows: shortRows)
    var found: [[String]] = []
    let bytes = Array(text.utf8)
    var position = 0
    func keep() { found.append((0..<reader.row.count).map { reader.row.text($0).string }) }
    while try reader.readRow(bytes.span, from: &position) { keep() }
    if try reader.finish() { keep() }
    return (reader.header.map(\.string), found)
}

@Test("the header is no row, and without a header every row is one")
func header() throws {
    let withHeader = try rows("a,b\n1,2\n3,4")
    #expect(withHeader.header == ["a", "b"])
    #expect(withHeader.rows == [["1", "2"], ["3", "4"]])
    let without = try rows("a,b\n1,2\n3,4", hasHeader: false)
    #expect(without.header == [])
    #expect(without.rows == [["a", "b"], ["1", "2"], ["3", "4"]])
    #expect(try rows("a,b").rows == [])
    #expect(throws: FileError(.missingHeader)) { try rows("") }
    #expect(throws: FileError(.missingHeader)) { try rows("\u{FEFF}") }
    #expect(try rows("", hasHeader: false).rows == [])
}

@Test("a row of another length is refused with its line, short ones are filled on request")
func raggedRows() throws {
    let short = "a,b,c\n1,2\n1,2,3"
    #expect(throws: FileError(.wrongFieldCount(expected: 3, found: 2), line: 2)) {
        try rows(short)
    }
    #expect(try rows(short, .fill).rows == [["1", "2", ""], ["1", "2", "3"]])
    for choice in [ShortRows.refuse, .fill] {
        #expect(throws: FileError(.wrongFieldCount(expected: 2, found: 3), line: 4)) {
            try rows("a,b\n\"1\n\",2\n1,2,3", choice)
        }
    }
    #expect(throws: FileError(.wrongFieldCount(expected: 2, found: 1), line: 2)) {
        try rows("1,2\n3", hasHeader: false)
    }
}

@Test("empty lines are rows of one column, and at the end of wider tables nothing")
func emptyLines() throws {
    #expect(try rows("a\n\n1\n\n").rows == [[""], ["1"], [""]])
    #expect(try rows("a,b\n1,2\n\n\r\n").rows == [["1", "2"]])
    for choice in [ShortRows.refuse, .fill] {
        #expect(throws: FileError(.wrongFieldCount(expected: 2, found: 1), line: 3)) {
            try rows("a,b\n1,2\n\n\n3,4", choice)
        }
    }
    #expect(throws: FileError(.wrongFieldCount(expected: 2, found: 1), line: 3)) {
        try rows("a,b\n1,2\n\"\"\n")
    }
}
