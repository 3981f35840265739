// Kinds of faults that others had with files: docs/internals/cases.md lists them all and names the
// tests that show the others.
import TableFiles
import TableValue
import Testing

@Test("case 50: an empty field of a date or number column is no value")
func emptyFields() throws {
    let (plan, rows) = try imported("a,d,n\nx,,\ny,2026-11-30,3\n")
    #expect(plan.columns.map(\.type) == [.text, .date, .int])
    #expect(rows[0] == [.text("x"), .null, .null])
    let options = try { () throws(FileError) in
        var options = ImportOptions()
        options.types = try typedColumns(parsing: "a:text,d:datetime,n:decimal")
        return options
    }()
    #expect(try imported("a,d,n\nx,,\n", options).rows == [[.text("x"), .null, .null]])
}

@Test("case 56: a choice keeps every character that it has")
func choiceCharacters() throws {
    var options = ImportOptions()
    options.types = try typedColumns(parsing: "state:choice")
    let (plan, rows) = try imported("state,n\ndone 👌,1\nöffnen 👩‍👩‍👧,2\n", options)
    #expect(plan.columns[0].choices == ["done 👌", "öffnen 👩‍👩‍👧"])
    #expect(rows[0][0] == .choice("done 👌"))
    let back = written(.csv, columns("state:choice,n:int"), rows)
    #expect(back.contains("done 👌") && back.contains("öffnen 👩‍👩‍👧"))
}
