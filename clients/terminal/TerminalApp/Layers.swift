// What may lie over the grid, one at a time: a prompt, a question, the palette, a menu, a list,
// a pane. Plain values; keys reach them in App+Layers.swift.
import TableClient
import TableModel
import TableValue

/// What lies over the grid.
enum Layer: Hashable, Sendable {
    case prompt(Prompt)
    case question(Question)
    case palette(Palette)
    case menu(Menu)
    case help(scroll: Int)
    case messages(Listing)
    case people(Listing)
    case columns(Listing)
    case history(HistoryList)
    case comments(CommentList)
    case paste(PastePreview)
    case pane(Pane)
}

/// A line that is asked for.
struct Prompt: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case row, column, find
        /// The column after that one (nil for first), of the type chosen.
        case addColumn(after: ColumnID?, type: ColumnType)
        case renameColumn(Column)
        /// What the column shall hold.
        case retype(Column)
        /// A table whose rows are appended.
        case appendTable
        /// The moment that the table shall go back to.
        case restore
        /// Which rows may be claimed, then what is set in the one that is.
        case claim(condition: String?)
        /// What is said of a row or a cell, or answered to a comment.
        case comment(RowID, Column?, CommentID?)
        /// What a comment shall say.
        case editComment(CommentID)
        /// Columns to sort by.
        case sort
        /// What a column is set to, then for which rows.
        case transform(Column, value: String?)
        /// A cell of a new row.
        case newRow(RowDraft)
    }

    var kind: Kind
    var field = TextField()
    /// Why what was typed cannot be taken.
    var problem: String?

    var label: String {
        switch kind {
        case .row: "go to row"
        case .column: "go to column"
        case .find: "find"
        case .addColumn: "new \(newColumn?.type.sign ?? "") column"
        case .renameColumn(let column): "rename \(column.name) to"
        case .retype(let column): "make \(column.name)"
        case .appendTable: "append the rows of table"
        case .restore: "make the table what it was"
        case .claim(nil): "claim the next row where"
        case .claim: "and set in it"
        case .comment(_, let column?, nil): "comment on \(column.name)"
        case .comment(_, _, nil): "comment on the row"
        case .comment: "answer"
        case .editComment: "change the comment"
        case .sort: "sort by"
        case .transform(let column, nil): "set \(column.name) to"
        case .transform(let column, _): "set \(column.name) in the rows where"
        case .newRow(let draft): draft.label
        }
    }

    /// The column that is described so far; nil in other prompts.
    ///
    /// Brackets tell the choices of a choice column. In a text column they make it one where they
    /// hold several, since nothing else is written like that; elsewhere they are part of a name.
    var newColumn: (name: Text, type: ColumnType, rules: ColumnRules)? {
        guard case .addColumn(_, let type) = kind else { return nil }
        let written = ChoiceWord(field.text)
        let choices = written.choices ?? []
        guard type == .choice || (type == .text && choices.count > 1) else {
            return (Text(field.text), type, ColumnRules())
        }
        return (written.word, .choice, ColumnRules(choices: choices))
    }

    var hint: String {
        switch kind {
        case .row: "a number, a row id, $ for the last · Enter goes · Esc closes"
        case .column: "a name or its beginning · Enter goes · Esc closes"
        case .find: "Enter finds · F3 next, Shift-F3 previous · Esc closes"
        case .addColumn(_, .choice): "like state(open|done) · Tab changes the type · Enter adds"
        case .addColumn: "a name, or name(a|b) for choices · Tab changes the type · Enter adds"
        case .renameColumn: "Enter renames for everybody · Esc closes"
        case .retype: "int, decimal, text, choice(open|done) … · Enter shows what changes"
        case .appendTable: "a table of this server · columns go by their names · Enter appends"
        case .restore: "a record's number, or a time like 2026-11-30T08:00:00Z · Enter asks"
        case .claim(nil): "like state = 'open'; nothing: where the cells that are set are empty"
        case .claim: "like state=taken, who=ann · Enter takes the row"
        case .comment, .editComment: "Enter says it to everybody · Esc closes"
        case .sort: "like name, -qty: with - the largest first · Enter shows how many rows"
        case .transform(_, nil): "like qty + 1 or upper(name) · Enter goes on · Esc closes"
        case .transform: "like qty > 3; nothing for all rows · Enter shows what changes"
        case .newRow(let draft): draft.hint
        }
    }
}

