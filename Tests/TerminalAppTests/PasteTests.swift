// Pastes are never keys: over the grid a block that is asked for first, in the editor text.
// Copies leave as tab-separated text that comes back the same.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func letters() -> Stage {
    Stage("name:text qty:int", rows: ["a", "b", "c"].map { [$0, "1"] })
}

@Test(
    "FT21: a paste of `dd`, Enter, `qq` into the grid executes nothing",
    arguments: KeyPreset.allCases)
func pasteIsNoCommand(keys: KeyPreset) {
    let seat = letters().seat(height: 20) { $0.options.keys = keys }
    seat.paste("dd\rqq")
    #expect(seat.column("name") == ["a", "b", "c"])
    #expect(seat.takeActions() == [])
    #expect(seat.screen.contains("paste 2×1 cells?"))
    seat.press("Esc")
    #expect(seat.column("name") == ["a", "b", "c"])
    seat.paste("dd\rqq")
    seat.press("Enter")
    #expect(seat.column("name") == ["dd", "qq", "c"])
    #expect(seat.takeActions() == [])
}

@Test("FT21: a block is pasted as one operation, with new rows behind the last")
func pasteBlock() {
    let stage = letters()
    let seat = stage.seat(height: 20)
    let other = stage.seat("eve")
    let before = other.noticeCount
    seat.press("Down", "Down")
    seat.paste("x\t5\ny\t\n\"z\nz\"\t7\n")
    #expect(seat.screen.contains("2 cells will be replaced"))
    #expect(seat.screen.contains("2 rows will be added at the end"))
    seat.press("Enter")
    #expect(seat.column("name") == ["a", "b", "x", "y", "z\nz"])
    #expect(seat.column("qty") == ["1", "1", "5", "∅", "7"])
    #expect(other.column("name") == seat.column("name"))
    #expect(other.noticeCount == before + 1, "one record, not several")
}

@Test("FT21: a block that does not fit the types is refused with the place, before it is sent")
func pasteOfWrongType() {
    let seat = letters().seat(height: 20)
    seat.paste("x\t5\ny\tmany")
    #expect(seat.screen.contains("line 2, column qty: an int is"))
    seat.press("Enter")
    #expect(seat.column("name") == ["a", "b", "c"])
    seat.press("Esc")
    seat.paste("x\t1\ttoo\tfar")
    #expect(seat.screen.contains("2 cells beyond the last column are left out"))
    seat.press("Esc")
    seat.paste("cut", isCut: true)
    seat.press("Enter")
    #expect(seat.column("name") == ["a", "b", "c"])
}

@Test("a paste into an open editor is text: tabs and line breaks come with it")
func pasteIntoEditor() {
    let seat = letters().seat()
    seat.press("Enter")
    seat.paste("line1\rline2\tx")
    #expect(seat.app.editor?.field.text == "line1\nline2\tx")
    #expect(seat.app.grid.rowPosition == 0)
    seat.press("Enter")
    #expect(seat.column("name") == ["line1\nline2\tx", "b", "c"])
    seat.press("Right", "Enter")
    seat.paste("42\r")
    seat.press("Enter")
    #expect(seat.column("qty")[0] == "42")
}

@Test("several lines pasted into a json value or a list keep their line breaks")
func pasteLinesIntoEditor() {
    let stage = Stage("more:json tags:list qty:int", rows: [["∅", "∅", "∅"]])
    let seat = stage.seat()
    seat.press("Enter")
    seat.paste("{\r\n  \"a\": 1,\n  \"b\": [2]\n}\n")
    #expect(seat.app.editor?.field.text == "{\n  \"a\": 1,\n  \"b\": [2]\n}\n")
    seat.press("Enter", "Right", "Enter")
    #expect(seat.column("more") == ["{\"a\":1,\"b\":[2]}"])
    seat.paste("[\"x\",\r2")
    seat.press("Alt-Enter")
    seat.type("]")
    #expect(seat.app.editor?.field.text == "[\"x\",\n2\n]")
    seat.press("Enter", "Right", "Enter")
    #expect(seat.column("tags") == ["[\"x\",2]"])
    seat.paste("1\n2")
    #expect(seat.app.editor?.field.text == "1")
}

