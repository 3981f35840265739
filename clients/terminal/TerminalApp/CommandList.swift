// The list of commands with their keys. One command, one entry; AppCommand.swift says what an
// entry is. A test compares docs/guides/terminal.md with this list.

extension CommandEntry {
    /// Every command, in the order in which help lists them.
    static let all: [CommandEntry] = moving + changing + choosing + rest

    private static let moving = [
        CommandEntry(.up, .moving, "to the row above", ["Up"], vim: ["k"]),
        CommandEntry(.down, .moving, "to the row below", ["Down"], vim: ["j"]),
        CommandEntry(.left, .moving, "to the column on the left", ["Left"], vim: ["h"]),
        CommandEntry(.right, .moving, "to the column on the right", ["Right"], vim: ["l"]),
        CommandEntry(.firstColumn, .moving, "to the first column", ["Home"], vim: ["0", "^"]),
        CommandEntry(.lastColumn, .moving, "to the last column", ["End"], vim: ["$"]),
        CommandEntry(.firstCell, .moving, "to the first row and column", ["Ctrl-Home"]),
        CommandEntry(.firstRow, .moving, "to the first row", vim: ["gg"]),
        CommandEntry(
            .lastRow, .moving, "to the last row; with a number in front, to that row",
            ["Ctrl-End"], vim: ["G"]),
        CommandEntry(.pageUp, .moving, "a screen up", ["PgUp"], vim: ["Ctrl-B"]),
        CommandEntry(.pageDown, .moving, "a screen down", ["PgDn"], vim: ["Ctrl-F"]),
        CommandEntry(.halfPageUp, .moving, "half a screen up", vim: ["Ctrl-U"]),
        CommandEntry(.halfPageDown, .moving, "half a screen down", vim: ["Ctrl-D"]),
        CommandEntry(.nextCell, .moving, "to the next cell, row after row", ["Tab"]),
        CommandEntry(.previousCell, .moving, "to the cell before", ["Shift-Tab"]),
        CommandEntry(.toMiddle, .moving, "the cursor's row to mid-screen", vim: ["zz"]),
        CommandEntry(.toTop, .moving, "the cursor's row to the first line", vim: ["zt"]),
        CommandEntry(.toBottom, .moving, "the cursor's row to the last line", vim: ["zb"]),
        CommandEntry(.goToRow, .moving, "to the row of a number or an id", ["Ctrl-G"]),
        CommandEntry(.goToColumn, .moving, "to the column of a name", ["Alt-G"], vim: ["gc"]),
        CommandEntry(.find, .finding, "text in any cell, in any case", ["Ctrl-F", "/"]),
        CommandEntry(.findNext, .finding, "the next cell with it", ["F3"], vim: ["n"]),
        CommandEntry(.findPrevious, .finding, "the cell before with it", ["Shift-F3"], vim: ["N"]),
        CommandEntry(.findThis, .finding, "the next cell with this one's text", vim: ["*"]),
    ]

