// history, diff and --at from the command line, through the real server over TLS.
import Foundation
import Testing

@Test("history tells who did what, a table is shown and exported as it was, and compared")
func historyOfATable() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ben = try stage.person("ben", role: "editor")
    try ann.must("import", "-", "t", input: "name,qty\nbolt,3\nnut,4\n")
    let words = try ann.must("hash", "t").split(separator: " ")
    let number = try #require(words.first.flatMap { Int($0) })
    try ben.must("set", "t", "#1", "qty", "5")
    try ben.must("delete", "t", "#2")
    try ann.must("column", "rename", "t", "qty", "count")
    for restarts in [false, true] {
        if restarts {
            stage.killServer()
            try stage.startServer()
        }
        let told = try ann.must("history", "t", "--limit", "3")
        #expect(told.contains("qty: 3 → 5") || told.contains("count: 3 → 5"), "\(told)")
        #expect(told.contains("ben (u"), "\(told)")
        #expect(told.contains("renamed from qty to count"), "\(told)")
        let cell = try ann.must("history", "t", "--row", "#1", "--column", "count", "--json")
        #expect(cell.contains(#","cells":[["#) && cell.contains(",3,5]"), "\(cell)")
        #expect(try ann.must("export", "t", "-", "--at", "\(number)") == "name,qty\nbolt,3\nnut,4")
        let shown = try ann.must("show", "t", "--format", "csv", "--at", "\(number + 1)")
        #expect(shown == "name,qty\nbolt,5\nnut,4")
        let long = try ann.run("show", "t", "--at", "2001-01-01")
        #expect(long.code == 1 && long.errors.contains("unknown_record"), "\(long.errors)")
        #expect(
            try ann.must("show", "t", "--format", "csv", "--at", "9998-01-01T00:00:00Z")
                == "name,count\nbolt,5")
        let difference = try ann.must("diff", "t", "\(number)")
        #expect(difference.contains("~ column qty is called count"), "\(difference)")
        #expect(difference.contains("count: 3 → 5") && difference.contains("- "), "\(difference)")
        #expect(try ann.must("diff", "t", "\(number)", "\(number)") == "")
    }
    #expect(try ann.run("show", "t", "--at", "yesterday").code == 2)
}

@Test("T15: a table, a row and a cell are restored, through the real server and over a kill")
func restoringATable() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ben = try stage.person("ben", role: "editor")
    try ann.must("import", "-", "t", input: "name,qty\nbolt,3\nnut,4\n")
    let words = try ann.must("hash", "t").split(separator: " ")
    let (number, hash) = (try #require(words.first), try #require(words.last))
    try ann.must("column", "rename", "t", "qty", "count")
    try ben.must("set", "t", "#1", "count", "5")
    try ben.must("delete", "t", "#2")
    try ben.must("append", "t", "name=screw")
    let before = try ann.must("export", "t", "-")
    let refused = try ben.run("restore", "t", "--to", String(number))
    #expect(refused.code == 1 && refused.errors.contains("forbidden"), "\(refused.errors)")
    let restored = try ann.run("restore", "t", "--to", String(number))
    #expect(restored.code == 0 && restored.errors.contains("as after record \(number)"))
    stage.killServer()
    try stage.startServer()
    #expect(try ann.must("hash", "t").split(separator: " ").last == hash)
    #expect(try ann.must("history", "t", "--limit", "1").contains("  restore"))
    try ann.must("undo", "t")
    #expect(try ann.must("export", "t", "-") == before)
    try ben.must("restore", "t", "--to", String(number), "--row", "#1", "--column", "count")
    #expect(try ann.must("export", "t", "-") == "name,count\nbolt,3\nscrew,")
    #expect(try ann.run("restore", "t", "--to", "0").code == 1)
    #expect(try ann.run("restore", "t").code == 2)
}
