// One person at a command line, through the real server over TLS: every command does what its
// help says, prints what it should, and ends with the right code.
import Testing

/// A table of three rows.
private func stock(_ ann: Person) throws -> [String] {
    try ann.must("new", "stock", "--columns", "name:text,qty:int,price:double")
    return try [("apple", "3"), ("pear", "5"), ("plum", "8")].map {
        try ann.must("append", "stock", "name=\($0.0)", "qty=\($0.1)")
    }
}

@Test("join, new, ls: a server is joined and a table made")
func joinNewList() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "stock", "--columns", "name:text,qty:int")
    #expect(try ann.must("ls") == "stock  0 rows, 2 columns")
    #expect(try ann.must("ls", "--json").contains("\"name\":\"stock\""))
    try ann.must("new", "bare")
    #expect(try ann.must("ls") == "stock  0 rows, 2 columns\nbare   0 rows, 0 columns")
    try ann.must("column", "add", "bare", "name", "text")
    try ann.must("append", "bare", "name=a")
    #expect(try ann.must("show", "bare").hasSuffix("1 row, 1 column"))
    let again = try ann.run("new", "stock", "--columns", "name:text")
    #expect(again.code == 1)
    #expect(again.errors.hasPrefix("roundtable: table_exists: "), "\(again.errors)")
    #expect(again.output.isEmpty)
}

@Test("get, set, add: cells")
func cells() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try stock(ann)
    #expect(try ann.must("get", "stock", "#2", "name") == "pear")
    #expect(try ann.must("get", "stock", rows[2]) == "name\tplum\nqty\t8\nprice\t")
    #expect(try ann.must("set", "stock", "#1", "price", "2.5") == "")
    #expect(try ann.must("get", "stock", rows[0], "price") == "2.5")
    #expect(try ann.must("add", "stock", rows[0], "qty", "-4") == "-1")
    #expect(try ann.must("set", "stock", rows[0], "price", "--null") == "")
    #expect(try ann.must("get", "stock", rows[0], "price") == "")
    #expect(
        try ann.must("get", "stock", rows[0], "price", "--json").contains("\"value\":null"))
}

@Test("set --if-value and --if-version: refused with the code where the cell has changed")
func conditions() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let row = try stock(ann)[0]
    try ann.must("set", "stock", row, "qty", "4", "--if-value", "3")
    let late = try ann.run("set", "stock", row, "qty", "5", "--if-value", "3")
    #expect(late.code == 1)
    #expect(late.errors.hasPrefix("roundtable: precondition_failed: "), "\(late.errors)")
    #expect(try ann.must("get", "stock", row, "qty") == "4")
    let json = try ann.must("get", "stock", row, "qty", "--json")
    let version = try #require(json.firstMatch(of: /"version":([0-9]+)/)).output.1
    try ann.must("set", "stock", row, "qty", "6", "--if-version", String(version))
    let older = try ann.run("set", "stock", row, "qty", "7", "--if-version", String(version))
    #expect(older.code == 1)
}

@Test("insert, append, delete, move: rows, by id and by position")
func rows() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try stock(ann)
    let first = try ann.must("insert", "stock", "--first", "name=kiwi")
    let second = try ann.must("insert", "stock", "--after", first, "name=lime")
    #expect(try ann.must("get", "stock", "#1", "name") == "kiwi")
    #expect(try ann.must("get", "stock", "#2", "name") == "lime")
    #expect(
        try ann.must("move", "stock", rows[2], second, "--first") == "\(rows[2])\n\(second)")
    #expect(try ann.must("get", "stock", "#1", "name") == "plum")
    #expect(try ann.must("get", "stock", "#2", "name") == "lime")
    #expect(try ann.must("delete", "stock", "#1", rows[0]) == "\(rows[2])\n\(rows[0])")
    #expect(try ann.must("ls") == "stock  3 rows, 3 columns")
    let gone = try ann.run("get", "stock", "#4")
    #expect(gone.code == 1)
    #expect(gone.errors.contains("unknown_row"), "\(gone.errors)")
}

@Test("column add, rename, move, delete")
func columns() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try stock(ann)
    let id = try ann.must("column", "add", "stock", "Due", "date", "--first")
    #expect(id.hasPrefix("c"))
    try ann.must("set", "stock", rows[0], id, "2026-11-30")
    try ann.must("column", "rename", "stock", "Due", "When")
    try ann.must("column", "move", "stock", "When", "--after", "name")
    #expect(
        try ann.must("get", "stock", rows[0])
            == "name\tapple\nWhen\t2026-11-30\nqty\t3\nprice\t")
    let clash = try ann.run("column", "rename", "stock", "When", "NAME")
    #expect(clash.code == 1)
    #expect(clash.errors.contains("name_taken"), "\(clash.errors)")
    try ann.must("column", "delete", "stock", "When")
    let unknown = try ann.run("get", "stock", rows[0], "When")
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("unknown_column"), "\(unknown.errors)")
}

@Test("FD6: a wrong type and a row that is gone are refused, and the table stays as it is")
func refusals() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try stock(ann)
    let before = try ann.must("hash", "stock")
    let wrong = try ann.run("set", "stock", rows[0], "qty", "many")
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("wrong_type"))
    let gone = try ann.run("set", "stock", "s9.9", "qty", "1")
    #expect(gone.code == 1)
    #expect(gone.errors.contains("s9.9"), "\(gone.errors)")
    for words in [["delete", "stock", "s9.9"], ["move", "stock", "s9.9", "--first"]] {
        let unknown = try ann.start(words).finish()
        #expect(unknown.code == 1 && unknown.errors.contains("row s9.9"), "\(unknown.errors)")
    }
    #expect(try ann.must("hash", "stock") == before)
}

