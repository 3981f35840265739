// import, export, show: files become tables and tables files, through the real server.
import Foundation
import TestSupport
import Testing

/// Rows of every type, with nulls, quotes, line ends and texts that look like numbers.
private let sample = #"""
    name,code,qty,price,open,day,at
    "Nuku'alofa, Tonga",007,3,1.5,true,2026-11-30,2026-11-30T08:00:00+13:00
    "two
    lines",08,-12,-0.25,false,1999-01-01,1999-01-01T00:00:00Z
    "",1,,,,,
    "say ""hi""",x,9007199254740993,1e-10,true,,
    Zürich – 東京,,0,0.1,,2000-02-29,2000-02-29T12:30:00.5-05:00

    """#

@Test("FD2, FD20: a file that was imported is exported again as it was")
func thereAndBack() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let path = try stage.workplace.write(sample, to: "sample.csv")
    let imported = try ann.run("import", path, "sample")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(imported.output.isEmpty)
    #expect(imported.errors == "imported 5 rows, 7 columns into sample\n")
    let out = stage.workplace.file("out.csv")
    let exported = try ann.run("export", "sample", out)
    #expect(exported.code == 0 && exported.output.isEmpty)
    #expect(exported.errors == "exported 5 rows, 7 columns to \(out)\n")
    #expect(stage.workplace.contents(of: "out.csv") == sample)
    #expect(try ann.must("export", "sample", "-") + "\n" == sample)
    #expect(
        try ann.must("import", path, "other", "--dry-run")
            == "name:text  0 empty\ncode:text  1 empty\nqty:int  1 empty\nprice:double  1 empty\n"
            + "open:bool  2 empty\nday:date  2 empty\nat:datetime  2 empty")
    #expect(try ann.must("ls") == "sample  5 rows, 7 columns")
}

@Test("FD3: types, nulls, columns, delimiter and header can be told")
func importOptions() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let path = try stage.workplace.write("a;b;c\n1;NA;x\n2;3.5;-\n", to: "file.txt")
    let words = ["import", path, "t", "--delimiter", ";", "--null", "NA", "--null", "-"]
    let dry = try ann.start(words + ["--dry-run", "--types", "a:text"]).finish()
    #expect(dry.output == "a:text  0 empty\nb:double  1 empty\nc:text  1 empty\n")
    #expect(try ann.start(words + ["--columns", "c,b"]).finish().code == 0)
    #expect(try ann.must("export", "t", "-") == "c,b\nx,\n,3.5")
    let bare = try ann.run("import", path, "bare", "--delimiter", ";", "--no-header")
    #expect(bare.code == 0, "\(bare.errors)")
    #expect(try ann.must("show", "bare", "--format", "tsv", "--limit", "1").hasPrefix("column_1\t"))
}

@Test("a pipe is imported like a file")
func importFromStandardInput() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let fifo = stage.workplace.file("fifo")
    let pipe = try NamedPipe(fifo)
    let running = try ann.start(["import", fifo, "t", "--format", "csv"])
    try pipe.write("n\n1\n")
    try pipe.write("2\n")
    try wait(until: "the pipe is read") { pipe.isEmpty }
    pipe.close()
    let finished = running.finish()
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(try ann.must("export", "t", "-") == "n\n1\n2")
    try ann.must("import", "-", "u", input: "n\n3\n")
    #expect(try ann.must("export", "u", "-") == "n\n3")
}

@Test("rows are appended to a table that is there, by the names of its columns and its types")
func appending() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "t", "--columns", "name:text,qty:int,note:text")
    let path = try stage.workplace.write("QTY,name\n1,5\n2,6\n", to: "more.csv")
    try ann.must("import", path, "t")
    #expect(try ann.must("export", "t", "-") == "name,qty,note\n5,1,\n6,2,")
    let hash = try ann.must("hash", "t")
    let wrong = try stage.workplace.write("name,qty\na,1\nb,many\n", to: "wrong.csv")
    let refused = try ann.run("import", wrong, "t")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("line 3, field 2"), "\(refused.errors)")
    #expect(!refused.errors.contains("many"))
    let unknown = try stage.workplace.write("name,colour\na,b\n", to: "unknown.csv")
    #expect(try ann.run("import", unknown, "t").errors.contains("unknown_column"))
    #expect(try ann.must("hash", "t") == hash)
}

@Test("a file that cannot be read as a table makes none, and says where it is wrong")
func faultyFiles() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ragged = try stage.workplace.write("a,b\n1,2\n3\n", to: "ragged.csv")
    let refused = try ann.run("import", ragged, "t")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("ragged.csv: line 3"), "\(refused.errors)")
    #expect(try ann.run("import", stage.workplace.file("none.csv"), "t").code == 2)
    #expect(try ann.must("ls") == "")
}

@Test("FD4: show in every format, with ids, chosen columns and a limit")
func showing() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name,qty\napple,3\n\"\",\n")
    let box = """
        ┌───────┬─────┐
        │ name  │ qty │
        │ text  │ int │
        ├───────┼─────┤
        │ apple │   3 │
        │       │   ∅ │
        └───────┴─────┘
        2 rows, 2 columns
        """
    #expect(try ann.must("show", "t") == box)
    #expect(try ann.must("show", "t", "--limit", "9") == box)
    #expect(try ann.must("show", "t", "--limit", "1").hasSuffix("2 rows, 2 columns (1 shown)"))
    #expect(try ann.must("show", "t", "--format", "csv") == "name,qty\napple,3\n\"\",")
    #expect(try ann.must("show", "t", "--format", "tsv") == "name\tqty\napple\t3\n\"\"\t")
    #expect(
        try ann.must("show", "t", "--format", "ndjson")
            == "{\"name\":\"apple\",\"qty\":3}\n{\"name\":\"\",\"qty\":null}")
    #expect(try ann.must("show", "t", "--format", "markdown").contains("| apple | 3 |"))
    let json = try ann.must("show", "t", "--json")
    let rows = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    #expect(rows?.count == 2)
    let ids = try ann.must("show", "t", "--format", "csv", "--ids", "--columns", "qty")
    let lines = ids.split(separator: "\n")
    #expect(lines.first == "row,qty")
    let row = try #require(lines.dropFirst().first?.split(separator: ",").first)
    #expect(try ann.must("get", "t", String(row), "name") == "apple")
    let wrong = try ann.run("show", "t", "--format", "paint")
    #expect(wrong.code == 2)
}

@Test("an export that fails leaves the old file as it was")
func failedExport() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let path = try stage.workplace.write("old", to: "out.csv")
    #expect(try ann.run("export", "nothing", path).code == 1)
    #expect(stage.workplace.contents(of: "out.csv") == "old")
    #expect(stage.workplace.contents(of: "out.csv.part") == nil)
}

@Test(
    "GX1: an import over connections that are cut stores each row once", .timeLimit(.minutes(5)))
func importThroughACuttingProxy() throws {
    let seed: UInt64 = 7
    let stage = try Stage()
    let ann = try stage.person("ann")
    var generator = SeededRandom(seed: seed)
    var text = "n,word\n"
    for number in 1...20_000 { text += "\(number),word \(generator.next())\n" }
    let path = try stage.workplace.write(text, to: "long.csv")
    let proxy = try CuttingProxy(to: UInt16(stage.port), seed: seed, bytesMax: 400_000)
    defer { proxy.close() }
    try ann.learn(address: "127.0.0.1:\(proxy.port)", like: stage.port)
    try ann.must("import", path, "127.0.0.1:\(proxy.port)/long", "--wait", "60")
    #expect(proxy.cutCount > 0, "seed \(seed): nothing was cut")
    #expect(try ann.must("export", "long", "-") + "\n" == text, "seed \(seed)")
}

@Test("a file's name that says no format is refused, in words that name the formats")
func unknownEndings() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "t", input: "name\na\n")
    for name in ["t.xls", "t", ".csv", "t.csv.gz"] {
        let path = stage.workplace.file(name)
        let refused = try ann.run("export", "t", path)
        #expect(refused.code == 2, "\(name)")
        #expect(refused.errors.contains(".csv, .tsv, .json, .ndjson or .md"), "\(name)")
        #expect(!FileManager.default.fileExists(atPath: path), "\(name)")
    }
    try ann.must("export", "t", stage.workplace.file("t.xls"), "--format", "csv")
    #expect(stage.workplace.contents(of: "t.xls") == "name\na\n")
    try ann.must("export", "t", stage.workplace.file("T.CSV"))
    #expect(stage.workplace.contents(of: "T.CSV") == "name\na\n")
    #expect(
        try ann.run("export", "t", "/dev/null").errors == "exported 1 row, 1 column to /dev/null\n")
    let refused = try ann.run("import", stage.workplace.file("t.xls"), "u")
    #expect(refused.code == 2 && refused.errors.contains("no format is known by .xls"))
    try ann.must("import", stage.workplace.file("t.xls"), "u", "--format", "csv")
    try stage.workplace.write("name\nb\n", to: "bare")
    try ann.must("import", stage.workplace.file("bare"), "v")
    #expect(try ann.must("ls") == "t  1 row, 1 column\nu  1 row, 1 column\nv  1 row, 1 column")
}

@Test("a file with a header alone says so, and how its one line becomes a row")
func headerOnly() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let imported = try ann.run("import", "-", "t", input: "a,b\n")
    #expect(imported.code == 0)
    #expect(imported.errors.hasPrefix("imported 0 rows, 2 columns into t\n"))
    #expect(imported.errors.contains("--no-header"))
    let bare = try ann.run("import", "-", "u", "--no-header", input: "a,b\n")
    #expect(bare.errors == "imported 1 row, 2 columns into u\n")
}

@Test("FD4: a cell of boxed text is cut to a width, which can be told, and shown whole on request")
func boxedCells() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let long = String(repeating: "long ", count: 50_000)
    try ann.must("import", "-", "t", input: "name\n\(long)\nshort\n")
    let shown = try ann.must("show", "t").split(separator: "\n")
    #expect(shown.count == 8)
    #expect(shown.dropLast().allSatisfy { $0.count == 84 })
    #expect(shown[4].contains("…"))
    let narrow = try ann.must("show", "t", "--width", "10", "--limit", "1")
    #expect(narrow.contains("│ long long… │"))
    #expect(try ann.must("show", "t", "--full").contains(long.dropLast()))
    #expect(try ann.must("show", "t", "--format", "csv").contains(long.dropLast()))
    #expect(try ann.run("show", "t", "--full", "--width", "3").code == 2)
}

@Test(
    "FD2, FD20: JSON and NDJSON are imported as they were exported", arguments: ["json", "ndjson"])
func jsonThereAndBack(ending: String) throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("import", "-", "sample", input: sample)
    let path = stage.workplace.file("out.\(ending)")
    try ann.must("export", "sample", path)
    let imported = try ann.run("import", path, "again")
    #expect(imported.errors == "imported 5 rows, 7 columns into again\n")
    #expect(try ann.must("export", "again", "-") + "\n" == sample)
    // The rows are appended where the table is there, by name and with its types.
    try ann.must("import", path, "again", "--rows", "2:3", "--columns", "qty,name")
    #expect(try ann.must("ls").hasSuffix("again   7 rows, 7 columns"))
    #expect(try ann.must("get", "again", "#7", "name") == "")
    #expect(try ann.run("import", path, "x", "--null", "NA").code == 2)
    let refused = try ann.run("import", "-", "y", "--format", "ndjson", input: "{\"a\":[1}\n")
    #expect(refused.code == 1 && refused.errors.contains("standard input: line 1"))
    #expect(try !ann.must("ls").contains("y  "))
}

@Test("FD3: rows and the decimal mark can be told")
func rowsAndDecimalMark() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let file = "a;b\n1,5;x\n2,25;y\n3;z\n"
    let words = ["import", "-", "t", "--delimiter", ";", "--decimal", ","]
    #expect(try ann.start(words + ["--rows", ":2"], input: file).finish().code == 0)
    #expect(try ann.must("export", "t", "-") == "a,b\n1.5,x\n2.25,y")
    for wrong in [["--rows", "3"], ["--rows", "0:2"], ["--rows", "3:2"], ["--rows", "a:"]] {
        #expect(try ann.start(words + wrong, input: file).finish().code == 2, "\(wrong)")
    }
    for wrong in [["--decimal", ","], ["--decimal", "5"], ["--decimal", "::"]] {
        let all = ["import", "-", "u"] + wrong
        #expect(try ann.start(all, input: file).finish().code == 2, "\(wrong)")
    }
}

@Test("a choice column is imported with its choices, those told or those of the file")
func importingChoices() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let file = "state,n\nopen,1\ndone,2\n,3\n"
    try ann.must("import", "-", "t", "--types", "state:choice", input: file)
    #expect(try ann.must("export", "t", "-") + "\n" == file)
    #expect(try ann.run("set", "t", "#3", "state", "late").code != 0)
    // Rows that are appended have the table's choices, whatever the words say.
    let more = ["import", "-", "t", "--types", "state:choice"]
    let refused = try ann.start(more, input: "state\ndone\nlate\n").finish()
    #expect(refused.code == 1)
    #expect(refused.errors.contains("line 3, field 1"), "\(refused.errors)")
    #expect(refused.errors.contains("none of its choices"), "\(refused.errors)")
    #expect(try ann.start(more, input: "state\ndone\n").finish().code == 0)
    let told = "state:choice(open|done|late)"
    try ann.must("import", "-", "u", "--types", told, input: file)
    try ann.must("set", "u", "#3", "state", "late")
    // Nothing is made where the choices do not do.
    let none = try ann.start(
        ["import", "-", "x", "--types", "state:choice(open)"], input: file
    ).finish()
    #expect(none.code == 1 && none.errors.contains("line 3, field 1"), "\(none.errors)")
    let empty = "state\nopen\n\"\"\n"
    let bad = try ann.start(["import", "-", "x", "--types", "state:choice"], input: empty).finish()
    #expect(bad.code == 1 && bad.errors.contains("cannot be a choice"), "\(bad.errors)")
    #expect(try ann.must("ls").contains("x  ") == false)
}
