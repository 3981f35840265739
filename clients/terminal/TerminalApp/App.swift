// The terminal client as a value: what it shows, and how it changes. It reads no clock and does
// no I/O: events come in, actions for the shell and operations for the client core come out.
// One key's walk: App+Keys.swift (key to command), App+Commands.swift (command to change),
// App+Deeds.swift (operations to the client core), and FrameView.swift (what is drawn).
package import TableClient
import TableModel
package import TableValue
package import TableWire
package import Terminal

/// What the terminal client takes.
package enum AppEvent: Sendable {
    case input(InputEvent)
    case resized(Size)
    case noticed(ClientNotice)
    /// What time it is where the user is; told before the keys that may ask for it.
    case clock(Moment)
    /// The time that `App.deadline` named has come.
    case ticked
}

/// What the terminal client asks its shell to do.
package enum AppAction: Hashable, Sendable {
    /// Hand text to the terminal's clipboard.
    case copy(String)
    /// Write the whole screen anew.
    case redraw
    case suspend
    case quit
}

/// The terminal client: model, update and view.
package struct App {
    // MARK: What the table is

    let reference: TableReference
    var table: TableID?
    /// The table's name as the server says it; what was asked for until then.
    var title: String
    var connection = ConnectionState.connecting
    /// Why nothing can be changed; nil where it can.
    var readOnlyReason: String?
    /// Operations that the server has not decided.
    var unsentCount = 0
    /// What each of them was for; never iterated.
    var purposes: [ClientNumber: Purpose] = [:]
    /// Who made the records that came since the table was opened.
    var authors = RecordAuthors()
    /// The user's role, once the table is open.
    var role: String?
    /// Names that columns have or had, for what is told of them; never iterated.
    var columnNames: [ColumnID: String] = [:]
    var people = People()
    var flashes = Flashes()

    // MARK: What the user sees of it

    var size: Size
    var rules = WidthRules()
    var grid = GridState()
    var selection = Selection()
    var editor: CellEditor?
    /// The row that was inserted for the editor, while nothing was taken for it.
    var newRow: NewRow?
    var layer: Layer?
    var notices = NoticeList()
    var search: Search?
    /// What was copied or cut last.
    var clipboard: Clipboard?
    /// The mouse's button went down here and has not come up.
    var drag: Drag?

    // MARK: How it behaves

    var options: AppOptions
    /// The background that the terminal has told of.
    var background: Theme.Background?
    /// Keys of a sequence that is not complete.
    var keysSoFar: [KeyPress] = []
    /// The number typed in front of a command.
    var countSoFar: Int?
    var quitsWhenSent = false
    /// How many warnings there had been when the user chose to wait and quit.
    var warningCountAtQuit = 0
    /// The wait before quitting is over: what comes now is told after the screen is gone.
    var hasQuit = false
    /// The record whose deletions were warned of, until it is applied: they are not told again.
    var warnedOf: SequenceNumber?
    /// The time of the last event or frame.
    var now = ClientInstant(microseconds: 0)
    /// The time of day, as the shell told last.
    var clock: Moment?

    /// Starts with a table that is being opened.
    package init(table: TableReference, size: Size, options: AppOptions = AppOptions()) {
        reference = table
        self.size = size
        self.options = options
        switch table {
        case .id(let id): title = id.description
        case .name(let name): title = name.string
        }
        if options.isReadOnly {
            readOnlyReason = "it was opened with --read-only"
        }
    }

    /// Takes one event.
    ///
    /// Operations are given to the client core, which the app owns for the length of the call;
    /// what the core wants done is appended to `clientActions`, what the app wants done to
    /// `actions`.
    ///
    /// Complexity: that of the command; moving the cursor is logarithmic in the rows.
    package mutating func update(
        _ event: AppEvent, client: inout Client, at now: ClientInstant,
        clientActions: inout [ClientAction], into actions: inout [AppAction]
    ) {
        self.now = now
        let turn = respond(to: event, with: sheet(of: &client))
        actions += turn.actions
        carryOut(turn.deeds, client: &client, clientActions: &clientActions)
        askForNames(&client, &clientActions)
        askForHistory(&client, &clientActions)
        if let table {
            unsentCount = client.pendingCount(in: table)
            let cell = sharedCell
            client.moveCursor(
                in: table, row: cell.row, column: cell.column, isEditing: editor != nil, at: now,
                into: &clientActions)
        }
        if quitsWhenSent { quitIfSent(&actions) }
        anchorListing(&client)
    }

    /// When `ticked` is due at the latest; nil for never.
    package var deadline: ClientInstant? {
        var earliest = flashes.deadline
        func consider(_ instant: ClientInstant?) {
            guard let instant else { return }
            earliest = min(earliest ?? instant, instant)
        }
        consider(notices.deadline)
        if let search { consider(search.isRunning ? now : search.tally.deadline(now: now)) }
        switch connection {
        case .reconnecting, .unanswered: consider(now.later(byMilliseconds: 1_000))
        default: break
        }
        return earliest
    }

    /// Draws the frame as of now.
    ///
    /// Complexity: linear in what is visible, times the logarithm of the rows.
    package mutating func draw(
        into frame: inout CellBuffer, client: inout Client, at now: ClientInstant
    ) {
        self.now = now
        size = frame.size
        rules = frame.widths
        let sheet = sheet(of: &client)
        if let sheet { widenColumns(sheet) }
        let layout = arrange(sheet)
        let place = EditorPlace(of: self, in: layout)
        editor?.field.scrollToCaret(width: place.fieldWidth, rules: rules)
        FrameView(app: self, sheet: sheet, layout: layout).draw(into: &frame)
    }

    /// True once the table was opened.
    package var hasTable: Bool { table != nil }

    /// True while rows come that can be shown before all are here.
    package var isLoading: Bool { table == nil && connection == .loading }

    /// The size of the next frame.
    package var shownSize: Size { size }

    /// Tells the decoder what Esc with a key right behind it means for what is open now; to be
    /// called before each byte.
    ///
    /// In the grid, with the standard keys, it is that key with Alt. In the editor only Enter is:
    /// Alt-Enter breaks the line there, and most terminals send it so. All else are two keys: with
    /// vim's, in the editor, and in what lies over the grid.
    package func instruct(_ decoder: inout InputDecoder) {
        decoder.readsAltFromEscape = editor == nil && layer == nil && options.keys == .standard
        decoder.readsAltEnterFromEscape = editor != nil && layer == nil
    }

    // MARK: Inside

    /// The cell that others see this client at.
    private var sharedCell: (row: RowID?, column: ColumnID?) {
        if let editor { return (editor.row, editor.column.id) }
        return (grid.row, grid.column)
    }

    /// The table as it is, or what has come of it.
    func sheet(of client: inout Client) -> Sheet? {
        if let replica = table.flatMap({ client.replica(of: $0) }) {
            return Sheet(replica, hiding: grid.hidden)
        }
        guard let arrival = client.arrival(of: reference) else { return nil }
        return Sheet(
            arrival.replica, hiding: grid.hidden, announcedRowCount: arrival.announcedRowCount)
    }

    /// Changes the model, and gathers what follows from it.
    private mutating func respond(to event: AppEvent, with sheet: Sheet?) -> Turn {
        var turn = Turn(sheet: sheet)
        switch event {
        case .input(let input): take(input, &turn)
        case .resized(let size): resize(to: size, sheet)
        case .noticed(let notice): take(notice, &turn)
        case .clock(let moment): clock = moment
        case .ticked: searchOn(&turn)
        }
        flashes.expire(at: now)
        notices.expire(at: now)
        arrange(sheet?.hiding(grid.hidden))
        turn.sheet = nil
        return turn
    }

    /// Changes the size, and keeps the cursor in sight where it was.
    private mutating func resize(to size: Size, _ sheet: Sheet?) {
        let layout = GridLayout(of: self, sheet)
        // A screen without room for a row shows nothing, and forgets nothing.
        let wasVisible = layout.shows(grid) || layout.visibleRowCount == 0
        self.size = size
        drag = nil
        guard wasVisible, let sheet else { return }
        reveal(sheet)
    }

    /// Brings cursor and view in line with the table as it is, and says where everything stands.
    @discardableResult
    mutating func arrange(_ sheet: Sheet?) -> GridLayout {
        guard let sheet else { return GridLayout(of: self, nil) }
        var layout = GridLayout(of: self, sheet)
        let isRearranged = grid.follow(
            sheet, visibleRows: layout.visibleRowCount, frozen: layout.frozenCount)
        selection.check(sheet)
        if let now = editor.flatMap({ sheet.column($0.column.id) }) { editor?.follow(now) }
        search?.tally.check(sheet)
        layout = GridLayout(of: self, sheet)
        if isRearranged, grid.showsColumn { revealColumn(sheet, layout) }
        fillColumns(sheet, layout)
        measureVisibleColumns(sheet)
        layout = GridLayout(of: self, sheet)
        grid.showsColumn = layout.column(at: grid.columnPosition) != nil
        return layout
    }

    /// Scrolls as little as it takes to see the cursor.
    mutating func reveal(_ sheet: Sheet) {
        let layout = GridLayout(of: self, sheet)
        if layout.visibleRowCount > 0 { grid.revealRow(visibleRows: layout.visibleRowCount) }
        revealColumn(sheet, layout)
    }

    private mutating func revealColumn(_ sheet: Sheet, _ layout: GridLayout) {
        guard !layout.isCompact else { return }
        var grid = grid
        grid.revealColumn(
            sheet, from: layout.frozenCount, widthMax: size.width - layout.scrollingX
        ) { widths(of: $0, sheet) }
        self.grid = grid
    }

    private mutating func fillColumns(_ sheet: Sheet, _ layout: GridLayout) {
        // An edge that is dragged stays under the mouse.
        if case .edge = drag { return }
        guard !layout.isCompact else { return }
        var grid = grid
        grid.fillColumns(
            sheet, from: layout.frozenCount, widthMax: size.width - layout.scrollingX
        ) { widths(of: $0, sheet) }
        self.grid = grid
    }
}
