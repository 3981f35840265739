// Workload C1 and M1: the table alone, without network or disk: what one operation costs at
// different sizes, what a row takes in memory, what the content hash costs.
import Foundation
import TableModel
import TableValue
import Transport

extension SHA256: ContentDigest {}

private let applyOptions: [(name: String, value: String, meaning: String)] = [
    ("rows", "10000,1000000,10000000", "sizes of the table, one set of figures each"),
    ("count", "100000", "operations of each kind in a run"),
    ("runs", "3", "runs of each figure"),
    ("batch", "64", "operations made before the clock starts, at a time"),
    ("only", "", "measures only the operations whose name has this in it"),
    ("seed", "1", "seed of the rows that are chosen"),
]

/// Runs the workload and prints its figures.
///
/// - Parameter arguments: what stood after the workload's name.
/// - Throws: `BenchError` where the table does not do what it should.
func runApplyBenchmark(arguments: [String]) throws {
    let options = try Options(arguments, known: applyOptions)
    for rowCount in options.numbers("rows") {
        var bench = ApplyBenchmark(options, rowCount: rowCount)
        try bench.fill()
        try bench.measureLookups()
        try bench.measureHash()
        try bench.measureEdits()
        try bench.measureRows()
    }
}

/// One table of two int columns and a short text column, and the figures taken of it.
///
/// It is never copied, so that no figure contains a copy of the table by oversight.
private struct ApplyBenchmark: ~Copyable {
    private let rowCount: Int
    private let count: Int
    private let runs: Int
    /// How many operations are made before the clock starts, at a time.
    private let batch: Int
    private let seed: Int
    private let only: String
    private let author = SessionNumber(truncating: 1)
    private let columns = (1...3).map { ColumnID(session: .server, counter: $0) }
    private var table = Table()
    private var chance: SplitMix
    private var nextCounter: UInt32 = 1

    init(_ options: Options, rowCount: Int) {
        self.rowCount = rowCount
        count = options.number("count")
        runs = max(1, options.number("runs"))
        seed = options.number("seed")
        batch = max(1, options.number("batch"))
        only = options.text("only")
        chance = SplitMix(state: UInt64(seed))
    }

    // MARK: Figures

    private func report(_ figure: String, _ spread: Spread, _ unit: String) {
        printFigure([
            ("workload", "apply"), ("figure", figure), ("rows", rowCount), ("unit", unit),
            ("median", rounded(spread.median, 1)), ("least", rounded(spread.least, 1)),
            ("most", rounded(spread.most, 1)), ("runs", runs), ("seed", seed),
            ("clock", "cpu"), ("machine", machine()),
        ])
    }

    /// Times `count` steps, several times over.
    ///
    /// What they need is made outside of the clock, a few at a time, so that it is as fresh in the
    /// caches as an operation that was just read.
    private mutating func measure<Input>(
        _ figure: String, _ prepare: (inout Self) -> [Input],
        _ step: (inout Self, Input) throws -> Void
    ) throws {
        guard only.isEmpty || figure.contains(only) else { return }
        var nanoseconds: [Double] = []
        for _ in 0..<runs {
            var taken = 0.0
            var done = 0
            while done < count {
                let inputs = prepare(&self)
                let start = cpuNow()
                for input in inputs { try step(&self, input) }
                taken += cpuNow() - start
                done += inputs.count
            }
            nanoseconds.append(taken / Double(done))
        }
        report(figure, Spread(nanoseconds), "ns")
    }

    private mutating func perform(_ op: Op) throws {
        do {
            _ = try table.perform(op, by: author, as: table.head + 1)
        } catch {
            throw BenchError("an operation was refused: \(error)")
        }
    }

    /// Performs an operation of an author who is three records behind.
    private mutating func performSeeing(_ op: Op) throws {
        var op = op
        op.base = max(0, table.head - 3)
        try perform(op)
    }

    private mutating func newRow() -> RowID {
        defer { nextCounter += 1 }
        return RowID(session: author, counter: nextCounter)
    }

    private mutating func randomRow() -> RowID {
        RowID(session: author, counter: UInt32(chance.below(rowCount)) + 1)
    }

    private mutating func randomRows() -> [RowID] { (0..<batch).map { _ in randomRow() } }

    private func cells(_ number: Int) -> [Value] {
        [.int(Int64(number)), .int(Int64(number) &* 7_919), .text(Text("row \(number % 999_983)"))]
    }

    // MARK: Workloads

    /// Fills the table as an import does, and measures what a row takes.
    mutating func fill() throws {
        let types: [ColumnType] = [.int, .int, .text]
        try perform(
            Op(
                body: types.enumerated().map { index, type in
                    .addColumn(AddColumn(name: Text("column \(index)"), type: type))
                }))
        let before = residentBytes()
        let size = table.limits.partsMax / 4
        let start = cpuNow()
        while table.rowCount < rowCount {
            let some = min(size, rowCount - table.rowCount)
            let ids = (0..<some).map { _ in newRow() }
            let values = ids.flatMap { cells(Int($0.counter)) }
            try perform(
                Op(
                    body: [
                        .insertRows(
                            InsertRows(
                                ids: ids, rowCount: some, columns: columns.map { .id($0) },
                                cells: values))
                    ]))
        }
        let taken = (cpuNow() - start) / Double(rowCount)
        report("import, a row", Spread([taken]), "ns")
        let bytes = Double(residentBytes() - before)
        report("memory, a row", Spread([bytes / Double(rowCount)]), "bytes")
        report("memory, all", Spread([bytes / 1_048_576]), "MiB")
    }

