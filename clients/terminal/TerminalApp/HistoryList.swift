// What happened to a cell, a row, a column or the table, as a list: what was asked for, what came,
// and how a record reads in one line. App+History.swift asks for it and acts on it.
import TableClient
import TableModel
import TableValue
import TableWire

/// A list of records that changed something, the newest first.
struct HistoryList: Hashable, Sendable {
    /// Whose history it is.
    enum Scope: Hashable, Sendable {
        case cell(RowID, ColumnID)
        case row(RowID)
        case column(ColumnID)
        case table
    }

    var scope: Scope
    /// The cell under the cursor when the list was opened, for the other scopes.
    let row: RowID?
    let column: ColumnID?
    private(set) var entries: [HistoryEntry] = []
    /// Before which record there is more; nil where this is all.
    private(set) var next: SequenceNumber?
    /// The question that was sent and is not answered; nil for none.
    var question: RequestID?
    /// True while something is to be asked for.
    private(set) var wantsMore = true
    /// Why there is nothing to see.
    var problem: String?
    var chosen = 0

    /// The history of a cell.
    init(row: RowID?, column: ColumnID?) {
        self.row = row
        self.column = column
        if let row, let column { scope = .cell(row, column) } else { scope = .table }
    }

    /// Records that are asked for at once.
    static let pageCount = 50
    /// The most that are kept in the list.
    static let entriesMax = 5_000

    /// What is to be asked for now; nil for nothing.
    func request(of table: TableID) -> HistoryRequest? {
        guard wantsMore, question == nil else { return nil }
        var request = HistoryRequest(table: .id(table))
        switch scope {
        case .cell(let row, let column):
            request.row = row
            request.column = .id(column)
        case .row(let row): request.row = row
        case .column(let column): request.column = .id(column)
        case .table: break
        }
        request.before = next
        request.count = HistoryList.pageCount
        return request
    }

    /// Takes an answer.
    mutating func take(_ answer: HistoryAnswer) {
        question = nil
        entries += answer.entries
        next = entries.count < HistoryList.entriesMax ? answer.next : nil
        // A page without anything of this scope is no end.
        wantsMore = next != nil && entries.count <= chosen + 1
    }

    /// Nothing came.
    mutating func fail(_ reason: String) {
        question = nil
        wantsMore = false
        problem = reason
    }

    /// The list was gone through to its end: more is wanted, where there is more.
    mutating func reachedEnd() {
        if next != nil, chosen >= entries.count - 1 { wantsMore = true }
    }

    /// The history of the cell, then of its row, its column, the table.
    mutating func widen() {
        var wider = HistoryList(row: row, column: column)
        switch scope {
        case .cell(let row, _): wider.scope = .row(row)
        case .row: wider.scope = column.map(Scope.column) ?? .table
        case .column: wider.scope = .table
        case .table: break
        }
        self = wider
    }

    /// True while an answer is awaited.
    var isWaiting: Bool { question != nil || wantsMore }

    /// What makes it again what it was after a record.
    func restore(to sequence: SequenceNumber) -> RestoreRequest {
        switch scope {
        case .cell(let row, let column):
            RestoreRequest(to: .sequence(sequence), rows: [row], columns: [.id(column)])
        case .row(let row): RestoreRequest(to: .sequence(sequence), rows: [row])
        case .column(let column):
            RestoreRequest(to: .sequence(sequence), columns: [.id(column)])
        case .table: RestoreRequest(to: .sequence(sequence))
        }
    }
}

extension HistoryEntry {
    /// What the record did, in a line: `qty 3 → 5, name "" → pear`.
    func line(
        in scope: HistoryList.Scope, _ name: (ColumnID) -> String, _ text: (Value) -> String
    ) -> String {
        var parts: [String] = []
        func tell(_ count: Int, _ deed: String) {
            if count > 0 { parts.append("\(counted(count, "row")) \(deed)") }
        }
        tell(counts.inserted, "inserted")
        tell(counts.deleted, "deleted")
        tell(counts.shown, "brought back")
        tell(counts.moved, "moved")
        for column in columns.prefix(3) {
            var part = "column \(name(column.column)) \(column.event.rawValue)"
            if let from = column.from, let to = column.to {
                part += " \(text(.text(from))) → \(text(.text(to)))"
            }
            parts.append(part)
        }
        for cell in cells.prefix(3) {
            let change = "\(text(cell.from)) → \(text(cell.to))"
            if case .cell = scope {
                parts.append(change)
            } else {
                parts.append("\(name(cell.column)) \(change)")
            }
        }
        for comment in comments.prefix(3) {
            let words = comment.text.map { ": \(text(.text($0)))" } ?? ""
            parts.append("comment \(comment.event.rawValue)\(words)")
        }
        let more = counts.cells - min(3, cells.count)
        if more > 0 { parts.append("\(counted(more, "cell")) more") }
        if let undid { parts.insert("undid \(undid)", at: 0) }
        return parts.isEmpty ? kind.rawValue : parts.joined(separator: ", ")
    }
}

extension BoxContent {
    mutating func listHistory(_ list: HistoryList, _ app: App, _ sheet: Sheet?) {
        width = 110
        heightMin = 8
        title = app.historyTitle(list, sheet)
        lines = list.entries.map { entry in
            let what = entry.line(
                in: list.scope, { app.glance(app.columnName($0), widthMax: 20) },
                { app.glance(CellLook($0).text, widthMax: 24) })
            return BoxLine(
                text: "\(entry.sequence)  \(app.people.name(of: entry.user)): \(what)",
                right: timeText(entry.timeMilliseconds))
        }
        chosen = max(0, min(list.chosen, lines.count - 1))
        if let problem = list.problem {
            lines.append(BoxLine(text: problem, isBold: true))
        } else if list.isWaiting {
            lines.append(BoxLine(text: "… the server looks it up", isFaint: true))
        } else if lines.isEmpty {
            lines = [BoxLine(text: "nothing happened to it", isFaint: true)]
        }
    }
}
