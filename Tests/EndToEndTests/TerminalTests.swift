// The terminal client as people have it: the real program in real terminals, beside each other
// and beside a bot, on one table of a real server.
import Foundation
import Testing

/// A small table, and its rows' ids in order.
private func smallTable(_ stage: Stage, by ann: Person) throws -> [String] {
    try ann.must("new", "stock", "--columns", "item:text,qty:int,ok:bool")
    let rows = ["apples", "pears", "plums"]
    return try rows.enumerated().map { number, item in
        try ann.must("append", "stock", "item=\(item)", "qty=\(number + 1)")
    }
}

private func value(_ person: Person, _ row: String, _ column: String) throws -> String {
    try person.must("get", "stock", row, column)
}

@Test("FT14, FT15, FT28: a cell is edited in place, and stored")
func editInPlace() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try smallTable(stage, by: ann)
    let screen = try Screen(in: stage.workplace, home: "ann", ["open", "stock"])
    try screen.wait(for: "plums")
    try screen.wait(for: "● live")
    try screen.press("Enter")
    try screen.type("kiwis")
    try wait(until: "the command line says who edits") {
        try ann.must("who", "stock").contains("at row \(rows[0]), column item, editing")
    }
    try screen.press("Escape")
    try screen.wait(until: "the old value is back") {
        $0.contains("apples") && !$0.contains("kiwis")
    }
    try screen.press("Enter")
    try screen.type("figs")
    try screen.press("Tab")
    try screen.type("42")
    try screen.press("Enter")
    try screen.wait(until: "it is stored") {
        $0.contains("figs") && $0.contains("42") && $0.contains("saved")
    }
    #expect(try value(ann, rows[0], "item") == "figs")
    #expect(try value(ann, rows[0], "qty") == "42")
}

@Test("FT18: what does not parse stays in the editor with the reason, and nothing is sent")
func invalidValue() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try smallTable(stage, by: ann)
    let screen = try Screen(in: stage.workplace, home: "ann", ["open", "stock"])
    try screen.wait(for: "plums")
    try screen.press("Right", "Enter")
    try screen.type("many")
    try screen.press("Enter")
    try screen.wait(until: "the text is still there, with a reason") {
        $0.contains("many") && $0.contains("int")
    }
    try screen.press("Escape")
    try screen.wait(until: "the editor is gone") { !$0.contains("many") }
    #expect(try value(ann, rows[0], "qty") == "1")
}

@Test("a paste of keys into the grid executes nothing")
func pasteExecutesNothing() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try smallTable(stage, by: ann)
    for keys in ["default", "vim"] {
        let screen = try Screen(
            in: stage.workplace, home: "ann", ["open", "stock", "--keys", keys])
        try screen.wait(for: "plums")
        try screen.paste("dd\nqq\n:q\n")
        try screen.wait(until: "the paste is shown and asked about") { $0.contains("dd") }
        try screen.press("Escape")
        try screen.wait(until: "the question is gone") {
            !$0.contains("dd") && $0.contains("plums")
        }
        #expect(try screen.fact("pane_current_command") != "cat")
    }
    #expect(try ann.must("show", "stock", "--format", "csv").split(separator: "\n").count == 4)
    #expect(try value(ann, rows[0], "item") == "apples")
}

@Test("FT4: hostile text in cells leaves title, clipboard and screen alone")
func hostileCells() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try smallTable(stage, by: ann)
    let nasty = [
        "\u{1B}]0;owned\u{7}", "\u{1B}]52;c;b3duZWQ=\u{7}", "\u{1B}[2J\u{1B}[H",
        "\u{1B}c", "\u{9B}2J", "\u{1B}P+q544e\u{1B}\\", "\u{1B}]8;;http://x\u{7}link",
        "a\rb\nc\td", "\u{202E}right to left", String(repeating: "e\u{301}\u{302}", count: 400),
    ]
    for text in nasty {
        let encoded = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let line = #"{"body":[{"append":{"item":\#(encoded),"qty":7}}]}"#
        try ann.must("apply", "stock", input: line + "\n")
    }
    let screen = try Screen(in: stage.workplace, home: "ann", ["open", "stock"])
    try screen.tmux("set-option", "-g", "set-clipboard", "on")
    let title = try screen.fact("pane_title")
    try screen.wait(for: "apples")
    for _ in 0..<(rows.count + nasty.count) { try screen.press("Down") }
    try screen.wait(for: "row 13 of 13")
    let text = try screen.text
    #expect(text.contains("apples") && text.contains("plums"), "the screen was cleared:\n\(text)")
    #expect(try screen.fact("pane_title") == title)
    #expect((try? screen.tmux("show-buffer"))?.contains("owned") != true)
    // Whatever a cell holds, the bars between the columns stand under each other. Each character
    // of these texts takes one cell.
    let bars = try screen.lines.compactMap { Array($0).lastIndex(of: "│") }
    #expect(bars.count == 14 && Set(bars).count == 1, "\(text)")
}

