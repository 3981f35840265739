// undo and redo from the command line, through the real server: each call is a session of its own,
// so what is taken back was always done in another one.
import Foundation
import Testing

/// The hash of a table's content, without the number of the record.
private func contentHash(_ table: String, _ person: Person) throws -> Substring? {
    try person.must("hash", table).split(separator: " ").last
}

@Test("FD17, U1: a value is taken back and done again, each told with its records")
func undoOfAValue() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name,qty\napple,3\npear,4\n")
    try ann.must("set", "t", "#1", "qty", "5")
    let undone = try ann.must("undo", "t")
    let numbers = undone.split(separator: " ")
    #expect(numbers.count == 5 && undone.contains(" taken back by "), "\(undone)")
    #expect(try ann.must("get", "t", "#1", "qty") == "3")
    let redone = try ann.must("redo", "t")
    #expect(redone.hasPrefix("\(numbers.last ?? "?") taken back by "))
    #expect(try ann.must("get", "t", "#1", "qty") == "5")
    let nothing = try ann.run("redo", "t")
    #expect(nothing.code == 1 && nothing.errors.contains("nothing_to_undo"), "\(nothing.errors)")
    // By its number, as JSON.
    let json = try ann.must("undo", "t", "--seq", String(numbers[0]), "--json")
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let outcome = object?["outcome"] as? [String: Any]
    #expect(outcome?["undid"] as? Int == Int(numbers[0]))
    #expect(object?["seq"] as? Int != nil)
    #expect(try ann.must("get", "t", "#1", "qty") == "3")
    #expect(try ann.run("undo", "t", "--seq", "none").code == 2)
    let unknown = try ann.run("undo", "t", "--seq", "99999")
    #expect(unknown.code == 1 && unknown.errors.contains("nothing_to_undo"))
}

@Test("U1: what was done before the server was killed is taken back and done again after it")
func undoAfterARestart() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name,qty\napple,3\npear,4\n")
    try ann.must("set", "t", "#1", "qty", "5")
    try ann.must("delete", "t", "#2")
    let deleted = try contentHash("t", ann)
    stage.killServer()
    try stage.startServer()
    try ann.must("undo", "t")
    #expect(try ann.must("export", "t", "-") == "name,qty\napple,5\npear,4")
    try ann.must("undo", "t")
    #expect(try ann.must("export", "t", "-") == "name,qty\napple,3\npear,4")
    stage.killServer()
    try stage.startServer()
    try ann.must("redo", "t")
    try ann.must("redo", "t")
    #expect(try contentHash("t", ann) == deleted)
}

@Test("U2: what somebody else has gone on from stays, which is told; --force takes it back")
func undoOfWhatOthersWentOnFrom() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ben = try stage.person("ben", role: "editor")
    try ann.must("import", "-", "t", input: "name,qty\napple,3\npear,4\n")
    let appended = try ann.must("append", "t", "name=plum", "qty=6", "--json")
    let told = try JSONSerialization.jsonObject(with: Data(appended.utf8)) as? [String: Any]
    let row = try #require((told?["rows"] as? [String])?.first)
    let record = "\(try #require(told?["seq"] as? Int))"
    try ben.must("set", "t", row, "qty", "7")
    let kept = try ann.run("undo", "t")
    #expect(kept.code == 1, "\(kept.errors)")
    #expect(kept.errors.contains("1 thing was left as others have made it"), "\(kept.errors)")
    #expect(kept.errors.contains("kept_newer"))
    #expect(kept.output.isEmpty)
    #expect(try ann.must("get", "t", row, "qty") == "7")
    // By its number, because the undo in vain has gone on to what was before it.
    try ann.must("undo", "t", "--seq", record, "--force")
    #expect(try ann.must("export", "t", "-") == "name,qty\napple,3\npear,4")
    try ann.must("undo", "t")
    #expect(try ann.must("get", "t", row, "qty") == "7")
    // Another user's operations are not the editor's to take back.
    let others = try ben.run("undo", "t", "--seq", record)
    #expect(others.code == 1 && others.errors.contains("forbidden"), "\(others.errors)")
    try ben.must("undo", "t")
    #expect(try ann.must("get", "t", row, "qty") == "6")
}

