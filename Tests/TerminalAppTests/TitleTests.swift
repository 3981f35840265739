// The first line at every width: whether anything can be changed, where the connection stands and
// how much is not confirmed are never cut off.
import TableModel
import TableValue
import TableWire
import Terminal
import Testing

@testable import TerminalApp

@Test("FT24: the first line keeps connection, unsent count and read-only at every width")
func narrowTitle() {
    let stage = Stage("name:text", rows: [["a"], ["b"], ["c"]])
    let seat = stage.seat(width: 80)
    seat.cut()
    seat.press("Del", "Down", "Del")
    let viewer = stage.seat("eve", role: "viewer", width: 80)
    for width in (7...80).reversed() {
        seat.resize(width, 12)
        viewer.resize(width, 12)
        let line = seat.line(0)
        #expect(line.contains("◌"), "\(width): \(line)")
        #expect(line.contains("2"), "\(width): \(line)")
        #expect(width < 24 || line.contains("2 queued"), "\(width): \(line)")
        #expect(width < 24 || line.contains("offline"), "\(width): \(line)")
        let other = viewer.line(0)
        #expect(other.contains("●"), "\(width): \(other)")
        #expect(width < 12 ? other.contains("ro") : other.contains("read-only"), "\(other)")
        #expect(width < 17 || other.contains("live"), "\(width): \(other)")
        #expect(width < 36 || other.contains("stock"), "\(width): \(other)")
    }
    for width in 1...6 {
        seat.resize(width, 3)
        #expect(seat.line(0).contains("◌"))
    }
}

@Test("FT24: a long name of a table gives way to what everybody must see")
func longName() {
    let stage = Stage("name:text", rows: [["a"]])
    let seat = stage.seat(role: "viewer", width: 50)
    seat.app.title = String(repeating: "long ", count: 30)
    for width in [20, 30, 40, 50, 59, 60, 61, 80] {
        seat.resize(width, 12)
        #expect(seat.line(0).contains("● live"), "\(width)")
        #expect(seat.line(0).contains("read-only"), "\(width)")
    }
}

@Test("S17: the first line names a table as it is called now")
func renamedTitle() {
    let stage = Stage("name:text", rows: [["a"]])
    let seat = stage.seat(width: 60)
    #expect(seat.line(0).contains("stock"))
    stage.ask(.renameTable(.name("stock"), name: "parts", onClash: .reject))
    #expect(seat.line(0).contains("parts") && !seat.line(0).contains("stock"))
    seat.press("Enter")
    seat.type("b")
    seat.press("Enter")
    #expect(seat.line(0).contains("live"))
}

@Test("S18: who has a dropped table on the screen is told, and can still read it")
func droppedTable() {
    let stage = Stage("name:text", rows: [["apple"]])
    let seat = stage.seat(width: 90)
    stage.ask(.dropTable(.name("stock")))
    #expect(seat.screen.contains("the table was deleted"))
    #expect(seat.screen.contains("apple"))
}

@Test("FT24: whatever lies over the grid leaves the first line and what is said in sight")
func titleOverLayers() {
    let stage = Stage("name:text", rows: [["a"], ["b"]])
    for height in [8, 12, 24] {
        let seat = stage.seat(role: "owner", width: 80, height: height)
        for key in ["F1", "F4", "F6", "F8", "F10", "Ctrl-P", "Ctrl-F", "Alt-L", "Alt-U", "Alt-K"] {
            seat.press("Esc", "Esc", key)
            #expect(seat.line(0).contains("● live"), "\(key) at \(height)")
        }
        seat.press("Esc", "F4")
        seat.paste("no")
        #expect(seat.line(height - 1).contains("close this first"), "\(height)")
    }
}
