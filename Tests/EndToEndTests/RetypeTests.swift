// Another type, copies of columns and rows, and the rows of another table, from the command line
// through the real server: each is one record, and one undo brings back the same content.
import Foundation
import Testing

/// Number and hash of a table's content.
private func numberAndHash(_ person: Person) throws -> (number: Int, hash: Substring) {
    let words = try person.must("hash", "t").split(separator: " ")
    return (try #require(words.first.flatMap { Int($0) }), try #require(words.last))
}

@Test(
    "FD8, FD9, FD10: columns retyped, copied and set and rows copied are one record and one undo",
    arguments: [
        (
            ["column", "retype", "t", "qty", "int", "--empty"],
            "name,qty\nfig,12\nplum,\npear,3"
        ),
        (
            ["column", "duplicate", "t", "qty"],
            "name,qty,qty 2\nfig,12,12\nplum,soon,soon\npear,3,3"
        ),
        (
            ["column", "set", "t", "qty", "a", ":=null", "c", "d"],
            "name,qty\nfig,a\nplum,\npear,c\n,d"
        ),
        (
            ["duplicate", "t", "#1", "#3"],
            "name,qty\nfig,12\nplum,soon\npear,3\nfig,12\npear,3"
        ),
        (
            ["append-table", "t", "t"],
            "name,qty\nfig,12\nplum,soon\npear,3\nfig,12\nplum,soon\npear,3"
        ),
    ])
func copies(words: [String], content: String) throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "t", "--columns", "name:text,qty:text")
    try ann.must("import", "-", "t", input: "name,qty\nfig,12\nplum,soon\npear,3\n")
    let before = try numberAndHash(ann)
    let done = try ann.start(words).finish()
    #expect(done.code == 0, "\(done.errors)")
    let after = try numberAndHash(ann)
    #expect(after.number == before.number + 1)
    #expect(try ann.must("export", "t", "-") == content)
    // Also by who has replayed the log.
    stage.killServer()
    try stage.startServer()
    #expect(try numberAndHash(ann).hash == after.hash)
    try ann.must("undo", "t")
    #expect(try numberAndHash(ann).hash == before.hash)
    try ann.must("redo", "t")
    #expect(try numberAndHash(ann).hash == after.hash)
}

@Test("S11, FD9: what cannot be converted is said before anything changes")
func retypePreview() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ben = try stage.person("ben", role: "editor")
    try ann.must("new", "t", "--columns", "name:text,qty:text")
    try ann.must("import", "-", "t", input: "name,qty\nfig,12\nplum,soon\n")
    let before = try numberAndHash(ann)
    let dry = try ann.run("column", "retype", "t", "qty", "int", "--empty", "--dry-run")
    #expect(dry.code == 0 && dry.output.contains("nothing was changed"))
    #expect(dry.errors.contains("1 values were converted"), "\(dry.errors)")
    #expect(dry.errors.contains("1 cells emptied"), "\(dry.errors)")
    let refused = try ann.run("column", "retype", "t", "qty", "int")
    #expect(refused.code == 1 && refused.errors.contains("cannot_convert"), "\(refused.errors)")
    let forbidden = try ben.run("column", "retype", "t", "qty", "int", "--dry-run")
    #expect(forbidden.code == 1 && forbidden.errors.contains("forbidden"), "\(forbidden.errors)")
    #expect(try numberAndHash(ann) == before)
}

@Test("FD10: the rows of another table come by the names of its columns, or are refused whole")
func appendedTable() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name,qty\nfig,12\n")
    try ann.must("import", "-", "other", input: "qty,Name,more\nx,kiwi,1\n7,lime,2\n")
    let before = try numberAndHash(ann)
    let refused = try ann.run("append-table", "t", "other")
    #expect(refused.code == 1 && refused.errors.contains("unknown_column"), "\(refused.errors)")
    let missing = try ann.run("append-table", "t", "none")
    #expect(missing.code == 1 && missing.errors.contains("unknown_source"), "\(missing.errors)")
    #expect(try numberAndHash(ann) == before)
    try ann.must("append-table", "t", "other", "--lenient")
    #expect(try ann.must("export", "t", "-") == "name,qty\nfig,12\nkiwi,\nlime,7")
}
