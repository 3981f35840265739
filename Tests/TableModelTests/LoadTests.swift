// Tables out of snapshots, and reading rows in windows.
import TableValue
import Testing

@testable import TableModel

private let columns = [
    Column(id: column(1), name: "qty", type: .int), Column(id: column(2), name: "day", type: .date),
]

@Suite("Snapshots and windows")
struct LoadTests {
    @Test("rows are appended in order, values in the spelling of the wire")
    func loaded() throws {
        var table = Table(columns: columns, head: 40)
        let first = table.load(
            rows: [row(3), row(1)], columns: [column(2), column(1)],
            cells: [.text("2026-11-30"), .int(1), .null, .int(2)])
        let second = table.load(rows: [row(2)], columns: [], cells: [])
        #expect(first && second)
        #expect(table.liveRows == [row(3), row(1), row(2)])
        #expect(table.value(row(3), column(2)) == (try Value("2026-11-30", as: .date)))
        #expect(table.values(of: column(1)) == [.int(1), .int(2), .null])
        #expect(table.head == 40 && table.columns == columns)
        #expect(table.cell(row(3), column(1))?.version == 0)
        #expect(table.highestRowCounter(of: session(1)) == 3)
        #expect(table.invariantProblem() == nil)
    }

    @Test("S13: who began with a snapshot goes by the live column, not by the hidden one it knows")
    func columnsBehindHiddenOnes() {
        let three = [
            Column(id: column(1), name: "a", type: .int),
            Column(id: column(2), name: "b", type: .int),
            Column(id: column(3), name: "c", type: .int),
        ]
        // The server has a hidden column between `a` and `b` of which this replica never heard.
        var table = Table(columns: three, head: 40)
        let changes: [Change] = [
            .columnHidden(column(2)),
            .columnAdded(
                Column(id: column(1, 5), name: "late", type: .int),
                at: ColumnPlace(after: column(1), slot: column(2))),
            .columnAdded(
                Column(id: column(2, 5), name: "early", type: .int),
                at: ColumnPlace(after: column(1), slot: column(9))),
            .columnAdded(
                Column(id: column(3, 5), name: "between", type: .int),
                at: ColumnPlace(after: column(2, 5), slot: column(2))),
        ]
        for (number, change) in changes.enumerated() {
            let fits = table.apply(record([change], at: 41 + Int64(number)))
            #expect(fits)
        }
        let order = [column(1), column(2, 5), column(3, 5), column(1, 5), column(3)]
        #expect(table.columns.map(\.id) == order)
    }

    @Test("what does not fit is not loaded, nor anything with it")
    func refused() {
        var table = Table(columns: columns, head: 40)
        let fits = table.load(rows: [row(1)], columns: [], cells: [])
        #expect(fits)
        for (rows, columns, cells) in [
            ([row(1)], [], []), ([row(2), row(2)], [], []), ([row(2)], [column(9)], [.null]),
            ([row(2)], [column(1)], [.null, .null]), ([row(2)], [column(1)], [.text("soon")]),
            ([row(2)], [column(1), column(1)], [.int(1), .int(1)]),
        ] as [([RowID], [ColumnID], [Value])] {
            let fits = table.load(rows: rows, columns: columns, cells: cells)
            #expect(!fits)
            #expect(table.liveRows == [row(1)])
        }
        #expect(table.invariantProblem() == nil)
    }

    @Test("of two columns with one id the first counts")
    func twiceTheSame() {
        let table = Table(columns: columns + [columns[0]], head: 1)
        #expect(table.columns == columns)
    }

    @Test("a window shows its rows, hidden ones left out, until it is told to stop")
    func windows() throws {
        var world = try World(rows: 700)
        try world.act(2, .deleteRows((1...300).map { row($0 * 2) }))
        let live = world.rows
        #expect(live.count == 400)
        for (from, count) in [(0, 400), (0, 1), (137, 90), (399, 5), (400, 5), (-1, 5), (0, 0)] {
            var seen: [RowID] = []
            world.owner.forEachRow(
                from: from, count: count, columns: [column(2), column(1), column(9)]
            ) { row, values in
                #expect(values == [.null, .int(Int64(row.counter) * 10), .null])
                seen.append(row)
                return true
            }
            let expected = from < 0 ? [] : Array(live.dropFirst(from).prefix(count))
            #expect(seen == expected)
        }
        var visits = 0
        world.owner.forEachRow(from: 0, count: 400, columns: []) { _, _ in
            visits += 1
            return visits < 3
        }
        #expect(visits == 3)
    }

    @Test("what is unknown is answered with nothing")
    func unknown() throws {
        let table = try smallTable()
        #expect(table.value(row(9), column(1)) == nil && table.value(row(1), column(9)) == nil)
        #expect(table.cell(row(9), column(1)) == nil && table.position(of: row(9)) == nil)
        #expect(table.row(at: 3) == nil && table.row(at: -1) == nil)
        #expect(table.state(of: row(9)) == .unknown && table.column(column(9)) == nil)
        #expect(table.column(named: "QTY")?.id == column(1))
        #expect(table.column(named: "no") == nil)
    }
}
