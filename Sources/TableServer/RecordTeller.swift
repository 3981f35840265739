// One record as an entry of a history: which cells went from what to what, which rows and columns
// came, went or moved. It compares the table before and after; what it lists is bounded.
import TableModel
import TableValue
import TableWire

/// Tells what one record did.
struct RecordTeller {
    private struct Place: Hashable {
        let row: RowID
        let column: ColumnID
    }

    private let record: Record
    /// Nil for all columns.
    private let column: ColumnID?
    private let partsMax: Int
    private let bytesMax: Int
    var entry: HistoryEntry
    /// About the bytes of the entry on the wire.
    private(set) var byteCount = 120
    private var kinds: [HistoryKind] = []
    private var seen: Set<Place> = []

    init(_ record: Record, column: ColumnID?, partsMax: Int, bytesMax: Int) {
        self.record = record
        self.column = column
        self.partsMax = partsMax
        self.bytesMax = bytesMax
        entry = HistoryEntry(of: record, kind: .mixed)
    }

    /// True where there is anything to tell.
    var hasSomething: Bool { entry.counts != HistoryCounts() }

    /// Compares the table before the record with the one after it.
    mutating func tell(_ before: Table, _ after: Table) {
        for change in record.changes {
            switch change {
            case .rowsInserted(let block):
                kinds.append(.insert)
                tellRows(block.ids, \.inserted, \.inserted)
                tellCells(of: block, before, after)
            case .rowsShown(let block):
                kinds.append(.show)
                tellRows(block.ids, \.shown, \.shown)
                tellCells(of: block, before, after)
            case .cellsSet(let cells):
                kinds.append(.set)
                for cell in cells { tellCell(cell.row, cell.column, before, after) }
            case .cellsFilled(let column, let rows, _):
                kinds.append(.set)
                for row in rows { tellCell(row, column, before, after) }
            case .rowsHidden(let rows):
                kinds.append(.delete)
                tellRows(rows, \.deleted, \.deleted)
            case .rowsMoved(let rows, _):
                kinds.append(.move)
                tellRows(rows, \.moved, \.moved)
            case .rowsArranged(let rows):
                kinds.append(.sort)
                tellRows(rows, \.moved, \.moved)
            case .commentPut(let comment):
                kinds.append(.comment)
                tellComment(comment, before)
            // What a claim sets is told; who has a lease is of no use later.
            case .leaseSet, .leaseEnded: break
            case .displaySet(let change):
                kinds.append(.display)
                tellDisplay(change)
            default:
                kinds.append(.columns)
                tellColumn(change, before, after)
            }
        }
        entry.kind = kind
    }

    private var kind: HistoryKind {
        if record.outcome.undid != nil { return .undo }
        if record.outcome.isRestore { return .restore }
        // A column that is shown again brings its cells along.
        let told = kinds.contains(.columns) ? kinds.filter { $0 != .set } : kinds
        guard let first = told.first ?? kinds.first else { return .mixed }
        return told.allSatisfy { $0 == first } ? first : .mixed
    }

    // MARK: Rows

    private mutating func tellRows(
        _ rows: [RowID], _ count: WritableKeyPath<HistoryCounts, Int>,
        _ list: WritableKeyPath<HistoryEntry, [RowID]>
    ) {
        guard column == nil else { return }
        entry.counts[keyPath: count] += rows.count
        let room = partsMax - entry[keyPath: list].count
        guard room > 0 else { return }
        let listed = rows.prefix(room)
        entry[keyPath: list].append(contentsOf: listed)
        byteCount += listed.count * 12
    }

    // MARK: Cells

    private mutating func tellCells(of block: RowBlock, _ before: Table, _ after: Table) {
        for row in block.ids {
            for column in block.columns { tellCell(row, column, before, after) }
        }
    }

    private mutating func tellCell(
        _ row: RowID, _ column: ColumnID, _ before: Table, _ after: Table
    ) {
        guard self.column == nil || self.column == column,
            let to = after.value(row, column)
        else { return }
        let from = before.value(row, column) ?? .null
        guard from != to, seen.insert(Place(row: row, column: column)).inserted else { return }
        entry.counts.cells += 1
        guard entry.cells.count < partsMax, entry.cells.isEmpty || byteCount < bytesMax else {
            return
        }
        byteCount += 40 + estimatedByteCount(of: from) + estimatedByteCount(of: to)
        entry.cells.append(HistoryCell(row: row, column: column, from: from, to: to))
    }

    // MARK: Comments

    private mutating func tellComment(_ comment: TableComment, _ before: Table) {
        guard column == nil || column == comment.column else { return }
        entry.counts.comments += 1
        guard entry.comments.count < partsMax, entry.comments.isEmpty || byteCount < bytesMax else {
            return
        }
        let event = event(of: comment, before.comment(comment.id))
        let text = event == .deleted ? nil : comment.text
        byteCount += 80 + (text?.byteCount ?? 0)
        entry.comments.append(
            HistoryComment(
                comment: comment.id, row: comment.row, column: comment.column, event: event,
                text: text))
    }

    private func event(of comment: TableComment, _ old: TableComment?) -> HistoryComment.Event {
        guard let old else { return .made }
        if comment.isDeleted != old.isDeleted { return comment.isDeleted ? .deleted : .shown }
        if comment.text != old.text { return .edited }
        return comment.resolved == nil ? .reopened : .resolved
    }

    // MARK: Columns

    private mutating func tellColumn(_ change: Change, _ before: Table, _ after: Table) {
        switch change {
        case .columnAdded(let column, _): note(column.id, .added, to: column.name)
        case .columnShown(let column, _): note(column.id, .shown, to: column.name)
        case .columnHidden(let id): note(id, .deleted, from: before.column(id)?.name)
        case .columnRenamed(let id, let name):
            note(id, .renamed, from: before.column(id)?.name, to: name)
        case .columnRulesSet(let id, _): note(id, .rules)
        case .columnRetyped(let id, let type, _):
            let old = before.column(id)?.type.rawValue
            note(id, .retyped, from: old.map { Text($0) }, to: Text(type.rawValue))
        case .columnMoved(let id, _): note(id, .moved)
        default: break
        }
    }

    private mutating func tellDisplay(_ change: DisplayOutcome) {
        guard case .column(let id, let entries) = change else {
            if column == nil { entry.counts.display += 1 }
            return
        }
        guard column == nil || column == id else { return }
        entry.counts.display += entries.count
        guard entry.columns.count < partsMax else { return }
        byteCount += 60
        entry.columns.append(HistoryColumn(column: id, event: .display))
    }

    private mutating func note(
        _ id: ColumnID, _ event: HistoryColumn.Event, from: Text? = nil, to: Text? = nil
    ) {
        guard column == nil || column == id else { return }
        entry.counts.columns += 1
        guard entry.columns.count < partsMax else { return }
        byteCount += 60 + (from?.byteCount ?? 0) + (to?.byteCount ?? 0)
        entry.columns.append(HistoryColumn(column: id, event: event, from: from, to: to))
    }
}