@Test("FT29: the terminal is given back on quit, on signals and on a crash")
func terminalIsRestored() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    _ = try smallTable(stage, by: ann)
    for ending in ["quit", "TERM", "HUP", "INT", "QUIT", "SEGV", "ILL", "ABRT"] {
        // Swift's report of a crash takes long, and is TerminalTests' matter.
        let screen = try Screen(
            in: stage.workplace, home: "ann", ["open", "stock"],
            environment: ["SWIFT_BACKTRACE": "enable=no"])
        try screen.wait(for: "plums")
        #expect(try screen.fact("alternate_on") == "1")
        if ending == "quit" {
            try screen.press("C-q")
        } else {
            try screen.signal(ending)
        }
        try screen.wait(for: "ended with")
        for fact in ["alternate_on", "mouse_any_flag", "mouse_sgr_flag"] {
            #expect(try screen.fact(fact) == "0", "\(ending): \(fact)")
        }
        #expect(try screen.fact("cursor_flag") == "1", "\(ending)")
        if ending == "quit" { #expect(try screen.text.contains("ended with 0")) }
    }
}

@Test(
    "FT24: whoever is ended with unsent changes is told which, and ends with another code than 0",
    arguments: ["TERM", "HUP", "quit"])
func endedWithUnsentChanges(ending: String) throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try smallTable(stage, by: ann)
    let screen = try Screen(in: stage.workplace, home: "ann", ["open", "stock"], columns: 200)
    try screen.wait(for: "● live")
    stage.killServer()
    try screen.wait(for: "◌ offline")
    try screen.press("Enter")
    try screen.type("secret figs")
    try screen.press("Enter", "Right", "DC")
    try screen.wait(for: "2 queued")
    if ending == "quit" {
        try screen.press("C-q")
        try screen.wait(for: "quit and lose them")
        try screen.type("q")
    } else {
        try screen.signal(ending)
    }
    try screen.wait(for: "ended with")
    let text = try screen.text
    #expect(text.contains("2 changes in table stock were not acknowledged by the server: "))
    #expect(text.contains("the edit of item in row \(rows[0]), the change of 1 cell"), "\(text)")
    #expect(text.contains("Nothing unsent is kept on disk"))
    #expect(!text.contains("secret figs"), "\(text)")
    #expect(!text.contains("ended with 0"), "\(text)")
    for fact in ["alternate_on", "mouse_any_flag"] { #expect(try screen.fact(fact) == "0") }
}

@Test("FT29: any size is lived with, also while editing")
func resizes() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try smallTable(stage, by: ann)
    let screen = try Screen(in: stage.workplace, home: "ann", ["open", "stock"])
    try screen.wait(for: "plums")
    try screen.press("Enter")
    try screen.type("unbroken")
    for (columns, lines) in [(1, 1), (2, 5), (300, 60), (59, 3), (1, 40), (100, 30)] {
        try screen.resize(columns: columns, lines: lines)
        try screen.wait(until: "the size is \(columns)×\(lines)") { _ in
            try screen.fact("pane_width") == "\(columns)"
        }
    }
    try screen.wait(until: "the editor is as it was") {
        $0.contains("unbroken") && $0.contains("plums")
    }
    try screen.press("Enter")
    try screen.wait(for: "saved")
    try wait(until: "it is stored") { try value(ann, rows[0], "item") == "unbroken" }
}

@Test("FT24: a server that is killed costs nothing: cursor, editor and edits are kept")
func killedUnderneath() throws {
    let stage = try Stage()
    let ann = try stage.person("ann")
    let rows = try smallTable(stage, by: ann)
    let screen = try Screen(in: stage.workplace, home: "ann", ["open", "stock"])
    try screen.wait(for: "plums")
    try screen.press("Down", "Enter")
    try screen.type("half")
    stage.killServer()
    try screen.wait(for: "◌ offline")
    try screen.type(" typed")
    try screen.press("Enter", "Down", "Enter")
    try screen.type("second")
    try screen.press("Enter")
    try screen.wait(for: "2 queued")
    try stage.startServer()
    try screen.wait(until: "all is sent, and the cursor is where it was") {
        $0.contains("● live") && $0.contains("saved") && $0.contains("row 3 of 3")
    }
    #expect(try value(ann, rows[1], "item") == "half typed")
    #expect(try value(ann, rows[2], "item") == "second")
}
