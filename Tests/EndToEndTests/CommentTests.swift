// Comments from the command line through the real server, which is killed and comes back.
import Foundation
import Testing

@Test("FC14: comments are made, resolved, undone and kept, also by a server that is killed")
func commentsFromTheCommandLine() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let ben = try stage.person("ben", role: "commenter")
    try ann.must("new", "t", "--columns", "name:text,qty:int")
    try ann.must("import", "-", "t", input: "name,qty\nfig,12\nplum,7\n")
    let hash = try ann.must("hash", "t").split(separator: " ").last
    let first = try ben.must("comment", "add", "t", "#1", "is that right?", "--column", "qty")
    #expect(first.wholeMatch(of: /m[0-9]+\.1/) != nil, "\(first)")
    let answer = try ann.must("comment", "add", "t", "#1", "it is", "--reply-to", first)
    stage.killServer()
    try stage.startServer()
    var list = try ben.must("comment", "list", "t")
    #expect(list.contains("is that right?") && list.contains("answers \(first)"), "\(list)")
    try ann.must("comment", "resolve", "t", first)
    #expect(try !ben.must("comment", "list", "t", "--open").contains("is that right?"))
    try ann.must("undo", "t")
    #expect(try ben.must("comment", "list", "t", "--open").contains("is that right?"))
    try ann.must("redo", "t")
    try ben.must("comment", "reopen", "t", first)
    try ben.must("comment", "edit", "t", first, "is it?")
    let refused = try ben.run("comment", "delete", "t", answer)
    #expect(refused.code == 1 && refused.errors.contains("forbidden"), "\(refused.errors)")
    try ben.must("comment", "delete", "t", first)
    try ben.must("undo", "t")
    let cell = try ann.run("set", "t", "#1", "qty", "3")
    #expect(cell.code == 0)
    let row = try ann.must("comment", "list", "t", "--json").split(separator: "\n")
    #expect(row.count == 2 && row[0].contains(#""text":"is it?""#), "\(row)")
    try ann.must("delete", "t", "#1")
    list = try ben.must("comment", "list", "t")
    #expect(list.contains("(deleted)"), "\(list)")
    stage.killServer()
    try stage.startServer()
    #expect(try ben.must("comment", "list", "t") == list)
    #expect(try ann.must("history", "t").contains("is it?"))
    try ann.must("undo", "t")
    try ann.must("set", "t", "#1", "qty", "12")
    #expect(try ann.must("hash", "t").split(separator: " ").last == hash)
    #expect(try ben.must("comment", "list", "t", "--column", "qty").contains("is it?"))
}

@Test("FC14: a hostile comment steers no terminal, and what makes no sense says so")
func hostileComments() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    try ann.must("new", "t", "--columns", "name:text")
    try ann.must("import", "-", "t", input: "name\nfig\n")
    let id = try ann.must(
        "comment", "add", "t", "#1", "\u{1b}]0;owned\u{7}\u{202e}x\nsecond\u{9b}2J")
    for command in [["comment", "list", "t"], ["history", "t"]] {
        let shown = try ann.start(command).finish().output
        #expect(!shown.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x9b })
        #expect(!shown.unicodeScalars.contains("\u{202e}") && shown.contains("second"))
    }
    for (words, wanted) in [
        (["comment", "resolve", "t", "x"], "m118.1"),
        (["comment", "resolve", "t", "m999.1"], "unknown_comment"),
        (["comment", "add", "t", "#1", ""], "bad_comment"),
        (["comment", "add", "t", "#1", "x", "--reply-to", "m999.1"], "unknown_comment"),
        (["comment", "edit", "t", id, String(repeating: "x", count: 5_000)], "bad_comment"),
    ] {
        let done = try ann.start(words).finish()
        #expect(done.code != 0 && done.errors.contains(wanted), "\(words[1]): \(done.errors)")
    }
}
