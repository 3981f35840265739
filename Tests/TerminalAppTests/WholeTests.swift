// Operations on all rows from the keyboard: what is asked first, what it says, what comes of it,
// and one undo that takes it back.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func fruits() -> Stage {
    Stage(
        "name:text qty:int",
        rows: [["pear", "3"], ["fig", "1"], ["apple", "3"], ["kiwi", "∅"], ["plum", "2"]])
}

private let unsorted = ["pear", "fig", "apple", "kiwi", "plum"]

@Test("T7: rows are sorted by several columns after a yes, and one undo brings the order back")
func sortRows() {
    let stage = fruits()
    let seat = stage.seat(width: 90, height: 16)
    let other = stage.seat("eve")
    seat.press("Right", "Alt-S")
    #expect(seat.screen.contains("sort by"))
    #expect(seat.screen.contains("qty"))
    seat.type("-qty, name")
    seat.press("Enter")
    #expect(seat.screen.contains("Sort all 5 rows by qty (largest first), then name?"))
    #expect(seat.column("name") == unsorted)
    seat.press("n")
    #expect(seat.column("name") == unsorted)
    seat.press("Alt-S")
    seat.type("-qty, name")
    seat.press("Enter", "y")
    #expect(other.column("name") == ["apple", "pear", "plum", "fig", "kiwi"])
    #expect(seat.said.last == "5 rows sorted; Ctrl-Z takes it back")
    #expect(other.said.last?.hasSuffix("sorted 5 rows") == true)
    seat.press("Ctrl-Z")
    #expect(other.column("name") == unsorted)
}

@Test("one key sorts by the cursor's column, up or down", arguments: KeyPreset.allCases)
func sortByColumn(keys: KeyPreset) {
    let seat = fruits().seat(width: 90, height: 16) { $0.options.keys = keys }
    seat.press(keys == .vim ? "[" : "Alt-,")
    #expect(seat.screen.contains("Sort all 5 rows by name?"))
    seat.press("y")
    #expect(seat.column("name") == ["apple", "fig", "kiwi", "pear", "plum"])
    seat.press("Right", keys == .vim ? "]" : "Alt-.", "y")
    #expect(seat.column("name") == ["apple", "pear", "plum", "fig", "kiwi"])
    seat.press(keys == .vim ? "]" : "Alt-.")
    #expect(seat.app.layer == nil)
    #expect(seat.said.last == "the rows stand so already")
}

@Test("T8: chosen rows change places among each other, and the question says so")
func sortChosen() {
    let seat = fruits().seat(width: 90, height: 16)
    seat.press("Space", "Down", "Space", "Down", "Space")
    #expect(seat.app.selection.rows.count == 3)
    seat.press("Alt-,")
    #expect(seat.screen.contains("Sort the chosen 3 rows by name?"))
    seat.press("y")
    #expect(seat.column("name") == ["apple", "fig", "pear", "kiwi", "plum"])
}

@Test("columns are named in any case, in quotes where they need them; others are refused")
func sortKeys() {
    func column(_ name: Text, _ number: UInt32) -> Column {
        Column(id: ColumnID(session: .server, counter: number), name: name, type: .text)
    }
    let columns = [column("a, \"b\"", 1), column("-c", 2), column("due date", 3)]
    let keys = columns.map { SortKey(column: $0, isDescending: $0.id.counter == 2) }
    let text = SortKey.text(keys)
    #expect(text == "\"a, \"\"b\"\"\", -\"-c\", due date")
    #expect(SortKey.read(text, columns) == .success(keys))
    #expect(SortKey.read("DUE DATE", columns) == .success([keys[2]]))
    #expect(SortKey.read("x", columns) == .failure(SortFault(reason: "there is no column x")))
    for nothing in ["", "due date,", ",", "-"] {
        if case .success(let keys) = SortKey.read(nothing, columns) {
            Issue.record("\(nothing): \(keys)")
        }
    }
    let seat = fruits().seat(width: 90, height: 16)
    seat.press("Alt-S")
    seat.type("none")
    seat.press("Enter")
    #expect(seat.screen.contains("there is no column none"))
    seat.press("Esc")
    #expect(seat.column("name") == unsorted)
}

@Test("FD5: a column is set by an expression, with a look at what changes, and one undo")
func transform() {
    let stage = fruits()
    let seat = stage.seat(width: 90, height: 20)
    seat.press("Right", "Alt-T")
    #expect(seat.screen.contains("set qty to"))
    seat.type("qty * 10")
    seat.press("Enter")
    #expect(seat.screen.contains("set qty in the rows where"))
    seat.type("qty > 1")
    seat.press("Enter")
    #expect(seat.screen.contains("Change qty in 3 rows of 5?"))
    #expect(seat.screen.contains("row 1: 3 → 30"))
    #expect(seat.column("qty") == ["3", "1", "3", "∅", "2"])
    seat.press("y")
    #expect(seat.column("qty") == ["30", "1", "30", "∅", "20"])
    #expect(seat.said.last == "column qty changed; Ctrl-Z takes it back")
    seat.press("Ctrl-Z")
    #expect(seat.column("qty") == ["3", "1", "3", "∅", "2"])
}

