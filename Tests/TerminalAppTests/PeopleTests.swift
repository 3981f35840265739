// What people are called who are not at the table, wherever they are spoken of.
import TableClient
import TableModel
import TableValue
import TableWire
import Testing

@testable import TerminalApp

@Test("who is not at the table is called by name, in whatever is said of what they did")
func strangersHaveNames() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    seat.press("Enter")
    seat.type("mine")
    seat.press("Enter", "Down", "Enter")
    seat.type("my pear")
    let edits = [(0, "theirs"), (1, "quince")].map {
        CellEdit(row: seat.rowID($0.0), column: .name("name"), value: .text(Text($0.1)))
    }
    stage.stranger(
        "Zoe", .setCells(edits), .renameColumn(.name("qty"), name: "count", onClash: .reject))
    #expect(seat.screen.contains("changed by Zoe: quince"), "\(seat.screen)")
    seat.press("Esc")
    #expect(seat.screen.contains("Zoe replaced your value in row 1, name: now theirs"))
    #expect(seat.said.contains("Zoe renamed column qty to count"))
    #expect(seat.said.contains { $0.hasPrefix("Zoe changed the cell, and that value stays") })
    let ids = seat.said.filter { $0.hasPrefix("u") }
    #expect(ids.isEmpty)
}

@Test("until the server has said a name, the id stands in its place")
func idsUntilNamesAreKnown() {
    let stage = fruitStage()
    let seat = stage.seat(width: 90)
    let change = Change.columnRenamed(seat.columnID(1), name: "count")
    guard let table = seat.app.table else { return }
    let record = Record(
        sequence: 99, session: .server, clientNumber: 0, user: "u77", timeMilliseconds: 0,
        changes: [change])
    seat.send(.noticed(.applied(table, record, isMine: false)))
    // Nobody is called u77, so that the id stays; and it is not asked for again.
    #expect(seat.said.last == "u77 renamed column qty to count")
    #expect(seat.app.people.namesToAskFor.isEmpty)
    #expect(seat.app.people.isKnown("u77"))
}

@Test("the server is asked for a name once, and again on the next connection where it was lost")
func namesAreAskedForOnce() {
    var people = People()
    people.user = "u1"
    for user in ["u1", "u2", "u3", "u2"] as [Text] { people.heard(of: user) }
    #expect(people.namesToAskFor == ["u2", "u3"])
    people.asked(["u2", "u3"], as: 5)
    people.heard(of: "u4")
    #expect(people.namesToAskFor.isEmpty)
    let stray = people.take(.users([]), to: 4)
    #expect(stray.isEmpty)
    let none = people.take(.error(ErrorMessage(.internalError, "lost")), to: 5)
    #expect(none.isEmpty)
    #expect(people.namesToAskFor.isEmpty)
    people.reconnected()
    #expect(people.namesToAskFor == ["u2", "u3", "u4"])
    people.asked(["u2", "u3", "u4"], as: 6)
    let known = people.take(.users([UserName(user: "u3", name: "Zoe")]), to: 6)
    #expect(known == ["u2", "u3", "u4"])
    #expect(people.name(of: "u3") == "Zoe")
    #expect(people.name(of: "u2") == "u2")
    #expect(people.name(of: .user("u1")) == "you elsewhere")
    #expect(people.namesToAskFor.isEmpty)
}
