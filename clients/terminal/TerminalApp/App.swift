// The terminal client as a value: what it shows, and how it changes. It reads no clock and does
// no I/O: events come in, actions for the shell and operations for the client core come out.
package import TableClient
package import TableWire
package import Terminal

/// What the terminal client takes.
package enum AppEvent: Sendable {
    case input(InputEvent)
    case resized(Size)
    case noticed(ClientNotice)
    /// The time that `App.deadline` named has come.
    case ticked
}

/// What the terminal client asks its shell to do.
package enum AppAction: Hashable, Sendable {
    /// Hand text to the terminal's clipboard.
    case copy(String)
    case suspend
    case quit
}

/// The terminal client: model, update and view.
package struct App {
    /// Starts with a table that is being opened.
    package init(table: TableReference, size: Size) {}

    /// Takes one event.
    package mutating func update(
        _ event: AppEvent, client: inout Client, at now: ClientInstant,
        clientActions: inout [ClientAction], into actions: inout [AppAction]
    ) {}

    /// When `ticked` is due at the latest; nil for never.
    package var deadline: ClientInstant? { nil }

    /// Draws the frame as of now.
    package mutating func draw(
        into frame: inout CellBuffer, client: inout Client, at now: ClientInstant
    ) {}
}