@Test("U12: a column that was deleted is there again, with its values")
func undoOfADeletedColumn() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name,qty\napple,3\npear,4\n")
    let before = try contentHash("t", ann)
    try ann.must("column", "delete", "t", "qty")
    #expect(try ann.must("export", "t", "-") == "name\napple\npear")
    try ann.must("undo", "t")
    #expect(try ann.must("export", "t", "-") == "name,qty\napple,3\npear,4")
    #expect(try contentHash("t", ann) == before)
    try ann.must("redo", "t")
    #expect(try ann.must("export", "t", "-") == "name\napple\npear")
}

@Test(
    "U3, U14: an import of 100,000 rows is taken back by one command and done again as it was",
    .timeLimit(.minutes(5)))
func undoOfAnImport() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "n,word\n0,first\n")
    let before = try contentHash("t", ann)
    var text = "n,word\n"
    for number in 1...100_000 { text += "\(number),word \(number &* 2_654_435_761 % 1_000_003)\n" }
    let path = try stage.workplace.write(text, to: "long.csv")
    let imported = try ann.run("import", path, "t", "--json")
    #expect(imported.code == 0, "\(imported.errors)")
    let told = try JSONSerialization.jsonObject(with: Data(imported.output.utf8)) as? [String: Any]
    let records = try #require(told?["records"] as? String)
    #expect(imported.errors.contains("roundtable undo t --seq \(records) "), "\(imported.errors)")
    let after = try contentHash("t", ann)
    let rows = try ann.must("show", "t", "--format", "csv", "--ids")
    let undone = try ann.must("undo", "t", "--seq", records)
    #expect(undone.hasPrefix("\(records) taken back by "))
    #expect(try ann.must("ls") == "t  1 row, 2 columns")
    #expect(try contentHash("t", ann) == before)
    stage.killServer()
    try stage.startServer()
    let makers = String(try #require(undone.split(separator: " ").last))
    try ann.must("redo", "t", "--seq", makers)
    #expect(try contentHash("t", ann) == after)
    #expect(try ann.must("show", "t", "--format", "csv", "--ids") == rows, "the same rows")
}

@Test("FD17: in the terminal Ctrl-Z undoes and Ctrl-Y does again; in an open editor it only edits")
func undoInTheTerminal() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name,qty\napple,3\npear,4\n")
    let screen = try Screen(in: stage.workplace, home: "ann", ["open", "t"])
    try screen.wait(for: "● live")
    try screen.press("Enter")
    try screen.type("fig")
    try screen.press("Enter")
    try screen.wait(until: "it is stored") { $0.contains("fig") && $0.contains("saved") }
    try screen.press("C-z")
    try screen.wait(until: "it is undone") { $0.contains("apple") && $0.contains("undone") }
    #expect(try ann.must("get", "t", "#1", "name") == "apple")
    try screen.press("C-y")
    try screen.wait(until: "it is done again") {
        $0.contains("fig") && $0.contains("done again")
    }
    #expect(try ann.must("get", "t", "#1", "name") == "fig")
    try screen.press("Down", "Enter", "End")
    try screen.type(" tree")
    try screen.wait(for: "pear tree")
    try screen.press("C-z")
    try screen.wait(until: "the text of before is back") {
        $0.contains("pear") && !$0.contains("tree")
    }
    try screen.press("Escape", "C-z")
    try screen.wait(until: "what was done again is undone") { $0.contains("apple") }
    try screen.press("C-z")
    try screen.wait(for: "nothing to undo")
    #expect(try ann.must("export", "t", "-") == "name,qty\napple,3\npear,4")
}
