// Tables that get one rule about rows wrong: what is asked of them is bent before it is performed.
// ResolveTests.swift shows that the lines notice each. The rules of cells are in BentCells.swift,
// those of columns in BentColumns.swift.
import TableValue

@testable import TableModel

/// An operation, its author, and the table that it is asked of.
struct Asked {
    var op: Op
    var table: Table
    let session: SessionNumber

    /// Puts others in the place of each intent.
    mutating func replaceIntents(_ others: (Intent) -> [Intent]) {
        op.body = op.body.flatMap(others)
    }

    func isHidden(_ row: RowID) -> Bool { table.state(of: row) == .hidden }

    /// The next live row below one that is known, live or hidden; nil for the last.
    func next(_ row: RowID) -> RowID? {
        var slot = table.rows.slot(of: row).flatMap { table.rows.order.successor(of: $0) }
        while let hidden = slot, table.rows.order.isHidden(hidden) {
            slot = table.rows.order.successor(of: hidden)
        }
        return slot.map { table.rows.ids[$0] }
    }

    /// Behind the row above; the start where there is none.
    func above(_ row: RowID) -> RowAnchor {
        let slot = table.rows.slot(of: row).flatMap { table.rows.order.predecessor(of: $0) }
        return slot.map { .after(table.rows.ids[$0]) } ?? .first
    }

    /// True where somebody else moved the row, unseen by the author.
    func wasMoved(_ row: RowID) -> Bool {
        guard let slot = table.rows.slot(of: row), let stamp = table.rows.moved[slot] else {
            return false
        }
        return stamp.isNews(to: session, since: op.base)
    }

    /// True where somebody else inserted the row, unseen by the author.
    func wasInserted(_ row: RowID) -> Bool {
        guard let slot = table.rows.slot(of: row) else { return false }
        return table.rows.created[slot].isNews(to: session, since: op.base)
    }

    /// True where somebody else wrote the cell, unseen by the author.
    func wasWritten(_ row: RowID, _ column: ColumnReference) -> Bool {
        guard let slot = table.rows.slot(of: row), let index = table.schema.index(of: column)
        else { return false }
        return table.cellStamp(slot, index).isNews(to: session, since: op.base)
    }

    /// Empties a cell behind everybody's back.
    mutating func empty(_ slot: UInt32, _ index: Int) {
        table.setCell(slot, index, .null, stamp: table.cellStamp(slot, index))
    }

    // MARK: Bending one kind of intent

    /// Bends where rows are inserted.
    mutating func bendInsertions(_ bent: (Asked, RowAnchor) -> RowAnchor) {
        let asked = self
        replaceIntents { intent in
            guard case .insertRows(var insert) = intent else { return [intent] }
            insert.anchor = bent(asked, insert.anchor)
            return [.insertRows(insert)]
        }
    }

    /// Bends which rows are moved, and where to.
    mutating func bendMoves(
        _ bent: (Asked, [RowID], RowAnchor) -> (rows: [RowID], anchor: RowAnchor)
    ) {
        let asked = self
        replaceIntents { intent in
            guard case .moveRows(let rows, let anchor) = intent else { return [intent] }
            let moved = bent(asked, rows, anchor)
            return [.moveRows(moved.rows, to: moved.anchor)]
        }
    }

    /// Bends which rows are deleted.
    mutating func bendDeletions(_ bent: (Asked, [RowID]) -> [RowID]) {
        let asked = self
        replaceIntents { intent in
            guard case .deleteRows(let rows) = intent else { return [intent] }
            return [.deleteRows(bent(asked, rows))]
        }
    }
}

/// The anchor, or the end where it is a row about which something holds.
private func endWhere(_ anchor: RowAnchor, _ holds: (RowID) -> Bool) -> RowAnchor {
    if case .after(let row) = anchor, holds(row) { .last } else { anchor }
}