/// A question with answers of one key each; Esc and the answer that does nothing are always
/// there.
struct Question: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case deleteRows([RowID])
        case deleteColumn(Column)
        /// A text that is none of the column's choices.
        case addChoice(Text, Column)
        case quit(unsent: Int, isEditing: Bool)
        case whole(WholePlan)
    }

    let kind: Kind

    var text: String {
        switch kind {
        case .deleteRows(let rows): "Delete \(counted(rows.count, "row")) for everybody?"
        case .deleteColumn(let column):
            "Delete column \(column.name) with all its values, for everybody?"
        case .addChoice(let text, let column):
            "\(text.string.prefix(24)) is none of the choices of \(column.name)."
        case .quit(0, _): "The text in the editor is not committed."
        case .quit(let unsent, let isEditing):
            "\(counted(unsent, "change")) \(unsent == 1 ? "is" : "are") not confirmed yet"
                + (isEditing ? ", the text in the editor not committed." : ".")
        case .whole(let plan): plan.question
        }
    }

    /// Lines below the text.
    var details: [String] {
        if case .whole(let plan) = kind { plan.details } else { [] }
    }

    var answers: [(key: Unicode.Scalar, text: String)] {
        switch kind {
        case .deleteRows, .deleteColumn: [("y", "delete"), ("n", "keep")]
        case .whole(let plan): [("y", plan.yes), ("n", plan.no)]
        case .addChoice: [("y", "add it for everybody, and take it"), ("n", "back to the cell")]
        case .quit(0, _):
            [("w", "take it, then quit"), ("q", "quit without it"), ("n", "stay")]
        case .quit(_, true):
            [
                ("w", "take the text, wait, then quit"), ("q", "quit and lose all that"),
                ("n", "stay"),
            ]
        case .quit(_, false):
            [("w", "wait, then quit"), ("q", "quit and lose them"), ("n", "stay")]
        }
    }
}

/// The command palette.
struct Palette: Hashable, Sendable {
    var field = TextField()
    var chosen = 0

    /// What can be done by what was typed: a row's number, commands, columns.
    enum Choice: Hashable, Sendable {
        case command(AppCommand)
        case row(Int)
        case column(Column)
    }

    /// What fits the text, the best first, of the commands that are offered.
    ///
    /// Complexity: linear in commands and columns.
    func choices(
        _ columns: [Column], offering isOffered: (AppCommand) -> Bool = { _ in true }
    ) -> [Choice] {
        let wanted = field.text.lowercased().split(separator: " ").joined(separator: " ")
        if let number = Int(wanted) { return [.row(number)] }
        let commands = AppCommand.allCases.filter { $0 != .palette && isOffered($0) }
        let aliases: [String: AppCommand] = ["q": .quit, "q!": .quit, "wq": .quit]
        var found: [Choice] = []
        if let command = aliases[wanted] { found.append(.command(command)) }
        found += commands.filter { $0.name.hasPrefix(wanted) }.map(Choice.command)
        found += commands.filter {
            !$0.name.hasPrefix(wanted) && $0.name.contains(wanted)
        }.map(Choice.command)
        guard !wanted.isEmpty else { return found }
        found += commands.filter {
            !$0.name.contains(wanted) && Palette.isWithin(wanted, $0.name)
        }.map(Choice.command)
        found += columns.filter { $0.name.string.lowercased().hasPrefix(wanted) }.prefix(20)
            .map(Choice.column)
        return found
    }

    /// True where all letters come in that order.
    private static func isWithin(_ letters: String, _ name: String) -> Bool {
        var rest = name[...]
        for letter in letters {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
        }
        return true
    }
}

/// A menu of commands at a place of the screen.
struct Menu: Hashable, Sendable {
    let commands: [AppCommand]
    var chosen = 0
    let x: Int
    let y: Int

    static let onEmpty: [AppCommand] = [
        .insertBelow, .addColumnAfter, .paste, .sort, .showColumns, .palette, .help, .quit,
    ]
    static let onRows: [AppCommand] = [
        .edit, .insertAbove, .insertBelow, .duplicate, .moveUp, .moveDown, .moveHere, .copy,
        .copyRows, .copyRowID, .paste, .makeNull, .showCell, .showRow, .comment,
        .showComments, .showHistory, .delete,
    ]
    static let onHeader: [AppCommand] = [
        .addColumnBefore, .addColumnAfter, .duplicateColumn, .renameColumn, .retypeColumn,
        .moveColumnLeft, .moveColumnRight,
        .fit, .narrower, .wider, .freeze, .hideColumn, .showColumns, .selectColumn, .sortUp,
        .sortDown, .sort, .transform, .deleteColumn,
    ]
}

/// A list with a chosen line.
struct Listing: Hashable, Sendable {
    /// What a line stands for, wherever it moves.
    enum Item: Hashable, Sendable {
        case message(Int)
        case person(Int64)
        case column(ColumnID)
    }

    /// The number of the line.
    var chosen: Int { didSet { item = nil } }
    /// What was chosen with it; nil where that is not settled yet.
    private(set) var item: Item?

    init(chosen: Int = 0) { self.chosen = chosen }

    /// Keeps the choice on what was chosen, now that the list holds these items; where it is gone,
    /// on what has its line.
    mutating func settle(on items: [Item]) {
        if let place = item.flatMap({ items.firstIndex(of: $0) }) {
            let kept = item
            chosen = place
            item = kept
            return
        }
        guard !items.isEmpty else { return }
        chosen = max(0, min(chosen, items.count - 1))
        item = items[chosen]
    }
}

/// A whole cell or a whole row.
struct Pane: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case cell, row
    }

    var kind: Kind
    var scroll = 0
}
