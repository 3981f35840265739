// minimum, maximum, append-text, list-add, list-remove and upsert from the command line, through
// the real server. Many bots at once are clients/python/tests/test_bots.py's.
import Foundation
import Testing

@Test("C15, C16: what is joined with a cell is printed, and kept by who replays the log")
func joiningCommands() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "t", "--columns", "name:text,qty:int,price:decimal,tags:list")
    let row = try ann.must("append", "t", "name=fig", "qty=4", "price=1.50")
    #expect(try ann.must("maximum", "t", row, "qty", "3") == "4")
    #expect(try ann.must("minimum", "t", row, "qty", "-3") == "-3")
    #expect(try ann.must("minimum", "t", "#1", "price", "1.25") == "1.25")
    #expect(try ann.must("append-text", "t", row, "name", " leaf") == "fig leaf")
    #expect(try ann.must("list-add", "t", row, "tags", "red") == #"["red"]"#)
    #expect(try ann.must("list-add", "t", row, "tags", "red", "--once") == #"["red"]"#)
    #expect(try ann.must("list-add", "t", row, "tags", "2", "--value") == #"["red",2]"#)
    #expect(try ann.must("list-remove", "t", row, "tags", "red") == "[2]")
    let wrong = try ann.run("append-text", "t", row, "qty", "x")
    #expect(wrong.code == 1 && wrong.errors.contains("wrong_type"), "\(wrong.errors)")
    #expect(try ann.run("maximum", "t", row, "qty").code == 2)
    let hash = try ann.must("hash", "t")
    stage.killServer()
    try stage.startServer()
    #expect(try ann.must("hash", "t") == hash)
    try ann.must("undo", "t")
    #expect(try ann.must("get", "t", row, "tags").contains("red"))
}

@Test("C17: an upsert prints the row, and says with --json whether it is new")
func upsertCommand() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "t", "--columns", "sku:text,qty:int,place:text")
    let refused = try ann.run("upsert", "t", "sku=A-1")
    #expect(refused.code == 1 && refused.errors.contains("not_unique"), "\(refused.errors)")
    try ann.must("column", "rule", "t", "sku", "--unique")
    let row = try ann.must("upsert", "t", "sku=A-1", "qty=1", "--new", "place=B2, left")
    let again = try ann.must("upsert", "t", "sku=A-1", "qty:=2", "--new", "place=C3", "--json")
    #expect(again.contains(#""rows":["\#(row)"],"inserted":[false]"#), "\(again)")
    #expect(try ann.must("export", "t", "-") == "sku,qty,place\nA-1,2,\"B2, left\"")
    let line =
        #"{"body":[{"append":{"sku":"x"},"as":"n"},{"list_remove":["$n","sku","x"]},"#
        + #"{"append_text":["$n","sku","y"]}],"pre":[{"row_absent":["sku","x"]}]}"#
    let applied = try ann.must("apply", "t", input: line + "\n")
    #expect(applied.contains("partial") && applied.contains("xy"), "\(applied)")
    let absent = try ann.run(
        "apply", "t",
        input: #"{"body":[{"delete":["\#(row)"]}],"pre":[{"row_absent":["sku","A-1"]}]}"# + "\n")
    #expect(absent.output.contains("precondition_failed"), "\(absent.output) \(absent.errors)")
}