    private static let changing = [
        CommandEntry(
            .edit, .editing, "with its text selected; toggles a bool", ["Enter", "F2"],
            vim: ["i", "e"]),
        CommandEntry(.editEnd, .editing, "with the caret behind the text", vim: ["a"]),
        CommandEntry(
            .editEmpty, .editing, "with nothing in the editor", ["Backspace"], vim: ["cc"]),
        CommandEntry(.makeNull, .editing, "empties the chosen cells: no value at all", ["Del"]),
        CommandEntry(.cut, .editing, "copies and empties the chosen cells", ["Ctrl-X"], vim: ["x"]),
        CommandEntry(
            .paste, .editing, "what was copied last, after a look at it", ["Ctrl-V"], vim: ["p"]),
        CommandEntry(
            .transform, .editing, "of all rows, or of some; shows what changes and asks",
            ["Alt-T"], vim: ["gt"]),
        CommandEntry(
            .undo, .editing, "takes back what was done here last", ["Ctrl-Z"], vim: ["u"]),
        CommandEntry(
            .redo, .editing, "does again what was undone last", ["Ctrl-Y"], vim: ["Ctrl-R"]),
        CommandEntry(
            .putBack, .editing, "the value, row or column that somebody took of yours",
            ["Alt-P"], vim: ["gP"]),
        CommandEntry(
            .insertBelow, .rows, "and edit its first cell; Esc takes it back",
            ["Ins", "Ctrl-Enter"], vim: ["o"]),
        CommandEntry(
            .insertAbove, .rows, "and edit its first cell; Esc takes it back", ["Alt-Ins"],
            vim: ["O"]),
        CommandEntry(.duplicate, .rows, "below the last of them", ["Ctrl-D"], vim: ["gd"]),
        CommandEntry(
            .delete, .rows, "the chosen ones, or the cursor's", ["Ctrl-Del", "Alt-Del"],
            vim: ["dd"]),
        CommandEntry(
            .moveUp, .rows, "the chosen ones, or the cursor's", ["Alt-Up"], vim: ["K"]),
        CommandEntry(
            .moveDown, .rows, "the chosen ones, or the cursor's", ["Alt-Down"], vim: ["J"]),
        CommandEntry(.moveHere, .rows, "below the cursor's row", ["Alt-V"], vim: ["gp"]),
        CommandEntry(
            .sort, .rows, "all or the chosen ones, by several columns, for good", ["Alt-S"],
            vim: ["gs"]),
        CommandEntry(
            .sortUp, .rows, "all or the chosen ones, for good", ["Alt-,"], vim: ["["]),
        CommandEntry(
            .sortDown, .rows, "with the largest first", ["Alt-."], vim: ["]"]),
        CommandEntry(
            .clear, .rows, "but those that others insert meanwhile; asks first",
            ["Alt-Shift-Del"], vim: ["dG"]),
        CommandEntry(
            .truncate, .rows, "all rows, whoever inserts them; asks first", isColumnEdit: true),
        CommandEntry(.appendTable, .rows, "all its rows, below the others"),
        CommandEntry(
            .claimRow, .rows, "the next that nobody has, set for you; goes there", ["Alt-J"],
            vim: ["gn"]),
        CommandEntry(
            .restoreTable, .rows, "as it was after a record or at a time; asks first"),
    ]