    mutating func measureLookups() throws {
        var sum = 0
        try measure("id to position", { $0.randomRows() }) { bench, row in
            sum &+= bench.table.position(of: row) ?? 0
        }
        let positions: (inout Self) -> [Int] = { bench in
            (0..<bench.batch).map { _ in bench.chance.below(bench.rowCount) }
        }
        try measure("position to id", positions) { bench, position in
            sum &+= Int(bench.table.row(at: position)?.counter ?? 0)
        }
        try measure("read a cell", { $0.randomRows() }) { bench, row in
            if case .int(let number)? = bench.table.value(row, bench.columns[0]) {
                sum &+= Int(number & 1)
            }
        }
        guard sum != 0 || !only.isEmpty else { throw BenchError("the table answers nothing") }
    }

    mutating func measureHash() throws {
        let start = cpuNow()
        let first = table.contentHash(using: SHA256.self)
        report("first hash", Spread([(cpuNow() - start) / 1e6]), "ms")
        for edits in [1, 100] {
            var milliseconds: [Double] = []
            for run in 0..<runs {
                for index in 0..<edits {
                    try edit(randomRow(), Int64(-1 - index - run * edits))
                }
                let start = cpuNow()
                guard table.contentHash(using: SHA256.self) != first else {
                    throw BenchError("the hash does not see an edit")
                }
                milliseconds.append((cpuNow() - start) / 1e6)
            }
            report("hash after \(edits) edits", Spread(milliseconds), "ms")
        }
    }

    private mutating func edit(_ row: RowID, _ number: Int64) throws {
        try perform(edit(row, columns[1], .int(number)))
    }

    private func edit(_ row: RowID, _ column: ColumnID, _ value: Value) -> Op {
        let edit = CellEdit(row: row, column: .id(column), value: value)
        return Op(base: table.head, body: [.setCells([edit])])
    }

    /// Operations that are made before the clock starts.
    private func ops(
        _ make: @escaping (inout Self) -> Op
    ) -> (inout Self) -> [Op] {
        { bench in (0..<bench.batch).map { _ in make(&bench) } }
    }

    mutating func measureEdits() throws {
        let columns = self.columns
        let numbers = ops { bench in
            let row = bench.randomRow()
            return bench.edit(row, columns[1], .int(Int64(bench.chance.below(1 << 60))))
        }
        try measure("edit a number", numbers) { try $0.performSeeing($1) }
        let texts = ops { bench in
            let row = bench.randomRow()
            return bench.edit(row, columns[2], .text(Text("t\(bench.chance.below(1_000_000))")))
        }
        try measure("edit a text", texts) { try $0.performSeeing($1) }
        let changes: (inout Self) -> [Change] = { bench in
            (0..<bench.batch).map { _ in
                let number = Value.int(Int64(bench.chance.below(1 << 60)))
                let row = bench.randomRow()
                return .cellsSet([CellChange(row: row, column: columns[0], value: number)])
            }
        }
        try measure("replay an edit", changes) { bench, change in
            let record = Record(
                sequence: bench.table.head + 1, session: bench.author, clientNumber: 0,
                user: "u1", timeMilliseconds: 0, changes: [change])
            guard bench.table.apply(record) else { throw BenchError("a record did not fit") }
        }
        try measureCopy()
    }

    /// The first edit after a copy pays for what is shared no longer.
    private mutating func measureCopy() throws {
        let figure = "first edit after a copy"
        guard only.isEmpty || figure.contains(only) else { return }
        let copies = 20
        var nanoseconds: [Double] = []
        for _ in 0..<runs {
            var taken = 0.0
            for _ in 0..<copies {
                let op = edit(randomRow(), columns[0], .int(Int64(chance.below(1 << 60))))
                let copy = table
                let start = cpuNow()
                try perform(op)
                taken += cpuNow() - start
                guard copy.head < table.head else { throw BenchError("the copy moved") }
            }
            nanoseconds.append(taken / Double(copies))
        }
        report(figure, Spread(nanoseconds), "ns")
    }

    private mutating func insertion(_ anchor: RowAnchor) -> Op {
        let row = newRow()
        return Op(
            body: [
                .insertRows(
                    InsertRows(
                        ids: [row], rowCount: 1, anchor: anchor,
                        columns: columns.map { .id($0) }, cells: cells(7)))
            ])
    }

    mutating func measureRows() throws {
        let inserts = ops { bench in
            let anchor = bench.randomRow()
            return bench.insertion(.after(anchor))
        }
        try measure("insert at a random place", inserts) { try $0.perform($1) }
        try measure("append", ops { $0.insertion(.last) }) { try $0.perform($1) }
        let moves = ops { bench in
            let row = bench.randomRow()
            return Op(body: [.moveRows([row], to: .after(bench.randomRow()))])
        }
        try measure("move a row", moves) { try $0.perform($1) }
        let deletions = ops { Op(body: [.deleteRows([$0.randomRow()])]) }
        try measure("delete a row", deletions) { try $0.perform($1) }
    }
}

/// SplitMix64: the same rows for the same seed.
private struct SplitMix {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) % UInt64(max(1, bound)))
    }
}

/// Nanoseconds of CPU that this thread has used: all of it is computation, and so the figures do
/// not depend on what else the machine does.
private func cpuNow() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The bytes of this process that are resident, from /proc/self/statm.
private func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
