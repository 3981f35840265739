// What the user is told: how long it stays, what it says, and what can be read again.
import TableClient
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func letters() -> Stage {
    Stage("name:text qty:int", rows: ["a", "b", "c"].map { [$0, "1"] })
}

@Test("information goes at the next key")
func talkGoes() {
    let seat = letters().seat(width: 90)
    seat.press("Ctrl-A")
    #expect(seat.screen.contains("3 rows chosen; Esc lets go"))
    seat.press("Down")
    #expect(!seat.screen.contains("Esc lets go"))
    #expect(seat.said.contains("3 rows chosen; Esc lets go"))
}

@Test("a refusal stays to be read whatever is pressed, until Esc or for some seconds")
func refusalStays() {
    let stage = letters()
    let seat = stage.seat("eve", role: "viewer", width: 90)
    let reason = "read-only: your role (viewer)"
    seat.press("Enter", "Down", "Down")
    #expect(seat.screen.contains(reason))
    seat.press("Esc")
    #expect(!seat.screen.contains(reason))
    seat.press("Enter", "Down")
    #expect(seat.screen.contains(reason))
    stage.pass(milliseconds: NoticeList.refusalLeastMilliseconds + 100)
    #expect(seat.screen.contains(reason))
    seat.press("Up")
    #expect(!seat.screen.contains(reason))
    seat.press("F8")
    #expect(seat.screen.contains(reason))
}

@Test("what others do does not push a refusal away that has just been said")
func refusalIsNotPushedAway() {
    let stage = letters()
    let seat = stage.seat(width: 90)
    seat.press("Alt-Up")
    #expect(seat.screen.contains("the first row cannot move up"))
    stage.remote(.renameColumn(.name("qty"), name: "count", onClash: .reject))
    #expect(seat.screen.contains("the first row cannot move up"))
    #expect(seat.said.last == "bob renamed column qty to count")
}

@Test("a lost value is told behind a refusal, and not before that was seen")
func warningsWait() {
    var notices = NoticeList()
    let now = ClientInstant(microseconds: 0)
    notices.warn("lost", at: now)
    notices.refuse("no", at: now)
    #expect(notices.shown?.text == "no")
    notices.keyPressed(at: now)
    #expect(notices.shown?.text == "no")
    notices.keyPressed(at: now.later(byMilliseconds: 5_000))
    #expect(notices.shown?.text == "lost")
    notices.keyPressed(at: now.later(byMilliseconds: 50_000))
    #expect(notices.shown?.text == "lost")
    let wasSeen = notices.dismiss()
    #expect(wasSeen)
    #expect(notices.shown == nil)
}

@Test("renamed and deleted columns are told by their names; who is at a cell is no message")
func namesOfColumns() {
    let stage = letters()
    let seat = stage.seat(width: 90)
    stage.remote(.renameColumn(.name("qty"), name: "count", onClash: .reject))
    stage.remote(.renameColumn(.name("count"), name: "pieces", onClash: .reject))
    stage.remote(.addColumn(AddColumn(name: "due", type: .date)))
    stage.remote(.deleteColumn(.name("due")))
    #expect(
        seat.said == [
            "bob renamed column qty to count", "bob renamed column count to pieces",
            "bob added column due", "bob deleted column due",
        ])
    stage.remoteCursor(seat.rowID(0), seat.columnID(0))
    for _ in 0..<3 { seat.press("Enter", "Esc") }
    #expect(seat.said.count == 4)
    #expect(seat.screen.contains("bob is here"))
}

@Test("a deleted row is told, by its number and what it began with; several by their numbers")
func deletionsAreTold() {
    let seat = letters().seat(width: 90)
    seat.press("Down", "Ctrl-Del")
    #expect(seat.said.last == "1 row deleted: row 2 (b)")
    #expect(seat.screen.contains("1 row deleted: row 2 (b)"))
    seat.press("Ctrl-A", "Ctrl-Del", "y")
    #expect(seat.said.last == "2 rows deleted: 1 to 2")
}

@Test("messages break between words")
func wordsAreWhole() {
    let text = "the quick brown fox jumps over the lazy dog"
    let wrapped = WrappedText(
        text, width: 12, lineCountMax: 9, rules: WidthRules(), byWords: true)
    #expect(wrapped.lines == ["the quick", "brown fox", "jumps over", "the lazy dog"])
    let long = WrappedText(
        "abcdefghijklmnop q", width: 6, lineCountMax: 9, rules: WidthRules(), byWords: true)
    #expect(long.lines == ["abcdef", "ghijkl", "mnop q"])
    let seat = letters().seat("eve", role: "viewer", width: 50)
    seat.press("Enter")
    let lines = [seat.line(10), seat.line(11)]
    #expect(lines[0].hasSuffix("allow"), "\(lines)")
}
