// What others took of this user's work: told by cell, row and column, and put back by one
// operation. What was lost the client core says (Losses.swift in TableClient).
import TableClient
import TableModel
import TableValue

/// One operation that brings back what somebody took away.
struct PutBack: Hashable, Sendable {
    let intent: Intent
    /// What comes back, for the start of a sentence.
    let label: String
}

extension App {
    /// Tells what a record of somebody else took of this user's work.
    mutating func lost(_ losses: Losses, _ sheet: Sheet?) {
        people.heard(of: losses.user)
        if losses.rowCount > 0 || !losses.columns.isEmpty { warnedOf = losses.sequence }
        if losses.cellCount > App.lossesSingleMax {
            lostMany(losses, sheet)
        } else {
            for cell in losses.cells { lost(cell, losses, sheet) }
        }
        if losses.rowCount > 0 {
            let rows = counted(losses.rowCount, "row")
            warn(
                "deleted \(rows) with values of yours; \(keyText(.putBack)) brings "
                    + (losses.rowCount == 1 ? "it back" : "them back"),
                by: .user(losses.user),
                puttingBack: PutBack(
                    intent: .restore(
                        RestoreRequest(to: .sequence(losses.sequence - 1), rows: losses.rows)),
                    label: "bringing back \(rows)"))
        }
        for column in losses.columns {
            warn(
                "deleted column \(columnName(column)) with values of yours"
                    + (mayChangeColumns ? "; \(keyText(.putBack)) brings it back" : ""),
                by: .user(losses.user),
                puttingBack: mayChangeColumns
                    ? PutBack(
                        intent: .undo(UndoRequest(.sequence(losses.sequence))),
                        label: "bringing back column \(columnName(column))") : nil)
        }
    }

    /// Puts back what the message that is shown, or else the newest, says was lost.
    mutating func putBack(_ turn: inout Turn) {
        guard let notice = notices.newestBack else {
            return refuse("nothing of yours was replaced or deleted by others")
        }
        putBack(notice, &turn)
    }

    /// Puts back what a message says was lost.
    mutating func putBack(_ notice: Notice, _ turn: inout Turn) {
        guard let back = notice.back, mayEdit(turn.sheet) else { return }
        turn.perform(back.intent, for: .putBack(back.label))
        notices.wasPutBack(notice.number)
    }

    /// Warns of a lost value.
    ///
    /// Where it is known, because the editor says so and asks what shall stay, or because a newer
    /// value of the user's own is on its way and will stand, it is only kept.
    private mutating func lost(_ cell: LostCell, _ losses: Losses, _ sheet: Sheet?) {
        guard let column = sheet?.column(cell.column) else { return }
        let isEdited = editor?.row == cell.row && editor?.column.id == cell.column
        let new =
            cell.theirs.isNull ? "nothing (∅)" : glance(CellLook(cell.theirs).text, widthMax: 30)
        let text =
            "\(people.name(of: losses.user)) replaced your value in "
            + "\(place(of: cell.row, sheet)), \(column.name): now \(new)"
        let kept = CellEditor(row: cell.row, column: column, value: cell.mine)
        let back = PutBack(
            intent: .setCells([cell.puttingBack]),
            label: "putting back your value of \(column.name)")
        let unnamed = people.isKnown(losses.user) ? nil : losses.user
        if cell.isSetAnew || isEdited {
            notices.note(text, keeping: kept, puttingBack: back, unnamed: unnamed, at: now)
        } else {
            notices.warn(text, keeping: kept, puttingBack: back, unnamed: unnamed, at: now)
        }
    }

    /// One warning for many values, which come back together.
    private mutating func lostMany(_ losses: Losses, _ sheet: Sheet?) {
        let cells = losses.cells.filter { !$0.isSetAnew }
        guard let first = cells.first else { return }
        let values = counted(losses.cellCount - (losses.cells.count - cells.count), "value")
        let name = sheet?.column(first.column).map { ", \($0.name)" } ?? ""
        warn(
            "replaced \(values) of yours, the first in \(place(of: first.row, sheet))\(name); "
                + "\(keyText(.putBack)) puts back "
                + (cells.count < losses.cellCount ? "\(grouped(cells.count)) of them" : "yours"),
            by: .user(losses.user),
            puttingBack: PutBack(
                intent: .setCells(cells.map(\.puttingBack)),
                label: "putting back \(counted(cells.count, "value"))"))
    }

    /// Where a row stands, for a sentence.
    func place(of row: RowID, _ sheet: Sheet?) -> String {
        sheet?.position(of: row).map { "row \(grouped($0 + 1))" } ?? "a deleted row"
    }

    /// More values that one record replaced are told together.
    private static let lossesSingleMax = 3
}

extension LostCell {
    /// The cell as it was.
    fileprivate var puttingBack: CellEdit {
        CellEdit(row: row, column: .id(column), value: mine)
    }
}