    private static let choosing = [
        CommandEntry(.select, .choosing, "or no longer; it stays chosen by its id", ["Space"]),
        CommandEntry(
            .selectRange, .choosing, "from here to wherever the cursor goes", ["Alt-R"],
            vim: ["V"]),
        CommandEntry(.selectAll, .choosing, "up to 50,000", ["Ctrl-A"], vim: ["%"]),
        CommandEntry(
            .selectBlock, .choosing, "from here to wherever the cursor goes", ["Alt-B"],
            vim: ["v"]),
        CommandEntry(.selectColumn, .choosing, "all cells of it", ["Alt-A"], vim: ["gv"]),
        CommandEntry(.extendUp, .choosing, "by a row", ["Shift-Up"]),
        CommandEntry(.extendDown, .choosing, "by a row", ["Shift-Down"]),
        CommandEntry(.extendLeft, .choosing, "by a column", ["Shift-Left"]),
        CommandEntry(.extendRight, .choosing, "by a column", ["Shift-Right"]),
        CommandEntry(
            .copy, .choosing, "the chosen cells, as tab-separated text", ["Ctrl-C"], vim: ["y"]),
        CommandEntry(
            .copyRows, .choosing, "the chosen rows, all columns that are shown", ["Alt-C"],
            vim: ["Y"]),
        CommandEntry(.copyRowID, .choosing, "as bots and the command line take it"),
        CommandEntry(
            .addColumnAfter, .columns, "with a name and a type", ["Alt-N"], vim: ["ga"],
            isColumnEdit: true),
        CommandEntry(
            .addColumnBefore, .columns, "with a name and a type", vim: ["gb"], isColumnEdit: true),
        CommandEntry(
            .renameColumn, .columns, "for everybody", ["Alt-E"], vim: ["gr"], isColumnEdit: true),
        CommandEntry(
            .retypeColumn, .columns, "shows what cannot be converted; asks first", ["Alt-Y"],
            vim: ["gT"], isColumnEdit: true),
        CommandEntry(
            .duplicateColumn, .columns, "with its cells, right behind it", vim: ["gC"],
            isColumnEdit: true),
        CommandEntry(
            .deleteColumn, .columns, "for everybody; asks first", ["Alt-K"], vim: ["gD"],
            isColumnEdit: true),
        CommandEntry(
            .moveColumnLeft, .columns, "for everybody", ["Alt-Shift-Left"], vim: ["H"],
            isColumnEdit: true),
        CommandEntry(
            .moveColumnRight, .columns, "for everybody", ["Alt-Shift-Right"], vim: ["L"],
            isColumnEdit: true),
        CommandEntry(.narrower, .columns, "on this screen", ["<", "Alt-Left"]),
        CommandEntry(.wider, .columns, "on this screen", [">", "Alt-Right"]),
        CommandEntry(.fit, .columns, "on this screen", ["="]),
        CommandEntry(.fitAll, .columns, "on this screen", ["Alt-="], vim: ["g="]),
        CommandEntry(
            .freeze, .columns, "up to this one, on this screen; again: none", ["Alt-Z"],
            vim: ["!"]),
        CommandEntry(.hideColumn, .columns, "on this screen", ["Alt-O"], vim: ["-"]),
        CommandEntry(.showColumns, .columns, "to hide and show them", ["Alt-L"], vim: ["C"]),
        CommandEntry(.showAllColumns, .columns, "on this screen", vim: ["g-"]),
    ]

    private static let rest = [
        CommandEntry(.showCell, .looking, "with as many lines as it takes", ["F4"], vim: ["zv"]),
        CommandEntry(.showRow, .looking, "a line for each column", ["F6"], vim: ["zr"]),
        CommandEntry(
            .showHistory, .looking, "who changed this, when, from what; Enter brings back",
            ["Alt-H"], vim: ["gh"]),
        CommandEntry(
            .comment, .looking, "says something about it to everybody", ["Alt-M"], vim: ["gM"]),
        CommandEntry(
            .showComments, .looking, "of the row or the table, to answer and to resolve", ["F9"],
            vim: ["gx"]),
        CommandEntry(
            .showPeople, .looking, "and where; Enter goes there", ["Alt-U"], vim: ["gw"]),
        CommandEntry(
            .showMessages, .looking, "all that was said, with refused texts", ["F8"],
            vim: ["gm"]),
        CommandEntry(.palette, .program, "finds commands by their names", ["Ctrl-P", ":"]),
        CommandEntry(.menu, .program, "what can be done here", ["F10"], vim: ["m"]),
        CommandEntry(
            .columnMenu, .program, "what can be done with this column", ["Shift-F10"],
            vim: ["M"]),
        CommandEntry(.help, .program, "this list", ["F1", "?"]),
        CommandEntry(.changeColors, .program, "light, dark, none, as the terminal says"),
        CommandEntry(.changeKeys, .program, "the other set of keys"),
        CommandEntry(.redraw, .program, "where something else wrote on it", ["Ctrl-L"]),
        CommandEntry(
            .cancel, .program, "message, keys, block, choice, search: one after the other",
            ["Esc"], vim: ["Ctrl-C"]),
        CommandEntry(.suspend, .program, "back to the shell; `fg` returns", vim: ["Ctrl-Z"]),
        CommandEntry(
            .quit, .program, "asks where something is unsent", ["Ctrl-Q"], vim: ["ZZ", "q"]),
    ]
}