@Test("FD6: an expression that cannot be read is shown with carets below the place")
func transformMistyped() {
    let seat = fruits().seat(width: 90, height: 20)
    seat.press("Right", "Alt-T")
    seat.type("qty + none")
    seat.press("Enter")
    #expect(seat.screen.contains("column 7"))
    let lines = seat.screen.split(separator: "\n").map(String.init)
    let carets = lines.first { $0.contains("^^^^") }
    let place = carets?.firstIndex(of: "^").map { carets?.distance(from: "".startIndex, to: $0) }
    let source = lines.last { $0.contains("qty + none") }
    #expect(carets != nil && source != nil && place != nil)
    #expect(seat.app.layer != nil)
    // It is mended in place.
    for _ in 0..<4 { seat.press("Backspace") }
    seat.type("1")
    seat.press("Enter")
    seat.type("qty = 'a'")
    seat.press("Enter")
    #expect(seat.screen.contains("^"))
    seat.press("Ctrl-U", "Enter")
    #expect(seat.screen.contains("Change qty in 4 rows of 5?"))
    seat.press("Esc")
    #expect(seat.column("qty") == ["3", "1", "3", "∅", "2"])
}

@Test("rows that an expression has no value for are counted before, and stay")
func transformPartly() {
    let seat = fruits().seat(width: 90, height: 20)
    seat.press("Right", "Alt-T")
    seat.type("6 % (qty - 1)")
    seat.press("Enter", "Enter")
    #expect(seat.screen.contains("Change qty in 3 rows of 5?"))
    #expect(seat.screen.contains("1 row without a value or against a rule stay"))
    seat.press("y")
    #expect(seat.column("qty") == ["0", "1", "0", "∅", "0"])
}

@Test("T9: all rows are deleted after a yes, but those that others insert meanwhile")
func clear() {
    let stage = fruits()
    let seat = stage.seat(width: 90, height: 16)
    seat.press("Alt-Shift-Del")
    #expect(seat.screen.contains("Delete all 5 rows, for everybody?"))
    seat.press("n")
    #expect(seat.column("name").count == 5)
    seat.cut()
    seat.press("Alt-Shift-Del", "y")
    #expect(seat.column("name") == [])
    stage.remote(
        .insertRows(
            InsertRows(rowCount: 1, columns: [.name("name")], cells: [.text("lime")])))
    seat.mend()
    #expect(seat.column("name") == ["lime"])
    #expect(seat.said.contains { $0.contains("1 row of others, inserted meanwhile, stayed") })
    seat.press("Ctrl-Z")
    #expect(seat.column("name") == unsorted + ["lime"])
}

@Test("T13: truncate is offered to owners and managers alone")
func truncate() {
    let seat = fruits().seat(width: 90, height: 16)
    seat.press("Ctrl-P")
    seat.type("truncate")
    #expect(seat.screen.contains("no such command"))
    let owner = fruits().seat("ann", role: "owner", width: 90, height: 16)
    owner.press("Ctrl-P")
    owner.type("truncate")
    owner.press("Enter")
    #expect(owner.screen.contains("Rows that others insert meanwhile go too."))
    owner.press("y")
    #expect(owner.column("name") == [])
    owner.press("Ctrl-Z")
    #expect(owner.column("name") == unsorted)
}

@Test("a click on an answer below the details gives that answer")
func clickOnAnswer() throws {
    let seat = fruits().seat(width: 90, height: 20)
    seat.press("Alt-,")
    let lines = seat.screen.split(separator: "\n", omittingEmptySubsequences: false)
    let y = try #require(lines.firstIndex { $0.contains("y  sort") })
    seat.click(40, y)
    #expect(seat.column("name") == ["apple", "fig", "kiwi", "pear", "plum"])
}

@Test("a fill by somebody else is told in an open editor, like any other change of its cell")
func fillUnderEditor() {
    let stage = Stage("qty:int", rows: (0..<20).map { [String($0)] })
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("77")
    stage.remote(.transformColumn(TransformColumn(column: .name("qty"), value: "qty + 1")))
    #expect(seat.app.editor?.interference != nil)
    seat.press("Ctrl-T")
    #expect(seat.app.editor?.field.text == "1")
}
