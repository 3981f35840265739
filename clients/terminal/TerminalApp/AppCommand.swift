// Every command of the terminal client, once: its name, its keys in both sets, and what it does
// in a line. The palette, the help page, the menu and the guide are all made from this list.

/// Something that the user can have done.
enum AppCommand: String, CaseIterable, Sendable {
    case up, down, left, right
    case firstColumn = "first column"
    case lastColumn = "last column"
    case firstCell = "first cell"
    case firstRow = "first row"
    case lastRow = "last row"
    case pageUp = "page up"
    case pageDown = "page down"
    case halfPageUp = "half a page up"
    case halfPageDown = "half a page down"
    case nextCell = "next cell"
    case previousCell = "previous cell"
    case toMiddle = "scroll cursor to middle"
    case toTop = "scroll cursor to top"
    case toBottom = "scroll cursor to bottom"
    case goToRow = "go to row"
    case goToColumn = "go to column"
    case find
    case findNext = "find next"
    case findPrevious = "find previous"
    case findThis = "find this value"
    case edit = "edit cell"
    case editEnd = "edit cell at its end"
    case editEmpty = "edit cell from nothing"
    case makeNull = "make null"
    case copy
    case copyRows = "copy rows"
    case copyRowID = "copy row id"
    case cut
    case paste
    case transform = "set column by expression"
    case undo
    case redo
    case putBack = "put back what was lost"
    case insertBelow = "insert row below"
    case insertAbove = "insert row above"
    case duplicate = "duplicate rows"
    case delete = "delete rows"
    case moveUp = "move rows up"
    case moveDown = "move rows down"
    case moveHere = "move chosen rows here"
    case sort = "sort rows"
    case sortUp = "sort by column"
    case sortDown = "sort by column downwards"
    case clear = "delete all rows"
    case truncate = "truncate table"
    case appendTable = "append another table"
    case claimRow = "claim next row"
    case restoreTable = "restore table"
    case select = "choose row"
    case selectRange = "choose range of rows"
    case selectAll = "choose all rows"
    case selectBlock = "choose block of cells"
    case selectColumn = "choose column"
    case extendUp = "extend block up"
    case extendDown = "extend block down"
    case extendLeft = "extend block left"
    case extendRight = "extend block right"
    case addColumnAfter = "add column after"
    case addColumnBefore = "add column before"
    case renameColumn = "rename column"
    case deleteColumn = "delete column"
    case retypeColumn = "change type of column"
    case duplicateColumn = "duplicate column"
    case moveColumnLeft = "move column left"
    case moveColumnRight = "move column right"
    case narrower = "make column narrower"
    case wider = "make column wider"
    case fit = "fit column to content"
    case fitAll = "fit all columns to content"
    case freeze = "freeze columns"
    case hideColumn = "hide column"
    case showColumns = "list columns"
    case showAllColumns = "show all columns"
    case showCell = "show whole cell"
    case showRow = "show row as form"
    case showHistory = "show history"
    case comment = "comment on cell"
    case showComments = "show comments"
    case showPeople = "show who is here"
    case showMessages = "show messages"
    case palette = "command palette"
    case menu
    case columnMenu = "column menu"
    case help
    case changeColors = "change colours"
    case changeKeys = "change keys"
    case redraw = "redraw screen"
    case cancel
    case suspend
    case quit

    /// The name in the palette and in help.
    var name: String { rawValue }

    /// True for commands that change the table.
    var isEdit: Bool { entry.group == .editing || entry.group == .rows || entry.isColumnEdit }

    /// All about it.
    var entry: CommandEntry { CommandEntry.of[self] ?? CommandEntry(self, .program, "") }
}

/// What belongs together in help.
enum CommandGroup: String, CaseIterable, Sendable {
    case moving = "Moving"
    case finding = "Finding"
    case editing = "Editing"
    case rows = "Rows"
    case choosing = "Choosing"
    case columns = "Columns"
    case looking = "Looking"
    case program = "Program"
}

/// One command with its keys.
struct CommandEntry: Sendable {
    let command: AppCommand
    let group: CommandGroup
    /// A line for help, without a full stop.
    let help: String
    /// As people write keys: `Ctrl-G`, `Alt-Up`, `dd`.
    let standardKeys: [String]
    let vimKeys: [String]
    let isColumnEdit: Bool

    init(
        _ command: AppCommand, _ group: CommandGroup, _ help: String, _ keys: [String] = [],
        vim: [String] = [], isColumnEdit: Bool = false
    ) {
        self.command = command
        self.group = group
        self.help = help
        standardKeys = keys
        // What can be pressed in the standard set can be pressed in the other too, but for
        // keys that mean something else there.
        vimKeys =
            vim
            + keys.filter {
                !CommandEntry.vimUsesOtherwise.contains($0) && !CommandEntry.isAltLetter($0)
            }
        self.isColumnEdit = isColumnEdit
    }

    /// The keys in a set.
    func keys(in preset: KeyPreset) -> [String] {
        preset == .vim ? vimKeys : standardKeys
    }

    /// True for `Alt-G` and the like: where Esc is pressed as often as in vim's set, Esc and a
    /// letter right behind it must be these two keys.
    private static func isAltLetter(_ key: String) -> Bool {
        key.hasPrefix("Alt-") && key.count == 5
    }

    private static let vimUsesOtherwise: Set<String> = [
        "Ctrl-C", "Ctrl-D", "Ctrl-F", "Ctrl-V", "Ctrl-X", "Ctrl-Z",
    ]

    static let of: [AppCommand: CommandEntry] = Dictionary(
        all.map { ($0.command, $0) }, uniquingKeysWith: { first, _ in first })
}
