// What the tests of this room share: a seeded generator, a digest, short words for building
// tables and operations, and the check that a table's parts agree with each other.
import TableValue
import Testing

@testable import TableModel

/// SplitMix64: the same numbers for the same seed, everywhere.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }
}

/// A quick digest that is no good for anything but telling equal from different in a test.
struct TestDigest: ContentDigest {
    private var lanes: [UInt64] = [1, 2, 3, 4]

    mutating func update(_ bytes: borrowing RawSpan) {
        for index in 0..<bytes.byteCount {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            let lane = index & 3
            lanes[lane] = (lanes[lane] ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            lanes[lane] ^= lanes[lane] >> 29
        }
        lanes[0] = (lanes[0] ^ UInt64(bytes.byteCount)) &* 0xBF58_476D_1CE4_E5B9
    }

    mutating func finish() -> [UInt8] {
        lanes.flatMap { lane in (0..<8).map { UInt8(truncatingIfNeeded: lane >> ($0 * 8)) } }
    }
}

let isLong = Environment.isLong

func session(_ number: UInt32) -> SessionNumber { SessionNumber(truncating: number) }

/// The row `s1.N`, or of another session.
func row(_ counter: UInt32, _ number: UInt32 = 1) -> RowID {
    RowID(session: session(number), counter: counter)
}

/// The column `c0.N`, or of another session.
func column(_ counter: UInt32, _ number: UInt32 = 0) -> ColumnID {
    ColumnID(session: session(number), counter: counter)
}

/// The author of an operation, its resolution applied at once, and the number it took.
struct Performed {
    var sequence: SequenceNumber
    var resolution: Resolution
    var outcome: Outcome { resolution.outcome }
    var status: Outcome.Status { resolution.outcome.status }
    var notes: [Note] { resolution.outcome.notes }
    var changes: [Change] { resolution.changes }
}

extension Table {
    /// Performs intents as one operation of a session.
    @discardableResult
    mutating func act(
        _ number: UInt32, base: SequenceNumber = 0, mode: OpMode = .best,
        when preconditions: [Precondition] = [], _ body: Intent...
    ) throws(Rejection) -> Performed {
        let op = Op(base: base, mode: mode, preconditions: preconditions, body: body)
        let resolution = try perform(op, by: session(number), as: head + 1)
        return Performed(sequence: head, resolution: resolution)
    }

    /// The code with which an operation is refused; nil where it is not.
    mutating func refusal(
        _ number: UInt32, base: SequenceNumber = 0, mode: OpMode = .best,
        when preconditions: [Precondition] = [], _ body: Intent...
    ) -> Rejection? {
        let op = Op(base: base, mode: mode, preconditions: preconditions, body: body)
        do {
            _ = try perform(op, by: session(number), as: head + 1)
            return nil
        } catch {
            return error
        }
    }

    /// The live rows in order.
    var liveRows: [RowID] { (0..<rowCount).compactMap { row(at: $0) } }

    /// All rows in order, live and hidden.
    var allRows: [RowID] {
        var found: [RowID] = []
        var slot = rows.order.first
        while let current = slot {
            found.append(rows.ids[current])
            slot = rows.order.successor(of: current)
        }
        return found
    }

    /// The values of the live rows of one column, in order.
    func values(of column: ColumnID) -> [Value] {
        liveRows.map { value($0, column) ?? .null }
    }

    /// The digest of the content by a copy that never computed one before.
    func freshHash() -> [UInt8] {
        var loaded = Table(columns: columns, head: head)
        loaded.hashCut = hashCut
        var ids: [RowID] = []
        var values: [Value] = []
        let columnIDs = columns.map(\.id)
        forEachRow(from: 0, count: rowCount, columns: columnIDs) { row, cells in
            ids.append(row)
            values.append(contentsOf: cells)
            return true
        }
        guard loaded.load(rows: ids, columns: columnIDs, cells: values) else { return [] }
        return loaded.contentHash(using: TestDigest.self)
    }
}

/// Three rows `s1.1` to `s1.3` under an int column `c0.1` "qty" and a text column `c0.2` "name".
func smallTable() throws -> Table {
    var table = Table()
    try table.act(
        0, .addColumn(AddColumn(name: "qty", type: .int)),
        .addColumn(AddColumn(name: "name", type: .text)))
    try table.act(
        1,
        .insertRows(
            InsertRows(
                ids: [row(1), row(2), row(3)], rowCount: 3, columns: [.name("qty"), .name("name")],
                cells: [
                    .int(10), .text("one"), .int(20), .text("two"), .int(30), .text("three"),
                ])))
    return table
}

/// An insertion of rows without cells.
func insert(_ ids: [RowID], _ anchor: RowAnchor = .last) -> Intent {
    .insertRows(InsertRows(ids: ids, rowCount: ids.count, anchor: anchor))
}

/// Sets one cell.
func set(_ row: RowID, _ column: ColumnID, _ value: Value) -> Intent {
    .setCells([CellEdit(row: row, column: .id(column), value: value)])
}
