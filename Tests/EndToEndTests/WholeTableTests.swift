// sort, transform, clear and truncate from the command line, through the real server: each is one
// record, and one undo brings back the same content.
import Foundation
import Testing

/// Number and hash of a table's content.
private func numberAndHash(_ person: Person) throws -> (number: Int, hash: Substring) {
    let words = try person.must("hash", "t").split(separator: " ")
    return (try #require(words.first.flatMap { Int($0) }), try #require(words.last))
}

@Test(
    "FD5, FD12, T1, T13: an operation on a whole table is one record, and one undo takes it back",
    arguments: [
        ["sort", "t", "-qty,name"], ["transform", "t", "qty", "qty * 2", "--where", "qty > 3"],
        ["clear", "t"], ["truncate", "t"],
    ])
func wholeTable(words: [String]) throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name,qty\nitem 10,3\nitem 9,4\nplum,\nfig,4\n")
    let before = try numberAndHash(ann)
    let done = try ann.start(words).finish()
    #expect(done.code == 0, "\(done.errors)")
    let after = try numberAndHash(ann)
    #expect(after.number == before.number + 1)
    let content = [
        "sort": "name,qty\nfig,4\nitem 9,4\nitem 10,3\nplum,",
        "transform": "name,qty\nitem 10,3\nitem 9,8\nplum,\nfig,8",
    ]
    #expect(try ann.must("export", "t", "-") == content[words[0]] ?? "name,qty")
    // Also by who has replayed the log.
    stage.killServer()
    try stage.startServer()
    #expect(try numberAndHash(ann).hash == after.hash)
    try ann.must("undo", "t")
    #expect(try numberAndHash(ann).hash == before.hash)
}

@Test("S16, FD6: what makes no sense or is not allowed changes nothing, and says where")
func wholeTableRefused() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ben = try stage.person("ben", role: "editor")
    try ann.must("import", "-", "t", input: "name,qty\nfig,0\nplum,2\n")
    let before = try numberAndHash(ann)
    let unread = try ann.run("transform", "t", "qty", "qty +")
    #expect(unread.code == 1 && unread.errors.contains("bad_expression"), "\(unread.errors)")
    #expect(unread.errors.contains("column 6"), "\(unread.errors)")
    let strict = try ann.run("transform", "t", "qty", "4 % qty", "--strict")
    #expect(strict.code == 1 && strict.errors.contains("bad_expression"), "\(strict.errors)")
    #expect(try ann.run("sort", "t", "none").code != 0)
    let truncated = try ben.run("truncate", "t")
    #expect(truncated.code == 1 && truncated.errors.contains("forbidden"), "\(truncated.errors)")
    #expect(try numberAndHash(ann) == before)
}