@Test("a paste over a question answers nothing; over a prompt it is text")
func pasteOverLayers() {
    let seat = letters().seat()
    seat.press("Space", "Space", "Ctrl-Del")
    seat.paste("y")
    #expect(seat.column("name").count == 3)
    seat.press("Esc", "Ctrl-F")
    seat.paste("b\rc")
    seat.press("Enter")
    #expect(seat.app.search?.query == "b")
}

@Test("FT21: cells, blocks and rows are copied as tab-separated text")
func copying() {
    let seat = Stage(
        "name:text qty:int", rows: [["a", "1"], ["", "∅"], ["x\ty", "3"], ["∅", "4"]]
    ).seat()
    seat.press("Ctrl-C")
    #expect(seat.takeActions() == [.copy("a")])
    seat.press("Shift-Down", "Shift-Down", "Shift-Down", "Shift-Right", "Ctrl-C")
    #expect(seat.takeActions() == [.copy("a\t1\n\"\"\t\n\"x\ty\"\t3\n\t4")])
    #expect(seat.said.last?.hasPrefix("4×2 cells copied") == true)
    let block = seat.app.clipboard?.text ?? ""
    seat.press("Esc", "Ctrl-End", "Home", "Ins", "Enter")
    let before = seat.column("name")
    seat.paste(block)
    seat.press("Enter")
    #expect(seat.column("name") == Array(before.prefix(4)) + ["a", "", "x\ty", "∅"])
    #expect(Array(seat.column("qty").suffix(4)) == ["1", "∅", "3", "4"])
}

@Test("cut empties what it copied, and the command paste brings it back")
func cutAndPaste() {
    let seat = letters().seat()
    seat.press("Shift-Down", "Ctrl-X")
    #expect(seat.column("name") == ["∅", "∅", "c"])
    seat.press("Esc", "Down", "Ctrl-V", "Enter")
    #expect(seat.column("name") == ["∅", "∅", "a", "b"])
}

@Test(
    "tab-separated text is read as it was meant",
    arguments: [
        ("a", [["a"]]), ("a\n", [["a"]]), ("a\r\nb", [["a"], ["b"]]), ("a\rb\r", [["a"], ["b"]]),
        ("a\tb\n\tc", [["a", "b"], ["", "c"]]), ("a\t", [["a", ""]]), ("\n", [[""]]),
        ("\"a\tb\"\tc", [["a\tb", "c"]]), ("\"a\"\"b\"", [["a\"b"]]), ("\"open", [["\"open"]]),
        ("5\" disk\tx", [["5\" disk", "x"]]), ("\"a\"b\tc", [["\"a\"b", "c"]]),
        ("a\n\nb", [["a"], [""], ["b"]]),
    ])
func parsing(text: String, cells: [[String]]) throws {
    let parsed = try TabText.parse(text)
    #expect(parsed.map { $0.map(\.text) } == cells)
}

@Test("a block whose last rows hold no value is copied with them, and read back as it was")
func copyingNulls() {
    let seat = Stage("name:text qty:int", rows: [["a", "∅"], ["∅", "∅"], ["b", "2"]]).seat(
        height: 20)
    seat.press("Shift-Down", "Ctrl-C")
    #expect(seat.takeActions() == [.copy("a\n\n")])
    let text = seat.app.clipboard?.text ?? ""
    for isOwn in [true, false] {
        seat.press("Esc", "Ctrl-Home", "Down")
        if isOwn { seat.press("Ctrl-V") } else { seat.paste(text) }
        #expect(seat.screen.contains("paste 2×1 cells?"))
        #expect(seat.screen.contains("│∅ "), "a null is shown as one")
        seat.press("Enter")
        #expect(seat.column("name") == ["a", "a", "∅"])
        seat.press("Ctrl-End", "Enter")
        seat.type("b")
        seat.press("Enter", "Up", "Del")
    }
}

