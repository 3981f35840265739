// Copying blocks, and pasting them: a paste into the grid is never keys. It is shown first, and
// becomes one transaction when the user says so; in the editor and in prompts it is text.
import TableFiles
import TableModel
import TableValue
import Terminal

/// A block that is about to be pasted.
struct PastePreview: Hashable, Sendable {
    let rows: [[PastedCell]]
    /// What the cells came from.
    let source: Clipboard
    /// Where its first cell goes.
    let row: RowID?
    let column: ColumnID
    /// What it would do, in lines.
    var summary: [String] = []
    /// Why it cannot be pasted.
    var problem: String?

    var width: Int { rows.map(\.count).max() ?? 0 }
    var cellCount: Int { rows.reduce(0) { $0 + $1.count } }
}

extension App {
    /// Takes a paste from the terminal.
    mutating func takePaste(_ bytes: [UInt8], isCut: Bool, _ turn: inout Turn) {
        drag = nil
        keysSoFar = []
        countSoFar = nil
        quitsWhenSent = false
        let text = String(decoding: bytes, as: UTF8.self)
        if layer != nil {
            takePasteInLayer(text)
        } else if editor != nil {
            if isCut { editor?.problem = "the paste was too long; its end is missing" }
            paste(intoEditor: text)
        } else {
            guard !text.isEmpty else { return }
            preview(Clipboard(text), isCut: isCut, turn.sheet)
        }
    }

    /// The command: what was copied last.
    mutating func pasteClipboard(_ sheet: Sheet?) {
        guard let clipboard else { return refuse("nothing was copied yet") }
        preview(clipboard, isCut: false, sheet)
    }

    /// A paste in the editor is text: line breaks are the text's own, where it may have them.
    mutating func paste(intoEditor text: String) {
        guard let editor else { return }
        var plain = ""
        var wasReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                plain.unicodeScalars.append("\n")
            } else if scalar != "\n" || !wasReturn {
                plain.unicodeScalars.append(scalar)
            }
            wasReturn = scalar == "\r"
        }
        if !editor.takesLineBreaks {
            plain = String(plain.split(whereSeparator: \.isNewline).first ?? "")
        }
        let problem = editor.problem
        self.editor?.insert(plain)
        if problem != nil, self.editor?.problem == nil { self.editor?.problem = problem }
    }

    /// Shows a block before it is pasted.
    private mutating func preview(_ source: Clipboard, isCut: Bool, _ sheet: Sheet?) {
        guard mayEdit(sheet), let sheet else { return }
        var row = grid.row
        var column = grid.column
        if let block = selection.block(grid, sheet), !selection.isWholeColumns {
            row = sheet.row(at: block.rows.lowerBound)
            column = sheet.column(at: block.columns.lowerBound)?.id
        }
        guard let column else {
            return refuse("there is no column yet; \(keyText(.addColumnAfter)) adds one")
        }
        var cells = source.cells ?? []
        if source.cells == nil {
            do throws(FileError) {
                cells = try TabText.parse(source.text)
            } catch {
                return refuse("this cannot be pasted: \(error)")
            }
        }
        var preview = PastePreview(rows: cells, source: source, row: row, column: column)
        let plan = PastePlan(preview, sheet, in: table)
        preview.problem = isCut ? "the paste was too long; use `roundtable import`" : plan.problem
        preview.summary = plan.summary
        layer = .paste(preview)
    }

    /// The user said yes: one transaction.
    mutating func confirm(_ preview: PastePreview, _ turn: inout Turn) {
        guard let sheet = turn.sheet, mayEdit(sheet), preview.problem == nil else { return }
        let plan = PastePlan(preview, sheet, in: table)
        if let problem = plan.problem {
            var again = preview
            again.problem = problem
            again.summary = plan.summary
            layer = .paste(again)
            return
        }
        layer = nil
        clipboard = preview.source
        guard !plan.body.isEmpty else { return }
        turn.deeds.append(
            Deed(
                body: plan.body, purpose: .paste(cells: preview.cellCount, preview.source),
                mode: .strict))
    }

    // MARK: Copying

    /// Copies the chosen cells; false where there are too many.
    @discardableResult
    mutating func copyCells(_ turn: inout Turn) -> Bool {
        guard let sheet = turn.sheet else { return false }
        guard let cells = chosenCells(sheet, max: App.copiedCellsMax) else {
            refuse(
                "at most \(grouped(App.copiedCellsMax)) cells can be copied; "
                    + "`roundtable export` takes all")
            return false
        }
        copy(cells.rows, cells.columns, sheet, &turn)
        return true
    }

    /// Copies the chosen rows with all their cells.
    mutating func copyRows(_ turn: inout Turn) {
        guard let sheet = turn.sheet else { return }
        guard let rows = chosenRows(sheet), rows.count * sheet.columns.count <= App.copiedCellsMax
        else {
            return refuse(
                "at most \(grouped(App.copiedCellsMax)) cells can be copied; "
                    + "`roundtable export` takes all")
        }
        copy(rows, sheet.columns, sheet, &turn)
    }

    /// Copies what a page shows: the cursor's cell, or all of its row.
    mutating func copy(_ pane: Pane, _ turn: inout Turn) {
        guard let sheet = turn.sheet, let row = grid.row,
            let column = sheet.column(at: grid.columnPosition)
        else { return }
        copy([row], pane.kind == .cell ? [column] : sheet.allColumns, sheet, &turn)
    }

    /// Copies the id of the cursor's row, for bots and for the command line.
    mutating func copyRowID(_ turn: inout Turn) {
        guard let row = grid.row else { return refuse("there is no row here") }
        clipboard = Clipboard(row.description)
        turn.actions.append(.copy(row.description))
        say("\(row) copied; handed to the terminal too, which may refuse")
    }

    private mutating func copy(
        _ rows: [RowID], _ columns: [Column], _ sheet: Sheet, _ turn: inout Turn
    ) {
        let isOne = rows.count == 1 && columns.count == 1
        let copied = Clipboard(
            rows.map { row in
                columns.map { column in
                    let value = sheet.value(row, column.id)
                    return PastedCell(text: value.canonicalText, isQuoted: !value.isNull)
                }
            })
        clipboard = copied
        let text = copied.text
        var what = "copied"
        if !isOne { what = blockText(rows: rows.count, columns: columns.count) + " copied" }
        if isOne, copied.cells?[0][0].isNull == true { what = "∅ copied" }
        guard !text.isEmpty else {
            return say("\(what) for \(keyText(.paste)) here; as text it is nothing")
        }
        guard text.utf8.count <= clipboardBytesMax else {
            return say(
                "\(what) for \(keyText(.paste)) here; too long for the terminal's clipboard")
        }
        turn.actions.append(.copy(text))
        say("\(what); handed to the terminal too, which may refuse")
    }

    static let copiedCellsMax = 200_000
}
