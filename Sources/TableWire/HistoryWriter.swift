// Writes requests for a table's past and history, and their answers.
// The reader of the same is HistoryReader.swift.
import TableModel
import TableValue

extension JSONWriter {
    mutating func pastRequest(_ request: PastRequest) {
        string("past")
        key("table")
        table(request.table)
        moment(request.moment)
    }

    /// Writes the field that says when.
    mutating func moment(_ moment: PastMoment) {
        switch moment {
        case .sequence(let sequence):
            key("at")
            integer(sequence)
        case .time(let milliseconds):
            key("time")
            integer(milliseconds)
        }
    }

    mutating func historyRequest(_ request: HistoryRequest) {
        string("history")
        key("table")
        table(request.table)
        if let row = request.row {
            key("row")
            self.row(row)
        }
        if let column = request.column {
            key("column")
            self.column(column)
        }
        if let before = request.before {
            key("before")
            integer(before)
        }
        if let count = request.count {
            key("count")
            integer(count)
        }
    }

    mutating func pastAnswer(_ answer: PastAnswer) {
        string("past")
        key("table")
        table(answer.table)
        key("seq")
        integer(answer.sequence)
        if let time = answer.timeMilliseconds {
            key("time")
            integer(time)
        }
        key("rows")
        integer(answer.rowCount)
        key("columns")
        schema(answer.columns)
    }

    mutating func historyAnswer(_ answer: HistoryAnswer) {
        string("history")
        key("table")
        table(answer.table)
        key("seq")
        integer(answer.sequence)
        key("entries")
        beginArray()
        for entry in answer.entries { historyEntry(entry) }
        endArray()
        if let next = answer.next {
            key("next")
            integer(next)
        }
    }

    /// Writes what one record did.
    package mutating func historyEntry(_ entry: HistoryEntry) {
        beginObject()
        key("seq")
        integer(entry.sequence)
        key("time")
        integer(entry.timeMilliseconds)
        key("user")
        text(entry.user)
        key("session")
        session(entry.session)
        if entry.clientNumber > 0 {
            key("cseq")
            integer(entry.clientNumber)
        }
        key("kind")
        text(entry.kind.rawValue)
        if let undid = entry.undid {
            key("undid")
            integer(undid)
        }
        historyCounts(entry.counts)
        historyCells(entry.cells)
        listed("inserted", entry.inserted)
        listed("deleted", entry.deleted)
        listed("shown", entry.shown)
        listed("moved", entry.moved)
        historyColumns(entry.columns)
        historyComments(entry.comments)
        endObject()
    }

    private mutating func historyCounts(_ counts: HistoryCounts) {
        key("counts")
        beginObject()
        counted("cells", counts.cells)
        counted("inserted", counts.inserted)
        counted("deleted", counts.deleted)
        counted("shown", counts.shown)
        counted("moved", counts.moved)
        counted("columns", counts.columns)
        counted("display", counts.display)
        counted("comments", counts.comments)
        endObject()
    }

    private mutating func counted(_ name: StaticString, _ count: Int) {
        guard count != 0 else { return }
        key(name)
        integer(count)
    }

    private mutating func listed(_ name: StaticString, _ rows: [RowID]) {
        guard !rows.isEmpty else { return }
        key(name)
        self.rows(rows)
    }

    private mutating func historyCells(_ cells: [HistoryCell]) {
        guard !cells.isEmpty else { return }
        key("cells")
        beginArray()
        for cell in cells {
            beginArray()
            row(cell.row)
            column(cell.column)
            value(cell.from)
            value(cell.to)
            endArray()
        }
        endArray()
    }

    private mutating func historyColumns(_ columns: [HistoryColumn]) {
        guard !columns.isEmpty else { return }
        key("columns")
        beginArray()
        for event in columns {
            beginObject()
            key("column")
            column(event.column)
            key("what")
            text(event.event.rawValue)
            if let from = event.from {
                key("from")
                text(from)
            }
            if let to = event.to {
                key("to")
                text(to)
            }
            endObject()
        }
        endArray()
    }
}