/// Rules R1 to R17, and the invariants about rows.
let bentRows: [Bend<Asked>] =
    [
        Bend("R1: below another row means at the end") { asked in
            asked.bendInsertions { asked, anchor in endWhere(anchor) { _ in true } }
        },
        Bend("R2: at the end means at the start") { asked in
            asked.bendInsertions { _, anchor in anchor == .last ? .first : anchor }
        },
        Bend("R3: below one's own row means above it") { asked in
            asked.bendInsertions { asked, anchor in
                guard case .after(let row) = anchor, row.session == asked.session else {
                    return anchor
                }
                return asked.above(row)
            }
        },
        Bend("R4, T10: a new row below a deleted one goes to the end") { asked in
            asked.bendInsertions { asked, anchor in endWhere(anchor, asked.isHidden) }
        },
        Bend("R5: below a row that is gone means at the start") { asked in
            asked.bendInsertions { asked, anchor in
                guard case .after(let row) = anchor, asked.table.state(of: row) == .unknown
                else { return anchor }
                return .first
            }
        },
        Bend("R6: a deletion takes along the new row below") { asked in
            asked.bendDeletions { asked, rows in
                rows + rows.compactMap(asked.next).filter(asked.wasInserted)
            }
        },
        Bend("R7: a row that is deleted stands for the next one") { asked in
            asked.bendDeletions { asked, rows in
                rows.map { asked.isHidden($0) ? asked.next($0) ?? $0 : $0 }
            }
        },
        Bend("R10: a row that was moved is not deleted") { asked in
            asked.bendDeletions { asked, rows in rows.filter { !asked.wasMoved($0) } }
        },
        Bend("C11: the last of several rows is not deleted") { asked in
            asked.bendDeletions { _, rows in rows.count > 1 ? rows.dropLast() : rows }
        },
        Bend("I6: a block is put row by row, each at the same place") { asked in
            asked.replaceIntents { intent in
                guard case .insertRows(let insert) = intent, insert.ids.count > 1 else {
                    return [intent]
                }
                return insert.ids.indices.map { row in
                    var one = insert
                    one.ids = [insert.ids[row]]
                    one.rowCount = 1
                    let width = insert.columns.count
                    one.cells = Array(insert.cells.dropFirst(row * width).prefix(width))
                    return .insertRows(one)
                }
            }
        },
    ] + bentMoves

private let bentMoves: [Bend<Asked>] = [
    Bend("R8, T6: the earlier move stays, or what was sorted") { asked in
        asked.bendMoves { asked, rows, anchor in (rows.filter { !asked.wasMoved($0) }, anchor) }
    },
    Bend("R8: to the start means to the end") { asked in
        asked.bendMoves { _, rows, anchor in (rows, anchor == .first ? .last : .first) }
    },
    Bend("R9: a move brings deleted rows back") { asked in
        for case .moveRows(let rows, _) in asked.op.body {
            for row in rows where asked.isHidden(row) {
                if let slot = asked.table.rows.slot(of: row) {
                    asked.table.setRowHidden(slot, false, stamp: nil)
                }
            }
        }
    },
    Bend("R11: below a row that moved away means at the end") { asked in
        asked.bendMoves { asked, rows, anchor in (rows, endWhere(anchor, asked.wasMoved)) }
    },
    Bend("R12: what was put below a row moves along") { asked in
        asked.bendMoves { asked, rows, anchor in
            (rows + rows.compactMap(asked.next).filter(asked.wasMoved), anchor)
        }
    },
    Bend("R13: a row moved below a deleted one goes to the end") { asked in
        asked.bendMoves { asked, rows, anchor in (rows, endWhere(anchor, asked.isHidden)) }
    },
    Bend("R14: an anchor among the moved means the end") { asked in
        asked.bendMoves { _, rows, anchor in (rows, endWhere(anchor, rows.contains)) }
    },
    Bend("R15: moved rows arrive in the opposite order") { asked in
        asked.bendMoves { _, rows, anchor in (rows.reversed(), anchor) }
    },
    Bend("R16: what stands between moved rows moves along") { asked in
        asked.bendMoves { asked, rows, anchor in
            let between = rows.compactMap(asked.next).filter(asked.wasInserted)
            return (rows + between, anchor)
        }
    },
    Bend("R17: deleted rows stay behind") { asked in
        asked.bendMoves { asked, rows, anchor in (rows.filter { !asked.isHidden($0) }, anchor) }
    },
    Bend("I3: a moved row is deleted and made anew") { asked in
        asked.replaceIntents { intent in
            guard case .moveRows(let rows, let anchor) = intent else { return [intent] }
            let anew = InsertRows(rowCount: rows.count, anchor: anchor)
            return [.deleteRows(rows), .insertRows(anew)]
        }
    },
]
