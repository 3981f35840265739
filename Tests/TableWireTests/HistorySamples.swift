// Messages about a table's past, with values of every kind: more of what Samples.swift holds.
import TableModel
import TableValue

@testable import TableWire

var sampleHistory: HistoryRequest {
    var request = HistoryRequest(table: .id(TableID(rawValue: 1)))
    request.row = row(12, 1)
    request.column = .name("qty")
    request.before = 118
    request.count = 20
    return request
}

var sampleEntry: HistoryEntry {
    var entry = HistoryEntry(
        sequence: 120, timeMilliseconds: 1_796_025_600_000, user: "u2",
        session: SessionNumber(truncating: 12), clientNumber: 7, kind: .undo)
    entry.undid = 118
    entry.counts.cells = 200
    entry.counts.inserted = 2
    entry.counts.deleted = 1
    entry.counts.shown = 1
    entry.counts.moved = 3
    entry.counts.columns = 2
    entry.cells = [
        HistoryCell(row: row(12, 1), column: column(1, 2), from: .null, to: .int(5)),
        HistoryCell(row: row(12, 2), column: column(1, 2), from: .text("a"), to: .bool(false)),
    ]
    entry.inserted = rows(12, 1...2)
    entry.deleted = [row(1, 1)]
    entry.shown = [row(1, 2)]
    entry.moved = rows(1, 3...5)
    entry.columns = [
        HistoryColumn(column: column(1, 2), event: .renamed, from: "qty", to: "count"),
        HistoryColumn(column: column(1, 3), event: .rules),
    ]
    return entry
}

var sampleRestored: RestoreCounts {
    var counts = RestoreCounts(to: 118)
    counts.cells = 2
    counts.columns = 1
    return counts
}
