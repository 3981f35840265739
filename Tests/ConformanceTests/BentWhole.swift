// Tables that get one rule about operations on all rows wrong: what is asked of them is bent
// before it is performed. ResolveTests.swift shows that the lines notice each.
import TableValue

@testable import TableModel

extension Asked {
    /// Bends what is sorted; nil leaves it, an empty list sorts nothing.
    fileprivate mutating func bendSorts(_ bent: (Asked, SortRows) -> [Intent]) {
        let asked = self
        replaceIntents { intent in
            guard case .sortRows(let sort) = intent else { return [intent] }
            return bent(asked, sort)
        }
    }

    /// Bends which rows are sorted.
    fileprivate mutating func bendSorted(_ isSorted: (Asked, SortRows, RowID) -> Bool) {
        bendSorts { asked, sort in
            var bent = sort
            bent.rows = (sort.rows ?? asked.liveRows).filter { isSorted(asked, sort, $0) }
            return [.sortRows(bent)]
        }
    }

    /// True where somebody else wrote a cell that the sort goes by, unseen by its author.
    fileprivate func hasNewKey(_ row: RowID, _ sort: SortRows) -> Bool {
        sort.keys.contains { wasWritten(row, $0.column) } && !wasInserted(row)
    }

    /// The rows that are there, in order.
    fileprivate var liveRows: [RowID] {
        table.rows.order.liveSlots.map { table.rows.ids[$0] }
    }

    /// True where some row of the table is deleted.
    fileprivate var hasHiddenRows: Bool { table.rowCount < table.rows.ids.count }
}

/// Rules T1 to T15 and U9, the sorts first.
let bentWhole: [Bend<Asked>] =
    [
        Bend("T15: a restored table keeps the rows that came since") { asked in
            let columns = asked.table.columns.map { ColumnReference.id($0.id) }
            asked.replaceIntents { intent in
                guard case .restore(var request) = intent else { return [intent] }
                request.columns = columns
                return [.restore(request)]
            }
        },
        Bend("T1: rows that the author had not seen are not sorted") { asked in
            asked.bendSorted { asked, _, row in !asked.wasInserted(row) }
        },
        Bend("T2: below a row that was sorted elsewhere means at the end") { asked in
            asked.bendInsertions { asked, anchor in
                guard case .after(let row) = anchor, asked.wasMoved(row) else { return anchor }
                return .last
            }
        },
        Bend("T3: a row whose key was written meanwhile is not sorted") { asked in
            asked.bendSorted { asked, sort, row in !asked.hasNewKey(row, sort) }
        },
        Bend("T4: a sorted table stays sorted") { asked in
            let before = asked
            asked.replaceIntents { intent in
                guard case .setCells(let edits) = intent, let edit = edits.first,
                    before.wasMoved(edit.row)
                else { return [intent] }
                return [intent, .sortRows(SortRows(by: [SortRows.Key(edit.column)]))]
            }
        },
        Bend("T5: a row that was moved is not sorted") { asked in
            asked.bendSorted { asked, _, row in !asked.wasMoved(row) }
        },
        Bend("T7: rows that are the same stand in the order of their ids") { asked in
            asked.bendSorts { asked, sort in
                let rows = asked.liveRows.sorted { $0.rawValue < $1.rawValue }
                return [.moveRows(rows, to: .first), .sortRows(sort)]
            }
        },
        Bend("T7: only the first column counts, and empty cells are the least") { asked in
            asked.bendSorts { _, sort in
                let keys = sort.keys.prefix(1).map {
                    SortRows.Key($0.column, isDescending: !$0.isDescending)
                }
                return [.sortRows(SortRows(by: keys, rows: sort.rows))]
            }
        },
        Bend("T8: all rows are sorted") { asked in
            asked.bendSorts { _, sort in [.sortRows(SortRows(by: sort.keys))] }
        },
        Bend("U9: a sort is not taken back") { asked in
            asked.bendUndo { _, steps in
                steps.contains { if case .arranged = $0 { true } else { false } } ? [] : nil
            }
        },
    ] + bentClears

private let bentClears: [Bend<Asked>] = [
    Bend("T9: a clear takes what its author had not seen") { asked in
        asked.replaceIntents { $0 == .clear ? [.truncate] : [$0] }
    },
    Bend("T12: what was cleared is not cleared again") { asked in
        let isCleared = asked.hasHiddenRows
        asked.replaceIntents { $0 == .clear && isCleared ? [] : [$0] }
    },
    Bend("T13: truncate leaves what its author had not seen") { asked in
        asked.replaceIntents { $0 == .truncate ? [.clear] : [$0] }
    },
    Bend("T14: what replaces all rows leaves the old ones") { asked in
        if asked.op.body.count > 1 {
            asked.replaceIntents { $0 == .clear ? [] : [$0] }
        }
    },
]