@Test("a viewer's changes are refused at once, with the role; looking is not")
func viewerIsRefused() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try stock(ann)
    let before = try ann.must("hash", "stock")
    let eve = try stage.person("eve", role: "viewer")
    let changes = [
        ["set", "stock", rows[0], "qty", "4"], ["add", "stock", rows[0], "qty", "1"],
        ["append", "stock", "name=kiwi"], ["insert", "stock", "--first", "name=kiwi"],
        ["delete", "stock", rows[0]], ["move", "stock", rows[0], "--first"],
        ["column", "add", "stock", "Due", "date"], ["apply", "stock"],
    ]
    for words in changes {
        let refused = try eve.start(words, input: #"{"body":[{"append":{"name":"fig"}}]}"# + "\n")
            .finish()
        #expect(refused.code == 1, "\(words)")
        #expect(
            refused.errors.hasPrefix(
                "roundtable: forbidden: your role (viewer) does not allow changes"),
            "\(words): \(refused.errors)")
        #expect(refused.output.isEmpty, "\(words)")
    }
    #expect(try eve.must("get", "stock", rows[0], "qty") == "3")
    #expect(try eve.must("hash", "stock") == before)
}

@Test("words that are wrong end with 2, a server that is not there with 3")
func exitCodes() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    #expect(try ann.run("paint").code == 2)
    #expect(try ann.run("get", "stock").code == 2)
    #expect(try ann.run("get", "127.0.0.1:1/stock", "#1").code == 2)
    let unknown = try ann.run("get", "nothing", "#1")
    #expect(unknown.code == 1)
    #expect(
        unknown.errors.hasPrefix("roundtable: unknown_table: ")
            && unknown.errors.contains("`roundtable ls`"), "\(unknown.errors)")
    stage.killServer()
    let unreachable = try ann.run("ls")
    #expect(unreachable.code == 3)
    #expect(unreachable.output.isEmpty)
}

@Test("GT4: a server that shows another key is refused, with both fingerprints")
func wrongPin() throws {
    let stage = try Stage()
    let other = try Stage()
    let ann = try stage.person("ann")
    var invite = try other.invite()
    let at = try #require(invite.lastIndex(of: "@"))
    invite = "\(invite[..<at])@127.0.0.1:\(stage.port)"
    let refused = try ann.run("join", invite)
    #expect(refused.code == 3)
    #expect(refused.errors.matches(of: /[0-9a-f]{64}/).count == 2, "\(refused.errors)")
    #expect(try ann.must("ls") == "")
}

@Test("watch: records come as they are made, and can be resumed by number")
func watching() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try stock(ann)
    let watch = try ann.start(["watch", "stock", "--since", "0", "--exit-after", "5"])
    try ann.must("set", "stock", rows[0], "qty", "7")
    let finished = watch.finish()
    #expect(finished.code == 0)
    let numbers = try finished.lines.map {
        try #require($0.firstMatch(of: /"seq":([0-9]+)/)).output.1
    }
    #expect(numbers == ["1", "2", "3", "4", "5"])
    #expect(finished.lines.last?.contains("\"set\"") == true)
    let rest = try ann.must("watch", "stock", "--since", "4", "--exit-after", "1")
    #expect(rest == finished.lines.last.map(String.init))
}

@Test("watch: a record has the name of who made it, also of one who was only there for that")
func watchingNames() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "t", "--columns", "a:text")
    let ben = try stage.person("ben", role: "editor")
    try ben.must("append", "t", "a=1")
    try ann.must("append", "t", "a=2")
    let log = try ann.must("watch", "t", "--since", "0", "--exit-after", "3")
    let authors = log.split(separator: "\n").map { line in
        line.firstMatch(of: /"user":"(u[0-9]+)".*,"name":"([a-z]+)"}$/).map { "\($0.1) \($0.2)" }
    }
    #expect(authors == ["u1 ann", "u2 ben", "u1 ann"])
}

@Test("hash: client and server come to the same")
func hashes() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ben = try stage.person("ben", role: "editor")
    _ = try stock(ann)
    let hash = try ann.must("hash", "stock")
    #expect(hash.wholeMatch(of: /[0-9]+ [0-9a-f]{64}/) != nil)
    #expect(try ben.must("hash", "stock") == hash)
    #expect(try ben.must("hash", "stock", "--server") == hash)
    try ben.must("set", "stock", "#1", "qty", "9")
    #expect(try ann.must("hash", "stock") != hash)
}

@Test("a token that is printed on a terminal is explained there; a pipe gets it alone")
func tokenOnTerminal() throws {
    let stage = try Stage()
    let words = ["token", "--data", stage.workplace.file("data"), "--bot", "rover"]
    let piped = try stage.workplace.start("roundtabled", words).finish()
    #expect(piped.output.hasPrefix("rt1b_") && piped.output.split(separator: "\n").count == 1)
    #expect(piped.errors.isEmpty, "\(piped.errors)")
    let screen = try Screen(in: stage.workplace, home: "ann", words, program: "roundtabled")
    try screen.wait(for: "ended with 0")
    let text = try screen.lines.joined()
    #expect(text.contains("rt1b_") && text.contains("the token of the bot rover"))
    #expect(text.contains("--file"))
}

@Test("FD4: a box is cut to the width of its terminal")
func boxOnTerminal() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "t", "--columns", "a:text")
    try ann.must("append", "t", "a=" + String(repeating: "x", count: 500))
    let screen = try Screen(in: stage.workplace, home: "ann", ["show", "t"], columns: 50)
    try screen.wait(for: "ended with 0")
    #expect(try screen.lines[4] == "│ " + String(repeating: "x", count: 45) + "… │")
}
