// The editor where it meets what it does not rule: the terminal's bytes, what was copied as a
// block, and records of others that do several things at once or take something back.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

/// Bytes from the terminal, one by one as the shell takes them; the time for more runs out where
/// `isPatient` is false.
private func receive(
    _ bytes: String, _ seat: Seat, _ decoder: inout InputDecoder, isPatient: Bool = true
) {
    var events: [InputEvent] = []
    for byte in bytes.utf8 {
        seat.app.instruct(&decoder)
        decoder.take(CollectionOfOne(byte), into: &events)
        for event in events { seat.send(.input(event)) }
        events = []
    }
    if !isPatient { decoder.timedOut(into: &events) }
    for event in events { seat.send(.input(event)) }
}

@Test("Alt-Enter as terminals send it breaks the line in the editor", arguments: KeyPreset.allCases)
func altEnterBytes(keys: KeyPreset) {
    let seat = fruitStage().seat { $0.options.keys = keys }
    var decoder = InputDecoder()
    receive(keys == .vim ? "i" : "\r", seat, &decoder)
    seat.app.editor?.field.set("")
    receive("a\u{1B}\rb", seat, &decoder)
    #expect(seat.app.editor?.field.text == "a\nb")
    receive("\r", seat, &decoder)
    #expect(seat.column("name")[0] == "a\nb")
    // An Esc with a letter behind it, and one that is left alone, are still Esc.
    for (bytes, isPatient) in [("\u{1B}j", true), ("\u{1B}", false)] {
        seat.press("Home", keys == .vim ? "i" : "Enter")
        #expect(seat.app.editor != nil)
        receive(bytes, seat, &decoder, isPatient: isPatient)
        #expect(seat.app.editor?.field.text != "a\nb")
        #expect(seat.column("name")[0] == "a\nb")
        seat.press("Esc")
    }
}

@Test("Alt-Enter where there is one line says so, with the right article")
func altEnterInOneLine() {
    let seat = fruitStage().seat(width: 90)
    var decoder = InputDecoder()
    seat.press("Right")
    receive("\r8\u{1B}\r", seat, &decoder)
    #expect(seat.app.editor?.field.text == "8")
    #expect(seat.screen.contains("an int has one line; Enter takes it"))
}

@Test("FT19: one record renames the column and changes the cell under edit: the conflict is shown")
func renamedAndChanged() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    stage.remote(
        .renameColumn(.id(seat.columnID(0)), name: "title", onClash: .reject),
        .setCells([
            CellEdit(row: seat.rowID(0), column: .id(seat.columnID(0)), value: .text("theirs"))
        ]))
    #expect(seat.screen.contains("changed by bob: theirs"), "\(seat.screen)")
    #expect(seat.app.editor?.field.text == "mine")
}

@Test("FT19: a deleted column that comes back takes the text that was typed")
func columnComesBack() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("quince")
    stage.remote(.deleteColumn(.name("name")))
    seat.press("Enter")
    #expect(seat.app.editor?.problem?.hasPrefix("the column is gone") == true)
    stage.remote(.undo(UndoRequest(.last(ofUser: true))))
    #expect(seat.app.editor?.interference == nil)
    #expect(seat.app.editor?.problem == nil)
    seat.press("Enter")
    #expect(seat.app.editor == nil)
    #expect(seat.column("name") == ["quince", "pear", "fig"])
}

@Test("Ctrl-V of a copied block into a cell of one line takes its first line")
func blockIntoOneLine() {
    let seat = fruitStage().seat()
    seat.press("Right", "Shift-Down", "Ctrl-C")
    #expect(seat.app.clipboard?.text.contains("\n") == true)
    seat.press("Esc", "Ctrl-End", "Enter", "Ctrl-V")
    #expect(seat.app.editor?.field.text == "12")
    seat.press("Enter")
    #expect(seat.column("qty")[2] == "12")
}

@Test("the chosen message stays chosen when another comes in above it")
func chosenMessageStays() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.press("Enter")
    let name = seat.columnID(0)
    stage.remote(
        .setCells([CellEdit(row: seat.rowID(0), column: .id(name), value: .text("theirs"))]))
    seat.press("F8")
    for number in 1...3 {
        stage.remote(
            .renameColumn(
                .name(Text(number == 1 ? "qty" : "q\(number - 1)")),
                name: Text("q\(number)"), onClash: .reject))
    }
    #expect(seat.said.last == "bob renamed column q2 to q3")
    seat.press("Enter")
    #expect(seat.app.editor?.field.text == "mine")
}

@Test("the chosen column and the chosen person stay chosen when others come before them")
func chosenColumnStays() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.app.layer = .columns(Listing())
    seat.press("Down")
    stage.remote(.addColumn(AddColumn(name: "first", type: .text, anchor: .first)))
    seat.press("Enter")
    #expect(seat.sheet?.column(at: seat.app.grid.columnPosition)?.name == "qty")
    // Whoever was chosen leaves: the choice stays on a line that is there.
    var list = Listing(chosen: 2)
    list.settle(on: [.person(4), .person(6), .person(9)])
    list.settle(on: [.person(2), .person(4), .person(6), .person(9)])
    #expect(list.chosen == 3)
    list.settle(on: [.person(4), .person(6)])
    #expect(list.chosen == 1)
    list.settle(on: [.person(1), .person(4), .person(6)])
    #expect(list.chosen == 2)
    list.settle(on: [])
    #expect(list.chosen == 2)
}
