// The terminal client as a value: events in, actions and frames out.
import TableValue
import TableWire
import Terminal
import TerminalApp
import Testing

@Test("nothing is due before anything came")
func startsIdle() {
    #expect(App(table: .name("stock"), size: Size(width: 80, height: 24)).deadline == nil)
}