@Test("null alone is copied and pasted, and the look before it shows it as null")
func pastingNull() {
    let seat = Stage("name:text qty:int", rows: [["a", "∅"], ["", "2"]]).seat(height: 20)
    seat.press("Right", "Ctrl-C")
    #expect(seat.said.last?.hasPrefix("∅ copied") == true)
    seat.press("Down", "Ctrl-V")
    #expect(seat.screen.contains("paste 1 cell?"))
    #expect(seat.screen.contains("│∅ "))
    seat.press("Enter")
    #expect(seat.column("qty") == ["∅", "∅"])
    // An empty text is another thing, and stays one.
    seat.press("Left", "Ctrl-C", "Up", "Ctrl-V")
    #expect(seat.screen.contains("│\"\" "))
    seat.press("Enter")
    #expect(seat.column("name") == ["", ""])
    // One cell with a tab in it is one cell.
    seat.press("Enter")
    seat.paste("x\ty")
    seat.press("Enter", "Ctrl-C", "Down", "Ctrl-V", "Enter")
    #expect(seat.column("name") == ["x\ty", "x\ty"])
}

@Test("FT21: what a column's rules refuse is named before anything is sent, and nothing is pasted")
func pasteOfNoChoice() {
    let stage = Stage(
        "name:text state:choice|open|done qty:int",
        rows: [["a", "open", "1"], ["b", "done", "2"]])
    let seat = stage.seat(width: 120, height: 24)
    seat.paste("x\tnever\t1\ny\topen\tmany\nz\tOpen\t3")
    #expect(seat.screen.contains("3 cells would be refused; nothing is pasted"))
    #expect(seat.screen.contains("line 1, column state: none of the choices (open, done)"))
    #expect(seat.screen.contains("line 2, column qty: an int is a whole number"))
    #expect(seat.screen.contains("line 3, column state: none of the choices"))
    seat.press("Enter")
    #expect(seat.column("name") == ["a", "b"])
    seat.press("Esc")
    seat.paste("x\tdone\t7\ny\t\t")
    seat.press("Enter")
    #expect(seat.column("state") == ["done", "∅"])
}

@Test("the look before a paste says on small screens too what it would do")
func pasteOnSmallScreen() {
    let seat = letters().seat(width: 60, height: 24)
    seat.paste("x\t1\ny\t2\nz\t3\nu\t4\nv\t5\nw\t6\nx\t7")
    for height in (6...24).reversed() {
        seat.resize(60, height)
        #expect(seat.screen.contains("4 rows will be added at the end"), "\(height)")
        #expect(seat.screen.contains("Enter pastes"), "\(height)")
        #expect(height < 10 || seat.screen.contains("x │ 1"), "\(height)")
    }
}

@Test("FT21: a paste into what somebody deletes meanwhile is refused as a whole")
func pasteIsAllOrNothing() {
    let stage = letters()
    let seat = stage.seat(height: 20)
    let other = stage.seat("eve")
    seat.cut()
    seat.paste("x\t5\ny\t6\nz\t7\nw\t8")
    seat.press("Enter")
    #expect(seat.column("name") == ["x", "y", "z", "w"])
    stage.remote(.deleteRows([other.rowID(1)]))
    seat.mend()
    #expect(other.column("name") == ["a", "c"], "nobody gets half a paste")
    #expect(seat.column("name") == ["a", "c"])
    #expect(seat.said.contains { $0.hasPrefix("the paste of 8 cells was refused") })
    #expect(seat.app.clipboard?.text.hasPrefix("x\t5") == true)
}

@Test("FT21: what one operation or one line cannot take is refused in the look before it")
func pasteTooLarge() {
    let stage = letters()
    let seat = stage.seat(width: 120, height: 24)
    let other = stage.seat("eve")
    let before = other.noticeCount
    // As cells they would fit, with the rows that they make they do not.
    seat.paste(String(repeating: "x\t1\n", count: 20_000))
    #expect(seat.screen.contains("59,997 cells and new rows are more than the 50,000 of"))
    seat.press("Enter", "Esc")
    let long = String(repeating: "y", count: 250_000)
    seat.paste(Array(repeating: long, count: 5).joined(separator: "\n"))
    #expect(seat.screen.contains("one operation has 1,048,576"))
    seat.press("Enter", "Esc")
    #expect(other.noticeCount == before)
    #expect(seat.column("name") == ["a", "b", "c"])
    seat.paste(Array(repeating: long, count: 4).joined(separator: "\n"))
    seat.press("Enter")
    #expect(other.column("name").count == 4)
}
