// Somebody with a terminal: the app, the client core below it, and the line to the server, which
// a test can cut. Keys are written as people write them: press("Ctrl-G"), press("dd").
import TableClient
import TableModel
import TableServer
import TableValue
import TableWire
import Terminal
import TestSupport
import Testing

@testable import TerminalApp

/// Somebody with a terminal.
final class Seat {
    /// How the terminal is set up.
    struct Setup {
        var width: Int
        var height: Int
        var options = AppOptions()

        init(width: Int, height: Int) {
            self.width = width
            self.height = height
            options.theme = .none
        }
    }

    var app: App
    var client: Client
    private let stage: Stage
    private var connection: ConnectionID?
    private var isCut = false
    /// The line takes bytes and delivers none, as long as that is true.
    var isSwallowing = false
    private var wantsConnection = false
    private var toServer: [UInt8] = []
    /// Bytes that come in at once at most; the rest waits.
    var receivedMax = Int.max
    private var held: [UInt8] = []
    private var clientActions: [ClientAction] = []
    /// What the app asked its shell for.
    private(set) var actions: [AppAction] = []
    private(set) var noticeCount = 0

    init(at stage: Stage, token: Text, _ setup: Setup) {
        self.stage = stage
        let reference = TableReference.name("stock")
        app = App(
            table: reference, size: Size(width: setup.width, height: setup.height),
            options: setup.options)
        client = Client(
            configuration: ClientConfiguration(
                credential: .token(token), random: SeededRandom(seed: 7)))
        client.start(at: now, into: &clientActions)
        var request = OpenRequest(table: reference)
        request.write = !setup.options.isReadOnly
        client.open(request, at: now, into: &clientActions)
        carryOut()
    }

    var now: ClientInstant { ClientInstant(microseconds: stage.now.instant.microseconds) }

    // MARK: The user

    /// Presses keys, each argument one key or a sequence like `dd`.
    func press(_ keys: String...) {
        for text in keys {
            guard let presses = KeyMap.keys(in: text) else {
                Issue.record("no such key: \(text)")
                return
            }
            for press in presses { send(.input(.key(press))) }
        }
    }

    /// Has a command done by its name in the palette.
    func run(_ command: AppCommand) {
        press("Ctrl-P")
        type(command.name)
        press("Enter")
    }

    /// Types text, letter after letter.
    func type(_ text: String) {
        for scalar in text.unicodeScalars {
            send(.input(.key(KeyPress(.character(scalar)))))
        }
    }

    func paste(_ text: String, isCut: Bool = false) {
        send(.input(.pasted(Array(text.utf8), isCut: isCut)))
    }

    func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int, _ modifiers: Modifiers = []) {
        send(.input(.mouse(MouseEvent(kind, at: Point(x: x, y: y), modifiers))))
    }

    func click(_ x: Int, _ y: Int, _ button: MouseEvent.Button = .left) {
        mouse(.pressed(button), x, y)
        mouse(.released, x, y)
    }

    func resize(_ width: Int, _ height: Int) {
        send(.resized(Size(width: width, height: height)))
    }

    /// Gives the app an event, and lets everything come of it.
    func send(_ event: AppEvent) {
        update(event)
        carryOut()
        stage.settle()
    }

    // MARK: What is seen

    var frame: CellBuffer {
        var frame = CellBuffer(size: app.size)
        app.draw(into: &frame, client: &client, at: now)
        return frame
    }

    /// The screen's text.
    var screen: String { frame.text }

    func line(_ y: Int) -> String {
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.contains(y) ? String(lines[y]) : ""
    }

    /// The table as this client sees it.
    var sheet: Sheet? {
        app.table.flatMap { client.replica(of: $0) }.map { Sheet($0, hiding: app.grid.hidden) }
    }

    /// The texts of a column, from the first row on.
    func column(_ name: String) -> [String] {
        guard let sheet, let column = sheet.columns.first(where: { $0.name.string == name }) else {
            return []
        }
        return (0..<sheet.rowCount).map { position in
            guard let row = sheet.row(at: position) else { return "?" }
            let value = sheet.value(row, column.id)
            return value.isNull ? "∅" : value.canonicalText
        }
    }

    func rowID(_ position: Int) -> RowID {
        sheet?.row(at: position) ?? RowID(session: .server, counter: 0)
    }

    func columnID(_ position: Int) -> ColumnID {
        sheet?.column(at: position)?.id ?? ColumnID(session: .server, counter: 0)
    }

    /// The last record that was applied.
    var head: SequenceNumber {
        app.table.flatMap { client.replica(of: $0) }?.confirmed.head ?? 0
    }

    /// How many records the open list of history has.
    var historyCount: Int? {
        if case .history(let list) = app.layer { list.entries.count } else { nil }
    }

    /// Everything the user was told, the newest last.
    var said: [String] { app.notices.all.map(\.text) }

    func takeActions() -> [AppAction] {
        defer { actions = [] }
        return actions
    }

    // MARK: The line

    /// The network is gone.
    func cut() {
        isCut = true
        guard let connection else { return }
        stage.close(connection)
        self.connection = nil
        toServer = []
        held = []
        client.disconnected(reason: "reset", at: now, into: &clientActions)
        carryOut()
    }

    /// The network is back; the client finds out by itself.
    func mend() {
        isCut = false
        stage.pass(milliseconds: 35_000)
    }

    /// Delivers what is under way; false where nothing was.
    func exchange() -> Bool {
        if wantsConnection {
            wantsConnection = false
            if isCut {
                client.disconnected(reason: "no network", at: now, into: &clientActions)
            } else {
                connection = stage.connect()
                client.connected(at: now, into: &clientActions)
            }
            carryOut()
            return true
        }
        guard let connection, !isSwallowing else { return false }
        let sent = toServer
        toServer = []
        if !sent.isEmpty { stage.deliver(sent, from: connection) }
        held += stage.takeOutput(for: connection)
        let received = Array(held.prefix(receivedMax))
        held.removeFirst(received.count)
        if !received.isEmpty {
            unsafe client.received(received.span.bytes, at: now, into: &clientActions)
            carryOut()
        }
        return !sent.isEmpty || !received.isEmpty
    }

    /// The clock has moved on.
    func tick() {
        if let deadline = client.deadline, deadline <= now {
            client.tick(at: now, into: &clientActions)
        }
        if let deadline = app.deadline, deadline <= now { update(.ticked) }
        carryOut()
    }

    // MARK: Inside

    private func update(_ event: AppEvent) {
        app.update(
            event, client: &client, at: now, clientActions: &clientActions, into: &actions)
    }

    private func carryOut() {
        while !clientActions.isEmpty {
            let due = clientActions
            clientActions = []
            for action in due {
                switch action {
                case .connect: wantsConnection = true
                case .send(let bytes): toServer += bytes
                case .disconnect:
                    if let connection { stage.close(connection) }
                    connection = nil
                case .notify(let notice):
                    noticeCount += 1
                    update(.noticed(notice))
                }
            }
        }
    }
}
