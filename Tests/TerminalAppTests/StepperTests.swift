// Stepping dates, times and numbers in the editor, and what is said where a text is none of them.
import TableModel
import TableValue
import Terminal
import Testing

@testable import TerminalApp

private func stage() -> Stage {
    Stage(
        "due:date at:datetime n:int x:double",
        rows: [["∅", "∅", "∅", "∅"], ["2026-12-31", "2026-12-31T23:30:00+01:00", "9", "1.5"]])
}

/// 2026-11-30T23:30:40Z, where it is half past midnight of the next day.
private let clock = Moment(
    microsecondsSinceEpoch: 1_796_081_440_000_000, offsetMinutes: 60)

@Test("FT18: without a value, stepping starts at today, at this minute, and at 0")
func stepsFromNull() {
    let seat = stage().seat(width: 100)
    seat.press("Enter", "Up")
    #expect(seat.app.editor?.problem?.contains("2026-11-30") == true, "no clock was told yet")
    seat.send(.clock(clock))
    for (key, text) in [
        ("Up", "2026-12-01"), ("Up", "2026-12-02"), ("PgUp", "2026-12-09"), ("Down", "2026-12-08"),
    ] {
        seat.press(key)
        #expect(seat.app.editor?.field.text == text)
    }
    #expect(seat.app.editor?.problem == nil)
    seat.press("Tab", "Down")
    #expect(seat.app.editor?.field.text == "2026-12-01T00:30:00+01:00")
    seat.press("Tab", "Down")
    #expect(seat.app.editor?.field.text == "0")
    seat.press("Down", "PgDn")
    #expect(seat.app.editor?.field.text == "-11")
    seat.press("Tab", "Up", "Up", "Enter")
    #expect(seat.column("due")[0] == "2026-12-08")
    #expect(seat.column("n")[0] == "-11")
    #expect(seat.column("x")[0] == "1")
}

@Test("FT18: dates, times and numbers step from what they are, and not beyond what there is")
func stepsFromValues() {
    let seat = stage().seat(width: 100)
    seat.press("Down", "Enter", "Up")
    #expect(seat.app.editor?.field.text == "2027-01-01")
    seat.press("Tab", "Up")
    #expect(seat.app.editor?.field.text == "2027-01-01T23:30:00+01:00")
    seat.press("Tab", "PgUp")
    #expect(seat.app.editor?.field.text == "19")
    seat.type("9223372036854775807")
    seat.press("Up")
    #expect(seat.app.editor?.problem?.contains("any further") == true)
    seat.press("Ctrl-U")
    seat.type("5")
    seat.press("Tab", "Down")
    #expect(seat.app.editor?.field.text == "0.5")
    seat.press("Esc")
    #expect(seat.column("n")[1] == "5")
}

@Test(
    "FT18: what is no value is refused with the form that is wanted, and an example",
    arguments: [
        ("due", "30.11.2026", "a date is written like 2026-11-30"),
        ("due", "2026-02-30", "there is no such day; a date is written like 2026-11-30"),
        ("at", "noon", "a datetime is written like 2026-11-30T08:00:00Z or"),
        ("n", "1.5", "an int is a whole number like 42 or -7"),
        ("n", "9223372036854775808", "an int lies between -9,223,372,036,854,775,808 and"),
        ("x", "a", "a double is a number like -1.5 or 2e10"),
    ])
func wantedForms(column: String, text: String, words: String) {
    let seat = stage().seat(width: 120)
    seat.press("Alt-G")
    seat.type(column)
    seat.press("Enter", "Enter")
    seat.type(text)
    seat.press("Enter")
    #expect(seat.app.editor?.problem?.hasPrefix(words) == true)
    #expect(seat.screen.contains("not taken: \(words)"))
}

@Test("a text that does not fit is refused with the reason also where its row was deleted")
func refusedOnDeletedRow() {
    let stage = stage()
    let seat = stage.seat(width: 100)
    seat.press("Right", "Right", "Enter")
    seat.type("many")
    stage.remote(.deleteRows([seat.rowID(0)]))
    seat.press("Enter")
    #expect(seat.screen.contains("n: many"))
    #expect(seat.screen.contains("not taken: an int is a whole number"))
    #expect(seat.screen.contains("row deleted by bob"))
    seat.resize(100, 6)
    #expect(seat.screen.contains("not taken: an int is a whole number"))
}

@Test("a decimal steps by one and keeps its digits")
func stepsDecimals() {
    let seat = Stage("price:decimal", rows: [["∅"], ["1.50"]]).seat(width: 100)
    seat.press("Enter", "Up", "Up", "Enter", "Down", "Enter", "Down", "Enter")
    #expect(seat.column("price") == ["1", "0.50"])
}

@Test("a value too large for a cell stays in the editor also where it is no text")
func tooLarge() {
    let stage = Stage("note:text more:json", rows: [["a", "1"]])
    let seat = stage.seat(width: 120)
    seat.press("Enter")
    seat.paste(String(repeating: "x", count: 262_145))
    seat.press("Enter")
    #expect(seat.app.editor?.problem?.contains("262144 bytes") == true)
    seat.press("Esc", "Right", "Enter")
    seat.paste("\"" + String(repeating: "x", count: 262_143) + "\"")
    seat.press("Enter")
    #expect(seat.app.editor?.problem?.contains("262144 bytes") == true)
    #expect(seat.column("more") == ["1"])
}
